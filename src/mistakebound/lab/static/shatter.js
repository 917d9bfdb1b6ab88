// Shattering: every dichotomy of the points that you place, with the region that makes it; the one that fails is named.

import { ask, newest } from "./engine.js";
import { exportMenu, standalone } from "./export.js";
import { dots, frame, letter, plane, read, shape, written } from "./plane.js";
import { announce, h, plural, select } from "./ui.js";

const CLASSES = { lines: "half-planes", rectangles: "rectangles", circles: "circles" };
const READY = { 3: [[-0.6, -0.5], [0.7, -0.4], [0, 0.7]], 4: [[-0.7, -0.6], [0.7, -0.5], [0.6, 0.7], [-0.6, 0.6]], "diamond": [[0, -0.9], [0.9, 0], [0, 0.9], [-0.9, 0]] };

export async function open(place, settings, save) {
  let points = read(settings.get("points"), 2) ?? READY[3];
  let kind = settings.get("class") in CLASSES ? settings.get("class") : "lines";
  const latest = newest();
  let found = null;
  const board = plane({ points, most: 5, changed: (moved) => { points = moved; look(); }, fresh: () => null, words: "Plane with up to five points; arrow keys move a point, Delete removes it" });
  const verdict = h("section", { class: "card", "aria-label": "Verdict" });
  const all = h("section", { class: "card", "aria-label": "All dichotomies" });
  place.append(h("div", { class: "sentence" }, "Can ", select("Class", Object.entries(CLASSES), kind, (value) => { kind = value; look(); }), " label these points in every way?"),
    h("div", { class: "stage even" }, h("section", { class: "card", "aria-label": "Plane" }, h("div", { class: "row spread" }, h("h2", {}, "Your points"), exportMenu("shattering", { python: () => python(), json: () => ({ class: kind, points, ...found }), svg: () => standalone(board.element) })), h("div", { class: "drawing square" }, board.element),
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => board.add() }, "Add a point"), Object.entries(READY).map(([name, given]) => h("button", { type: "button", onclick: () => { points = given; board.set(points); look(); } }, name === "diamond" ? "A diamond" : plural(Number(name), "point"))))),
    h("div", { class: "stack" }, verdict, all)));

  async function look() {
    save({ class: kind, points: written(points) });
    try {
      const answer = await latest(ask("plane", "shatter", { class: kind, points }));
      if (!answer) return;
      found = answer;
    } catch (error) {
      found = null;
      verdict.replaceChildren(h("p", { class: "error" }, error.message));
      all.replaceChildren();
      return;
    }
    const { dichotomies, made, shattered, vc } = found;
    const failing = dichotomies.find((one) => one.words === null);
    const named = (of) => { const inside = of.labels.flatMap((label, i) => (label ? [letter(i)] : [])); const outside = of.labels.flatMap((label, i) => (label ? [] : [letter(i)])); return `${inside.join(", ") || "nothing"} inside and ${outside.join(", ") || "nothing"} outside`; };
    verdict.replaceChildren(h("div", { class: "row spread" }, h("h2", {}, "Verdict"), h("span", { class: `badge ${shattered ? "within" : "refuted"}`, id: "shattered" }, shattered ? "shattered" : "not shattered")),
      h("div", { class: "count" }, h("b", { id: "made" }, String(made)), h("span", {}, `of ${dichotomies.length} ways to label ${plural(points.length, "point")}`)),
      failing ? h("p", { id: "failing" }, `No ${CLASSES[kind].slice(0, -1)} has ${named(failing)}.`) : h("p", {}, points.length ? "There is one for every way." : "Place a point."),
      h("p", { class: "words" }, `VC dimension of ${CLASSES[kind]}: ${vc}. Some ${vc} points are shattered, no ${vc + 1} are.`));
    all.replaceChildren(h("h2", {}, "Every way to label them"), h("div", { class: "many" }, dichotomies.map((one) => {
      const picture = frame(`${named(one)}: ${one.words ?? "impossible"}`, one.shape && shape(kind, one.shape), dots(points, one.labels, 1.9));
      return h("figure", { class: one.words === null ? "fails" : "" }, picture, h("figcaption", {}, one.words === null ? "impossible" : one.labels.map((label, i) => (label ? letter(i) : "")).join("") || "none"));
    })));
    announce(`${made} of ${dichotomies.length} ways. ${shattered ? "Shattered." : `Not shattered: ${failing ? named(failing) : ""}.`}`);
  }

  const made = { lines: "HalfSpaces(2)", rectangles: "Rectangles(2)", circles: "Circles()" };
  const python = () => `import mistakebound as mb\n\npoints = ${JSON.stringify(points)}\nprint(mb.theory.shatters(mb.concepts.${made[kind]}, points))\n`;
  await look();
}
