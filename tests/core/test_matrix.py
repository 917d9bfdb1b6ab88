"""Rows of arrays and of SciPy matrices."""

from __future__ import annotations

from array import array
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

import mistakebound as mb
from mistakebound.core.ledger import Ledger

DENSE = np.array([[0.0, 5.0, 0.0], [0.0, 0.0, -2.0], [1.0, 1.0, 0.0]])


@pytest.mark.parametrize(
    "X",
    [
        DENSE, DENSE.tolist(), DENSE.astype(np.float32), DENSE.astype(np.int16), np.asfortranarray(DENSE),
        DENSE[::-1][::-1], sp.csr_matrix(DENSE), sp.csc_matrix(DENSE), sp.coo_matrix(DENSE), sp.lil_matrix(DENSE),
        sp.csr_array(DENSE), sp.bsr_matrix(DENSE), sp.csr_matrix(DENSE).astype(np.int8),
    ],
)  # fmt: skip
def test_all_kinds_of_matrix_are_one(X: Any) -> None:
    """CSC above all: it has the same three arrays as CSR, and a square one the right lengths."""
    learner, twin = mb.Perceptron(labels=(0, 1)), mb.Perceptron(labels=(0, 1))
    said = [twin.learn_one(row, y) for row, y in zip(DENSE, [1, 0, 1], strict=True)]
    assert learner.learn_many(X, [1, 0, 1]).tolist() == said
    assert learner.weights() == twin.weights()
    assert learner.predict_many(X).tolist() == [twin.predict_one(row) for row in DENSE]
    assert learner.score_many(X).tolist() == [twin.score_one(row) for row in DENSE]


def test_a_part_of_a_matrix() -> None:
    whole = sp.csr_matrix(DENSE)
    part = sp.csr_matrix((whole.data, whole.indices, whole.indptr), shape=whole.shape)[1:]
    learner, twin = mb.Perceptron(), mb.Perceptron()
    for row, y in zip(DENSE[1:], [1, 0], strict=True):
        twin.learn_one(row, y)
    learner.learn_many(part, [1, 0])
    assert learner.weights() == twin.weights()


def test_empty_matrices() -> None:
    for learner in (mb.Perceptron(), mb.Winnow1(n=5), mb.learners.ConjunctionElimination(5)):
        assert learner.learn_many(np.zeros((0, 4)), []).tolist() == []
        assert learner.predict_many(sp.csr_matrix((0, 4))).tolist() == []
        assert learner.predict_many(np.zeros((2, 0))).tolist() == [0, 0]
        assert len(learner.score_many(np.zeros((3, 4)))) == 3
        assert len(learner.attributes) == 0


def csr(rows: list[list[int]], values: list[float] | None = None, width: int = 5) -> Any:
    flat = [j for row in rows for j in row]
    ends = np.cumsum([0] + [len(row) for row in rows])
    return sp.csr_matrix(
        (np.array(values or [1.0] * len(flat)), np.array(flat, dtype=np.int32), ends), shape=(len(rows), width)
    )


@pytest.mark.parametrize(
    "values", [None, [1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0, 1.0]]
)
@pytest.mark.parametrize("rows", [[[1, 2], [4, 3, 4]], [[2, 1], [3, 4, 4]], [[3, 4], [4, 0, 4]]])
@pytest.mark.parametrize("kind", [mb.Winnow1, mb.Perceptron])
def test_a_column_twice_is_refused_with_its_row(kind: Any, rows: list[list[int]], values: list[float] | None) -> None:
    learner = kind()
    ledger = Ledger(learner.labels)
    with pytest.raises(mb.BadData, match=r"row 1: attribute '\d' appears twice"):
        learner.learn_many(csr(rows, values), [1, 0], ledger=ledger)
    assert ledger.trials == 1
    with pytest.raises(mb.BadData, match=r"row 1: attribute '\d' appears twice"):
        learner.predict_many(csr(rows, values))


def test_explicit_zeros_have_not_appeared() -> None:
    for learner in (mb.Winnow1(), mb.Perceptron(), mb.learners.DisjunctionElimination()):
        learner.learn_many(csr([[2, 0], [1]], [1.0, 0.0, 1.0]), [1, 0])
        assert learner.attributes.names() == ["3", "2"]
        assert len(learner.score_many(csr([[2, 0], [1]], [1.0, 0.0, 1.0]))) == 2


def test_names() -> None:
    learner = mb.Winnow2(n=9, labels=(0, 1))
    learner.learn_many(np.array([[1, 1, 0], [0, 1, 1]]), [1, 1], names=["b", "7", "a"])
    assert learner.attributes.names() == ["7", "b", "a"]
    assert learner.predict_many(np.ones((1, 2)), names=["7", "zzz"]).tolist() == [learner.predict_one({"7", "zzz"})]
    for names in (["a"], ["a", "a", "b"], ["a", 1, "b"]):
        with pytest.raises(mb.BadData):
            learner.predict_many(np.ones((1, 3)), names=names)


@pytest.mark.parametrize("names", [None, ["1", "2", "9"], ["a", "b", "c"]])
def test_beyond_n(names: Any) -> None:
    """As predict_one does, predict_many refuses what learning would refuse."""
    learner = mb.Winnow1(n=2)
    for call in (learner.predict_many, learner.score_many, lambda X, names: learner.learn_many(X, [1], names=names)):
        with pytest.raises(mb.BadData, match="beyond the declared n = 2"):
            call(np.ones((1, 3)), names=names)
    assert len(learner.attributes) == 0


@pytest.mark.parametrize(
    "X",
    [
        np.ones(3), np.ones((1, 1, 1)), np.array([["a"]]), [[1], [1, 2]], np.array([[1j]]), sp.csr_matrix([[1j]]),
        np.array([[None]]), np.array([[np.nan]]), sp.csr_matrix([[np.inf]]), "free", 5,
    ],
)  # fmt: skip
def test_what_is_no_matrix(X: Any) -> None:
    with pytest.raises(mb.BadData):
        mb.Perceptron().predict_many(X)


def test_labels_and_rows_must_match() -> None:
    with pytest.raises(mb.BadData, match="X has 3 rows and y 2 labels"):
        mb.Perceptron().learn_many(DENSE, [1, 0])


def test_labels_after_a_bad_one_settle_nothing() -> None:
    learner = mb.Perceptron()
    with pytest.raises(mb.BadData, match="row 1: label 'spam'"):
        learner.learn_many(DENSE, [1, "spam", -1])
    assert learner.learn_one(DENSE[0], 0) in (0, 1)


def test_predictions_keep_the_type_of_each_label() -> None:
    learner = mb.Perceptron(labels=(0, "spam"))
    said = learner.learn_many(DENSE, ["spam", 0, "spam"]).tolist()
    assert set(said) <= {0, "spam"}
    assert mb.Perceptron(labels=("ham", "spam")).predict_many(DENSE).dtype.kind == "U"
    assert mb.Perceptron(labels=(False, True)).predict_many(DENSE).dtype == bool


def test_more_than_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    from mistakebound.core import matrix

    whole, parts = mb.Winnow2(), mb.Winnow2()
    draw = np.random.default_rng(1)
    X, y = (draw.random((60, 9)) < 0.4).astype(float), draw.integers(0, 2, 60)
    expected = whole.learn_many(X, y)
    monkeypatch.setattr(matrix, "_ENTRIES_A_BLOCK", 7)
    assert (parts.learn_many(X, y) == expected).all()
    assert parts.hypothesis == whole.hypothesis
    X[50, 3] = 2.0
    with pytest.raises(mb.BadData, match="row 50"):
        mb.Winnow2().learn_many(X, y)


def test_named_columns_and_n() -> None:
    """An id beyond n is refused where it is used; how many columns there are, or where one stands, does not matter."""
    learner = mb.Winnow1(n=2)
    with pytest.raises(mb.BadData, match="'9' is beyond the declared n = 2"):
        learner.learn_many(np.ones((1, 2)), [1], names=["1", "9"])
    assert learner.learn_many([[0, 0, 0, 0, 1]], [1], names=["1", "2", "9", "a", "b"]).tolist() == [0]
    assert learner.attributes.names() == ["b"]


def test_the_label_that_fits_no_hypothesis_settles_the_pair_too() -> None:
    learner = mb.learners.ConjunctionElimination(2)
    ledger = Ledger(learner.labels)
    learner.learn_many([[1, 0], [1, 0]], [1, -1], ledger=ledger)
    assert (ledger.verdict.kind, ledger.confusion) == ("inconsistent", {(1, -1): 1, (-1, 1): 1})


def test_what_was_read_ahead_of_the_end_is_forgotten() -> None:
    learner = mb.learners.DisjunctionElimination()
    learner.learn_many([[1, 0, 0], [1, 0, 0], [0, 0, 1]], [0, 1, 0], ledger=Ledger(learner.labels))
    assert learner.attributes.names() == ["1"]


def test_a_row_that_is_passed_over_has_no_prediction() -> None:
    from mistakebound.core import matrix

    learner, skipped, predictions = mb.Winnow1(), [], array("b", [7] * 3)
    block = next(matrix.blocks(np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 1.0]]), None))
    block.labels = [1, 0, 0]
    learner.learn_block(block, None, predictions, skipped.append)
    assert predictions.tolist() == [0, -1, 0]
    assert [error.row for error in skipped] == [1]


def test_rows_before_one_that_is_not_finite_are_learned() -> None:
    X = csr([[1, 2], [0], [3], [4]], [1.0, 1.0, 1.0, np.nan, 1.0])
    learner = mb.Perceptron()
    ledger = Ledger(learner.labels)
    with pytest.raises(mb.BadData, match="row 2: a value is not a finite number"):
        learner.learn_many(X, [1, 0, 1, 0], ledger=ledger)
    assert ledger.trials == 2
    assert learner.attributes.names() == ["2", "3", "1"]


@pytest.mark.parametrize("column", [-1, 5, 2**31 - 1])
def test_a_column_that_is_not_there(column: int) -> None:
    X = csr([[1, 2], [0]])
    X.indices[2] = column
    with pytest.raises(mb.BadData, match="row 1: a column number is not within the 5 columns of X"):
        mb.Perceptron().predict_many(X)
    X.indptr[1] = 7
    with pytest.raises(mb.BadData, match="indptr"):
        mb.Perceptron().predict_many(X)


@pytest.mark.parametrize("y", [[0, 1, 0, 1], [3, 5, 3, 5], [True, False, False, True], [1.5, 2.5, 1.5, 1.5]])
def test_labels_of_an_array_are_those_of_a_list(y: list[Any]) -> None:
    X = csr([[1, 2], [0], [3], [4]])
    one, other = mb.Perceptron(), mb.Perceptron()
    said = []
    for learner, labels in ((one, y), (other, np.array(y))):
        try:
            said.append(str(learner.learn_many(X, labels).tolist()))
        except mb.BadData as error:
            said.append(str(error))
    assert said[0] == said[1]
    assert one.labels.state() == other.labels.state()
    assert one.weights() == other.weights()


def test_many_different_labels_of_an_array() -> None:
    with pytest.raises(mb.BadData, match="row 2"):
        mb.Perceptron().learn_many(csr([[1]] * 20), np.arange(20))
    with pytest.raises(mb.BadData):
        mb.Perceptron().learn_many(csr([[1]] * 2), np.array([0.0, np.nan]))
    with pytest.raises(mb.BadData, match="1 dimension"):
        mb.Perceptron().learn_many(csr([[1]] * 2), np.array([[0], [1]]))


def many_rows(count: int, width: int, seed: int) -> tuple[Any, Any]:
    """Rows of ones, two in three of which have a column below 3, and labels that say so."""
    draw = np.random.default_rng(seed)
    rows = [sorted(draw.choice(width, size=int(draw.integers(0, 8)), replace=False).tolist()) for _ in range(count)]
    return csr(rows, width=width), np.array([1 if row and row[0] < 3 else -1 for row in rows])


@pytest.mark.some(4)
@pytest.mark.parametrize("width", [40, 70_000, 3_000_000])
@pytest.mark.parametrize("kind", [mb.Winnow1, mb.Winnow2, mb.Perceptron, partial(mb.Perceptron, eta=0.1)])
def test_a_matrix_is_learned_as_its_rows_are(
    kind: Any, width: int, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With columns of 32 and 64 bits, in one block and in many, in this thread and in two: the same model file."""
    X, y = many_rows(300, width, width)
    wide = sp.csr_matrix((X.data, X.indices, X.indptr), X.shape)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert (X.indices.dtype, wide.indices.dtype) == (np.int32, np.int64)
    twin = kind(labels=(-1, 1))
    said = [twin.learn_one([str(column + 1) for column in row.indices], label) for row, label in zip(X, y, strict=True)]
    twin.save(tmp_path / "twin")
    for given, entries in ((X, 1 << 20), (wide, 1 << 20), (X, 50), (wide, 50)):
        monkeypatch.setattr("mistakebound.core.matrix._ENTRIES_A_BLOCK", entries)
        learner = kind(labels=(-1, 1))
        assert learner.learn_many(given, y).tolist() == said
        assert learner.predict_many(given).tolist() == twin.predict_many(X).tolist()
        learner.save(tmp_path / "model")
        assert (tmp_path / "model").read_bytes() == (tmp_path / "twin").read_bytes()


@pytest.mark.parametrize("kind", [mb.Winnow2, mb.learners.DisjunctionElimination, mb.learners.ConjunctionElimination])
def test_columns_with_n_declared(kind: Any) -> None:
    X, _ = many_rows(50, 30, 1)
    y = [int(bool(len(row.indices))) for row in X] if kind is not mb.learners.ConjunctionElimination else [1] * 50
    learner, twin = kind(n=30, labels=(0, 1)), kind(n=30, labels=(0, 1))
    assert learner.learn_many(X, y).tolist() == [
        twin.learn_one(row, label) for row, label in zip(X.toarray(), y, strict=True)
    ]
    assert str(learner.hypothesis) == str(twin.hypothesis)
    with pytest.raises(mb.BadData, match="beyond the declared n = 3"):
        kind(n=3).learn_many(X, y)


def test_scores_of_a_row_out_of_order_beside_an_explicit_zero() -> None:
    X = sp.csr_matrix((np.array([1.0, 1.0, 1.0, 0.0]), np.array([2, 0, 0, 1]), np.array([0, 2, 4])), shape=(2, 3))
    learner = mb.Winnow2()
    learner.learn_many(X, [1, -1])
    assert learner.score_many(X).tolist() == [learner.score_one({"1", "3"}), learner.score_one({"1"})]


@pytest.mark.parametrize("kind", [mb.Winnow2, mb.Perceptron])
def test_a_wide_matrix_after_a_narrow_one(kind: Any) -> None:
    """Attributes that have their slots keep them, whatever is expected of the next matrix."""
    width = 100_000
    wide = csr([[0, 1, 2], *([j % 3, 500 * j + 7] for j in range(190))], width=width)
    labels = [1, *(j % 2 for j in range(190))]
    learner, twin = kind(labels=(0, 1)), kind(labels=(0, 1))
    said = [*learner.learn_many(np.eye(3), [1, 0, 1]), *learner.learn_many(wide, labels)]
    rows = [["1"], ["2"], ["3"], *([str(column + 1) for column in row.indices] for row in wide)]
    assert said == [twin.learn_one(row, label) for row, label in zip(rows, [1, 0, 1, *labels], strict=True)]
    names = learner.attributes.names()
    assert len(names) == len({*names}) == 193
    assert names == twin.attributes.names()
    assert learner.weights() == twin.weights()


@pytest.mark.parametrize("known", [True, False])
def test_scores_of_named_columns_do_not_depend_on_their_order(known: bool) -> None:
    draw = np.random.default_rng(5)
    names = [f"{kind}{j}" for j in range(20) for kind in ("w", "", "40000000")]
    X = (draw.random((200, len(names))) < 0.2).astype(float)
    learner = mb.Winnow2(alpha=1.1)
    trained = X if known else X[:, :40]
    learner.learn_many(trained, (X[:, 3] + X[:, 17] > 0).astype(int), names=names[: trained.shape[1]])
    scores = learner.score_many(X, names=names).tolist()
    assert scores == [learner.score_one(row, names) for row in X]
    for _ in range(5):
        order = draw.permutation(len(names))
        assert learner.score_many(X[:, order], names=[names[j] for j in order]).tolist() == scores


def test_columns_of_a_frame_are_found_by_their_names() -> None:
    chance = np.random.default_rng(4)
    names = ["age", "height", "c", "b"]
    frame = pa.table({name: chance.normal(size=60) * (k + 1) for k, name in enumerate(names)})
    y = np.where(np.asarray(frame["height"]) > 0, 1, -1)
    learner, twin = mb.Perceptron(), mb.Perceptron()
    assert learner.learn_many(frame, y).tolist() == twin.learn_many(np.asarray(frame), y, names=names).tolist()
    assert learner.hypothesis == twin.hypothesis
    other = frame.select(["b", "age", "c", "height"])
    assert learner.predict_many(other).tolist() == learner.predict_many(frame).tolist()
    assert learner.score_many(other).tolist() == learner.score_many(frame).tolist()
    ledger = mb.play(played := mb.Perceptron(), (other, y))
    assert (played.hypothesis, ledger.trials) == (learner.hypothesis, 60)
