"""Concept learning: hypotheses from specific to general, and the version space between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import mistakebound as mb
from mistakebound.course.marking import Exercise, equals

_ATTRIBUTES = {"sky": ["dry", "wet"], "wind": ["calm", "strong"], "water": ["warm", "cold"]}
_DAYS = [(("dry", "calm", "warm"), 1), (("dry", "strong", "warm"), 1), (("wet", "calm", "cold"), 0)]
_WORDS = "dry, calm, warm (yes); dry, strong, warm (yes); wet, calm, cold (no)"
_FIRST = _DAYS[:1] + _DAYS[2:]


def _learned(learner: Any, days: Sequence[tuple[tuple[str, ...], int]]) -> Any:
    for x, label in days:
        learner.learn_one(list(x), label)
    return learner


def _find_s(answer: tuple[str, ...]) -> str:
    learner = _learned(mb.learners.FindS(_ATTRIBUTES), _DAYS)
    if len(answer) != 3:
        return "A hypothesis has three constraints: of sky, wind and water."
    for x in product(*_ATTRIBUTES.values()):
        covered = all(want in ("?", value) for want, value in zip(answer, x, strict=True))
        if covered != bool(learner.predict_one(list(x))):
            return f"Find-S says {'yes' if not covered else 'no'} to {', '.join(x)}."
    return ""


def _space(days: Sequence[tuple[tuple[str, ...], int]]) -> Any:
    return _learned(mb.learners.CandidateElimination(_ATTRIBUTES), days).version_space


def _question(answer: tuple[str, ...]) -> str:
    space = _space(_FIRST)
    if len(answer) != 3 or any(v not in known for v, known in zip(answer, _ATTRIBUTES.values(), strict=False)):
        return "A day has three values: of sky, wind and water."
    vote = space.vote(list(answer))
    return "" if vote.share == 0.5 else f"{vote} hypotheses say yes."


EXERCISES = (
    Exercise(
        "concepts-1",
        f"A day has a sky (dry, wet), a wind (calm, strong) and water (warm, cold). Find-S sees {_WORDS}. Which "
        "hypothesis does it end with? Write one constraint per attribute, ? where any value will do.",
        "values",
        _find_s,
        ("It begins with the first positive day.", "A value that two positive days do not share becomes ?."),
    ),
    Exercise(
        "concepts-2",
        "Attributes have 2, 3 and 2 values. How many different functions are conjunctions of constraints (a "
        "value, or ?) on them, the one that is never true included?",
        "integer",
        equals(lambda: mb.concepts.AttributeConjunctions({"a": list("01"), "b": list("012"), "c": list("01")}).count()),
        ("An attribute with v values has v + 1 constraints that can be met.", "Everything unmeetable is one function."),
    ),
    Exercise(
        "concepts-3",
        "The days of concepts-1 again: dry, calm, warm (yes) and wet, calm, cold (no), and nothing else yet. How many "
        "conjunctions of constraints are in the version space?",
        "integer",
        equals(lambda: _space(_FIRST).size),
        (
            "All of them cover the first day: each constraint is its value or ?.",
            "Of these eight, strike out the ones that cover the second day too.",
        ),
    ),
    Exercise(
        "concepts-4",
        "Which day would you ask about next, after the two of concepts-3, so that the answer halves the version space "
        "whatever it is?",
        "values",
        _question,
        (
            "Half of the hypotheses must say yes to it.",
            "It must share what most hypotheses ask for with the positive day, and differ elsewhere.",
        ),
    ),
)
