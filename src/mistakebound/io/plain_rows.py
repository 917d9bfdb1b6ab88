"""The rows of a table's plain text by one kernel: nothing else is made of a cell on the way."""

from __future__ import annotations

from array import array
from itertools import pairwise

from mistakebound.core.block import Block, BlockNames
from mistakebound.core.buffers import zeros
from mistakebound.io.bad_lines import excerpt
from mistakebound.io.missing_words import longest_word
from mistakebound.kernels import compiled
from mistakebound.kernels import csv_rows as kernel
from mistakebound.kernels.libsvm import number_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.io.table_columns import Columns

_MOST_CELLS = 1 << 18  # distinct ones that are kept
_NAMES = 1 << 24  # bytes of names, for twice as many as are kept for the next chunk


def can_read(columns: Columns) -> bool:
    """Whether cells become attributes as they are, in the order of the columns: no bins, no dates, no other order.

    Uncompiled, Arrow is faster.
    """
    places = [column.place for column in columns.attributes]
    plain = all(column.moment is None and not column.cuts and not column.mark for column in columns.attributes)
    return compiled() and plain and bool(places) and places[0] >= 0 and all(a < b for a, b in pairwise(places))


class PlainRows:
    """The rows that were parsed last, in buffers that are used again; `count` of them.

    Cells keep their places from chunk to chunk, as long as there is room and one learner takes all rows.
    """

    __slots__ = (
        "_kernel",
        "_name_ends",
        "_names",
        "_room",
        "_state",
        "_text",
        "_values",
        "_weights",
        "columns",
        "names",
        "size",
    )

    def __init__(self, columns: Columns, delimiter: str, size: int) -> None:
        """For texts of at most `size` bytes."""
        self.columns, self.size = columns, size
        rows = size // 2 + 8
        # keys, ends of rows, tokens of labels, where rows start, on which line
        self._room: tuple[Ints, ...] = tuple(zeros(code, rows + 1, sparse=True) for code in "Qqiqq")
        self._values: Floats = zeros("d", rows, sparse=True)
        self._weights: Floats = zeros("d", rows, sparse=True)
        self._names: memoryview[int] = zeros("B", _NAMES, sparse=True)
        self._name_ends: memoryview[int] = zeros("q", 2 * _MOST_CELLS, sparse=True)
        self._state = array("q", bytes(32))
        self._text = bytearray()
        self.names = BlockNames(self._names, self._name_ends, 0)
        keys, indptr, tokens, starts, lines = self._room
        pairs = zeros("Q", 8 * _MOST_CELLS, sparse=True), zeros("q", 4 * _MOST_CELLS, sparse=True)
        self._kernel = kernel.CsvRows(
            (zeros("I", size, sparse=True), keys, self._values, indptr, tokens, starts, lines, self._weights),
            (zeros("Q", 4 * _MOST_CELLS, sparse=True), *pairs, zeros("B", _NAMES, sparse=True), self._names,
             self._name_ends),
            _columns(columns),
            (delimiter, columns.missing, longest_word(columns.missing)),
            self._state,
        )  # fmt: skip

    @property
    def count(self) -> int:
        return self._state[kernel.ROWS]

    @property
    def newlines(self) -> int:
        return self._state[kernel.NEWLINES]

    def parse(self, text: bytearray, end: int, labelled: bool) -> bool:
        """Whether text[:end] is plain, so that its rows are here now."""
        if not _is_utf8(text, end):
            return False
        kept = self._state[kernel.NAMES]
        if not self.names.lasting or kept > _MOST_CELLS or 2 * self._name_ends[kept] > _NAMES:
            self._forget()
        status = self._kernel.parse(text, end, labelled)
        if status == kernel.FULL and kept:
            self._forget()
            status = self._kernel.parse(text, end, labelled)
        if status != kernel.OK:
            self.names.lasting = False
            return False
        self._text = text
        self.names.grow(self._names, self._name_ends, self._state[kernel.NAMES])
        return True

    def _forget(self) -> None:
        self._kernel.clear()
        self.names = BlockNames(self._names, self._name_ends, 0)

    def block(self, source: str, first: int) -> Block:
        """The rows, once; `first` lines of the source come before them."""
        keys, indptr, tokens, _, lines = self._room
        number_lines(lines, self.count, first)
        columns = self.columns
        block = Block(
            self.count, indptr, keys, None if all(column.nominal for column in columns.attributes) else self._values,
            columns=self.names, tokens=tokens, label_tokens=self._kernel.label_texts(), lines=lines, source=source,
            line_text=self._line_text, weights=None if columns.weights is None else self._weights, dense=True,
        )  # fmt: skip
        block.distinct = True
        return block

    def _line_text(self, row: int) -> str:
        start = self._room[3][row]
        return excerpt(self._text[start : self._text.index(b"\n", start)], 0)


def _is_utf8(text: bytearray, end: int) -> bool:
    try:
        if not text.isascii():
            str(memoryview(text)[:end], "utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _columns(columns: Columns) -> tuple[Ints, bytes, Ints, Ints, bool]:
    """What the kernel is to know of the columns of the file."""
    roles, texts = array("i", [kernel.IGNORED]) * columns.width, [b""] * columns.width
    for column in columns.attributes:
        roles[column.place] = kernel.NOMINAL if column.nominal else kernel.NUMERIC
        texts[column.place] = (f"{column.name}=" if column.nominal else column.name).encode()
    if columns.label is not None:
        roles[columns.label] = kernel.LABEL
    if columns.weights is not None:
        roles[columns.weights] = kernel.WEIGHT
    ends = array("q", [0])
    for text in texts:
        ends.append(ends[-1] + len(text))
    real = kernel.NUMERIC in roles
    return roles, b"".join(texts), ends, array("q", bytes(8 * columns.width)), real
