"""Sets of concepts and of instances as the bits of Python integers: lines of a 0/1 table, and its columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CELLS = 1 << 25  # of a table, unpacked to a byte each, that are turned at a time
SMALL = 1 << 16  # cells of a table that is turned before NumPy would be imported, which a browser's Python has not


def elements(number: int) -> Iterator[int]:
    """The bits that are 1, each as a set of one, from the lowest."""
    while number:
        lowest = number & -number
        yield lowest
        number ^= lowest


def ones(number: int) -> Iterator[int]:
    """The places of the bits that are 1, from the lowest."""
    return (element.bit_length() - 1 for element in elements(number))


def places(number: int, size: int) -> NDArray[np.intp]:
    """The same for a number of at most `size` bits, all at once: one by one each would take its length."""
    import numpy as np

    raw = np.frombuffer(number.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(raw, bitorder="little"))


def union_of(sets: Iterable[int]) -> int:
    """What is in one of the sets at least."""
    union = 0
    for one in sets:
        union |= one
    return union


def pack(labels: Sequence[int]) -> int:
    """Labels 0 and 1 as one number; the first is bit 0."""
    return int("".join("1" if label else "0" for label in reversed(labels)) or "0", 2)


def pack_array(labels: NDArray[np.bool_]) -> int:
    """The same of an array of truth values."""
    import numpy as np

    return int.from_bytes(np.packbits(labels, bitorder="little").tobytes(), "little")


def pack_columns(table: NDArray[np.bool_]) -> list[int]:
    """The columns of a 2-D array of truth values as numbers; row 0 is bit 0."""
    import numpy as np

    packed = np.packbits(table, axis=0, bitorder="little").T
    return [int.from_bytes(column.tobytes(), "little") for column in packed]


def transpose(lines: Sequence[int], width: int) -> list[int]:
    """The columns of a table that is given line by line: bit i of column j is bit j of line i."""
    if not lines or not width:
        return [0] * width
    if len(lines) * width <= SMALL:
        texts = [f"{line:0{width}b}" for line in reversed(lines)]
        return [int("".join(column), 2) for column in zip(*texts, strict=True)][::-1]
    import numpy as np

    size = (width + 7) // 8
    step = max(8, _CELLS // (8 * size) // 8 * 8)  # whole bytes of every column
    parts: list[list[bytes]] = [[] for _ in range(width)]
    for start in range(0, len(lines), step):
        raw = b"".join(line.to_bytes(size, "little") for line in lines[start : start + step])
        block = np.unpackbits(np.frombuffer(raw, np.uint8).reshape(-1, size), axis=1, count=width, bitorder="little")
        turned = np.ascontiguousarray(np.packbits(block, axis=0, bitorder="little").T)
        for part, column in zip(parts, turned, strict=True):
            part.append(column.tobytes())
    return [int.from_bytes(b"".join(part), "little") for part in parts]
