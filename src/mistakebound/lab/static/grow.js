// A tree that you grow: the gain of every test, ID3's choice beside yours.

import { ask } from "./engine.js";
import { exportMenu, standalone } from "./export.js";
import { announce, digits, h, plural, s } from "./ui.js";
import { hierarchy, tree } from "./vendor/d3-hierarchy.js";

const [WIDE, TALL] = [118, 92];

export async function open(place, settings, save) {
  let moves = (settings.get("moves") ?? "").split("!").filter(Boolean).map((move) => move.split("."));
  let [game, chosen] = [null, []];
  const picture = h("section", { class: "card", "aria-label": "Tree" });
  const tests = h("section", { class: "card", "aria-label": "Tests" });
  const facts = h("section", { class: "card", "aria-label": "Your tree and ID3's" });
  place.append(h("div", { class: "stage" }, picture, h("div", { class: "stack" }, tests, facts)));

  async function begin() {
    try {
      game = await ask("tree", "start", { moves });
    } catch {
      moves = [];
      game = await ask("tree", "start", { moves });
    }
    chosen = next(game.tree)?.path ?? [];
    render();
  }

  /** The first node that is still mixed and has no test. */
  const next = (node) => (node.children ? node.children.map(next).find(Boolean) : Object.keys(node.gains).length ? node : undefined);
  const find = (path) => path.reduce((node, value) => node?.children?.find((child) => child.value === value), game.tree);

  async function split(column) {
    const move = [...chosen, column];
    try {
      Object.assign(game, await ask("tree", "split", { session: game.session, move }));
    } catch (error) {
      if (!error.expired) throw error;
      moves.push(move);
      return begin();
    }
    moves.push(move);
    const open = column ? next(find(chosen)) ?? next(game.tree) : find(chosen);
    announce(column ? `Tested ${column}. ${game.done ? "Every leaf is pure." : ""}` : "Test taken back.");
    chosen = open ? open.path : [];
    render();
    tests.querySelector("button")?.focus();
  }

  async function greedy() {
    for (let node = next(game.tree); node; node = next(game.tree)) {
      try {
        Object.assign(game, await ask("tree", "split", { session: game.session, move: [...node.path, node.best] }));
      } catch (error) {
        if (!error.expired) throw error;
        await begin(); // the engine has forgotten the tree: the same again
        continue;
      }
      moves.push([...node.path, node.best]);
    }
    chosen = [];
    render();
  }

  function render() {
    save({ moves: moves.map((move) => move.join(".")).join("!") });
    const node = find(chosen) ?? game.tree;
    const drawing = drawn();
    picture.replaceChildren(h("div", { class: "row spread" }, h("h2", {}, "Your tree"), h("div", { class: "row" }, h("button", { type: "button", id: "greedy", onclick: greedy, disabled: game.done }, "Let ID3 finish"), h("button", { type: "button", disabled: !moves.length, onclick: () => { moves = []; begin(); } }, "Start again"),
      exportMenu("tree", { python: () => python(), json: () => ({ days: game.days, moves, tree: game.tree }), svg: () => standalone(drawing) }))),
    h("div", { class: "drawing", tabindex: 0, role: "group", "aria-label": "Tree" }, drawing));
    const gains = Object.entries(node.gains).sort((a, b) => b[1] - a[1]);
    const most = Math.max(1e-9, ...gains.map(([, gain]) => gain));
    const where = chosen.length ? `where ${chosen.map((value, i) => `${find(chosen.slice(0, i)).column} is ${value}`).join(" and ")}` : "at the root";
    tests.replaceChildren(h("h2", {}, `Which test ${where}?`), h("p", { class: "quiet" }, `${node.counts[1]} yes, ${node.counts[0]} no: entropy ${digits(node.entropy)} bits.`),
      ...(gains.length ? gains.map(([name, gain]) => h("button", { type: "button", class: "gain", id: `test-${name}`, "aria-pressed": String(node.column === name), onclick: () => split(name) },
        h("span", {}, name), h("span", { class: "meter" }, h("i", { style: { width: `${(100 * gain) / most}%` } })), h("span", { class: "num" }, h("span", { class: "gain-bits" }, gain.toFixed(3)), " bits", name === node.best ? " ★" : ""))) : [h("p", { class: "note" }, node.entropy ? "No column is left to test." : `All are ${node.label}: nothing to ask.`)]),
      node.column ? h("button", { type: "button", id: "undo", onclick: () => split("") }, "Take this test back") : "", h("small", {}, gains.length ? "★ is what ID3 takes. Click a node of the tree to look at it." : "Click a node of the tree to look at it."));
    facts.replaceChildren(h("div", { class: "row spread" }, h("h2", {}, "Yours and ID3's"), h("span", { class: `badge ${game.done ? "within" : ""}`, id: "state" }, game.done ? "every day is right" : `${plural(game.errors, "day")} wrong`)),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, ""), h("th", { class: "num" }, "nodes"))), h("tbody", {}, h("tr", {}, h("td", {}, "your tree"), h("td", { class: "num", id: "nodes" }, String(game.nodes))), h("tr", {}, h("td", {}, "ID3's tree"), h("td", { class: "num", id: "id3-nodes" }, String(game.id3.nodes))))),
      game.done ? h("p", {}, game.nodes === game.id3.nodes ? "As small as ID3's." : game.nodes < game.id3.nodes ? "Smaller than ID3's: greed is not always best." : `${game.nodes - game.id3.nodes} nodes more than ID3's: tests of little gain make large trees.`) : "",
      h("details", {}, h("summary", {}, "The fourteen days"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, [...game.columns, "play"].map((name) => h("th", {}, name)))), h("tbody", {}, game.days.map((day) => h("tr", {}, [...game.columns, "play"].map((name) => h("td", {}, day[name])))))))));
  }

  function drawn() {
    const root = tree().nodeSize([WIDE, TALL])(hierarchy(game.tree, (node) => node.children));
    const all = root.descendants();
    const [left, right] = [Math.min(...all.map((d) => d.x)) - WIDE / 2, Math.max(...all.map((d) => d.x)) + WIDE / 2];
    const wide = Math.max(right - left, 560);
    const look = (d) => { chosen = d.data.path; render(); picture.querySelector(".looked")?.focus(); };
    return s("svg", { viewBox: `${(left + right - wide) / 2} -34 ${wide} ${Math.max(...all.map((d) => d.y)) + 74}`, role: "group", "aria-label": `tree of ${plural(game.nodes, "node")}`, class: "grown", style: { "max-width": `${wide * 1.25}px` } },
      root.links().map(({ source, target }) => [s("path", { class: "edge", d: `M${source.x},${source.y + 24}C${source.x},${source.y + 52} ${target.x},${target.y - 52} ${target.x},${target.y - 24}` }), s("text", { class: "edge-label", "text-anchor": "middle", x: source.x + (target.x - source.x) * 0.62, y: (source.y + target.y) / 2 + 4 }, target.data.value)]),
      all.map((d) => {
        const { counts, column, entropy, label } = d.data;
        const [no, yes] = counts;
        const share = (90 * yes) / Math.max(1, yes + no);
        const name = column ?? (entropy ? "?" : yes + no ? label : "–");
        return s("g", { class: `tree-node${d.data.path.join() === chosen.join() ? " looked" : ""}${entropy || column ? "" : " pure"}`, tabindex: 0, role: "button", transform: `translate(${d.x},${d.y})`, "aria-label": `${name}, ${yes} yes, ${no} no`, onclick: () => look(d), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); look(d); } } },
          s("rect", { x: -54, y: -24, width: 108, height: 48, rx: 10 }), s("text", { y: -5, "text-anchor": "middle", class: "name" }, name),
          s("rect", { class: "part no", x: -45, y: 6, width: 90, height: 9, rx: 0 }), s("rect", { class: "part yes", x: -45, y: 6, width: share, height: 9, rx: 0 }));
      }));
  }

  const python = () => `import mistakebound as mb\n\ndays = ${JSON.stringify(game.days)}\ntree = mb.DecisionTree(min_leaf=1).fit(days, "play")\nprint(tree.text())\nfor column in ${JSON.stringify(game.columns)}:\n    print(column, mb.learners.information_gain(days, column, "play"))\n`;
  await begin();
}
