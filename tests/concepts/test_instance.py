"""Every form of an instance gives the same label; what is no instance is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from mistakebound.concepts import Conjunction, Disjunction, LinearThreshold, Literal, RofKThreshold
from mistakebound.core.errors import BadData

F = Disjunction(["2", Literal("3", positive=False)])  # 0 only where x2 = 0 and x3 = 1


@pytest.mark.parametrize(
    ("x", "label"),
    [
        ({"3": 1}, 0),
        ({"3": 1, "2": True}, 1),
        ({"3": 1.0, "other": 7}, 0),
        ({}, 1),
        ({"3"}, 0),
        (frozenset({"2", "3"}), 1),
        (["3"], 0),
        (("3", "2"), 1),
        ((name for name in ["3", "1"]), 0),
        ({"3": 1}.keys(), 0),
        ([0, 0, 1], 0),
        ((0, 1, 1), 1),
        ([], 1),
        ([0, 0], 1),
        ([5, 0, 1, 9], 0),  # values of other attributes are not looked at
        (np.array([0, 0, 1]), 0),
        (np.array([0.0, 1.0, 1.0]), 1),
        (np.array(["3", "1"]), 0),
        (np.array([False, False, True]), 0),
        (range(2), 1),
    ],
)
def test_forms(x, label):
    assert F(x) == label


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ("3", "not one text: '3'"),
        (b"3", "not one text"),
        ({3: 1}, "name must be text: 3"),
        ({3}, "name must be text: 3"),
        (["3", 1], "name must be text: 1"),
        ([0, 0, 2], "attribute '3' must be 0 or 1: 2"),
        ({"3": float("nan")}, "attribute '3' must be 0 or 1: nan"),
        ({"3": "1"}, "attribute '3' must be 0 or 1: '1'"),
        ({"3": None}, "attribute '3' must be 0 or 1: None"),
        (np.zeros((2, 2)), "one row"),
        (7, "must be a mapping"),
    ],
)
def test_refused(x, message):
    with pytest.raises(BadData, match=message.replace("(", r"\(")):
        F(x)


def test_every_literal_is_checked_even_when_an_earlier_one_decides():
    with pytest.raises(BadData):
        F([0, 1, 2])
    with pytest.raises(BadData):
        Conjunction(["1", "2"])([0, 2])


def test_the_attribute_zero_and_text_names_have_no_column():
    assert Disjunction(["0", "ham"])([1, 1, 1]) == 0
    assert Disjunction(["0"])({"0"}) == 1


ROWS = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 1]])
EXPECTED = [1, 0, 1, 1, 0]


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32, np.float64, np.bool_])
def test_matrices(dtype):
    dense = ROWS.astype(dtype)
    for X in (dense, sparse.csr_matrix(dense), sparse.csr_array(dense), sparse.csc_matrix(dense)):
        labels = F.evaluate_many(X)
        assert labels.dtype == np.uint8
        assert labels.shape == (5,)
        assert labels.tolist() == EXPECTED


def test_matrix_is_not_changed_and_may_be_empty():
    X = sparse.csr_matrix(ROWS)
    before = X.copy()
    F.evaluate_many(X)
    assert (X.toarray() == before.toarray()).all()
    assert F.evaluate_many(np.zeros((0, 3))).tolist() == []
    assert F.evaluate_many(sparse.csr_matrix((2, 0))).tolist() == [1, 1]
    assert Disjunction().evaluate_many(ROWS).tolist() == [0] * 5
    assert Conjunction().evaluate_many(sparse.csr_matrix(ROWS)).tolist() == [1] * 5


def test_named_columns():
    f = RofKThreshold(2, ["a", "b", "gone"])
    assert f.evaluate_many(ROWS, names=["a", "c", "b"]).tolist() == [0, 0, 0, 0, 1]
    with pytest.raises(BadData, match="3 different names"):
        f.evaluate_many(ROWS, names=["a", "a", "b"])
    with pytest.raises(BadData, match="3 different names"):
        f.evaluate_many(ROWS, names=["a", "b"])


@pytest.mark.parametrize("make", [np.array, sparse.csr_matrix])
def test_matrix_value_that_is_no_bit(make):
    with pytest.raises(BadData, match=r"^row 1: attribute '3' must be 0 or 1: 0.5$"):
        F.evaluate_many(make([[9.0, 0.0, 1.0], [0.0, 1.0, 0.5]]))


def test_matrices_refused():
    for X, message in (
        (np.zeros(3), "2 dimensions"),
        (np.array([["a"]]), "at most 64 bits"),
        (np.array([[Fraction(1)]], dtype=object), "at most 64 bits"),
    ):
        with pytest.raises(BadData, match=message):
            F.evaluate_many(X)
    with pytest.raises(BadData, match="finite"):
        LinearThreshold({"1": 1}, 0).evaluate_many(np.array([[np.inf]]))


def test_the_attribute_zero_has_no_column_in_a_matrix():
    assert Disjunction(["0", "2"]).evaluate_many(np.array([[0, 0, 1], [0, 1, 0]])).tolist() == [0, 1]


def test_entries_of_a_sparse_matrix_at_one_place_are_added():
    twice = sparse.csr_matrix((np.array([1, 1]), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    with pytest.raises(BadData, match="attribute '2' must be 0 or 1: 2"):
        F.evaluate_many(twice)
    assert LinearThreshold({"2": 1}, 2).evaluate_many(twice).tolist() == [1]
    assert twice.nnz == 2
