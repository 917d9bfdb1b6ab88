"""Sums of powers of beta compared in whole numbers: for votes that doubles cannot decide."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def sign(terms: Iterable[tuple[int, int]], beta: float) -> int:
    """The sign of the sum of factor * beta**exponent over all (factor, exponent), 0 < beta < 1, exactly.

    >>> sign([(1, 0), (-2, 1)], 0.5), sign([(1, 0), (-2, 1)], 0.5000000001), sign([(1, 5), (-1, 5)], 0.3)
    (0, -1, 0)
    """
    factors: dict[int, int] = {}
    for factor, exponent in terms:
        factors[exponent] = factors.get(exponent, 0) + factor
    left = sum(map(abs, factors.values()))
    p, q = beta.as_integer_ratio()
    value, unit, at = 0, 1, 0  # what has been added up is value/unit * beta**at
    for exponent in sorted(factors):
        gap = exponent - at if value else 0
        while gap and abs(value) <= left * unit:  # else what is left cannot outweigh it
            step = min(gap, 64)
            value, unit, gap = value * q**step, unit * p**step, gap - step
        if abs(value) > left * unit:
            return 1 if value > 0 else -1
        value, at = value + factors[exponent] * unit, exponent
        left -= abs(factors[exponent])
    return (value > 0) - (value < 0)


def majority(said: Sequence[int], mistakes: Sequence[int], beta: float) -> int:
    """The code with the largest weight, of equal ones the smallest; someone says one.

    >>> majority([1, 0, 1], [1, 0, 1], 0.5), majority([1, 0, 1], [1, 0, 1], 0.6)
    (0, 1)
    """
    codes = sorted({code for code in said if code >= 0})
    best = codes[0]
    for code in codes[1:]:
        terms = [((vote == code) - (vote == best), count) for vote, count in zip(said, mistakes, strict=True)]
        if sign(terms, beta) > 0:
            best = code
    return best


def drawn(bits: int, mistakes: Sequence[int], beta: float) -> int:
    """The member on whom a draw of 53 bits falls: the first with draw * all weights < the weights up to its own.

    >>> [drawn(bits, [0, 1], 0.5) for bits in (0, 2**52, 2**53 - 1)]
    [0, 0, 1]
    """
    for member in range(len(mistakes) - 1):
        terms = [((1 << 53) * (other <= member) - bits, count) for other, count in enumerate(mistakes)]
        if sign(terms, beta) > 0:
            return member
    return len(mistakes) - 1
