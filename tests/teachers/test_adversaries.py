"""Adversaries: as many mistakes as they promise, on every learner, and their word kept."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from typing import Any

import pytest

import mistakebound as mb
from mistakebound import learners
from mistakebound.teachers import ConjunctionAdversary, DisjunctionAdversary, MistakeTreeAdversary, adversary_for
from naive.opt import opt as naive_opt


def opponents(concepts: Any, n: int) -> dict[str, Any]:
    """Every learner that there is, over n attributes; those that need a class get this one."""
    made = {}
    for name in learners.names():
        found = learners.find(name)
        declared = {parameter.name for parameter in found.parameters}
        if found.online and found.takes == "rows":
            given = ({"n": n} if "n" in declared else {}) | ({"concepts": concepts} if "concepts" in declared else {})
            made[name] = found(**given)
    made |= {"winnow1, V": mb.Winnow1(n=n, theta="n/2", rule=">="), "halving, V": mb.Halving(concepts, 1, "mistakes")}
    return made


def play_on(learner: Any, adversary: Any) -> int:
    """The mistakes of a game to its end: a learner that finds no hypothesis consistent stays as it is, and goes on."""
    mistakes = 0
    while (trial := adversary.next_trial()) is not None:
        said = learner.predict_one(trial.x)
        label = adversary.label(trial, said)
        with suppress(mb.NoConsistentHypothesis):
            learner.learn_one(trial.x, label)
        mistakes += said != label
    return mistakes


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_balcans_forces_n_on_every_learner(n: int) -> None:
    for name, learner in opponents(mb.concepts.MonotoneConjunctions(n), n).items():
        adversary = ConjunctionAdversary(n)
        assert adversary.forces == n
        assert play_on(learner, adversary) == n, name
        assert adversary.target in mb.concepts.MonotoneConjunctions(n), name
        assert all(adversary.target(x) == label for x, label in adversary.said), name
        assert adversary.broken_word() is None


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in (1, 2, 3, 5, 8, 13) for k in range(1, n + 1)])
def test_theorem_8_at_any_n_and_k(n: int, k: int) -> None:
    forced = k * max(e for e in range(10) if k * 2**e <= n)
    assert DisjunctionAdversary(n, k).forces == forced
    for name in ("winnow1", "winnow2", "disjunction-elimination", "perceptron", "decision-list-learner"):
        learner = learners.find(name)(**({} if name == "perceptron" else {"n": n}))
        adversary = DisjunctionAdversary(n, k)
        assert play_on(learner, adversary) == forced, name
        assert len(adversary.target.literals) == k
        assert adversary.target.attributes <= {str(j) for j in range(1, n + 1)}
        assert all(adversary.target(x) == label for x, label in adversary.said), name


@pytest.mark.long
def test_theorem_8_in_a_large_space() -> None:
    ledger = mb.play(mb.Winnow1(n=10**5), DisjunctionAdversary(10**5, 5))
    assert ledger.mistakes == 5 * 14
    assert ledger.verdict.kind == "within"
    assert ledger.bound.facts["k"] == 5


@pytest.mark.parametrize(
    "concepts",
    [
        mb.concepts.MonotoneDisjunctions(4, 2), mb.concepts.Conjunctions(3), mb.concepts.RofK(5, 2, 3),
        mb.concepts.DecisionLists(2), mb.concepts.MonotoneDisjunctions(1), mb.concepts.MonotoneDisjunctions(1, 0),
    ],
    ids=str,
)  # fmt: skip
def test_the_mistake_tree_forces_opt_on_every_learner(concepts: Any) -> None:
    cube = list(product((0, 1), repeat=concepts.n))
    opt = naive_opt([[f(x) for x in cube] for f in concepts])
    for name, learner in opponents(concepts, concepts.n).items():
        adversary = MistakeTreeAdversary(concepts)
        assert adversary.forces == opt
        assert play_on(learner, adversary) == opt, name
        assert adversary.target in concepts
        assert all(adversary.target(x) == label for x, label in adversary.said), name


def test_no_more_than_opt_on_the_standard_optimal_algorithm() -> None:
    for text in ("thresholds m=15", "intervals m=7", "singletons m=6", "monotone-disjunctions n=5 k=2"):
        concepts = mb.concepts.parse_class(text)
        learner = mb.learners.StandardOptimalAlgorithm(concepts)
        ledger = mb.play(learner, MistakeTreeAdversary(concepts), lemmas=True)
        assert ledger.mistakes == ledger.trials == ledger.bound.mistakes, text
        assert ledger.verdict.kind == "within"


def test_all_classes_over_three_points() -> None:
    for code in range(1, 256):
        rows = [row for place, row in enumerate(product((0, 1), repeat=3)) if code >> place & 1]
        adversary = MistakeTreeAdversary(mb.concepts.FiniteClass(rows))
        assert play_on(mb.Halving(mb.concepts.FiniteClass(rows)), adversary) == naive_opt(rows) == adversary.forces
        assert adversary.broken_word() is None
        assert any(all(row[x] == label for x, label in adversary.said) for row in rows)


def test_an_empty_class_has_no_adversary() -> None:
    with pytest.raises(mb.BadParameter, match="at least one concept"):
        MistakeTreeAdversary(mb.concepts.FiniteClass([], []))


def test_the_adversary_of_a_class() -> None:
    for text, kind, forces in (
        ("conjunctions n=7", ConjunctionAdversary, 7), ("monotone-conjunctions n=7", ConjunctionAdversary, 7),
        ("monotone-disjunctions n=9 k=2", DisjunctionAdversary, 4), ("thresholds m=7", MistakeTreeAdversary, 3),
        ("monotone-conjunctions n=4 k=1", MistakeTreeAdversary, 2), ("disjunctions n=2", MistakeTreeAdversary, 3),
    ):  # fmt: skip
        adversary = adversary_for(mb.concepts.parse_class(text))
        assert (type(adversary), adversary.forces, str(adversary.concepts)) == (kind, forces, text)
        if kind is not MistakeTreeAdversary:
            assert play_on(mb.Winnow1(), adversary) == forces
        assert adversary.broken_word() is None


@pytest.mark.parametrize("labels", [(-1, 1), ("ham", "spam"), (1, 0), (False, True)])
def test_whatever_the_learner_calls_its_labels(labels: Any) -> None:
    C = mb.concepts.MonotoneConjunctions(4)
    for make in (lambda: ConjunctionAdversary(4), lambda: MistakeTreeAdversary(C)):
        for learner in (mb.Winnow1(n=4, labels=labels), mb.Perceptron(labels=labels), mb.Halving(C, labels=labels)):
            adversary, game = make(), []
            ledger = mb.play(learner, adversary, watch=lambda trial, y, said, _, game=game: game.append((y, said)))
            assert (ledger.mistakes, ledger.lemma_failures) == (adversary.forces, [])
            assert all({y, said} == {*labels} for y, said in game)


class Liar(ConjunctionAdversary):
    """Forgets what it said."""

    def _commit(self, label: int) -> None:
        pass


class Stranger(ConjunctionAdversary):
    """Means something else."""

    @property
    def target(self) -> Any:
        return mb.concepts.parse("x1 | x2")


@pytest.mark.parametrize(
    ("liar", "words"), [(Liar, "said 0 in trial 1, but its target true"), (Stranger, "is not in its class")]
)
def test_the_ledger_finds_a_broken_word(liar: Any, words: str) -> None:
    ledger = mb.play(mb.Winnow1(n=3, theta=0.6), liar(3))
    assert ledger.verdict.kind == "refuted"
    assert words in ledger.verdict
