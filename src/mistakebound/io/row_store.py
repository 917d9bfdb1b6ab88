"""All rows of a stream in memory, to be read in any order."""

from __future__ import annotations

from array import array

from mistakebound.core.block import Block, BlockNames
from mistakebound.core.errors import MistakeboundError
from mistakebound.kernels import cache as packing
from mistakebound.kernels import shuffle as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOST_ROWS = (1 << 32) - 1


class RowStore:
    """Rows end to end, with the labels and names of all of them numbered in the order of first appearance.

    It takes 4 bytes an entry (8 where an id is 2^32 or more; 8 further ones when there are values) and 24 bytes a row.
    """

    __slots__ = (
        "_label_places", "_name_places", "ascending", "blob", "dense", "ends", "files", "indptr", "keys", "labels",
        "lines", "named", "sources", "tokens", "values", "weights", "widest",
    )  # fmt: skip

    def __init__(self) -> None:
        self.indptr = array("q", [0])
        self.keys = array("I")
        self.values: array[float] | None = None  # None: all 1
        self.weights: array[float] | None = None
        self.tokens = array("i")
        self.lines = array("q")
        self.files = array("I")  # of each row, its place in
        self.sources: list[str] = []
        self.labels: list[bytes] = []
        self.named = False
        self.blob = bytearray()
        self.ends = array("q", [0])
        self.ascending = True
        self.dense = False
        self.widest = 0  # entries of a row, at most
        self._label_places: dict[bytes, int] = {}
        self._name_places: dict[bytes, int] = {}

    @property
    def rows(self) -> int:
        return len(self.tokens)

    @property
    def size(self) -> int:
        """Bytes in memory, apart from the index of names."""
        parts: list[Any] = [self.indptr, self.keys, self.tokens, self.lines, self.files, self.ends]
        parts += [part for part in (self.values, self.weights) if part is not None]
        size: int = sum(part.itemsize * len(part) for part in parts)
        return size + len(self.blob)

    @property
    def block(self) -> Block:
        """All of them."""
        names = BlockNames(self.blob, self.ends, len(self.ends) - 1) if self.named else None
        return Block(
            self.rows, self.indptr, self.keys, self.values, tokens=self.tokens, label_tokens=self.labels,
            ascending=self.ascending, columns=names, weights=self.weights, dense=self.dense,
        )  # fmt: skip

    def add(self, block: Block) -> None:
        rows, before = block.rows, self.rows
        if before + rows > MOST_ROWS:
            raise MistakeboundError(f"more than {MOST_ROWS} rows cannot be shuffled")
        start, end = block.indptr[0], block.indptr[rows]
        self.widest = max(self.widest, packing.largest_step(block.indptr, rows))
        ends = array("q", bytes(8 * rows))
        kernel.shift(memoryview(block.indptr)[1 : rows + 1], rows, len(self.keys) - start, ends)
        self.indptr.extend(ends)
        self.values = _extended(self.values, block.values, len(self.keys), start, end)
        self.weights = _extended(self.weights, block.weights, before, 0, rows)
        self._add_keys(block, memoryview(block.keys)[start:end])
        self._add_labels(block)
        if block.lines is None:
            self.lines.extend(array("q", [0]) * rows)
        else:
            self.lines.frombytes(memoryview(block.lines)[:rows].tobytes())
        if not self.sources or self.sources[-1] != block.source:
            self.sources.append(block.source)
        self.files.extend(array("I", [len(self.sources) - 1]) * rows)
        self.ascending = self.ascending and block.ascending
        self.dense = block.dense

    def _add_keys(self, block: Block, keys: Any) -> None:
        count = len(keys)
        if block.columns is not None:
            self.named = True
            numbers = array("Q", bytes(8 * count))
            if kernel.renumber(keys, count, self._places(block.columns), numbers) < 0:
                raise AssertionError("keys and names of a block do not fit together")
            keys = numbers
        if self.keys.typecode == "I":
            if memoryview(keys).format == "I":
                self.keys.frombytes(memoryview(keys).tobytes())
                return
            narrow = array("I", bytes(4 * count))
            if kernel.narrow(keys, count, narrow) == 0:
                self.keys.extend(narrow)
                return
            self.keys = array("Q", self.keys)  # an id of more than 32 bits: all get 64
        self.keys.frombytes((memoryview(keys) if memoryview(keys).format == "Q" else array("Q", keys)).tobytes())

    def _places(self, names: BlockNames) -> array[int]:
        """The numbers of a block's names among all."""
        found = array("I")
        for place in range(names.count):
            name = bytes(names.blob[names.ends[place] : names.ends[place + 1]])
            number = self._name_places.setdefault(name, len(self._name_places))
            if number == len(self.ends) - 1:
                self.blob += name
                self.ends.append(len(self.blob))
            found.append(number)
        return found

    def _add_labels(self, block: Block) -> None:
        tokens = array("i", [-1]) * block.rows
        if block.tokens is not None:
            known = self._label_places
            table = array("i", [known.setdefault(text, len(known)) for text in block.label_tokens])
            self.labels = list(known)
            kernel.renumber_tokens(block.tokens, block.rows, table, tokens)
        self.tokens.extend(tokens)


def _extended(kept: array[float] | None, more: Any, before: int, start: int, end: int) -> array[float] | None:
    """Numbers, all 1 until the first comes: `before` of them, then more[start:end]."""
    if kept is None and more is None:
        return None
    if kept is None:
        kept = array("d", [1.0]) * before
    if more is None:
        kept.extend(array("d", [1.0]) * (end - start))
    else:
        kept.frombytes(memoryview(more)[start:end].tobytes())
    return kept
