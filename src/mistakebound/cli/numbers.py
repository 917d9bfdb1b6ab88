"""Numbers on the command line: whole ones that a machine word holds, whatever was typed."""

from __future__ import annotations

LARGEST = (1 << 63) - 1


def whole(text: str) -> int:
    """The `type` of an option that is a whole number; ValueError for anything else, and for one beyond 2^63 - 1.

    >>> whole("-12"), whole(" 1_000 ")
    (-12, 1000)
    >>> whole("99999999999999999999")
    Traceback (most recent call last):
    ValueError: a whole number must be at most 9223372036854775807
    """
    number = int(text)  # of more than 4,300 digits: a ValueError of Python's
    if not -LARGEST <= number <= LARGEST:
        raise ValueError(f"a whole number must be at most {LARGEST}")
    return number


whole.__name__ = "whole number"  # argparse says "invalid whole number value"
