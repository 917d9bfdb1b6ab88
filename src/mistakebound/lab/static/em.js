// EM for the means of clusters on a line, step by step.

import { curve } from "./curve.js";
import { ask, newest } from "./engine.js";
import { exportMenu, standalone } from "./export.js";
import { announce, colour, digits, h, keepFocus, plural, s, select, still, whole } from "./ui.js";

const COLOURS = ["a", "b", "c", "d"];

export async function open(place, settings, save) {
  const state = { k: ["2", "3", "4"].includes(settings.get("k")) ? settings.get("k") : "3", spread: ["0.5", "0.8", "1.3"].includes(settings.get("spread")) ? settings.get("spread") : "0.8", seed: whole(settings.get("seed"), 3) };
  const latest = newest();
  let [found, now, timer, chart] = [null, 0, null, null];
  const seed = h("input", { class: "pick", type: "number", min: 0, max: 999999, value: state.seed, "aria-label": "Seed", onchange: () => begin({ seed: whole(seed.value, 1) }) });
  const picture = h("section", { class: "card", "aria-label": "Points and means" });
  const facts = h("section", { class: "card", "aria-label": "Likelihood" });
  place.append(h("div", { class: "sentence" }, "Points from ", select("Clusters", [["2", "2 clusters"], ["3", "3 clusters"], ["4", "4 clusters"]], state.k, (k) => begin({ k })), ", ", select("Spread", [["0.5", "far apart"], ["0.8", "near each other"], ["1.3", "overlapping"]], state.spread, (spread) => begin({ spread })), ". Seed ", seed), h("div", { class: "stage" }, picture, facts));

  async function begin(changes = {}) {
    Object.assign(state, changes);
    clearTimeout(timer);
    save(state);
    const answer = await latest(ask("bayes", "mixture", { k: Number(state.k), spread: Number(state.spread), seed: state.seed }));
    if (!answer) return;
    [found, now] = [answer, 0];
    chart?.close();
    facts.replaceChildren(h("h2", {}, "Log-likelihood of the points"), h("p", { id: "story" }), h("small", {}, "Theorem: no step lowers it (Dempster, Laird and Rubin 1977)."));
    const least = Math.min(...found.steps.map((step) => step.log_likelihood));
    lines[0].values = [];
    chart = curve(facts, { lines, from: 0, words: "log-likelihood against steps", across: "steps", up: "above the start", height: 220 });
    lines[0].all = found.steps.map((step) => step.log_likelihood - least);
    render();
    if (!still()) timer = setTimeout(forward, 1100);
  }
  const lines = [{ label: "log-likelihood", values: [], colour: "c" }];

  function forward() {
    if (now < found.steps.length - 1) { now += 1; render(); timer = setTimeout(forward, 900); }
  }
  const go = (to) => { clearTimeout(timer); now = Math.max(0, Math.min(to, found.steps.length - 1)); render(); announce(document.getElementById("story").textContent); };

  function render() {
    const step = found.steps[now];
    const drawing = drawn(step);
    keepFocus(() => picture.replaceChildren(h("div", { class: "row spread" }, h("h2", {}, now ? `After step ${now}` : "The start"), exportMenu("em", { python: () => python(), json: () => found, svg: () => standalone(drawing) })), h("div", { class: "drawing" }, drawing),
      h("div", { class: "row" }, h("button", { type: "button", id: "em-back", disabled: !now, onclick: () => go(now - 1) }, "◀ Back"), h("button", { type: "button", class: "primary", id: "em-step", disabled: now === found.steps.length - 1, onclick: () => go(now + 1) }, "Step ▶"), h("button", { type: "button", id: "em-end", onclick: () => go(Infinity) }, "To the end")),
      h("p", { class: "words", id: "means" }, `means ${step.means.map((mean) => digits(mean, 5)).join(", ")}`), h("small", {}, "The colour of a point is the mean that probably made it; mixed colours are doubt.")));
    lines[0].values = lines[0].all.slice(0, now + 1);
    chart.update();
    const rise = now ? step.log_likelihood - found.steps[now - 1].log_likelihood : 0;
    document.getElementById("story").textContent = now === 0 ? `It starts with ${plural(step.means.length, "point")} drawn at random as means.` : `Each point is shared among the means; each mean moves to the middle of its shares. The log-likelihood is ${digits(step.log_likelihood, 5)}, ${digits(rise)} more than before.${now === found.steps.length - 1 ? ` It stops: ${found.stopped}.` : ""}`;
  }

  function drawn(step) {
    const [wide, tall] = [640, 230];
    const [low, high] = [Math.min(...found.points) - 0.8, Math.max(...found.points) + 0.8];
    const x = (value) => (wide * (value - low)) / (high - low);
    const deviation = Math.sqrt(found.variance);
    const blend = (shares) => `color-mix(in srgb, ${colour(COLOURS[shares.indexOf(Math.max(...shares))])} ${Math.round(100 * Math.max(...shares))}%, ${colour(COLOURS[shares.indexOf([...shares].sort((a, b) => b - a)[1])])})`;
    const bell = (mean) => Array.from({ length: 81 }, (_, i) => { const at = mean + deviation * (i / 10 - 4); return `${x(at).toFixed(1)},${(tall - 60 - 110 * Math.exp(-((at - mean) ** 2) / (2 * found.variance))).toFixed(1)}`; }).join(" ");
    return s("svg", { viewBox: `0 0 ${wide} ${tall}`, class: "mixture", role: "img", "aria-label": `${found.points.length} points, means at ${step.means.map((mean) => digits(mean)).join(", ")}` },
      step.means.map((mean, j) => [s("polyline", { class: `bell ${COLOURS[j]}`, points: bell(mean) }), s("line", { class: `mean ${COLOURS[j]}`, x1: x(mean), x2: x(mean), y1: tall - 172, y2: tall - 40 })]),
      s("line", { class: "axis-line", x1: 0, x2: wide, y1: tall - 40, y2: tall - 40 }),
      found.points.map((point, i) => s("circle", { cx: x(point), cy: tall - 26 + ((i * 7) % 4) * 4, r: 6, style: { fill: blend(step.shares[i]) } })));
  }

  const python = () => `import mistakebound as mb\n\npoints = ${JSON.stringify(found.points)}\nlearner = mb.learners.GaussianMeans(k=${state.k}, variance=${found.variance}, max_iter=40, tol=1e-4).fit(points, start=${JSON.stringify(found.steps[0].means.map((mean) => [mean]))})\nprint(learner.way[:, :, 0])\nprint(learner.log_likelihoods)\n`;
  await begin();
  return () => { clearTimeout(timer); chart?.close(); };
}
