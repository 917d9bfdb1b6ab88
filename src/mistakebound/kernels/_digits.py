"""Digits eight at a time: what _digits.pxd says in C, for kernels that run uncompiled.

A word x holds eight bytes of text, the first one lowest, each xor "0": a digit has become its value.
"""

from __future__ import annotations

_ZEROS = 0x3030303030303030
_TOPS = 0x8080808080808080
_ALL64 = 0xFFFFFFFFFFFFFFFF


def load8(text: bytes) -> int:
    return int.from_bytes(text, "little") ^ _ZEROS


def strangers(x: int) -> int:
    """0 when x is eight digits; else the lowest bit set is in the first byte that is no digit.

    >>> strangers(load8(b"12345678")), strangers(load8(b"12:45678")) & 0xFFFFFF == 0x800000
    (0, True)
    """
    return ((x + 0x7676767676767676) | x) & _TOPS


def eight(x: int) -> int:
    """The number that eight digits mean.

    >>> eight(load8(b"00012034"))
    12034
    """
    return int("".join(map(str, x.to_bytes(8, "little"))))


def leading(x: int, k: int) -> int:
    """The number that the first k digits mean, 1 <= k <= 8."""
    return eight((x << (64 - 8 * k)) & _ALL64)


def run(x: int) -> int:
    """16 * the number at the start of x + how many digits it has.

    >>> divmod(run(load8(b"512:1 12")), 16), run(load8(b"x1234567"))
    ((512, 3), 0)
    """
    bad = strangers(x)
    k = ((bad & -bad).bit_length() - 1) >> 3 if bad else 8
    return leading(x, k) << 4 | k if k else 0


def power_of_ten(k: int) -> int:
    """10**k, 0 <= k <= 19."""
    return int(10**k)


def scaled(m: float, e: int) -> float:
    """m * 10**e rounded once, for a whole m up to 2**53 and -22 <= e <= 22 (both factors are exact)."""
    return m / float(10**-e) if e < 0 else m * float(10**e)


def ratio(m: int, d: int) -> float:
    """m / d to the nearest double, for m > 2**53; in C -1 where the compiler has no 128-bit integers."""
    return m / d
