// Which view is shown.  A view has `title`, and `open(place, settings)`, which gives back how to leave it.

import { announce, h, readAddress, refusal } from "./ui.js";

const VIEWS = {
  arena: ["Arena", () => import("./arena.js")],
  versions: ["Version space", () => import("./versions.js")],
  lines: ["Lines and networks", () => import("./lines.js")],
  trees: ["Trees and Bayes", () => import("./trees.js")],
  data: ["Own data", () => import("./own.js")],
  exercises: ["Exercises", () => import("./exercises.js")],
};

const place = document.getElementById("main");
const links = document.getElementById("views");
let leave = () => {};
let shown = null;

for (const [name, [title]] of Object.entries(VIEWS)) links.append(h("a", { href: `#${name}`, id: `to-${name}` }, title));

async function show() {
  const { view, settings } = readAddress();
  const name = view in VIEWS ? view : "arena";
  leave();
  leave = () => {};
  const ticket = (shown = {});
  for (const link of links.children) {
    if (link.id === `to-${name}`) {
      link.setAttribute("aria-current", "page");
      links.scrollTo({ left: link.offsetLeft - (links.clientWidth - link.clientWidth) / 2 });
    }
    else link.removeAttribute("aria-current");
  }
  document.title = `${VIEWS[name][0]} · mistakebound lab`;
  try {
    const module = await VIEWS[name][1]();
    if (ticket !== shown) return;
    place.replaceChildren();
    leave = (await module.open(place, settings)) ?? (() => {});
  } catch (error) {
    place.replaceChildren(refusal(error));
  }
  document.documentElement.dataset.ready = name;
}

document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("lab.theme", root.dataset.theme); } catch { /* storage may be switched off */ }
  dispatchEvent(new Event("themechange"));
});
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); place.focus(); });

// What a click could not do, because the server has gone, say: told once, above the view.
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  document.getElementById("refused")?.remove();
  place.prepend(refusal(event.reason));
  announce(event.reason.message);
});
addEventListener("hashchange", show);
show();
