"""Sums of doubles that have the same bits on every Python: from 3.12 on, `sum` makes up for the rounding of doubles."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def plain_sum(numbers: Iterable[Any]) -> Any:
    """The numbers added from left to right, each sum of doubles rounded, as `sum` did before Python 3.12.

    `math.fsum` is the better choice where all numbers are finite and their sum is: it rounds once.

    >>> plain_sum([0.1] * 10), plain_sum([]), plain_sum([1e308, 1e308])
    (0.9999999999999999, 0, inf)
    """
    total: Any = 0
    for number in numbers:
        total += number
    return total
