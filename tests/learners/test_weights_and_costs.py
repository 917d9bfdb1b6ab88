"""Weights of examples and costs of labels: what each learner makes of them, beside its naive twin."""

from __future__ import annotations

from array import array
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core import model_file
from mistakebound.core.atomic import learn_and_record
from mistakebound.core.block import Block
from mistakebound.core.ledger import Ledger, bound_of, new_ledger
from naive.arow import NaiveArow
from naive.balanced_winnow import NaiveBalancedWinnow
from naive.coin_betting import NaiveCoinBetting
from naive.one_vs_all import NaiveOneVsAll
from naive.passive_aggressive import NaivePassiveAggressive
from naive.perceptron import NaivePerceptron
from naive.weighted_majority import NaiveWeightedMajority
from naive.winnow1 import NaiveWinnow1
from naive.winnow2 import NaiveWinnow2

examples = st.lists(
    st.tuples(st.lists(st.sampled_from([-1.0, 0.0, 1.0, 2.5]), min_size=3, max_size=3), st.booleans(),
              st.sampled_from([0.25, 1.0, 2.0, 7.5])),
    max_size=12,
)  # fmt: skip


def naive(rows: list[Any], labels: list[bool], weights: list[float]) -> tuple[list[float], float]:
    """w += eta*c*y*x at a mistake, in plain floats."""
    w, bias = [0.0, 0.0, 0.0], 0.0
    for x, label, c in zip(rows, labels, weights, strict=True):
        if (sum(a * b for a, b in zip(w, x, strict=True)) + bias > 0) != label:
            step = 0.5 * c * (1 if label else -1)
            w = [a + step * b for a, b in zip(w, x, strict=True)]
            bias += step
    return w, bias


@given(examples, st.sampled_from([{}, {True: 3.0}, {False: 0.5, True: 2.0}]))
def test_an_update_is_scaled_by_weight_and_cost(played: list[Any], costs: dict[bool, float]) -> None:
    rows, labels, weights = ([example[part] for example in played] for part in range(3))
    one, many = (mb.Perceptron(eta=0.5, labels=(False, True), costs=costs) for _ in range(2))
    for x, label, weight in played:
        one.learn_one(x, label, weight=weight)
    if played:
        many.learn_many(np.array(rows), labels, weights=weights)
    counted = [c * costs.get(label, 1.0) for label, c in zip(labels, weights, strict=True)]
    w, bias = naive(rows, labels, counted)
    for learner in (one, many, many.copy()):
        assert [learner.weight(str(j)) for j in (1, 2, 3)] == w
        assert learner.bias == bias
    assert many.copy().costs == costs


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.sampled_from([0.5, 1.0, 4.0])), max_size=60))
def test_the_bound_with_weights_holds(points: list[tuple[float, float, float]]) -> None:
    """Points at a distance of 0.1 from the line x1 = x2."""
    margin = 0.1
    learner = mb.Perceptron(labels=(0, 1))
    ledger = new_ledger(learner)
    for a, b, weight in points:
        if abs(a - b) / 2**0.5 < margin:
            continue
        label = int(a > b)
        said = learner.learn_one([a, b], label, weight=weight)
        ledger.record(label, said)
    bound = bound_of(learner, ledger, {"margin": margin})
    if ledger.mistakes:
        assert bound.value is not None
        assert ledger.mistakes <= bound.value


def test_the_bound_says_what_the_weights_do() -> None:
    learner = mb.Perceptron(labels=(0, 1))
    learner.learn_one({"1"}, 1, weight=4)
    assert learner.bound(margin=1, radius=2).value == 4
    learner.learn_one({"2"}, 0, weight=1)
    bound = learner.bound(margin=1, radius=2)
    assert (bound.value, bound.theorem.name) == (16, "the perceptron theorem with weights")
    assert learner.bound(margin=1, radius=2, start_norm=3).value == 16 + 2 * 3


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), True, "2", None])
def test_what_is_no_weight(weight: Any) -> None:
    learner = mb.Perceptron()
    if weight is not True:  # 1
        with pytest.raises(mb.BadParameter, match="weight must be a number > 0"):
            learner.learn_one({"1"}, 1, weight=weight)
    with pytest.raises(mb.BadParameter, match="the cost of 1 must be a number > 0"):
        mb.Perceptron(costs={1: weight})
    if weight is not True and weight != "2":
        with pytest.raises(mb.BadData, match="weights must be numbers > 0"):
            learner.learn_many(np.ones((1, 2)), [1], weights=[weight])
    assert len(learner.attributes) == 0


@pytest.mark.parametrize("weight", [np.int64(3), np.float32(3), Fraction(6, 2), Decimal(3)])
def test_numbers_of_any_kind_are_weights_and_costs(weight: Any) -> None:
    played = []
    for number in (3, weight):
        learner = mb.Perceptron(labels=(0, 1), costs={1: number})
        learner.learn_one({"1"}, 1, weight=number)
        played.append(learner.weights())
    assert played[0] == played[1] == {"1": 9.0}


def test_weights_must_be_one_a_row() -> None:
    with pytest.raises(mb.BadData, match="X has 2 rows and there are 1 weights"):
        mb.Perceptron().learn_many(np.ones((2, 2)), [1, 0], weights=[1])


def test_a_cost_of_a_label_that_is_neither() -> None:
    learner = mb.Perceptron(costs={"spam": 2.0})
    with pytest.raises(mb.BadData, match="cost is given for 'spam', which is not a label; the labels are 0 and 1"):
        learner.learn_many(np.ones((2, 2)), [1, 0])


def _decision_list() -> Any:
    return mb.learners.DecisionListLearner(n=9, labels=(0, 1))


def test_a_learner_without_weights() -> None:
    learner = _decision_list()
    header = learner._header() | {"costs": [[1, 2.0]]}
    with pytest.raises(ValueError, match="there are costs, which the learner does not support"):
        type(learner).restore(header, {name: model_file.as_array(a) for name, a in learner._all_arrays().items()})
    with pytest.raises(mb.BadParameter, match="does not support a weight other than 1: 2"):
        learner.learn_one({"1"}, 1, weight=2)


@pytest.mark.parametrize("kind", [mb.Winnow1, mb.Winnow2])
def test_learners_of_whole_weights(kind: Any) -> None:
    header = kind()._header() | {"costs": [[1, 2.5]]}
    with pytest.raises(ValueError, match="there are costs that are not whole numbers"):
        kind.restore(header, {name: model_file.as_array(a) for name, a in kind()._all_arrays().items()})
    with pytest.raises(mb.BadParameter, match=r"takes whole weights up to 1,048,576: 2\.5"):
        kind().learn_one({"1"}, 1, weight=2.5)
    learner, skipped = kind(labels=(0, 1)), []
    keys, weights = array("Q", [1, 2, 3, 4]), array("d", [1.0, 2.5, 2.0, 0.5])
    block = Block(4, array("q", [0, 1, 2, 3, 4]), keys, labels=[1, 1, 1, 1], weights=weights)
    ledger = Ledger(learner.labels)
    learner.learn_block(block, ledger, array("b", [0] * 4), skipped.append)
    assert ledger.trials == 2
    assert [error.row for error in skipped] == [1, 3]
    assert "takes whole weights up to 1,048,576: 2.5" in str(skipped[0])
    assert learner.attributes.names() == ["1", "3"]
    assert learner.weight("3") == learner.alpha**2 / 8


whole = st.lists(
    st.tuples(st.sets(st.sampled_from("1234")), st.integers(0, 1), st.sampled_from([1, 1, 2, 3, 40, 300])), max_size=30
)


@pytest.mark.kernel
@pytest.mark.parametrize("kinds", [(mb.Winnow1, NaiveWinnow1), (mb.Winnow2, NaiveWinnow2)])
@given(played=whole, alpha=st.sampled_from([2.0, 1.5, 1.1]), declared=st.booleans(), cost=st.sampled_from([1, 3]))
def test_winnow_multiplies_by_alpha_to_the_weight(
    kinds: Any, played: list[Any], alpha: float, declared: bool, cost: int
) -> None:
    """The trace of the twin in fractions, one by one, in one block, and after a break in a file."""
    n = 4 if declared else None
    one, many = (kinds[0](alpha=alpha, n=n, labels=(0, 1), costs={1: cost}) for _ in range(2))
    twin = kinds[1](alpha, float(n or 1), declared, ">")
    said = [twin.learn(x, label, weight * (cost if label else 1)) for x, label, weight in played]
    for place, (x, label, weight) in enumerate(played):
        if place == 10:
            one = one.copy()
        assert one.learn_one(x, label, weight=weight) == said[place]
    assert {name: w for name, w in one.weights().items() if w < 1e300} == pytest.approx(
        {name: float(w) for name, w in twin.w.items() if w < 10**300}, rel=1e-12
    )
    wrong = [w * (cost if y else 1) for (_, y, w), guess in zip(played, said, strict=True) if guess != y]
    assert (one.facts()["_least"], one.facts()["_most"]) == (min(wrong, default=1), max(wrong, default=1))
    if played:
        X = np.array([[float(name in x) for name in "1234"] for x, _, _ in played])
        again = kinds[0](alpha=alpha, n=4, labels=(0, 1), costs={1: cost})
        rows = [[name for name in "1234" if name in x] for x, _, _ in played]
        for x, (_, label, weight) in zip(rows, played, strict=True):
            again.learn_one(x, label, weight=weight)
        many = kinds[0](alpha=alpha, n=4, labels=(0, 1), costs={1: cost})
        many.learn_many(X, [label for _, label, _ in played], weights=[float(weight) for _, _, weight in played])
        assert many.hypothesis == again.hypothesis
        assert many._state() == again._state()


@pytest.mark.parametrize("kind", [mb.Winnow1, mb.Winnow2])
def test_equal_weights_are_another_alpha(kind: Any) -> None:
    """So the bound with weights is met where that of alpha^C is: the same mistakes, the same number."""
    heavy, plain = kind(alpha=1.5, n=8, labels=(0, 1)), kind(alpha=1.5**3, n=8, labels=(0, 1))
    draw = np.random.default_rng(3)
    ledger = new_ledger(heavy)
    for _ in range(200):
        x = {str(j) for j in range(1, 9) if draw.random() < 0.4}
        label = int(bool({"2", "5"} & x))
        said = heavy.learn_one(x, label, weight=3)
        assert plain.learn_one(x, label) == said
        ledger.record(label, said)
    assert heavy.weights() == plain.weights()
    bound = bound_of(heavy, ledger, {"k": 2})
    assert bound.theorem.name.endswith("with weights")
    same = next(theorem for theorem in plain.theorems if theorem.name.startswith("the start-weights"))
    assert bound.value == pytest.approx(same.bound(plain.all_facts({"k": 2})).value)
    assert 0 < ledger.mistakes <= bound.value


@given(
    st.lists(st.tuples(st.sets(st.sampled_from("12345678")), st.sampled_from([1, 2, 4])), max_size=80),
    st.sampled_from([mb.Winnow1, mb.Winnow2]), st.booleans(), st.sampled_from([1.5, 2.0]),
)  # fmt: skip
def test_winnows_bound_with_weights_holds(played: list[Any], kind: Any, declared: bool, alpha: float) -> None:
    learner = kind(alpha=alpha, n=8 if declared else None, labels=(0, 1))
    ledger = new_ledger(learner)
    for x, weight in played:
        learn_and_record(learner, ledger, x, int(bool({"3", "7"} & x)), learner.predict_one(x), weight)
    facts = learner.all_facts({"k": 2, "n": 8})
    bound = bound_of(learner, ledger, {"k": 2, "n": 8})
    assert ledger.mistakes <= bound.mistakes
    assert ledger.weighted_mistakes <= bound.value * facts["_least"] + 1e-9


def test_a_chain_of_promotions_meets_winnow1s_bound_with_weights() -> None:
    """theta = n = 64, alpha = 2, each example of weight 3: log_8(64) + 1 = 3 promotions, 1 to 8 to 64 to 512."""
    learner = mb.Winnow1(n=64, labels=(0, 1))
    said = [learner.learn_one({"1"}, 1, weight=3) for _ in range(4)]
    assert said == [0, 0, 0, 1]
    assert learner.weight("1") == 512 == 8 * 64  # alpha^C * theta: Lemma 4 with weights is met


def test_weights_too_large_for_exponents() -> None:
    """Table and codes have an end: one sentence, and nothing is left of the trial."""
    learner = mb.Winnow2(n=2, labels=(0, 1), costs={0: 2**20, 1: 2**20})
    with pytest.raises(mb.BadData, match="an exponent of alpha leaves its range: the weights are too large"):
        learner.learn_one({"1"}, 1, weight=2**20)
    assert learner.weights() == {}
    assert learner.learn_one({"1"}, 1) == 0
    assert learner.predict_one({"1"}) == 1
    assert learner.copy().hypothesis == learner.hypothesis
    for _ in range(3):
        learner.learn_one({"1"}, 0)
    assert learner.copy().hypothesis == learner.hypothesis
    assert learner.largest_exponent() == 0


TWINS: dict[str, tuple[Any, Any]] = {
    "perceptron": (lambda: mb.Perceptron(0.5, labels=(0, 1)), lambda: NaivePerceptron(0.5, True)),
    "pa-plain": (
        lambda: mb.PassiveAggressive("plain", labels=(0, 1)), lambda: NaivePassiveAggressive("plain", 1.0, True)
    ),
    "pa-1": (
        lambda: mb.PassiveAggressive("I", 0.25, labels=(0, 1)), lambda: NaivePassiveAggressive("I", 0.25, True)
    ),
    "pa-2": (
        lambda: mb.PassiveAggressive("II", 0.5, bias=False, labels=(0, 1)),
        lambda: NaivePassiveAggressive("II", 0.5, False),
    ),
    "coins": (lambda: mb.learners.CoinBetting(0.5, labels=(0, 1)), lambda: NaiveCoinBetting(0.5, True)),
    "arow": (lambda: mb.AROW(0.5, labels=(0, 1)), lambda: NaiveArow(0.5, "diagonal", True)),
    "arow-full": (lambda: mb.AROW(0.5, "full", labels=(0, 1)), lambda: NaiveArow(0.5, "full", True)),
}  # fmt: skip
values = st.sampled_from([-2.0, -0.5, 0.5, 1.0, 1.0, 3.0])
weighed = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from(["1", "2", "7", "a", "b"]), values, max_size=4), st.integers(0, 1),
        st.sampled_from([0.25, 1.0, 1.0, 2.0, 3.0, 7.5]),
    ),
    max_size=12,
)  # fmt: skip


@pytest.mark.kernel
@pytest.mark.parametrize("name", TWINS)
@given(played=weighed)
def test_twins_agree_to_the_last_bit(name: str, played: list[Any]) -> None:
    learner, twin = (make() for make in TWINS[name])
    for x, label, weight in played:
        assert learner.learn_one(x, label, weight=weight) == twin.learn(x, label, weight)
    if name == "perceptron":
        assert {n: w for n, w in learner.weights().items() if w} == {n: w for n, w in twin.w.items() if w}
        return
    assert learner.weights() == {n: w for n, w in twin.w.items() if n != "the bias"}
    assert learner.bias == (twin.w["the bias"] if isinstance(twin, NaiveArow) else twin.bias)


@pytest.mark.kernel
@given(played=weighed, thickness=st.sampled_from([0.0, 0.1]))
def test_votes_of_balanced_winnow_grow_by_the_weight(played: list[Any], thickness: float) -> None:
    learner, twin = mb.BalancedWinnow(0.25, thickness, labels=(0, 1)), NaiveBalancedWinnow(0.25, thickness, True)
    for x, label, weight in played:
        if twin.near(x, 2 * label - 1)[1]:
            return
        said = learner.learn_one(x, label, weight=weight)
        assert twin.learn(x, label, said, weight) == said
    votes = {name: vote for name, vote in twin.votes.items() if name != "the bias"}
    assert learner.votes() == votes


class NaivePredictingArow(NaiveArow):
    def predict(self, x: dict[str, float]) -> int:
        return int(self.score(x) > 0)


@pytest.mark.kernel
@given(played=weighed)
def test_one_vs_all_gives_every_base_learner_the_weight_of_the_trial(played: list[Any]) -> None:
    learner = mb.OneVsAll("arow", r=0.5, costs={2: 3.0})
    twin = NaiveOneVsAll(lambda: NaivePredictingArow(0.5, "diagonal", True), 0.0)
    for place, (x, label, weight) in enumerate(played):
        y = 2 if place % 3 == 2 else label
        assert learner.learn_one(x, y, weight=weight) == twin.learn(x, y, weight * (3.0 if y == 2 else 1.0))


@pytest.mark.kernel
@given(
    st.lists(
        st.tuples(st.sets(st.sampled_from("abcd")), st.integers(0, 1), st.integers(1, 4)), min_size=1, max_size=15
    ),
    st.sampled_from([0.5, 0.7]),
)
def test_experts_lose_by_the_weight_of_their_mistakes(played: list[Any], beta: float) -> None:
    learner = mb.WeightedMajority("perceptron,perceptron(bias=false)", beta, labels=(0, 1), costs={1: 2})
    twin = NaiveWeightedMajority([NaivePerceptron(1.0, True), NaivePerceptron(1.0, False)], beta)
    for words, label, weight in played:
        said = learner.learn_one(words, label, weight=weight)
        assert said == twin.learn(dict.fromkeys(words, 1.0), label, weight * (1 + label))
    whole = sum(twin.weights)
    shares = [float(weight / whole) for weight in twin.weights]
    # Powers of 0.7 round, those of 0.5 do not.
    assert [share for _, _, share in learner.experts()] == pytest.approx(shares, rel=1e-14 if beta == 0.7 else 0, abs=0)
    bound = learner.bound()
    mistakes = min(count for _, count, _ in learner.experts())
    assert bound.facts["m"] == mistakes
    back = learner.copy()
    assert back.experts() == learner.experts()


@given(st.lists(st.tuples(st.lists(values, min_size=3, max_size=3), st.integers(0, 1), st.integers(1, 4)), max_size=6))
def test_a_whole_weight_is_so_many_repetitions(played: list[Any]) -> None:
    """Exactly for a full covariance (ridge regression) and for PA-I and plain; eliminations hear an example once."""
    for make in (
        lambda: mb.AROW(0.5, "full", labels=(0, 1)), lambda: mb.PassiveAggressive("I", 0.125, labels=(0, 1)),
        lambda: mb.PassiveAggressive("plain", labels=(0, 1)),
    ):  # fmt: skip
        one, many = make(), make()
        for x, label, weight in played:
            if abs(2 * label - 1 - one.score_one(x)) < 1e-9 or abs(one.score_one(x)) < 1e-9 < abs(many.score_one(x)):
                return  # rounding decides
            one.learn_one(x, label, weight=weight)
            for _ in range(weight):
                many.learn_one(x, label)
            assert one.weights() == pytest.approx(many.weights(), abs=1e-9)
            assert one.bias == pytest.approx(many.bias, abs=1e-9)


@given(
    st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.sampled_from([0.5, 1.0, 4.0])), max_size=60),
    st.sampled_from(["pa-plain", "pa-1", "arow", "arow-full", "balanced"]),
)
def test_bounds_with_weights_hold(points: list[tuple[float, float, float]], name: str) -> None:
    """Points at a distance of 0.1 from the line x1 = x2: u = (1, -1)/sqrt(2), or halves that sum to 1 by size."""
    make = TWINS[name][0] if name in TWINS else lambda: mb.BalancedWinnow(0.02, 0.0, labels=(0, 1))
    learner = make()
    ledger, spread = new_ledger(learner), 0.0
    margin = 0.1 if name != "balanced" else 0.1 / 2**0.5
    for a, b, weight in points:
        if abs(a - b) / 2**0.5 < 0.1:
            continue
        label = int(a > b)
        if (2 * label - 1) * learner.score_one([a, b]) < 1:
            spread += weight * ((a - b) / 0.2 * 2**0.5) ** 2
        learn_and_record(learner, ledger, [a, b], label, learner.predict_one([a, b]), weight)
    told = {"margin": margin} | ({"largest": 1} if name == "balanced" else {})
    if "arow" in name:
        told |= {"spread": spread * 2}
    if ledger.mistakes:
        bound = bound_of(learner, ledger, told)
        assert bound.value is not None, bound.failed
        assert ledger.mistakes <= bound.value + 1e-9
        assert ledger.weighted_mistakes >= ledger.mistakes / 2


def test_the_ledger_adds_weights_up(tmp_path: Path) -> None:
    rows, labels, weights = [[1.0], [1.0], [-1.0], [1.0]], [1, 0, 0, 1], [0.1, 0.2, 0.3, 0.4]
    ledgers = []
    for cut in (1, 2, 4):
        learner = mb.AROW(labels=(0, 1), costs={1: 3})
        ledger = new_ledger(learner)
        for at in range(0, 4, cut):
            part = slice(at, at + cut)
            learner.learn_many(np.array(rows[part]), labels[part], weights=weights[part], ledger=ledger)
        ledgers.append(ledger.state())
    assert ledgers[0] == ledgers[1] == ledgers[2]
    total, wrong = 0.0, 0.0
    for weight, label, trial in zip(weights, labels, (1, 2, 3, 4), strict=True):
        total += (3.0 if label else 1.0) * weight
        wrong += (3.0 if label else 1.0) * weight if trial in ledger.mistake_trials else 0.0
    assert (ledger.weighted_trials, ledger.weighted_mistakes) == (total, wrong)
    assert ledger.weighted_error_rate == wrong / total
    back = Ledger.restore(ledger.state(), learner.labels)
    assert (back.weighted_trials, back.weighted_mistakes, back.weighted) == (total, wrong, True)
    plain = Ledger()
    plain.record(1, 0)
    assert not plain.weighted
    assert "weights" not in plain.state()


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, model = tmp_path / "rows.vw", tmp_path / "m.mb"
    file.write_text("ham 2 | a b\nspam 3 | b c\nham | a\n")
    from mistakebound.cli import main

    learn = ["learn", str(file), "--labels", "ham,spam", "--model", str(model), "--quiet"]
    assert main([*learn, "--learner", "perceptron", "--cost", "spam=5"]) == 0
    assert mb.load(model).learner.weights() == {"a": -1.0, "b": 15.0, "c": 15.0}
    assert main([*learn, "--learner", "perceptron", "--cost", "spam=5/2"]) == 0
    assert mb.load(model).learner.weights() == {"a": -1.0, "b": 7.5, "c": 7.5}
    assert main(["learn", str(file), "--from", str(model), "--cost", "spam=2"]) == 2
    assert "--cost cannot be changed with --from" in capsys.readouterr().err
    assert main([*learn, "--learner", "perceptron", "--cost", "span=5"]) == 3
    assert "cost is given for 'span'" in capsys.readouterr().err
    assert main([*learn, "--learner", "winnow2", "--cost", "spam=2.5"]) == 2
    assert "winnow2 takes whole costs up to 1,048,576: spam=2.5" in capsys.readouterr().err
    assert main([*learn, "--learner", "perceptron", "--cost", "spam=much"]) == 2
    assert main([*learn, "--learner", "winnow2", "--cost", "spam=5"]) == 0
    assert mb.load(model).learner.top(1) == [("b", 1.5**15 / 8)]
    capsys.readouterr()
    file.write_text("ham 2.5 | a b\nspam 3 | b c\n")
    assert main([*learn, "--learner", "winnow2"]) == 3
    said = "rows.vw:1: winnow2 takes whole weights up to 1,048,576: 2.5"
    assert said in capsys.readouterr().err


TABLE = (
    "sky,wind,play\n"
    + "sunny,weak,no\nrain,weak,yes\nsunny,strong,no\nrain,strong,no\novercast,weak,yes\nsunny,weak,yes\n" * 3
)


@pytest.mark.parametrize("learner", ["decision-tree", "naive-bayes"])
def test_learners_of_tables_count_a_row_by_its_weight(tmp_path: Path, learner: str) -> None:
    """A cost of 3 is every row of that label three times; weights and costs of arrays multiply."""
    once, often = tmp_path / "once.csv", tmp_path / "often.csv"
    head, *rows = TABLE.splitlines()
    once.write_text(TABLE)
    often.write_text(
        "\n".join([head, *(row for line in rows for row in [line] * (3 if line.endswith("yes") else 1))]) + "\n"
    )
    asked = [{"sky": sky, "wind": wind} for sky in ("sunny", "rain", "overcast") for wind in ("weak", "strong")]
    cost, repeated, plain = (
        mb.learn(once, "play", learner=learner, cost={"yes": 3}), mb.learn(often, "play", learner=learner),
        mb.learn(once, "play", learner=learner),
    )  # fmt: skip
    shares = [[model.predict_proba_one(row)["yes"] for row in asked] for model in (cost, repeated, plain)]
    assert shares[0] == pytest.approx(shares[1], abs=1e-12)
    assert shares[0] != pytest.approx(shares[2], abs=1e-3)
    X, y = [line.split(",")[:2] for line in rows], [line.split(",")[2] for line in rows]
    frame = [{"sky": a, "wind": b} for a, b in X]
    whole = mb.learners.registry.find(learner)().fit(frame, y, weights=[2.0 if label == "yes" else 1.0 for label in y])
    twice = mb.learners.registry.find(learner)().fit(
        [*frame, *(f for f, label in zip(frame, y, strict=True) if label == "yes")], [*y, *["yes"] * y.count("yes")]
    )
    assert [whole.predict_proba_one(row)["yes"] for row in asked] == pytest.approx(
        [twice.predict_proba_one(row)["yes"] for row in asked], abs=1e-12
    )


@pytest.mark.parametrize("learner", ["decision-tree", "naive-bayes"])
def test_a_column_of_weights_is_so_many_repetitions(tmp_path: Path, learner: str) -> None:
    """On the command line, from a file, a Parquet file and a frame, with a part held out; times the cost of a label."""
    import pyarrow.csv
    import pyarrow.parquet

    from mistakebound.cli import main

    once, often, model = tmp_path / "once.csv", tmp_path / "often.csv", tmp_path / "m.mb"
    head, *rows = TABLE.splitlines()
    weighed = [(row, 1 + place % 3) for place, row in enumerate(rows)]
    once.write_text("\n".join([head + ",count", *(f"{row},{count}" for row, count in weighed)]) + "\n")
    repeated = [row for row, count in weighed for _ in range(count * (2 if row.endswith("yes") else 1))]
    often.write_text("\n".join([head, *repeated]) + "\n")
    asked = [{"sky": sky, "wind": wind} for sky in ("sunny", "rain", "overcast") for wind in ("weak", "strong")]
    frame = pyarrow.csv.read_csv(once)
    pyarrow.parquet.write_table(frame, tmp_path / "once.parquet")
    how: dict[str, Any] = {"learner": learner, "weights": "count", "cost": {"yes": 2}}
    words = ["learn", str(once), "--label", "play", "--weights", "count", "--cost", "yes=2", "--learner", learner]
    assert main([*words, "--model", str(model), "--quiet"]) == 0
    expected = mb.learn(often, "play", learner=learner)
    for found in (
        mb.learn(once, "play", **how), mb.learn(tmp_path / "once.parquet", "play", **how), mb.load(model),
        mb.learn(frame, "play", **how),
    ):  # fmt: skip
        assert [found.predict_proba_one(row)["yes"] for row in asked] == pytest.approx(
            [expected.predict_proba_one(row)["yes"] for row in asked], abs=1e-12
        )
        assert "count" not in found.learner.schema.names
    assert mb.load(model).predict(once) == [
        mb.load(model).predict_one(dict(zip(("sky", "wind"), row.split(",")[:2], strict=True))) for row in rows
    ]
    part = mb.learn(once, "play", holdout=5, **how)
    rest = [pair for place, pair in enumerate(weighed, 1) if place % 5]
    kept = [row for row, count in rest for _ in range(count * (2 if row.endswith("yes") else 1))]
    often.write_text("\n".join([head, *kept]) + "\n")
    expected = mb.learn(often, "play", learner=learner)
    assert [part.predict_proba_one(row)["yes"] for row in asked] == pytest.approx(
        [expected.predict_proba_one(row)["yes"] for row in asked], abs=1e-12
    )


def test_what_tables_refuse(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        TABLE.replace("play", "n,play").replace("weak,", "weak,1,").replace("strong,", "strong,1,")
    )
    for options, error, said in (
        ({"learner": "table-network", "cost": {"yes": 2}}, mb.BadParameter, "table-network does not support cost: yes"),
        ({"learner": "table-network", "weights": "n"}, mb.BadParameter, "table-network does not support weights: 'n'"),
        ({"learner": "naive-bayes", "cost": {"maybe": 2}}, mb.BadData, "cost is given for 'maybe'"),
        ({"learner": "decision-tree", "cost": {"yes": 0}}, mb.BadParameter, "must be a number > 0"),
        (
            {"learner": "decision-tree", "cost": {"yes": 2}, "parameters": {"prune": "mdl"}},
            mb.BadParameter,
            "prune = mdl",
        ),
        ({"learner": "decision-tree", "weights": "wind"}, mb.BadData, "t.csv:2: the weight 'weak' is not a finite"),
    ):
        with pytest.raises(error, match=said):
            mb.learn(tmp_path / "t.csv", "play", **options)
    from mistakebound.cli import main

    words = ["learn", str(tmp_path / "t.csv"), "--label", "play", "--learner", "decision-tree", "--cost", "yes=3"]
    assert main([*words, "--quiet"]) == 0


@pytest.mark.parametrize(
    "how", [{}, {"standardize": True}, {"cross": 2}, {"negate": True, "attributes": 3}, {"labels": ("a", "b", "c")}]
)
def test_weights_go_through_transforms_and_ensembles(how: dict[str, Any]) -> None:
    """AROW with r = 1 and every weight 2 is AROW with r = 1/2, to the last bit, whatever stands before it."""
    draw = np.random.default_rng(5)
    X = draw.integers(0, 2, (80, 3)).astype(float) if {"cross", "negate"} & {*how} else draw.normal(size=(80, 3))
    y = draw.choice(list(how.get("labels", ("a", "b"))), 80).tolist()
    rows = [
        {"x": value[0], "y": value[1], "z": value[2], "w": 2.0, "label": label}
        for value, label in zip(X, y, strict=True)
    ]
    if not {"cross", "negate"} & {*how}:
        heavy = mb.learn(rows, "label", weights="w", parameters={"r": 1.0}, **how)
        light = mb.learn(
            [{k: v for k, v in row.items() if k != "w"} for row in rows], "label", parameters={"r": 0.5}, **how
        )
        asked = [{k: row[k] for k in "xyz"} for row in rows]
    else:
        heavy = mb.learn((X, y), weights=[2.0] * 80, parameters={"r": 1.0}, **how)
        light = mb.learn((X, y), parameters={"r": 0.5}, **how)
        asked = X.tolist()
    assert heavy.ledger.confusion == light.ledger.confusion
    assert heavy.ledger.weighted_mistakes == 2 * light.ledger.mistakes
    assert [heavy.score_one(row) for row in asked] == [light.score_one(row) for row in asked]


def test_compare_with_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draw = np.random.default_rng(2)
    X = draw.normal(size=(200, 3))
    y = np.where(X[:, 0] + draw.normal(size=200) > 1, "sick", "well").tolist()
    found = mb.compare((X, y), ["arow", "perceptron"], cost={"sick": 5}, labels=("well", "sick"))
    ledgers = [entry.ledger for entry in found.ranked]
    assert ledgers[0].weighted_error_rate <= ledgers[1].weighted_error_rate
    assert "by weight %" in str(found)
    with pytest.raises(mb.BadParameter, match=r"winnow2 takes whole costs up to 1,048,576: sick=2\.5"):
        mb.compare((X > 0, y), ["winnow2"], cost={"sick": 2.5})
    assert "winnow2" in [entry.name for entry in mb.compare((X > 0, y), cost={"sick": 5}).entries]
    file = tmp_path / "rows.svm"
    file.write_text("".join(f"{int(label == 'sick')} {place % 7 + 1}:1\n" for place, label in enumerate(y)))
    from mistakebound.cli import main

    assert main(["compare", str(file), "--cost", "1=5", "--quiet"]) == 0
    captured = capsys.readouterr()
    assert "by weight %" in captured.out
    assert "winnow2" in captured.out
