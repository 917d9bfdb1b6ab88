"""The cells of some rows as compressed sparse rows over attribute names: array operations a column, none a cell."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mistakebound.core.block_names import BlockNames
from mistakebound.kernels import cells as kernel
from mistakebound.streams.table_cells import CODES, TEXT, codes, numbers, shown, view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy.typing as npt

    from mistakebound.streams.table_columns import Column, Columns

    Bools = npt.NDArray[np.bool_]

_WIDE = pa.large_string()  # its ends have 64 bits, as those of BlockNames
_EQUALS = pa.scalar("=", _WIDE)


def types_of(columns: Columns) -> dict[int, Any]:
    """How each column is to be read, by its place."""
    types = {column.place: CODES if column.nominal else TEXT for column in columns.attributes}
    if columns.label is not None:
        types[columns.label] = CODES
    if columns.weights is not None:
        types[columns.weights] = TEXT
    return types


class TableRows:
    """Rows as arrays.  `bad` are those that cannot be taken; `keep` drops rows and makes what is left sparse."""

    __slots__ = (
        "_names", "_present", "_reasons", "bad", "indptr", "keys", "label_texts", "names", "tokens", "values",
        "weights",
    )  # fmt: skip

    def __init__(self, columns: Columns, cells: dict[int, Any], rows: int, blanks: bool, labelled: bool) -> None:
        self.bad: Bools = np.zeros(rows, np.bool_)
        self._reasons: list[tuple[Bools, Callable[[int], str]]] = []
        self.tokens: npt.NDArray[np.int32] = np.full(rows, -1, np.int32)
        self.label_texts: list[bytes] = []
        self.weights: npt.NDArray[np.float64] | None = None
        self._present: Bools | None = None  # rows x columns; None: every cell is
        self.keys: npt.NDArray[np.uint64] = np.empty((rows, len(columns.attributes)), np.uint64)
        plain = any(not column.nominal and not column.cuts for column in columns.attributes)
        self.values: npt.NDArray[np.float64] | None = np.ones(self.keys.shape) if plain else None
        self.indptr: npt.NDArray[np.int64]
        self.names: BlockNames
        if columns.label is not None:
            self._take_labels(cells[columns.label], blanks, labelled)
        if columns.weights is not None:
            self._take_weights(cells[columns.weights])
        taken = [
            self._take_nominal(k, column, cells[column.place], blanks)
            if column.nominal
            else self._take_numeric(k, column, cells[column.place])
            for k, column in enumerate(columns.attributes)
        ]
        counts = np.array([0, *(len(names) for names, _ in taken)], np.uint64)
        self.keys[:] = np.cumsum(counts)[:-1]  # names of the columns before, and then
        for k, (_, places) in enumerate(taken):
            if places is not None:
                self.keys[:, k] += places
        self._names = pa.concat_arrays([pa.array([], _WIDE), *(names for names, _ in taken)])

    def _refuse(self, rows: Bools, reason: Callable[[int], str]) -> None:
        if rows.any():
            self.bad |= rows
            self._reasons.append((rows, reason))

    def reason(self, row: int) -> str:
        """Why a bad row cannot be taken."""
        return next(reason(row) for rows, reason in self._reasons if rows[row])

    def _take_labels(self, column: Any, blanks: bool, needed: bool) -> None:
        self.tokens, texts, present = codes(column, blanks)
        self.label_texts = [text.encode() for text in texts.to_pylist()]
        if present is not None:
            self.tokens = np.where(present, self.tokens, np.int32(-1))
            if needed:
                self._refuse(~present, lambda row: "the row has no label")

    def _take_weights(self, column: Any) -> None:
        self.weights, kinds = numbers(column)
        self._refuse(
            (kinds != kernel.NUMBER) | (self.weights <= 0),
            lambda row: f"the weight {shown(column, row)} is not a finite decimal number > 0",
        )

    def _take_nominal(self, k: int, column: Column, cells: Any, blanks: bool) -> tuple[Any, Any]:
        """The names of all attributes of a column, and the place of each row's among them."""
        places, texts, present = codes(cells, blanks)
        if present is not None:
            self._mark(k, present)
        names = pc.binary_join_element_wise(pa.scalar(column.name, _WIDE), texts.cast(_WIDE), _EQUALS)
        return names, places.view(np.uint32)

    def _take_numeric(self, k: int, column: Column, cells: Any) -> tuple[Any, Any]:
        """As `_take_nominal`; without cuts there is one name."""
        values, kinds = numbers(cells)
        if (kinds != kernel.NUMBER).any():
            self._mark(k, kinds == kernel.NUMBER)
            self._refuse(
                kinds == kernel.OTHER,
                lambda row: f"{shown(cells, row)} in the numeric column {column.name!r} is not a finite decimal number",
            )
        places = None
        if column.cuts:
            places = np.searchsorted(np.array(column.cuts), values).astype(np.uint64)
        elif self.values is not None:
            self.values[:, k] = values
        return pa.array(column.names, _WIDE), places

    def _mark(self, k: int, present: Bools) -> None:
        if self._present is None:
            self._present = np.ones(self.keys.shape, np.bool_)
        self._present[:, k] = present

    def keep(self, rows: Bools) -> None:
        """Let go of all other rows and of every missing cell; once."""
        if not rows.all():
            self.tokens, self.keys = self.tokens[rows], self.keys[rows]
            self.values = None if self.values is None else self.values[rows]
            self.weights = None if self.weights is None else self.weights[rows]
            self._present = None if self._present is None else self._present[rows]
        count, width = self.keys.shape
        if self._present is None:
            self.indptr = np.arange(count + 1, dtype=np.int64) * width
            self.keys = self.keys.reshape(-1)
            self.values = None if self.values is None else self.values.reshape(-1)
        else:
            self.indptr = np.zeros(count + 1, np.int64)
            np.cumsum(self._present.sum(axis=1), out=self.indptr[1:])
            self.keys = self.keys[self._present]
            self.values = None if self.values is None else self.values[self._present]
        self._keep_names()

    def _keep_names(self) -> None:
        """Only the names that stand in a row."""
        used = np.zeros(len(self._names), np.bool_)
        used[self.keys] = True
        if not used.all():
            self.keys = (np.cumsum(used) - 1).astype(np.uint64)[self.keys]
            self._names = self._names.filter(pa.array(used))
        count = len(self._names)
        _, ends, blob = self._names.buffers()
        places = np.frombuffer(ends, np.int64, count + 1, 8 * self._names.offset) if count else np.zeros(1, np.int64)
        self.names = BlockNames(memoryview(blob or b"").cast("B"), view(places), count)
