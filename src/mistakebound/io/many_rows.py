"""Raw rows, one or several at once, as blocks: readers are kept open, so that a row does not pay for opening one.

A row means the same whether it is read alone or among others: rows for which that is not sure are read alone.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import islice

from mistakebound.core.errors import BadData
from mistakebound.io import open_stream
from mistakebound.io.formats import TABLES, open_file
from mistakebound.io.hashing import Rework
from mistakebound.io.memory import MemorySource
from mistakebound.io.one_row import json_line, row_in_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from mistakebound.core.block import Block

_AT_ONCE = 1000  # rows that are taken together
_ROOM = 1 << 15  # bytes of rows that a reader which stays open takes at once
_LEAST = 1 << 10  # bytes that another one begins with
_KEPT = 4  # readers of a schema that wait for more rows
_BOM = b"\xef\xbb\xbf"


class RowsReader:
    """A reader that stays open: the lines that it is given are the next ones of its input.

    >>> reader = RowsReader({"format": "text"}, b"free entry\\n")
    >>> [reader.read(line).columns.texts() for line in (b"free entry\\n", b"lunch\\n")]
    [['free', 'entry'], ['lunch']]
    """

    __slots__ = ("_chunk", "_reader", "_rework", "_source")

    def __init__(self, settings: dict[str, Any], text: bytes) -> None:
        """It looks at `text`, the first that it will be given, and keeps nothing of it."""
        self._source = MemorySource("", iter((text,)))
        options = {"unlabelled_ok": True, "on_error": "fail", "block_bytes": _ROOM}
        self._reader = open_file(self._source, settings, options)
        self._chunk = self._reader.chunk()
        ignore, bits = settings.get("ignore"), settings.get("hash")
        self._rework = Rework(ignore or [], bits) if ignore or bits is not None else None

    def read(self, text: bytes) -> Block | None:
        """The rows of some lines, at most `_ROOM` bytes; their block is good until the next call."""
        self._source.give(text)
        if not self._reader.fill(self._chunk):
            raise AssertionError("a reader of rows has come to its end")
        if self._chunk.failure is None:
            self._chunk.parse()
        block = next(self._reader.emit(self._chunk), None)
        if block is not None and self._rework is not None:
            self._rework.put_into(block)
        return block


@contextmanager
def read_rows(rows: Sequence[Any], settings: dict[str, Any], kept: list[RowsReader]) -> Iterator[Block | None]:
    """The rows as one block, without labels, good within the context; None where they must be read one by one.

    A single row that cannot be read raises BadData; of several, None says that one of them may be invalid.  `kept` are
    readers with these settings that wait; the one that was used is there again afterwards, unless a row was invalid.

    >>> with read_rows(["free entry", "lunch"], {"format": "text"}, []) as block:
    ...     block.rows, block.columns.texts()
    (2, ['free', 'entry', 'lunch'])
    """
    text = _as_text(rows, settings)
    if text is None:
        found = row_in_memory(rows[0], settings) if len(rows) == 1 else _as_table(rows, settings)
        if found is None:
            yield None
            return
        with open_stream(*found, unlabelled_ok=True, block_bytes=_LEAST * len(rows)) as stream:
            yield _all_of(lambda: next(iter(stream), None), len(rows))
        return
    try:
        reader = kept.pop()
    except IndexError:
        reader = RowsReader(settings, text)
    block = _all_of(lambda: reader.read(text), len(rows))
    yield block
    if block is not None and len(kept) < _KEPT:
        kept.append(reader)


def batches(rows: Iterable[Any], settings: dict[str, Any] | None) -> Iterator[list[Any]]:
    """Rows, some at a time, as `read_rows` takes them."""
    left = iter(rows)
    while some := [*islice(left, _AT_ONCE)]:
        for first, last in parts_of(some, settings):
            yield some[first:last]


def parts_of(rows: Sequence[Any], settings: dict[str, Any] | None) -> Iterator[tuple[int, int]]:
    """Ranges of rows that are read at once; a row that is too long for that is one by itself.

    >>> [*parts_of([b"x" * 20_000, b"x" * 10_000, b"x" * 10_000, b"x" * 50_000, b"x"], {"format": "text"})]
    [(0, 2), (2, 3), (3, 4), (4, 5)]
    """
    if settings is None or settings["format"] in TABLES:
        if rows:
            yield 0, len(rows)
        return
    first = size = 0
    for k, row in enumerate(rows):
        width = len(row) + 1 if isinstance(row, bytes) else _width(row)
        if size + width > _ROOM and k > first:
            yield first, k
            first, size = k, 0
        size += width
    if first < len(rows):
        yield first, len(rows)


def _width(row: Any) -> int:
    """About how many bytes the line of a row has, which is not written yet."""
    if isinstance(row, str):
        return len(row) + 1 if row.isascii() else 4 * len(row) + 1
    return 64 * len(row) if hasattr(row, "__len__") else 64


def _all_of(read: Callable[[], Block | None], rows: int) -> Block | None:
    """The block that is read, if it has all rows; BadData for a single row that is none."""
    try:
        block = read()
    except BadData as error:  # there is no file in which it stands
        if rows == 1:
            raise BadData(error.message, text=error.text) from None
        return None
    count = 0 if block is None else block.rows
    if block is None or count != rows:
        if rows == 1:
            raise BadData(f"one row is expected, and there are {count}")
        return None
    block.source, block.lines, block.line_text = "", None, None
    block.tokens, block.label_tokens, block.weights = None, [], None
    return block


def _as_text(rows: Sequence[Any], settings: dict[str, Any]) -> bytes | None:
    """A text with a line for each row; None where that would not mean the same, or is too long."""
    format = settings["format"]
    if format in TABLES:
        return None
    lines = []
    for row in rows:
        if isinstance(row, (str, bytes)):
            line = row.encode(errors="surrogatepass") if isinstance(row, str) else row
            if format == "text":  # of several lines is still one
                line = b" ".join(line.splitlines())
            elif b"\n" in line:
                return None
            if line.startswith(_BOM) or (format == "jsonl" and not _is_object(line)):
                return None
            lines.append(line)
        elif format == "jsonl" and hasattr(row, "keys"):
            lines.append(json_line(row)[:-1])
        else:
            return None
    lines.append(b"")
    text = b"\n".join(lines)
    return text if len(text) <= _ROOM else None


def _is_object(line: bytes) -> bool:
    """Whether a line begins an object of JSON and has more of it: else it may begin an array, or one of many lines."""
    return line.startswith(b"{") and line[1:].strip() != b""


def _as_table(rows: Sequence[Any], settings: dict[str, Any]) -> Any:
    """Mappings of columns as one table; None where that would not mean the same."""
    if settings["format"] not in TABLES or not all(hasattr(row, "keys") for row in rows):
        return None
    from mistakebound.io.table_row import table_rows

    return table_rows(rows, settings)
