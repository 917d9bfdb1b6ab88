// Over-fitting: accuracy against the size of a tree, and what pruning leaves.

import { curve } from "./curve.js";
import { ask } from "./engine.js";
import { exportMenu } from "./export.js";
import { h, percent, plural, select, whole } from "./ui.js";

export async function open(place, settings, save) {
  const state = { noise: ["0", "0.1", "0.15", "0.3"].includes(settings.get("noise")) ? settings.get("noise") : "0.15", rows: ["40", "120", "400"].includes(settings.get("rows")) ? settings.get("rows") : "120", seed: whole(settings.get("seed"), 1) };
  const body = h("div", { class: "stack" });
  let [chart, ticket] = [null, 0];
  const seed = h("input", { class: "pick", type: "number", min: 0, max: 999999, value: state.seed, "aria-label": "Seed", onchange: () => look({ seed: whole(seed.value, 1) }) });
  place.append(h("div", { class: "sentence" }, "Learn from ", select("Rows", [["40", "40 rows"], ["120", "120 rows"], ["400", "400 rows"]], state.rows, (rows) => look({ rows })), " of which ", select("Noise", [["0", "none is"], ["0.1", "1 in 10 is"], ["0.15", "15 in 100 are"], ["0.3", "3 in 10 are"]], state.noise, (noise) => look({ noise })), " labelled wrongly. Seed ", seed), body);

  async function look(changes = {}) {
    Object.assign(state, changes);
    const mine = (ticket += 1);
    save(state);
    const found = await ask("tree", "prune", { rows: Number(state.rows), noise: Number(state.noise), seed: state.seed });
    if (mine !== ticket) return;
    chart?.close();
    const sizes = found.curve.map(([nodes]) => nodes);
    const at = (column) => { const values = []; found.curve.forEach((point) => { values[point[0] - 1] = point[column]; }); return Array.from(values, (value) => value ?? null); };
    const best = found.curve.reduce((top, point) => (point[2] > top[2] ? point : top));
    const lines = [{ label: "rows it learned from", values: at(1), colour: "a" }, { label: "fresh rows", values: at(2), colour: "b" }];
    const graph = h("section", { class: "card", "aria-label": "Over-fitting curve" }, h("div", { class: "row spread" }, h("h2", {}, "Accuracy against the size of the tree"), exportMenu("pruning", { json: () => found, svg: () => chart.svg() })),
      h("div", { class: "row" }, h("span", { class: "key a" }, "rows it learned from"), h("span", { class: "key b" }, "fresh rows")));
    const [grown, pruned] = [found.grown, found.pruned];
    body.replaceChildren(h("div", { class: "stage" }, graph, h("div", { class: "stack" },
      h("section", { class: "card", "aria-label": "Before and after" }, h("h2", {}, "Before and after pruning"), h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, ""), h("th", { class: "num" }, "nodes"), h("th", { class: "num" }, "learned rows"), h("th", { class: "num" }, "fresh rows"))),
        h("tbody", {}, [["grown", grown], ["pruned", pruned]].map(([name, of]) => h("tr", {}, h("td", {}, name), h("td", { class: "num", id: `${name}-nodes` }, String(of.nodes)), h("td", { class: "num" }, percent(of.training)), h("td", { class: "num", id: `${name}-validation` }, percent(of.validation)))))),
      h("p", { id: "story" }, grown.training > grown.validation + 0.02 ? `The full tree knows its own rows by heart (${percent(grown.training)}) and is right on ${percent(grown.validation)} of fresh ones. ` : "There is little noise to learn by heart. ",
        `The curve of fresh rows is highest at ${plural(best[0], "node")}; pruning took ${plural(found.removed.length, "subtree")} away and left ${plural(pruned.nodes, "node")}.`),
      h("small", {}, "Pruning by reduced error: again and again the node becomes a leaf that helps most on the fresh rows.")),
      h("section", { class: "card", "aria-label": "Pruned tree" }, h("h2", {}, "What pruning left"), h("pre", { id: "tree", tabindex: 0 }, pruned.text), h("small", {}, "The true rule: if q2 is yes, look at q1, else at q3. q4 to q8 mean nothing.")))));
    chart = curve(graph, { lines, words: `accuracy against ${sizes.length} sizes of the tree`, across: "nodes", up: "accuracy", height: 330, low: 0.5 });
  }
  await look();
  return () => { ticket += 1; chart?.close(); };
}
