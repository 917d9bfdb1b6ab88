"""The agnostic learner and overfitting, against the definitions."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb

CUBE = list(product((0, 1), repeat=3))
H = list(mb.concepts.Conjunctions(3))
examples = st.lists(st.tuples(st.sampled_from(CUBE), st.integers(0, 1)), max_size=8)


@given(examples)
def test_least_training_error(shown) -> None:
    errors = [mb.theory.training_error(h, shown) for h in H]
    found = mb.theory.least_training_error(iter(H), iter(shown))
    assert found.training_error == min(errors)
    assert found.hypothesis == H[errors.index(min(errors))]


def test_an_empty_class_has_no_best() -> None:
    with pytest.raises(mb.BadParameter, match="at least one concept"):
        mb.theory.least_training_error([], [])


@given(st.sampled_from(H), st.sampled_from(H), examples)
def test_overfitting_is_decided_by_its_definition(h, target, shown) -> None:
    def errors(g):
        return mb.theory.training_error(g, shown), mb.theory.true_error(g, target, CUBE)

    train, true = errors(h)
    better = [g for g in H if errors(g)[0] > train and errors(g)[1] < true]
    found = mb.theory.overfits(h, iter(H), iter(shown), target, iter(CUBE))
    if not better:
        assert found is None
        return
    assert found.better in better
    assert errors(found.better) == (found.training[1], found.true[1])
    assert (found.training[0], found.true[0]) == (train, true)
    assert found.true[1] == min(errors(g)[1] for g in better)


def test_a_distribution_may_be_weighted() -> None:
    parse = mb.concepts.parse
    shown = [((1, 1, 0), 1), ((1, 0, 1), 0)]
    certain = {(1, 1, 0): 1}
    assert mb.theory.overfits(parse("x1 & ~x3"), H, shown, parse("x1"), certain) is None  # it makes no true error there
    assert str(mb.theory.overfits(parse("x1 & ~x3"), H, shown, parse("x1"), CUBE).better) == "all of (x1)"
