"""Rows of a SciPy CSR matrix or a 2-D array, as blocks; results as NumPy arrays.  Imported only where arrays are."""

from __future__ import annotations

import numpy as np

from mistakebound.core.block import Block
from mistakebound.core.block_names import BlockNames
from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.core.instance import beyond, column_names
from mistakebound.core.names import attribute_order, id_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger
    from mistakebound.core.sparse import SparseLearner

_ENTRIES_A_BLOCK = 1 << 18


def blocks(X: Any, learner: SparseLearner, names: Sequence[str] | None) -> Iterator[Block]:
    """X in blocks of rows over attribute keys; BadData for what is not a finite matrix."""
    indptr, columns, data, shape = _csr(X)
    values = np.ascontiguousarray(data, dtype=np.float64)
    indptr = np.ascontiguousarray(indptr, dtype=np.int64)
    if not np.isfinite(values).all():
        entry = np.flatnonzero(~np.isfinite(values))[0]
        raise BadData("a value is not a finite number", row=int(np.searchsorted(indptr, entry, side="right")) - 1)
    if len(columns) and (columns.min() < 0 or columns.max() >= shape[1]):
        raise BadData(f"a column number is not within the {shape[1]} columns of X")
    keys, order = _column_keys(shape[1], names)
    if order is not None and learner.size_limit is not None:
        _check_ids(order, keys[np.unique(columns)], learner.size_limit)
    all_keys, all_values = view(keys[columns]), None if (values == 1.0).all() else view(values)
    named = None if order is None else BlockNames.of(order)
    row = 0
    while row < shape[0]:
        end = int(np.searchsorted(indptr, indptr[row] + _ENTRIES_A_BLOCK, side="right")) - 1
        end = min(max(end, row + 1), shape[0])
        part = view(indptr[row : end + 1])
        yield Block(end - row, part, all_keys, all_values, columns=named, offset=row)
        row = end


def _csr(X: Any) -> tuple[Any, Any, Any, tuple[int, ...]]:
    if getattr(X, "format", "csr") != "csr" and hasattr(X, "tocsr"):
        X = X.tocsr()  # a CSC matrix has the same three arrays and means another thing by them
    if all(hasattr(X, part) for part in ("indptr", "indices", "data", "shape")):
        if len(X.shape) != 2 or len(X.indptr) != X.shape[0] + 1 or X.data.dtype.kind not in "biuf":
            raise BadData("X must be a matrix of real numbers in CSR form: convert it with .tocsr()")
        return X.indptr, X.indices, X.data, X.shape
    try:
        dense = np.asarray(X)
    except ValueError:
        raise BadData("X must be a SciPy CSR matrix or a 2-D array of numbers: its rows differ in length") from None
    if dense.ndim != 2 or dense.dtype.kind not in "biuf":
        raise BadData(f"X must be a SciPy CSR matrix or a 2-D array of numbers, not {dense.ndim}-D of {dense.dtype}")
    rows, columns = np.nonzero(dense)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=dense.shape[0]))])
    return indptr, columns, dense[rows, columns], dense.shape


def view(values: Any) -> memoryview[Any]:
    """A contiguous view with the typecode that the kernels expect (NumPy says 'l' where they say 'q')."""
    code: Any = {"int8": "b", "int64": "q", "uint64": "Q", "float64": "d"}[values.dtype.name]
    return memoryview(np.ascontiguousarray(values).data).cast("B").cast(code)


def _column_keys(width: int, names: Sequence[str] | None) -> tuple[Any, list[str] | None]:
    """The key of each column: its id, or, with names of one's own, its place among them in canonical order."""
    if names is None:
        return np.arange(1, width + 1, dtype=np.uint64), None
    given = column_names(width, names)
    order = sorted(given, key=attribute_order)
    place = {name: number for number, name in enumerate(order)}
    return np.array([place[name] for name in given], dtype=np.uint64), order


def _check_ids(order: list[str], used: Any, n: int) -> None:
    for place in used:
        if id_of(order[place]) > n:
            raise BadData(beyond(order[place], n))


def learn_matrix(learner: SparseLearner, X: Any, y: Any, names: Sequence[str] | None, ledger: Ledger | None) -> Any:
    labels = list(y.tolist() if hasattr(y, "tolist") else y)
    parts = list(blocks(X, learner, names))
    rows = parts[-1].offset + parts[-1].rows if parts else 0
    if len(labels) != rows:
        raise BadData(f"X has {rows} rows and y {len(labels)} labels")
    if ledger is not None and not ledger.trials and not ledger.labels.settled:
        ledger.labels = learner.labels
    predictions = np.full(rows, -1, dtype=np.int8)
    played = rows
    for block in parts:
        block.labels = labels[block.offset : block.offset + block.rows]
        part = view(predictions)[block.offset : block.offset + block.rows]
        try:
            learner.learn_block(block, ledger, part)
        except NoConsistentHypothesis as error:
            played = int(np.flatnonzero(np.append(predictions, -1) < 0)[0])
            error.trial = ledger.trials if ledger is not None else played
            if ledger is None:
                raise
            ledger.inconsistency = str(error)
            break
    return _named(learner, predictions[:played])


def predict_matrix(learner: SparseLearner, X: Any, names: Sequence[str] | None) -> Any:
    found = [np.empty(0, dtype=np.int8)]
    for block in blocks(X, learner, names):
        found.append(np.empty(block.rows, dtype=np.int8))
        learner.predict_block(block, view(found[-1]))
    return _named(learner, np.concatenate(found))


def score_matrix(learner: SparseLearner, X: Any, names: Sequence[str] | None) -> Any:
    found = [np.empty(0)]
    for block in blocks(X, learner, names):
        found.append(np.empty(block.rows))
        learner.predict_block(block, view(np.empty(block.rows, dtype=np.int8)), view(found[-1]))
    return np.concatenate(found)


def _named(learner: SparseLearner, codes: Any) -> Any:
    """Predictions in the caller's labels."""
    negative, positive = learner.labels.values
    if type(negative) is type(positive):
        return np.array([negative, positive])[codes]
    pair = np.empty(2, dtype=object)  # NumPy would make one text of the number and the text
    pair[:] = negative, positive
    return pair[codes]
