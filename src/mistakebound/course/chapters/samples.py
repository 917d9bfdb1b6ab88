"""Computational learning theory: true errors, sample sizes, shattering."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import mistakebound as mb
from mistakebound.course.marking import Exercise, equals, near

_HALF_PLANES = "half-spaces d=2"


def _error() -> Fraction:
    return mb.theory.true_error("x1 | x2", "x1", product((0, 1), repeat=3))


def _shattered(points: tuple[tuple[Fraction, ...], ...]) -> str:
    if len(points) != 3 or any(len(point) != 2 for point in points) or len({*points}) != 3:
        return "There must be three different points, with two numbers each."
    found = mb.theory.shatters(_HALF_PLANES, points)
    return "" if found else "Some subset of them is cut off by no half-plane."


EXERCISES = (
    Exercise(
        "samples-1",
        "The target is x1, the hypothesis is x1 | x2, and all instances of three attributes are equally likely. "
        "What is the true error of the hypothesis?",
        "number",
        near(_error),
        ("On which instances do the two differ?", "Where x1 is 0 and x2 is 1."),
    ),
    Exercise(
        "samples-2",
        "A class has 3^10 hypotheses. How many examples are enough for every consistent hypothesis to have a true"
        " error below 0.1 with probability at least 0.95?",
        "integer",
        equals(lambda: mb.sample_size(3**10, 0.1, 0.05)),
        ("m >= (ln |H| + ln 1/delta) / epsilon.", "Round up."),
    ),
    Exercise(
        "samples-3",
        "Give three points of the plane that half-planes shatter.",
        "points",
        _shattered,
        (
            "Three points on a line will not do: the middle one alone cannot be cut off.",
            "Take the corners of a triangle.",
        ),
    ),
    Exercise(
        "samples-4",
        "What is the VC dimension of the class of all intervals (sets of neighbouring points, the empty set "
        "included) among 8 points on a line?",
        "integer",
        equals(lambda: mb.theory.vc_dimension("intervals m=8").value),
        ("Can two points be labelled in all four ways?", "With three points, try to leave out the middle one."),
    ),
)
