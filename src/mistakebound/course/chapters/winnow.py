"""Winnow: few relevant attributes among many."""

from __future__ import annotations

from typing import Any

import mistakebound as mb
from mistakebound.course.marking import Exercise, equals, near

_HIDDEN = "monotone-disjunctions n=100 k=3 exactly"


def _weight() -> float:
    learner = mb.Winnow1(n=8, labels=(0, 1))
    for attributes, label in (({"3"}, 1), ({"3", "5"}, 1), ({"5"}, 1), ({"2", "3"}, 1)):
        learner.learn_one(attributes, label)
    return learner.weight("3")


def _worst(examples: Any) -> str:
    if any(len(x) != 4 for x, _ in examples):
        return "Every example must have four attributes."
    C = mb.concepts.MonotoneDisjunctions(4, 1)
    if not any(all(c(x) == label for x, label in examples) for c in C):
        return "No single attribute (nor the constant 0) agrees with all of these labels."
    most = mb.theory.worst_case(mb.Winnow1(n=4, labels=(0, 1)), C).value
    made = mb.play(mb.Winnow1(n=4, labels=(0, 1)), list(examples)).mistakes
    return "" if made == most else f"These force {made} mistakes; {most} are possible."


def _relevant(names: tuple[str, ...]) -> str:
    """The attributes of a target that nobody has seen, to be read off the heaviest weights."""
    learner = mb.Winnow2(n=100, labels=(0, 1))
    mb.play(learner, mb.teachers.RandomTarget(_HIDDEN, n=100, trials=600, seed=3))
    heaviest = {name for name, _ in learner.top(3)}
    given = {name.removeprefix("x") for name in names}
    if given == heaviest:
        return ""
    return f"{len(given & heaviest)} of these are among the three heaviest."


EXERCISES = (
    Exercise(
        "winnow-1",
        "Winnow1 with n = 8 (threshold 8, doubling) sees, each with label 1: x3 alone, x3 and x5, x5 alone, x2 "
        "and x3. What is the weight of x3 then?",
        "number",
        near(_weight),
        (
            "A sum of active weights of at most 8 is a mistake here.",
            "Every mistake doubles the weights that are active.",
        ),
    ),
    Exercise(
        "winnow-2",
        "Winnow1 with alpha = 2 and threshold n = 64 (it predicts 1 where the sum is >= n) learns a monotone "
        "disjunction of 3 of 64 attributes. How many mistakes does its best bound allow?",
        "integer",
        equals(lambda: mb.Winnow1(n=64, rule=">=").bound(k=3).mistakes),
        ("2 k log2(2n) + 1.", "log2 of 128 is 7."),
    ),
    Exercise(
        "winnow-3",
        "Give examples over 4 attributes, labelled by a single attribute or by the constant 0, in which Winnow1 "
        "with n = 4 makes as many mistakes as it ever can on such a target.",
        "examples",
        _worst,
        (
            "mb.theory.worst_case says how many that are.",
            "Let the relevant attribute be promoted, and bring the others in where they can be made to err.",
        ),
    ),
    Exercise(
        "winnow-4",
        "A class stands for a target that is drawn from it. Winnow2 with n = 100 plays "
        f"mb.teachers.RandomTarget('{_HIDDEN}', n=100, trials=600, seed=3). "
        "Which three attributes are the heaviest in the end? Play it and read them off the weights.",
        "values",
        _relevant,
        ("mb.play(learner, teacher), then learner.top(3).", "Compare them with teacher.target."),
    ),
)
