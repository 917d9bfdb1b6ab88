// A view of several parts: buttons that choose one, and the part's own place in the address.

import { h, refusal, writeAddress } from "./ui.js";

/** `parts`: name to [title, import of its module, words]. */
export async function openParts(place, settings, view, title, parts) {
  let [leave, ticket] = [() => {}, 0];
  const tabs = h("div", { class: "tabs", role: "group", "aria-label": "Part" });
  const words = h("p");
  const body = h("div", { class: "stack" });
  place.append(h("div", { class: "head" }, h("h1", {}, title), tabs, words), body);

  async function show(part, given) {
    const mine = (ticket += 1);
    leave();
    leave = () => {};
    words.textContent = parts[part][2];
    tabs.replaceChildren(...Object.entries(parts).map(([name, [of]]) => h("button", { type: "button", "aria-pressed": String(name === part), onclick: () => show(name, new URLSearchParams()) }, of)));
    const module = await parts[part][1]();
    if (mine !== ticket) return;
    body.replaceChildren();
    const keep = (fields) => { if (mine === ticket) writeAddress(view, { part, ...fields }); };
    let left = () => {};
    try {
      left = (await module.open(body, given, keep, show)) ?? left;
    } catch (error) { // the other parts may well be there
      if (mine === ticket) body.replaceChildren(refusal(error));
    }
    if (mine === ticket) leave = left;
    else left();
  }
  await show(settings.get("part") in parts ? settings.get("part") : Object.keys(parts)[0], settings);
  return () => { ticket += 1; leave(); };
}
