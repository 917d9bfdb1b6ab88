// Version space: the lattice from the most general hypothesis to the most specific; every example strikes some out.

import { ask } from "./engine.js";
import { exportMenu, standalone } from "./export.js";
import { announce, h, keepFocus, plural, s, select, still, writeAddress } from "./ui.js";

const SPACES = { day: "a good day for a swim", dish: "a dish that I like", sport: "Mitchell's EnjoySport (973 hypotheses)" };
const [WIDE, GAP, BOX] = [84, 30, 74];

export async function open(place, settings) {
  const state = { space: settings.get("space") in SPACES ? settings.get("space") : "day" };
  let moves = (settings.get("moves") ?? "").split("!").filter(Boolean).map((move) => move.split(".")).map((move) => [...move.slice(0, -1), Number(move.at(-1))]);
  let [game, steps, x, vote, timer] = [null, [], null, null, null];

  const board = h("section", { class: "card", "aria-label": "Teach an example" });
  const limits = h("section", { class: "card", "aria-label": "Boundaries" });
  const log = h("section", { class: "card", "aria-label": "Examples" });
  const picture = h("section", { class: "card", "aria-label": "Lattice" });
  place.append(h("div", { class: "head" }, h("h1", {}, "Version space"), h("p", {}, "All hypotheses that agree with your examples. Each example strikes some out; what is left lies between S and G.")),
    h("div", { class: "sentence" }, "The secret is ", select("What is learned", Object.entries(SPACES), state.space, (space) => { state.space = space; moves = []; x = null; begin(false); }), ". Think of it as a rule such as <sunny, ?, warm>, where ? lets anything pass."),
    board, picture, h("div", { class: "stage even" }, limits, log));

  const now = () => steps.at(-1) ?? game.start;
  const save = () => writeAddress("versions", { space: state.space, moves: moves.map((move) => move.join(".")).join("!") });

  async function begin(show) {
    clearTimeout(timer);
    try {
      game = await ask("versions", "start", { space: state.space, moves });
    } catch {
      moves = [];
      game = await ask("versions", "start", { space: state.space });
    }
    steps = game.steps;
    await propose();
    if (show && !moves.length && !still()) demonstrate();
  }

  /** The first two examples teach themselves. */
  function demonstrate() {
    const next = (number) => {
      timer = setTimeout(async () => {
        const example = game.examples[number];
        x = example.slice(0, -1);
        await teach(example.at(-1), true);
        if (number < 1) next(number + 1);
      }, 1300);
    };
    next(0);
  }

  /** The best question is what is asked next. */
  async function propose() {
    const asked = now().question;
    x = asked ? asked.x : (x ?? Object.values(game.attributes).map(([first]) => first));
    await look();
  }

  async function look() {
    try {
      vote = now().size ? await ask("versions", "vote", { session: game.session, x }) : null;
    } catch (error) {
      if (!error.expired) throw error;
      return begin(false); // the engine has forgotten the game: the same again
    }
    keepFocus(render);
  }

  async function teach(label, alone = false) {
    if (!alone) clearTimeout(timer);
    let step;
    try {
      step = await ask("versions", "teach", { session: game.session, x, label });
    } catch (error) {
      if (!error.expired) throw error;
      moves.push([...x, label]);
      return begin(false);
    }
    const before = now().size;
    steps.push(step);
    moves.push([...step.x, label]);
    announce(step.size ? `${plural(before - step.size, "hypothesis").replace(/is(s?)$/, (_, many) => (many ? "es" : "is"))} struck out, ${step.size} left.` : "Nothing is left: these examples contradict each other.");
    await propose();
  }

  function render() {
    save();
    const { size, S, G, question, clash } = now();
    const last = steps.at(-1);
    const drawing = lattice(game.start, now(), last ? (steps.at(-2) ?? game.start) : null);
    picture.replaceChildren(h("div", { class: "row spread" }, h("div", { class: "count" }, h("b", { id: "size" }, String(size)), h("span", {}, `hypothes${size === 1 ? "is" : "es"} left`)),
      h("div", { class: "row" }, h("span", { class: "badge g-badge" }, "G most general"), h("span", { class: "badge s-badge" }, "S most specific"),
        exportMenu("version-space", { command: () => command(), python: () => python(), json: () => ({ space: game.attributes, moves, ...now() }), svg: () => standalone(drawing) }))),
    h("div", { class: "drawing wide", tabindex: 0, role: "group", "aria-label": "Drawing of the lattice" }, drawing));
    const frame = drawing.parentElement;
    frame.scrollLeft = (frame.scrollWidth - frame.clientWidth) / 2;
    const asked = question && question.x.join() === x.join();
    const names = Object.keys(game.attributes);
    board.replaceChildren(...[
      h("div", { class: "row spread" }, h("h2", {}, question ? "Ask and answer" : size === 1 ? "Found" : "Contradiction"),
        h("div", { class: "row" }, h("button", { type: "button", id: "back", disabled: !moves.length, onclick: () => { moves.pop(); begin(false); } }, "Take back"),
          h("button", { type: "button", id: "again", disabled: !moves.length, onclick: () => { moves = []; begin(false); } }, "Start again"))),
      size === 1 && h("p", { class: "note", id: "found" }, "Only one rule is left: ", h("b", {}, S[0]), `. That took ${plural(steps.length, "example")}; for the hardest rule at least ${game.questions} are needed.`),
      clash && h("p", { class: "error", role: "alert", id: "clash" }, `${clash[0].toUpperCase()}${clash.slice(1)}.`),
      h("div", { class: "question" }, h("div", { class: "attributes" }, names.map((name, j) => h("div", { class: "row" }, h("span", { class: "axis" }, name), h("div", { class: "tabs", role: "group", "aria-label": name }, game.attributes[name].map((value) => h("button", {
        type: "button", "aria-pressed": String(x[j] === value), id: `value-${j}-${value}`, onclick: async () => { clearTimeout(timer); x = x.map((of, i) => (i === j ? value : of)); await look(); document.getElementById(`value-${j}-${value}`)?.focus(); },
      }, value)))))),
      vote && h("p", { id: "vote" }, vote.answer === null ? `${vote.positive} of ${vote.total} say yes.` : `All ${vote.total} say ${vote.answer ? "yes" : "no"}: it tells nothing new.`,
        asked ? h("b", {}, " This is the best question: it splits them nearest to half.") : question ? [" ", h("button", { type: "button", id: "best", onclick: propose }, "Ask the best question")] : ""),
      vote && h("div", { class: "choice" }, h("button", { type: "button", class: "zero", id: "answer-0", onclick: () => teach(0) }, h("b", {}, "no"), h("small", {}, `keeps ${vote.total - vote.positive}`)),
        h("button", { type: "button", class: "one", id: "answer-1", onclick: () => teach(1) }, h("b", {}, "yes"), h("small", {}, `keeps ${vote.positive}`)))),
    ].filter(Boolean));
    limits.replaceChildren(h("h2", {}, "The boundaries"), h("h3", {}, "G: the most general rules that are left"), h("p", { class: "words", id: "G" }, G.join("  ") || "none"),
      h("h3", {}, "S: the most specific rules that are left"), h("p", { class: "words", id: "S" }, S.join("  ") || "none"),
      h("p", { class: "quiet" }, last ? effect(last, steps.at(-2) ?? game.start) : "A “yes” lifts S until it lets the example pass. A “no” lowers G until it keeps the example out."));
    log.replaceChildren(h("h2", {}, "Examples"), steps.length ? h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, [...names, "answer", "left"].map((word) => h("th", {}, word)))), h("tbody", {}, steps.map((step) => h("tr", {}, step.x.map((value) => h("td", {}, value)), h("td", {}, step.label ? "yes" : "no"), h("td", { class: "num" }, String(step.size))))))) : h("p", { class: "quiet" }, "None yet."),
      game.examples.length > steps.length && !clash && size > 1 ? h("button", { type: "button", id: "example", onclick: () => { const example = game.examples[steps.length]; x = example.slice(0, -1); teach(example.at(-1)); } }, "Teach a ready example") : "");
  }

  function effect(step, before) {
    if (!step.size) return "No rule agrees with all examples.";
    const [raised, lowered] = [step.S.join() !== before.S.join(), step.G.join() !== before.G.join()];
    const what = step.label ? (raised ? "S became more general, so that it lets the example pass" : "S lets it pass already") : (lowered ? "G became more specific, so that it keeps the example out" : "G keeps it out already");
    const other = step.label && lowered ? "; members of G that keep it out are gone" : !step.label && raised ? "; members of S that let it pass are gone" : "";
    return `The last answer was ${step.label ? "yes" : "no"}: ${what}${other}. ${before.size - step.size} of ${before.size} are struck out.`;
  }

  const values = () => JSON.stringify(game.attributes);
  const python = () => `import mistakebound as mb\n\nlearner = mb.learners.CandidateElimination(${values()}, labels=(0, 1))\n${moves.map((move) => `learner.learn_one(${JSON.stringify(move.slice(0, -1))}, ${move.at(-1)})\n`).join("")}space = learner.version_space\nprint(*space.S, *space.G, space.size)\nprint(mb.plot.draw_lattice(space))\n`;
  const command = () => `printf '${[[...Object.keys(game.attributes), "label"], ...moves].map((row) => row.join(",")).join("\\n")}\\n' > examples.csv && mistakebound version-space examples.csv --label label --labels 0,1 --values "${Object.entries(game.attributes).map(([name, of]) => `${name}=${of.join(",")}`).join(" ")}"`;

  await begin(true);
  return () => clearTimeout(timer);
}

/** The lattice; where all hypotheses fit, they keep their places and those that are gone fade. */
function lattice(start, now, before) {
  const fixed = start.lattice.texts.length === start.size;
  const { texts, levels, edges } = fixed ? start.lattice : (now.lattice ?? { texts: [], levels: [], edges: [] });
  const alive = new Map((now.lattice?.texts ?? []).map((text, n) => [text, now.lattice.kinds[n]]));
  const was = new Set(before?.lattice?.texts ?? []);
  const rows = new Map();
  texts.forEach((_, n) => { rows.set(levels[n], [...(rows.get(levels[n]) ?? []), n]); });
  const top = Math.max(0, ...levels);
  const wide = Math.max(...[...rows.values()].map((row) => row.length), 3);
  const box = fixed ? BOX : Math.max(BOX, 8 * Math.max(0, ...texts.map((text) => text.length)) + 18);
  const step = fixed ? WIDE : box + 14;
  const parts = texts.map((text) => (fixed ? text.slice(1, -1).split(", ") : [text]));
  const high = 14 * Math.max(1, ...parts.map((part) => part.length)) + 12;
  const apart = high + GAP;
  const at = texts.map((_, n) => { const row = rows.get(levels[n]); return [step * (row.indexOf(n) + (wide - row.length) / 2 + 0.5), apart * (top - levels[n]) + high / 2 + 4]; });
  const kind = (text) => (alive.has(text) ? alive.get(text) : was.has(text) ? "struck" : "gone");
  return s("svg", { viewBox: `0 0 ${step * wide} ${apart * top + high + 8}`, class: "lattice", role: "img", "aria-label": `${now.size} hypotheses between S ${now.S.join(" ")} and G ${now.G.join(" ")}`, style: { "min-width": `${0.8 * step * wide}px` } },
    edges.map(([a, b]) => s("line", { class: alive.has(texts[a]) && alive.has(texts[b]) ? "edge live" : "edge", x1: at[a][0], y1: at[a][1] - high / 2, x2: at[b][0], y2: at[b][1] + high / 2 })),
    texts.map((text, n) => s("g", { class: `hypothesis ${kind(text)}` }, s("rect", { x: at[n][0] - box / 2, y: at[n][1] - high / 2, width: box, height: high, rx: 8 }), parts[n].map((part, i) => s("text", { x: at[n][0], y: at[n][1] + 4 + 14 * (i - (parts[n].length - 1) / 2), "text-anchor": "middle" }, part)), s("title", {}, text))));
}
