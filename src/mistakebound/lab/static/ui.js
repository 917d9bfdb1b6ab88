// Elements, the state in the address, words for screen readers, and what is kept in the browser.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.entries(value).forEach(([key, of]) => element.style.setProperty(key, of));
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element: h("button", { class: "primary", onclick }, "Play"). */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** A menu; `options` are [value, words]. */
export function select(label, options, value, onchange) {
  const menu = h("select", { class: "pick", "aria-label": label, onchange: () => onchange(menu.value) },
    options.map(([key, words]) => h("option", { value: key, selected: key === String(value) }, words)));
  return menu;
}

/** Why something could not be shown, in its place. */
export const refusal = (error) => h("p", { class: "error", role: "alert", id: "refused" }, `${error.message[0].toUpperCase()}${error.message.slice(1)}${/[.?!]$/.test(error.message) ? "" : "."}`);

/** Draws anew, and leaves the focus on what has it now: an answer that comes late never takes it back. */
export function keepFocus(draw) {
  const held = document.activeElement?.id;
  draw();
  if (held) document.getElementById(held)?.focus();
}

/** Says something to screen readers. */
export function announce(words) {
  document.getElementById("live").textContent = words;
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The view and its settings, as the address has them: #arena?class=...&seed=3. */
export function readAddress() {
  const [view, query] = location.hash.slice(1).split("?");
  return { view: view || "arena", settings: new URLSearchParams(query ?? "") };
}

/** Puts the settings into the address, so that it can be shared. */
export function writeAddress(view, settings) {
  const kept = Object.entries(settings).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(kept).toString();
  history.replaceState(null, "", `#${view}${query ? `?${query}` : ""}`);
}

export const whole = (text, otherwise) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : otherwise);

/** A number in few digits. */
export function digits(number, places = 3) {
  if (number === null || number === undefined) return "–";
  return Number.isInteger(number) ? String(number) : String(Number(number.toPrecision(places)));
}

export const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)}\u00a0%`;
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** What is kept in this browser, and nowhere else. */
export const kept = {
  read(key, otherwise) {
    try { return JSON.parse(localStorage.getItem(`lab.${key}`)) ?? otherwise; } catch { return otherwise; }
  },
  write(key, value) {
    try { localStorage.setItem(`lab.${key}`, JSON.stringify(value)); } catch { /* storage may be switched off */ }
  },
};

/** A colour of the theme. */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
