"""The exact worst case of every learner on small classes, beside its theorem's bound and opt(C).

`--write docs/exact_theory.md` puts the table into that page, between its two marks. A worst case that needs more
states than `--limit` is not computed; halving's is then found by its own search, and that of the standard optimal
algorithm is what its theorem says.

All learners but that of decision lists treat attributes alike, so that two targets which differ only by the names of
their attributes are worth the same: one of each kind is enough (tests/theory/test_worst_case.py holds this against all
targets).
"""

from __future__ import annotations

import argparse
from math import inf, sqrt
from pathlib import Path
from typing import Any

import mistakebound as mb
from mistakebound.concepts import Conjunctions, DecisionLists, MonotoneDisjunctions

MOST_SETS = 3000  # of concepts, as states of the two learners whose worst cases are known without them
BEGIN, END = "<!-- worst cases: begin -->", "<!-- worst cases: end -->"


def disjunction_learners(n: int, concepts: Any) -> list[tuple[str, Any]]:
    learners = [
        ("Winnow1 (Littlestone), α=2, θ=n, >", mb.Winnow1(n=n)),
        ("Winnow1 (Chan), α=2, θ=n, ≥", mb.Winnow1(n=n, theta=n, rule=">=")),
        ("Winnow1 (Chandola), α=2, θ=n/2, ≥", mb.Winnow1(n=n, theta=max(1, n / 2), rule=">=")),
        ("Winnow2, α=3/2, θ=n, >", mb.Winnow2(n=n)),
        ("disjunction elimination", mb.learners.DisjunctionElimination(n=n)),
        ("perceptron", mb.Perceptron()),
    ]
    return learners + finite_learners(concepts)


def one_of_each_kind(concepts: Any) -> list[Any]:
    """The first concept with so many plain literals and so many negated ones."""
    kinds: dict[tuple[int, int], Any] = {}
    for concept in concepts:
        plain = sum(literal.positive for literal in concept.literals)
        kinds.setdefault((plain, len(concept.literals) - plain), concept)
    return list(kinds.values())


def finite_learners(concepts: Any) -> list[tuple[str, Any]]:
    return [
        ("halving (Littlestone)", mb.Halving(concepts)),
        ("standard optimal", mb.learners.StandardOptimalAlgorithm(concepts)),
    ]


def settings(largest: int) -> list[tuple[str, Any, list[tuple[str, Any]], dict[str, Any]]]:
    """Name of the class, the class, learners, facts for their theorems."""
    rows = []
    for n in range(2, largest + 1):
        for k in (1, 2):
            concepts = MonotoneDisjunctions(n, k)
            # The perceptron's theorem: weights 2 and bias -1 separate a disjunction of k literals by 1 on each side.
            facts = {"k": k, "radius": sqrt(n + 1), "margin": 1 / sqrt(4 * k + 1)}
            rows.append((f"C_{k}, n={n}", concepts, disjunction_learners(n, concepts), facts))
    for n in range(2, largest + 1):
        conjunctions = Conjunctions(n)
        learners = [
            ("conjunction elimination", mb.learners.ConjunctionElimination(n=n)),
            *finite_learners(conjunctions),
        ]
        rows.append((f"conjunctions, n={n}", conjunctions, learners, {"n": n}))
    for n in range(2, min(largest, 4) + 1):
        lists = DecisionLists(n)
        learners = [("decision lists", mb.learners.DecisionListLearner(n=n))] + (
            finite_learners(lists) if n == 2 else []
        )
        rows.append((f"1-decision lists, n={n}", lists, learners, {"n": n}))
    return rows


def bound_of(learner: Any, facts: dict[str, Any], concepts: Any) -> str:
    """The bound of the learner's theorem over the whole class, where one applies."""
    told = {name: value for name, value in facts.items() if name in learner.assumable}
    if "rules" in learner.assumable:  # of the longest list that the class needs, with the default
        told["rules"] = max(len(concept.rules) for concept in concepts) + 1
    bound = learner.bound(**told)
    return "" if bound.mistakes is None else f"{bound.mistakes:,}"


def without_states(learner: Any, concepts: Any) -> str:
    """A worst case that is known without going through the states, where there is one."""
    if isinstance(learner, mb.Halving):
        found = mb.theory.halving_worst_case(concepts)
        if not found.verify():
            raise SystemExit(f"halving on {concepts}: the witness does not replay")
        return f"{found.value}, by its own search"
    return (
        f"{mb.opt(concepts).value}, by its theorem"
        if isinstance(learner, mb.learners.StandardOptimalAlgorithm)
        else "not computed"
    )


def in_words(value: float) -> str:
    return "no end" if value == inf else str(value)


def table(largest: int, limit: int) -> list[str]:
    lines = ["| class | learner | bound | worst case | opt(C) | states |", "|---|---|---|---|---|---|"]
    for name, concepts, learners, facts in settings(largest):
        best = mb.opt(concepts).value
        for title, learner in learners:
            kinds = None if isinstance(concepts, DecisionLists) else one_of_each_kind(concepts)
            most = (
                min(limit, MOST_SETS)
                if isinstance(learner, (mb.Halving, mb.learners.StandardOptimalAlgorithm))
                else limit
            )
            found = mb.theory.worst_case(learner, concepts, targets=kinds, limit=most)
            if not found.verify():
                raise SystemExit(f"{title} on {name}: the witness does not replay")
            value = without_states(learner, concepts) if found.value is None else in_words(found.value)
            bound = bound_of(learner, facts, concepts)
            states = f"{found.states:,}" if found.exact else ""
            lines.append(f"| {name} | {title} | {bound} | {value} | {best} | {states} |")
            print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--n", type=int, default=4, help="attributes at most (default: %(default)s)")
    parser.add_argument("--limit", type=int, default=2000, help="states at most (default: %(default)s)")
    parser.add_argument("--write", metavar="FILE", help="a page with the two marks")
    options = parser.parse_args()
    lines = table(options.n, options.limit)
    if options.write:
        page = Path(options.write)
        before, _, rest = page.read_text().partition(BEGIN)
        _, _, after = rest.partition(END)
        page.write_text("\n".join([before + BEGIN, *lines, END]) + after)


if __name__ == "__main__":
    main()
