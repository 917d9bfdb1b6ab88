"""Mappings that hold nothing but texts, as csv.DictReader makes them: a table in all but name, written as one."""

from __future__ import annotations

from mistakebound.core.errors import BadData, BadParameter, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any


def text_columns(rows: Sequence[Any]) -> list[str] | None:
    """The keys, in their order, where all rows have the same ones and their values are texts or None; else None.

    >>> text_columns([{"a": "1", "b": None}, {"b": "x", "a": ""}]), text_columns([{"a": 1}]), text_columns([])
    (['a', 'b'], None, None)
    """
    if not rows or not all(hasattr(row, "keys") for row in rows):
        return None
    names = list(rows[0])
    same = all(len(row) == len(names) and all(name in row for name in names) for row in rows)
    texts = all(isinstance(name, str) and name.strip() for name in names)
    if not names or not same or not texts:
        return None
    filled = [row[name] for row in rows for name in names if row[name] is not None]
    return names if filled and all(isinstance(value, str) for value in filled) else None


def csv_lines(rows: Iterable[Any], names: list[str]) -> Iterator[bytes]:
    """The rows as CSV under a header; BadData for a key that the first rows have not."""
    known = set(names)
    yield _record(names)
    for number, row in enumerate(rows, 1):
        if not hasattr(row, "keys"):
            raise BadParameter(f"a row must be a mapping: {type(row).__name__}")
        for name in row:
            if name not in known:
                text = f"the row has a key {shown(name)}, but the first rows have only {', '.join(map(shown, names))}"
                raise BadData(text, source="<rows>", line=number)
        yield _record([row.get(name) for name in names])


def _record(cells: Sequence[Any]) -> bytes:
    texts = ("" if cell is None else str(cell) for cell in cells)
    return ",".join('"' + text.replace('"', '""') + '"' for text in texts).encode(errors="surrogatepass") + b"\n"
