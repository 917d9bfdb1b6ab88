"""Bytes of a buffer, eight at a time: what _bytes.pxd says in C, for kernels that run uncompiled."""

from __future__ import annotations

from mistakebound.kernels._digits import load8, run
from mistakebound.kernels._words import word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def word_at(buf: Any, i: int) -> int:
    """Eight bytes as one word: see `_words`."""
    return word(bytes(buf[i : i + 8]))


def digits_at(buf: Any, i: int) -> int:
    """The digits at buf[i:], eight at most: see `_digits`."""
    return run(load8(bytes(buf[i : i + 8])))


def same_bytes(one: Any, i: int, other: Any, j: int, size: int) -> bool:
    """Whether one[i:] and other[j:] have the same `size` bytes, behind which there are seven more.

    >>> same_bytes(b"a name.", 2, b"the name", 4, 4)
    True
    """
    return bytes(one[i : i + size]) == bytes(other[j : j + size])


def copy_bytes(buf: Any, i: int, size: int, out: Any, at: int) -> int:
    """buf[i : i + size] to out[at:], where up to seven more bytes may be overwritten; where they end.

    >>> out = bytearray(16)
    >>> copy_bytes(b"a name", 2, 4, out, 0), bytes(out[:4])
    (4, b'name')
    """
    for k in range(size):
        out[at + k] = buf[i + k]
    return at + size
