"""All linear threshold functions of up to five attributes: 4, 14, 104, 1882, 94572 for n = 1 to 5.

Every threshold function becomes one with weights w1 >= w2 >= ... >= 0 when attributes are renamed and
replaced by their negations. For n <= 5 integer weights up to 5 reach all of these, and the weights of
smallest sum are equal exactly where attributes can be exchanged and 0 exactly where an attribute does not
matter. So each arrangement of weights and signs is another function. That this is so shows in the result:
the tests find all the functions different, and as many as the published counts (OEIS A000609).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations_with_replacement, permutations, product
from typing import Any, ClassVar

from mistakebound.concepts.bits import pack_columns
from mistakebound.concepts.concept import Concept, ConceptClass, generator
from mistakebound.concepts.thresholds import LinearThreshold
from mistakebound.concepts.weighing import widest_gap
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order

LIMIT = 5  # attributes up to which the functions are counted and enumerated
LARGEST_WEIGHT = 5
TEST_LIMIT = 10  # attributes up to which any concept is tried for being a threshold function


@dataclass(frozen=True)
class LinearThresholds(ConceptClass):
    """The linear threshold functions on {0,1}^n, counted and enumerated for n <= 5.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.

    Notes
    -----
    Order: by the sum of the absolute weights, then by these weights and the threshold, then by arrangement, then by
    signs,
    positive first.  Beyond n = 5 a sample is not uniform: its weights are uniform in -n .. n, and its threshold is the
    weight of a uniform instance.

    References
    ----------
    OEIS A000609 (their number).

    Examples
    --------
    >>> [LinearThresholds(n).count() for n in (1, 2, 3, 4)]
    [4, 14, 104, 1882]
    """

    n: int
    kind: ClassVar[str] = "linear-thresholds"

    def __post_init__(self) -> None:
        self.set_integer("n", 1)

    def holds(self, concept: Concept) -> bool:
        always = type(concept).to_linear_threshold is not Concept.to_linear_threshold
        return always or find_linear_threshold(concept) is not None

    def count(self) -> int:
        return sum(len(arrangements(w)) << sum(map(bool, w)) for w, _ in self._patterns())

    def __iter__(self) -> Iterator[LinearThreshold]:
        return (_signed(*member) for member in self._members())

    def _members(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
        """Weights, their signs and the threshold of every function."""
        for weights, threshold in self._patterns():
            for arranged in arrangements(weights):
                for signs in product((1, -1), repeat=sum(map(bool, weights))):
                    yield arranged, signs, threshold

    def label_columns(self, instances: Sequence[Any]) -> list[int] | None:
        import numpy as np

        table = np.array(list(instances))
        if table.dtype.kind not in "bi" or table.shape != (len(instances), self.n):
            return None
        weights, thresholds = [], []
        for arranged, signs, threshold in self._members():
            turn = iter(signs)
            weights.append([weight and weight * next(turn) for weight in arranged])
            thresholds.append(threshold + sum(weight for weight in weights[-1] if weight < 0))
        return pack_columns(np.array(weights) @ table.T >= np.array(thresholds)[:, None])

    def sample(self, seed: int) -> LinearThreshold:
        rng = generator(seed)
        if self.n > LIMIT:
            drawn = {name: rng.randint(-self.n, self.n) for name in self.attributes}
            return LinearThreshold(drawn, sum(weight for weight in drawn.values() if rng.getrandbits(1)))
        choices = self._patterns()
        members = [len(arrangements(w)) << sum(map(bool, w)) for w, _ in choices]
        rank = rng.randrange(sum(members))
        weights, threshold = choices[bisect_right(list(accumulate(members)), rank)]
        arranged = rng.choice(arrangements(weights))
        return _signed(arranged, [rng.choice((1, -1)) for weight in weights if weight], threshold)

    def _patterns(self) -> list[tuple[tuple[int, ...], int]]:
        if self.n > LIMIT:
            raise BadParameter(f"n must be at most {LIMIT} to count or enumerate {self.kind}: {self.n}")
        return patterns(self.n)


@cache
def patterns(n: int) -> list[tuple[tuple[int, ...], int]]:
    """The functions with weights w1 >= ... >= wn >= 0, each with its weights of smallest sum."""
    vectors = sorted(combinations_with_replacement(range(LARGEST_WEIGHT, -1, -1), n), key=lambda w: (sum(w), w))
    seen: set[int] = set()
    found = []
    for weights in vectors:
        sums = [0]
        for weight in weights:
            sums = [total + step for total in sums for step in (0, weight)]
        # Different thresholds between two neighbouring sums give one function; above all sums it is false.
        for threshold in sorted({*sums, sum(weights) + 1}):
            table = sum(1 << i for i, total in enumerate(sums) if total >= threshold)
            if table not in seen:
                seen.add(table)
                found.append((weights, threshold))
    return found


@cache
def arrangements(weights: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The different orders of the weights, largest first."""
    return sorted(set(permutations(weights)), reverse=True)


def _signed(weights: tuple[int, ...], signs: tuple[int, ...] | list[int], threshold: int) -> LinearThreshold:
    """Attributes of sign -1 replaced by their negations: w(1 - x) is -wx, with w less to reach."""
    turn = iter(signs)
    signed = {str(j): weight * next(turn) for j, weight in enumerate(weights, 1) if weight}
    return LinearThreshold(signed, threshold + sum(weight for weight in signed.values() if weight < 0))


def find_linear_threshold(concept: Concept) -> LinearThreshold | None:
    """Weights that give the concept's function on all 0/1 instances, or None without such weights; exact.

    A threshold function is monotone once some attributes are replaced by their negations; then it is one
    exactly when a sum with weights >= 0 holds its positive and negative instances apart.
    """
    names = sorted(concept.attributes, key=attribute_order, reverse=True)  # the last name is bit 0 of a code
    m = len(names)
    if m > TEST_LIMIT:
        raise BadParameter(f"a concept must have at most {TEST_LIMIT} attributes to look for weights: {m}")
    table = concept.truth_table(names[::-1]).tolist()
    flip = 0
    for mask in (1 << j for j in range(m)):
        steps = {table[x | mask] - table[x] for x in range(1 << m) if not x & mask}
        if {1, -1} <= steps:
            return None
        flip |= mask if -1 in steps else 0
    if all(table):
        return LinearThreshold({}, 0)
    positives = [x for x in range(1 << m) if table[x ^ flip]]
    negatives = [x for x in range(1 << m) if not table[x ^ flip]]
    gap = widest_gap(m, positives, negatives)
    if gap is None or gap[0] <= 0:
        return None
    weights = [-weight if flip >> j & 1 else weight for j, weight in enumerate(gap[1])]
    return LinearThreshold(dict(zip(names, weights, strict=True)), 1 + sum(weight for weight in weights if weight < 0))
