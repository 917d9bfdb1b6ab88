"""Text in columns, at most 79 wide, the same on a terminal and in a file."""

from __future__ import annotations

from textwrap import TextWrapper

from mistakebound.core.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH = 79


def wrap(text: str, first: str = "", rest: str = "") -> list[str]:
    """The text in lines that fit, the first one begun with `first`, the others with `rest`."""
    wrapper = TextWrapper(
        WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return wrapper.wrap(visible(text)) or [first.rstrip()]


def fields(pairs: Iterable[tuple[str, str]], indent: int = 2, least: int = 10) -> list[str]:
    """Names in one column, what is to be said of them beside it.

    >>> print("\\n".join(fields([("trials", "5,000"), ("mistakes", "151")])))
      trials      5,000
      mistakes    151
    """
    listed = list(pairs)
    width = max([least, *(len(name) for name, _ in listed)])
    margin = " " * (indent + width + 2)
    return [
        line
        for name, text in listed
        for line in wrap(text, f"{' ' * indent}{name:<{width}}  ".ljust(len(margin)), margin)
    ]


def columns(rows: Sequence[Sequence[str]], align: str, indent: int = 2) -> list[str]:
    """A table; `align` has a < or > for each column.

    >>> print("\\n".join(columns([("name", "weight"), ("3", "1024"), ("free", "8")], "<>")))
      name  weight
      3       1024
      free       8
    """
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(align))]
    lines = []
    for row in rows:
        cells = [f"{cell:{side}{width}}" for cell, side, width in zip(row, align, widths, strict=True)]
        lines.append((" " * indent + "  ".join(cells)).rstrip())
    return lines
