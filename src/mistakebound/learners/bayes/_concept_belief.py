"""The posterior over a class of concepts when labels are noisy at a known rate, as sets of bits, exactly.

A concept that contradicted k labels has the weight prior * r^k, r = noise / (1 - noise): so all concepts of the same
prior that contradicted as many are one set, and their votes are counted at once.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_SURE = 1e-9  # a margin of votes, as a share of all, that rounding cannot turn


class ConceptBelief:
    """Sets of concepts by prior and by the number of labels contradicted; a value: learning makes another."""

    __slots__ = ("groups", "levels", "noise")

    def __init__(self, groups: Sequence[tuple[Fraction, int]], levels: dict[int, int], noise: Fraction) -> None:
        self.groups = groups  # (prior of one concept, the set of those who have it), none with prior 0
        self.levels = levels  # k: the concepts that contradicted k labels more than the best have; none is empty
        self.noise = noise

    @property
    def alive(self) -> int:
        """The concepts whose posterior is not 0."""
        every = 0
        for level in self.levels.values():
            every |= level
        return every

    def lead(self, yes: int) -> tuple[int, float]:
        """Who wins between those who say 1 (`yes`) and the others, 1, -1 or 0; and the margin as a share of all."""
        if len(self.levels) == 1 and len(self.groups) == 1:
            ones, every = (self.levels[0] & yes).bit_count(), self.levels[0].bit_count()  # votes alike
            return _sign(2 * ones - every), (2 * ones - every) / every
        ratio, top = float(self.noise / (1 - self.noise)), max(prior for prior, _ in self.groups)
        one = zero = 0.0
        for prior, members in self.groups:
            share = float(prior / top)
            for k, level in self.levels.items():
                here = level & members
                ones = (here & yes).bit_count()
                weight = share * ratio**k
                one += weight * ones
                zero += weight * (here.bit_count() - ones)
        if abs(one - zero) > _SURE * (one + zero):
            return _sign(one - zero), (one - zero) / (one + zero)
        cells = self.cells()
        exact = sum(weight * (2 * (here & yes).bit_count() - here.bit_count()) for weight, here in cells)
        total = sum(weight * here.bit_count() for weight, here in cells)
        return _sign(exact), float(Fraction(exact, total))

    def cells(self) -> list[tuple[int, int]]:
        """(weight of one concept, set): whole numbers in the proportion of the posterior."""
        wrong, right = self.noise.numerator, self.noise.denominator - self.noise.numerator
        scale, last = lcm(*(prior.denominator for prior, _ in self.groups)), max(self.levels)
        powers = {k: wrong**k * right ** (last - k) for k in self.levels}
        return [
            (int(prior * scale) * powers[k], level & members)
            for prior, members in self.groups
            for k, level in self.levels.items()
            if level & members
        ]

    def after(self, agree: int) -> ConceptBelief | None:
        """When those who `agree` with a label were right; None when nobody who is left was."""
        if not self.noise:
            left = self.levels[0] & agree
            return ConceptBelief(self.groups, {0: left}, self.noise) if left else None
        moved: dict[int, int] = {}
        for k, level in self.levels.items():
            for more, part in ((0, level & agree), (1, level & ~agree)):
                if part:
                    moved[k + more] = moved.get(k + more, 0) | part
        best = min(moved)
        return ConceptBelief(self.groups, {k - best: moved[k] for k in sorted(moved)}, self.noise)

    def least(self) -> Fraction:
        """The smallest posterior that is not 0."""
        cells = self.cells()
        return Fraction(min(weight for weight, _ in cells), sum(weight * here.bit_count() for weight, here in cells))

    def draw(self, chance: Random) -> tuple[int, int]:
        """A set and a place in it: the concept drawn from the posterior is the so-manieth of the set."""
        cells = self.cells()
        left = chance.randrange(sum(weight * here.bit_count() for weight, here in cells))
        for weight, here in cells:
            size = weight * here.bit_count()
            if left < size:
                return here, left // weight
            left -= size
        raise AssertionError("the weights sum to their sum")

    def form(self) -> Any:
        """Equal for equal posteriors over the same class."""
        return tuple(self.groups), tuple(self.levels.items()), self.noise


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def groups_of(prior: Sequence[Fraction]) -> list[tuple[Fraction, int]]:
    """The concepts by their prior, those with none left out.

    >>> groups_of([Fraction(1, 4), Fraction(1, 2), Fraction(0), Fraction(1, 4)])
    [(Fraction(1, 4), 9), (Fraction(1, 2), 2)]
    """
    places: dict[Fraction, list[int]] = {}
    for c, p in enumerate(prior):
        if p:
            places.setdefault(p, []).append(c)
    found = []
    for p, members in places.items():
        bits = bytearray(len(prior) // 8 + 1)
        for c in members:
            bits[c >> 3] |= 1 << (c & 7)
        found.append((p, int.from_bytes(bits, "little")))
    return found
