"""The cells of some rows as compressed sparse rows over attribute names: array operations a column, none a cell."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mistakebound.core.block import Block, BlockNames
from mistakebound.core.buffers import Buffers, view
from mistakebound.io.moments import part_of_column
from mistakebound.io.table_cells import CODES, TEXT, buffers, codes, numbers, shown, texts_of
from mistakebound.kernels import cells as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy.typing as npt

    from mistakebound.io.table_columns import Columns, StreamColumn

    Bools = npt.NDArray[np.bool_]

_NEAR = 1 << 11  # rows that stay near at hand until all columns are in them
_NARROW = 1 << 31  # bytes of names that ends of 32 bits can part


def types_of(columns: Columns) -> dict[int, Any]:
    """How each column is to be read, by its place."""
    types = {column.place: CODES if column.nominal else TEXT for column in columns.attributes if column.place >= 0}
    if columns.label is not None:
        types[columns.label] = CODES
    if columns.weights is not None:
        types[columns.weights] = TEXT
    return types


def _array(buffer: memoryview[Any], shape: tuple[int, int]) -> npt.NDArray[Any]:
    """The beginning of a buffer."""
    return np.asarray(buffer)[: shape[0] * shape[1]].reshape(shape)


class CheckedRows:
    """Rows of which some cannot be taken, each for a reason."""

    __slots__ = ("_missing", "_reasons", "bad", "weights")

    def __init__(self, rows: int, missing: frozenset[str]) -> None:
        self._missing = missing  # words that stand in a missing cell
        self.bad: Bools = np.zeros(rows, np.bool_)
        self._reasons: list[tuple[Bools, Callable[[int], str]]] = []
        self.weights: npt.NDArray[np.float64] | None = None

    def take_weights(self, column: Any) -> None:
        self.weights, kinds, _ = numbers(column)
        self.refuse(
            (kinds != kernel.NUMBER) | (self.weights <= 0),
            lambda row: f"the weight {shown(column, row)} is not a finite decimal number > 0",
        )

    def refuse(self, rows: Bools, reason: Callable[[int], str]) -> None:
        if rows.any():
            self.bad |= rows
            self._reasons.append((rows, reason))

    def part(self, column: StreamColumn, cells: Any, blanks: bool) -> Any:
        """The cells of a nominal column: as they are, or the part of a date that it is."""
        if column.moment is None:
            return cells
        present = codes(cells, blanks, self._missing)[2]
        parts, strange = part_of_column(cells, *column.moment)
        self.refuse(
            strange if present is None else strange & present,
            lambda row: f"{shown(cells, row)} is not a date in the format of the first rows of its column",
        )
        return parts

    def reason(self, row: int) -> str:
        """Why a bad row cannot be taken."""
        return next(reason(row) for rows, reason in self._reasons if rows[row])


class TableRows(CheckedRows):
    """Rows as arrays.  `bad` are those that cannot be taken; `keep` drops rows and makes what is left sparse."""

    __slots__ = (
        "_names", "_present", "_type", "indptr", "keys", "label_texts", "names", "tokens", "values",
    )  # fmt: skip

    def __init__(
        self, columns: Columns, cells: dict[int, Any], rows: int, size: int, blanks: bool, labelled: bool, room: Buffers
    ) -> None:
        """`size` is that of the text in which the cells stood, `blanks` whether there were any in it.

        What `block` gives is in `room`: good until other rows are made there.
        """
        super().__init__(rows, columns.missing)
        self.tokens: npt.NDArray[np.int32] = np.full(rows, -1, np.int32)
        self.label_texts: list[bytes] = []
        self._present: Bools | None = None  # rows x columns; None: every cell is
        shape = rows, len(columns.attributes)
        self.keys: npt.NDArray[np.uint64] = _array(room("keys", "Q", rows * shape[1]), shape)
        plain = any(not column.nominal and not column.cuts for column in columns.attributes)
        self.values: npt.NDArray[np.float64] | None = None
        if plain:
            self.values = _array(room("values", "d", rows * shape[1]), shape)
        self.indptr: npt.NDArray[np.int64]
        self.names: BlockNames
        if columns.label is not None:
            self._take_labels(cells[columns.label], blanks, labelled)
        if columns.weights is not None:
            self.take_weights(cells[columns.weights])
        longest = max((len(column.name.encode()) for column in columns.attributes), default=0)
        self._type = pa.string() if size * (longest + 2) < _NARROW else pa.large_string()
        taken = [
            self._take_nominal(k, column, cells[column.place], blanks)
            if column.nominal
            else self._take_numeric(k, column, cells[column.place])
            for k, column in enumerate(columns.attributes)
        ]
        before = np.cumsum([0, *(len(names) for names, *_ in taken)], dtype=np.uint64)  # names of the columns before
        for first in range(0, rows, _NEAR):
            part = slice(first, first + _NEAR)
            self.keys[part] = before[:-1]
            if self.values is not None:
                self.values[part] = 1.0
            for k, (_, places, values) in enumerate(taken):
                if places is not None and not kernel.add_codes(
                    places[part],
                    k,
                    shape[1],
                    self.keys[part].reshape(-1),  # type: ignore[arg-type]
                ):
                    raise AssertionError("a column of a table has another number of rows")
                if values is not None and self.values is not None:
                    self.values[part, k] = values[part]
        self._names = pa.concat_arrays([pa.nulls(0, self._type), *(names for names, *_ in taken)])

    def block(self, source: str, lines: Any, line_text: Callable[[int], str] | None = None) -> Block:
        """What `keep` left, with the line of each row."""
        return Block(
            len(self.tokens), view(self.indptr), view(self.keys),
            None if self.values is None else view(self.values),
            columns=self.names, tokens=view(self.tokens), label_tokens=self.label_texts, lines=view(lines),
            source=source, line_text=line_text, weights=None if self.weights is None else view(self.weights),
            dense=True,
        )  # fmt: skip

    def _take_labels(self, column: Any, blanks: bool, needed: bool) -> None:
        self.tokens, texts, present = codes(column, blanks)
        self.label_texts = [text.encode() for text in texts.to_pylist()]
        if present is not None:
            self.tokens = np.where(present, self.tokens, np.int32(-1))
            if needed:
                self.refuse(~present, lambda row: "the row has no label")

    def _take_nominal(self, k: int, column: StreamColumn, cells: Any, blanks: bool) -> tuple[Any, Any, Any]:
        """The names of all attributes of a column, the place of each row's among them, and no values."""
        places, texts, present = codes(self.part(column, cells, blanks), blanks, self._missing)
        if present is not None:
            self._mark(k, present)
        if texts.type != self._type:
            texts = texts.cast(self._type)
        name, sign = texts_of([column.name, "="], self._type)
        names = pc.binary_join_element_wise(name, texts, sign)
        return names, places.view(np.uint32), None

    def _take_numeric(self, k: int, column: StreamColumn, cells: Any) -> tuple[Any, Any, Any]:
        """As `_take_nominal`; without cuts there is one name, and a value for each row."""
        values, kinds, all_numbers = numbers(column.plain(cells), self._missing)
        if not all_numbers:
            self._mark(k, kinds == kernel.NUMBER)
            self.refuse(
                kinds == kernel.OTHER,
                lambda row: f"{shown(cells, row)} in the numeric column {column.name!r} is not a finite decimal number",
            )
        names = texts_of(column.names, self._type)
        if column.cuts:
            return names, np.searchsorted(np.array(column.cuts), values).astype(np.uint32), None
        return names, None, values

    def _mark(self, k: int, present: Bools) -> None:
        if self._present is None:
            self._present = np.ones(self.keys.shape, np.bool_)
        self._present[:, k] = present

    def keep(self, rows: Bools) -> None:
        """Let go of all other rows, of every missing cell, and of the names that stand in no row; once."""
        if not rows.all():
            self.tokens = self.tokens[rows]
            self.weights = None if self.weights is None else self.weights[rows]
        self.keys, self.indptr = self.keys.reshape(-1), np.zeros(len(self.tokens) + 1, np.int64)
        values = np.empty(0) if self.values is None else self.values.reshape(-1)
        present = np.empty(0, np.uint8) if self._present is None else self._present.reshape(-1).view(np.uint8)
        used = np.zeros(len(self._names), np.uint8)
        left = kernel.compress(self.keys, values, present, rows.view(np.uint8), self.indptr, used)  # type: ignore[arg-type]
        if left < 0:
            raise AssertionError("the arrays of a table do not fit together")
        self.keys = self.keys[:left]
        self.values = None if self.values is None else values[:left]
        if not used.all():
            numbers = np.cumsum(used, dtype=np.int64) - 1
            if not kernel.renumber(self.keys, left, numbers):  # type: ignore[arg-type]
                raise AssertionError("a name of a table is not among its names")
            bits = pa.py_buffer(np.packbits(used, bitorder="little"))
            self._names = self._names.filter(pa.Array.from_buffers(pa.bool_(), len(used), [None, bits]))
        ends, blob = buffers(self._names)
        self.names = BlockNames(blob, view(ends.astype(np.int64)), len(self._names))
