// Arena: four ways to play, over one choice of class, learner, teacher and seed.

import { ask } from "./engine.js";
import { h, refusal, select, whole, writeAddress } from "./ui.js";

const MODES = {
  watch: ["Watch a game", () => import("./watch.js"), "A learner guesses, hears the right label, and learns. A theorem says how many mistakes it can ever make."],
  adversary: ["Be the adversary", () => import("./adversary.js"), "You choose what is shown and what is right. Force as many mistakes as you can, without a lie."],
  learner: ["Be the learner", () => import("./learner.js"), "You guess. The adversary plays perfectly: no one can avoid the first opt(C) mistakes."],
  race: ["Race", () => import("./race.js"), "Several learners hear the same labels. Bet first, then watch."],
};
let menus = null;

export async function open(place, settings) {
  menus ??= await ask("arena", "catalogue");
  const known = Object.fromEntries(menus.classes.map((of) => [of.text, of]));
  const state = {
    mode: settings.get("mode") in MODES ? settings.get("mode") : "watch",
    class: settings.get("class") in known ? settings.get("class") : menus.classes[0].text,
    learner: settings.get("learner"), teacher: settings.get("teacher") === "adversary" ? "adversary" : "random",
    noise: ["0.05", "0.2"].includes(settings.get("noise")) ? settings.get("noise") : "0",
    seed: whole(settings.get("seed"), 3), t: whole(settings.get("t"), null),
    moves: settings.get("moves") ?? "", learners: settings.get("learners") ?? "",
  };
  let leave = () => {};
  let opened = 0;

  const tabs = h("div", { class: "tabs", role: "group", "aria-label": "How to play" });
  const words = h("p");
  const body = h("div", { class: "stack" });
  place.append(h("div", { class: "head" }, h("h1", {}, "Arena"), tabs, words), body);

  const save = () => {
    const { mode, class: of, learner, teacher, noise, seed, t, moves, learners } = state;
    const watch = mode === "watch";
    writeAddress("arena", {
      mode, class: of, learner: watch || mode === "adversary" ? learner : null, teacher: watch ? teacher : null,
      noise: (watch || mode === "race") && noise !== "0" ? noise : null, seed: mode === "adversary" ? null : seed,
      t: watch ? t : null, moves: watch || mode === "race" ? null : moves, learners: mode === "race" ? learners : null,
    });
  };

  async function show() {
    const ticket = (opened += 1);
    leave();
    leave = () => {};
    const offered = menus.classes.filter((of) => state.mode === "watch" || state.mode === "race" || of.small)
      .filter((of) => state.mode !== "race" || of.learners.length > 2);
    if (!offered.some((of) => of.text === state.class)) state.class = offered[0].text;
    const chosen = known[state.class];
    if (!chosen.learners.includes(state.learner)) [state.learner] = chosen.learners;
    words.textContent = MODES[state.mode][2];
    tabs.replaceChildren(...Object.entries(MODES).map(([mode, [title]]) => h("button", {
      type: "button", "aria-pressed": String(mode === state.mode),
      onclick: () => { if (mode !== state.mode) restart({ mode }); },
    }, title)));
    const module = await MODES[state.mode][1]();
    if (ticket !== opened) return;
    body.replaceChildren();
    save();
    try {
      leave = (await module.open(body, { state, chosen, menus, save, restart, parts: parts(offered, chosen) })) ?? leave;
    } catch (error) { // the other games may well be there
      if (ticket === opened) body.append(refusal(error));
    }
  }

  /** Begins anew with other settings. */
  function restart(changes) {
    Object.assign(state, { t: null, moves: "" }, changes);
    show();
  }

  /** The words of the sentence that says what is played. */
  const parts = (offered, chosen) => ({
    classes: () => select("What the target can be", offered.map((of) => [of.text, of.title]), state.class, (value) => restart({ class: value })),
    learners: () => select("Learner", chosen.learners.map((name) => [name, menus.learners[name].title]), state.learner, (learner) => restart({ learner })),
    teachers: () => select("Teacher", Object.entries(menus.teachers), state.teacher, (teacher) => restart({ teacher })),
    noise: () => select("Labels that are flipped", [["0", "no label"], ["0.05", "1 label in 20"], ["0.2", "1 label in 5"]], state.noise, (noise) => restart({ noise })),
    seed: () => {
      const field = h("input", { class: "pick", type: "number", min: 0, max: 999999, value: state.seed, "aria-label": "Seed of the game",
        onchange: () => restart({ seed: whole(field.value, 1) }) });
      return [field, h("button", { type: "button", class: "icon", "aria-label": "Another game", title: "Another game",
        onclick: () => restart({ seed: 1 + Math.floor(Math.random() * 9999) }) }, "⚂")];
    },
  });

  await show();
  return () => leave();
}
