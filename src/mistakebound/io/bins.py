"""Numbers cut into bins: where the cuts are, and what the bins are called."""

from __future__ import annotations

import math
from itertools import pairwise

from mistakebound.core.errors import BadParameter, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MOST_BINS = 1000
# Cuts come from the first cells of a column; so does what kind of column it is.
CELLS = 1000  # of a column, that are not missing
MOST_ROWS = 100_000  # looked at, if a column has so few of them,
MOST_BYTES = 1 << 24  # and rows that start behind so many bytes are not


def cut_points(numbers: Sequence[float], bins: int) -> list[float]:
    """Cuts that part numbers into bins as equal as ties allow: those of `--bins` and of `mb.learn(..., bins=)`.

    Parameters
    ----------
    numbers : sequence of float
        The numbers, in any order.
    bins : int
        How many bins are wanted, >= 2.

    Returns
    -------
    list of float
        At most bins - 1 cuts, ascending; none where there are no numbers.

    Notes
    -----
    Cut j lies at the smallest number that j in `bins` of all are not above; where that is the greatest one nothing is
    left above it, so there is no cut, unless there would be none at all.  Between it and the next number all cuts are
    the same to these numbers: the one with the fewest digits is taken.

    Examples
    --------
    >>> cut_points([1, 2, 3, 4, 5, 6, 7, 8], 4), cut_points([0, 0, 0, 1], 3), cut_points([7, 7], 2)
    ([2.0, 4.0, 6.0], [0.0], [7.0])
    >>> cut_points([0.056443, 0.1197309999999, 0.125706], 3)
    [0.06, 0.12]
    """
    ordered = sorted(float(number) + 0.0 for number in numbers)  # + 0.0: no -0.0
    distinct = sorted(set(ordered))
    after = dict(pairwise([*distinct, math.inf]))
    cuts = {ordered[-(-j * len(ordered) // bins) - 1] for j in range(1, bins)} if ordered else set()
    return [_roundest(cut, after[cut]) for cut in sorted(cuts - set(distinct[-1:])) or distinct[-1:]]


def _roundest(low: float, high: float) -> float:
    """The number with the fewest digits that is at least `low` and below `high`."""
    tries = (float(f"{low:.{digits}g}") for digits in range(1, 18))
    return next(number for number in tries if low <= number < high)


def bin_names(column: str, cuts: Sequence[float]) -> list[str]:
    """One attribute a bin.

    >>> bin_names("age", [18.0, 64.5])
    ['age<=18', 'age in (18,64.5]', 'age>64.5']
    """
    texts = [repr(cut).removesuffix(".0") for cut in cuts]
    inner = [f"{column} in ({low},{high}]" for low, high in pairwise(texts)]
    return [f"{column}<={texts[0]}", *inner, f"{column}>{texts[-1]}"]


def check_all_bins(bins: Any) -> None:
    """BadParameter unless it is a number of bins, or a mapping of columns to such or to their cuts."""
    if not isinstance(bins, dict):
        return check_bins(bins)
    for column, value in bins.items():
        if not isinstance(column, str) or not column:
            raise BadParameter(f"bins must name columns: {shown(column)}")
        check_bins(value, column)
    return None


def check_bins(bins: Any, column: str = "") -> None:
    """BadParameter unless it is a number of bins or a list of cuts."""
    where = f"bins of column {shown(column)}" if column else "bins"
    if isinstance(bins, int) and not isinstance(bins, bool):
        if not 2 <= bins <= MOST_BINS:
            raise BadParameter(f"{where} must be >= 2 and <= {MOST_BINS}: {bins}")
        return
    cuts = bins if column and isinstance(bins, list) else []
    numbers = all(isinstance(cut, (int, float)) and math.isfinite(cut) for cut in cuts)
    if not cuts or not numbers or any(low >= high for low, high in pairwise(cuts)):
        rule = "a number of bins or a list of ascending cuts" if column else "a number, or one for each of some columns"
        raise BadParameter(f"{where} must be {rule}: {shown(bins)}")
