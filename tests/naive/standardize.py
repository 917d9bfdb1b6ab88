"""(v - mean) / sd over all values that an attribute has had, the one at hand among them, from their definition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import sqrt


def standardized(rows: list[Mapping[str, float]]) -> Iterator[dict[str, float]]:
    """A 0 that stands in a row is a value; an attribute that has only ever been 1 is left alone."""
    had: dict[str, list[Fraction]] = {}
    for row in rows:
        out = {}
        for name, value in row.items():
            values = had.setdefault(name, [])
            values.append(Fraction(value))
            mean = sum(values) / len(values)
            variance = sum((v - mean) ** 2 for v in values) / len(values)
            if variance:
                out[name] = float(values[-1] - mean) / sqrt(variance)
            else:
                out[name] = 1.0 if values[0] == 1 else 0.0
        yield out
