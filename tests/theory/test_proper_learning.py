"""Proper learning: declared classes of hypotheses, checked in all states; improper learners with a witness."""

from __future__ import annotations

from typing import Any

import pytest

import mistakebound as mb
from mistakebound.theory import properness


@pytest.mark.parametrize(
    ("learner", "text"),
    [
        (mb.learners.DisjunctionElimination(3), "monotone-disjunctions n=3"),
        (mb.learners.ConjunctionElimination(3), "conjunctions n=3 contradiction"),
        (mb.Winnow1(n=2), "linear-thresholds n=2"),
    ],
)
def test_what_is_declared_is_true(learner: Any, text: str) -> None:
    found = properness(learner, text)
    assert found.proper
    assert learner.hypothesis_class == text.split()[0]
    assert found.examples == ()


def replay(learner: Any, found: Any, concepts: Any) -> None:
    """The examples are those of a concept, and lead to the labels, which no concept has."""
    for x, label in found.examples:
        learner.learn_one(x, label)
    finite = concepts.finite()
    said = tuple(int(learner.predict_one(x)) for x in finite.instances)
    assert said == found.labels
    assert said not in {finite.labels(c) for c in range(finite.size)}
    assert any(all(c(x) == label for x, label in found.examples) for c in concepts)


@pytest.mark.parametrize(
    ("learner", "text"),
    [
        (mb.Winnow1(n=3, labels=(0, 1)), "monotone-disjunctions n=3"),
        (mb.Halving("monotone-disjunctions n=3", labels=(0, 1)), "monotone-disjunctions n=3"),
        (mb.learners.StandardOptimalAlgorithm("conjunctions n=2", labels=(0, 1)), "conjunctions n=2"),
        (mb.learners.ConjunctionElimination(3, labels=(0, 1)), "conjunctions n=3"),  # it begins with the contradiction
    ],
)
def test_improper_learners_have_a_witness(learner: Any, text: str) -> None:
    found = properness(learner, text)
    assert found.proper is False
    replay(learner.copy(), found, mb.concepts.parse_class(text))


def test_past_the_limit_nothing_is_said() -> None:
    assert properness(mb.learners.DisjunctionElimination(3), "monotone-disjunctions n=3", limit=2).proper is None


def test_every_learner_declares_what_it_is() -> None:
    table = mb.inspection.compare_methods()
    assert [row[0] for row in table.rows] == list(mb.learners.names())
    for row in table.rows:
        assert all(row), row
        assert all(len(cell) <= 60 for cell in row)
    kinds = [row[1] for row in table.rows]
    assert {"linear-thresholds", "half-spaces", "decision-trees"} <= set(kinds)
    assert table.markdown().count("\n") == len(table.rows) + 1
    assert table.latex().startswith(r"\begin{tabular}{lllll}")
    lines = str(table).splitlines()
    assert max(map(len, lines)) <= 80
    assert "..." not in str(table)  # cells are broken at their words, not cut
    words = set(str(table).split())
    assert all(word in words or "-" in word for row in table.rows for cell in row for word in cell.split())
    with pytest.raises(mb.BadParameter, match="a property must be one of"):
        mb.inspection.compare_methods(properties=["price"])
