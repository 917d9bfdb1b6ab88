"""The Bayes-optimal classifier as a learner: the posterior of the same data, halving, its bound held and met."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.learners import BayesOptimal
from naive.posterior import naive_posterior, naive_votes

CLASSES = [
    mb.concepts.MonotoneDisjunctions(4, 2), mb.concepts.Conjunctions(3), mb.concepts.RofK(5, 2, 3),
    mb.concepts.DecisionLists(2), mb.concepts.LinearThresholds(3),
]  # fmt: skip


@pytest.mark.parametrize("concepts", CLASSES, ids=str)
def test_uniform_and_noise_free_it_is_halving(concepts: Any) -> None:
    cube = list(product((0, 1), repeat=concepts.n))
    for seed in range(6):
        draw, target = Random(seed), concepts.sample(seed)
        learner, halving = BayesOptimal(concepts), mb.Halving(concepts)
        for x in draw.choices(cube, k=20):
            assert learner.score_one(x) == halving.score_one(x)
            assert learner.learn_one(x, target(x)) == halving.learn_one(x, target(x))
            assert learner.remaining_concepts(1000) == halving.remaining_concepts(1000)
        ledgers = [
            mb.play(made(concepts), [(x, target(x)) for x in draw.choices(cube, k=30)])
            for made in (BayesOptimal, mb.Halving)
        ]
        assert [ledger.verdict.kind for ledger in ledgers] == ["within"] * 2
        assert ledgers[0].bound.mistakes == ledgers[1].bound.mistakes


@pytest.mark.parametrize("seed", range(20))
def test_the_posterior_of_the_same_data(seed: int) -> None:
    """Sets of bits, functions one by one, and the definition: the same votes after every label."""
    draw = Random(seed)
    concepts = draw.choice([mb.concepts.MonotoneDisjunctions(3), mb.concepts.DecisionLists(2)])
    H, cube = list(concepts), list(product((0, 1), repeat=concepts.n))
    parts = [draw.randrange(3) for _ in H[1:]] + [2]
    prior = None if draw.random() < 0.3 else [Fraction(part, sum(parts)) for part in parts]
    believed = prior or [Fraction(1, len(H))] * len(H)
    noise = draw.choice([0.1, 0.25, 0.5])
    rate = Fraction(str(noise))

    def chance(t: int, h: Any, x: Any) -> Fraction:
        return 1 - rate if h(x) == t else rate

    bits, functions = BayesOptimal(concepts, noise, prior, labels=(0, 1)), BayesOptimal(H, noise, prior)
    data: list[Any] = []
    for _ in range(6):
        x, label = draw.choice(cube), draw.randrange(2)
        posterior, _ = naive_posterior(H, believed, chance, data)
        votes = naive_votes(H, posterior, chance, (0, 1), x)
        assert bits.predict_one(x) == functions.predict_one(x) == int(votes[1] > votes[0])
        assert bits.predict_proba_one(x)[1] == pytest.approx(float(votes[1]), abs=1e-12)
        assert functions.predict_proba_one(x)[1] == float(votes[1])
        bits.learn_one(x, label)
        functions.learn_one(x, label)
        data.append((x, label))
    posterior, _ = naive_posterior(H, believed, chance, data)
    possible = [(float(p), str(h)) for p, h in zip(posterior, H, strict=True) if p]
    expected = sorted(possible, key=lambda pair: -pair[0])[:3]
    assert [(p, str(h)) for h, p in bits.posterior(3)] == expected
    assert [(p, str(h)) for h, p in functions.posterior(3)] == expected


def test_a_vote_too_close_for_doubles_is_decided_in_whole_numbers() -> None:
    """1 says what 2^60 + 1 parts in 2^61 + 1 say: the difference is no double's."""
    parts = 2**61 + 1
    prior = [Fraction(2**60, parts), Fraction(2**60 + 1, parts)]
    for order in (1, -1):
        learner = BayesOptimal(mb.concepts.FiniteClass([[0], [1]]), 0.1, prior[::order], labels=(0, 1))
        assert learner.predict_one(0) == (1 if order == 1 else 0)
    tied = BayesOptimal(mb.concepts.FiniteClass([[0], [1]]), 0.1, ["1/2", "1/2"], labels=(0, 1))
    assert (tied.predict_one(0), tied.score_one(0)) == (0, 0.0)


@pytest.mark.parametrize("seed", range(20))
def test_bound_holds_with_noise(seed: int) -> None:
    draw = Random(seed)
    concepts = mb.concepts.MonotoneDisjunctions(5, 2)
    target, cube = concepts.sample(seed), list(product((0, 1), repeat=5))
    told = [(x, target(x) ^ (draw.random() < 0.1)) for x in draw.choices(cube, k=60)]
    wrong = sum(label != target(x) for x, label in told)
    ledger = mb.play(BayesOptimal(concepts, noise=0.1), told, assume={"noisy": wrong})
    assert ledger.verdict.kind == "within"
    assert ledger.bound.value is not None


def test_bound_is_met() -> None:
    """All functions on some points, the adversary always says the other label."""
    everything = mb.concepts.FiniteClass(list(product((0, 1), repeat=5)))
    learner = BayesOptimal(everything, labels=(0, 1))
    mistakes = 0
    for x in range(5):
        label = 1 - learner.predict_one(x)
        mistakes += learner.learn_one(x, label) != label
    assert mistakes == 5 == BayesOptimal(everything).bound().mistakes


def test_bound_of_a_prior_and_of_a_count_that_begins_later() -> None:
    singles = mb.concepts.FiniteClass([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    learner = BayesOptimal(singles, prior=["1/2", "1/4", "1/4"])
    assert learner.bound().mistakes == 2
    learner.learn_one(0, 0)
    assert mb.play(learner, [(1, 0)]).bound.mistakes == 1
    assert "noisy must be given" in str(BayesOptimal(singles, noise=0.1).bound())
    assert "noisy = 0 where noise = 0 fails" in str(BayesOptimal(singles).bound(noisy=2))
    assert "noise < 1/2 fails" in str(BayesOptimal(singles, noise=0.5).bound(noisy=2))
    assert BayesOptimal(singles, noise=0.1).bound(noisy=3).mistakes == int(
        (0.47712125471966 + 3 * 0.95424250943932) / 0.25527250510331  # log10 of 3, 9 and 9/5
    )


def test_attributes_by_the_posterior_of_those_who_mention_them() -> None:
    learner = BayesOptimal("monotone-disjunctions n=3 k=1", noise=0.1)
    learner.learn_one([0, 1, 0], 1)
    assert [(name, round(share, 6)) for name, share in learner.top(2)] == [("2", 0.75), ("1", 0.083333)]
    assert BayesOptimal([abs]).top(3) == []


def test_functions_of_anything_play_into_the_ledger() -> None:
    kinds = [lambda word: "short" if len(word) < 4 else "long", lambda word: "long", lambda word: word[:5]]
    learner = BayesOptimal(kinds, likelihood=mb.bayes.LabelNoise(0.2, labels=("long", "short", "horse")))
    assert learner.learn_one("horse", "horse") == "long"
    with pytest.raises(mb.BadData, match="a hypothesis must give one of the labels"):
        learner.predict_one("abcdefgh")
    learner = BayesOptimal(kinds)
    ledger = mb.play(learner, [("horse", "long"), ("ox", "short"), ("cat", "short"), ("elephant", "long")])
    assert ledger.trials == 4
    assert list(ledger.mistake_trials) == [2]  # two are left, and at their tie the first label is said
    assert [p for _, p in learner.posterior(1)] == [1.0]
    with pytest.raises(mb.NoConsistentHypothesis, match="no hypothesis of 3 allows the label 'none'"):
        learner.learn_one("ox", "none")
    assert learner.predict_one("ox") == "short"
    kept = learner.hypothesis
    assert kept == learner.copy().hypothesis
    with pytest.raises(mb.BadParameter, match="must have a class of concepts for rows in blocks"):
        learner.learn_many([[1, 0]], [1])


def test_a_likelihood_of_its_own() -> None:
    coins = BayesOptimal([lambda x: 0.3, lambda x: 0.8], likelihood=mb.bayes.Probabilities())
    assert [coins.learn_one(None, label) for label in (0, 0, 1)] == [1, 0, 0]
    assert coins.predict_proba_one(None)[1] == pytest.approx((0.147 * 0.3 + 0.032 * 0.8) / 0.179)
    own = BayesOptimal("conjunctions n=2", likelihood=lambda example, h: Fraction(h(example[0]) == example[1]))
    plain = BayesOptimal("conjunctions n=2", labels=(0, 1))
    for x, label in (((1, 1), 1), ((0, 1), 0)):
        assert own.learn_one(x, label) == plain.learn_one(x, label)
    assert own.posterior(20) == plain.posterior(20)
    with pytest.raises(mb.BadParameter, match="noise must be 0 where a likelihood is given"):
        BayesOptimal([abs], noise=0.1, likelihood=mb.bayes.Probabilities())


def test_what_is_refused() -> None:
    for call, said in (
        (lambda: BayesOptimal([]), "concepts must be a class of concepts .* or a list of functions: "),
        (lambda: BayesOptimal([1, 2]), "concepts must be a class"),
        (lambda: BayesOptimal("conjunctions n=1", 0.6), "noise must be a number >= 0 and <= 0.5: 0.6"),
        (lambda: BayesOptimal("conjunctions n=1", prior=[0.5, 0.5]), "prior must be .*as many.* 3: 2"),
        (lambda: BayesOptimal("conjunctions n=1", prior=[0.5, 0.5, 0.5]), "prior must be .*must sum to 1: 1.5"),
    ):
        with pytest.raises(mb.BadParameter, match=said):
            call()
    learner = BayesOptimal("monotone-disjunctions n=2 k=1")
    learner.learn_one([0, 1], 0)
    with pytest.raises(mb.NoConsistentHypothesis, match="no consistent concept is left"):
        learner.learn_one([0, 0], 1)
    assert learner.size == 2


@pytest.mark.parametrize("made", [BayesOptimal, mb.learners.Gibbs])
def test_model_files_keep_the_posterior(made: Any, tmp_path: Any) -> None:
    draw, path = Random(3), tmp_path / "m.mb"
    learner = made("monotone-disjunctions n=3 k=1", 0.1, prior=["1/2", "1/4", "1/4", "0"])
    for _ in range(30):
        learner.learn_one([draw.randrange(2) for _ in range(3)], draw.randrange(2))
    learner.save(path)
    again = mb.load(path).learner
    assert again.hypothesis == learner.hypothesis
    assert again.posterior() == learner.posterior()
    for _ in range(10):
        x, label = [draw.randrange(2) for _ in range(3)], draw.randrange(2)
        assert again.learn_one(x, label) == learner.learn_one(x, label)
    with pytest.raises(mb.BadParameter, match="text form to be saved"):
        made([abs]).save(path)


def test_a_model_file_that_contradicts_itself(tmp_path: Any) -> None:
    from mistakebound.core import model_file

    path = tmp_path / "m.mb"
    learner = BayesOptimal("monotone-disjunctions n=3 k=1", 0.1)
    learner.learn_one([1, 0, 0], 1)
    learner.save(path)
    header, arrays = model_file.read(path)
    assert arrays["contradicted"].tolist() == [1, 0, 1, 1]
    for counts in ([1, 1, 1, 1], [0, -1, 0, 0], [0, -7, 0, 0], [0, 1, 1]):
        arrays["contradicted"] = type(arrays["contradicted"])("i", counts)
        model_file.write(path, header, arrays)
        with pytest.raises(mb.errors.BadModel):
            mb.load(path)
