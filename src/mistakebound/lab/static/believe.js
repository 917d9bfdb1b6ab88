// Beliefs: from prior to posterior, piece by piece.

import { ask, newest } from "./engine.js";
import { exportMenu, standalone } from "./export.js";
import { announce, digits, h, keepFocus, percent, plural, s, select } from "./ui.js";

const STORIES = { coin: "a coin of unknown bias", test: "a patient and a test" };
const SIGNS = { H: "heads", T: "tails", "+": "positive test", "-": "negative test" };

export async function open(place, settings, save) {
  const state = { story: settings.get("story") in STORIES ? settings.get("story") : "coin", prior: settings.get("prior") ?? "", evidence: (settings.get("evidence") ?? "").replaceAll("p", "+").replaceAll("m", "-") };
  const latest = newest();
  let [found, now] = [null, null];
  const words = h("div", { class: "sentence" });
  const picture = h("section", { class: "card", "aria-label": "Beliefs" });
  const facts = h("section", { class: "card", "aria-label": "What follows" });
  place.append(words, h("div", { class: "stage" }, picture, facts));

  async function look(changes = {}) {
    Object.assign(state, changes);
    try {
      const answer = await latest(ask("bayes", "believe", { story: state.story, ...(state.prior ? { prior: state.prior } : {}), evidence: state.evidence }));
      if (!answer) return;
      found = answer;
    } catch (error) {
      if (!changes.evidence && (state.prior || state.evidence)) { state.prior = ""; state.evidence = ""; return look(); }
      announce(error.message);
      facts.append(h("p", { class: "error", role: "alert" }, error.message));
      state.evidence = state.evidence.slice(0, -1);
      return;
    }
    now = found.steps.length - 1;
    save({ story: state.story, prior: state.prior, evidence: state.evidence.replaceAll("+", "p").replaceAll("-", "m") });
    words.replaceChildren("It is ", select("Story", Object.entries(STORIES), state.story, (story) => look({ story, prior: "", evidence: "" })), "; before any evidence: ", select("Prior", Object.entries(found.priors), state.prior || Object.keys(found.priors)[0], (prior) => look({ prior })), ".");
    keepFocus(render);
  }

  async function add(sign) {
    await look({ evidence: state.evidence + sign });
    announce(`${SIGNS[sign]}. Most probable: ${name(found.steps[now].map)}, ${percent(found.steps[now].posterior[found.steps[now].map])}`);
  }

  const name = (h_) => (state.story === "coin" ? `heads with ${found.hypotheses[h_]}` : found.hypotheses[h_]);

  function render() {
    const step = found.steps[now];
    const drawing = bars(step);
    picture.replaceChildren(h("div", { class: "row spread" }, h("h2", {}, now ? `After ${plural(now, "piece")} of evidence` : "Before any evidence"), exportMenu("beliefs", { python: () => python(), json: () => ({ ...state, ...found }), svg: () => standalone(drawing) })),
      h("div", { class: "drawing" }, drawing),
      h("div", { class: "row" }, found.signs.map((sign, i) => h("button", { type: "button", class: i ? "" : "primary", id: `sign-${i}`, onclick: () => add(sign) }, `+ ${SIGNS[sign]}`)), h("button", { type: "button", id: "back", disabled: !state.evidence, onclick: () => look({ evidence: state.evidence.slice(0, -1) }) }, "Take back"), h("button", { type: "button", disabled: !state.evidence, onclick: () => look({ evidence: "" }) }, "Start again")),
      h("p", { class: "words", id: "evidence" }, [...state.evidence].map((sign) => SIGNS[sign]).join(", ") || "no evidence yet"),
      found.steps.length > 1 ? h("input", { type: "range", min: 0, max: found.steps.length - 1, value: now, "aria-label": "Piece of evidence", oninput: (event) => { now = Number(event.target.value); const at = event.target; render(); picture.querySelector("input")?.focus(); at.value = now; } }) : "");
    facts.replaceChildren(h("h2", {}, "What follows"),
      h("p", {}, "Most probable (MAP): ", h("b", { id: "map" }, name(step.map)), ` with ${percent(step.posterior[step.map])}.`),
      step.ml === null ? "" : h("p", {}, "Explains the evidence best (ML): ", h("b", { id: "ml" }, name(step.ml)), step.ml === step.map ? "." : ". The prior speaks against it."),
      h("p", {}, `The next one is ${SIGNS[found.signs[0]]} with probability `, h("b", { id: "next" }, digits(step.next)), ": the mean over all hypotheses, each by its probability (Bayes optimal)."),
      state.story === "test" ? h("p", { class: "note" }, `Ill: ${digits(step.posterior[0], 4)}. The test finds 98 of 100 who are ill and alarms for 3 of 100 who are well.`) : "",
      h("p", { class: "quiet" }, "posterior = prior × likelihood, divided by their sum. Computed in fractions."));
  }

  function bars(step) {
    const n = found.hypotheses.length;
    const [wide, tall] = [620, 260];
    const top = Math.max(0.05, ...step.posterior, ...found.prior);
    const gap = wide / n;
    return s("svg", { viewBox: `0 -14 ${wide} ${tall + 50}`, class: "bars", role: "img", "aria-label": found.hypotheses.map((h_, i) => `${h_}: ${percent(step.posterior[i])}`).join(", ") },
      found.hypotheses.map((h_, i) => {
        const [was, is] = [(tall * found.prior[i]) / top, (tall * step.posterior[i]) / top];
        return [s("rect", { class: "prior", x: gap * i + gap * 0.12, y: tall - was, width: gap * 0.76, height: was }), s("rect", { class: `posterior${i === step.map ? " map" : ""}`, x: gap * i + gap * 0.24, y: tall - is, width: gap * 0.52, height: is }),
          s("text", { x: gap * (i + 0.5), y: tall + 16, "text-anchor": "middle" }, h_), s("text", { x: gap * (i + 0.5), y: tall - Math.max(is, 0) - 5, "text-anchor": "middle", class: "quiet" }, step.posterior[i] >= 0.005 ? percent(step.posterior[i]) : "")];
      }), s("line", { class: "axis-line", x1: 0, x2: wide, y1: tall, y2: tall }), s("text", { x: wide / 2, y: tall + 34, "text-anchor": "middle", class: "quiet" }, state.story === "coin" ? "probability of heads; dashed: the prior" : "dashed: the prior"));
  }

  const python = () => (state.story === "coin"
    ? `from fractions import Fraction\n\nimport mistakebound as mb\n\ncoins = [Fraction(j, 10) for j in range(11)]\nprior = ${JSON.stringify(found.prior.map((p) => Number(p.toFixed(6))))}\nfound = mb.bayes.posterior(coins, [p / sum(prior) for p in prior], lambda toss, coin: coin if toss == "H" else 1 - coin, "${state.evidence}")\nfor coin, p in found:\n    print(coin, float(p))\n`
    : `import mistakebound as mb\n\nchance = {("+", "ill"): 0.98, ("-", "ill"): 0.02, ("+", "well"): 0.03, ("-", "well"): 0.97}\nfound = mb.bayes.posterior(["ill", "well"], ${JSON.stringify(found.prior)}, lambda sign, who: chance[sign, who], ${JSON.stringify([...state.evidence])})\nprint(list(found))\n`);
  await look();
}
