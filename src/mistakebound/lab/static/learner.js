// Arena, "be the learner": you predict, the mistake tree unfolds, and K says what you could still be made to lose.

import { brief, choice, concepts, instance, spoken } from "./board.js";
import { ask } from "./engine.js";
import { exportMenu, standalone } from "./export.js";
import { announce, h, keepFocus, plural, s } from "./ui.js";
import { hierarchy, tree } from "./vendor/d3-hierarchy.js";

export async function open(place, { state, save, parts, restart }) {
  const board = h("section", { class: "card", "aria-label": "Your prediction" });
  const standing = h("section", { class: "card", "aria-label": "Your standing" });
  const set = h("section", { class: "card", "aria-label": "Targets" });
  const picture = h("section", { class: "card", "aria-label": "Mistake tree" });
  place.append(h("div", { class: "sentence" }, "You against the optimal adversary; the target is ", parts.classes(), ". Game ", parts.seed()),
    h("div", { class: "stage" }, h("div", { class: "stack" }, board, picture), h("div", { class: "stack" }, standing, set)));
  let moves = [...(state.moves ?? "")].filter((move) => move === "0" || move === "1").map(Number);
  let game;

  async function begin() {
    game = await ask("learner", "start", { class: state.class, seed: state.seed, moves });
    moves = game.path.map((step) => step.prediction);
    render();
  }

  async function predict(prediction) {
    if (!game.question) return;
    try {
      Object.assign(game, await ask("learner", "predict", { session: game.session, prediction }));
    } catch (error) {
      if (!error.expired) throw error;
      moves.push(prediction);
      return begin();
    }
    moves.push(prediction);
    const last = game.path.at(-1);
    announce(`The label is ${last.label}: mistake ${game.mistakes}. ${game.question ? `Next: ${spoken(game, game.question.x)}` : `It is over: the target was ${game.target}`}`);
    keepFocus(render);
  }

  function render() {
    state.moves = moves.join("");
    save();
    const last = game.path.at(-1);
    const tail = last && h("p", { class: "story", id: "story" }, `You said ${last.prediction}; the label is ${last.label}. `,
      last.cost > 0 ? `A label of ${last.best} would have been the better guess: it has the larger mistake tree behind it. That cost you ${plural(last.cost, "mistake")}.`
        : last.after[0] === last.after[1] ? "Either guess was as good." : "That was the best guess, and still a mistake.");
    board.replaceChildren(
      h("div", { class: "row spread" }, h("h2", {}, game.question ? `Prediction ${moves.length + 1}` : "The game is over"),
        h("div", { class: "row" }, h("button", { type: "button", disabled: !moves.length, onclick: () => { moves.pop(); begin(); } }, "Take back"),
          h("button", { type: "button", onclick: () => restart({ seed: state.seed + 1 }) }, "New game"))),
      ...(game.question ? [instance(game, game.question.x), h("p", {}, `What is the label of ${game.n === null ? spoken(game, game.question.x) : `this instance (${spoken(game, game.question.x)})`}?`),
        choice("I predict", game.question.left.map((left) => `${plural(left, "target")} say${left === 1 ? "s" : ""} so`), predict)]
        : [h("p", { class: "story", id: "outcome" }, `Only one target is left: `, h("b", {}, game.target), `. You made ${plural(game.mistakes, "mistake")}; opt(C) is ${game.opt}. `,
          game.mistakes === game.opt ? "No algorithm can promise fewer: you played perfectly." : `A perfect player makes ${game.opt}.`)]),
      tail ?? h("p", { class: "story quiet" }, "Whatever you say, the adversary can say the opposite. What counts is how few mistakes are left for later."));
    const total = game.mistakes + game.still;
    standing.replaceChildren(h("h2", {}, "Your standing"),
      h("div", { class: "count" }, h("b", { id: "mistakes" }, String(game.mistakes)), h("span", {}, "mistakes so far")),
      h("p", {}, "The adversary can force ", h("b", { id: "still" }, String(game.still)), " more: together ", h("b", { id: "total" }, String(total)), "."),
      h("p", { class: "count" }, h("span", { class: "of" }, "opt(C) = ", h("span", { id: "opt" }, String(game.opt)))),
      h("div", { class: `meter${total > game.opt ? " refuted" : ""}`, role: "img", "aria-label": `${game.mistakes} mistakes so far, opt is ${game.opt}` }, h("i", { style: { width: `${Math.min(100, (100 * game.mistakes) / Math.max(1, game.opt))}%` } })),
      h("span", { class: `badge ${total === game.opt ? "within" : "refuted"}`, id: "grade" }, total === game.opt ? "perfect so far" : `${total - game.opt} more than needed`),
      h("p", { class: "words" }, "opt(C) is the height of the largest complete mistake tree of the class (Littlestone 1988, Theorem 3)."));
    set.replaceChildren(...concepts(game.concepts, game.alive));
    const drawing = unfolded(game);
    picture.replaceChildren(h("div", { class: "row spread" }, h("h2", {}, "The mistake tree, as it unfolds"),
      exportMenu("mistake-tree", { json: () => ({ class: state.class, opt: game.opt, path: game.path }), svg: () => standalone(drawing) })), h("div", { class: "drawing" }, drawing),
    h("small", {}, "K is the number of mistakes that can still be forced below a branch; the branch that you predicted is dashed."));
  }

  const keys = (event) => {
    if (event.target.closest("input, select, textarea, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "0" || event.key === "1") { event.preventDefault(); predict(Number(event.key)); }
  };
  addEventListener("keydown", keys);
  await begin();
  return () => removeEventListener("keydown", keys);
}

/** The nodes that were come to, each with both its branches. */
function unfolded(game) {
  const steps = [...game.path, ...(game.question ? [{ x: game.question.x, label: null }] : [])];
  const node = (depth) => {
    const step = steps[depth];
    if (!step) return { words: game.target ?? "", leaf: true };
    return {
      words: brief(game, step.x), open: step.label === null,
      children: step.label === null ? undefined : [0, 1].map((label) => (label === step.label
        ? { ...node(depth + 1), edge: label, taken: true, k: step.after[label] }
        : { words: `K = ${step.after[label]}`, edge: label, guessed: step.prediction === label, k: step.after[label], stub: true })),
    };
  };
  const root = tree().nodeSize([132, 64])(hierarchy(node(0)));
  const all = root.descendants();
  const [left, right] = [Math.min(...all.map((d) => d.x)) - 70, Math.max(...all.map((d) => d.x)) + 70];
  const tall = Math.max(...all.map((d) => d.y)) + 60;
  const wide = Math.max(right - left, 420);
  return s("svg", { viewBox: `${(left + right - wide) / 2} -26 ${wide} ${tall}`, role: "img", "aria-label": `mistake tree of ${plural(game.path.length, "step")}`, class: "tree", style: { "max-width": `${Math.max(wide, 420)}px` } },
    root.links().map(({ source, target }) => [
      s("path", { class: `edge ${target.data.guessed ? "guessed" : target.data.taken ? "taken" : ""}`, d: `M${source.x},${source.y + 12}C${source.x},${source.y + 36} ${target.x},${target.y - 36} ${target.x},${target.y - 12}` }),
      s("text", { x: (source.x + target.x) / 2 + (target.x < source.x ? -12 : 12), y: (source.y + target.y) / 2, "text-anchor": "middle", class: "edge-label" }, String(target.data.edge)),
    ]),
    all.map((d) => s("g", { class: `node${d.data.stub ? " stub" : ""}${d.data.open ? " open" : ""}` },
      s("rect", { x: d.x - 58, y: d.y - 13, width: 116, height: 26, rx: 8 }),
      s("text", { x: d.x, y: d.y + 4, "text-anchor": "middle" }, d.data.words.length > 15 ? `${d.data.words.slice(0, 14)}…` : d.data.words))));
}
