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
    code = numbers.format
    target = zeros(code, capacity)
    word, move = _AS_WORDS[code]
    source, out = numbers, target
    if word is not None:
        source, out = numbers.cast("B").cast(word), target.cast("B").cast(word)
    if count and not move(source, slots, out, new_slots, count):
        raise ValueError("there is not one number a slot")
    return target


def taken(numbers: Any, slots: Ints) -> memoryview[Any]:
    """What an array by slot has for some slots, in their order."""
    return moved(numbers, slots, IN_ORDER, len(slots), len(slots))
