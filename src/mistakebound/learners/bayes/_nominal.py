"""What naive Bayes has counted of nominal attributes: how often each value came with each class."""

from __future__ import annotations

from array import array

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.core.fields import plain_value
from mistakebound.core.schema import Schema, value_text
from mistakebound.kernels import naive_bayes as kernel
from mistakebound.kernels import naive_bayes_rows as row_kernel
from mistakebound.learners.bayes._cells import Cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.table import Column, Table
    from mistakebound.learners.bayes._cells import Floats, Smoothing

    Codes = npt.NDArray[np.int32]

_FEW_CODES = 32  # values of a column of whole numbers that are tried first,
MOST_CODES = 4096  # and the most that it may have to be counted as they are


class NominalCounts:
    """Attributes and values in order of appearance, those that are declared first; their attributes take no others."""

    form = "nominal"

    def __init__(self, classes: int, declared: Mapping[str, Sequence[str]] | None = None) -> None:
        self.classes = classes
        self.names: list[str] = []
        self.places: dict[str, int] = {}
        self.cells: list[dict[str, int]] = []  # by attribute: value to cell
        self.closed: set[int] = set()  # attributes whose values were declared
        self.values = Cells(classes)  # by cell
        self.totals = Cells(classes)  # by attribute: examples that have it
        self._sizes = array("i")
        for name, values in (declared or {}).items():
            place = self._attribute(name)
            for value in values:
                self._cell(place, value)
            self.closed.add(place)

    def add_class(self, place: int) -> None:
        self.classes += 1
        self.values.add_class(place)
        self.totals.add_class(place)

    # Whole or not at all (core/atomic.py): names that came with examples that were not learned are forgotten.

    def detached(self) -> NominalCounts:
        """The same counts, which can be changed without these; names are common to both."""
        twin = object.__new__(NominalCounts)
        twin.__dict__ |= self.__dict__
        twin.values, twin.totals = self.values.detached(), self.totals.detached()
        return twin

    def mark(self) -> tuple[int, int]:
        """How many attributes and values there are."""
        return self.totals.rows, self.values.rows

    def forget(self, mark: tuple[int, int]) -> None:
        """What was entered since then; may be called again."""
        attributes, values = mark
        while len(self.places) > attributes:
            self.places.popitem()
        del self.names[attributes:], self.cells[attributes:], self._sizes[attributes:]
        self.totals.rows = attributes
        for place, cells in enumerate(self.cells):
            while cells and next(reversed(cells.values())) >= values:
                cells.popitem()
            self._sizes[place] = len(cells)
        self.values.rows = values

    # One instance at a time.

    def read(self, x: Any, exact: bool) -> dict[str, str | None]:
        """Name to text, or None for what is missing; BadData for what is no value.  `exact`: numbers are values."""
        if not hasattr(x, "items"):
            raise BadData(
                f"an instance of nominal attributes must be a mapping from name to value, not {type(x).__name__}"
            )
        found: dict[str, str | None] = {}
        for name, value in x.items():
            if type(value) is str and type(name) is str:
                found[name] = value
            else:
                missing = value is None or value != value
                found[_name(name)] = None if missing else _text(name, value, exact)
        return found

    def learn_one(self, x: dict[str, str | None], label: int, weight: float, done: array[int]) -> None:
        """What is missing is an attribute all the same, with no value here.  done[0] is 1 when it is counted."""
        if "" in x:
            raise BadData("an attribute has no name")
        if self.closed:
            for name, value in x.items():
                self._check_declared(name, value)
        row = array("i", [-1]) * len(self.names)
        for name, value in x.items():
            place = self.places.get(name)
            if place is None:
                place = self._attribute(name)
                row.append(-1)
            if value is not None:
                cell = self.cells[place].get(value)
                row[place] = self._cell(place, value) if cell is None else cell
        self._learn(row, label, weight, done)

    def learn_quick(self, x: Any, label: int, done: array[int]) -> bool:
        """As `read` and `learn_one`, for texts that have all come before; false for anything else."""
        row = array("i", [-1]) * len(self.names)
        if type(x) is not dict or row_kernel.gather_cells(x, self.places, self.cells, False, row):
            return False
        self._learn(row, label, 1.0, done)
        return True

    def _learn(self, row: array[int], label: int, weight: float, done: array[int]) -> None:
        counts, totals = _view(self.values.flat), _view(self.totals.flat)
        if row_kernel.count_row(row, label, weight, self.classes, counts, totals, done):
            raise AssertionError("counts do not fit the row")

    def add_scores(self, x: dict[str, str | None], smoothing: Smoothing, scores: Any) -> None:
        """What a row adds to the log of each class; an attribute or a value that was never seen adds nothing."""
        row = array("i", [-1]) * len(self.names)
        places, cells = self.places, self.cells
        for name, value in x.items():
            place = places.get(name)
            if place is not None:
                row[place] = cells[place].get(value, -1)  # type: ignore[arg-type] # None is no value
        self._score(row, smoothing, scores)

    def score_quick(self, x: Any, smoothing: Smoothing, scores: Any) -> bool:
        """As `read` and `add_scores`, for texts only; false for anything else."""
        row = array("i", [-1]) * len(self.names)
        if type(x) is not dict or row_kernel.gather_cells(x, self.places, self.cells, True, row):
            return False
        self._score(row, smoothing, scores)
        return True

    def _score(self, row: array[int], smoothing: Smoothing, scores: Any) -> None:
        counts, totals = _view(self.values.flat), _view(self.totals.flat)
        if row_kernel.score_row(row, self._sizes, self.classes, counts, totals, smoothing.m, smoothing.p, scores):
            raise AssertionError("counts do not fit the row")

    # Tables.

    def learn_table(self, table: Table, labels: Codes, weights: Floats) -> None:
        """Count all rows; nothing is kept of a table with a value that an attribute cannot have."""
        found, told = [], kernel.LabelledRows(labels, weights, self.classes)
        for column in table.columns:
            counts = np.zeros((len(column.values) + 1, self.classes))
            if kernel.count_codes(column.data, 1, -1, len(column.values), told, counts.reshape(-1)) != table.rows:
                raise AssertionError("codes do not fit the column")
            found.append((column.name, column.values, counts[1:]))
            self._check_column(table, column, counts[1:])
        for name, values, counts in found:
            self._enter(name, values, counts)

    def _check_column(self, table: Table, column: Column, counts: Floats) -> None:
        place = self.places.get(column.name)
        if place in self.closed:
            for code, value in enumerate(column.values):
                if value not in self.cells[place] and counts[code].any():
                    row = int(np.flatnonzero(column.data == code)[0])
                    raise table.complain(self._not_declared(column.name, value), row)

    def learn_codes(self, X: Any, names: Sequence[str], labels: Codes, weights: Floats) -> bool:
        """Count an array of whole numbers, each a value; false, and nothing done, if one is below 0 or large."""
        cells, told = _whole(X), kernel.LabelledRows(labels, weights, self.classes)
        top = _FEW_CODES
        while True:
            counts = np.zeros((len(names), top + 1, self.classes))
            done = kernel.count_codes(cells, len(names), 0, top, told, counts.reshape(-1))
            if done == len(X):
                break
            if done < 0:
                raise AssertionError("buffers do not fit together")
            least, top = int(X[done:].min()), int(X[done:].max()) + 1
            if least < 0 or top > MOST_CODES:
                return False
        values = [str(code) for code in range(top)]
        for place, name in enumerate(names):
            for code in np.flatnonzero(counts[place, 1:].any(axis=1)):
                self._check_declared(name, values[code])
        for place, name in enumerate(names):
            self._enter(name, values, counts[place, 1:])
        return True

    def _enter(self, name: str, values: Sequence[str], counts: Floats) -> None:
        """Counts of the values of an attribute by class; values that never came are no values of it."""
        place = self.places.get(name)
        if place is None:
            place = self._attribute(name)
        known = self.cells[place]
        came = np.flatnonzero(counts.any(axis=1)).tolist()
        cells = [known.get(values[code], -1) for code in came]
        cells = [self._cell(place, values[code]) if cell < 0 else cell for code, cell in zip(came, cells, strict=True)]
        self.values.counts[cells] += counts[came]
        self.totals.counts[place] += counts[came].sum(axis=0)

    def table_scorer(self, table: Table, smoothing: Smoothing) -> Callable[[int, int, Floats], None]:
        """A function (first row, row behind the last, scores) that adds as `add_scores` does, for rows of a table."""
        ready = []
        for name in self.names:
            if name in table.names:
                column = table.column(name)
                ready.append((column.data, len(column.values), self._logs(name, column.values, smoothing).reshape(-1)))

        def add(first: int, last: int, scores: Floats) -> None:
            for data, top, logs in ready:
                if kernel.add_codes(data[first:last], 1, last - first, top, self.classes, logs, scores.reshape(-1)):
                    raise AssertionError("codes do not fit the column")

        return add

    def plain_codes(self) -> bool:
        """Whether all values are whole numbers that an array can be looked up by."""
        return all(len(value) < 5 and value.isdecimal() and str(int(value)) == value for c in self.cells for value in c)

    def code_scorer(self, X: Any, names: Sequence[str], smoothing: Smoothing) -> Callable[[int, int, Floats], None]:
        """As `table_scorer`, for an array of whole numbers."""
        cells = _whole(X)
        top = max((int(value) for attribute in self.cells for value in attribute), default=-1) + 1
        values = [str(code) for code in range(top)]
        width = len(names)
        logs = np.concatenate([self._logs(name, values, smoothing).reshape(-1) for name in names])

        def add(first: int, last: int, scores: Floats) -> None:
            part = cells[first * width : last * width]
            if kernel.add_codes(part, width, last - first, top, self.classes, logs, scores.reshape(-1)):
                raise AssertionError("buffers do not fit together")

        return add

    def _logs(self, name: str, values: Sequence[str], smoothing: Smoothing) -> Floats:
        """The log of each value's estimate, by class; first a row of zeros, for what is missing."""
        logs = np.zeros((len(values) + 1, self.classes))
        place = self.places.get(name)
        if place is not None:
            cells = self.cells[place]
            known = [code for code, value in enumerate(values) if value in cells]
            logs[[code + 1 for code in known]] = self.estimates(
                place, smoothing, [cells[values[code]] for code in known]
            )
        return logs

    def estimates(self, place: int, smoothing: Smoothing, cells: list[int]) -> Floats:
        """Logs of the estimates of some values of an attribute, a row each."""
        counts = self.values.counts[cells]
        out = np.empty(counts.shape)
        if counts.size:
            totals = np.ascontiguousarray(self.totals.counts[place])
            smoothing.estimate(counts.reshape(-1), totals, self.classes, self._sizes[place], out.reshape(-1))
        return out

    # What was counted.

    def zeros(self, x: dict[str, str | None]) -> Iterator[tuple[int, str]]:
        """(class, value) for what is in x and never came with the class, though it came with another."""
        for name, value in x.items():
            place = self.places.get(name)
            if place is not None and value is not None and value in self.cells[place]:
                never = self.values.counts[self.cells[place][value]] == 0
                for label in np.flatnonzero(never & (self.totals.counts[place] > 0)).tolist():
                    yield label, spelled(name, value)

    def terms(self, x: dict[str, str | None], smoothing: Smoothing) -> Iterator[tuple[str, Floats]]:
        """(value, the logs that it adds, by class) for what is in x and was seen."""
        for name, value in x.items():
            place = self.places.get(name)
            if place is not None and value is not None and value in self.cells[place]:
                yield spelled(name, value), self.estimates(place, smoothing, [self.cells[place][value]])[0]

    def zero_estimates(self) -> int:
        """Of the values of an attribute that the class has."""
        places = [place for place, cells in enumerate(self.cells) for _ in cells]
        cells = [cell for cells in self.cells for cell in cells.values()]
        return int(((self.values.counts[cells] == 0) & (self.totals.counts[places] > 0)).sum())

    def evidence(self) -> tuple[list[str], Floats, Floats, Floats]:
        """By value: its name, its counts by class, the examples of each class with the attribute, all its values."""
        places = [place for place, cells in enumerate(self.cells) for _ in cells]
        cells = [cell for cells in self.cells for cell in cells.values()]
        names = [spelled(name, value) for name, known in zip(self.names, self.cells, strict=True) for value in known]
        return names, self.values.counts[cells], self.totals.counts[places], np.array(self._sizes, float)[places]

    def merge(self, other: NominalCounts) -> None:
        """Add the counts of another with the same classes; BadData, and nothing done, for values not declared here."""
        for name, cells in zip(other.names, other.cells, strict=True):
            for value, cell in cells.items():
                if other.values.counts[cell].any():
                    self._check_declared(name, value)
        for place, name in enumerate(other.names):
            values = list(other.cells[place])
            self._enter(name, values, other.values.counts[list(other.cells[place].values())])

    def _attribute(self, name: str) -> int:
        if not name:
            raise BadData("an attribute has no name")
        place = len(self.names)
        self.names.append(name)
        self.cells.append({})
        self._sizes.append(0)
        self.totals.add()
        self.places[name] = place
        return place

    def _cell(self, place: int, value: str) -> int:
        cell = self.cells[place][value] = self.values.add()
        self._sizes[place] += 1
        return cell

    def _check_declared(self, name: str, value: str | None) -> None:
        place = self.places.get(name)
        if value is not None and place in self.closed and value not in self.cells[place]:
            raise BadData(self._not_declared(name, value))

    def _not_declared(self, name: str, value: str) -> str:
        return f"{value!r} is not a declared value of {name!r}: {', '.join(map(repr, self.cells[self.places[name]]))}"

    # Model files.

    def arrays(self) -> dict[str, Any]:
        order = [cell for cells in self.cells for cell in cells.values()]
        return {"values": _view(self.values.counts[order].reshape(-1)), "totals": self.totals.saved()}

    @property
    def schema(self) -> Schema:
        return Schema([(name, "nominal", tuple(cells)) for name, cells in zip(self.names, self.cells, strict=True)])

    @classmethod
    def restore(cls, arrays: Mapping[str, Any], schema: Schema, classes: int, declared: Any) -> NominalCounts:
        counts = cls(classes)
        for name, kind, values in schema.columns:
            if kind != "nominal":
                raise ValueError(f"column {name!r} is not nominal")
            place = counts._attribute(name)
            for value in values:
                counts._cell(place, value)
        counts.values = Cells.restore(arrays["values"], counts.values.rows, classes)
        counts.totals = Cells.restore(arrays["totals"], len(counts.names), classes)
        counts.closed = {counts.places[name] for name in declared or ()}
        return counts


def spelled(name: str, value: str) -> str:
    """An attribute with its value; a bin, whose text begins with the name of its column, stands for itself.

    >>> spelled("sky", "sunny"), spelled("age", "age<=18"), spelled("age", "age in (18,64]")
    ('sky=sunny', 'age<=18', 'age in (18,64]')
    """
    rest = value[len(name) :] if value.startswith(name) else ""
    return value if rest.startswith(("<=", ">", " in (")) else f"{name}={value}"


def _view(values: Any) -> Any:
    """What a kernel takes; an empty array has no buffer that it would."""
    return values if values.size else array("d")


def _whole(X: Any) -> Any:
    """An array of whole numbers as one buffer, of 4 or 8 bytes each."""
    kind = np.int32 if X.dtype.itemsize < 4 or X.dtype == np.int32 else np.int64
    return np.ascontiguousarray(X, dtype=kind).reshape(-1)


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise BadData(f"an attribute name must be a text: {name!r} is not")
    return name


def _text(name: Any, value: Any, exact: bool) -> str:
    plain = plain_value(value)
    if isinstance(plain, (str, bool)) or (exact and isinstance(plain, (int, float))):
        return value_text(plain)
    if isinstance(plain, (int, float)):
        raise BadData(
            f"the value of {name!r} is a number, and naive Bayes counts values: cut it into ranges, or say "
            f"attributes='nominal': {plain!r}"
        )
    raise BadData(f"the value of {name!r} is neither a text nor a number: {type(plain).__name__}")
