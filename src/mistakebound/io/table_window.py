"""The first cells of every column, by which it is decided whether it is numeric and where its bins are cut."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mistakebound.core.table import NOMINAL, NUMERIC
from mistakebound.io.bins import CELLS, MOST_BYTES, MOST_ROWS
from mistakebound.io.dressed import mark_of, undressed
from mistakebound.io.moments import MOMENT, order_of
from mistakebound.io.table_cells import BLANKS, MARKS, TEXT, numbers, places_of, read_columns
from mistakebound.kernels import cells as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from mistakebound.io.table_records import Records

_ENOUGH = 50  # cells, from which on ids are told from values
_NEW = 0.9  # of them are new
_FIRST = 20  # that may all be dates
AT_ONCE = CELLS + CELLS // 8  # records that are taken apart together: few cells are missing in most columns
NEW = "nearly every cell is new"
NO_NUMBER = "is no number"  # a cell among many that are
_CODE = r"^\s*[-+]?0\d"


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
        count = int(np.searchsorted(records.starts, MOST_BYTES - offset))
        for first in range(0, count, AT_ONCE):
            wanted = self.open()
            if not wanted:
                return
            text, rows = records.good_text(min(first + AT_ONCE, count), first)
            columns = read_columns(text, rows, width, delimiter, dict.fromkeys(wanted, TEXT))
            for place, column in columns.items():
                self.take(place, column.slice(0, MOST_ROWS - self.rows))
            self.rows += rows

    def take(self, place: int, column: Any) -> None:
        """Look at the next cells of a column: not at many more than are still wanted."""
        while len(column) and self._seen[place] < CELLS:
            wanted = 2 * (CELLS - self._seen[place])
            self._take(place, column.slice(0, wanted))
            column = column.slice(wanted)

    def _take(self, place: int, column: Any) -> None:
        values, kinds, _ = numbers(column, self._missing)
        some = np.flatnonzero(kinds != kernel.MISSING)[: CELLS - self._seen[place]]
        self._seen[place] += len(some)
        self._found[place] += values[some[kinds[some] == kernel.NUMBER]].tolist()
        self._numeric[place] &= bool((kinds[some] == kernel.NUMBER).all())
        self._cells[place].append(column.take(places_of(some)))

    def numeric(self, place: int) -> bool:
        return self._numeric[place] and self._seen[place] > 0

    def kind(self, place: int) -> tuple[str | None, str]:
        """What a column is by its first cells, and why; None: a column that says nothing about other rows."""
        if not self.numeric(place):
            return self._kind_of_texts(place)
        if pc.any(pc.match_substring_regex(self._texts(place), _CODE)).as_py():
            return NOMINAL, "codes with leading zeros"
        return self._kind_of_numbers(place)

    def _texts(self, place: int) -> Any:
        return pa.chunked_array(self._cells[place], TEXT)

    def _kind_of_numbers(self, place: int) -> tuple[str | None, str]:
        values = np.array(self._found[place])
        if len(values) >= _ENOUGH and (np.diff(values) > 0).all() and (values == np.rint(values)).all():
            return None, "it counts up"
        return NUMERIC, ""

    def _kind_of_texts(self, place: int) -> tuple[str | None, str]:
        cells = self._texts(place)
        first = cells.slice(0, _FIRST).to_pylist()
        if order_of(map(str.strip, first)) and (order := order_of(map(str.strip, cells.to_pylist()))) is not None:
            return f"{MOMENT}:{order}", ""
        comma, listed = self._comma, [cell for cell in cells.to_pylist() if cell.strip(BLANKS)]
        if mark_of(listed[:_FIRST], comma) and (mark := mark_of(listed, comma)) is not None:
            values, kinds, _ = numbers(undressed(cells.combine_chunks(), mark), self._missing)
            if (kinds != kernel.OTHER).all():  # none is out of range
                self._found[place] = values.tolist()
                return f"{NUMERIC}:{mark}", f"as in {listed[0].strip()!r}, which is {values[0]:g}"
        return self._kind_of_names(place)

    def _kind_of_names(self, place: int) -> tuple[str | None, str]:
        cells, odd = self._texts(place), self._odd_one(place)
        if len(cells) >= _ENOUGH and pc.count_distinct(cells).as_py() > _NEW * len(cells):
            return None, NEW + ", and " * bool(odd) + odd
        return NOMINAL, odd

    def _odd_one(self, place: int) -> str:
        """The first cell that is no number among many that are; "" in a column of texts."""
        cells = self._texts(place)
        if len(cells) < _FIRST or not _NEW * len(cells) <= len(self._found[place]) < len(cells):
            return ""
        kinds = numbers(cells.combine_chunks(), self._missing)[1]
        word = cells[int(np.flatnonzero(kinds != kernel.NUMBER)[0])].as_py().strip()
        return f"{word!r} {NO_NUMBER}"

    def found(self, place: int) -> list[float]:
        """The numbers among the cells."""
        return self._found[place]
