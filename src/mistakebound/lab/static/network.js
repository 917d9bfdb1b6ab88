// A network of one hidden layer on points of the plane: what it says everywhere, epoch after epoch.

import { curve } from "./curve.js";
import { ask, newest } from "./engine.js";
import { exportMenu, standalone } from "./export.js";
import { brush, EDGE, letter, lineAt, plane, read, written } from "./plane.js";
import { announce, digits, h, plural, s, select, still, whole } from "./ui.js";

const READY = {
  "XOR": [[-0.8, -0.8, 0], [0.8, 0.8, 0], [-0.8, 0.8, 1], [0.8, -0.8, 1]],
  "Ring": [[0, 0, 1], [0.25, 0.15, 1], [-0.2, 0.25, 1], [0.1, -0.3, 1], ...Array.from({ length: 9 }, (_, i) => [Math.round(100 * Math.cos(i * 0.698)) / 100, Math.round(100 * Math.sin(i * 0.698)) / 100, 0])],
  "Stripes": [[-1.1, 0.3, 1], [-1, -0.6, 1], [-0.35, 0.6, 0], [-0.3, -0.4, 0], [0.35, 0.3, 1], [0.4, -0.7, 1], [1.1, 0.5, 0], [1, -0.3, 0]],
};
const FIELD = 420;

export async function open(place, settings, save) {
  let points = read(settings.get("points"), 3) ?? READY.XOR;
  let [hidden, seed] = [Math.min(8, Math.max(1, whole(settings.get("hidden"), 3))), whole(settings.get("seed"), 1)];
  const latest = newest();
  let [game, last, timer, going, closed] = [null, null, null, false, false];
  const pen = brush();
  const cells = s("g", { class: "field" });
  const bends = s("g", {});
  const board = plane({ points, changed: (moved) => { points = moved; begin(going); }, fresh: pen.label, words: "Plane with points; arrow keys move a point, Enter changes its label, Delete removes it" });
  const story = h("p", { class: "story", id: "story" });
  const play = h("button", { type: "button", class: "primary", id: "train", onclick: () => (going ? pause() : start()) }, "▶ Train");
  const graph = h("section", { class: "card", "aria-label": "Loss" }, h("h2", {}, "Loss against epochs (in steps of 20)"));
  const losses = [{ label: "loss", values: [], colour: "zero" }];
  const numbers = h("div", { class: "count" });
  place.append(h("div", { class: "sentence" }, "A network with ", select("Hidden units", Array.from({ length: 8 }, (_, i) => [String(i + 1), plural(i + 1, "hidden unit")]), hidden, (value) => { hidden = Number(value); begin(true); }), ", started with seed ", seedField(), "."),
    h("div", { class: "stage even" },
      h("section", { class: "card", "aria-label": "Plane" }, h("div", { class: "row spread" }, pen.element, exportMenu("network", { python: () => python(), json: () => ({ points, hidden, seed, ...last }), svg: () => standalone(board.element) })), h("div", { class: "drawing square" }, board.element),
        h("div", { class: "row" }, Object.keys(READY).map((name) => h("button", { type: "button", onclick: () => { points = READY[name]; board.set(points); begin(true); } }, name)), h("button", { type: "button", onclick: () => board.add() }, "Add a point"))),
      h("div", { class: "stack" }, h("section", { class: "card", "aria-label": "Training" }, h("h2", {}, "Backpropagation"), numbers, story,
        h("div", { class: "row" }, play, h("button", { type: "button", id: "step", onclick: () => { pause(); step(); } }, "20 epochs ▶"), h("button", { type: "button", onclick: () => begin(false) }, "Start again")),
        h("small", {}, "Blue is where it says 1, orange where it says 0. Dashed lines are those of the hidden units.")), graph)));
  const chart = curve(graph, { lines: losses, words: "loss against epochs", across: "steps", up: "loss", height: 190 });

  function seedField() {
    const field = h("input", { class: "pick", type: "number", min: 0, max: 999999, value: seed, "aria-label": "Seed", onchange: () => { seed = whole(field.value, 1); begin(true); } });
    return field;
  }

  async function begin(again) {
    pause();
    save({ points: written(points), hidden, seed });
    losses[0].values = [];
    last = null;
    board.background();
    board.mark([]);
    try {
      const answer = await latest(ask("net", "start", { points, hidden, seed, low: -EDGE, high: EDGE }));
      if (!answer) return;
      game = answer;
    } catch (error) {
      game = null;
      story.textContent = error.message;
      return;
    }
    cells.replaceChildren(...Array.from({ length: game.grid ** 2 }, (_, i) => s("rect", { x: (FIELD / game.grid) * (i % game.grid), y: FIELD - (FIELD / game.grid) * (Math.floor(i / game.grid) + 1), width: FIELD / game.grid, height: FIELD / game.grid })));
    board.background(cells, bends);
    await step();
    if (again && !closed) start();
  }

  async function step() {
    if (!game || closed) return;
    const mine = game;
    let answer;
    try {
      answer = await ask("net", "train", { session: game.session, epochs: 20 });
    } catch (error) {
      pause();
      if (error.expired) return begin(false);
      story.textContent = error.message;
      return;
    }
    if (closed || mine !== game) return;
    last = answer;
    [...cells.children].forEach((cell, i) => {
      const value = last.field[i];
      cell.setAttribute("class", value > 0.5 ? "says-1" : "says-0");
      cell.setAttribute("opacity", (Math.abs(value - 0.5) * 1.5).toFixed(2));
    });
    bends.replaceChildren(...last.lines.map((line) => lineAt(line, "boundary old")).filter(Boolean));
    board.mark(last.wrong);
    losses[0].values.push(last.loss);
    chart.update();
    numbers.replaceChildren(h("b", { id: "wrong" }, String(last.wrong.length)), h("span", {}, `of ${plural(points.length, "point")} wrong after `, h("span", { id: "epochs" }, String(last.epochs)), " epochs, loss ", h("span", { id: "loss" }, digits(last.loss))));
    story.textContent = last.wrong.length ? `Still on the wrong side: ${last.wrong.map(letter).join(", ")}.${last.epochs > 1500 ? " Perhaps it sits in a local minimum: try another seed or more units." : ""}` : "Every point is right: the hidden units bend the boundary.";
    if (!last.wrong.length && going && last.loss < 0.01) { announce(`${story.textContent} ${last.epochs} epochs.`); pause(); }
  }

  function start() {
    going = true;
    play.textContent = "❚❚ Pause";
    const tick = async () => { await step(); if (going && !closed && last && last.epochs < 4000) timer = setTimeout(tick, still() ? 0 : 90); else pause(); };
    timer = setTimeout(tick, 100);
  }

  function pause() {
    clearTimeout(timer);
    going = false;
    play.textContent = "▶ Train";
  }

  const python = () => `import mistakebound as mb\n\nX = ${JSON.stringify(points.map(([x, y]) => [x, y]))}\ny = ${JSON.stringify(points.map((point) => point[2]))}\nnetwork = mb.learners.Network([2, ${hidden}, 1], eta=0.3, momentum=0.9, start=0.8, random_state=${seed}, classes=(0, 1))\nfor _ in range(${last?.epochs ?? 1000}):\n    network.learn_many(X, y)\nprint(network.predict_many(X), network.outputs(X)[:, 0])\n`;
  await begin(true);
  return () => { closed = true; pause(); chart.close(); };
}
