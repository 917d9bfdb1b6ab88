"""Cells in aligned columns that fit a terminal of 80 characters: long cells are cut, wide tables folded."""

from __future__ import annotations

from mistakebound.core.errors import cut
from mistakebound.core.names import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 79
_LEAST = 14  # characters of a column that are never cut: numbers have fewer
_GAP = "  "


def aligned(rows: Sequence[Sequence[str]], sides: str, width: int = WIDTH) -> list[str]:
    """The lines of a table; `sides` has a < or > for each column.

    Where the lines would be too long, the longest cells lose their middle; where that is not enough, the columns follow
    each other in blocks, each with the first column.

    >>> aligned([("name", "weight"), ("3", "1024"), ("free", "8")], "<>")
    ['name  weight', '3       1024', 'free       8']
    >>> aligned([("a label with a long name", "1"), ("b", "2")], "<>", 20)
    ['a label  ... name  1', 'b                  2']
    >>> aligned([("x", "1" * 9, "2" * 9, "3" * 9)], "<>>>", 24)
    ['x  111111111  222222222', '', 'x  333333333']
    """
    cells = [[visible(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(sides))]
    while _total(widths) > width and max(widths) > _LEAST:
        widest = max(range(len(widths)), key=widths.__getitem__)
        next_widest = max([_LEAST, *(one for one in widths if one < widths[widest])])
        widths[widest] -= max(1, min(_total(widths) - width, widths[widest] - next_widest))
    lines: list[str] = []
    for block in _blocks(widths, width):
        lines += [""] * bool(lines)
        for row in cells:
            shown = [f"{cut(row[k], widths[k]):{sides[k]}{widths[k]}}" for k in block]
            lines.append(_GAP.join(shown).rstrip())
    return lines


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _blocks(widths: Sequence[int], width: int) -> list[list[int]]:
    """The columns of each block; the first one stands in all."""
    blocks = [[0]]
    for column in range(1, len(widths)):
        if len(blocks[-1]) > 1 and _total([widths[k] for k in (*blocks[-1], column)]) > width:
            blocks.append([0])
        blocks[-1].append(column)
    return blocks
