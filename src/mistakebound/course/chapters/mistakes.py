"""The mistake-bound model: elimination, decision lists, and equivalence queries."""

from __future__ import annotations

from typing import Any

import mistakebound as mb
from mistakebound.course.marking import Exercise, equals, predicts_as

_SEEN = [((1, 0, 0, 1), 1), ((1, 1, 0, 1), 1)]


def _elimination() -> Any:
    learner = mb.learners.ConjunctionElimination(n=4, labels=(0, 1))
    mb.play(learner, _SEEN)
    return learner


def _worst(examples: Any) -> str:
    C = mb.concepts.Conjunctions(3)
    if any(len(x) != 3 for x, _ in examples):
        return "Every example must have three attributes."
    if not any(all(c(x) == label for x, label in examples) for c in C):
        return "No conjunction of literals agrees with all of these labels."
    learner = mb.learners.ConjunctionElimination(n=3, labels=(0, 1))
    made, most = mb.play(learner, list(examples)).mistakes, learner.bound().mistakes
    return "" if made == most else f"These force {made} mistakes of {most}."


def _questions() -> int:
    most = mb.learners.ConjunctionElimination(n=6).bound().mistakes
    assert most is not None
    return most + 1


EXERCISES = (
    Exercise(
        "mistakes-1",
        "The target is a conjunction of 5 literals over 20 attributes. How many mistakes can the elimination "
        "algorithm for conjunctions make at most, if the size of the target is put to use?",
        "integer",
        equals(lambda: mb.learners.ConjunctionElimination(n=20).bound(literals=5).mistakes),
        (
            "It begins with all 2n literals, and the first mistake removes n of them.",
            "Every later mistake removes one at least, and the 5 of the target stay.",
        ),
    ),
    Exercise(
        "mistakes-2",
        "The elimination algorithm for conjunctions over 4 attributes begins with all literals and their "
        "negations. It is shown 1001 with label 1, then 1101 with label 1. Write down its hypothesis.",
        "formula",
        predicts_as(_elimination, 4),
        ("The first example leaves x1 & ~x2 & ~x3 & x4.", "The second removes the literals that are false in it."),
    ),
    Exercise(
        "mistakes-3",
        "Give examples over three attributes, labelled by some conjunction of literals, in which the elimination "
        "algorithm makes as many mistakes as its bound allows.",
        "examples",
        _worst,
        (
            "All labels may be 1: then the target is the conjunction of nothing.",
            "After the first, flip one bit at a time.",
        ),
    ),
    Exercise(
        "mistakes-4",
        "The elimination algorithm for conjunctions of 6 attributes is used to ask equivalence queries. With how many "
        "queries, the last one included that is answered with yes, does it always identify the target?",
        "integer",
        equals(_questions),
        ("Every query that is answered with no is a mistake.", "The bound is n + 1 mistakes. One query more is right."),
    ),
)
