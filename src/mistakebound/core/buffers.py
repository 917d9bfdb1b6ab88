"""Large buffers that cost nothing until they are touched, and arrays with one number for each slot of a table."""

from __future__ import annotations

import mmap
from array import array
from math import isfinite

from mistakebound.kernels import slots as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from mistakebound.kernels import Floats as Floats
    from mistakebound.kernels import Ints as Ints


_LARGE = 1 << 21  # bytes from which large pages pay,
_SMALL = 1 << 16  # and below which a mapping of one's own does not
# Pages of our own: those that could be shared with a child, which Python takes by default, are never large ones.
_OWN: dict[str, Any] = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
_SIZES = {code: array(code).itemsize for code in "bBhHiIqQd"}


def zeros(code: str, count: int, *, sparse: bool = False) -> memoryview[Any]:
    """`count` zeros of an array typecode, in anonymous pages; `sparse`: most of them will never be touched.

    >>> zeros("q", 3).tolist()
    [0, 0, 0]
    """
    size = max(1, count) * _SIZES[code]
    if size < _SMALL:
        return memoryview(bytearray(size)).cast(code)[:count]  # type: ignore[call-overload,no-any-return]
    try:
        pages = mmap.mmap(-1, size, **_OWN)
    except (OSError, OverflowError) as error:
        raise MemoryError(f"cannot allocate {size:,} more bytes") from error
    if size >= _LARGE and not sparse and hasattr(mmap, "MADV_HUGEPAGE"):
        pages.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(pages).cast(code)[:count]  # type: ignore[call-overload,no-any-return]


class Buffers:
    """Buffers by name that are used again, each made anew where more is asked for than there is room.

    >>> buffer = Buffers()
    >>> len(buffer("keys", "q", 100)) >= 100, buffer("keys", "q", 5) is buffer("keys", "q", 7)
    (True, True)
    """

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[str, memoryview[Any]] = {}

    def __call__(self, name: str, code: str, count: int) -> memoryview[Any]:
        found = self._kept.get(name)
        if found is None or len(found) < count:
            found = self._kept[name] = zeros(code, count + count // 4 + 8)
        return found


def longer(buffer: memoryview[Any], count: int, used: int | None = None) -> memoryview[Any]:
    """A copy of a buffer with room for at least `count` items, and four times as many as before; zeros behind.

    Room that is never touched costs nothing, copies do: only the first `used` items are copied, if that is given.

    >>> longer(zeros("q", 2), 3).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0]
    """
    grown = zeros(buffer.format, max(4 * len(buffer), count))
    used = len(buffer) if used is None else used
    grown[:used] = buffer[:used]
    return grown


_AS_WORDS: dict[str, tuple[Any, Any]] = {
    "B": (None, kernel.move1), "H": (None, kernel.move2), "I": (None, kernel.move4), "Q": (None, kernel.move8),
    "d": ("Q", kernel.move8),
}  # fmt: skip
_PART = 1 << 15  # numbers that stay near at hand until they are written
_NEAR = 1 << 13  # slots whose numbers, far apart, stay near at hand until all columns are written
IN_ORDER = array("I")  # instead of a list of slots: 0, 1, 2, ...


_CODES = {("i", 1): "b", ("i", 4): "i", ("i", 8): "q", ("u", 4): "I", ("u", 8): "Q", ("f", 8): "d"}


def view(values: Any) -> memoryview[Any]:
    """A contiguous view of an array of NumPy, with the typecode that kernels expect (where NumPy says l they say q)."""
    import numpy as np

    code: Any = _CODES[values.dtype.kind, values.dtype.itemsize]
    data = memoryview(np.ascontiguousarray(values).data if values.size else bytearray())
    return data.cast("B").cast(code)


def moved(numbers: Any, slots: Ints, new_slots: Ints, count: int, capacity: int) -> memoryview[Any]:
    """A new array of `capacity` zeros with the first `count` numbers, from their slots to their new ones.

    >>> moved(array("d", [5.0, 6.0]), array("I", [1, 0]), array("I", [3, 2]), 2, 4).tolist()
    [0.0, 0.0, 5.0, 6.0]
    """
    numbers = memoryview(numbers)
    target = zeros(numbers.format, capacity)
    _move(numbers, slots, target, new_slots, count, len(numbers))
    return target


def relaid(
    numbers: Any, order: Ints, count: int, dense: int, extras: tuple[int, Ints | None], capacity: int, width: int = 1
) -> memoryview[Any]:
    """An array by slot in a new layout: slots below `dense` stay, dense + e goes where `extras` says.

    Of the slots below `dense` only the first `count` in `order` are looked at: they may be far apart.  `extras`: there
    is nothing from dense + extras[0] on, and dense + e goes to extras[1][e] (None: it stays).  `width` numbers,
    doubles where they are more than one, are kept for a slot.
    """
    numbers = memoryview(numbers)
    target = zeros(numbers.format, width * capacity)
    _move(numbers, order, target, order, count, dense, width)
    used, new_slots = extras
    others = numbers[width * dense : width * (dense + used)]
    if new_slots is None:
        target[width * dense : width * dense + len(others)] = others
    else:
        _move(others, IN_ORDER, target, new_slots, len(others) // width, len(others), width)
    return target


def _move(source: Any, slots: Ints, target: Any, new_slots: Ints, count: int, below: int, width: int = 1) -> None:
    if width > 1:
        if not kernel.move_wide(source, slots, target, new_slots, count, below, width):
            raise ValueError("expected so many numbers per index")
        return
    word, move = _AS_WORDS[source.format]
    if word is not None and count:
        source, target = source.cast("B").cast(word), target.cast("B").cast(word)
    if count and not move(source, slots, target, new_slots, count, below):
        raise ValueError("expected one number per index")


def taken(numbers: Any, slots: Ints) -> memoryview[Any]:
    """What an array by slot has for some slots, in their order."""
    return moved(numbers, slots, IN_ORDER, len(slots), len(slots))


def taken_column(numbers: Any, slots: Ints, width: int, column: int) -> memoryview[float]:
    """One of the `width` numbers that an array has for each of some slots, in their order."""
    found: memoryview[float] = zeros("d", len(slots))
    _take_column(numbers, slots, width, column, found)
    return found


def _take_column(numbers: Any, slots: Ints, width: int, column: int, out: Floats) -> None:
    if not kernel.take_column(numbers, slots, len(slots), width, column, out):
        raise ValueError("expected so many numbers per index")


def columns_by_slot(columns: Sequence[Any], slots: Ints, width: int, capacity: int) -> memoryview[float]:
    """An array with `width` numbers for each slot, the first ones from columns that are in the order of `slots`."""
    target: memoryview[float] = zeros("d", width * capacity)
    for start in range(0, len(slots), _NEAR):
        here = slots[start : start + _NEAR]
        for column, numbers in enumerate(columns):
            part: Any = memoryview(numbers)[start : start + _NEAR]
            if not kernel.put_column(part, here, len(part), width, column, target):
                raise ValueError("expected so many numbers per index")
    return target


def all_finite(*arrays: Any) -> bool:
    """Whether the numbers of some arrays of doubles are all finite.

    >>> all_finite(array("d", [1.0, 2.0]), array("d")), all_finite(array("d", [float("inf")]))
    (True, False)
    """
    return all(isfinite(kernel.largest(numbers)) for numbers in arrays)


class InOrder:
    """What an array by slot has for some slots, in their order: for a file, gathered a part at a time.

    >>> numbers = InOrder(array("d", [5.0, 6.0, 7.0]), array("I", [2, 0]))
    >>> numbers.format, len(numbers), [part.tolist() for part in numbers.parts()], len(bytes(numbers))
    ('d', 2, [[7.0, 5.0]], 16)
    """

    __slots__ = ("_column", "_finish", "_numbers", "_slots", "format")

    def __init__(
        self,
        numbers: Any,
        slots: Ints,
        finish: Callable[[memoryview[Any]], object] | None = None,
        column: tuple[int, int] | None = None,
    ) -> None:
        """`finish` is called with each part and may change it.  `column`: how many numbers a slot has, and which."""
        self._finish = finish
        self._column = column
        self._numbers: memoryview[Any] = memoryview(numbers)
        self._slots = slots
        self.format: str = self._numbers.format

    def __len__(self) -> int:
        return len(self._slots)

    def parts(self) -> Iterator[memoryview[Any]]:
        """Each is good until the next one."""
        part = zeros(self.format, min(_PART, len(self)))
        for start in range(0, len(self), _PART):
            slots = self._slots[start : start + _PART]
            if self._column is None:
                _move(self._numbers, slots, part, IN_ORDER, len(slots), len(self._numbers))
            else:
                _take_column(self._numbers, slots, *self._column, part)
            if self._finish is not None:
                self._finish(part)
            yield part[: len(slots)]

    def __bytes__(self) -> bytes:
        return b"".join(part.tobytes() for part in self.parts())
