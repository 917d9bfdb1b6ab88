"""The perceptron: a line that turns a little at every mistake."""

from __future__ import annotations

from fractions import Fraction

import mistakebound as mb
from mistakebound.course.marking import Exercise, equals

_POINTS = [((1, 1), 1), ((2, 3), 1), ((-1, 1), 0), ((0, -1), 0)]
_AND = [((0, 0), 0), ((0, 1), 0), ((1, 0), 0), ((1, 1), 1)]


def _mistakes() -> int:
    return mb.play(mb.Perceptron(labels=(0, 1)), _POINTS).mistakes


def _separates(answer: tuple[Fraction, ...]) -> str:
    if len(answer) != 3:
        return "There are three numbers: w1, w2 and the bias b."
    for (a, b), label in _POINTS:
        value = answer[0] * a + answer[1] * b + answer[2]
        if (value > 0) != bool(label) or not value:
            return f"At ({a}, {b}) the sum is {value}, and the label is {label}."
    return ""


def _passes() -> int:
    return mb.arena.play_passes(mb.Perceptron(labels=(0, 1)), _AND, max_passes=100).passes


EXERCISES = (
    Exercise(
        "perceptron-1",
        "The perceptron starts with weights and bias 0 and predicts 1 where w.x + b > 0. It is shown (1, 1) with "
        "label 1, (2, 3) with 1, (-1, 1) with 0 and (0, -1) with 0. How many mistakes does it make?",
        "integer",
        equals(_mistakes),
        ("At a mistake, add x to w and 1 to b (label 1), or subtract them (label 0).", "A sum of 0 predicts 0."),
    ),
    Exercise(
        "perceptron-2",
        "Extended instances (x, 1) have a length of at most 2, and a unit vector separates them with margin 1/2. "
        "How many mistakes can the perceptron make at most?",
        "integer",
        equals(lambda: mb.Perceptron(labels=(0, 1)).bound(margin=0.5, radius=2).mistakes),
        ("(R / margin)^2.", "Four squared."),
    ),
    Exercise(
        "perceptron-3",
        "Give w1, w2 and b with w1*x1 + w2*x2 + b > 0 at (1, 1) and (2, 3), and < 0 at (-1, 1) and (0, -1).",
        "numbers",
        _separates,
        ("Look at x1 first: the positive points have 1 and 2, the negative ones -1 and 0.", "A vertical line will do."),
    ),
    Exercise(
        "perceptron-4",
        "The perceptron goes over 00, 01, 10 (label 0) and 11 (label 1) in this order, again and again, from "
        "weights of 0. How many passes does it make until one has no mistake, that one included?",
        "integer",
        equals(_passes),
        ("mb.arena.play_passes counts them.", "The last pass is the one that changes nothing."),
    ),
)
