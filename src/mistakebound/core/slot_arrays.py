"""Arrays with one number for each slot of an attribute table."""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import zeros
from mistakebound.kernels import slots as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.kernels._buffers import Ints

_AS_WORDS: dict[str, tuple[Any, Any]] = {
    "B": (None, kernel.move1), "H": (None, kernel.move2), "I": (None, kernel.move4), "Q": (None, kernel.move8),
    "d": ("Q", kernel.move8),
}  # fmt: skip
IN_ORDER = array("I")  # instead of a list of slots: 0, 1, 2, ...


def moved(numbers: Any, slots: Ints, new_slots: Ints, count: int, capacity: int) -> memoryview[Any]:
    """A new array of `capacity` zeros with the first `count` numbers, from their slots to their new ones.

    >>> moved(array("d", [5.0, 6.0]), array("I", [1, 0]), array("I", [3, 2]), 2, 4).tolist()
    [0.0, 0.0, 5.0, 6.0]
    """
    numbers = memoryview(numbers)
    target = zeros(numbers.format, capacity)
    _move(numbers, slots, target, new_slots, count, len(numbers))
    return target


def relaid(numbers: Any, order: Ints, count: int, dense: int, new_slots: Ints | None, capacity: int) -> memoryview[Any]:
    """An array by slot in a new layout: slots below `dense` stay, dense + e goes to new_slots[e] (None: stays too).

    Of the slots below `dense` only the first `count` in `order` are looked at: they may be far apart.
    """
    numbers = memoryview(numbers)
    target = zeros(numbers.format, capacity)
    _move(numbers, order, target, order, count, dense)
    extras = numbers[dense:]
    if new_slots is None:
        target[dense : dense + len(extras)] = extras
    else:
        _move(extras, IN_ORDER, target, new_slots, len(extras), len(extras))
    return target


def _move(source: Any, slots: Ints, target: Any, new_slots: Ints, count: int, below: int) -> None:
    word, move = _AS_WORDS[source.format]
    if word is not None and count:
        source, target = source.cast("B").cast(word), target.cast("B").cast(word)
    if count and not move(source, slots, target, new_slots, count, below):
        raise ValueError("there is not one number a slot")


def taken(numbers: Any, slots: Ints) -> memoryview[Any]:
    """What an array by slot has for some slots, in their order."""
    return moved(numbers, slots, IN_ORDER, len(slots), len(slots))
