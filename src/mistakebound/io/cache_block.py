"""One block of rows as it lies in a cache: a head of whole numbers, then its columns, each at a multiple of eight."""

from __future__ import annotations

from array import array
from zlib import crc32

from mistakebound.core.block import ANY, Block, BlockNames
from mistakebound.core.buffers import Buffers, zeros
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
DENSE = 20  # 1: a value of 0 is one
HEAD = 21

HEAD_BYTES = 8 * HEAD
_LAST_ID = (1 << 63) - 1
_WITHIN = bytes(range(0x80, 0xC0))  # bytes of UTF-8 with which no character begins


def padded(size: int) -> int:
    return size + -size % 8


def _width(largest: int) -> int:
    return 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else 4 if largest < 1 << 32 else 8


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
        head[ASCENDING], head[DENSE] = block.ascending, block.dense
        self._at = HEAD_BYTES
        lengths = memoryview(block.indptr)[: block.rows + 1]
        head[LENGTH_WIDTH] = self._steps(lengths, block.rows)
        self._labels(block, head)
        self._lines(block, head)
        self._keys(memoryview(block.wide_keys())[start:end], head)
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

    def _room(self, size: int) -> int:
        """Where the next column starts, which has so many bytes."""
        if self._at + size + 8 > len(self._bytes):
            larger: memoryview[int] = zeros("B", 2 * (self._at + size) + 8)
            larger[: self._at] = self._bytes[: self._at]
            self._bytes = larger
        start = self._at
        self._at = start + padded(size)
        self._bytes[start + size : self._at] = bytes(self._at - start - size)
        return start

    def _text(self, text: bytes | memoryview[int]) -> int:
        """A column of bytes; how many."""
        start = self._room(len(text))
        self._bytes[start : start + len(text)] = text
        return len(text)

    def _steps(self, values: Any, count: int) -> int:
        largest = kernel.largest_step(values, count)
        width = _width(largest)
        start = self._room(width * count)
        if largest < 0 or kernel.put_steps(values, count, width, self._bytes, start) < 0:
            raise AssertionError("the rows of a block are not in order")
        return width

    def _labels(self, block: Block, head: array[int]) -> None:
        if block.tokens is None:
            return
        head[TOKEN_WIDTH] = width = _width(len(block.label_tokens))
        start = self._room(width * block.rows)
        if kernel.put_tokens(block.tokens, block.rows, width, self._bytes, start) < 0:
            raise AssertionError("the labels of a block do not fit together")
        head[LABELS] = len(block.label_tokens)
        self._text(array("I", map(len, block.label_tokens)).tobytes())
        head[LABEL_BYTES] = self._text(b"".join(block.label_tokens))

    def _lines(self, block: Block, head: array[int]) -> None:
        if block.lines is None or not block.rows:
            return
        head[FIRST_LINE], head[LAST_LINE] = block.lines[0], block.lines[block.rows - 1]
        if kernel.largest_step(block.lines, block.rows - 1) >= 0:
            head[LINE_WIDTH] = self._steps(block.lines, block.rows - 1)
        else:
            head[LINE_WIDTH] = -8
            self._text(memoryview(block.lines)[: block.rows].tobytes())

    def _keys(self, keys: Any, head: array[int]) -> None:
        count = len(keys)
        largest = kernel.largest(keys, count)
        head[KEY_WIDTH] = width = 3 if 1 << 16 <= largest < 1 << 24 else _width(largest)
        start = self._room(padded(2 * count) + count if width == 3 else width * count)
        if largest < 0 or kernel.put_keys(keys, count, width, self._bytes, start) < 0:
            raise AssertionError("a block has keys above 2^63 - 1")

    def _reals(self, values: Any) -> int:
        count = len(values)
        width = kernel.width_of_reals(values, count)
        start = self._room(width * count)  # first: it may put another buffer in the place of this one
        if kernel.put_reals(values, count, width, self._bytes, start) < 0:
            raise AssertionError("the values of a block do not fit together")
        return width

    def _names(self, names: BlockNames | None, head: array[int]) -> None:
        head[NAMES] = -1
        if names is not None:
            head[NAMES] = names.count
            head[NAME_WIDTH] = self._steps(names.ends, names.count)
            head[NAME_BYTES] = self._text(memoryview(names.blob)[: names.ends[names.count]])


class Damaged(ValueError):
    """The bytes are not those of a block."""


class Unpacker:
    """Turns the bytes of a block into a Block, always in the same buffers."""

    __slots__ = ("_at", "_buffer", "_bytes")

    def __init__(self) -> None:
        self._buffer = Buffers()
        self._bytes = memoryview(b"")
        self._at = 0

    def unpack(self, data: memoryview[int], sources: list[str]) -> Block:
        """The block in these bytes, which have a right checksum; Damaged when they are not a block all the same."""
        if len(data) < HEAD_BYTES:
            raise Damaged
        head = data[:HEAD_BYTES].cast("q")
        rows, entries = head[ROWS], head[ENTRIES]
        if not (0 <= rows < head[SIZE] and 0 <= entries < head[SIZE] and 0 <= head[SOURCE] < len(sources)):
            raise Damaged
        self._bytes, self._at = data[: head[SIZE]], HEAD_BYTES
        indptr = self._buffer("indptr", "q", rows + 1)
        self._steps(rows, head[LENGTH_WIDTH], 0, entries, indptr)
        ascending, dense = bool(head[ASCENDING]), bool(head[DENSE])
        block = Block(rows, indptr, indptr, source=sources[head[SOURCE]], ascending=ascending, dense=dense)
        self._labels(block, head)
        self._lines(block, head)
        block.keys = self._keys(head)
        if ascending and kernel.ascends(block.keys, indptr, rows) != 1:
            raise Damaged
        block.values = self._reals("values", head[VALUE_WIDTH], entries)
        block.weights = self._reals("weights", head[WEIGHT_WIDTH], rows)
        self._names(block, head)
        if self._at != head[SIZE]:
            raise Damaged
        return block

    def _column(self, size: int) -> int:
        """Where the next column starts, which has so many bytes."""
        start = self._at
        if size < 0 or start + padded(size) > len(self._bytes):
            raise Damaged
        self._at += padded(size)
        return start

    def _numbers(self, width: int, count: int) -> int:
        """The same for a column of `count` numbers: no more of them than there are bytes."""
        if width not in (1, 2, 3, 4, 8):
            raise Damaged
        return self._column(padded(2 * count) + count if width == 3 else width * count)

    def _text(self, size: int) -> memoryview[int]:
        start = self._column(size)
        return self._bytes[start : start + size]

    def _steps(self, count: int, width: int, first: int, last: int, out: memoryview[int]) -> None:
        _must(kernel.get_steps(self._bytes, self._numbers(width, count), count, width, first, last, out))

    def _labels(self, block: Block, head: memoryview[int]) -> None:
        width, labels = head[TOKEN_WIDTH], head[LABELS]
        if width == 0:
            return
        start = self._numbers(width, block.rows)
        lengths = array("I", self._text(4 * labels).tobytes())
        texts = self._text(head[LABEL_BYTES])
        if sum(lengths) != len(texts):
            raise Damaged
        at = 0
        for length in lengths:
            block.label_tokens.append(bytes(texts[at : at + length]))
            _must_be_text(block.label_tokens[-1], "strict")
            at += length
        block.tokens = self._buffer("tokens", "i", block.rows)
        _must(kernel.get_tokens(self._bytes, start, block.rows, width, labels, block.tokens))

    def _lines(self, block: Block, head: memoryview[int]) -> None:
        if not head[LINE_WIDTH] or not block.rows:
            return
        block.lines = self._buffer("lines", "q", block.rows)
        if head[LINE_WIDTH] == -8:
            block.lines[: block.rows] = array("q", self._text(8 * block.rows).tobytes())
        else:
            self._steps(block.rows - 1, head[LINE_WIDTH], head[FIRST_LINE], head[LAST_LINE], block.lines)

    def _keys(self, head: memoryview[int]) -> memoryview[int]:
        count, width = head[ENTRIES], head[KEY_WIDTH]
        start, keys = self._numbers(width, count), self._buffer("keys", "Q", count)
        _must(kernel.get_keys(self._bytes, start, count, width, keys))
        top = _LAST_ID + 1 if head[NAMES] < 0 else head[NAMES]
        if count and (width == 8 or head[NAMES] >= 0) and not 0 <= kernel.largest(keys, count) < top:
            raise Damaged
        return keys

    def _reals(self, name: str, width: int, count: int) -> memoryview[float] | None:
        if width == 0:
            return None
        start, values = self._numbers(width, count), self._buffer(name, "d", count)
        _must(kernel.get_reals(self._bytes, start, count, width, values))
        return values

    def _names(self, block: Block, head: memoryview[int]) -> None:
        count = head[NAMES]
        if count < 0:
            return
        start = self._numbers(head[NAME_WIDTH], count)
        ends = self._buffer("ends", "q", count + 1)
        _must(kernel.get_steps(self._bytes, start, count, head[NAME_WIDTH], 0, head[NAME_BYTES], ends))
        blob = self._text(head[NAME_BYTES])
        _must_be_names(blob.tobytes(), ends, count)
        block.columns = BlockNames(blob, ends, count)


def _must(status: int) -> None:
    if status < 0:
        raise Damaged


def _must_be_text(data: bytes, errors: str) -> None:
    try:
        data.decode(errors=errors)
    except UnicodeDecodeError:
        raise Damaged from None


def _must_be_names(blob: bytes, ends: memoryview[int], count: int) -> None:
    """Names are UTF-8 one by one: together they are, and each begins where a character does."""
    if blob.isascii():
        return
    _must_be_text(blob, ANY)
    first = bytes(map((blob + b"\0").__getitem__, ends[:count]))
    if len(first.translate(None, _WITHIN)) < count:
        raise Damaged
