from __future__ import annotations

import mistakebound as mb
from mistakebound.core.ledger import Ledger
from mistakebound.report.ledger_text import bound_in_words, count_of_mistakes, found_among_heaviest, ledger_facts


def test_bound_in_words():
    learner = mb.Winnow1(n=4)
    assert bound_in_words(learner.bound(k=1)).startswith("7 by Littlestone 1988, Theorem 7: mistakes <= ")
    assert bound_in_words(None) == "none, because nothing is assumed about the target"
    assert bound_in_words(learner.bound()).endswith(": k must be given")
    assert bound_in_words(mb.Perceptron().bound(margin=0.5, radius=3)).startswith(
        "36 by the perceptron theorem (Novikoff"
    )


def test_found_among_heaviest():
    learner = mb.Perceptron()
    learner.learn_one({"a": 3, "b": 2, "c": 1}, 1)
    assert found_among_heaviest(learner, ["c", "a"]) == ["a"]
    assert found_among_heaviest(learner, []) == []


def test_account_of_nothing():
    found = ledger_facts(mb.Winnow2(), Ledger())
    assert (found["trials"], found["bound"], found["theorem"], found["error_rate"]) == (0, None, None, 0.0)
    assert count_of_mistakes(Ledger()) == "0 (0.00 %): 0 false positives, 0 false negatives"
