"""Bins of numbers: as the definition has them, the same by every way in, saved, resumed, in every ensemble."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import mistakebound as mb
from mistakebound.core import model_file
from mistakebound.transforms import bins, cut_points, expand, hash_names, standardize
from naive.bins import binned
from naive.hashing import bucket

pytestmark = pytest.mark.kernel
NAMES = ["3", "10", "b", "a"]
CUTS = {"a": [-1.0, 0.0, 2.5], "10": [1.0], "never": [5.0]}
numbers = st.sampled_from([0.0, 1.0, 1.0, -2.5, 7.0, 0.125, 2.5])
instances = st.dictionaries(st.sampled_from(NAMES), numbers)
trials = st.lists(st.tuples(instances, st.integers(0, 1)), max_size=25)


@given(trials)
def test_features_are_those_of_the_definition(played: Any) -> None:
    learner = bins(mb.AROW(labels=(0, 1)), CUTS)
    for x, y in played:
        learner.learn_one(x, y)
        assert dict(learner.entries(learner.encode(x))) == binned(x, CUTS)
    features = {name for x, _ in played for name in binned(x, CUTS)}
    assert {*learner.weights()} == features


@given(st.sampled_from([mb.Perceptron, mb.Winnow2]), trials)
def test_all_ways_in_agree(kind: Any, played: Any) -> None:
    """One at a time, as a matrix, and copied in the middle: predictions and models of the bare learner on bins."""
    if kind is mb.Winnow2:  # what is not cut must be 0 or 1
        played = [({name: v if name in CUTS else float(v != 0) for name, v in x.items()}, y) for x, y in played]
    dense = [({name: x.get(name, 0.0) for name in NAMES}, y) for x, y in played]
    _agree(kind, dense, lambda X: X)
    sparse = [({name: value for name, value in x.items() if value}, y) for x, y in played]
    _agree(kind, sparse, csr_matrix)


def _agree(kind: Any, played: Any, matrix: Any) -> None:
    one, many, copied = (bins(kind(labels=(0, 1)), CUTS) for _ in range(3))
    plain, said = kind(labels=(0, 1)), []
    for t, (x, y) in enumerate(played):
        known = {name: value for name, value in x.items() if value or name in one.attributes}  # a new 0 is absent
        assert one.score_one(x) == pytest.approx(plain.score_one(binned(known, CUTS)), rel=1e-12)
        assert one.predict_one(x) == plain.predict_one(binned(known, CUTS))
        said.append(one.learn_one(x, y))
        assert said[-1] == plain.learn_one(binned(x, CUTS), y)
        copied = (copy.deepcopy(copied), pickle.loads(pickle.dumps(copied)))[t % 2]
        assert copied.learn_one(x, y) == said[-1]
    if played:
        X = np.array([[x.get(name, 0.0) for name in NAMES] for x, _ in played])
        assert many.learn_many(matrix(X), [y for _, y in played], names=NAMES).tolist() == said
        assert many.predict_many(matrix(X), names=NAMES).tolist() == [one.predict_one(x) for x, _ in played]
    assert one.weights() == many.weights() == copied.weights() == plain.weights()


def test_a_value_that_a_learner_of_flags_cannot_take() -> None:
    learner = bins(mb.Winnow2(labels=(0, 1)), {"a": [0.5]})
    X = np.array([[3.0, 1.0], [2.0, 0.0], [1.0, 2.0], [0.0, 1.0]])
    with pytest.raises(mb.BadData, match=r"attribute 'b' has the value 2, but winnow2 takes 0 and 1 only") as found:
        learner.learn_many(X, [1, 0, 1, 0], names=["a", "b"])
    assert found.value.row == 2
    clean = bins(mb.Winnow2(labels=(0, 1)), {"a": [0.5]})
    clean.learn_many(X[:2], [1, 0], names=["a", "b"])
    assert learner.weights() == clean.weights()  # the rows before it were learned, and nothing of it
    with pytest.raises(mb.BadData, match="takes 0 and 1 only"):
        learner.predict_one({"b": 2.0})


def test_model_file(tmp_path: Path) -> None:
    learner = bins(mb.AROW(), CUTS | {"odd, name=(;:%)": [1e-7, 1e30]})
    rows = [({"a": i % 7 - 3.0, "b": 1.0 + i % 3, "odd, name=(;:%)": float(i)}, i % 2) for i in range(1, 40)]
    for x, y in rows:
        learner.learn_one(x, y)
    learner.save(tmp_path / "m.mb")
    model = mb.load(tmp_path / "m.mb")
    again: Any = model.learner
    assert repr(again) == "AROW() over bins of 4 attributes"
    assert "odd, name=(;:%) in (1e-07,1e+30]" in again.weights()
    assert "a in (0,2.5]" in str(model.explain({"a": 1.5, "b": 2.0}))
    assert [again.learn_one(x, y) for x, y in rows] == [learner.learn_one(x, y) for x, y in rows]
    header, arrays = model_file.read(tmp_path / "m.mb")
    for forged in ("", "a", "a:x", "a:2:1", "a:nan", 7, "b:1"):
        model_file.write(tmp_path / "f.mb", header | {"parameters": {"cuts": forged, "n": None}}, arrays)
        if forged != "b:1":  # which only means other bins
            with pytest.raises(mb.errors.BadModel):
                mb.load(tmp_path / "f.mb")


def test_members_and_other_transforms() -> None:
    rows = [({"a": float(k % 9), "b": float(k % 2)}, int(3 < k % 9 < 7)) for k in range(400)]
    for made in (
        mb.WeightedMajority([bins(mb.Winnow2(), {"a": [3.5, 6.5]}), "perceptron"]),
        bins(mb.WeightedMajority(["winnow2", "arow"]), {"a": [3.5, 6.5]}),
        mb.OneVsAll(bins(mb.AROW(), {"a": [3.5, 6.5]})),
        expand(bins(mb.Perceptron(), {"a & b": [0.5]}), 2),
        bins(expand(mb.Winnow2(), 2), {"a": [3.5, 6.5]}),
        bins(standardize(mb.Perceptron()), {"a": [3.5, 6.5]}),
        standardize(bins(mb.Perceptron(), {"a": [-0.1, 1.1]})),
    ):
        late = [made.learn_one(x, y) != y for x, y in rows][200:]
        # The conjunction of a and b, cut, does not say where a lies; all others do.
        assert sum(late) <= (150 if "conjunctions of" in repr(made) and "expand(" not in repr(made) else 40), made


def test_standardised_zero_has_its_bin() -> None:
    """A value at its mean is 0 in standard deviations, and not absent."""
    learner = standardize(bins(mb.Perceptron(labels=(0, 1)), {"a": [-0.5, 0.5]}))
    for value in (1.0, 3.0, 2.0):
        learner.learn_one({"a": value}, 1)
    assert dict(learner.entries(learner.encode({"a": 2.0}))) == {"a in (-0.5,0.5]": 1.0}


def test_n_is_that_of_the_instances() -> None:
    learner = bins(mb.Winnow2(n=3, labels=(0, 1)), {"a": [1.0, 2.0]})
    assert (learner.size_limit, learner.inner.settings["n"]) == (3, 5)
    learner.learn_one({"a": 3.0, "b": 1, "c": 1}, 1)
    with pytest.raises(mb.BadData, match="beyond the declared n = 3"):
        learner.learn_one({"d": 1}, 1)


@pytest.mark.parametrize(
    ("cuts", "message"),
    [
        ({}, "cuts must be a mapping of attributes to ascending cuts, such as {'age': [18, 64.5]}: {}"),
        (7, "cuts must be a mapping of attributes to ascending cuts, such as {'age': [18, 64.5]}: 7"),
        ({"age": 5}, "cuts of 'age' must be ascending numbers, fewer than 1000, such as [18, 64.5]: 5"),
        ({"age": [2, 1]}, "cuts of 'age' must be ascending numbers, fewer than 1000, such as [18, 64.5]: [2, 1]"),
        ({"age": ["1"]}, "cuts of 'age' must be ascending numbers, fewer than 1000, such as [18, 64.5]: ['1']"),
        ({3: [1]}, "cuts must be a mapping of attributes to ascending cuts, such as {'age': [18, 64.5]}: "
                   "3 is not a name"),
    ],
)  # fmt: skip
def test_refused(cuts: Any, message: str) -> None:
    with pytest.raises(mb.BadParameter) as found:
        bins(mb.AROW(), cuts)
    assert str(found.value) == message


def test_refused_learners() -> None:
    with pytest.raises(mb.BadParameter, match="bins can be applied to a learner only once"):
        bins(bins(mb.AROW(), {"a": [1]}), {"b": [1]})
    with pytest.raises(mb.BadParameter, match="of at most the 1 attributes that the learner declares"):
        bins(mb.Winnow2(n=1), {"a": [1], "b": [1]})


def test_cuts_and_names_of_the_reader(tmp_path: Path) -> None:
    """`cut_points` and `bins` make of mappings what `mb.learn(..., bins=)` makes of a table; `hash_names` too."""
    rows = [{"a": (k * 37) % 100 / 4, "b": (k * 7) % 13, "y": int((k * 37) % 100 > 60)} for k in range(300)]
    path = tmp_path / "rows.csv"
    path.write_text("a,b,y\n" + "".join(f"{row['a']},{row['b']},{row['y']}\n" for row in rows))
    whole = mb.learn(path, "y", learner=mb.AROW(labels=(0, 1)), bins=5)
    own = bins(mb.AROW(labels=(0, 1)), {name: cut_points([row[name] for row in rows], 5) for name in "ab"})
    for row in rows:
        own.learn_one({"a": row["a"], "b": row["b"]}, row["y"])
    assert own.weights() == whole.learner.weights()
    hashed, plain = mb.learn(path, "y", learner=mb.AROW(labels=(0, 1)), hash=6), mb.AROW(labels=(0, 1))
    for row in rows:
        plain.learn_one(hash_names({"a": row["a"], "b": row["b"]}, 6), row["y"])
    assert plain.weights() == hashed.learner.weights()
    assert hash_names({"a"}, 6).names == [str(bucket("a", 6))]
    for bits in (0, 31, True, "6"):
        with pytest.raises(mb.BadParameter, match="bits must be a whole number >= 1 and <= 30"):
            hash_names({"a"}, bits)
