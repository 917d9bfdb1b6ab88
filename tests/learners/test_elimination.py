"""The two elimination algorithms: twins, bounds, and the sequences that meet them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from naive.conjunction_elimination import NaiveConjunctionElimination
from naive.disjunction_elimination import NaiveDisjunctionElimination

NAMES = ["1", "2", "3", "4", "5"]
kinds = st.sampled_from(
    [
        (mb.learners.ConjunctionElimination, NaiveConjunctionElimination),
        (mb.learners.DisjunctionElimination, NaiveDisjunctionElimination),
    ]
)
trials = st.lists(st.tuples(st.sets(st.sampled_from(NAMES)), st.sampled_from([0, 1, 1])), max_size=30)


def literals(learner: Any) -> set[Any]:
    """What is left in h, over all of NAMES; an attribute that has not appeared counts as off in every example."""
    unseen = [name for name in NAMES if name not in learner.attributes]
    if isinstance(learner, mb.learners.DisjunctionElimination):
        return {*learner.remaining(), *unseen}
    plain, negated = learner.literals()
    both = [] if learner.started else unseen
    return {(n, True) for n in plain + both} | {(n, False) for n in negated + unseen}


@pytest.mark.kernel
@given(kinds, st.sampled_from([5, None]), trials)
def test_twin_agrees(kind: Any, n: int | None, played: Any) -> None:
    learner, twin = kind[0](n, labels=(0, 1)), kind[1](NAMES)
    for active, label in played:
        assert learner.predict_one(active) == twin.predict(active)
        said = twin.learn(active, label)
        if said is None:
            before = learner.hypothesis
            with pytest.raises(mb.NoConsistentHypothesis):
                learner.learn_one(active, label)
            assert learner.hypothesis == before
        else:
            assert learner.learn_one(active, label) == said
        assert literals(learner) == twin.h


@given(st.dictionaries(st.sampled_from(NAMES), st.booleans()), st.lists(st.sets(st.sampled_from(NAMES)), max_size=60))
def test_conjunction_bound_and_invariant(target: dict[str, bool], rows: list[set[str]]) -> None:
    learner, mistakes = mb.learners.ConjunctionElimination(5), 0
    for active in rows:
        label = int(all((name in active) == sign for name, sign in target.items()))
        mistakes += learner.learn_one(active, label) != label
        assert set(target.items()) <= literals(learner)
    assert mistakes <= learner.bound().value == 6
    assert mistakes <= learner.bound(literals=len(target)).value == 6 - len(target)


@given(st.sets(st.sampled_from(NAMES)), st.lists(st.sets(st.sampled_from(NAMES)), max_size=60))
def test_disjunction_bound(target: set[str], rows: list[set[str]]) -> None:
    learner, mistakes = mb.learners.DisjunctionElimination(5), 0
    for active in rows:
        label = int(bool(active & target))
        mistakes += learner.learn_one(active, label) != label
        assert target <= literals(learner)
    assert mistakes <= learner.bound().value == 5


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_bounds_are_met(n: int) -> None:
    """The constant true forces n + 1 on conjunctions, the constant false n on disjunctions."""
    conjunction = mb.learners.ConjunctionElimination(n)
    rows = [set(), *({str(j)} for j in range(1, n + 1))]
    assert sum(conjunction.learn_one(x, 1) != 1 for x in rows) == n + 1 == conjunction.bound().mistakes
    disjunction = mb.learners.DisjunctionElimination(n)
    assert sum(disjunction.learn_one({str(j)}, 0) != 0 for j in range(1, n + 1)) == n == disjunction.bound().mistakes


@pytest.mark.parametrize("n", [1, 2, 3])
def test_with_the_targets_size_the_bound_is_met_too(n: int) -> None:
    for size in range(n + 1):
        learner = mb.learners.ConjunctionElimination(n)
        mistakes = 0
        for bits in sorted(product((0, 1), repeat=n), key=sum):
            if all(bits[:size]):  # target x1 & .. & xsize
                mistakes += learner.learn_one(bits, 1) != 1
        assert mistakes == learner.bound(literals=size).mistakes == n + 1 - size


def test_balcans_example() -> None:
    learner = mb.learners.ConjunctionElimination(4, labels=(0, 1))
    assert learner.learn_one([1, 0, 0, 1], 1) == 0
    assert learner.literals() == (["1", "4"], [])
    assert [learner.predict_one(bits) for bits in product((0, 1), repeat=4)].count(1) == 1
    learner.learn_one([1, 1, 1, 1], 0)
    assert learner.literals() == (["1", "4"], ["2", "3"])
    assert str(learner.hypothesis) == "x1 & ~x2 & ~x3 & x4"


def test_every_literal_is_shown_when_n_is_declared() -> None:
    learner = mb.learners.ConjunctionElimination(4, labels=(0, 1))
    learner.learn_one([1, 0, 0, 1], 1)
    assert str(learner.hypothesis) == "x1 & ~x2 & ~x3 & x4"
    learner.learn_one([0, 0, 0, 0], 1)
    assert str(learner.hypothesis) == "~x2 & ~x3"
    learner.learn_one([0, 1, 1, 0], 1)
    assert str(learner.hypothesis) == "true"
    words = mb.learners.ConjunctionElimination(3, labels=(0, 1))
    words.learn_one({"rain"}, 1)  # nobody knows what the other two are called
    assert str(words.hypothesis) == "rain & no other attribute"
    wide = mb.learners.ConjunctionElimination(1000, labels=(0, 1))
    wide.learn_one({"17"}, 1)
    assert str(wide.hypothesis) == "x17 & no other attribute"


@given(st.dictionaries(st.sampled_from(NAMES), st.booleans()), st.lists(st.sets(st.sampled_from(NAMES)), max_size=30))
def test_balcans_invariant_holds_in_play(target: dict[str, bool], rows: list[set[str]]) -> None:
    literals = [name if sign else "~" + name for name, sign in target.items()]
    shown = [(x, int(all((name in x) == sign for name, sign in target.items()))) for x in rows]
    learner = mb.learners.ConjunctionElimination(5)
    assume = {"relevant": literals, "literals": len(literals)}
    ledger = mb.play(learner, shown, assume=assume, lemmas=True) if shown else None
    assert ledger is None or not ledger.lemma_failures


def test_balcans_invariant_refutes() -> None:
    learner = mb.learners.ConjunctionElimination(3)
    wrong = mb.play(learner, [([1, 0, 1], 1), ([1, 1, 0], 1)], assume={"relevant": ["1", "~2"]}, lemmas=True)
    assert wrong.lemma_failures[0].startswith(
        "after trial 2 Balcan's invariant (Balcan, lecture 4, Conjunctions) fails"
    )
    learner = mb.learners.ConjunctionElimination(3)
    short = mb.play(learner, [([1, 0, 1], 1), ([0, 1, 0], 1)], assume={"literals": 1}, lemmas=True)
    assert "Balcan's invariant, counted" in short.lemma_failures[0]


def test_inconsistent_labels_raise_and_keep_the_state() -> None:
    learner = mb.learners.ConjunctionElimination(3)
    learner.learn_one([1, 0, 0], 1)
    before = learner.hypothesis
    with pytest.raises(mb.NoConsistentHypothesis, match="no consistent conjunction"):
        learner.learn_one([1, 0, 0], 0)
    assert learner.hypothesis == before
    with pytest.raises(mb.BadParameter, match="literals must be at most n: literals = 4, n = 3"):
        learner.all_facts({"literals": 4})
    assert "|c| <= n fails" in learner.theorems[1].failing({"literals": 4, "n": 3})


@pytest.mark.kernel
def test_scores_count_literals() -> None:
    disjunction, conjunction = mb.learners.DisjunctionElimination(5), mb.learners.ConjunctionElimination(5)
    assert [disjunction.score_one(x) for x in (set(), {"1"}, {"1", "2"})] == [0, 1, 2]
    assert [conjunction.score_one(x) for x in (set(), {"1"}, {"1", "2"})] == [-1, -1, -1]
    conjunction.learn_one({"1"}, 1)
    assert [conjunction.score_one(x) for x in ({"1"}, {"1", "2"}, {"2", "3"})] == [0, -1, -3]


def test_a_copy_knows_of_positive_examples_that_left_no_unnegated_literal() -> None:
    learner = mb.learners.ConjunctionElimination(2)
    for x in ({"1"}, set()):
        learner.learn_one(x, 1)
    assert learner.literals() == ([], [])
    assert learner.copy().predict_one(set()) == learner.predict_one(set()) == 1
