"""What is known of the flags before a hunt: which are likely to be culprits, and what a run costs with each of them on.

A flag that is three times as likely as another counts as three flags in the prior of `theory/group_testing.py`: for one
culprit that is exact, for several it is near.  Flags that are likely and cheap are tried first; of the sets that could
be next the one is run whose answer tells most for its cost.
"""

from __future__ import annotations

from math import inf
from numbers import Real

from mistakebound.core.errors import BadParameter, shown
from mistakebound.hunting.state import numbers_of
from mistakebound.theory.noisy_search import entropy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

_MOST_UNITS = 50  # for each flag, on the average
_CANDIDATES = 64  # sets that are compared by their cost


class Preferences:
    """
    >>> known = Preferences(["a", "b", "c"], prior={"c": 4.0}, run_costs={"a": 9.0})
    >>> known.order, known.units, known.price(0b101)
    ([2, 1, 0], [1, 1, 4], 10.0)
    """

    def __init__(
        self, flags: Sequence[str], prior: Mapping[str, float] | None, run_costs: Mapping[str, float] | None
    ) -> None:
        self.shares = _numbers("prior", prior or {}, flags, 1.0)
        self._costs = _numbers("run_costs", run_costs or {}, flags, 0.0)
        self.has_costs = any(self._costs)
        scale = min(1 / min(self.shares), _MOST_UNITS * len(flags) / sum(self.shares))
        self.units = [max(1, round(share * scale)) for share in self.shares]
        self.total = sum(self.units)
        self.order = sorted(range(len(flags)), key=lambda flag: (-self.shares[flag] / (1 + self._costs[flag]), flag))

    def price(self, on: int) -> float:
        """Of a run with these flags on; 1 with none."""
        return 1.0 + sum(self._costs[flag] for flag in numbers_of(on)) if self.has_costs else 1.0

    def count(self, flags: Sequence[int]) -> int:
        """What these flags count in the prior."""
        return sum(self.units[flag] for flag in flags)

    def best(
        self, flags: Sequence[int], most: int, target: int, chance: Callable[[int], float], on: Callable[[int], int]
    ) -> int:
        """How many of these flags to test, at most `most`: they count about `target`, or tell most for their price.

        `chance(size)` is the probability that so many hold a culprit, `on(size)` the set that would be run.
        """
        if self.has_costs:
            step = max(1, most // _CANDIDATES)
            return max(range(1, most + 1, step), key=lambda size: entropy(chance(size)) / self.price(on(size)))
        size, units = 1, self.units[flags[0]]
        while size < most and abs(units + self.units[flags[size]] - target) < abs(units - target):
            units += self.units[flags[size]]
            size += 1
        return size


def _numbers(name: str, given: Mapping[str, float], flags: Sequence[str], plain: float) -> list[float]:
    known = set(flags)
    for flag, value in given.items():
        if flag not in known:
            raise BadParameter(f"{name} names an unknown flag: {shown(flag)}")
        number: Any = value
        if not isinstance(number, Real) or not (0 if plain == 0 else 5e-324) <= float(number) < inf:
            raise BadParameter(
                f"{name} of {shown(flag)} must be a number {'>= 0' if plain == 0 else '> 0'}: {shown(value)}"
            )
    return [float(given.get(flag, plain)) for flag in flags]
