"""Numbers as people write them in cells: 1.234,50 and 1,234.50, $5, 12 %, (3.00) for what is owed."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

MARKS = (".", ",")  # between a number and its fraction; the other one stands between thousands
_UNITS = r"(?:[$€£¥₹%]|(?:USD|EUR|GBP|CHF|JPY)\b)"
_BLANKS = " \u00a0\u202f"  # a plain one, and two that do not end a line
_BLANK = f"[{_BLANKS}]?"


def _pattern(mark: str) -> str:
    """Of all cells that are numbers: groups of three digits or none, a fraction, a unit before or behind."""
    other = re.escape("," if mark == "." else ".")
    digits = rf"(?:\d{{1,3}}(?:{other}\d{{3}})+|\d{{1,3}}(?:['’{_BLANKS}]\d{{3}})+|\d+)(?:{re.escape(mark)}\d*)?"
    before, behind = rf"(?:{_UNITS}{_BLANK})", rf"(?:{_BLANK}{_UNITS})?"
    signed = rf"(?:[-+]?{before}?|{before}[-+]){digits}{behind}"  # one sign at most: --1 is no number
    around = rf"[\t{_BLANKS}]*"
    return rf"^{around}(?:{signed}|\({before}?{digits}{behind}\)){around}$"


PATTERNS = {mark: _pattern(mark) for mark in MARKS}
_BARE = re.compile(r"[-+0-9,.()'’\s]")


def mark_of(cells: Iterable[str], comma: bool) -> str | None:
    """The decimal mark of cells that are all numbers in some dress, of one unit; None where one is not.

    Where both would do (1,234), `comma` says whether a comma is the likely decimal mark.

    >>> mark_of(["1.234,50", "7,5"], False), mark_of(["$1,200", "$3.50"], False), mark_of(["5 %", "12.5 %"], False)
    (',', '.', '.')
    >>> mark_of(["1,234", "5,678"], False), mark_of(["1,234", "5,678"], True), mark_of(["5 %", "$3"], False)
    ('.', ',', None)
    """
    listed = list(cells)
    for mark in ("," if comma else ".", "." if comma else ","):
        pattern = re.compile(PATTERNS[mark])
        if listed and all(pattern.match(cell) for cell in listed):
            units = {_BARE.sub("", cell) for cell in listed}
            return mark if len(units) == 1 else None
    return None


def undressed(column: Any, mark: str) -> Any:
    """A column of texts with its numbers in plain digits; a text that is no such number is not made one."""
    import pyarrow.compute as pc

    from mistakebound.io.table_cells import TEXT

    if column.type != TEXT:  # a file that has types has numbers
        return column
    sign = pc.if_else(pc.match_substring(column, "("), "-", "")
    bare = pc.replace_substring_regex(column, r"[^0-9.,+-]", "")
    bare = pc.replace_substring(bare, "," if mark == "." else ".", "")
    plain = pc.binary_join_element_wise(sign, pc.replace_substring(bare, mark, "."), "")
    other = pc.replace_substring(column, ".", "!") if mark == "," else column  # 1.5 would be a number
    return pc.if_else(pc.match_substring_regex(column, PATTERNS[mark]), plain, other)
