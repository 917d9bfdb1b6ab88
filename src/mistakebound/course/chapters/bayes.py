"""Bayesian learning: posteriors, the most probable hypothesis, naive Bayes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mistakebound as mb
from mistakebound.course.marking import Exercise, equals, near

_COINS = {"fair": Fraction(1, 2), "bent": Fraction(3, 4), "two-headed": Fraction(1)}
_PRIOR = [Fraction(8, 10), Fraction(15, 100), Fraction(5, 100)]
_MAILS = [("free", "no", "spam"), ("free", "yes", "spam"), ("free", "no", "ham"), ("paid", "yes", "ham"),
          ("paid", "yes", "ham")]  # fmt: skip


def _heads(toss: str, coin: str) -> Fraction:
    return _COINS[coin] if toss == "H" else 1 - _COINS[coin]


def _disease() -> Any:
    chances = {"ill": Fraction(9, 10), "well": Fraction(1, 20)}
    found = mb.bayes.posterior(
        ["ill", "well"], [Fraction(1, 100), Fraction(99, 100)], lambda test, h: chances[h], ["positive"]
    )
    return found["ill"]


def _share() -> Any:
    examples = [((1, 0), 0), ((1, 1), 1)]
    found = mb.bayes.posterior(mb.concepts.MonotoneConjunctions(2), None, None, examples)
    return max(p for _, p in found)


def _spam() -> float:
    learner = mb.NaiveBayes(m=0)
    for offer, known, label in _MAILS:
        learner.learn_one({"offer": offer, "known": known}, label)
    return float(learner.predict_proba_one({"offer": "free", "known": "yes"})["spam"])


EXERCISES = (
    Exercise(
        "bayes-1",
        "One person in a hundred is ill. A test is positive for 9 of 10 who are ill and for 1 of 20 who are well."
        " The test of a person drawn at random is positive. With which probability is this person ill?",
        "number",
        near(_disease),
        ("P(ill | positive) = P(positive | ill) P(ill) / P(positive).", "P(positive) is 0.009 + 0.0495."),
    ),
    Exercise(
        "bayes-2",
        "A coin is fair with probability 0.8, bent (heads with 3/4) with 0.15 and two-headed with 0.05. It shows heads "
        "three times in a row. Which hypothesis is the most probable now (MAP)?",
        "choice",
        equals(lambda: mb.bayes.map_hypothesis(list(_COINS), _PRIOR, _heads, "HHH")),
        ("Multiply each prior by the chance of three heads.", "The evidence is the same for all: leave it out."),
        tuple(_COINS),
    ),
    Exercise(
        "bayes-3",
        "The hypotheses are the monotone conjunctions of x1 and x2, all equally probable, and labels have no "
        "noise. The examples are 10 with label 0 and 11 with label 1. What is the posterior probability of each "
        "hypothesis that is left?",
        "number",
        near(_share),
        ("Which of true, x1, x2, x1 & x2 agree with both examples?", "Those share the probability equally."),
    ),
    Exercise(
        "bayes-4",
        "Five mails, with offer, whether the sender is known, and the label: free, no, spam; free, yes, spam; "
        "free, no, ham; paid, yes, ham; paid, yes, ham. What probability does naive Bayes with plain relative "
        "frequencies give to spam for a mail with a free offer from a known sender?",
        "number",
        near(_spam),
        ("For each class: its share of the mails, times the two shares within the class.", "2/5 * 1 * 1/2 for spam."),
    ),
)
