"""Symmetries of a class on 0/1 rows: attributes exchanged, attributes negated, labels exchanged.

Nothing is assumed of a class: a symmetry is used only after every concept has been found to go over into a concept of
the class. Exchanging the first two attributes and moving all of them round by one make all n! permutations.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import factorial
from typing import TYPE_CHECKING

from mistakebound.concepts.bits import pack, transpose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mistakebound.concepts.finite import FiniteClass

TABLE_ELEMENTS = 10_000  # of the largest group that is listed
TABLE_INSTANCES = 39  # 3^39 < 2^62: states of up to so many instances are numbers in base 3


class Symmetry:
    """What is true of the class: `flips` is whether attributes may be negated, `swaps` whether labels may."""

    def __init__(self, codes: Sequence[int], n: int, flips: bool, swaps: bool) -> None:
        self.codes, self.n, self.flips, self.swaps = codes, n, flips, swaps

    def orbits(self, path: Sequence[int]) -> list[int] | None:
        """For every instance the number of its orbit under the symmetries that keep the instances of a path in place.

        Attributes that have equal values in every instance of the path can be exchanged, so instances with as many
        ones among each kind of attribute are alike. With negations the first instance of the path becomes all
        zeros; without a path all are alike then. None where all instances are different.
        """
        if not path and self.flips:
            return [0] * len(self.codes)
        turn = self.codes[path[0]] if path and self.flips else 0
        kinds: dict[tuple[int, ...], int] = {}
        for i in range(self.n):
            profile = tuple((self.codes[j] ^ turn) >> i & 1 for j in path)
            kinds[profile] = kinds.get(profile, 0) | 1 << i
        masks = list(kinds.values())
        if len(masks) == self.n:
            return None
        numbers: dict[tuple[int, ...], int] = {}
        found = []
        for code in self.codes:
            signature = tuple(((code ^ turn) & mask).bit_count() for mask in masks)
            found.append(numbers.setdefault(signature, len(numbers)))
        return found

    def generators(self) -> list[tuple[list[int], bool]]:
        """Symmetries that make all others: where each instance goes, and whether labels are exchanged."""
        place = {code: j for j, code in enumerate(self.codes)}
        moves = [(_exchange(self.codes), False), (_rotation(self.codes, self.n), False)]
        if self.flips:
            moves.append((_negation(self.codes), False))
        if self.swaps:
            moves.append((list(self.codes), True))
        return [([place[image] for image in images], swap) for images, swap in moves]

    def concept_images(
        self, finite: FiniteClass, images: Sequence[int], swap: bool, number: dict[int, int]
    ) -> list[int]:
        """Where each concept goes: its image gives the image of an instance the label (or the other one) of that.

        `number` knows the concepts by their rows.
        """
        columns = [0] * len(images)
        for j, image in enumerate(images):
            columns[image] = finite.columns[j] ^ (finite.everyone if swap else 0)
        return [number[row] for row in transpose(columns, finite.size)]

    def table(self) -> GroupTable | None:
        """The whole group, where it is small."""
        order = factorial(self.n) << (self.n if self.flips else 0)
        if order > TABLE_ELEMENTS or len(self.codes) > TABLE_INSTANCES:
            return None
        return GroupTable(self)


class GroupTable:
    """All symmetries, to give states that go over into each other the same key.

    A state is a set of concepts; it is known by the instances whose label it settles, and by these labels.
    """

    def __init__(self, symmetry: Symmetry) -> None:
        import numpy as np

        codes, n = symmetry.codes, symmetry.n
        powers = np.zeros(1 << n, dtype=np.int64)  # of an instance's code
        powers[codes] = [3**j for j in range(len(codes))]
        moved = np.array([[_permuted(code, order) for code in codes] for order in permutations(range(n))])
        turns = np.arange(1 << n if symmetry.flips else 1)
        images = (moved[:, None, :] ^ turns[:, None]).reshape(-1, len(codes))
        self._weights: NDArray[np.int64] = powers[images].T.copy()  # [instance, symmetry]
        self._swaps = symmetry.swaps

    def key(self, columns: Sequence[int], members: int) -> int:
        """The least number that a symmetry makes of a set: digit 1 is label 0, digit 2 label 1, 0 is open."""
        zeros = [j for j, column in enumerate(columns) if not column & members]
        ones = [j for j, column in enumerate(columns) if column & members == members]
        low, high = self._weights[zeros].sum(0), self._weights[ones].sum(0)
        least = int((low + 2 * high).min())
        return min(least, int((2 * low + high).min())) if self._swaps else least


def cost_of_finding(finite: FiniteClass) -> int:
    """About how many steps of the search could be taken in the time that `find_symmetry` needs."""
    return 2 * finite.size * len(finite.columns)


def find_symmetry(finite: FiniteClass) -> Symmetry | None:
    """The verified symmetries of a class on rows of zeros and ones, or None where attributes cannot be exchanged."""
    n = len(finite.attributes)
    if n < 2 or not all({*x} <= {0, 1} for x in finite.instances):
        return None
    codes = [pack(x) for x in finite.instances]
    place = {code: j for j, code in enumerate(codes)}
    lines = frozenset(finite.rows)

    def verified(images: list[int]) -> bool:
        if any(image not in place for image in images):
            return False
        return lines == frozenset(transpose([finite.columns[place[image]] for image in images], finite.size))

    if not (verified(_exchange(codes)) and verified(_rotation(codes, n))):
        return None
    flips = verified(_negation(codes))
    every = (1 << len(codes)) - 1
    return Symmetry(codes, n, flips, lines == frozenset(every ^ line for line in lines))


def _exchange(codes: Sequence[int]) -> list[int]:
    """The first two attributes exchanged."""
    return [code ^ 3 if (code ^ code >> 1) & 1 else code for code in codes]


def _rotation(codes: Sequence[int], n: int) -> list[int]:
    """Each attribute moved on by one, the last to the first place."""
    return [code << 1 & (1 << n) - 1 | code >> n - 1 for code in codes]


def _negation(codes: Sequence[int]) -> list[int]:
    """The first attribute negated: since attributes can be exchanged, it stands for all."""
    return [code ^ 1 for code in codes]


def _permuted(code: int, order: Sequence[int]) -> int:
    return sum((code >> i & 1) << to for i, to in enumerate(order))
