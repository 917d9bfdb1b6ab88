"""The first cells of every column, by which it is decided whether it is numeric and where its bins are cut."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from itertools import accumulate, compress, pairwise

from mistakebound.core.schema import NOMINAL, NUMERIC
from mistakebound.io.bins import CELLS, MOST_BYTES, MOST_ROWS
from mistakebound.io.dressed import mark_of, undressed
from mistakebound.io.missing_words import BLANKS, MARKS
from mistakebound.io.moments import MOMENT, order_of
from mistakebound.io.table_records import cells_of_records
from mistakebound.kernels import cells as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from mistakebound.io.table_records import Records

_ENOUGH = 50  # cells, from which on ids are told from values
_NEW = 0.9  # of them are new
_FIRST = 20  # that may all be dates
AT_ONCE = CELLS + CELLS // 8  # records that are taken apart together: few cells are missing in most columns
NEW = "nearly every cell is new"
NO_NUMBER = "is no number"  # a cell among many that are
_CODE = re.compile(r"\s*[-+]?0[0-9]", re.ASCII)


class Window:
    """Takes rows in file order until it has seen enough.  What it says does not depend on how they come in chunks."""

    __slots__ = ("_cells", "_comma", "_found", "_missing", "_numeric", "_seen", "rows")

    def __init__(self, places: Iterable[int], missing: frozenset[str] = MARKS, comma: bool = False) -> None:
        """`comma`: where that can be told in no other way, it is a decimal mark."""
        self._comma = comma
        self._missing = missing
        self._seen = dict.fromkeys(places, 0)
        self._numeric = dict.fromkeys(self._seen, True)
        self._cells: dict[int, list[Any]] = {place: [] for place in self._seen}
        self._found: dict[int, list[float]] = {place: [] for place in self._seen}
        self.rows = 0

    def open(self) -> list[int]:
        """Columns that have not shown enough cells, while rows are still looked at."""
        return [place for place, seen in self._seen.items() if seen < CELLS] if self.rows < MOST_ROWS else []

    def reaches(self, offset: int) -> bool:
        """Whether rows that start there are looked at."""
        return offset < MOST_BYTES

    def add(self, records: Records, offset: int, width: int, delimiter: str) -> None:
        """Look at the records of a chunk that starts at an offset of the text."""
        count = bisect_left(records.starts, MOST_BYTES - offset)
        for first in range(0, count, AT_ONCE):
            wanted = self.open()
            if not wanted:
                return
            text, rows = records.good_text(min(first + AT_ONCE, count), first)
            found = cells_of_records(text, rows, width, delimiter)[: MOST_ROWS - self.rows]
            for place in wanted:
                self._take(place, [record[place] for record in found])
            self.rows += rows

    def _take(self, place: int, cells: Sequence[str]) -> None:
        """Look at the next cells of a column."""
        values, kinds, strange = _numbers(cells, self._missing)
        self._note(place, cells, values, kinds, not strange)

    def _note(
        self, place: int, cells: Sequence[Any], values: Sequence[float], kinds: Sequence[int], all_numbers: bool
    ) -> None:
        """Keep so many cells as are still wanted of those that are not missing, and the numbers among them."""
        if not all_numbers:
            some = [kind != kernel.MISSING for kind in kinds]
            cells, values, kinds = ([*compress(part, some)] for part in (cells, values, kinds))
        wanted = CELLS - self._seen[place]
        cells, values, kinds = cells[:wanted], values[:wanted], kinds[:wanted]
        self._seen[place] += len(cells)
        self._cells[place] += cells
        if all_numbers or kinds.count(kernel.NUMBER) == len(kinds):
            self._found[place] += values
        else:
            self._found[place] += [value for value, kind in zip(values, kinds, strict=True) if kind == kernel.NUMBER]
            self._numeric[place] = False

    def numeric(self, place: int) -> bool:
        return self._numeric[place] and self._seen[place] > 0

    def kind(self, place: int) -> tuple[str | None, str]:
        """What a column is by its first cells, and why; None: a column that says nothing about other rows."""
        if not self.numeric(place):
            return self._kind_of_texts(place)
        if any(map(_CODE.match, self._cells[place])):
            return NOMINAL, "codes with leading zeros"
        return self._kind_of_numbers(place)

    def _kind_of_numbers(self, place: int) -> tuple[str | None, str]:
        values = self._found[place]
        if len(values) >= _ENOUGH and all(a < b for a, b in pairwise(values)) and all(v.is_integer() for v in values):
            return None, "it counts up"
        return NUMERIC, ""

    def _kind_of_texts(self, place: int) -> tuple[str | None, str]:
        cells = self._cells[place]
        if order_of(map(str.strip, cells[:_FIRST])) and (order := order_of(map(str.strip, cells))) is not None:
            return f"{MOMENT}:{order}", ""
        comma, listed = self._comma, [cell for cell in cells if cell.strip(BLANKS)]
        if mark_of(listed[:_FIRST], comma) and (mark := mark_of(listed, comma)) is not None:
            values, kinds, _ = _numbers(_undressed(cells, mark), self._missing)
            if kernel.OTHER not in kinds:  # none is out of range
                self._found[place] = list(values)
                return f"{NUMERIC}:{mark}", f"as in {listed[0].strip()!r}, which is {values[0]:g}"
        return self._kind_of_names(place)

    def _kind_of_names(self, place: int) -> tuple[str | None, str]:
        cells, odd = self._cells[place], self._odd_one(place)
        if len(cells) >= _ENOUGH and len(set(cells)) > _NEW * len(cells):
            return None, NEW + ", and " * bool(odd) + odd
        return NOMINAL, odd

    def _odd_one(self, place: int) -> str:
        """The first cell that is no number among many that are; "" in a column of texts."""
        cells = self._cells[place]
        if len(cells) < _FIRST or not _NEW * len(cells) <= len(self._found[place]) < len(cells):
            return ""
        kinds = _numbers(cells, self._missing)[1]
        word = next(cell for cell, kind in zip(cells, kinds, strict=True) if kind != kernel.NUMBER).strip()
        return f"{word!r} {NO_NUMBER}"

    def found(self, place: int) -> list[float]:
        """The numbers among the cells."""
        return self._found[place]


def _numbers(cells: Sequence[str], missing: frozenset[str]) -> tuple[array[float], array[int], int]:
    """The cells as numbers (1 where one is not), what each is, and how many are none."""
    text = "".join(cells)
    if text.isascii():
        data, lengths = text.encode(), list(map(len, cells))
    else:
        encoded = [cell.encode() for cell in cells]
        data, lengths = b"".join(encoded), list(map(len, encoded))
    values, kinds = array("d", bytes(8 * len(cells))), array("b", bytes(len(cells)))
    scratch = bytearray(max(lengths, default=0) + kernel.SLACK)
    strange = kernel.numbers(data, array("i", accumulate(lengths, initial=0)), len(cells), scratch, values, kinds)
    if strange < 0:
        raise AssertionError("the buffers of a column do not fit together")
    if strange and missing is not MARKS:
        for place, kind in enumerate(kinds):
            if kind == kernel.OTHER and cells[place].strip(BLANKS).lower() in missing:
                kinds[place] = kernel.MISSING
    return values, kinds, strange


def _undressed(cells: Sequence[str], mark: str) -> list[str]:
    from mistakebound.io.table_cells import texts_of  # Arrow, which is to read these columns anyway

    plain: list[str] = undressed(texts_of(cells), mark).to_pylist()
    return plain
