"""Passive-aggressive learning: the twin agrees bit for bit, its theorems hold, and some are met."""

from __future__ import annotations

from array import array
from itertools import permutations
from math import fsum, hypot, inf, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core import model_file
from naive.passive_aggressive import NaivePassiveAggressive

VARIANTS = ["plain", "I", "II"]
names = st.sampled_from(["1", "10", "9", "0", "b", "a", "é", "007", "9223372036854775807", "9223372036854775808"])
values = st.sampled_from([1.0, -1.0, 0.1, 0.2, 0.3, -0.3, 1e-9, 1e6, 7.7, 0.0])
trials = st.lists(st.tuples(st.dictionaries(names, values, max_size=8), st.sampled_from([0, 1])), max_size=40)
variants = st.sampled_from(VARIANTS)
strengths = st.sampled_from([1.0, 0.1, 3.7, 1e-3])


@pytest.mark.kernel
@given(variants, strengths, st.booleans(), trials)
def test_twin_agrees_bit_for_bit(variant: str, C: float, bias: bool, played: Any) -> None:
    learner, twin = mb.PassiveAggressive(variant, C, bias, labels=(0, 1)), NaivePassiveAggressive(variant, C, bias)
    for x, label in [*played, *played[::-1]]:
        assert learner.score_one(x) == twin.score(x)
        assert learner.learn_one(x, label) == twin.learn(x, label)
        assert learner.weights() == twin.w
        assert list(learner.weights()) == list(twin.w)
        assert learner.bias == twin.bias


@pytest.mark.kernel
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("real", [False, True])
def test_a_block_of_rows_in_no_order_is_the_twin(variant: str, real: bool) -> None:
    """Rows that were learned from stand at a margin of 1: there the order of a sum decides."""
    draw = Random(5)
    rows = [draw.sample(range(1, 10), draw.randrange(1, 7)) for _ in range(60)] * 2
    data = [[draw.choice([0.1, 0.2, -0.3, 0.7]) if real else 1.0 for _ in row] for row in rows]
    labels = [draw.randrange(2) for _ in rows]
    learner, twin = mb.PassiveAggressive(variant, 0.3, labels=(0, 1)), NaivePassiveAggressive(variant, 0.3, True)
    ends = np.cumsum([0] + [len(row) for row in rows])
    columns = np.array([column - 1 for row in rows for column in row])
    X = sp.csr_matrix((np.concatenate(data), columns, ends), shape=(len(rows), 9))
    said = [
        twin.learn(dict(zip(map(str, row), held, strict=True)), label)
        for row, held, label in zip(rows, data, labels, strict=True)
    ]
    assert learner.learn_many(X, labels).tolist() == said
    assert learner.weights() == twin.w
    assert learner.bias == twin.bias


def with_weights(values: list[float]) -> Any:
    """A learner with these weights of the attributes 1, 2, ..."""
    learner = mb.PassiveAggressive("plain", bias=False, labels=(0, 1))
    learner.learn_one({str(place): 1.0 for place in range(1, len(values) + 1)}, 1)
    arrays = {name: model_file.as_array(held) for name, held in learner._all_arrays().items()}
    arrays["weights"][:] = array("d", values)
    return mb.PassiveAggressive.restore(learner._header(), arrays)


@pytest.mark.kernel
@pytest.mark.parametrize("values", [[-0.2, 0.6, 1.2, -1.6, 1.0], [0.6, -1.6, 1.2, 1.0, -0.2]])
def test_whether_the_margin_is_met_depends_on_the_order_of_the_sum(values: list[float]) -> None:
    """In one order the sum is above 1, in another below it: that of the keys decides, however a row comes."""
    sums = {order: added_up(values, order) for order in permutations(range(5))}
    assert min(sums.values()) < 1.0 < max(sums.values())
    for order in [*[*sums][::5], (1, 2, 3, 4, 0)]:
        learner = with_weights(values)
        X = sp.csr_matrix((np.ones(5), np.array(order), np.array([0, 5])), shape=(1, 5))
        learner.learn_many(X, [1])
        assert (list(learner.weights().values()) == values) == (sums[0, 1, 2, 3, 4] >= 1.0), order


def added_up(values: list[float], order: tuple[int, ...]) -> float:
    total = 0.0
    for place in order:
        total += values[place]
    return total


vectors = st.lists(st.integers(-6, 6), min_size=3, max_size=3)


@given(variants, strengths, st.lists(st.integers(-5, 5), min_size=4, max_size=4), st.lists(vectors, max_size=60),
       st.booleans())  # fmt: skip
def test_bound_holds_on_separable_data(
    variant: str, C: float, u: list[int], points: list[list[int]], bias: bool
) -> None:
    u = u if bias else [*u[:3], 0]
    learner, margin, radius, mistakes = mb.PassiveAggressive(variant, C, bias), inf, 0.0, 0
    for point in points * 3:
        extended = [*point, 1 if bias else 0]
        dot = fsum(a * b for a, b in zip(u, extended, strict=True))
        if dot:
            margin, radius = min(margin, abs(dot) / hypot(*u)), max(radius, hypot(*extended))
            mistakes += learner.learn_one(point, int(dot > 0)) != int(dot > 0)
    if margin < inf:
        told = learner.bound(margin=margin, radius=radius)
        factor = {"plain": radius**2, "I": max(radius**2, 1 / C), "II": radius**2 + 1 / (2 * C)}[variant]
        assert told.value == pytest.approx(factor / margin**2)
        assert told.allows(mistakes)
        if mistakes:  # R of the mistakes alone is enough
            assert learner.bound(margin=margin).allows(mistakes)


@given(variants, strengths, st.lists(st.floats(-2, 2), min_size=4, max_size=4), st.booleans(),
       st.lists(st.tuples(vectors, st.booleans()), min_size=1, max_size=40))  # fmt: skip
def test_bound_holds_whatever_the_labels(
    variant: str, C: float, u: list[float], bias: bool, played: list[tuple[list[int], bool]]
) -> None:
    """Any vector u may be told, with its losses.  Points of zeros are among the rows: nothing separates them."""
    u = u if bias else [*u[:3], 0.0]
    learner, mistakes, losses, lengths = mb.PassiveAggressive(variant, C, bias, labels=(False, True)), 0, [], []
    for point, label in [*played, ([0, 0, 0], True)] * 3:
        extended = [*point, 1 if bias else 0]
        dot = fsum(a * b for a, b in zip(u, extended, strict=True))
        losses.append(max(0.0, 1 - (dot if label else -dot)))
        lengths.append(hypot(*extended))
        mistakes += learner.learn_one(point, label) != label
    loss = {"loss": fsum(losses)} if variant == "I" else {"squared_loss": fsum(loss**2 for loss in losses)}
    if variant == "plain" and not any(lengths):
        assert "0 < shortest <= radius fails" in learner.bound(norm=1, radius=0, shortest=0, **loss).failed
        return
    shortest = {"shortest": min(length for length in lengths if length)} if variant == "plain" else {}
    told = learner.bound(norm=hypot(*u), radius=max(lengths), **loss, **shortest)
    assert told.allows(mistakes), told
    if any(learner.weights().values()) and "radius" in learner.facts():
        assert learner.bound(norm=hypot(*u), **loss).allows(mistakes)


@pytest.mark.parametrize("variant", ["plain", "I"])
def test_bound_is_met(variant: str) -> None:
    """Orthonormal instances: u = their sum has margin 1, |u|^2 = d, R = 1, and each is a mistake."""
    for d in (1, 2, 5, 9):
        learner = mb.PassiveAggressive(variant, bias=False)
        mistakes = sum(learner.learn_one({str(j)}, 1) != 1 for j in range(d))
        assert mistakes == d == round(learner.bound(margin=1 / sqrt(d), radius=1).value)
        losses = {"loss": 0} if variant == "I" else {"squared_loss": 0}
        assert mistakes == round(learner.bound(norm=sqrt(d), **losses).value)


def test_the_second_bound_is_approached() -> None:
    """The same instances in variant II: it comes as near as C is large."""
    for C in (0.5, 5.0, 500.0):
        learner = mb.PassiveAggressive("II", C=C, bias=False)
        assert sum(learner.learn_one({str(j)}, 1) != 1 for j in range(9)) == 9
        assert learner.bound(margin=1 / 3).value == pytest.approx(9 * (1 + 1 / (2 * C)))


@pytest.mark.parametrize(("variant", "losses"), [("I", "loss"), ("II", "squared_loss"), ("plain", "squared_loss")])
def test_without_its_losses_the_bound_would_be_passed(variant: str, losses: str) -> None:
    """One instance with one label and the other in turn: every trial is a mistake, and u = 0 loses 1 in each."""
    learner = mb.PassiveAggressive(variant, C=0.5, bias=False, labels=(-1, 1))
    played = [(1, -1)[t % 2] for t in range(40)]
    assert sum(learner.learn_one([1.0], y) != y for y in played) == 40
    assert learner.bound(norm=0, **{losses: 40}).allows(40)
    assert not learner.bound(norm=1, **{losses: 0}).allows(40)
    if variant == "I":
        assert learner.bound(norm=0, loss=40).value == 80  # twice the count


def test_the_bound_of_another_variant_is_not_quoted() -> None:
    first, second = mb.PassiveAggressive("I"), mb.PassiveAggressive("II")
    assert "norm and loss and radius must be given" in first.bound().failed
    assert "PA-II" not in first.bound().failed
    assert second.bound(norm=1, loss=3, radius=1).value is None
    assert second.bound(norm=1, squared_loss=3, radius=1).value == 1.5 * 7
    assert "margin > 0 fails" in first.bound(margin=0, radius=1).failed


def test_a_warm_start_counts_from_its_weights() -> None:
    learner = mb.PassiveAggressive("plain", bias=False)
    for j in range(5):
        learner.learn_one({str(j)}, -1)
    ledger = mb.play(learner, [({str(j)}, 1) for j in range(5)] * 2, assume={"margin": 1 / sqrt(5)})
    assert ledger.start == {"start_norm": pytest.approx(sqrt(5))}
    assert ledger.bound.value == pytest.approx((2 * sqrt(5)) ** 2)
    assert ledger.mistakes == 5
    assert ledger.verdict.kind == "within"


@pytest.mark.kernel
def test_it_learns_from_a_narrow_success() -> None:
    learner = mb.PassiveAggressive("I", C=0.25, bias=False, labels=(0, 1))
    assert learner.learn_one([1.0], 1) == 0
    assert learner.learn_one([2.0], 1) == 1
    assert learner.weights() == {"1": 0.5}
    assert learner.facts()["radius"] == 1.0  # of the mistakes
    learner.learn_one([0.5], 1)
    assert learner.facts()["shortest"] == 0.5


@pytest.mark.kernel
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_row_of_nothing_teaches_nothing(variant: str) -> None:
    learner = mb.PassiveAggressive(variant, bias=False, labels=(0, 1))
    learner.learn_one({"1": 2.0}, 1)
    before = learner.hypothesis, learner.facts()
    assert learner.learn_one({}, 1) == 0
    assert learner.learn_many(sp.csr_matrix(([0.0], [0], [0, 1]), shape=(1, 1)), [1]).tolist() == [0]
    assert (learner.hypothesis, learner.facts()) == before
    learner = mb.PassiveAggressive(variant)  # with a bias it is a row like others
    learner.learn_one({}, 1)
    assert learner.bias > 0


@pytest.mark.kernel
def test_rows_too_short_or_too_long_for_a_step() -> None:
    """|x|^2 of 1e-200 is 0 in doubles: the step of the plain variant is none, that of I is C."""
    plain, first = (mb.PassiveAggressive(variant, bias=False) for variant in ("plain", "I"))
    with pytest.raises(mb.BadData, match="range of doubles"):
        plain.learn_one({"1": 1e-200}, 1)
    assert plain.attributes.names() == []
    first.learn_one({"1": 1e-200}, 1)
    assert first.weights() == {"1": 1e-200}
    for learner in (plain, first):
        before = learner.hypothesis
        with pytest.raises(mb.BadData, match="range of doubles"):
            learner.learn_one({"2": 1e200}, 1)
        assert learner.hypothesis == before
        assert "2" not in learner.attributes


@pytest.mark.kernel
def test_overflow_leaves_no_trace() -> None:
    learner = mb.PassiveAggressive("I", C=1e308, bias=True)
    learner.learn_one({"a": 1e-154}, 1)
    before = learner.hypothesis, learner.facts()
    with pytest.raises(mb.BadData, match="range of doubles"):
        learner.learn_one({"new": 1.0, "a": 1e300, "b": 1e300}, 0)
    assert (learner.hypothesis, learner.facts()) == before
    assert learner.attributes.names() == ["a"]
    X = sp.csr_matrix([[1.0, 0.0], [1e300, 1e300], [1.0, 1.0]])
    with pytest.raises(mb.BadData, match=r"row 1: .*range of doubles"):
        mb.PassiveAggressive().learn_many(X, [1, 0, 1])


def test_a_prediction_whose_sum_is_no_double_is_refused() -> None:
    learner = mb.PassiveAggressive("plain", bias=False)
    learner.learn_one({"1": 1e-3}, 1)  # a weight of 1000
    with pytest.raises(mb.BadData, match="range of doubles"):
        learner.predict_one({"1": 1e307})
    with pytest.raises(mb.BadData, match=r"row 1: .*range of doubles"):
        learner.predict_many([[1.0], [1e307]])


def test_reading(tmp_path: Path) -> None:
    learner = mb.PassiveAggressive("plain", labels=("ham", "spam"))
    for x, label in (({"free", "now", "cash"}, "spam"), ({"lunch", "now", "soon"}, "ham")):
        learner.learn_one(x, label)
    # Steps of 1/4, then of (1 + 1/2)/4: of equal weights the first that appeared is named.
    assert learner.top(2) == [("lunch", -0.375), ("soon", -0.375)]
    assert (learner.weight("free"), learner.weight("now"), learner.bias) == (0.25, -0.125, -0.125)
    assert learner.weight("never") == 0.0
    assert str(learner.hypothesis) == "-0.375*lunch + -0.375*soon + 0.25*cash + 0.25*free + -0.125*now + -0.125 > 0"
    assert "0.125 > 0: predicts spam" in str(mb.inspection.explain_one(learner, {"free"}))
    learner.save(tmp_path / "model")
    again = mb.load(tmp_path / "model").learner
    assert again.hypothesis == learner.hypothesis
    assert again.facts() == learner.facts()
    assert repr(again) == "PassiveAggressive(variant='plain')"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("weights", [1.0]), ("weights", [inf, 1.0]), ("scalars", [0.0, 1.0]), ("scalars", [inf, 1.0, 1.0]),
        ("scalars", [0.0, -1.0, 1.0]), ("scalars", [0.0, 1.0, inf]), ("scalars", [0.0, float("nan"), 1.0]),
    ],
)  # fmt: skip
def test_forged_models_are_refused(name: str, values: list[float], tmp_path: Path) -> None:
    learner = mb.PassiveAggressive()
    learner.learn_one({"a", "b"}, 1)
    learner.save(tmp_path / "model")
    header, arrays = model_file.read(tmp_path / "model")
    arrays[name] = type(arrays[name])("d", values)
    model_file.write(tmp_path / "model", header, arrays)
    with pytest.raises(mb.errors.BadModel, match="not a model that this program could have written"):
        mb.load(tmp_path / "model")


def test_each_formula_at_hand() -> None:
    """R = 2, r = 1/2, |u| = 3, |w0| = 1 and losses 1, 1, 1, 1 (plain, II) or 4 in all (I); C = 1/8."""
    shared = {"norm": 3, "radius": 2, "start_norm": 1}
    told = {"plain": {"squared_loss": 4, "shortest": 0.5}, "I": {"loss": 4}, "II": {"squared_loss": 4}}
    values = {name: mb.PassiveAggressive(name, C=0.125).bound(**shared, **facts).value for name, facts in told.items()}
    assert values == {"plain": (2 * (4 + 2 * 2 / 0.5)) ** 2, "I": 8 * (16 + 1), "II": (4 + 4) * (16 + 1)}
