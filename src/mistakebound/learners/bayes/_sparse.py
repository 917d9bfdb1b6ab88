"""What naive Bayes counts of sparse rows, one cell per name: the common half of words and flags."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array

import numpy as np

from mistakebound.core.csr import checked_csr, row_ends
from mistakebound.core.errors import BadData
from mistakebound.core.instance import column_names, read_instance
from mistakebound.core.names import attribute_order
from mistakebound.core.schema import Schema
from mistakebound.kernels import naive_bayes as kernel
from mistakebound.kernels import naive_bayes_rows as row_kernel
from mistakebound.learners.bayes._cells import Cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Self

    import numpy.typing as npt

    from mistakebound.learners.bayes._cells import Floats

    Codes = npt.NDArray[np.int32]


ALL_ONE, SOME_ZERO, COUNTS, BAD = range(4)  # as the kernel's `look` says
_ENTRIES = 1 << 16  # that stay near at hand
_ALL = np.empty(0)
_CHANGED = "the entries of X were changed by another thread while it was read"
_QUICK = 256  # names of an instance that is read without detours
_TEXT, _PLAIN = {str}, {int, float, bool}


class SparseRow:
    """One instance: names with their numbers, and names whose number is missing."""

    __slots__ = ("missing", "names", "values")

    def __init__(self, names: list[str], values: list[float], missing: list[str]) -> None:
        self.names, self.values, self.missing = names, values, missing


class Entries:
    """The rows of a SciPy matrix, or of an array of numbers: columns are places in a list of names."""

    __slots__ = ("columns", "data", "indptr", "rows", "width")

    def __init__(self, X: Any) -> None:
        csr = checked_csr(X)
        self.rows, self.width = csr.shape
        if self.width >= 1 << 31:
            raise BadData(f"X must have fewer than {1 << 31} columns: {self.width}")
        self.indptr, self.columns, self.data = row_ends(csr), csr.indices, csr.data
        if len(self.columns) != len(self.data):
            raise BadData("X is not a CSR matrix: its indptr does not fit its entries")

    def kind(self, worst: int) -> int:
        """As the kernel's `look`; of whole numbers just that they are no worse than `worst`, where they are not."""
        if self.data.dtype == np.float64:
            return kernel.look(np.ascontiguousarray(self.data)) if len(self.data) else ALL_ONE
        if not len(self.data) or self.data.dtype.kind == "b":
            return SOME_ZERO
        least = self.data.min()
        if worst == COUNTS and self.data.dtype.kind in "iu":
            return COUNTS if least >= 0 else BAD
        most = self.data.max()
        if not 0 <= least <= most < np.inf:
            return BAD
        if self.data.dtype.kind == "f":
            return kernel.look(self.data.astype(np.float64))
        return COUNTS if most > 1 else ALL_ONE if least == 1 else SOME_ZERO

    def parts(self, kind: int) -> Iterator[tuple[int, int, tuple[Any, Any, Any]]]:
        """(first row, row behind the last, (indptr, columns, values)) of some entries at a time, near at hand.

        Columns are a copy, which the kernels check: another thread may change those of X meanwhile.
        """
        first = 0
        while first < self.rows:
            last = int(np.searchsorted(self.indptr, self.indptr[first] + _ENTRIES, side="right")) - 1
            last = min(max(last, first + 1), self.rows)
            start, stop = int(self.indptr[first]), int(self.indptr[last])
            columns = np.array(self.columns[start:stop], dtype=np.int32)
            values = _ALL if kind == ALL_ONE else np.ascontiguousarray(self.data[start:stop], dtype=np.float64)
            yield first, last, (self.indptr[first : last + 1] - start, columns, values)
            first = last


class SparseCounts(ABC):
    """Names in order of appearance; those that are declared come first."""

    form = ""

    def __init__(self, classes: int, declared: Sequence[str] | None = None) -> None:
        self.classes = classes
        self._slots: dict[str, int] = {}
        self._implied = 0  # so many names "1", "2", ... are all there are, and not yet written down
        self.cells = Cells(classes)
        self.totals: Floats = np.zeros(classes)  # by class: words, or examples
        self._numbered = np.empty(0, np.int32)  # slots of "1", "2", ...
        self._logs: Any = None  # of all estimates, until something is learned
        self._room = array("i", bytes(4 * _QUICK)), array("d", bytes(8 * _QUICK))
        self.enter(declared or ())

    def add_class(self, place: int) -> None:
        self.classes += 1
        self.cells.add_class(place)
        self.totals = np.insert(self.totals, place, 0.0)
        self._logs = None

    # Whole or not at all (core/atomic.py): names that came with examples that were not learned are forgotten.

    def detached(self) -> Self:
        """The same counts, which can be changed without these; names are common to both."""
        self.slots  # noqa: B018 - written down, if they were not
        twin = object.__new__(type(self))
        twin.__dict__ |= self.__dict__
        twin.cells, twin.totals = self.cells.detached(), self.totals.copy()
        return twin

    def mark(self) -> int:
        """How many names there are."""
        return self.cells.rows

    def forget(self, mark: int) -> None:
        """What was entered since then; may be called again."""
        self._logs = None
        while len(self._slots) > mark:
            self._slots.popitem()
        self._implied = min(self._implied, mark)
        self.cells.rows = mark
        self._numbered = self._numbered[:0]

    # Names.

    @property
    def slots(self) -> dict[str, int]:
        """Name to cell."""
        if self._implied:
            self._slots = dict(zip(map(str, range(1, self._implied + 1)), range(self._implied), strict=True))
            self._implied = 0
        return self._slots

    def enter(self, names: Sequence[str]) -> None:
        """Names that are there from now on, whether they have come with a number or not."""
        new = [name for name in names if name not in self.slots]
        if new:
            if "" in new:
                raise BadData("an attribute has no name")
            if len({*new}) < len(new):
                raise BadData(f"a name appears twice: {next(name for name in new if new.count(name) > 1)!r}")
            self._logs = None
            self._more_cells(len(new))
            self.slots.update(zip(new, range(len(self.slots), len(self.slots) + len(new)), strict=True))

    def _more_cells(self, count: int) -> None:
        self.cells.add(count)

    def entered(self, names: list[str]) -> array[int]:
        """The slots of names that all have one afterwards."""
        found = [*map(self.slots.get, names)]
        if None in found:
            self.enter(names)
            found = [*map(self.slots.get, names)]
        return array("i", found)  # type: ignore[arg-type]

    def slots_of(self, names: Sequence[str]) -> list[int]:
        """-1 for one that was never seen."""
        return [self.slots.get(name, -1) for name in names]

    def column_slots(self, width: int, names: Sequence[str] | None, enter: bool) -> Codes | None:
        """The slots of the columns of a matrix, None if they are 0, 1, 2, ...; with `enter` all have one afterwards."""
        if names is not None:
            given = column_names(width, names)
            if enter:
                self.enter(given)
            return _unless_same(np.array(self.slots_of(given), dtype=np.int32))
        if not self.cells.rows and enter:
            self._implied = width
            self._more_cells(width)
            self._numbered = np.arange(width, dtype=np.int32)
            self._logs = None
        elif len(self._numbered) < width:
            numbers = [*map(str, range(1, width + 1))]
            if enter:
                self.enter(numbers)
            found = np.array(self.slots_of(numbers), dtype=np.int32)
            if not enter:
                return _unless_same(found)
            self._numbered = found
        return _unless_same(self._numbered[:width])

    def _place(self, columns: Codes, slots: Codes | None) -> Codes:
        if slots is None:
            return columns
        try:
            placed: Codes = slots[columns]
        except IndexError:
            raise BadData(_CHANGED) from None
        return placed

    # Instances and values.

    def read(self, x: Any, exact: bool) -> SparseRow:
        """A mapping from name to number, a set of names, a row of numbers; BadData for what is no such number."""
        if hasattr(x, "items"):
            names, values = list(x), list(x.values())
        elif hasattr(x, "__iter__") and not isinstance(x, str) and not any(isinstance(item, str) for item in x):
            values = list(x)
            names = column_names(len(values))
            if isinstance(x, (set, frozenset)) and values:
                raise BadData(f"a set must hold attribute names: {values[0]!r} is not a text")
        else:
            names = sorted(read_instance(x).names, key=attribute_order)  # a set has no order of its own
            return SparseRow(names, [1.0] * len(names), [])
        # What is usual is told without a loop of our own: texts, and numbers of a plain type that are all good.
        if {*map(type, names)} <= _TEXT and {*map(type, values)} <= _PLAIN and self.all_good(values):
            return SparseRow(names, values, [])
        row = SparseRow([], [], [])
        for name, value in zip(names, values, strict=True):
            if not isinstance(name, str):
                raise BadData(f"an attribute name must be a text: {name!r} is not")
            if value is None or value != value:
                row.missing.append(name)
            else:
                row.names.append(name)
                row.values.append(self._number(name, value))
        return row

    def quick(self, x: Any, skip: bool) -> tuple[array[int], array[float]] | None:
        """The slots, in order, and numbers of a mapping with nothing unusual about it; None for any other instance."""
        if type(x) is not dict or len(x) > _QUICK:
            return None
        slots, values = self._room
        count = row_kernel.gather_words(x, self.slots, self.most, skip, slots, values)
        if count < 0 or not self.ordinary(values[:count]):
            return None
        return slots[:count], values[:count]

    def ordinary(self, numbers: array[float]) -> bool:
        """Whether numbers between 0 and `most` are all that they may be."""
        return True

    def learn_quick(self, x: Any, label: int, done: array[int]) -> bool:
        """As `read` and `learn_one`, for a mapping with nothing unusual about it; false for any other."""
        found = self.quick(x, False)
        if found is None:
            return False
        self._learn(*found, label, 1.0, done)
        return True

    @abstractmethod
    def _learn(self, slots: array[int], values: array[float], label: int, weight: float, done: array[int]) -> None:
        """Count one example whose names all have slots."""

    def _number(self, name: str, value: Any) -> float:
        if isinstance(value, (str, bytes)):
            raise BadData(f"{name!r} has the text {value!r}, but these attributes are {self.form}: {self.rule}")
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = -1.0
        if not self.good(number):
            raise BadData(f"{name!r} has the value {value!r}, but these attributes are {self.form}: {self.rule}")
        return number

    rule = ""  # what a number must be, in words
    most = 0.0  # the largest that it may be
    worst = 0  # the same as the kernel's `look` says it

    @abstractmethod
    def good(self, number: float) -> bool:
        """Whether a number is one of these."""

    @abstractmethod
    def all_good(self, numbers: list[float]) -> bool:
        """The same of several plain ones, in haste: may say no."""

    def checked(self, X: Any, names: Sequence[str] | None) -> tuple[Entries, int]:
        """The entries of X and what they are like; BadData for a number that cannot be."""
        entries = Entries(X)
        kind = entries.kind(self.worst)
        if kind > self.worst:
            entry = next((entry for entry, value in enumerate(entries.data.tolist()) if not self.good(value)), -1)
            if entry < 0:
                raise BadData(_CHANGED)
            name = column_names(entries.width, names)[entries.columns[entry]]
            raise BadData(
                f"{name!r} has the value {entries.data[entry]:g}, but these attributes are {self.form}: {self.rule}",
                row=int(np.searchsorted(entries.indptr, entry, side="right")) - 1,
            )
        return entries, kind

    # Kernels.

    def count(self, X: Any, names: Sequence[str] | None, labels: Codes, weights: Floats) -> None:
        """Nothing is counted of a matrix with a number that cannot be; all its columns are entered."""
        entries, kind = self.checked(X, names)
        slots = self.column_slots(entries.width, names, enter=True)
        width, flat = self.cells.rows, self.cells.flat
        for first, last, (indptr, columns, values) in entries.parts(kind):
            part = weights[first:last] if len(weights) else weights
            told = kernel.LabelledRows(labels[first:last], part, self.classes)
            if kernel.count_entries(indptr, self._place(columns, slots), values, width, told, flat):
                raise BadData(_CHANGED)
        self._logs = None

    def scorer(self, X: Any, names: Sequence[str] | None) -> Callable[[Floats, Floats], None]:
        """A function (table, scores): scores of each row += its values times the rows of the table for its names."""
        entries, kind = self.checked(X, names)
        slots = self.column_slots(entries.width, names, enter=False)

        def add(table: Floats, scores: Floats) -> None:
            for first, last, (indptr, columns, values) in entries.parts(kind):
                part = scores[first:last].reshape(-1)
                self.add_entries((indptr, self._place(columns, slots), values), last - first, table, part)

        return add

    def add_entries(self, entries: tuple[Any, Any, Any], rows: int, table: Floats, scores: Any) -> None:
        """Scores of each row += its values times the rows of the table; those below 0 say nothing."""
        view = table.reshape(-1) if table.size else array("d")
        if kernel.add_entries(*entries, rows, self.classes, view, scores):
            raise BadData(_CHANGED)

    # Together, and in model files.

    def merge(self, other: Any) -> None:
        """Add the counts of another with the same classes."""
        self.enter(list(other.slots))
        self._merge_cells(self.slots_of(list(other.slots)), other)
        self.totals += other.totals
        self._logs = None

    def _merge_cells(self, slots: list[int], other: Any) -> None:
        self.cells.counts[slots] += other.cells.counts

    def arrays(self) -> dict[str, Any]:
        return {"values": self.cells.saved(), "totals": self.totals}

    @property
    def schema(self) -> Schema:
        return Schema([(name, "numeric", ()) for name in self.slots])

    @classmethod
    def restore(cls, arrays: Any, schema: Schema, classes: int, declared: Any) -> SparseCounts:
        counts = cls(classes)
        counts.enter(schema.names)
        counts._restore_cells(arrays)
        return counts

    def _restore_cells(self, arrays: Any) -> None:
        self.cells = Cells.restore(arrays["values"], len(self.slots), self.classes)
        self.totals = Cells.restore(arrays["totals"], 1, self.classes).counts[0].copy()


def _unless_same(slots: Codes) -> Codes | None:
    """None for 0, 1, 2, ..., which need not be looked up."""
    return None if bool((slots == np.arange(len(slots), dtype=np.int32)).all()) else slots
