"""Weights as a person reads them: the largest first, a sum in words."""

from __future__ import annotations

from array import array

from mistakebound.core.names import write_name
from mistakebound.kernels import ranking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.attributes import AttributeTable
    from mistakebound.kernels._buffers import Floats


def largest_weights(attributes: AttributeTable, weights: Floats, count: int) -> list[tuple[str, float]]:
    """(name, weight) of the largest by size, largest first; of equal ones the first that appeared."""
    size, slots = len(attributes), attributes.slots()
    wanted = min(count, size)
    if wanted > 1000:
        found = sorted(range(size), key=lambda rank: -abs(weights[rank]))[:wanted]
    else:
        places = array("I", bytes(4 * wanted))
        ranking.largest(weights, size, wanted, places)
        found = places.tolist()
    return [(attributes.name(slots[rank]), weights[rank]) for rank in found]


def sum_in_words(largest: list[tuple[str, float]], terms: int, nonzero: int) -> list[str]:
    """The terms of a sum, at most so many written out, the rest counted.

    >>> sum_in_words([("3", 2.0), ("free", 1.0), ("8", -0.5)], 2, nonzero=9)
    ['2*x3', 'free', '7 smaller terms']
    """
    shown = [(name, weight) for name, weight in largest if weight][:terms]
    parts = [write_name(name) if weight == 1.0 else f"{weight:.7g}*{write_name(name)}" for name, weight in shown]
    if nonzero > len(shown):
        parts.append(f"{nonzero - len(shown):,} smaller terms")
    return parts
