// The one place that talks to the engine.  A build without a server replaces `send` and nothing else.

import { askForToken, token } from "./token.js";

let send = async (message) => {
  const known = token();
  const answer = await fetch("message", {
    method: "POST", body: JSON.stringify(message),
    headers: { "Content-Type": "application/json", ...(known ? { Authorization: `Bearer ${known}` } : {}) },
  });
  if (answer.status === 401) {
    await askForToken();
    return send(message);
  }
  if (answer.ok) return answer.json();
  const words = await answer.text();
  throw new Error(answer.headers.get("Content-Type")?.includes("json") ? JSON.parse(words).detail : words);
};

export const replaceSend = (other) => { send = other; };

/** Asks the engine; an Error says in one sentence why it could not be done. */
export async function ask(view, action, fields = {}) {
  let answer;
  try {
    answer = await send({ view, do: action, ...fields });
  } catch (error) {
    throw new Error(error instanceof TypeError ? "the lab's server does not answer: is it still running?" : error.message);
  }
  if (answer.error) throw Object.assign(new Error(answer.error), { expired: Boolean(answer.expired) });
  return answer;
}

/** For questions of which only the last one counts: its answer, and null for one that another has overtaken. */
export function newest() {
  let asked = 0;
  return async (answer) => {
    const mine = (asked += 1);
    try {
      const found = await answer;
      return mine === asked ? found : null;
    } catch (error) {
      if (mine === asked) throw error;
      return null;
    }
  };
}
