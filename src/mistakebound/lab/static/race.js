// Arena, the race: bet on a learner, then watch the mistakes grow.

import { curve } from "./curve.js";
import { ask } from "./engine.js";
import { exportMenu } from "./export.js";
import { announce, h, plural, still } from "./ui.js";

const COLOURS = ["a", "b", "c", "d", "e", "f"];

export async function open(place, { state, chosen, menus, save, parts }) {
  const title = (name) => menus.learners[name].title;
  let entered = state.learners.split(",").filter((name) => chosen.learners.includes(name)).slice(0, 6);
  if (entered.length < 2) entered = chosen.learners.slice(0, Math.min(4, chosen.learners.length));
  let [frame, chart, closed] = [null, null, false];
  const field = h("section", { class: "card", "aria-label": "Starters" });
  const track = h("section", { class: "card", "aria-label": "Race" });
  place.append(h("div", { class: "sentence" }, "The target is ", parts.classes(), "; the teacher flips ", parts.noise(), ". Race ", parts.seed()), field, track);

  function starters() {
    stop();
    state.learners = entered.join(",");
    save();
    field.replaceChildren(h("h2", {}, "Who starts?"), h("div", { class: "tabs", role: "group", "aria-label": "Starters" }, chosen.learners.map((name) => h("button", {
      type: "button", "aria-pressed": String(entered.includes(name)), disabled: entered.includes(name) && entered.length < 3,
      onclick: () => { entered = entered.includes(name) ? entered.filter((of) => of !== name) : [...entered, name].slice(-6); starters(); },
    }, title(name)))));
    track.replaceChildren(h("h2", {}, "Who will make the fewest mistakes in 150 trials?"), h("p", { class: "quiet" }, "Place your bet: that starts the race."),
      h("div", { class: "tabs", role: "group", "aria-label": "Your bet" }, entered.map((name) => h("button", { type: "button", class: "bet", onclick: () => run(name) }, title(name)))));
  }

  async function run(bet) {
    const game = await ask("race", "start", { class: state.class, learners: entered, seed: state.seed, noise: Number(state.noise) });
    const { lanes, target } = await ask("race", "run", { session: game.session });
    if (closed) return;
    const lines = lanes.map((lane, i) => ({ label: title(lane.learner), values: [], colour: COLOURS[i], stepped: true }));
    const rows = lanes.map((lane, i) => {
      const bar = h("i", { style: { width: "0%", background: `var(--${COLOURS[i]})` } });
      const count = h("span", { class: "count-now", id: `mistakes-${lane.learner}` }, "0");
      return { bar, count, element: h("div", { class: "lane" }, h("b", {}, title(lane.learner), lane.learner === bet ? " ★" : ""), h("div", { class: "meter" }, bar), h("span", {}, count, h("small", {}, lane.bound === null ? " (no bound)" : ` of at most ${lane.bound}`))) };
    });
    const outcome = h("p", { class: "story", id: "outcome" }, "They are off…");
    track.replaceChildren(h("div", { class: "row spread" }, h("h2", {}, `Target: ${target}`), h("div", { class: "row" }, h("button", { type: "button", onclick: starters }, "New bet"),
      exportMenu("race", { json: () => ({ class: state.class, seed: state.seed, noise: state.noise, target, lanes }), svg: () => chart.svg() }))),
    h("div", { class: "lanes" }, rows.map((row) => row.element)), outcome);
    chart = curve(track, { lines, words: "mistakes of each learner against trials", height: 260 });
    const most = Math.max(1, ...lanes.map((lane) => lane.mistakes));
    const last = Math.max(...lanes.map((lane) => lane.curve.length));
    const begun = performance.now();
    const draw = () => {
      if (closed) return;
      const done = still() ? last : Math.min(last, Math.ceil((performance.now() - begun) / 26));
      lanes.forEach((lane, i) => {
        lines[i].values = lane.curve.slice(0, done);
        const mistakes = lines[i].values.at(-1) ?? 0;
        rows[i].bar.style.width = `${(100 * mistakes) / most}%`;
        rows[i].count.textContent = String(mistakes);
      });
      chart.update();
      if (done < last) frame = requestAnimationFrame(draw);
      else finish();
    };
    const finish = () => {
      const fair = lanes.filter((lane) => lane.verdict !== "inconsistent");
      const least = Math.min(...fair.map((lane) => lane.mistakes));
      const winners = fair.filter((lane) => lane.mistakes === least).map((lane) => lane.learner);
      const out = lanes.filter((lane) => lane.verdict === "inconsistent").map((lane) => title(lane.learner));
      outcome.textContent = `${winners.map(title).join(" and ")} ${winners.length > 1 ? "win" : "wins"} with ${plural(least, "mistake")}. ${winners.includes(bet) ? "You bet right." : `You bet on ${title(bet)}.`}${out.length ? ` Out, because no target of the class was left: ${out.join(", ")}.` : ""}`;
      announce(outcome.textContent);
    };
    draw();
  }

  function stop() {
    cancelAnimationFrame(frame);
    chart?.close();
    chart = null;
  }
  starters();
  return () => { closed = true; stop(); };
}
