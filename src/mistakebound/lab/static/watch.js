// Arena, watching: step, play, back, scrub to each mistake.

import { answers, instance, ledger, spoken } from "./board.js";
import { curve } from "./curve.js";
import { ask } from "./engine.js";
import { exportMenu } from "./export.js";
import { announce, digits, h, plural, still } from "./ui.js";

const AHEAD = 24; // trials that are asked for at once
const SHOWN = 120; // trials of a game that plays by itself

export async function open(place, { state, chosen, menus, save, parts }) {
  const asked = { class: state.class, learner: state.learner, teacher: state.teacher, seed: state.seed, noise: Number(state.noise) };
  let game = await ask("watch", "start", asked);
  const frames = [];
  let [over, now, aim, timer, fetching, end] = [false, 0, 0, null, null, ""]; // aim: the trial that was asked for last

  const title = menus.learners[state.learner].title;
  const menu = exportMenu("game", {
    command: game.command ? () => game.command : null, python: game.python ? () => game.python : null,
    json: () => ({ settings: asked, target: game.target, frames: frames.slice(0, now) }), svg: () => chart.svg(),
  });
  place.append(h("div", { class: "sentence" }, parts.learners(), " against ", parts.teachers(), "; target: ", parts.classes(),
    state.teacher === "random" ? ["; flipped: ", parts.noise(), ". Game ", parts.seed()] : "."));

  const board = h("div", { class: "stack" });
  const story = h("p", { class: "story", id: "story" });
  const totals = h("section", { class: "card", "aria-label": "Ledger" });
  const refutation = h("div", {});
  const button = (words, label, key, onclick) => h("button", { type: "button", "aria-label": label, title: `${label} (${key})`, onclick }, words);
  const play = button("▶ Play", "Play", "space", () => (timer ? pause() : start()));
  play.classList.add("primary");
  const scrub = h("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": "Trial", oninput: () => { pause(); show(Number(scrub.value)); } });
  const ticks = h("div", { class: "ticks", "aria-hidden": "true" });
  const lines = [
    { label: "mistakes", values: [], colour: "zero", stepped: true }, { label: "bound", values: [], colour: "bound", dash: true },
  ];
  const controls = h("div", { class: "row" },
    button("◀ Back", "Back", "left arrow", () => { pause(); show(aim - 1); }), play,
    button("Step ▶", "Step", "right arrow", () => { pause(); show(aim + 1); }),
    button("Next ✗", "Next mistake", "m", () => { pause(); toMistake(); }));
  const graph = h("section", { class: "card", "aria-label": "Mistakes against trials" }, h("div", { class: "row spread" }, h("h2", {}, "Mistakes against trials"),
    h("small", {}, "the dashed line is the theorem's bound")));
  const hypothesis = h("p", { class: "words", id: "hypothesis" });
  place.append(h("div", { class: "stage" },
    h("div", { class: "stack" },
      h("section", { class: "card", "aria-label": "The trial" }, h("div", { class: "row spread" }, h("h2", { id: "trial" }, "Trial"), controls, menu), h("div", {}, ticks, scrub), board, story, hypothesis, game.relevant.length ? h("small", {}, "Underlined switches are the secret target: ", h("b", { id: "target" }, game.target), ".") : "",
        h("small", { class: "keys" }, h("kbd", {}, "space"), " play ", h("kbd", {}, "←"), " ", h("kbd", {}, "→"), " step ", h("kbd", {}, "m"), " next mistake")),
      refutation),
    h("div", { class: "stack" }, totals, graph)));
  const chart = curve(graph, { lines, words: "mistakes against trials, with the bound", height: 180 });

  /** Asks for the next trials. */
  async function more(count) {
    const steps = Math.min(100, Math.max(AHEAD, count - frames.length));
    let answer;
    try {
      answer = await ask("watch", "step", { session: game.session, steps });
    } catch (error) {
      if (!error.expired) throw error;
      game = { ...game, session: (await ask("watch", "start", asked)).session }; // the engine has forgotten the game: the same again
      for (let played = 0; played < frames.length; played += 100) await ask("watch", "step", { session: game.session, steps: Math.min(100, frames.length - played) });
      answer = await ask("watch", "step", { session: game.session, steps });
    }
    frames.push(...answer.frames);
    over = answer.over;
    if (answer.target) end = answer.target;
  }

  /** Makes sure that there are so many frames, as far as the game goes; one question at a time. */
  async function need(count) {
    while (frames.length < count && !over) await (fetching ??= more(count).finally(() => { fetching = null; }));
  }

  async function show(trial) {
    const wanted = (aim = Math.max(1, trial));
    try {
      if (wanted > frames.length) await need(wanted);
    } catch (error) {
      pause();
      story.textContent = error.message;
      return;
    }
    if (aim !== wanted) return; // somebody has gone on
    now = aim = Math.min(wanted, frames.length);
    if (!now) return;
    render();
    if (!over && frames.length - now < AHEAD / 2) need(frames.length + 1).catch(() => {}); // told when it is needed
    if (over && now === frames.length) pause();
  }

  function render() {
    const frame = frames[now - 1];
    const before = now > 1 ? frames[now - 2].weights : game.start_weights;
    document.getElementById("trial").textContent = `Trial ${frame.trial}`;
    board.replaceChildren(instance(game, frame.x, { weights: frame.weights, before, relevant: game.relevant }), answers(frame.prediction, frame.label));
    story.textContent = told(frame, before);
    hypothesis.textContent = frame.weights ? `predicts 1 when ${frame.hypothesis}` : frame.hypothesis ? `would predict 1 for: ${frame.hypothesis}` : "";
    totals.replaceChildren(...ledger(frame).flat().filter(Boolean));
    const first = frames.slice(0, now).find((of) => of.verdict === "refuted" || of.verdict === "inconsistent");
    refutation.replaceChildren(...(first ? [refuted(first)] : []));
    scrub.max = Math.max(frames.length, 1);
    scrub.value = now;
    scrub.setAttribute("aria-valuetext", `trial ${now}, ${plural(frame.mistakes, "mistake")}`);
    ticks.replaceChildren(...frames.flatMap((of, i) => (of.mistake ? [h("i", { style: { left: `${(100 * i) / Math.max(1, frames.length - 1)}%` } })] : [])));
    lines[0].values = frames.slice(0, now).map((of) => of.mistakes);
    lines[1].values = frames.slice(0, now).map((of) => of.bound);
    chart.update();
    if (!timer) announce(`Trial ${frame.trial}, ${spoken(game, frame.x)}. ${story.textContent}`);
    state.t = now;
    save();
  }

  /** What happened, in words. */
  function told(frame, before) {
    if (frame.verdict === "inconsistent") return `It said ${frame.prediction}, the label is ${frame.label}: now no concept of the class is left.`;
    const right = !frame.mistake;
    const lead = right ? `${title} said ${frame.prediction}, and that is right.` : `${title} said ${frame.prediction}, but the label is ${frame.label}: mistake ${frame.mistakes}.`;
    if (frame.weights && before) {
      const moved = frame.weights.flatMap((weight, j) => (weight === before[j] ? [] : [{ name: `x${j + 1}`, up: weight > before[j], weight, was: before[j] }]));
      if (!moved.length) return `${lead} No weight changes.`;
      const some = moved.slice(0, 3).map((of) => `${of.name} from ${digits(of.was)} to ${digits(of.weight)}`).join(", ");
      const more = moved.length > 3 ? ` and ${moved.length - 3} more` : "";
      return `${lead} Weights ${moved[0].up ? "up" : "down"}: ${some}${more}.`;
    }
    if (frame.left !== null) return `${lead} ${plural(frame.left, "concept")} of the class ${frame.left === 1 ? "is" : "are"} still possible.`;
    return frame.changed ? `${lead} It changes its rule.` : `${lead} It keeps its rule.`;
  }

  /** The moment at which the assumption is refuted. */
  function refuted(frame) {
    const why = asked.noise > 0
      ? "Labels are flipped in this game, so no target of the class explains all of them: what the theorem assumes is false, and the count of mistakes has found that out."
      : "The theorem is proved, so it is what it assumes that is false.";
    return h("section", { class: "refutation", id: "refutation", "aria-label": "Refutation" },
      h("h2", {}, frame.verdict === "refuted" ? `Refuted at trial ${frame.refuted_at ?? frame.trial}` : `Contradiction at trial ${frame.trial}`),
      h("p", {}, frame.verdict_words), h("p", {}, why));
  }

  async function toMistake() {
    for (let trial = now; ; trial += 1) {
      await need(trial + 1);
      if (trial >= frames.length) { announce("There is no further mistake."); return show(frames.length); }
      if (frames[trial].mistake) return show(trial + 1);
    }
  }

  function pause() {
    clearTimeout(timer);
    timer = null;
    play.textContent = "▶ Play";
    play.setAttribute("aria-label", "Play");
    if (over && end && now === frames.length) story.textContent += ` The adversary's target was ${end}: it agrees with every label.`;
  }

  function start() {
    if (over && now === frames.length) now = aim = 0;
    play.textContent = "❚❚ Pause";
    play.setAttribute("aria-label", "Pause");
    const tick = async () => {
      const until = now + 1;
      await show(until);
      if (timer && now === until && !(over && now === frames.length) && now % SHOWN) timer = setTimeout(tick, frames[now - 1]?.mistake ? 620 : 230);
      else pause();
    };
    timer = setTimeout(tick, 60);
  }

  const keys = (event) => {
    if (event.target.closest("input, select, textarea, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { ArrowRight: () => show(aim + 1), ArrowLeft: () => show(aim - 1), m: toMistake }[event.key];
    if (act) { event.preventDefault(); pause(); act(); }
    else if (event.key === " " && event.target.tagName !== "BUTTON") { event.preventDefault(); if (timer) pause(); else start(); }
  };
  addEventListener("keydown", keys);
  if (state.t) { await need(state.t); await show(state.t); } else { await show(1); if (!still()) start(); }
  return () => { clearTimeout(timer); timer = null; removeEventListener("keydown", keys); chart.close(); };
}
