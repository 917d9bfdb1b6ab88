"""Tied weights (row G10): several places of a network that hold one weight.

A place is (layer, unit, input): layers, units and inputs are counted from 1, and input 0 is the constant.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

import numpy as np

from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt


class Ties:
    """Groups of places as the kernel wants them: where each group ends, and the places of all in the weights."""

    __slots__ = ("ends", "places")

    def __init__(self, groups: Sequence[Sequence[int]] = ()) -> None:
        self.ends: npt.NDArray[np.int64] = np.array(list(accumulate(map(len, groups))), np.int64)
        self.places: npt.NDArray[np.int64] = np.array([place for group in groups for place in group], np.int64)

    def __bool__(self) -> bool:
        return len(self.ends) > 0

    def unite(self, numbers: npt.NDArray[np.float64]) -> None:
        """Give all places of a group the number of its first."""
        first = 0
        for end in self.ends:
            numbers[self.places[first:end]] = numbers[self.places[first]]
            first = int(end)

    def total(self, gradient: npt.NDArray[np.float64]) -> None:
        """Give all places of a group the sum of their gradients: that of the one weight that they hold."""
        first = 0
        for end in self.ends:
            places = self.places[first:end]
            gradient[places] = gradient[places].sum()
            first = int(end)


def check_ties(value: Any) -> list[list[list[int]]] | None:
    """Groups of (layer, unit, input) as plain lists; BadParameter for anything that can be no tie in any network."""
    if value is None:
        return None
    rule = "ties must be groups of places (layer, unit, input), such as [[(1, 1, 1), (1, 2, 2)]]"
    try:
        groups = [[[int(number) for number in place] for place in group] for group in value]
        whole = all(
            len(place) == 3 and all(int(number) == number and not isinstance(number, bool) for number in place)
            for group in value
            for place in group
        )
    except (TypeError, ValueError, OverflowError):
        raise BadParameter(f"{rule}: {value!r}") from None
    if not whole:
        raise BadParameter(f"{rule}: {value!r}")
    seen: set[tuple[int, ...]] = set()
    for group in groups:
        if len(group) < 2:
            raise BadParameter(f"ties must join at least two weights: {group!r}")
        for place in map(tuple, group):
            if place in seen:
                raise BadParameter(f"ties must name each weight once: {place!r}")
            seen.add(place)
    return groups


def ties_of(groups: list[list[list[int]]] | None, shape: Sequence[int]) -> Ties:
    """The groups within a network of this shape; BadParameter for a weight that it does not have."""
    starts = [0, *accumulate((n + 1) * m for n, m in pairwise(shape))]
    found = []
    for group in groups or ():
        places = []
        for layer, unit, source in group:
            if not (1 <= layer < len(shape) and 1 <= unit <= shape[layer] and 0 <= source <= shape[layer - 1]):
                raise BadParameter(
                    f"ties must name weights of the network {'-'.join(map(str, shape))}, which has no "
                    f"(layer, unit, input): {(layer, unit, source)!r}"
                )
            places.append(starts[layer - 1] + source * shape[layer] + unit - 1)
        found.append(places)
    return Ties(found)
