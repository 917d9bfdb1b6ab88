// Exercises of the course: asked here, marked by the engine, remembered in this browser.

import { ask } from "./engine.js";
import { announce, h, kept, writeAddress } from "./ui.js";

const TITLES = { trials: "Trials", concepts: "Concepts", trees: "Trees", networks: "Networks", bayes: "Bayes", samples: "Samples", mistakes: "Mistakes", halving: "Halving", winnow: "Winnow", perceptron: "Perceptron" };
let all = null;

export async function open(place, settings) {
  all ??= (await ask("exercises", "list")).exercises;
  const solved = new Set(kept.read("solved", []));
  let now = Math.max(0, all.findIndex((of) => of.id === settings.get("id")));
  if (!settings.get("id")) now = Math.max(0, all.findIndex((of) => !solved.has(of.id)));
  let [hints, mark] = [0, null];
  const progress = h("p", { id: "progress" });
  const list = h("nav", { class: "card chapters", "aria-label": "Exercises" });
  const card = h("section", { class: "card exercise", "aria-label": "Exercise" });
  place.append(h("div", { class: "head" }, h("h1", {}, "Exercises"), progress), h("div", { class: "stage exercises" }, card, list));

  const go = (to) => { now = (to + all.length) % all.length; [hints, mark] = [0, null]; render(); card.querySelector("input")?.focus(); };

  async function check(answer) {
    const asked = all[now];
    try {
      mark = await ask("exercises", "check", { id: asked.id, answer });
    } catch (error) {
      mark = { right: false, message: error.message };
    }
    if (mark.right) { solved.add(asked.id); kept.write("solved", [...solved]); }
    announce(mark.message);
    render(answer);
    (mark.right ? document.getElementById("next") : card.querySelector("input"))?.focus();
  }

  function render(answer = "") {
    const { id, chapter, question, form, example, options } = all[now];
    writeAddress("exercises", { id });
    progress.textContent = `${solved.size} of ${all.length} solved. Only this browser remembers that.`;
    const field = options.length ? null : h("input", { type: "text", id: "answer", value: answer, "aria-label": "Your answer", placeholder: `${form}, such as ${example}`, autocomplete: "off", maxlength: 400 });
    const told = () => (field ? field.value : card.querySelector("input:checked")?.value ?? "");
    card.replaceChildren(h("div", { class: "row spread" }, h("h2", {}, `${TITLES[chapter]}, ${id.split("-").at(-1)}`), solved.has(id) ? h("span", { class: "badge within" }, "solved") : ""),
      h("p", { class: "question", id: "question" }, question),
      h("form", { onsubmit: (event) => { event.preventDefault(); check(told()); } },
        field ?? h("fieldset", {}, h("legend", {}, "Choose one"), options.map((option) => h("label", { class: "option" }, h("input", { type: "radio", name: "option", value: option, checked: option === answer }), option))),
        h("div", { class: "row" }, h("button", { type: "submit", class: "primary", id: "check" }, "Check"), h("button", { type: "button", id: "hint", disabled: hints >= all[now].hints.length, onclick: () => { const before = told(); hints += 1; render(before); announce(all[now].hints[hints - 1]); document.getElementById("hint").focus(); } }, "A hint"))),
      mark ? h("p", { class: mark.right ? "note right" : "error", role: "status", id: "mark" }, mark.message) : "",
      ...all[now].hints.slice(0, hints).map((hint) => h("p", { class: "note hint" }, hint)),
      h("div", { class: "row spread" }, h("button", { type: "button", onclick: () => go(now - 1) }, "◀ Before"), h("button", { type: "button", id: "next", class: mark?.right ? "primary" : "", onclick: () => go(now + 1) }, "Next ▶")));
    list.replaceChildren(...Object.entries(TITLES).map(([name, title]) => h("div", { class: "chapter" }, h("h3", {}, title), h("div", { class: "row" }, all.map((of, i) => (of.chapter !== name ? null : h("button", {
      type: "button", class: `icon${solved.has(of.id) ? " done" : ""}`, "aria-current": i === now ? "true" : null, "aria-label": `${title} ${of.id.split("-").at(-1)}${solved.has(of.id) ? ", solved" : ""}`, onclick: () => go(i),
    }, of.id.split("-").at(-1))))))));
  }
  render();
}
