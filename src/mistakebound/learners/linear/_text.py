"""Weighted sums as a person reads them."""

from __future__ import annotations

from mistakebound.core.names import write_name


def sum_in_words(largest: list[tuple[str, float]], terms: int, nonzero: int) -> list[str]:
    """The terms of a sum, at most so many written out, the rest counted.

    >>> sum_in_words([("3", 2.0), ("free", 1.0), ("8", -0.5)], 2, nonzero=9)
    ['2*x3', 'free', '7 smaller terms']
    """
    shown = [(name, weight) for name, weight in largest if weight][:terms]
    parts = [write_name(name) if weight == 1.0 else f"{weight:g}*{write_name(name)}" for name, weight in shown]
    if nonzero > len(shown):
        parts.append(f"{nonzero - len(shown):,} smaller terms")
    return parts
