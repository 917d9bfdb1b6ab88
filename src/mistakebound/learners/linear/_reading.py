"""Weights as a person reads them: the largest first, a sum in words."""

from __future__ import annotations

from array import array

from mistakebound.core.names import write_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Floats, Ints

_AT_ONCE = 1 << 12  # weights that stay near at hand while they are ranked, in a buffer below the size of a mapping


def largest_weights(
    attributes: AttributeTable, weights_of: Callable[[Ints], Floats], count: int
) -> list[tuple[str, float]]:
    """(name, weight) of the largest by size, largest first; of equal ones the first that appeared.

    weights_of(slots) are the weights of some slots.
    """
    from mistakebound.kernels import ranking  # for a report: learning starts without it

    slots = attributes.slots()
    best: list[tuple[float, int]] = []  # (-size, rank)
    at_once = max(_AT_ONCE, 16 * count)
    for start in range(0, len(slots), at_once):
        weights = weights_of(slots[start : start + at_once])
        wanted = min(count, len(weights))
        places = array("I", bytes(4 * wanted))
        if wanted > 1000:
            found = sorted(range(len(weights)), key=lambda place: -abs(weights[place]))[:wanted]
        else:
            ranking.largest(weights, len(weights), wanted, places)
            found = places.tolist()
        best = sorted(best + [(-abs(weights[place]), start + place) for place in found])[:count]
    chosen = [slots[rank] for _, rank in best]
    return [(attributes.name(slot), weights_of(array("I", [slot]))[0]) for slot in chosen]


def inequality_in_words(largest: list[tuple[str, float]], terms: int, nonzero: int, bias: float) -> str:
    """What a linear learner predicts 1 by.

    >>> inequality_in_words([("3", 2.0), ("free", 1.0)], 1, nonzero=2, bias=-0.5)
    '2*x3 + 1 smaller terms + -0.5 > 0'
    """
    parts = sum_in_words(largest, terms, nonzero)
    if bias:
        parts.append(f"{bias:g}")
    return f"{' + '.join(parts) or '0'} > 0"


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
