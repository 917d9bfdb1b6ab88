// What the games of the arena show: switches with their weights, points on a line, the two answers, the ledger.

import { digits, h, percent, plural } from "./ui.js";

const NAMES = ["zero", "one"];

/** An instance: a row of switches, or points on a line.  `toggle(j)` makes it something to choose. */
export function instance(game, x, { weights = null, before = null, relevant = [], toggle = null } = {}) {
  if (game.n === null) return line(game, x, toggle);
  const largest = Math.max(1e-9, ...(weights ?? []).map((w) => Math.abs(w ?? 0)));
  const cells = x.map((on, j) => {
    const weight = weights?.[j];
    const moved = before && before[j] !== weight;
    const inside = [
      weights && h("span", { class: "bar" }, h("i", {
        class: weight < 0 ? "minus" : "", style: { height: `${Math.max(weight ? 3 : 0, (100 * Math.abs(weight ?? 0)) / largest)}%` },
      })),
      weights && h("span", { class: "weight" }, h("span", { class: "sr" }, "weight "), digits(weight)),
      h("span", { class: "bulb" }), h("span", { class: "name" }, toggle && h("span", { class: "sr" }, "switch "), `x${j + 1}`),
    ];
    const kind = `switch${on ? " on" : ""}${relevant.includes(j + 1) ? " relevant" : ""}${moved ? " moved" : ""}`;
    if (toggle) return h("button", { type: "button", class: kind, "aria-pressed": String(Boolean(on)), onclick: () => toggle(j) }, inside);
    return h("div", { class: kind }, inside);
  });
  const words = spoken(game, x);
  return h("div", { class: `switches${x.length > 16 ? " many" : ""}`, role: toggle ? "group" : "img", "aria-label": toggle ? "Choose which switches are on" : words }, cells);
}

function line(game, x, toggle) {
  return h("div", { class: "line", role: toggle ? "group" : "img", "aria-label": toggle ? "Choose a point" : spoken(game, x) },
    game.points.map((point) => (toggle
      ? h("button", { type: "button", class: point === x[0] ? "on" : "", "aria-pressed": String(point === x[0]), onclick: () => toggle(point) }, String(point))
      : h("span", { class: point === x[0] ? "on" : "" }, String(point)))));
}

/** An instance in words. */
export function spoken(game, x) {
  if (game.n === null) return `the point ${x[0]}`;
  const on = x.flatMap((bit, j) => (bit ? [`x${j + 1}`] : []));
  return on.length ? `on: ${on.join(", ")}` : "all switches are off";
}

/** An instance in few characters. */
export const brief = (game, x) => (game.n === null ? `${x[0]}` : game.n > 12 ? spoken(game, x) : x.join(""));

/** The learner's answer beside the label. */
export function answers(prediction, label) {
  const right = prediction === label;
  return h("div", { class: "verdict" },
    h("div", { class: `said ${NAMES[prediction]}` }, h("small", {}, "the learner said"), h("b", {}, String(prediction))),
    h("div", { class: `mark pop ${right ? "right" : "wrong"}`, role: "img", "aria-label": right ? "right" : "a mistake" }, right ? "✓" : "✗"),
    h("div", { class: `said ${NAMES[label]}` }, h("small", {}, "the label is"), h("b", {}, String(label))));
}

/** Two large buttons, 0 and 1; `more[label]` is said below, `refused[label]` why it cannot be. */
export function choice(words, more, choose, refused = [null, null]) {
  return h("div", { class: "choice", role: "group", "aria-label": words }, [0, 1].map((label) => h("button", {
    type: "button", class: NAMES[label], id: `answer-${label}`, "aria-disabled": refused[label] ? "true" : null,
    onclick: () => choose(label),
  }, h("small", {}, words), h("b", {}, String(label)), h("small", {}, refused[label] ?? more[label]))));
}

/** Mistakes, bound, certificate and verdict after a trial. */
export function ledger(frame) {
  const { mistakes, bound, certificate, verdict } = frame;
  const bad = verdict === "refuted" || verdict === "inconsistent";
  const share = bound ? Math.min(1, mistakes / bound) : 0;
  return [
    h("div", { class: "row spread" }, h("h2", {}, "Ledger"), h("span", { class: `badge ${verdict.replace(" ", "-")}`, id: "verdict" }, verdict)),
    h("div", { class: "count" }, h("b", { id: "mistakes" }, String(mistakes)), h("span", {}, `mistake${mistakes === 1 ? "" : "s"} in `, h("span", { id: "trials" }, String(frame.trial)), ` trial${frame.trial === 1 ? "" : "s"}`)),
    bound === null ? h("p", { class: "quiet" }, "No theorem bounds them here.") : [
      h("p", { class: "count" }, h("span", { class: "of" }, "at most ", h("span", { id: "bound" }, String(bound)), " ever, says the theorem")),
      h("div", { class: `meter${bad ? " refuted" : ""}`, role: "img", "aria-label": `${mistakes} of at most ${bound}` }, h("i", { style: { width: `${100 * share}%` } })),
    ],
    h("p", { class: "words" }, frame.bound_words),
    certificate && [
      h("h3", {}, `Chance of a mistake so far: ${percent(certificate[0])} to ${percent(certificate[1])}`),
      h("div", { class: "span", role: "img", "aria-label": "certificate, valid at all times with 95 %" }, h("i", { style: { left: `${100 * certificate[0]}%`, width: `${Math.max(0.5, 100 * (certificate[1] - certificate[0]))}%` } })),
      h("small", {}, "Holds at all times together, in 95 of 100 games; it assumes nothing about the target."),
    ],
  ];
}

/** The concepts of a class; those that are gone are struck out. */
export function concepts(names, alive) {
  const left = new Set(alive);
  const order = names.map((_, c) => c).sort((a, b) => left.has(b) - left.has(a) || a - b);
  return [
    h("div", { class: "row spread" }, h("h2", {}, "Targets that are still possible"), h("span", { class: "badge", id: "left" }, `${left.size} of ${names.length}`)),
    h("div", { class: "chips", tabindex: 0, role: "list", "aria-label": `${plural(left.size, "target")} of ${names.length} still possible` }, order.map((c) => h("span", { class: `chip${left.has(c) ? "" : " gone"}`, role: "listitem" }, names[c]))),
  ];
}
