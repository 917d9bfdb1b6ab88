"""Dates and times of day in the cells of a table, as the month, the day of the week and the hour."""

from __future__ import annotations

import re
from datetime import date
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import numpy as np
    import numpy.typing as npt

MOMENT = "moment"  # the kind of such a column, with a colon and the order of its parts behind it
ORDERS = ("ymd", "dmy", "mdy", "clock", "dby", "bdy")  # b: the month by its name
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_ZONE = r"(Z|[A-Z]{3}|[-+]\d{2}:?\d{2})?"
_CLOCK = rf"(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(:\d{{2}}([.,]\d+)?)?\s*(?P<half>[AaPp][Mm])?\s*{_ZONE}"
_PATTERN = re.compile(rf"((?P<one>\d{{1,4}})[-/.](?P<two>\d{{1,2}})[-/.](?P<three>\d{{1,4}})([ T]+|$))?({_CLOCK})?")
_NAME = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*"
_NAMED = {  # 12-Jan-1950, Thu, 12 January 1950 10:30, 12/Jan/2024:10:30:00 +0100; Jan 12, 2024
    "dby": rf"(?P<day>\d{{1,2}})[-/. ]+{_NAME}[-/. ,]+(?P<year>\d{{4}}|\d{{2}})",
    "bdy": rf"{_NAME}[-. ]+(?P<day>\d{{1,2}})(st|nd|rd|th)?,? +(?P<year>\d{{4}})",
}


@cache  # made when a text may be such a date
def _named_pattern(order: str) -> re.Pattern[str]:
    weekday = "((mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +)?"
    return re.compile(rf"{weekday}{_NAMED[order]}([ T:]+|$)({_CLOCK})?", re.IGNORECASE)


def parts_of(order: str) -> tuple[str, ...]:
    """The attributes that a column of moments makes."""
    return ("hour",) if order == "clock" else ("month", "weekday", "hour")


def order_of(cells: Iterable[str]) -> str | None:
    """In which order the parts stand, where all cells are moments; None where one is not.

    >>> order_of(["2018-01-28T10:00", "2018-02-01"]), order_of(["28/01/2018"]), order_of(["1/28/2018", "1/2/2018"])
    ('ymd', 'dmy', 'mdy')
    >>> order_of(["12-Jan-1950", "3 March 2024 10:30"]), order_of(["Jan 12, 2024"]), order_of(["12-Foo-1950"])
    ('dby', 'bdy', None)
    >>> order_of(["10:30", "9:05 pm"]), order_of(["1.2.3"]), order_of([""]), order_of([])
    ('clock', None, None, None)
    """
    cells = list(cells)
    found = [_PATTERN.fullmatch(cell) for cell in cells]
    if not found or not all(match is not None and match[0] for match in found):
        return next((order for order in _NAMED if cells and all(_named(cell, order) for cell in cells)), None)
    dated = [(match["one"], match["two"], match["three"]) for match in found if match is not None and match["one"]]
    if not dated:
        return "clock"
    if len(dated) < len(found):
        return None
    slashes = any("/" in match[0] for match in found if match is not None)
    likely = ("ymd",) if len(dated[0][0]) == 4 else ("mdy", "dmy") if slashes else ("dmy", "mdy")
    for order in likely:
        if all(_date(parts, order) is not None for parts in dated):
            return order
    return None


def _named(cell: str, order: str) -> tuple[re.Match[str], date] | None:
    """A moment whose month has its name, and its date."""
    match = _named_pattern(order).fullmatch(cell)
    if match is None:
        return None
    month = 1 + _MONTHS.index(match["name"].lower())
    found = _date((match["year"], str(month), match["day"]), "ymd")
    return None if found is None else (match, found)


def _date(parts: tuple[str, str, str], order: str) -> date | None:
    year, month, day = (parts[order.index(part)] for part in "ymd")
    if len(year) not in (2, 4):
        return None
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None


def part_of_cell(cell: str, order: str, part: str) -> str | None:
    """One part of a moment; "" where it has none, None where the cell is no moment.

    >>> [part_of_cell("28/01/2018 09:30 PM", "dmy", part) for part in ("month", "weekday", "hour")]
    ['1', 'Sun', '21']
    >>> part_of_cell("28/01/2018", "dmy", "hour"), part_of_cell("soon", "dmy", "hour")
    ('', None)
    """
    found: date | None = None
    match: re.Match[str] | None
    if order in _NAMED:
        match, found = _named(cell, order) or (None, None)
    else:
        match = _PATTERN.fullmatch(cell)
        if match is not None and ((match["one"] is None) != (order == "clock") or not cell):
            return None
    if match is None:
        return None
    if part == "hour":
        if match["hour"] is None:
            return ""
        hour = int(match["hour"]) % 12 + 12 * (match["half"].lower() == "pm") if match["half"] else int(match["hour"])
        return str(hour) if hour < 24 else None
    found = found or _date((match["one"], match["two"], match["three"]), order)
    if found is None:
        return None
    return str(found.month) if part == "month" else _DAYS[found.weekday()]


def part_of_column(column: Any, order: str, part: str) -> tuple[Any, npt.NDArray[np.bool_]]:
    """A column of coded texts as one of a part of them, and which cells are no moments though something is in them."""
    import numpy as np  # for tables; dates of JSON do without

    from mistakebound.io.table_cells import coded, codes_of, texts_of

    found = [part_of_cell(text.strip(), order, part) for text in column.dictionary.to_pylist()]
    again = texts_of([part or "" for part in found]).dictionary_encode()
    places = codes_of(column)
    strange = np.array([part is None for part in found], np.bool_)
    moved = codes_of(again)
    none = np.zeros(len(places), np.bool_)
    if not len(found):
        return column, none
    return coded(moved[places], again.dictionary), strange[places]
