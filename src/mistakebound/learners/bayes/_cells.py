"""What naive Bayes counts in, and the estimates from its counts: cells, classes, P(class), and the labels of rows."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from math import inf, isfinite, log

import numpy as np

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.fields import plain_value
from mistakebound.core.plain_sum import plain_sum
from mistakebound.core.table import Table, label_codes
from mistakebound.kernels import naive_bayes_rows as row_kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

_FEW = 16
LAPLACE, OBSERVED, UNIFORM = "laplace", "observed", "uniform"
_SLACK = 1e-9
_FEW_CLASSES = 4096  # classes of whole numbers that are counted instead of sorted


class Cells:
    """`rows` counts a class, with room for more; `flat` is what the kernels take."""

    __slots__ = ("_room", "rows")

    def __init__(self, classes: int) -> None:
        self.rows = 0
        self._room: Floats = np.zeros((_FEW, classes))

    @property
    def counts(self) -> Floats:
        """One row per cell, one column per class: a view, to be read and added to."""
        return self._room[: self.rows]

    @property
    def flat(self) -> Floats:
        return self._room.reshape(-1)

    def add(self, count: int = 1) -> int:
        """So many more cells, of zeros; the number of the first."""
        first, rows = self.rows, self.rows + count
        if rows > len(self._room):
            grown = np.zeros((max(rows, 2 * len(self._room)), self._room.shape[1]))
            grown[:first] = self._room[:first]
            self._room = grown
        self.rows = rows
        return first

    def add_class(self, place: int) -> None:
        """One more class, before the one that is now at `place`."""
        self._room = np.ascontiguousarray(np.insert(self._room, place, 0.0, axis=1))

    def detached(self) -> Cells:
        """The same counts, which can be changed without these."""
        twin = object.__new__(Cells)
        twin.rows, twin._room = self.rows, self._room.copy()
        return twin

    def saved(self) -> Any:
        """The counts as an array of a model file."""
        flat = np.ascontiguousarray(self.counts).reshape(-1)
        return flat if flat.size else array("d")

    @classmethod
    def restore(cls, values: Any, rows: int, classes: int) -> Cells:
        """From the numbers of a model file; ValueError when they are not so many, or not counts."""
        counts = np.array(values, dtype=np.float64)
        if counts.size != rows * classes or not (np.isfinite(counts) & (counts >= 0)).all():
            raise ValueError("counts must be numbers >= 0, one per cell and class")
        cells = cls(classes)
        cells.add(rows)
        cells.counts[:] = counts.reshape(rows, classes)
        return cells


class Smoothing:
    """The m-estimate (Mitchell, section 6.9.1.1): (n_c + m p)/(n + m), m examples that are imagined beside those seen.

    m and p as the kernels take them: below 0 what depends on the number of values, m = values and p = 1/values.
    """

    __slots__ = ("m", "p")

    def __init__(self, m: Any, p: Any) -> None:
        self.m: float = -1.0 if m == LAPLACE else m
        self.p: float = -1.0 if p == UNIFORM else p

    @property
    def none(self) -> bool:
        """Whether an estimate can be 0."""
        return self.m == 0.0

    def of_absence(self) -> Smoothing:
        """The same for an attribute that is 0 or 1: the prior of the 0."""
        other = Smoothing(0.0, 0.0)
        other.m, other.p = self.m, self.p if self.p < 0 else 1.0 - self.p
        return other

    def plain(self, counts: Floats, totals: Floats, sizes: Floats) -> Floats:
        """The estimates themselves, one row per value, which is one of so many."""
        sizes = sizes[:, None]
        m = sizes if self.m < 0 else self.m
        p = 1 / sizes if self.p < 0 else self.p
        among = totals + m
        found: Floats = np.where(among > 0, (counts + m * p) / np.where(among > 0, among, 1.0), p)
        return found

    def estimate(self, counts: Any, totals: Any, classes: int, size: int, out: Any) -> None:
        """out = the logs of the estimates of the counts; totals: one a class, or one for each of the counts."""
        if row_kernel.estimate(counts, totals, classes, self.m, self.p, size, out) != row_kernel.OK:
            raise AssertionError("buffers do not fit together")


def check_class_prior(given: Any) -> dict[Any, float] | None:
    """Class to probability, if they are given so; BadParameter unless these are probabilities that sum to 1.

    >>> check_class_prior({"spam": 0.2, "ham": 0.9})
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: class_prior must sum to 1: 1.1
    """
    if isinstance(given, str) and given in (OBSERVED, UNIFORM):
        return None
    if not isinstance(given, Mapping):
        words = f"{OBSERVED!r}, {UNIFORM!r} or a mapping from labels to probabilities"
        raise BadParameter(f"class_prior must be {words}: {given!r}")
    prior: dict[Any, float] = {}
    for label, share in given.items():
        if isinstance(share, (bool, str)) or not isinstance(label, (str, bool, int, float)) or label != label:
            raise BadParameter(f"class_prior must map labels to probabilities: {label!r} to {share!r}")
        try:
            prior[label] = float(share)
        except (TypeError, ValueError):
            raise BadParameter(f"class_prior must map labels to probabilities: {label!r} to {share!r}") from None
        if not isfinite(prior[label]) or prior[label] < 0:
            raise BadParameter(f"class_prior must have a probability >= 0 for {label!r}: {share!r}")
    total = plain_sum(prior.values())
    if abs(total - 1) > _SLACK:
        raise BadParameter(f"class_prior must sum to 1: {total:.6g}")
    return prior


def label_key(label: Any) -> tuple[bool, Any]:
    """The order of classes: numbers by value, then texts."""
    return isinstance(label, str), label


class Classes:
    """Numbers by value, then texts; new ones take their place among the others, unless `prior` has given them all."""

    def __init__(self, how: str, prior: dict[Any, float] | None) -> None:
        self._how = how
        self._prior = prior
        self._name(tuple(sorted(prior or (), key=label_key)))
        self.counts: Floats = np.zeros(len(self.labels))

    def _name(self, labels: tuple[Any, ...]) -> None:
        self.labels = labels
        self.codes = {label: code for code, label in enumerate(labels)}

    def code(self, label: Any) -> int | None:
        """The number of a class, None for a new one; BadData for what can be no label."""
        try:
            code = self.codes.get(label)
        except TypeError:
            raise BadData(f"a label must be a single value: {type(label).__name__}") from None
        if code is None:
            plain = plain_value(label)
            if not isinstance(plain, (str, bool, int, float)) or (isinstance(plain, float) and not isfinite(plain)):
                raise BadData(f"a label must be a text, a number or a truth value: {plain!r}")
            if self._prior is not None:
                known = ", ".join(map(repr, self.labels))
                raise BadData(f"label {plain!r} has no probability in class_prior, which has {known}")
        return code

    def add(self, label: Any) -> int:
        """Enter a class that `code` has found to be new; its number."""
        plain = plain_value(label)
        place = sum(label_key(known) < label_key(plain) for known in self.labels)
        self.counts = np.insert(self.counts, place, 0.0)
        self._name((*self.labels[:place], plain, *self.labels[place:]))
        return place

    def detached(self) -> Classes:
        """The same classes, which can be changed without these."""
        twin = object.__new__(Classes)
        twin.__dict__ |= self.__dict__
        twin.counts = self.counts.copy()
        return twin

    def log_priors(self) -> list[float]:
        """The log of P(class), by class."""
        if not self.labels:
            return []
        if self._prior is not None:
            priors = [self._prior[label] for label in self.labels]
        elif self._how == UNIFORM:
            priors = [1 / len(self.labels)] * len(self.labels)
        else:
            counts = self.counts.tolist()
            total = plain_sum(counts)
            priors = [count / total for count in counts]
        return [log(prior) if prior > 0 else -inf for prior in priors]

    def restore(self, labels: Sequence[Any], counts: Any) -> None:
        """From a model file; ValueError when they are not in order, or not those of the prior."""
        if list(labels) != sorted(labels, key=label_key) or (self._prior is not None and {*self._prior} != {*labels}):
            raise ValueError("the classes are not in order, or not those of class_prior")
        self._name(tuple(labels))
        self.counts = Cells.restore(counts, 1, len(self.labels)).counts[0].copy()
        if self.labels and not 0 < sum(self.counts.tolist()) < inf:
            raise ValueError("the classes have no examples, or too many to be added up")


def classes_of(y: Any, rows: int, table: Table | None) -> tuple[tuple[Any, ...], npt.NDArray[np.int32]]:
    """(classes in order, the number of each row's).  As `label_codes`, and quickly for an array of whole numbers.

    >>> classes_of(np.array([7, 3, 7]), 3, None)
    ((3, 7), array([1, 0, 1], dtype=int32))
    """
    if isinstance(y, np.ndarray):
        if y.ndim != 1:
            raise BadData(f"y must have one label per row: an array of 1 dimension, not {y.ndim}")
        if y.dtype.kind in "biu" and len(y) == rows and rows:
            found = _counted(y)
            if found is not None:
                return found
    return label_codes(y, table=table or Table((), rows=rows))


def _counted(y: Any) -> tuple[tuple[Any, ...], npt.NDArray[np.int32]] | None:
    numbers = y.view(np.uint8) if y.dtype.kind == "b" else y
    least, most = int(numbers.min()), int(numbers.max())
    if most - least >= _FEW_CLASSES:
        return None
    codes = (numbers - least).astype(np.int32) if least else numbers.astype(np.int32)
    used = np.flatnonzero(np.bincount(codes))
    if len(used) < most - least + 1:
        moved = np.zeros(most - least + 1, np.int32)
        moved[used] = np.arange(len(used))
        codes = moved[codes]
    kind = bool if y.dtype.kind == "b" else int
    return tuple(kind(least + code) for code in used.tolist()), codes
