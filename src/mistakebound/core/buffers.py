"""Large buffers that cost nothing until they are touched."""

from __future__ import annotations

import mmap
from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.kernels._buffers import Floats as Floats  # what kernels take, for all who call them
    from mistakebound.kernels._buffers import Ints as Ints

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
        raise MemoryError(f"cannot have {size:,} bytes more") from error
    if size >= _LARGE and not sparse and hasattr(mmap, "MADV_HUGEPAGE"):
        pages.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(pages).cast(code)[:count]  # type: ignore[call-overload,no-any-return]


def longer(buffer: memoryview[Any], count: int) -> memoryview[Any]:
    """A copy of a buffer with room for at least `count` items, and twice as many as before; zeros behind.

    >>> longer(zeros("q", 2), 3).tolist()
    [0, 0, 0, 0]
    """
    grown = zeros(buffer.format, max(2 * len(buffer), count))
    grown[: len(buffer)] = buffer
    return grown
