"""Trials: a learner predicts, hears the label, and a ledger counts the mistakes."""

from __future__ import annotations

from typing import Any

import mistakebound as mb
from mistakebound.course.marking import Exercise, equals, predicts_as

_GAME = [((1, 0, 0, 0), 1), ((1, 0, 0, 0), 1), ((0, 1, 0, 0), 0), ((1, 0, 0, 0), 1), ((1, 1, 0, 0), 1)]
_TARGET = "x1 | x3"
_SHOWN = [((1, 1, 0, 0), 0), ((0, 1, 1, 1), 1)]


def _mistakes() -> int:
    return mb.play(mb.Winnow1(n=4, labels=(0, 1)), _GAME).mistakes


def _best() -> str:
    learners = {
        "perceptron": mb.Perceptron(labels=(0, 1)),
        "winnow": mb.Winnow1(n=200, labels=(0, 1)),
        "elimination": mb.learners.DisjunctionElimination(n=200, labels=(0, 1)),
    }
    found = {}
    for name, learner in learners.items():
        found[name] = mb.play(learner, mb.teachers.RandomTarget("x3 | x17", n=200, trials=500, seed=1)).mistakes
    return min(found, key=lambda name: found[name])


def _three_mistakes(examples: Any) -> str:
    target = mb.concepts.parse(_TARGET)
    if len(examples) > 4 or any(len(x) != 3 for x, _ in examples):
        return "There must be at most four examples of three attributes each."
    for x, label in examples:
        if target(x) != label:
            return f"{''.join(map(str, x))} has the label {target(x)}."
    made = mb.play(mb.Winnow1(n=3, labels=(0, 1)), list(examples)).mistakes
    return "" if made >= 3 else f"These force {made} mistakes."


def _elimination() -> Any:
    learner = mb.learners.DisjunctionElimination(n=4, labels=(0, 1))
    mb.play(learner, _SHOWN)
    return learner


EXERCISES = (
    Exercise(
        "trials-1",
        "Winnow1 over 4 attributes (weights 1 at the start, threshold 4, doubling) meets, in this order, 1000 "
        "with label 1, 1000 with label 1, 0100 with label 0, 1000 with label 1 and 1100 with label 1. How many "
        "mistakes does it make?",
        "integer",
        equals(_mistakes),
        ("It predicts 1 where the active weights sum to more than 4.", "Write down the weight of x1 after each trial."),
    ),
    Exercise(
        "trials-2",
        "Three learners play 500 trials against the target x3 | x17 among 200 attributes (a tenth of them on, "
        "seed 1): the perceptron, Winnow1 with n = 200, and the elimination algorithm for disjunctions. Which "
        "makes the fewest mistakes?",
        "choice",
        equals(_best),
        ("Play it: mb.play with mb.teachers.RandomTarget.", "Compare the `mistakes` of the three ledgers."),
        ("perceptron", "winnow", "elimination"),
    ),
    Exercise(
        "trials-3",
        "The target is x1 | x3 among three attributes. Give at most four examples, with the right labels, in "
        "which Winnow1 with n = 3 makes at least three mistakes.",
        "examples",
        _three_mistakes,
        (
            "The threshold is 3 and a weight that was doubled once is 2.",
            "x1 alone costs two mistakes before it is found. Then begin again with x3.",
        ),
    ),
    Exercise(
        "trials-4",
        "The elimination algorithm for monotone disjunctions over 4 attributes has seen 1100 with label 0 and "
        "0111 with label 1. Write down its hypothesis.",
        "formula",
        predicts_as(_elimination, 4),
        (
            "At the start it holds all four attributes.",
            "An instance with label 0 strikes out every attribute that is on.",
        ),
    ),
)
