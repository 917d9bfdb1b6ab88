"""What naive Bayes counts of sparse rows, one cell a name: the common half of words and flags."""

from __future__ import annotations

from array import array
from math import isfinite

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.core.instance import column_names, read_instance
from mistakebound.core.table import Schema
from mistakebound.kernels import naive_bayes as kernel
from mistakebound.learners.bayes._cells import Cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.learners.bayes._cells import Floats

    Codes = npt.NDArray[np.int32]


class SparseRow:
    """One instance: names with their numbers, and names whose number is missing."""

    __slots__ = ("missing", "names", "values")

    def __init__(self, names: list[str], values: list[float], missing: list[str]) -> None:
        self.names, self.values, self.missing = names, values, missing


class Entries:
    """The rows of a SciPy matrix: columns are places in a list of names; values: empty when all are 1."""

    __slots__ = ("columns", "indptr", "rows", "values", "width")

    def __init__(self, X: Any) -> None:
        from mistakebound.core.matrix import as_csr

        csr = as_csr(X)
        self.rows, self.width = csr.shape
        self.indptr = np.ascontiguousarray(csr.indptr, dtype=np.int64)
        columns = csr.indices[: len(csr.data)]
        if len(columns) and not 0 <= columns.min() <= columns.max() < min(self.width, 1 << 31):
            raise BadData(f"a column number is not within the {self.width} columns of X")
        self.columns = np.ascontiguousarray(columns, dtype=np.int32)
        one = csr.data.dtype.kind == "b" or bool((csr.data == 1).all())
        self.values = np.empty(0) if one else np.ascontiguousarray(csr.data, dtype=np.float64)

    def row_of(self, entry: int) -> int:
        return int(np.searchsorted(self.indptr, entry, side="right")) - 1


class SparseCounts:
    """Names in order of appearance; those that are declared come first."""

    form = ""

    def __init__(self, classes: int, declared: Sequence[str] | None = None) -> None:
        self.classes = classes
        self.slots: dict[str, int] = {}
        self.cells = Cells(classes)
        self.totals: Floats = np.zeros(classes)  # by class: words, or examples
        self._numbered = np.empty(0, np.int32)  # slots of "1", "2", ...
        self._logs: Any = None  # of all estimates, until something is learned
        self.enter(declared or ())

    def add_class(self, place: int) -> None:
        self.classes += 1
        self.cells.add_class(place)
        self.totals = np.insert(self.totals, place, 0.0)
        self._logs = None

    def drop_class(self, place: int) -> None:
        self.classes -= 1
        self.cells.drop_class(place)
        self.totals = np.delete(self.totals, place)
        self._logs = None

    # Names.

    def enter(self, names: Sequence[str]) -> None:
        """Names that are there from now on, whether they have come with a number or not."""
        new = [name for name in names if name not in self.slots]
        if new:
            if "" in new:
                raise BadData("an attribute has no name")
            self.slots.update(zip(new, range(len(self.slots), len(self.slots) + len(new)), strict=True))
            if len(self.slots) < self.cells.rows + len(new):
                raise BadData(f"a name stands twice: {next(name for name in new if new.count(name) > 1)!r}")
            self._more_cells(len(new))
            self._logs = None

    def _more_cells(self, count: int) -> None:
        self.cells.add(count)

    def slots_of(self, names: Sequence[str]) -> list[int]:
        """-1 for one that was never seen."""
        return [self.slots.get(name, -1) for name in names]

    def column_slots(self, width: int, names: Sequence[str] | None, enter: bool) -> Codes:
        """The slots of the columns of a matrix; with `enter` all of them have one afterwards."""
        if names is not None:
            given = column_names(width, names)
            if enter:
                self.enter(given)
            return np.array(self.slots_of(given), dtype=np.int32)
        if len(self._numbered) < width or (not enter and width and self._numbered[:width].min() < 0):
            more = [str(number) for number in range(1, width + 1)]
            if enter:
                self.enter(more)
            found = np.array(self.slots_of(more), dtype=np.int32)
            if not enter:
                return found
            self._numbered = found
        return self._numbered[:width]

    def slotted(self, X: Entries, slots: Codes) -> Codes:
        """The slots of all entries."""
        if bool((slots == np.arange(len(slots), dtype=np.int32)).all()):
            return X.columns
        found: Codes = slots[X.columns]
        return found

    # Instances and values.

    def read(self, x: Any, exact: bool) -> SparseRow:
        """A mapping from name to number, a set of names, a row of numbers; BadData for what is no such number."""
        if hasattr(x, "items"):
            pairs = list(x.items())
        elif hasattr(x, "__iter__") and not isinstance(x, str) and not any(isinstance(item, str) for item in x):
            items = list(x)
            if isinstance(x, (set, frozenset)) and items:
                raise BadData(f"a set is of attribute names: {items[0]!r} is not a text")
            pairs = list(zip(column_names(len(items)), items, strict=True))
        else:
            names = read_instance(x).names
            return SparseRow(names, [1.0] * len(names), [])
        row = SparseRow([], [], [])
        for name, value in pairs:
            if type(name) is not str:
                raise BadData(f"an attribute name is a text: {name!r} is not")
            if value is None or value != value:
                row.missing.append(name)
            else:
                row.names.append(name)
                row.values.append(self._number(name, value))
        return row

    def _number(self, name: str, value: Any) -> float:
        if isinstance(value, (str, bytes)):
            raise BadData(f"{name!r} has the text {value!r}, but these attributes are {self.form}: {self.rule}")
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = -1.0
        if not isfinite(number) or not self._good(np.array([number])).all():
            raise BadData(f"{name!r} has the value {value!r}, but these attributes are {self.form}: {self.rule}")
        return number

    rule = ""  # what a number must be, in words

    def _good(self, values: Floats) -> npt.NDArray[np.bool_]:
        raise NotImplementedError

    def check_values(self, X: Entries, names: Sequence[str] | None) -> None:
        good = self._good(X.values)
        if not good.all():
            entry = int(np.flatnonzero(~good)[0])
            name = column_names(X.width, names)[X.columns[entry]]
            raise BadData(
                f"{name!r} has the value {X.values[entry]:g}, but these attributes are {self.form}: {self.rule}",
                row=X.row_of(entry),
            )

    # Kernels.

    def count(self, X: Entries, slots: Codes, labels: Codes, weights: Floats) -> None:
        columns, flat = self.slotted(X, slots), self.cells.flat
        if kernel.count_entries(X.indptr, columns, X.values, X.rows, labels, weights, self.classes, flat):
            raise BadData("X is no CSR matrix: its indptr does not fit its entries")
        self._logs = None

    def add_entries(self, entries: tuple[Any, Any, Any], rows: int, table: Floats, scores: Any) -> None:
        """Scores of each row += its values times the rows of the table; those below 0 say nothing."""
        view = table.reshape(-1) if table.size else array("d")
        if kernel.add_entries(*entries, rows, self.classes, view, scores):
            raise BadData("X is no CSR matrix: its indptr does not fit its entries")

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
