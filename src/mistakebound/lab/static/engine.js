// The one place that talks to the engine.  A build without a server replaces `send` and nothing else.

let send = async (message) => {
  const answer = await fetch("message", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
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
