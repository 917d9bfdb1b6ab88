// The engine of the lab in Pyodide: the same Python as behind a server, without NumPy and without compiled kernels.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const START = `
import json, sys
sys.path.insert(0, "/lab")
from mistakebound.lab.engine import Engine
engine = Engine(seconds=60)

def answer(text):
    return json.dumps(engine.handle(json.loads(text)), allow_nan=False)

answer
`;

async function started() {
  const python = await loadPyodide({
    indexURL: new URL("pyodide/", import.meta.url).href,
    env: { HOME: "/home", MISTAKEBOUND_KERNELS: "source" },
  });
  const code = await fetch(new URL("mistakebound.zip", import.meta.url));
  if (!code.ok) throw new Error(`mistakebound.zip: ${code.status}`);
  python.unpackArchive(await code.arrayBuffer(), "zip", { extractDir: "/lab" });
  return python.runPython(START);
}

const engine = started();
engine.then(() => postMessage({ ready: true }), (error) => postMessage({ dead: error.message }));

addEventListener("message", async ({ data: { number, text } }) => {
  const answer = await engine.catch(() => null);
  if (!answer) return;
  let said;
  try {
    said = answer(text);
  } catch (error) {
    said = JSON.stringify({ error: `the engine has a fault: ${error.message.trim().split("\n").at(-1)}` });
  }
  postMessage({ number, text: said });
});
