"""Impossible facts are refused, by every learner, in one sentence that names the fact, its value and the rule."""

from __future__ import annotations

import re
from fractions import Fraction
from math import inf, isfinite, nan, sqrt
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.core.facts import FACTS, check_fact
from mistakebound.core.theorem import Bound

SKY = {"sky": ["sunny", "rainy"], "wind": ["weak", "strong"]}
MAKERS: dict[str, Any] = {
    "arow": lambda: mb.AROW(),
    "averaged-perceptron": lambda: mb.AveragedPerceptron(),
    "balanced-winnow": lambda: mb.BalancedWinnow(),
    "bayes-optimal": lambda: mb.learners.BayesOptimal("conjunctions n=2", noise=0.1),
    "candidate-elimination": lambda: mb.learners.CandidateElimination(SKY),
    "coin-betting": lambda: mb.learners.CoinBetting(),
    "conjunction-elimination": lambda: mb.learners.ConjunctionElimination(3),
    "auto": lambda: mb.Auto(),
    "decision-list-learner": lambda: mb.learners.DecisionListLearner(3),
    "disjunction-elimination": lambda: mb.learners.DisjunctionElimination(3),
    "find-s": lambda: mb.learners.FindS(SKY),
    "list-then-eliminate": lambda: mb.learners.ListThenEliminate("conjunctions n=2"),
    "halving": lambda: mb.Halving("conjunctions n=2"),
    "linear-unit": lambda: mb.learners.LinearUnit(),
    "one-vs-all": lambda: mb.OneVsAll("winnow2", n=4),
    "passive-aggressive": lambda: mb.PassiveAggressive(),
    "passive-aggressive, plain": lambda: mb.PassiveAggressive("plain"),
    "passive-aggressive, II": lambda: mb.PassiveAggressive("II"),
    "perceptron": lambda: mb.Perceptron(),
    "randomized-weighted-majority": lambda: mb.learners.RandomizedWeightedMajority(["winnow2", "perceptron"]),
    "rote-learner": lambda: mb.learners.RoteLearner(SKY),
    "standard-optimal": lambda: mb.learners.StandardOptimalAlgorithm("conjunctions n=2"),
    "weighted-majority": lambda: mb.WeightedMajority(["winnow2(n=4)", "perceptron", "arow", "conjunction-elimination"]),
    "winnow1": lambda: mb.Winnow1(),
    "winnow1, n": lambda: mb.Winnow1(n=4),
    "winnow2": lambda: mb.Winnow2(),
    "winnow2, n": lambda: mb.Winnow2(n=4, delta=0.5),
    "expanded": lambda: mb.transforms.expand(mb.Winnow1(n=4), cross=2),
    "a decision list as a disjunction": lambda: mb.transforms.expand(mb.Winnow2(n=4), reduce="decision-list", rules=2),
}
NUMBERS = [
    nan,
    inf,
    -inf,
    -1,
    -0.5,
    "-5",
    "nan",
    "1/0",
    "x",
    b"5",
    "",
    None,
    True,
    np.True_,
    [1],
    (2,),
    {},
    3j,
    object(),
    np.array([1.0]),
]
NAMES = [3, "a", ["a", 1], {"a": 1}, None, nan]


def told(learner: Any) -> list[str]:
    return list(learner.assumable)


@pytest.mark.parametrize("name", MAKERS)
def test_no_bound_comes_of_absurd_values(name: str) -> None:
    learner = MAKERS[name]()
    for fact in told(learner):
        absurd = list(NAMES) if fact == "relevant" else list(NUMBERS)
        rule = FACTS.get(fact)
        if rule is not None:
            absurd += [0.5] if rule.kind == "integer" else []
            absurd += [1.5] if rule.at_most == 1 else []
            absurd += [0] if rule.above == 0 or rule.at_least == 1 else []
        for value in absurd:
            with pytest.raises(mb.BadParameter, match=rf"^{fact} must be [^\n]+: {re.escape(repr(value))}$"):
                learner.bound(**{fact: value})
            with pytest.raises(mb.BadParameter, match=rf"^{fact} must be "):
                mb.play(learner, [], assume={fact: value})


def test_every_learner_with_theorems_is_walked_over() -> None:
    known = {kind.name for kind in map(mb.learners.find, mb.learners.names()) if kind.theorems}
    assert known <= set(MAKERS)


@pytest.mark.parametrize("name", MAKERS)
def test_an_unknown_fact_is_refused_with_the_known_ones(name: str) -> None:
    learner = MAKERS[name]()
    with pytest.raises(mb.BadParameter, match=r"^colour is not a fact that [\w-]+ can use; known facts: ") as caught:
        learner.bound(colour=1)
    assert all(fact in str(caught.value) for fact in told(learner))


IMPOSSIBLE: list[tuple[Any, dict[str, Any], str]] = [
    (mb.Perceptron, {"margin": 5, "radius": 1}, "margin must be at most radius: margin = 5, radius = 1"),
    (mb.AveragedPerceptron, {"margin": 1.5, "radius": 1}, "margin must be at most radius: margin = 1.5, radius = 1"),
    (mb.Perceptron, {"margin": 0.5, "radius": 0.5},
     "radius must be at least 1, because the bias extends every instance by a 1: radius = 0.5"),
    (mb.learners.LinearUnit, {"margin": 5, "radius": 1}, "margin must be at most radius: margin = 5, radius = 1"),
    (mb.PassiveAggressive, {"margin": 5, "radius": 1}, "margin must be at most radius: margin = 5, radius = 1"),
    (mb.PassiveAggressive, {"shortest": 2, "radius": 1}, "shortest must be at most radius: shortest = 2, radius = 1"),
    (mb.PassiveAggressive, {"norm": 0.5, "loss": 0.2, "radius": 1},
     "loss must be at least 1 - norm*radius: norm = 0.5, radius = 1, loss = 0.2"),
    (lambda: mb.PassiveAggressive("II"), {"norm": 0.5, "squared_loss": 0.04, "radius": 1},
     "squared_loss must be at least (1 - norm*radius)^2 where that is below 1: norm = 0.5, radius = 1, "
     "squared_loss = 0.04"),
    (lambda: mb.BalancedWinnow(bias=False), {"margin": 0.5, "largest": 0.4, "n": 3},
     "margin must be at most largest, or 1 with the bias: margin = 0.5, largest = 0.4"),
    (mb.BalancedWinnow, {"margin": 1.5, "largest": 0.4, "n": 3},
     "margin must be at most largest, or 1 with the bias: margin = 1.5, largest = 0.4"),
    (mb.BalancedWinnow, {"k": 4, "n": 3}, "k must be at most n: k = 4, n = 3"),
    (mb.BalancedWinnow, {"k": 4, "r": 5}, "r must be at most k: r = 5, k = 4"),
    (mb.AROW, {"norm": 0}, "norm must be > 0 unless loss is at least 1: norm = 0"),
    (mb.AROW, {"norm": 0, "loss": 0.5}, "norm must be > 0 unless loss is at least 1: norm = 0, loss = 0.5"),
    (lambda: mb.Winnow1(n=3), {"k": 5}, "k must be at most n: k = 5, n = 3"),
    (mb.Winnow1, {"k": 5, "n": 3}, "k must be at most n: k = 5, n = 3"),
    (mb.Winnow1, {"relevant": ["a", "b"], "k": 1}, "relevant must be at most k names: relevant = a, b, k = 1"),
    (lambda: mb.Winnow1(n=1), {"relevant": ["1", "2"]}, "relevant must be at most n names: relevant = 1, 2, n = 1"),
    (lambda: mb.Winnow1(n=3), {"k": 1, "n": 4}, "n must be 3, as this learner declares: 4"),
    (mb.Winnow2, {"k": 2, "r": 3, "n": 9}, "r must be at most k: r = 3, k = 2"),
    (lambda: mb.learners.ConjunctionElimination(3), {"literals": 5}, "literals must be at most n: literals = 5, n = 3"),
    (mb.learners.ConjunctionElimination, {"literals": 5, "n": 3}, "literals must be at most n: literals = 5, n = 3"),
    (lambda: mb.learners.FindS(SKY), {"literals": 3}, "literals must be at most n: literals = 3, n = 2"),
    (lambda: mb.learners.DecisionListLearner(3), {"rules": 5}, "rules must be at most n + 1: rules = 5, n = 3"),
    (lambda: mb.learners.DecisionListLearner(3), {"rules": 0}, "rules must be at least 1, for the default: rules = 0"),
    (lambda: mb.OneVsAll("winnow2", n=3), {"k": 5}, "k must be at most n: k = 5, n = 3"),
    (lambda: mb.OneVsAll("perceptron"), {"margin": 5, "radius": 1},
     "margin must be at most radius: margin = 5, radius = 1"),
    (lambda: mb.WeightedMajority(["perceptron", "winnow2"]), {"margin": 5, "radius": 1},
     "margin must be at most radius: margin = 5, radius = 1"),
    (lambda: mb.WeightedMajority(["perceptron", "winnow2"]), {"margin": 5, "radius": 1, "m": 2},
     "margin must be at most radius: margin = 5, radius = 1"),
    (lambda: mb.transforms.expand(mb.Winnow1(n=2), cross=2), {"k": 4}, "k must be at most n: k = 4, n = 3"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "facts", "message"), IMPOSSIBLE)
def test_facts_that_cannot_be_together(make: Any, facts: dict[str, Any], message: str) -> None:
    for refuse in (
        lambda: make().bound(**facts),
        lambda: mb.play(make(), [({"1"}, 1)], assume=facts),
        lambda: mb.arena.AsQueryLearner(make()).bound(**facts),
    ):
        with pytest.raises(mb.BadParameter) as caught:
            refuse()
        assert str(caught.value) == message


def test_every_way_in_refuses_alike(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from mistakebound.cli import main

    (tmp_path / "rows").write_text("+1 1:1\n-1 2:1\n")
    learner, facts = mb.Perceptron(), {"margin": 5, "radius": 1}
    with pytest.raises(mb.BadParameter, match="margin must be at most radius: margin = 5, radius = 1"):
        mb.compare([({"1"}, 1)], {"a": learner}, assume=facts)
    learner.save(tmp_path / "model", assumptions=facts)
    with pytest.raises(mb.errors.BadModel, match="margin must be at most radius: margin = 5, radius = 1"):
        mb.load(tmp_path / "model")
    said = []
    for command in (["learn", "--learner", "perceptron"], ["compare", "--learners", "perceptron,winnow2"]):
        assert (
            main([command[0], str(tmp_path / "rows"), *command[1:], "--assume", "margin=5", "--assume", "radius=1"])
            == 2
        )
        said.append(capsys.readouterr().err.strip().splitlines()[-1])
    assert all(line.endswith("margin must be at most radius: margin = 5, radius = 1") for line in said)
    for text, rule in (
        ("margin=nan", "a number >= 0: 'nan'"),
        ("margin=x", "a number >= 0: 'x'"),
        ("start_norm=1e999", ""),
    ):
        assert main(["learn", str(tmp_path / "rows"), "--learner", "perceptron", "--assume", text]) == 2
        assert f"{text.partition('=')[0]} must be {rule}" in capsys.readouterr().err


POSSIBLE: list[tuple[Any, dict[str, Any], float]] = [  # as they were before facts were looked at together
    (lambda: mb.learners.ConjunctionElimination(3), {"literals": 3}, 1),
    (lambda: mb.learners.ConjunctionElimination(3), {"literals": 0}, 4),
    (lambda: mb.learners.ConjunctionElimination(3), {}, 4),
    (lambda: mb.learners.DisjunctionElimination(3), {}, 3),
    (lambda: mb.learners.DecisionListLearner(3), {"rules": 4}, 70),
    (lambda: mb.learners.DecisionListLearner(3), {"rules": 1}, 28),
    (lambda: mb.learners.FindS(SKY), {"literals": 2}, 1),
    (mb.Perceptron, {"margin": 1, "radius": 1}, 1),
    (mb.Perceptron, {"margin": 0.5, "radius": 3}, 36),
    (lambda: mb.Perceptron(bias=False), {"margin": 1 / sqrt(3), "radius": sqrt(1 / 3)}, 1),
    (mb.PassiveAggressive, {"norm": 3, "loss": 10, "radius": 2}, 116),
    (lambda: mb.Winnow1(n=4), {"k": 4}, 25),
    (lambda: mb.Winnow1(n=4), {"k": 0}, 1),
    (lambda: mb.Winnow2(delta=1, n=100), {"k": 3}, 95.6831),
    (lambda: mb.WeightedMajority(["winnow2", "perceptron"]), {"m": 3}, 9.637),
]


@pytest.mark.parametrize(("make", "facts", "value"), POSSIBLE)
def test_possible_facts_give_what_they_gave(make: Any, facts: dict[str, Any], value: float) -> None:
    assert make().bound(**facts).value == pytest.approx(value, rel=1e-4)


def test_a_margin_that_the_stream_itself_refutes_is_no_error() -> None:
    """The radius that a learner measures at its mistakes is smaller: that refutes what was told."""
    ledger = mb.play(mb.Perceptron(bias=False), [({"1": 1.0}, 1)], assume={"margin": 5})
    assert (ledger.mistakes, ledger.bound.mistakes, ledger.verdict.kind) == (1, 0, "refuted")
    assert ledger.bound.value == pytest.approx(0.04)
    several = mb.OneVsAll("perceptron", bias=False)
    ledger = mb.play(several, [({"1": 1.0}, "a"), ({"2": 1.0}, "b"), ({"1": 1.0}, "c")], assume={"margin": 5})
    assert (ledger.mistakes, ledger.bound.mistakes) == (2, 3)  # the labels that were not declared


EXACT = ["rote learning", "unanimity", "the sum of the base learners' bounds"]  # none at all; of no labels yet
SOME = {"k": [1, 2], "n": [4, 9], "r": [1, 2], "m": [0, 3], "literals": [0, 1, 2], "rules": [1, 2], "questions": [1, 4],
        "noisy": [0, 2], "delta": [0.01, 0.5, 1], "margin": [0.1, 0.5], "radius": [0.5, 1, 3], "norm": [2, 10],
        "loss": [0, 0.5, 9], "squared_loss": [0, 9], "largest": [0.5, 1, 3], "shortest": [0.1, 0.5], "spread": [0, 5],
        "start_norm": [0, 2], "weight_ratio": [1, 3], "sum_mu": [0.5, 1, 4],
        "relevant": [["1"], ["1", "2"]]}  # fmt: skip


@pytest.mark.parametrize("name", MAKERS)
def test_a_bound_below_one_mistake_is_the_theorems_own(name: str) -> None:
    """Of facts that can be: one at a time, and in pairs."""
    learner = MAKERS[name]()
    facts = told(learner)
    asked = [{}] + [{one: a} for one in facts for a in SOME[one]]
    asked += [{one: a, two: b} for one in facts for two in facts if one < two for a in SOME[one] for b in SOME[two]]
    for given in asked:
        try:
            bound: Bound = learner.bound(**given)
        except mb.BadParameter:
            continue
        if bound.value is not None:
            assert isfinite(bound.value)
            assert bound.theorem.name in EXACT or bound.value > 1 - 1e-6, (given, bound)


def test_one_fact_alone() -> None:
    assert [check_fact("k", Fraction(4, 2)), check_fact("margin", np.float64(0.5)), check_fact("n", 1e3)] == [
        2,
        0.5,
        1000,
    ]
    assert type(check_fact("radius", np.float32(2))) is int
    with pytest.raises(mb.BadParameter, match=r"^weight_ratio must be a number >= 1: 0.5$"):
        check_fact("weight_ratio", 0.5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *[(lambda v=v: mb.sample_size(3, v, 0.1), "epsilon must be") for v in (0, 1, -1, nan, inf, "x", True, [1], 2)],
        *[(lambda v=v: mb.sample_size(3, 0.1, v), "delta must be") for v in (0, 1, -1, nan, inf, "x", True, [1], 2)],
        *[(lambda v=v: mb.sample_size(v, 0.1, 0.1), "hypotheses must be") for v in (0, -1, 1.5, nan, inf, True, [1])],
        *[
            (lambda v=v: mb.sample_size(vc=v, epsilon=0.1, delta=0.1), "vc must be")
            for v in (-1, 1.5, nan, inf, "x", True)
        ],
        *[(lambda v=v: mb.sample_size(3, 0.1, m=v), "m must be") for v in (-1, 1.5, nan, inf, "x", True)],
        *[(lambda v=v: mb.theory.exhaustion_bound(3, 0.1, v), "m must be") for v in (-1, 1.5, nan, inf, "x", True)],
        *[
            (lambda v=v: mb.theory.exhaustion_bound(3, v, 5), "epsilon must be")
            for v in (0, 1, -1, nan, inf, "x", True)
        ],
        *[
            (lambda v=v: mb.theory.error_interval(v, 10), "wrong (and of )?must be")
            for v in (-1, 11, 1.5, nan, inf, "x", True)
        ],
        *[
            (lambda v=v: mb.theory.error_interval(0, v), "wrong (and of )?must be")
            for v in (0, -1, 1.5, nan, inf, "x", True)
        ],
        *[
            (lambda v=v: mb.theory.error_interval(1, 10, v), "confidence must be")
            for v in (0, 1, -1, nan, inf, "x", True)
        ],
        *[(lambda v=v: experiment(m=v), "m must be") for v in (-1, 1.5, nan, "x", True)],
        *[(lambda v=v: experiment(runs=v), "runs must be") for v in (0, -1, 1.5, nan, "x", True)],
        *[(lambda v=v: experiment(epsilon=v), "epsilon must be") for v in (0, 1, nan, "x", True)],
    ],
)
def test_sample_sizes(call: Any, message: str) -> None:
    with pytest.raises(mb.BadParameter, match=f"^{message}"):
        call()


def experiment(**changed: Any) -> Any:
    given = {"m": 2, "epsilon": 0.1, "delta": 0.1, "runs": 2} | changed
    target = mb.concepts.parse("x1")
    return mb.arena.pac_experiment(lambda: mb.learners.FindS(), target, [(0, 1), (1, 0)], **given)
