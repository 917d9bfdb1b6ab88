"""Splitmix64 (Steele, Lea and Flood 2014): draw k of a seed is mixed(seed + k * GAMMA); the twin of _splitmix.pxd."""

from __future__ import annotations

GAMMA = 0x9E3779B97F4A7C15
_ALL64 = 0xFFFFFFFFFFFFFFFF


def mixed(z: int) -> int:
    """64 bits that depend on all bits of z.

    >>> hex(mixed(GAMMA))
    '0xe220a8397b1dcdaf'
    """
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _ALL64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _ALL64
    return z ^ z >> 31
