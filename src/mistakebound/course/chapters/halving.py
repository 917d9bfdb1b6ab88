"""Mistake trees and halving: the best bound that any algorithm can have."""

from __future__ import annotations

import mistakebound as mb
from mistakebound.course.marking import Exercise, equals

_CLASS = "monotone-disjunctions n=4 k=2"


def _root(row: tuple[int, ...]) -> str:
    if len(row) != 4:
        return "An instance has four attributes."
    C = mb.concepts.parse_class(_CLASS).finite()
    best = mb.opt(C).value
    assert best is not None
    rows = [C.labels(c) for c in range(C.size)]
    for label in (0, 1):
        left = [labels for labels in rows if labels[C.position(row)] == label]
        value = mb.opt(mb.concepts.FiniteClass(left)).value if left else -1
        if value is None or value < best - 1:
            return f"The label {label} leaves a class with opt = {value}; opt of the whole is {best}."
    return ""


def _small_class(rows: tuple[tuple[int, ...], ...]) -> str:
    if len({*rows}) != 4 or any(len(row) != 3 for row in rows):
        return "There must be four different rows of three labels."
    C = mb.concepts.FiniteClass(rows)
    vc, opt = mb.theory.vc_dimension(C).value, mb.opt(C).value
    return "" if (vc, opt) == (1, 2) else f"This class has VC dimension {vc} and opt {opt}."


EXERCISES = (
    Exercise(
        "halving-1",
        "How many mistakes can the halving algorithm make at most when the target is a monotone disjunction of at"
        " most 2 of 10 attributes?",
        "integer",
        equals(lambda: mb.Halving("monotone-disjunctions n=10 k=2").bound().mistakes),
        ("Count the class: none, one or two of ten attributes.", "Every mistake halves what is left."),
    ),
    Exercise(
        "halving-2",
        "What is opt of the class of thresholds over 15 points (sixteen functions: the points above some place are 1)?",
        "integer",
        equals(lambda: mb.opt("thresholds m=15").value),
        (
            "Ask the point in the middle: how many thresholds does each answer leave?",
            "A complete mistake tree asks as a binary search does.",
        ),
    ),
    Exercise(
        "halving-3",
        f"Which instance may stand at the root of a mistake tree of opt(C) levels, for C = {_CLASS}? Whatever the "
        "label, opt of what is left must be only one less.",
        "row",
        _root,
        (
            "opt(C) is 3: both labels must leave a class with opt 2.",
            "An instance with all attributes on leaves little.",
        ),
    ),
    Exercise(
        "halving-4",
        "Give a class of four concepts on three instances whose VC dimension is 1 and whose opt is 2: four rows "
        "of three labels.",
        "rows",
        _small_class,
        ("No two instances may have all four pairs of labels.", "Think of thresholds over three points."),
    ),
)
