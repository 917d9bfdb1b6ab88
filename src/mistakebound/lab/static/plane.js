// A plane with points that can be dragged, moved by arrow keys, added and removed; and what is drawn on it.

import { h, s } from "./ui.js";

export const EDGE = 1.5; // the plane reaches from -EDGE to EDGE
const SIZE = 420;
const STEP = 0.05;
const px = (value) => (SIZE * (value + EDGE)) / (2 * EDGE);
const py = (value) => SIZE - px(value);
const tidy = (value) => Math.round(Math.max(-EDGE, Math.min(EDGE, value)) * 100) / 100;
export const letter = (place) => String.fromCharCode(65 + (place % 26)) + (place > 25 ? Math.floor(place / 26) : "");

/** The part of the plane where w.x + b > 0, as the corners of a polygon. */
function side({ w, b }) {
  const corners = [[-EDGE, -EDGE], [EDGE, -EDGE], [EDGE, EDGE], [-EDGE, EDGE]];
  const value = ([x, y]) => w[0] * x + w[1] * y + b;
  return corners.flatMap((corner, i) => {
    const next = corners[(i + 1) % 4];
    const [here, there] = [value(corner), value(next)];
    const kept = here > 0 ? [corner] : [];
    if ((here > 0) !== (there > 0)) {
      const share = here / (here - there);
      kept.push([corner[0] + share * (next[0] - corner[0]), corner[1] + share * (next[1] - corner[1])]);
    }
    return kept;
  });
}

/** Where a line meets the edges of the plane. */
function ends({ w, b }) {
  const cuts = [];
  for (const edge of [-EDGE, EDGE]) {
    if (Math.abs(w[1]) > 1e-12) { const y = (-b - w[0] * edge) / w[1]; if (Math.abs(y) <= EDGE + 1e-9) cuts.push([edge, y]); }
    if (Math.abs(w[0]) > 1e-12) { const x = (-b - w[1] * edge) / w[0]; if (Math.abs(x) <= EDGE + 1e-9) cuts.push([x, edge]); }
  }
  return cuts.length >= 2 ? [cuts[0], cuts.reduce((far, cut) => (Math.hypot(cut[0] - cuts[0][0], cut[1] - cuts[0][1]) > Math.hypot(far[0] - cuts[0][0], far[1] - cuts[0][1]) ? cut : far))] : null;
}

export const halfPlane = (line, name = "half") => s("polygon", { class: name, points: side(line).map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(" ") });

export function lineAt(line, name = "boundary") {
  const found = ends(line);
  return found && s("line", { class: name, x1: px(found[0][0]), y1: py(found[0][1]), x2: px(found[1][0]), y2: py(found[1][1]) });
}

/** The arrow of w, from the point of the line that is nearest to the middle. */
export function arrow({ w, b }) {
  const length = Math.hypot(...w);
  if (!length) return null;
  const foot = [(-b * w[0]) / length ** 2, (-b * w[1]) / length ** 2];
  const tip = [foot[0] + (0.45 * w[0]) / length, foot[1] + (0.45 * w[1]) / length];
  const turn = (Math.atan2(-w[1], w[0]) * 180) / Math.PI;
  return s("g", { class: "w-arrow" }, s("line", { x1: px(foot[0]), y1: py(foot[1]), x2: px(tip[0]), y2: py(tip[1]) }),
    s("path", { d: "M0,0L-11,-6L-11,6Z", transform: `translate(${px(tip[0])},${py(tip[1])}) rotate(${turn})` }), s("text", { x: px(tip[0]) + 8, y: py(tip[1]) - 6 }, "w"));
}

export const cross = ([x, y]) => s("path", { class: "meeting", d: `M${px(x) - 9},${py(y) - 9}l18,18m0,-18l-18,18` });

export function shape(kind, of) {
  if (kind === "lines") return halfPlane({ w: of.w, b: -of.theta });
  if (kind === "circles") return s("circle", { class: "half region", cx: px(of.centre[0]), cy: py(of.centre[1]), r: (SIZE * Math.sqrt(Math.max(of.square, 0.002))) / (2 * EDGE) });
  if (of.low[0] > of.high[0] || of.low[1] > of.high[1]) return null; // the empty rectangle
  return s("rect", { class: "half region", x: px(of.low[0]) - 7, y: py(of.high[1]) - 7, width: px(of.high[0]) - px(of.low[0]) + 14, height: py(of.low[1]) - py(of.high[1]) + 14 });
}

function mark(label, ring) {
  const parts = label === 1 ? [s("circle", { r: 9 })] : label === 0 ? [s("rect", { x: -8, y: -8, width: 16, height: 16, rx: 2 })] : [s("circle", { r: 8 })];
  return ring ? [s("circle", { class: "ring", r: 16 }), ...parts] : parts;
}

/** Points that are only shown. */
export const dots = (points, labels, scale = 1) => points.map(([x, y], i) => s("g", { class: `point label-${labels[i]}`, transform: `translate(${px(x)},${py(y)}) scale(${scale})` }, mark(labels[i])));

export const frame = (words, ...inside) => s("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "plane", role: "img", "aria-label": words }, s("rect", { class: "ground", width: SIZE, height: SIZE }), inside);

/** The plane; `points` are [x, y, label] or [x, y].  `changed(points)` hears of what was moved, added or removed. */
export function plane({ points, changed, most = 40, fresh = () => 1, words }) {
  const back = s("g", {});
  const front = s("g", {});
  const axes = [s("line", { class: "axis-line", x1: 0, y1: SIZE / 2, x2: SIZE, y2: SIZE / 2 }), s("line", { class: "axis-line", x1: SIZE / 2, y1: 0, x2: SIZE / 2, y2: SIZE })];
  const drawing = s("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "plane live", role: "group", "aria-label": words }, s("rect", { class: "ground", width: SIZE, height: SIZE }), back, axes, front);
  let [wrong, hot, dragged] = [[], null, null];

  const place = (event) => {
    const box = drawing.getBoundingClientRect();
    return [tidy(((event.clientX - box.left) / box.width) * 2 * EDGE - EDGE), tidy(EDGE - ((event.clientY - box.top) / box.height) * 2 * EDGE)];
  };
  const labelled = () => points.every((point) => point.length === 3);

  function draw(focus = null) {
    front.replaceChildren(...points.map(([x, y, label], i) => s("g", {
      class: `point label-${label ?? "none"}${wrong.includes(i) ? " wrong" : ""}${hot === i ? " hot" : ""}`, transform: `translate(${px(x)},${py(y)})`, tabindex: 0, role: "button", "data-point": i,
      "aria-label": `point ${letter(i)} at ${x}, ${y}${label === undefined ? "" : `, label ${label}`}${wrong.includes(i) ? ", on the wrong side" : ""}`,
      onkeydown: (event) => key(event, i), onpointerdown: (event) => { event.stopPropagation(); dragged = { i, moved: false }; drawing.setPointerCapture(event.pointerId); },
    }, mark(label, wrong.includes(i) || hot === i), s("text", { x: 0, y: 4, "text-anchor": "middle", class: "letter" }, letter(i)))));
    if (focus !== null) front.querySelector(`[data-point="${focus}"]`)?.focus();
  }

  function key(event, i) {
    const move = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] }[event.key];
    if (move) points = points.map((point, j) => (j === i ? [tidy(point[0] + move[0]), tidy(point[1] + move[1]), ...point.slice(2)] : point));
    else if (event.key === "Delete" || event.key === "Backspace") points = points.filter((_, j) => j !== i);
    else if ((event.key === "Enter" || event.key === " ") && labelled()) points = points.map((point, j) => (j === i ? [point[0], point[1], 1 - point[2]] : point));
    else return;
    event.preventDefault();
    event.stopPropagation();
    wrong = [];
    draw(Math.min(i, points.length - 1));
    changed(points);
  }

  drawing.addEventListener("pointerdown", (event) => { if (points.length < most) add(place(event)); });
  drawing.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const [x, y] = place(event);
    const point = points[dragged.i];
    if (x === point[0] && y === point[1]) return;
    dragged.moved = true;
    points = points.map((of, j) => (j === dragged.i ? [x, y, ...of.slice(2)] : of));
    draw();
  });
  drawing.addEventListener("pointerup", () => {
    if (!dragged) return;
    const { i, moved } = dragged;
    dragged = null;
    if (!moved && labelled()) points = points.map((point, j) => (j === i ? [point[0], point[1], 1 - point[2]] : point));
    draw();
    changed(points);
  });

  function add([x, y] = [0, 0]) {
    const label = fresh();
    points = [...points, label === null ? [x, y] : [x, y, label]];
    draw();
    changed(points);
  }

  draw();
  return {
    element: drawing, add: () => { if (points.length < most) { add([tidy(0.13 * points.length - 0.6), tidy(0.2 - 0.11 * points.length)]); draw(points.length - 1); } },
    background(...parts) { back.replaceChildren(...parts.flat(Infinity).filter(Boolean)); },
    mark(places, now = null) { wrong = places; hot = now; if (!dragged) { const held = document.activeElement?.dataset?.point; draw(held === undefined ? null : Number(held)); } },
    set(other) { points = other; wrong = []; hot = null; draw(); },
    points: () => points,
  };
}

/** Points in the address: -0.5,0.2,1;… */
export const written = (points) => points.map((point) => point.join(",")).join(";");
export function read(text, width) {
  const points = (text ?? "").split(";").map((point) => point.split(",").map(Number));
  return points.length && points.length <= 40 && points.every((point) => point.length === width && point.every(Number.isFinite) && Math.abs(point[0]) <= EDGE && Math.abs(point[1]) <= EDGE && (width < 3 || point[2] === 0 || point[2] === 1)) ? points : null;
}

/** Which points a new one is like. */
export function brush(change) {
  let label = 1;
  const group = h("div", { class: "tabs", role: "group", "aria-label": "Label of a new point" });
  const draw = () => group.replaceChildren(...[1, 0].map((of) => h("button", { type: "button", "aria-pressed": String(of === label), onclick: () => { label = of; draw(); change?.(of); } }, of ? "● new points are 1" : "■ new points are 0")));
  draw();
  return { element: group, label: () => label };
}
