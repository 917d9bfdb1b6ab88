"""A page for each theorem, from the data by which learners quote it; idea and game come from docs/bounds_met.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from typeset import formula_html

import mistakebound as mb
from mistakebound.core.theorem import Lemma, Theorem
from mistakebound.report.ledger_text import name_of_theorem

NOTES = Path(__file__).resolve().parents[2] / "docs" / "bounds_met.md"
_PLACE = re.compile(r"\b(\w+) = \{\1\}|\{(\w+)\}")


class Quoted:
    """A theorem and the learners that quote it, by name."""

    def __init__(self, theorem: Theorem, title: str) -> None:
        self.theorem = theorem
        self.title = title
        self.slug = re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")
        self.learners: dict[str, Theorem] = {}

    @property
    def lemmas(self) -> list[Lemma]:
        """The lemmas of its learners that a game can check."""
        found = {lemma.name: lemma for name in self.learners for lemma in mb.learners.find(name).lemmas}
        return list(found.values())


def title(theorem: Theorem) -> str:
    """Its name; of a bare number the source, which has the number too."""
    name = theorem.name if not theorem.name.startswith("Theorem ") else name_of_theorem(theorem)
    return name[:1].upper() + name[1:]


@cache
def all_theorems() -> dict[str, Quoted]:
    """Title to theorem, of all that any learner quotes."""
    found: dict[str, Quoted] = {}
    for name in mb.learners.names():
        for theorem in mb.learners.find(name).theorems:
            called = title(theorem)
            if called in found and found[called].theorem.statement != theorem.statement:
                called = f"{called} ({name})"
            found.setdefault(called, Quoted(theorem, called)).learners[name] = theorem
    return found


def links_of(learner: str, to: str) -> list[str]:
    """Links to the pages of the theorems that a learner quotes."""
    return [
        f"[{quoted.title}]({to}{quoted.slug}.md)" for quoted in all_theorems().values() if learner in quoted.learners
    ]


def notes() -> dict[str, str]:
    """Title to idea and game, as docs/bounds_met.md has them."""
    parts = re.split(r"^## (.+)\n", NOTES.read_text("utf-8"), flags=re.MULTILINE)
    return {head.strip(): body.strip() for head, body in zip(parts[1::2], parts[2::2], strict=True)}


def pages() -> Iterator[tuple[str, str, str]]:
    """(path, title, Markdown) of every theorem, the list of all first."""
    rows = []
    for quoted in all_theorems().values():
        who = ", ".join(f"`{name}`" for name in quoted.learners)
        rows.append(f"| [{quoted.title}]({quoted.slug}.md) | {who} | {formula_html(quoted.theorem.statement)} |")
    table = "\n".join(["| theorem | quoted by | statement |", "|---|---|---|", *rows])
    yield (
        "theorem/index.md",
        "All theorems",
        "# Theorems\n\nEvery bound that a learner quotes. These pages are made from the data with which the learners "
        "compute their bounds; [the proofs](../theorems.md) that no paper has, and [a game for each](../bounds_met.md) "
        f"are pages of their own.\n\n{table}\n",
    )
    told = notes()
    for quoted in all_theorems().values():
        yield f"theorem/{quoted.slug}.md", quoted.title, page(quoted, told[quoted.title])


def page(quoted: Quoted, note: str) -> str:
    theorem = quoted.theorem
    what = "expected number of mistakes" if theorem.expected else "number of mistakes"
    parts = [f"# {quoted.title}", f"{source(theorem.source)}. A bound on the {what}"]
    parts[-1] += ", which uses what was learned up to now." if theorem.hindsight else "."
    parts += ["## Statement", f'<div class="statement" markdown="0">{formula_html(capital(theorem.statement))}.</div>']
    parts.append("## Conditions")
    if isinstance(theorem.assumes, str):
        parts.append(f"Assumed of the target: {formula_html(_PLACE.sub(lambda at: at[1] or at[2], theorem.assumes))}.")
    else:
        parts.append("What is assumed of the target depends on what the learner is told: `bound` puts it into words.")
    for name, quote in quoted.learners.items():
        own = [formula_html(condition.text) for condition in quote.conditions]
        if own and (len(quoted.learners) == 1 or name == next(iter(quoted.learners)) or quote is not theorem):
            who = "" if len(quoted.learners) == 1 else f" (`{name}`)"
            parts.append("\n".join([f"It must hold{who}:", "", *(f"- {line}" for line in own)]))
    parts.append(f"The formula uses: {', '.join(f'`{need}`' for need in theorem.needs if not need.startswith('_'))}.")
    parts += ["## Idea and game", note.replace("](", "](../").replace("](../http", "](http")]
    if quoted.lemmas:
        parts.append("## Lemmas that a game checks (`lemmas=True`)")
        parts.append(
            "\n".join(
                f"- {lemma.name} ({source(lemma.source)}): {formula_html(lemma.statement)}" for lemma in quoted.lemmas
            )
        )
    parts.append("## Who quotes it")
    names = [f"[`{name}`](../reference/learners.md#{name})" for name in quoted.learners]
    parts.append(", ".join(names) + ". From Python: `learner.bound(...)`, `mb.play(..., assume=...)`.")
    return "\n\n".join(parts) + "\n"


def source(text: str) -> str:
    return text.replace("docs/theorems.md", "[the proof](../theorems.md)")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
