// The page without a server: Python runs in a worker of the browser and answers the page's messages.

import { replaceSend } from "./engine.js";

const notice = document.createElement("p");
notice.className = "loading";
notice.setAttribute("role", "status");
notice.textContent = "Python is being loaded into the page: a few seconds …";
document.querySelector(".top").after(notice);

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const waiting = new Map();
let [number, dead] = [0, null];

worker.addEventListener("message", ({ data }) => {
  if (data.ready) return notice.remove();
  if (data.dead) return end(data.dead);
  waiting.get(data.number)?.resolve(JSON.parse(data.text));
  waiting.delete(data.number);
});
worker.addEventListener("error", (event) => end(event.message || "its worker cannot be started"));

function end(why) {
  dead = new Error(`Python could not be loaded into the page: ${why}`);
  notice.textContent = dead.message;
  for (const { reject } of waiting.values()) reject(dead);
  waiting.clear();
}

replaceSend((message) => new Promise((resolve, reject) => {
  if (dead) return reject(dead);
  waiting.set((number += 1), { resolve, reject });
  worker.postMessage({ number, text: JSON.stringify(message) });
}));
import("./main.js");
