"""One block of rows as it lies in a cache: a head of whole numbers, then its columns, each at a multiple of eight."""

from __future__ import annotations

from array import array
from zlib import crc32

from mistakebound.core.block import Block
from mistakebound.core.block_names import BlockNames
from mistakebound.core.buffers import zeros
from mistakebound.kernels import cache as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Places in the head, numbers of eight bytes.
SIZE = 0  # of the block with its head, in bytes
CHECK = 1  # CRC-32 of everything else
ROWS = 2
ENTRIES = 3
ASCENDING = 4
KEY_WIDTH = 5  # bytes a key; 3: two bytes of all keys, then the third of all
LENGTH_WIDTH = 6  # of the number of entries of a row
TOKEN_WIDTH = 7  # 0: no labels
LABELS = 8
LABEL_BYTES = 9
LINE_WIDTH = 10  # of the step from a row's line to the next; 0: no lines; -8: not steps but lines, in any order
FIRST_LINE = 11
LAST_LINE = 12
VALUE_WIDTH = 13  # 0: all are 1
WEIGHT_WIDTH = 14  # 0: all are 1
NAMES = 15  # -1: the keys are ids
NAME_BYTES = 16
NAME_WIDTH = 17  # of the length of a name
SOURCE = 18  # number of the file
FIRST_ROW = 19  # rows before
HEAD = 20

HEAD_BYTES = 8 * HEAD
_WHOLE = {1: "B", 2: "H", 4: "I", 8: "Q"}
_REAL = {1: "b", 4: "f", 8: "d"}
_LAST_ID = (1 << 63) - 1
_NO_BYTES = array("b")
_NO_SINGLES = array("f")


def padded(size: int) -> int:
    return size + -size % 8


def _width(largest: int) -> int:
    return 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else 4 if largest < 1 << 32 else 8


def _as(code: str, part: memoryview[int]) -> memoryview[Any]:
    """Bytes as numbers; an empty memoryview cannot be cast."""
    return part.cast(code) if part else memoryview(array(code))  # type: ignore[call-overload]


def checksum(block: memoryview[int]) -> int:
    """Of a block as it lies in the file; the place of the checksum itself is left out."""
    return crc32(block[16:], crc32(block[:8]))


class Packer:
    """Turns blocks into bytes, always in the same buffer."""

    __slots__ = ("_at", "_bytes")

    def __init__(self) -> None:
        self._bytes: memoryview[int] = zeros("B", 1 << 16)
        self._at = 0

    def pack(self, block: Block, source: int, first_row: int) -> memoryview[int]:
        """The block as it will lie in the file; good until the next call."""
        start, end = block.indptr[0], block.indptr[block.rows]
        head = array("q", bytes(HEAD_BYTES))
        head[ROWS], head[ENTRIES], head[SOURCE], head[FIRST_ROW] = block.rows, end - start, source, first_row
        head[ASCENDING] = block.ascending
        self._at = HEAD_BYTES
        lengths = memoryview(block.indptr)[: block.rows + 1]
        head[LENGTH_WIDTH] = self._steps(lengths, block.rows)
        self._labels(block, head)
        self._lines(block, head)
        self._keys(memoryview(block.keys)[start:end], head)
        if block.values is not None:
            head[VALUE_WIDTH] = self._reals(memoryview(block.values)[start:end])
        if block.weights is not None:
            head[WEIGHT_WIDTH] = self._reals(memoryview(block.weights)[: block.rows])
        self._names(block.columns, head)
        head[SIZE] = self._at
        packed = self._bytes[: self._at]
        packed[:HEAD_BYTES] = memoryview(head).cast("B")
        packed[8:16] = memoryview(array("q", [checksum(packed)])).cast("B")
        return packed

    def _room(self, code: str, count: int) -> memoryview[Any]:
        """The next column, of `count` numbers."""
        size = count * array(code).itemsize
        if self._at + size + 8 > len(self._bytes):
            larger = zeros("B", 2 * (self._at + size) + 8)
            larger[: self._at] = self._bytes[: self._at]
            self._bytes = larger
        start = self._at
        self._at = start + padded(size)
        self._bytes[start + size : self._at] = bytes(self._at - start - size)
        return _as(code, self._bytes[start : start + size])

    def _steps(self, values: Any, count: int) -> int:
        largest = kernel.largest_step(values, count)
        width = _width(largest)
        if largest < 0 or kernel.narrow_steps(values, count, self._room(_WHOLE[width], count)) < 0:
            raise AssertionError("the rows of a block are not in order")
        return width

    def _labels(self, block: Block, head: array[int]) -> None:
        if block.tokens is None:
            return
        head[TOKEN_WIDTH] = width = _width(len(block.label_tokens))
        kernel.narrow_tokens(block.tokens, block.rows, self._room(_WHOLE[width], block.rows))
        head[LABELS] = len(block.label_tokens)
        self._room("I", len(block.label_tokens))[:] = array("I", map(len, block.label_tokens))
        texts = b"".join(block.label_tokens)
        head[LABEL_BYTES] = len(texts)
        self._room("B", len(texts))[:] = texts

    def _lines(self, block: Block, head: array[int]) -> None:
        if block.lines is None or not block.rows:
            return
        head[FIRST_LINE], head[LAST_LINE] = block.lines[0], block.lines[block.rows - 1]
        if kernel.largest_step(block.lines, block.rows - 1) >= 0:
            head[LINE_WIDTH] = self._steps(block.lines, block.rows - 1)
        else:
            head[LINE_WIDTH] = -8
            self._room("q", block.rows)[:] = memoryview(block.lines)[: block.rows]

    def _keys(self, keys: Any, head: array[int]) -> None:
        count = len(keys)
        largest = kernel.largest(keys, count)
        head[KEY_WIDTH] = width = 3 if 1 << 16 <= largest < 1 << 24 else _width(largest)
        if width == 3:
            done = kernel.narrow_24(keys, count, self._room("H", count), self._room("B", count))
        else:
            done = kernel.narrow(keys, count, self._room(_WHOLE[width], count))
        if largest < 0 or done < 0:
            raise AssertionError("a block has keys above 2^63 - 1")

    def _reals(self, values: Any) -> int:
        count = len(values)
        width = kernel.width_of_reals(values, count)
        column = self._room(_REAL[width], count)
        if width == 8:
            column[:] = values
        elif width == 4:
            kernel.narrow_reals(values, count, _NO_BYTES, column)
        elif count:
            kernel.narrow_reals(values, count, column, _NO_SINGLES)
        return width

    def _names(self, names: BlockNames | None, head: array[int]) -> None:
        head[NAMES] = -1
        if names is not None:
            head[NAMES], head[NAME_BYTES] = names.count, names.ends[names.count]
            head[NAME_WIDTH] = self._steps(names.ends, names.count)
            self._room("B", head[NAME_BYTES])[:] = memoryview(names.blob)[: head[NAME_BYTES]]


class Damaged(Exception):
    """The bytes are not those of a block."""


class Unpacker:
    """Turns the bytes of a block into a Block, always in the same buffers."""

    __slots__ = ("_at", "_buffers", "_bytes")

    def __init__(self) -> None:
        self._buffers: dict[str, memoryview[Any]] = {}
        self._bytes = memoryview(b"")
        self._at = 0

    def unpack(self, data: memoryview[int], sources: list[str]) -> Block:
        """The block in these bytes, which have a right checksum; Damaged when they are none all the same."""
        head = data[:HEAD_BYTES].cast("q")
        rows, entries = head[ROWS], head[ENTRIES]
        if not (0 <= rows < head[SIZE] and 0 <= entries < head[SIZE] and 0 <= head[SOURCE] < len(sources)):
            raise Damaged
        self._bytes, self._at = data[: head[SIZE]], HEAD_BYTES
        indptr = self._buffer("indptr", "q", rows + 1)
        _must(kernel.add_steps(self._column(_WHOLE, head[LENGTH_WIDTH], rows), rows, 0, entries, indptr))
        block = Block(rows, indptr, indptr, source=sources[head[SOURCE]], ascending=bool(head[ASCENDING]))
        self._labels(block, head)
        self._lines(block, head)
        block.keys = self._keys(head)
        block.values = self._reals("values", head[VALUE_WIDTH], entries)
        block.weights = self._reals("weights", head[WEIGHT_WIDTH], rows)
        self._names(block, head)
        if self._at != head[SIZE]:
            raise Damaged
        return block

    def _buffer(self, name: str, code: str, count: int) -> memoryview[Any]:
        kept = self._buffers.get(name)
        if kept is None or len(kept) < count:
            kept = self._buffers[name] = zeros(code, count + count // 4 + 8)
        return kept

    def _column(self, codes: dict[int, str], width: int, count: int) -> memoryview[Any]:
        """The next column, of `count` numbers of so many bytes."""
        size = width * count
        if width not in codes or count < 0 or self._at + padded(size) > len(self._bytes):
            raise Damaged
        start = self._at
        self._at += padded(size)
        return _as(codes[width], self._bytes[start : start + size])

    def _labels(self, block: Block, head: memoryview[int]) -> None:
        if head[TOKEN_WIDTH] == 0:
            return
        packed = self._column(_WHOLE, head[TOKEN_WIDTH], block.rows)
        tokens = self._buffer("tokens", "i", block.rows)
        lengths = self._column(_WHOLE, 4, head[LABELS])
        _must(kernel.widen_tokens(packed, block.rows, head[LABELS], tokens))
        texts = self._column(_WHOLE, 1, head[LABEL_BYTES])
        if sum(lengths) != len(texts):
            raise Damaged
        at = 0
        for length in lengths:
            block.label_tokens.append(bytes(texts[at : at + length]))
            at += length
        block.tokens = tokens

    def _lines(self, block: Block, head: memoryview[int]) -> None:
        if not head[LINE_WIDTH] or not block.rows:
            return
        block.lines = self._buffer("lines", "q", block.rows)
        if head[LINE_WIDTH] == -8:
            block.lines[: block.rows] = self._column({8: "q"}, 8, block.rows)
        else:
            packed = self._column(_WHOLE, head[LINE_WIDTH], block.rows - 1)
            _must(kernel.add_steps(packed, block.rows - 1, head[FIRST_LINE], head[LAST_LINE], block.lines))

    def _keys(self, head: memoryview[int]) -> memoryview[int]:
        count, width = head[ENTRIES], head[KEY_WIDTH]
        keys = self._buffer("keys", "Q", count)
        if width == 3:
            low, high = self._column(_WHOLE, 2, count), self._column(_WHOLE, 1, count)
            _must(kernel.widen_24(low, high, count, keys))
        else:
            _must(kernel.widen(self._column(_WHOLE, width, count), count, keys))
        top = _LAST_ID + 1 if head[NAMES] < 0 else head[NAMES]
        if count and (width == 8 or head[NAMES] >= 0) and not 0 <= kernel.largest(keys, count) < top:
            raise Damaged
        return keys

    def _reals(self, name: str, width: int, count: int) -> memoryview[float] | None:
        if width == 0:
            return None
        values = self._buffer(name, "d", count)
        _must(kernel.widen_reals(self._column(_REAL, width, count), count, values))
        return values

    def _names(self, block: Block, head: memoryview[int]) -> None:
        count = head[NAMES]
        if count < 0:
            return
        packed = self._column(_WHOLE, head[NAME_WIDTH], count)
        ends = self._buffer("ends", "q", count + 1)
        _must(kernel.add_steps(packed, count, 0, head[NAME_BYTES], ends))
        block.columns = BlockNames(self._column(_WHOLE, 1, head[NAME_BYTES]), ends, count)


def _must(status: int) -> None:
    if status < 0:
        raise Damaged
