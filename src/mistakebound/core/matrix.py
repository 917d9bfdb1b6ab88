"""Rows of a SciPy CSR matrix or a 2-D array, as blocks; results as NumPy arrays.  Imported only where arrays are."""

from __future__ import annotations

from array import array
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import Any, TypeVar

import numpy as np

from mistakebound.core.block import Block, BlockNames
from mistakebound.core.block_labels import LabelColumn
from mistakebound.core.buffers import view
from mistakebound.core.csr import Csr, as_csr, row_ends
from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.core.fields import plain_values
from mistakebound.core.instance import column_names, without_names
from mistakebound.core.threads import start_thread
from mistakebound.kernels import matrix as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mistakebound.core.ledger import Ledger
    from mistakebound.core.sparse import SparseLearner

_ENTRIES_A_BLOCK = 1 << 18  # their columns stay near at hand until they are learned
_WORTH_A_THREAD = 1 << 21  # entries
_FEW_LABELS = 8
_UNDER_WAY = 4  # blocks that may be in use at once
_MOST = 2  # items made ahead that wait to be taken
T = TypeVar("T")


def blocks(X: Any, names: Sequence[str] | None, zeros: bool = False) -> Iterator[Block]:
    """X in blocks of rows over attribute keys; BadData for a row that is not finite, after the rows before it.

    With `zeros` those of a dense array are values; of a SciPy matrix they are not there, written or not.
    What is looked at is a copy, a block at a time: another thread may change the arrays of X meanwhile.
    """
    X = as_csr(X, zeros)
    columns, data, (rows, width) = X.indices, X.data, X.shape
    named = None if names is None else BlockNames.of(column_names(width, names))
    columns = columns.astype(np.int32 if columns.dtype == np.int32 else np.int64, copy=False)
    ends, copies = row_ends(X), _Copies()
    state, row = array("q", [0, 0, 0]), 0
    while row < rows:
        end = int(np.searchsorted(ends, ends[row] + _ENTRIES_A_BLOCK, side="right")) - 1
        end = min(max(end, row + 1), rows)
        start, stop = int(ends[row]), int(ends[end])
        part, own = view(ends[row : end + 1] - start), copies.room(stop - start, columns.dtype)
        theirs, keys, base = view(columns[start:stop]), view(own), 0 if named else 1  # attribute "1" is column 0
        ones = data.dtype == np.float64 and start < stop and data[start] == 1
        values = view(data[start:stop] if ones else copies.of(data[start:stop], np.float64))
        status = kernel.copy(part, theirs, _bits(values), keys, end - row, width, state)
        if ones and state[kernel.REAL]:  # it began like rows of ones, of which no copy is needed
            values = view(copies.of(data[start:stop], np.float64))
            status = kernel.copy(part, theirs, _bits(values), keys, end - row, width, state)
        if status == kernel.CAPACITY:
            raise AssertionError("buffers do not fit together")
        count = end - row if status == kernel.OK else state[kernel.ROW]
        kept, ascending = values if state[kernel.REAL] else None, bool(state[kernel.ASCENDING])
        if count:
            if keys.format == "q":
                keys, base = view((own + base).astype(np.uint64)), 0
            keys = keys.cast("B").cast("I" if keys.itemsize == 4 else "Q")
            block = Block(count, part, keys, kept, ascending=ascending, dense=isinstance(X, Csr))
            block.base, block.columns, block.offset = base, named, row
            yield block
        if status == kernel.BAD_COLUMN:
            raise BadData(f"a column number is not within the {width} columns of X", row=row + count)
        if status == kernel.BAD_VALUE:
            raise BadData("a value is not a finite number", row=row + count)
        row = end


def _bits(values: memoryview[float]) -> memoryview[int]:
    return values.cast("B").cast("Q")


def _blocks_ahead(X: Any, names: Sequence[str] | None, zeros: bool) -> Iterator[Block]:
    """The blocks of X, of a large one made by another thread while those before are worked on."""
    X = as_csr(X, zeros)
    return ahead(blocks(X, names)) if len(X.indices) > _WORTH_A_THREAD else blocks(X, names)


class _Copies:
    """Copies of arrays in buffers that are used again after some blocks: in fresh memory they take twice the time.

    `ahead` has at most four blocks under way.
    """

    def __init__(self) -> None:
        self._buffers: dict[Any, list[Any]] = {}

    def of(self, part: Any, dtype: Any) -> Any:
        own = self.room(len(part), dtype)
        own[:] = part
        return own

    def room(self, count: int, dtype: Any) -> Any:
        """A buffer of this length, with whatever there was in it."""
        buffers = self._buffers.setdefault(np.dtype(dtype), [])
        kept = buffers.pop(0) if len(buffers) > _UNDER_WAY else None
        if kept is None or len(kept) < count:
            kept = np.empty(count, dtype)
        buffers.append(kept)
        return kept[:count]


def _labels(y: Any) -> Any:
    """The labels of rows: few different numbers as places in a list of them, so that each is looked at once."""
    if not isinstance(y, np.ndarray):
        return list(plain_values(y))
    if y.ndim != 1:
        raise BadData(f"y must have one label per row: an array of 1 dimension, not {y.ndim}")
    if y.dtype.kind in "biuf" and len(y):  # nearly always there are two
        other = y != y[0]
        second = y[int(other.argmax())]
        if bool(((y == second) | ~other).all()):
            return LabelColumn(view(other.astype(np.int32)), [y[0].item(), second.item()][: 1 + bool(other.any())])
    tokens = np.full(len(y), -1, dtype=np.int32)
    values: list[Any] = []
    while y.dtype.kind in "biuf" and len(values) < _FEW_LABELS:
        rest = np.flatnonzero(tokens < 0) if values else range(len(y))
        if not len(rest):
            return LabelColumn(view(tokens), values)
        tokens[y == y[rest[0]]] = len(values)
        values.append(y[rest[0]].item())
    return y.tolist()


def _weights(weights: Any) -> memoryview[float] | None:
    if weights is None:
        return None
    try:
        numbers = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadData("weights must be numbers > 0, one per row") from None
    if numbers.ndim != 1 or not (np.isfinite(numbers) & (numbers > 0)).all():
        raise BadData("weights must be numbers > 0, one per row")
    return view(numbers)


def learn_matrix(
    learner: SparseLearner, X: Any, y: Any, weights: Any, names: Sequence[str] | None, ledger: Ledger | None
) -> Any:
    labels, weights = _labels(y), _weights(weights)
    X = as_csr(X, learner.counts_zeros)
    rows = X.shape[0]
    if len(labels) != rows:
        raise BadData(f"X has {rows} rows and y {len(labels)} labels")
    if weights is not None and len(weights) != rows:
        raise BadData(f"X has {rows} rows and there are {len(weights)} weights")
    if ledger is not None and not ledger.trials and not ledger.labels.settled:
        ledger.labels = learner.labels
    _refuse_unnamed(learner, X, names)
    if names is None:
        with learner._lock:
            learner.attributes.expect(min(len(X.indices), X.shape[1]), X.shape[1])
    predictions = np.full(rows, -1, dtype=learner.labels.code_type)
    played = rows
    for block in _blocks_ahead(X, names, learner.counts_zeros):
        block.labels = labels[block.offset : block.offset + block.rows]
        if weights is not None:
            block.weights = weights[block.offset : block.offset + block.rows]
        part = view(predictions)[block.offset : block.offset + block.rows]
        try:
            learner.learn_block(block, ledger, part)
        except NoConsistentHypothesis as error:
            played = int(np.flatnonzero(np.append(predictions, -1) == -1)[0])
            error.trial = ledger.trials if ledger is not None else played
            if ledger is None:
                raise
            ledger.inconsistency = str(error)
            break
    return _named(learner.labels.many, learner.labels.values, predictions[:played])


def predict_matrix(learner: SparseLearner, X: Any, names: Sequence[str] | None) -> Any:
    X = as_csr(X, learner.counts_zeros)
    _refuse_unnamed(learner, X, names)
    kind, many = learner.labels.code_type, learner.labels.many
    found, labels = [np.empty(0, dtype=kind)], [learner.labels.values]
    for block in _blocks_ahead(X, names, learner.counts_zeros):
        found.append(np.empty(block.rows, dtype=kind))
        with learner._lock.around():  # what the codes mean is what they mean now
            learner.predict_block(block, view(found[-1]))
            labels.append(learner.labels.values)
    if all(values is labels[-1] or _same(values, labels[-1]) for values in labels[1:]):
        return _named(many, labels[-1], np.concatenate(found))
    return np.concatenate([_named(many, values, codes) for values, codes in zip(labels[1:], found[1:], strict=True)])


def score_matrix(learner: SparseLearner, X: Any, names: Sequence[str] | None) -> Any:
    X = as_csr(X, learner.counts_zeros)
    _refuse_unnamed(learner, X, names)
    found = [np.empty(0)]
    for block in _blocks_ahead(X, names, learner.counts_zeros):
        found.append(np.empty(block.rows))
        learner.predict_block(block, view(np.empty(block.rows, dtype=learner.labels.code_type)), view(found[-1]))
    return np.concatenate(found)


def _refuse_unnamed(learner: SparseLearner, X: Any, names: Sequence[str] | None) -> None:
    """BadData for columns that nobody named, where all that was learned has names: none of them would be known."""
    if names is None and X.shape[1] and learner.attributes.all_named:
        raise without_names(learner.name)


def _same(values: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Whether labels are those of a later time; others may have appeared since."""
    return all(a == b and type(a) is type(b) for a, b in zip(values, others, strict=False))


def _named(many: bool, values: tuple[Any, ...], codes: Any) -> Any:
    """Predictions in the caller's labels."""
    if many:
        return _named_many(values, codes)
    negative, positive = values
    if type(negative) is type(positive) and not (isinstance(negative, int) and max(map(abs, values)) >> 63):
        pair = np.array([negative, positive])
        return np.where(codes.view(np.bool_), pair[1], pair[0])
    pair = np.empty(2, dtype=object)  # NumPy would make one text of the number and the text
    pair[:] = negative, positive
    return pair.take(codes)


def _named_many(values: tuple[Any, ...], codes: Any) -> Any:
    """As `_named`; None where no label had appeared."""
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and (codes >= 0).all():
        return np.array(values).take(codes)
    table = np.empty(len(values) + 1, dtype=object)
    table[: len(values)] = values
    return table.take(np.where(codes < 0, len(values), codes))


def ahead(items: Iterable[T]) -> Iterator[T]:
    """The same items in the same order, and the error at their end; at most two are made before they are taken.

    Worth a thread only where making an item takes long and lets other threads run.

    >>> list(ahead(range(5)))
    [0, 1, 2, 3, 4]
    """
    made: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
    room = Semaphore(_MOST)
    left = False

    def make() -> None:
        try:
            for item in items:
                made.put((True, item))
                room.acquire()
                if left:
                    return
            made.put((False, None))
        except BaseException as error:
            made.put((False, error))

    maker = Thread(target=make, daemon=True)
    try:
        try:
            start_thread(maker)
        except RuntimeError:  # there is no room for another thread
            yield from items
            return
        while True:
            more, found = made.get()
            if not more:
                if found is not None:
                    raise found
                return
            yield found
            room.release()
    finally:
        left = True
        room.release()
        if maker.is_alive():
            maker.join()
