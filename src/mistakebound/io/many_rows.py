"""Raw rows at once: several lines or mappings are read as one small file, so that they share the cost of opening it."""

from __future__ import annotations

from contextlib import contextmanager

from mistakebound.core.errors import BadData
from mistakebound.io import open_stream
from mistakebound.io.formats import TABLES
from mistakebound.io.memory import TextInMemory
from mistakebound.io.one_row import json_line, row_in_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from mistakebound.core.block import Block

_LEAST = 1 << 10  # bytes that are read at once


@contextmanager
def read_rows(rows: Sequence[Any], settings: dict[str, Any]) -> Iterator[Block | None]:
    """The rows as one block, without labels, good within the context; None where they must be read one by one.

    A single row that cannot be read raises BadData; of several, None says that one of them may be invalid.

    >>> with read_rows(["free entry", "lunch"], {"format": "text"}) as block:
    ...     block.rows, block.columns.texts()
    (2, ['free', 'entry', 'lunch'])
    """
    alone = len(rows) == 1
    text = _as_text(rows, settings)
    if text is not None:
        found: Any = TextInMemory(lambda: (text,)), settings  # in one part, so that it is one block
    else:
        found = row_in_memory(rows[0], settings) if alone else None
    if found is None:
        yield None
        return
    size = _LEAST if text is None else len(text) + _LEAST
    with open_stream(*found, unlabelled_ok=True, block_bytes=size) as reader:
        try:
            block = next(iter(reader), None)
        except BadData as error:  # there is no file in which it stands
            if alone:
                raise BadData(error.message, text=error.text) from None
            block = None
        count = 0 if block is None else block.rows
        if block is None or count != len(rows):
            if alone:
                raise BadData(f"one row is expected, and there are {count}")
            yield None
            return
        block.source, block.lines, block.line_text = "", None, None
        block.tokens, block.label_tokens, block.weights = None, [], None
        yield block


def _as_text(rows: Sequence[Any], settings: dict[str, Any]) -> bytes | None:
    """A text with a line for each row; None where that would not mean the same."""
    format = settings["format"]
    if format in TABLES:
        return None
    lines = []
    for row in rows:
        if isinstance(row, (str, bytes)):
            line = row.encode(errors="surrogatepass") if isinstance(row, str) else row
            if format == "text":  # of several lines is still one
                line = b" ".join(line.splitlines())
            elif b"\n" in line and len(rows) > 1:
                return None
            lines.append(line + b"\n")
        elif format == "jsonl" and hasattr(row, "keys"):
            lines.append(json_line(row))
        else:
            return None
    return b"".join(lines)
