// Own data: drop a table, compare learners on it, and see why one row is labelled as it is.

import { curve } from "./curve.js";
import { ask, newest } from "./engine.js";
import { exportMenu, standalone } from "./export.js";
import { announce, digits, h, percent, plural, s, select, still, whole, writeAddress } from "./ui.js";

const COLOURS = ["a", "b", "c", "d", "e", "f"];
const LARGEST = 1 << 20;

export async function open(place, settings) {
  const state = { row: whole(settings.get("row"), 1), learner: settings.get("learner") ?? "auto", label: "", learners: null, file: null };
  let [found, chart, frame, closed, why, drawing] = [null, null, null, false, null, null];
  const [latest, latestRow] = [newest(), newest()];
  const input = h("input", { type: "file", accept: ".csv,.tsv,.txt", class: "sr", id: "file", "aria-label": "Choose a table (CSV)", onchange: () => { if (input.files[0]) take(input.files[0]); } });
  const zone = h("div", { class: "drop", id: "drop" }, h("p", {}, h("b", {}, "Drop a CSV here"), " or ", h("label", { class: "file", for: "file" }, "choose a file"), input, ". This page's own server reads it, and nobody else."));
  const trouble = h("div", {});
  const body = h("div", { class: "stack" });
  place.append(h("div", { class: "head" }, h("h1", {}, "Own data"), h("p", {}, "Every row is predicted before its label is heard, as in the games. Which learner makes the fewest mistakes on your rows?")), zone, trouble, body);

  for (const kind of ["dragover", "dragleave", "drop"]) zone.addEventListener(kind, (event) => {
    event.preventDefault();
    zone.classList.toggle("over", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });

  async function take(file) {
    if (file.size > LARGEST) return say(`${file.name} is larger than 1 MB: use mistakebound compare on the command line for it.`);
    Object.assign(state, { file: { name: file.name, text: await file.text() }, label: "", row: 1 });
    await begin();
  }

  const say = (words) => { trouble.replaceChildren(words ? h("p", { class: "error", role: "alert", id: "trouble" }, words) : ""); if (words) announce(words); };

  async function begin() {
    say("");
    stop();
    try {
      const answer = await latest(ask("data", "start", { ...(state.file ?? {}), ...(state.label ? { label: state.label } : {}), ...(state.learners ? { learners: state.learners } : {}) }));
      if (closed || !answer) return;
      found = answer;
    } catch (error) {
      return say(error.message);
    }
    state.label = found.label;
    if (!found.ranked.some((one) => one.learner === state.learner)) state.learner = found.ranked[0].learner;
    show();
    await explain();
  }

  function show() {
    const entered = found.ranked.map((one) => one.learner);
    const running = found.ranked.filter((one) => !one.refused);
    const lines = running.map((one, i) => ({ label: one.learner, values: [], colour: COLOURS[i], all: one.curve }));
    const graph = h("section", { class: "card", "aria-label": "Mistakes" }, h("div", { class: "row spread" }, h("h2", {}, "Mistakes against rows"),
      exportMenu("comparison", { command: () => found.command, python: () => found.python, json: () => ({ ...found, rows: undefined, why }), svg: () => chart.svg() })));
    why = null;
    body.replaceChildren(
      h("div", { class: "sentence" }, h("b", { id: "name" }, found.name), `: learn `, select("Label column", found.columns.map((name) => [name, name]), found.label, (label) => { state.label = label; state.row = 1; begin(); }), ` (${found.labels.slice(0, 4).join(", ")}${found.labels.length > 4 ? ", …" : ""}) from the other columns.`),
      h("div", { class: "tabs", role: "group", "aria-label": "Learners" }, found.learners.map((name) => h("button", { type: "button", "aria-pressed": String(entered.includes(name)), disabled: entered.includes(name) && entered.length < 2, onclick: () => { state.learners = entered.includes(name) ? entered.filter((of) => of !== name) : [...entered, name]; begin(); } }, name))),
      h("div", { class: "stage" }, graph, h("section", { class: "card", "aria-label": "Ranking" }, h("h2", {}, "Fewest mistakes first"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "learner"), h("th", { class: "num" }, "mistakes"), h("th", { class: "num" }, "error"), h("th", { class: "num" }, "certified"))),
        h("tbody", {}, found.ranked.map((one) => h("tr", {}, h("td", {}, one.refused ? one.learner : h("span", { class: `key ${COLOURS[running.indexOf(one)]}` }, one.learner)), one.refused ? h("td", { colspan: 3 }, one.refused) : [h("td", { class: "num", id: `mistakes-${one.learner}` }, String(one.mistakes)), h("td", { class: "num" }, percent(one.error)), h("td", { class: "num" }, one.certificate ? `${percent(one.certificate[0])} to ${percent(one.certificate[1])}` : "–")]))))),
      h("small", {}, `${plural(running[0]?.trials ?? 0, "row")}. The certified interval holds at all times together, in 95 of 100 tables.`))),
      h("section", { class: "card", id: "why", "aria-label": "One row explained" }));
    chart = curve(graph, { lines, words: "mistakes of each learner against rows", across: "rows", every: running[0]?.step ?? 1, height: 270 });
    const begun = performance.now();
    const last = Math.max(1, ...lines.map((line) => line.all.length));
    const draw = () => {
      const done = still() ? last : Math.min(last, Math.ceil((last * (performance.now() - begun)) / 1800));
      lines.forEach((line) => { line.values = line.all.slice(0, done); });
      chart?.update();
      if (done < last && !closed) frame = requestAnimationFrame(draw);
    };
    draw();
  }

  async function explain() {
    writeAddress("data", { row: state.row, learner: state.learner });
    const card = document.getElementById("why");
    try {
      const answer = await latestRow(ask("data", "explain", { session: found.session, learner: state.learner, row: state.row }));
      if (closed || !answer || !card.isConnected) return;
      why = answer;
    } catch (error) {
      if (error.expired) return begin();
      return say(error.message);
    }
    const row = found.rows[state.row - 1] ?? [];
    const truth = row[found.columns.indexOf(found.label)];
    drawing = waterfall(why);
    if (!card.firstChild) card.append(choice(), h("div", { class: "stack" })); // once: what somebody types in stays as it is
    card.lastChild.replaceChildren(
      h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "The row" }, h("table", {}, h("thead", {}, h("tr", {}, found.columns.map((name) => h("th", {}, name)))), h("tbody", {}, h("tr", {}, row.map((cell) => h("td", {}, cell)))))),
      h("p", { id: "said" }, `It predicts `, h("b", { id: "prediction" }, why.prediction), truth === undefined ? "" : `; the label is ${truth}.`, why.threshold === null || why.total === null ? "" : ` The sum is ${digits(why.total)}, and ${found.labels[1]} is said above ${digits(why.threshold)}.`),
      h("div", { class: "drawing" }, drawing));
  }

  function choice() {
    const field = h("input", { class: "pick", type: "number", min: 1, max: found.count, value: state.row, "aria-label": "Row", onchange: () => { field.value = state.row = Math.min(Math.max(1, whole(field.value, 1)), found.count); explain(); } });
    return h("div", { class: "row spread" }, h("h2", {}, "Why? ", "Row ", field, " by ", select("Explained learner", found.ranked.filter((one) => !one.refused).map((one) => [one.learner, one.learner]), state.learner, (learner) => { state.learner = learner; explain(); })), exportMenu("row", { json: () => why, svg: () => standalone(drawing) }));
  }

  const stop = () => { cancelAnimationFrame(frame); chart?.close(); chart = null; };
  await begin();
  return () => { closed = true; stop(); };
}

/** From 0 to the sum, a bar for each term; what speaks for the second label goes to the right. */
function waterfall({ terms, bias, more, total }) {
  const steps = [...(bias === null || bias === undefined ? [] : [{ name: "the bias", amount: bias }]), ...terms];
  const shown = steps.reduce((sum, step) => sum + step.amount, 0);
  if (more && total !== null) steps.push({ name: plural(more, "smaller term"), amount: total - shown });
  let at = 0;
  const bars = steps.map((step) => { const from = at; at += step.amount; return { ...step, from, to: at }; });
  const all = [0, at, ...bars.flatMap((bar) => [bar.from, bar.to])];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const [wide, tall, named] = [700, 26, (bar) => bar.name.length + (bar.value === undefined || bar.value === 1 || bar.value === null ? 0 : 3 + digits(bar.value).length)];
  const left = Math.min(290, 24 + 7.4 * Math.max(10, ...bars.map(named)));
  const x = (value) => left + ((wide - left - 70) * (value - low)) / (high - low || 1);
  return s("svg", { viewBox: `0 0 ${wide} ${tall * (bars.length + 1) + 14}`, class: "waterfall", role: "img", "aria-label": bars.map((bar) => `${bar.name} adds ${digits(bar.amount)}`).join(", ") },
    s("line", { class: "axis-line", x1: x(0), x2: x(0), y1: 0, y2: tall * (bars.length + 1) }),
    bars.map((bar, i) => [
      s("text", { x: left - 10, y: tall * i + 17, "text-anchor": "end" }, bar.name.length > 33 ? `${bar.name.slice(0, 32)}…` : bar.name, bar.value === undefined || bar.value === 1 || bar.value === null ? "" : ` = ${digits(bar.value)}`),
      s("rect", { class: bar.amount < 0 ? "minus" : "plus", x: Math.min(x(bar.from), x(bar.to)), y: tall * i + 3, width: Math.max(1.5, Math.abs(x(bar.to) - x(bar.from))), height: tall - 7, rx: 3 }),
      s("text", { class: "quiet", x: Math.max(x(bar.from), x(bar.to)) + 6, y: tall * i + 17 }, `${bar.amount < 0 ? "−" : "+"}${digits(Math.abs(bar.amount))}`),
      s("line", { class: "step", x1: x(bar.to), x2: x(bar.to), y1: tall * i + tall - 4, y2: tall * (i + 1) + 3 }),
    ]),
    s("text", { x: left - 10, y: tall * bars.length + 17, "text-anchor": "end", class: "sum" }, "sum"), s("rect", { class: "sum", x: Math.min(x(0), x(at)), y: tall * bars.length + 3, width: Math.max(1.5, Math.abs(x(at) - x(0))), height: tall - 7, rx: 3 }),
    s("text", { class: "quiet", x: Math.max(x(0), x(at)) + 6, y: tall * bars.length + 17 }, digits(at)));
}
