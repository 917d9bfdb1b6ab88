// The perceptron in the plane: its line after every update, and a line that you move yourself.

import { ask, newest } from "./engine.js";
import { exportMenu, standalone } from "./export.js";
import { arrow, brush, cross, halfPlane, letter, lineAt, plane, read, written } from "./plane.js";
import { announce, digits, h, plural, still } from "./ui.js";

const READY = {
  "Easy": [[-0.9, -0.3, 0], [-0.5, -0.9, 0], [-0.2, -0.4, 0], [-1.1, 0.4, 0], [0.4, 0.7, 1], [0.9, 0.2, 1], [0.2, 1.1, 1], [1, -0.5, 1]],
  "Narrow": [[-0.8, -0.6, 0], [-0.2, -0.05, 0], [0.5, 0.6, 0], [1, 1.1, 0], [-0.7, -0.2, 1], [0, 0.45, 1], [0.4, 0.85, 1], [-1.1, -0.8, 1]],
  "XOR": [[-0.8, -0.8, 0], [0.8, 0.8, 0], [-0.8, 0.8, 1], [0.8, -0.8, 1]],
};
const GAP = 900;

export async function open(place, settings, save, show) {
  let points = read(settings.get("points"), 3) ?? READY.Easy;
  let [found, now, timer, own, frameOf, session, learned, moves] = [null, 0, null, null, null, null, null, 0];
  const [latest, pen] = [newest(), brush()];
  const board = plane({ points, changed: (moved) => { points = moved; own = null; learn(); }, fresh: pen.label, words: "Plane with points; arrow keys move a point, Enter changes its label, Delete removes it" });
  const story = h("p", { class: "story", id: "story" });
  const facts = h("section", { class: "card", "aria-label": "What came of it" });
  const play = h("button", { type: "button", class: "primary", onclick: () => (timer ? pause() : start()) }, "▶ Play");
  const controls = h("div", { class: "row" }, h("button", { type: "button", onclick: () => { pause(); go(now - 1); } }, "◀ Back"), play, h("button", { type: "button", onclick: () => { pause(); go(now + 1); } }, "Step ▶"), h("button", { type: "button", onclick: () => { pause(); go(Infinity); } }, "To the end"));
  const turn = h("input", { type: "range", min: 0, max: 360, step: 1, value: 45, "aria-label": "Turn w (degrees)", oninput: () => mine() });
  const shift = h("input", { type: "range", min: -1.5, max: 1.5, step: 0.01, value: 0, "aria-label": "Shift the line (theta)", oninput: () => mine() });
  const verdict = h("p", { id: "own" }, "w turns the line, θ shifts it.");
  place.append(h("div", { class: "stage even" },
    h("section", { class: "card", "aria-label": "Plane" }, h("div", { class: "row spread" }, pen.element, exportMenu("line", { python: () => python(), json: () => ({ points, ...found }), svg: () => standalone(board.element) })), h("div", { class: "drawing square" }, board.element),
      h("div", { class: "row" }, Object.keys(READY).map((name) => h("button", { type: "button", onclick: () => { points = READY[name]; board.set(points); own = null; learn(); } }, name)), h("button", { type: "button", onclick: () => board.add() }, "Add a point"))),
    h("div", { class: "stack" }, h("section", { class: "card", "aria-label": "The perceptron" }, h("h2", {}, "The perceptron"), story, controls), facts,
      h("section", { class: "card", "aria-label": "Move the line yourself" }, h("h2", {}, "Move the line yourself"), h("label", { class: "slider" }, "turn w ", turn), h("label", { class: "slider" }, "shift θ ", shift), verdict))));

  const learn = () => (learned = relearn());

  async function relearn() {
    pause();
    save({ points: written(points) });
    try {
      const answer = await latest(ask("plane", "start", { points }));
      if (!answer) return;
      found = answer;
    } catch (error) {
      story.textContent = error.message;
      return;
    }
    ({ session } = found);
    now = 0;
    tell();
    paint(null, null);
    if (still()) go(Infinity); else start();
  }

  const line = (number) => (number > 0 ? found.frames[number - 1] : { w: [0, 0], b: 0 });

  function paint(shown, old) {
    const { separable } = found;
    board.background(shown && halfPlane(shown), old && lineAt(old, "boundary old"), shown && lineAt(shown), shown && arrow(shown), separable.point && cross(separable.point));
  }

  /** To another update; between two neighbours the line is seen to turn and to shift. */
  function go(number) {
    cancelAnimationFrame(frameOf);
    own = null;
    const to = Math.max(0, Math.min(number, found.frames.length));
    const [from, before] = [now, line(now)];
    now = to;
    const after = line(to);
    board.mark([], to ? found.frames[to - 1].point : null);
    tell();
    if (!to || Math.abs(to - from) !== 1 || !Math.hypot(...before.w) || still()) return paint(to ? after : null, to > 1 ? line(to - 1) : null);
    const [begun, polar] = [performance.now(), (of) => { const size = Math.hypot(...of.w); return { angle: Math.atan2(of.w[1], of.w[0]), shift: of.b / size }; }];
    const [a, b] = [polar(before), polar(after)];
    const way = ((b.angle - a.angle + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    const tick = () => {
      const share = Math.min(1, (performance.now() - begun) / 500);
      const angle = a.angle + way * share;
      paint({ w: [Math.cos(angle), Math.sin(angle)], b: a.shift + (b.shift - a.shift) * share }, before);
      if (share < 1) frameOf = requestAnimationFrame(tick);
    };
    tick();
  }

  function tell() {
    const { frames, separable, clean, mistakes, bound, passes } = found;
    if (!points.length) story.textContent = "Click into the plane to add a point.";
    else if (!frames.length) story.textContent = "It has nothing to learn: no point was a mistake.";
    else if (!now) story.textContent = "w and θ begin at 0: it says 0 everywhere.";
    else {
      const [to, from] = [line(now), line(now - 1)];
      const angle = (of) => (Math.atan2(of.w[1], of.w[0]) * 180) / Math.PI;
      const turned = Math.hypot(...from.w) && Math.hypot(...to.w) ? Math.abs(((angle(to) - angle(from) + 540) % 360) - 180) : null;
      story.textContent = `Mistake ${to.mistakes}, pass ${to.pass}: point ${letter(to.point)} was on the wrong side. ${!Math.hypot(...to.w) ? "w becomes 0" : turned === null ? "w gets a direction" : `w rotates by ${turned.toFixed(0)}°`}, θ goes from ${digits(-from.b)} to ${digits(-to.b)}.${now === frames.length ? (clean ? " After that no point is wrong: it stays." : " It would go on for ever.") : ""}`;
      if (!timer) announce(story.textContent);
    }
    facts.replaceChildren(h("div", { class: "row spread" }, h("h2", {}, "What came of it"), separable.separable === null ? "" : h("span", { class: `badge ${separable.separable ? "within" : "refuted"}`, id: "separable" }, separable.separable ? "a line exists" : "no line exists")),
      h("div", { class: "count" }, h("b", { id: "mistakes" }, String(mistakes)), h("span", {}, `mistake${mistakes === 1 ? "" : "s"} in `, h("span", { id: "passes" }, String(passes)), ` pass${passes === 1 ? "" : "es"} over ${plural(points.length, "point")}`)),
      bound === null ? "" : h("p", { class: "count" }, h("span", { class: "of" }, "at most ", h("span", { id: "bound" }, String(bound)), ": (R/margin)², Novikoff")),
      separable.margin ? h("p", { class: "words" }, `margin ${digits(separable.margin)} of a separating line`) : "",
      ...(separable.point ? [h("p", {}, `The cross lies between points of both labels: at (${separable.point.map((of) => digits(of)).join(", ")}) the hulls of the two classes meet, so no line can part them.`), h("button", { type: "button", onclick: () => show("network", new URLSearchParams({ points: written(points) })) }, "Try a network")] : []));
  }

  async function mine() {
    pause();
    cancelAnimationFrame(frameOf);
    const angle = (Number(turn.value) * Math.PI) / 180;
    const asked = { w: [Math.cos(angle), Math.sin(angle)], theta: Number(shift.value) };
    const move = ++moves;
    paint({ w: asked.w, b: -asked.theta }, null);
    for (let heard = null; heard !== learned; ) await (heard = learned); // the points may just have changed
    if (move !== moves) return;
    pause();
    own = asked;
    paint({ w: own.w, b: -own.theta }, null);
    let wrong;
    try {
      ({ wrong } = await ask("plane", "line", { session, ...own }));
    } catch (error) {
      if (!error.expired) throw error;
      ({ session } = await ask("plane", "start", { points })); // the engine has forgotten the game: the same again
      ({ wrong } = await ask("plane", "line", { session, ...own }));
    }
    if (own !== asked) return;
    board.mark(wrong);
    verdict.textContent = wrong.length ? `${plural(wrong.length, "point")} on the wrong side: ${wrong.map(letter).join(", ")}.` : "Every point is on its side.";
  }

  function start() {
    if (!found.frames.length) return;
    if (now >= found.frames.length) now = 0;
    play.textContent = "❚❚ Pause";
    const tick = () => { go(now + 1); if (now < found.frames.length && now < 60) timer = setTimeout(tick, GAP); else pause(); };
    timer = setTimeout(tick, 300);
  }

  function pause() {
    clearTimeout(timer);
    timer = null;
    play.textContent = "▶ Play";
  }

  const python = () => `import mistakebound as mb\n\nexamples = [${points.map(([x, y, label]) => `([${x}, ${y}], ${label})`).join(", ")}]\nlearner = mb.Perceptron(labels=(0, 1))\nprint(mb.arena.play_passes(learner, examples, max_passes=100))\nprint(learner.hypothesis)\nprint(mb.theory.linearly_separable([x for x, _ in examples], [y for _, y in examples]))\n`;
  await learn();
  return () => { pause(); cancelAnimationFrame(frameOf); };
}
