"""What decides how a tree is grown, as the kernel wants it: its options, the measures of tests, and room for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.core.optional import scipy_module

if TYPE_CHECKING:
    from numpy.typing import NDArray

NARROW = 255  # values, and one code more for "missing"
_PAUSE = 20_000_000  # rows counted until the kernel comes back, so that Ctrl-C is heard
_TABLE = 1 << 16  # entries of x log2 x
_COST_MEASURES = {None: 0, "tan_schlimmer": 1, "nunez": 2}


@dataclass(frozen=True)
class GrowOptions:
    """What decides about a tree."""

    ratio: bool = False
    guard: bool = True
    cost: str | None = None
    costs: tuple[float, ...] = ()  # one a column
    omega: float = 1.0
    missing: str = "common"
    binary: bool = False
    level: float | None = None  # of the chi-squared test; None: no test
    min_leaf: int = 2
    max_depth: int | None = None
    random_state: int | None = None

    @property
    def mode(self) -> int:
        """Of the kernel, for missing values."""
        if self.missing == "fractions":
            return 3 if self.ratio else 2
        return 1 if self.missing == "common_in_class" else 0

    @property
    def nominal_kind(self) -> int:
        """Of the kernel, for the tests of nominal columns."""
        return 1 if self.binary else 0


def kernel_options(how: GrowOptions, classes: int, narrow: int, wide: int, *, counted: bool = False) -> Any:
    """The kernel's options; `counted`: one node at a time, from counts instead of rows."""
    depth = -1 if how.max_depth is None else how.max_depth
    criterion = (how.ratio, how.guard, _COST_MEASURES[how.cost])
    return np.array(
        [classes, narrow, wide, *criterion, how.mode, depth, 0 if counted else _PAUSE, counted], dtype=np.int64
    )


def has_very_many(values: int, weight: float) -> bool:
    """Whether a nominal column has too many values for the average gain."""
    return values >= 0.3 * weight


def measuring(
    how: GrowOptions, classes: int, bins: NDArray[np.int64], kinds: list[int], rows: int, whole: int
) -> dict[str, NDArray[Any]]:
    """How tests are measured, x log2 x of counts up to `whole`, and room to do it."""
    widest = max((int(bins[j]) for j, kind in enumerate(kinds) if kind == 0 and bins[j] > 2), default=2)
    costs = np.array(how.costs or (1.0,) * len(bins))
    counts = np.arange(min(whole, _TABLE) + 1 if whole else 0, dtype=np.float64)
    return {
        "divisor": (costs + 1.0) ** how.omega if how.cost == "nunez" else costs,
        "table": counts * np.log2(np.maximum(counts, 1.0)),
        "critical": _critical(how.level, int(min(bins.max(), rows)), classes),
        "miss": np.zeros(classes),
        "work": np.zeros(2 * classes + 2),
        "found": np.zeros(3 * len(bins)),
        "out": np.zeros(5),
        "fill": np.zeros(classes, dtype=np.int32),
        "slots": np.zeros(3 * len(bins), dtype=np.int32),
        "part": np.zeros(widest),
        "begin": np.zeros(widest, dtype=np.int64),
        "sizes": np.zeros(widest, dtype=np.int64),
    }


def groups_space(rows: int, classes: int, bins: NDArray[np.int64], kinds: list[int]) -> dict[str, NDArray[Any]]:
    """Room for the values that occur at a node, and for rows in the order of a column with many values."""
    groups = int(min(bins.max(), rows)) + 1
    sets = max((min(int(bins[j]), rows) for j, kind in enumerate(kinds) if kind == 1), default=0)
    keys = rows if bins.max() > NARROW else 0
    return {
        "gv": np.zeros(groups, dtype=np.int32),
        "gc": np.zeros(groups * classes),
        "side": np.zeros(sets, dtype=np.uint8),
        "keys": np.zeros(keys, dtype=np.uint64),
        "spare": np.zeros(keys, dtype=np.uint64),
    }


def _critical(level: float | None, values: int, classes: int) -> NDArray[np.float64]:
    """The smallest chi-squared whose tail is at most `level`, by degrees of freedom; empty without a test."""
    if level is None:
        return np.zeros(0)
    special = scipy_module("special", "the chi-squared test of decision trees")
    freedom = np.arange((max(values, 2) - 1) * max(classes - 1, 1) + 1, dtype=np.float64)
    critical = np.full(len(freedom), np.inf)
    if level > 0:
        critical[1:] = special.chdtri(freedom[1:], level)
    return critical
