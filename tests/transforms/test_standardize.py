"""Standardised values: as the definition has them, and the same by every way in."""

from __future__ import annotations

import copy
import pickle
from array import array
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import mistakebound as mb
from mistakebound.core import model_file
from mistakebound.core.errors import BadData, BadModel, BadParameter
from mistakebound.transforms import expand, standardize
from naive.standardize import standardized

pytestmark = pytest.mark.kernel
NAMES = ["3", "10", "b", "a"]
values = st.sampled_from([0.0, 1.0, 1.0, -2.5, 7.0, 0.125, 1000.0])
instances = st.dictionaries(st.sampled_from(NAMES), values)
trials = st.lists(st.tuples(instances, st.integers(0, 1)), max_size=25)
learners = st.sampled_from([mb.Perceptron, mb.PassiveAggressive])


@given(trials)
def test_values_are_those_of_the_definition(played: Any) -> None:
    learner = standardize(mb.Perceptron())
    expected = list(standardized([x for x, _ in played]))
    for (x, y), row in zip(played, expected, strict=True):
        seen = dict(learner.entries(learner.encode(x)))
        learner.learn_one(x, y)
        known = {name: value for name, value in row.items() if name in seen}
        assert seen == pytest.approx(known, rel=1e-9, abs=1e-9)
        assert set(row) - set(seen) <= set(x)  # those appear now for the first time


@given(learners, trials)
def test_all_ways_in_agree(kind: Any, played: Any) -> None:
    """One at a time, as a matrix, and copied in the middle: the same predictions and the same model, bit for bit."""
    dense = [({name: x.get(name, 0.0) for name in NAMES}, y) for x, y in played]
    _agree(kind, dense, lambda X: X)
    sparse = [({name: value for name, value in x.items() if value}, y) for x, y in played]
    _agree(kind, sparse, csr_matrix)


def _agree(kind: Any, played: Any, matrix: Any) -> None:
    one, many, copied = (standardize(kind(labels=(0, 1))) for _ in range(3))
    said = []
    for t, (x, y) in enumerate(played):
        before = one.predict_one(x)
        said.append(one.learn_one(x, y))
        assert said[-1] == before
        copied = (copy.deepcopy(copied), pickle.loads(pickle.dumps(copied)))[t % 2]
        assert copied.learn_one(x, y) == said[-1]
    if played:
        X = np.array([[x.get(name, 0.0) for name in NAMES] for x, _ in played])
        assert many.learn_many(matrix(X), [y for _, y in played], names=NAMES).tolist() == said
    assert one.weights() == many.weights() == copied.weights()
    arrays = [dict(learner._all_arrays()) for learner in (one, many, copied)]
    assert [bytes(a["tally"]) for a in arrays] == [bytes(arrays[0]["tally"])] * 3


def test_the_learner_sees_standardised_values_only() -> None:
    draw = np.random.default_rng(1)
    X = np.round(draw.normal(50, 20, (200, 3)), 3) + 0.0005
    y = (X @ [1, -1, 0.5] > 30).astype(int)
    names = ["p", "q", "r"]
    rows = [dict(zip(names, row, strict=True)) for row in X.tolist()]
    learner, plain = standardize(mb.Perceptron(labels=(0, 1))), mb.Perceptron(labels=(0, 1))
    raw = mb.Perceptron(labels=(0, 1))
    said = [learner.learn_one(x, label) for x, label in zip(rows, y.tolist(), strict=True)]
    assert said == [plain.learn_one(x, label) for x, label in zip(standardized(rows), y.tolist(), strict=True)]
    missed = sum(a != b for a, b in zip(said, y.tolist(), strict=True))
    assert missed < sum(raw.learn_one(x, label) != label for x, label in zip(rows, y.tolist(), strict=True))


def test_a_row_that_is_refused_leaves_no_trace() -> None:
    learner = standardize(mb.Perceptron())
    for value in (3.0, 5.0):
        learner.learn_one({"a": value, "b": value}, 1)
    before = bytes(learner._all_arrays()["tally"])
    with pytest.raises(BadData, match="too far"):
        learner.learn_one({"b": 4.0, "a": 1e200}, 0)
    assert bytes(learner._all_arrays()["tally"]) == before
    with pytest.raises(BadData, match="too far"):
        learner.predict_one({"a": 1e200})
    block = np.array([[4.0, 1.0], [1e200, 2.0], [6.0, 3.0]])
    with pytest.raises(BadData, match="too far"):
        learner.learn_many(block, [1, 0, 1], names=["a", "b"])
    assert learner._all_arrays()["tally"][:2].tolist() == [3.0, 4.0]  # the row before it was learned


def test_model_file(tmp_path: Path) -> None:
    learner = standardize(mb.Perceptron())
    rows = [({"a": float(i % 7), "b": 1.0 + i % 3}, i % 2) for i in range(1, 40)]
    for x, y in rows:
        learner.learn_one(x, y)
    learner.save(tmp_path / "m.mb")
    again = mb.load(tmp_path / "m.mb").learner
    assert repr(again) == "Perceptron() over standardised values"
    assert [again.learn_one(x, y) for x, y in rows] == [learner.learn_one(x, y) for x, y in rows]
    assert again.score_one({"a": 5.0}) == learner.score_one({"a": 5.0})
    header, arrays = model_file.read(tmp_path / "m.mb")
    for forged in ([1.0] * 3, [0.5, 0.0, 0.0] * 2, [1.0, float("nan"), 0.0] * 2, [2.0, 1.0, -1.0] * 2):
        model_file.write(tmp_path / "f.mb", header, arrays | {"tally": array("d", forged)})
        with pytest.raises(BadModel):
            mb.load(tmp_path / "f.mb")


def test_refused() -> None:
    with pytest.raises(BadParameter, match="takes 0 and 1 only"):
        mb.transforms.standardize(mb.Winnow2())
    with pytest.raises(BadParameter, match="standardize can be applied to a learner only once"):
        mb.transforms.standardize(mb.transforms.standardize(mb.Perceptron()))
    with pytest.raises(BadParameter, match="any name"):
        standardize(mb.learners.DecisionListLearner(n=3))


@pytest.mark.parametrize("before", [0, 2])
def test_a_row_that_the_learner_refuses_is_in_no_mean(before: int) -> None:
    """The third row takes the sum out of the doubles: it leaves no trace, in a block of its own or in one of three."""
    X, y = np.array([[5.0], [7.0], [9.0]]), [1, 0, 1]
    refused, clean = (standardize(mb.Perceptron(eta=1.7e308)) for _ in range(2))
    clean.learn_many(X[:2], y[:2])
    refused.learn_many(X[:before], y[:before])
    with pytest.raises(BadData, match="range of doubles"):
        refused.learn_many(X[before:], y[before:])
    kept = [
        {name: bytes(numbers) for name, numbers in learner._all_arrays().items()} for learner in (refused, clean)
    ]  # fmt: skip
    assert kept[0] == kept[1]


@pytest.mark.parametrize("transform", [standardize, lambda learner: expand(learner, 2)], ids=["standardize", "expand"])
def test_labels_and_costs_are_those_of_the_learner(transform: Any) -> None:
    learner = transform(mb.Perceptron(labels=("ham", "spam"), costs={"spam": 5}))
    assert learner.learn_one({"a": 3.0}, "spam") == "ham"
    assert learner.inner.bias == 5.0


def columns() -> list[tuple[float, float, int]]:
    """Two columns, the first one near 0, and a label that only the sign and the size of that one tell."""
    draw = np.random.default_rng(3)
    x = np.round(draw.normal(0, 0.1, 300), 1) + 0.0
    return [(float(a), float(b), int(a >= 0)) for a, b in zip(x, draw.integers(0, 2, 300), strict=True)]


def test_a_zero_in_a_table_is_a_value(tmp_path: Path) -> None:
    """0.1, 0 and -0.1 are in a row; the same in a file, a frame, an array, rows, mappings and a cache."""
    rows = columns()
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n" + "".join(f"{a},{b},{y}\n" for a, b, y in rows))
    lines = tmp_path / "t.jsonl"
    lines.write_text("".join(f'{{"a": {a}, "b": {b}, "y": {y}}}\n' for a, b, y in rows))
    models = [
        mb.learn(path, label="y", standardize=True, learner="perceptron"),
        mb.learn(path, label="y", standardize=True, learner="perceptron", cache=str(tmp_path / "c")),
        mb.learn(lines, label="y", standardize=True, learner="perceptron"),
        mb.learn([{"a": a, "b": b, "y": y} for a, b, y in rows], label="y", standardize=True, learner="perceptron"),
    ]
    scores = [[model.score_one({"a": a, "b": 1.0}) for a in (0.1, 0, -0.1)] for model in models]
    assert scores == [scores[0]] * 4
    up, middle, down = scores[0]
    assert up > middle > down
    assert middle - down == pytest.approx(up - middle, rel=0.01)  # but for the value at hand a line
    assert [models[0].score_one((a, 1.0)) for a in (0.1, 0.0, -0.1)] == scores[0]
    assert models[0].score_one("0,1") == middle
    assert models[0].score_one({"b": 1.0}) != middle  # missing is the mean, which 0 is not
    X, y = np.array([row[:2] for row in rows]), [row[2] for row in rows]
    named, listed, single = (standardize(mb.Perceptron(labels=(0, 1))) for _ in range(3))
    named.learn_many(X, y, names=["a", "b"])
    listed.learn_many(X.tolist(), y)
    said = [single.learn_one(row, label) for row, label in zip(X.tolist(), y, strict=True)]
    assert [named.score_one({"a": a, "b": 1.0}) for a in (0.1, 0, -0.1)] == scores[0]
    assert [listed.score_one([a, 1.0]) for a in (0.1, 0, -0.1)] == [single.score_one((a, 1)) for a in (0.1, 0, -0.1)]
    assert [listed.score_one([a, 1.0]) for a in (0.1, 0, -0.1)] == scores[0]
    assert said == standardize(mb.Perceptron(labels=(0, 1))).learn_many(X, y).tolist()
    explained = dict(named.entries(named.encode({"a": 0.0, "b": 1.0})))
    assert explained["a"] == pytest.approx((0 - X[:, 0].mean()) / X[:, 0].std(), rel=0.02)


def test_a_zero_in_a_sparse_row_is_absent(tmp_path: Path) -> None:
    rows = [(a, b, y) for a, b, y in columns()]
    found = []
    for zeros in (False, True):
        path = tmp_path / "t.svm"
        path.write_text(
            "".join(
                f"{y} " + " ".join(f"{k}:{v}" for k, v in ((1, a), (2, b)) if v or zeros) + "\n" for a, b, y in rows
            )
        )
        model = mb.learn(path, standardize=True)
        found.append([bytes(model.learner._all_arrays()["tally"]), model.score_one("1:0 2:1"), model.score_one("2:1")])
        assert model.score_one({"1": 0, "2": 1}) == model.score_one({"2": 1})
    assert found[0] == found[1]
    full = csr_matrix(np.array([row[:2] for row in rows]))
    learner = standardize(mb.AROW(labels=(0, 1)))
    learner.learn_many(full, [row[2] for row in rows])
    assert bytes(learner._all_arrays()["tally"]) == found[0][0]


def test_experts_that_count_zeros_beside_those_that_do_not() -> None:
    rows = columns()
    X, y = np.array([row[:2] for row in rows]), [row[2] for row in rows]
    for plain in ("perceptron", "winnow2"):
        both = mb.learners.WeightedMajority(experts=f"standardize(learner=perceptron),{plain}", labels=(0, 1))
        Z = X if plain == "perceptron" else (X > 0).astype(float)
        both.learn_many(Z, y)
        alone = standardize(mb.Perceptron(labels=(0, 1)))
        other = mb.learners.find(plain)(labels=(0, 1))
        said = [(alone.learn_one(x, label), other.learn_one(x, label)) for x, label in zip(Z.tolist(), y, strict=True)]
        mistakes = [sum(one[k] != label for one, label in zip(said, y, strict=True)) for k in (0, 1)]
        assert [count for _, count, _ in both.experts()] == mistakes
        for x in ([0.0, 1.0], [1.0, 0.0], [0.0, 0.0]):
            assert [both.expert_says(k, x) for k in (0, 1)] == [alone.predict_one(x), other.predict_one(x)]


def test_there_is_room_for_every_new_attribute() -> None:
    learner = mb.transforms.standardize(mb.Perceptron())
    for k in range(1, 300):
        learner.learn_one({f"a{k}": float(k), "a1": 2.0}, k % 2)
    counts = {name: many for name, (many, _, _) in learner.tallies().items()}
    assert counts == {"a1": 299} | {f"a{k}": 1 for k in range(2, 300)}
