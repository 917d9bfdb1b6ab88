"""Units and networks: what one unit can say, and how gradient descent moves its weights."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import mistakebound as mb
from mistakebound.course.marking import Exercise, equals, near

_FUNCTIONS = {
    "x1 & ~x2": "x1 & ~x2",
    "x1 xor x2": "(x1 & ~x2) | (~x1 & x2)",
    "2 of (x1, x2, x3)": "2 of (x1, x2, x3)",
    "x1 | (x2 & x3)": "x1 | (x2 & x3)",
}


def _not_a_unit() -> str:
    for name, text in _FUNCTIONS.items():
        concept = mb.concepts.parse(text)
        rows = list(product((0, 1), repeat=len(concept.attributes)))
        if not mb.theory.linearly_separable(rows, [concept(x) for x in rows]).separable:
            return name
    raise AssertionError("one of them must not be separable")


def _weights(answer: tuple[Fraction, ...]) -> str:
    if len(answer) != 3:
        return "There are three numbers: the weights of x1 and x2, and the threshold."
    concept = mb.concepts.parse("x1 & ~x2")
    for x in product((0, 1), repeat=2):
        total = answer[0] * x[0] + answer[1] * x[1]
        if int(total > answer[2]) != concept(x):
            return f"For {''.join(map(str, x))} the unit says {int(total > answer[2])}."
    return ""


def _step() -> float:
    unit = mb.learners.LinearUnit(rule="gradient", eta=0.1)
    unit.fit([[1.0, 2.0], [3.0, 1.0]], [1.0, 2.0], epochs=1)
    return float(unit.weights[0][0][1])


def _count() -> int:
    network = mb.learners.Network([8, 3, 8]).fit([[0.0] * 8], [[0.0] * 8], epochs=1)
    return sum(layer.size for layer in network.weights)


EXERCISES = (
    Exercise(
        "networks-1",
        "Which of these functions can no single unit with a threshold represent?",
        "choice",
        equals(_not_a_unit),
        ("Draw the four corners of the square.", "mb.theory.linearly_separable gives the reason."),
        tuple(_FUNCTIONS),
    ),
    Exercise(
        "networks-2",
        "Give weights w1, w2 and a threshold t so that w1*x1 + w2*x2 > t exactly where x1 & ~x2 is true (x1, x2 "
        "are 0 or 1). Write the three numbers w1, w2, t.",
        "numbers",
        _weights,
        ("x2 speaks against it: its weight is negative.", "Only 10 may be above the threshold."),
    ),
    Exercise(
        "networks-3",
        "A linear unit o = w0 + w1*x1 + w2*x2 has all weights 0. The examples are (1, 2) with target 1 and (3, 1)"
        " with target 2. What is w1 after one step of gradient descent on all examples with rate 0.1 (each weight"
        " moves by the rate times the sum of (t - o) times its input)?",
        "number",
        near(_step),
        ("All outputs are 0, so t - o is t.", "Add t times x1 over the examples, and take a tenth."),
    ),
    Exercise(
        "networks-4",
        "How many weights, those of the constant inputs included, has a network with 8 inputs, one hidden layer "
        "of 3 units and 8 outputs?",
        "integer",
        equals(_count),
        ("Each hidden unit has 8 weights and one of the constant input.", "Each output has 3 and one."),
    ),
)
