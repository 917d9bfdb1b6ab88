// Arena, "be the adversary": choose an instance, see what the learner says, give the label.

import { choice, concepts, instance, ledger, spoken } from "./board.js";
import { ask } from "./engine.js";
import { announce, h, keepFocus, plural } from "./ui.js";

export async function open(place, { state, menus, save, parts }) {
  const title = menus.learners[state.learner].title;
  const board = h("section", { class: "card", "aria-label": "Your move" });
  const totals = h("section", { class: "card", "aria-label": "Ledger" });
  const set = h("section", { class: "card", "aria-label": "Targets" });
  const log = h("section", { class: "card", "aria-label": "What you said" });
  place.append(h("div", { class: "sentence" }, "You against ", parts.learners(), "; your target must be ", parts.classes(), "."),
    h("div", { class: "stage" }, h("div", { class: "stack" }, board, set), h("div", { class: "stack" }, totals, log)));

  let moves = state.moves ? state.moves.split("-").map((move) => move.split(".").map(Number)) : [];
  let game, x, frames, peek, trouble = "";

  async function begin() {
    const asked = { class: state.class, learner: state.learner };
    try {
      game = await ask("adversary", "start", { ...asked, moves });
    } catch (error) {
      moves = [];
      game = await ask("adversary", "start", asked);
    }
    frames = game.frames;
    x ??= game.n === null ? [game.points[Math.floor(game.points.length / 2)]] : Array.from({ length: game.n }, (_, j) => (j === 0 ? 1 : 0));
    keep();
    await look();
  }

  const keep = () => { state.moves = moves.map((move) => move.join(".")).join("-"); save(); };

  async function look() {
    try {
      peek = await ask("adversary", "peek", { session: game.session, x });
    } catch (error) {
      if (!error.expired) throw error;
      return begin(); // the engine has forgotten the game: the same again
    }
    keepFocus(render);
  }

  async function say(label) {
    if (!peek.left[label]) {
      trouble = `Label ${label} would be a lie: no target of the class agrees with it and with what you said before.`;
      announce(trouble);
      return keepFocus(render);
    }
    trouble = "";
    let answer;
    try {
      answer = await ask("adversary", "say", { session: game.session, x, label });
    } catch (error) {
      if (!error.expired) throw error;
      moves.push([...x, label]);
      return begin();
    }
    frames.push(answer.frame);
    Object.assign(game, { alive: answer.alive, still: answer.still });
    moves.push([...x, label]);
    keep();
    announce(`${answer.frame.mistake ? `A mistake, the ${frames.length === 1 ? "first" : answer.frame.mistakes + "."} of ${title}` : "It was right"}. ${plural(answer.alive.length, "target")} left.`);
    await look();
  }

  async function undo() {
    moves.pop();
    trouble = "";
    await begin();
  }

  function render() {
    const last = frames.at(-1);
    const weights = last ? last.weights : game.start_weights;
    const gain = (label) => (peek.left[label] ? `${label === peek.prediction ? "it would be right" : "a mistake"}; leaves ${peek.left[label]}` : "");
    board.replaceChildren(
      h("div", { class: "row spread" }, h("h2", {}, "1. Choose an instance"), h("div", { class: "row" },
        h("button", { type: "button", onclick: undo, disabled: !moves.length }, "Take back"), h("button", { type: "button", onclick: () => { moves = []; begin(); }, disabled: !moves.length }, "Start again"))),
      instance(game, x, { weights, toggle: (j) => { if (game.n === null) x = [j]; else x = x.map((bit, i) => (i === j ? 1 - bit : bit)); look().then(() => focus(j)); } }),
      h("h2", {}, "2. Give the label"),
      h("p", { class: "story", id: "said" }, `${title} says `, h("b", { id: "prediction" }, String(peek.prediction)), ` for ${spoken(game, x)}. `,
        peek.left[1 - peek.prediction] ? `Say ${1 - peek.prediction} and it is a mistake.` : `You cannot call that wrong: every target that is left says ${peek.prediction}.`),
      choice("the label is", [gain(0), gain(1)], say, peek.left.map((left) => (left ? null : "would be a lie"))),
      trouble ? h("p", { class: "error", role: "alert", id: "refusal" }, trouble) : "");
    totals.replaceChildren(...(last ? ledger(last).flat().filter(Boolean) : [h("h2", {}, "Ledger"), h("p", { class: "quiet" }, "Nothing has been said yet.")]),
      h("p", { class: "note" }, `Any learner can be made to err opt(C) = `, h("b", { id: "opt" }, String(game.opt)), ` times here. From now on you can force at least `, h("b", { id: "still" }, String(game.still)), ` more.`));
    set.replaceChildren(...concepts(game.concepts, game.alive));
    log.replaceChildren(h("h2", {}, "What you said"), frames.length ? h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["", "instance", "it said", "label"].map((word) => h("th", {}, word)))),
      h("tbody", {}, frames.map((frame) => h("tr", {}, h("td", {}, String(frame.trial)), h("td", {}, spoken(game, frame.x)), h("td", {}, String(frame.prediction)), h("td", {}, `${frame.label}${frame.mistake ? " ✗" : ""}`)))))) : h("p", { class: "quiet" }, "Your labels will be listed here."));
  }

  const focus = (j) => board.querySelector(game.n === null ? ".line [aria-pressed='true']" : `.switches > :nth-child(${j + 1})`)?.focus();
  await begin();
}
