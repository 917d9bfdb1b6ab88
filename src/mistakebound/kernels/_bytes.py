"""Bytes of a buffer, eight at a time: what _bytes.pxd says in C, for kernels that run uncompiled."""

from __future__ import annotations

from mistakebound.kernels._digits import load8, power_of_ten, run, scaled
from mistakebound.kernels._words import low, mixed, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def word_at(buf: Any, i: int) -> int:
    """Eight bytes as one word: see `_words`."""
    return word(bytes(buf[i : i + 8]))


def eight_at(buf: Any, i: int) -> int:
    """Eight bytes as `_digits` takes them."""
    return load8(bytes(buf[i : i + 8]))


def digits_end(buf: Any, i: int) -> int:
    """Where the digits at buf[i:] end.

    >>> digits_end(b"a17:", 1)
    3
    """
    while 48 <= buf[i] <= 57:
        i += 1
    return i


def digits_at(buf: Any, i: int) -> int:
    """The digits at buf[i:], eight at most: see `_digits`."""
    return run(load8(bytes(buf[i : i + 8])))


def short_decimal(buf: Any, i: int, values: Any, p: int) -> int:
    """The number at buf[i:], if it has eight digits at most, and seven behind its point, into values[p].

    Where it ends, or 0; a digit that stands there says that there are more than eight.

    >>> values = [0.0]
    >>> short_decimal(b"x:-12.5 y:1 z:2 ", 2, values, 0), values
    (7, [-12.5])
    """
    minus = bool(buf[i] == 45)
    whole = digits_at(buf, i + minus)
    j = i + minus + (whole & 15)
    if whole & 15 == 0:
        return 0
    v = float(whole >> 4)
    if buf[j] == 46:
        part = digits_at(buf, j + 1)
        if part & 15 == 8:
            return 0
        j += 1 + (part & 15)
        v = scaled((whole >> 4) * power_of_ten(part & 15) + (part >> 4), -(part & 15))
    values[p] = -v if minus else v
    return j


def hash_of(buf: Any, i: int, size: int, seed: int) -> int:
    """64 bits of buf[i : i + size]."""
    while size > 8:
        seed = mixed(seed ^ word_at(buf, i))
        i += 8
        size -= 8
    return mixed(seed ^ low(word_at(buf, i), size))


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


def spans_fit(ends: Any, count: int, size: int) -> bool:
    """Whether ends[k] .. ends[k + 1] lie within `size` bytes, for all k < count.

    >>> spans_fit([0, 3, 2], 1, 3), spans_fit([0, 3, 2], 2, 3)
    (True, False)
    """
    return all(0 <= ends[k] <= ends[k + 1] <= size for k in range(count))
