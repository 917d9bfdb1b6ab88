// What is shown, as a file or on the clipboard: command line, Python, JSON, SVG, PNG.

import { announce, colour, h } from "./ui.js";

function download(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const text = (name, kind, words) => download(name, new Blob([words], { type: kind }));

/** An SVG of the page with the colours that the style sheet gives it, so that it stands alone. */
export function standalone(drawing) {
  const copy = drawing.cloneNode(true);
  const from = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, i) => {
    const style = getComputedStyle(from[i]);
    for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"]) {
      const value = style.getPropertyValue(name);
      if (value) node.setAttribute(name, value);
    }
    node.removeAttribute("class");
  });
  const box = drawing.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  return new XMLSerializer().serializeToString(copy);
}

async function png(name, source) {
  const address = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = h("canvas", { width: 2 * image.width, height: 2 * image.height });
    const pen = canvas.getContext("2d");
    pen.fillStyle = colour("card");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    download(name, await new Promise((done) => { canvas.toBlob(done, "image/png"); }));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A menu; each of { command, python, json, svg } is a function that gives a text, or is left out. */
export function exportMenu(name, { command, python, json, svg }) {
  const menu = h("details", { class: "export" }, h("summary", {}, "Export"));
  const item = (words, act) => h("button", {
    type: "button", onclick: async () => {
      menu.open = false;
      try { announce((await act()) ?? `${words}: saved`); } catch (error) { announce(`${words}: ${error.message}`); }
    },
  }, words);
  const copy = (make) => async () => { await navigator.clipboard.writeText(make()); return "copied"; };
  menu.append(h("div", {},
    command && item("Copy command line", copy(command)), python && item("Python file", () => text(`${name}.py`, "text/x-python", python())),
    json && item("JSON", () => text(`${name}.json`, "application/json", JSON.stringify(json(), null, 1))),
    svg && item("SVG picture", () => text(`${name}.svg`, "image/svg+xml", svg())), svg && item("PNG picture", () => png(`${name}.png`, svg())),
    item("Copy link to this moment", copy(() => location.href))));
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { menu.open = false; menu.firstChild.focus(); } });
  return menu;
}
