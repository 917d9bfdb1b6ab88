"""2^e from the bits of a double: what _powers_of_two.pxd says in C, for kernels that run uncompiled."""

from __future__ import annotations

from math import ldexp

SHIFT = (
    1.5 * 2.0**52 + 1023
)  # added to a number of less than 2^51 it leaves the nearest whole number, in the lowest bits


def power_of_two(shifted: float) -> float:
    """2^e for shifted = SHIFT + e, -1022 <= e <= 1023: its lowest bits are the exponent as a double has it.

    >>> power_of_two(SHIFT - 3), power_of_two(SHIFT + 0.4)
    (0.125, 1.0)
    """
    return ldexp(1.0, int(shifted - SHIFT))
