"""The version space of attribute conjunctions after a positive example: S, and what the negative ones forbid.

S is one hypothesis, and every member keeps some of its constraints.  A negative example is kept as the set of those
attributes in which it differs from S: a member must keep one of them.  So members are hitting sets, G are the minimal
ones, and an instance is negative for all when the attributes in which it agrees with S do not hit every set.  That, and
collapse, take time in proportion to the sets; only counts and G itself can be large.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.attribute_conjunction import ANY, AttributeConjunction
from mistakebound.concepts.attributes import AttributeConjunctions
from mistakebound.concepts.bits import union_of
from mistakebound.concepts.counts import Count, Vote
from mistakebound.concepts.hitting_sets import (
    LARGE,
    STEPS,
    Counter,
    hitting_sets,
    minimal,
    minimal_hitting_sets,
    parts,
)
from mistakebound.concepts.version_space import FEW, Query, VersionSpace, nearest_to_half

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

ENUMERATED = 18  # constraints of S all of whose subsets are looked at for the best question


class AttributeVersionSpace(VersionSpace):
    """Between S and G.  `differences` are, for each negative example, the attributes (as bits) that differ from S."""

    def __init__(
        self, space: AttributeConjunctions, specific: Sequence[int], differences: Collection[int], steps: int = STEPS
    ) -> None:
        self.space = space
        self.specific = AttributeConjunction(space, specific)
        assert self.specific.codes is not None
        self._codes: tuple[int, ...] = self.specific.codes
        self.constrained = sum(1 << j for j, code in enumerate(self._codes) if code != ANY)
        self.differences = tuple(differences)
        self.steps = steps  # of a count, before it is given as an interval

    def _kept(self, constraints: int) -> AttributeConjunction:
        """S with only these of its constraints."""
        return AttributeConjunction(
            self.space, [code if constraints >> j & 1 else ANY for j, code in enumerate(self._codes)]
        )

    @cached_property
    def _family(self) -> list[int]:
        return minimal(one & self.constrained for one in self.differences)

    @property
    def S(self) -> tuple[AttributeConjunction, ...]:  # noqa: N802
        return (self.specific,)

    @property
    def many(self) -> bool:
        return len(self._family) > LARGE

    def general(self) -> Iterator[AttributeConjunction]:
        return map(self._kept, minimal_hitting_sets(self._family))

    def _rank(self, member: AttributeConjunction) -> Any:
        assert member.codes is not None
        return [j for j, code in enumerate(member.codes) if code != ANY]

    def _count(self, constraints: int) -> Count:
        return Count(*Counter(self.steps).within(self._family, constraints))

    @cached_property
    def size(self) -> Count:
        return self._count(self.constrained)

    def __iter__(self) -> Iterator[AttributeConjunction]:
        return map(self._kept, hitting_sets(self._family, self.constrained))

    def __contains__(self, hypothesis: object) -> bool:
        if not isinstance(hypothesis, AttributeConjunction) or hypothesis.space != self.space:
            return False
        if hypothesis.codes is None or not hypothesis.more_general_or_equal(self.specific):
            return False
        kept = sum(1 << j for j, code in enumerate(hypothesis.codes) if code != ANY)
        return all(kept & one for one in self._family)

    def agreement(self, codes: Sequence[int]) -> int:
        """The constraints of S that an instance satisfies."""
        own = self._codes
        return sum(1 << j for j, code in enumerate(codes) if code == own[j])

    def label(self, x: Any) -> int | None:
        return self.label_of(self.agreement(self.space.encode(x)))

    def label_of(self, agreement: int) -> int | None:
        if not self.constrained & ~agreement:
            return 1
        return None if all(agreement & one for one in self._family) else 0

    def vote(self, x: Any) -> Vote:
        return Vote(self._count(self.agreement(self.space.encode(x)) & self.constrained), self.size)

    def best_query(self, avoid: Collection[Any] = ()) -> Query | None:
        avoided = frozenset(tuple(x) for x in avoid)
        if not self.constrained or self.size == 1:
            return None
        if self.space.domain_size() <= FEW:
            return nearest_to_half(self, self.space.domain(), avoided)
        if self.constrained.bit_count() <= ENUMERATED:
            return self._best_of_all(avoided)
        return self._good_query(avoided)

    # All subsets of the constraints of S: an instance counts only by those that it satisfies.

    def _best_of_all(self, avoided: frozenset[Any]) -> Query | None:
        places = [j for j in range(self.space.n) if self.constrained >> j & 1]
        votes, _ = _votes_by_subset(self._family, places)
        import numpy as np

        # In the order of instances: a place counts 1 where the greater of the two choices (S's value, the first other
        # one) is taken, the first attribute the most.
        top = len(places) - 1
        flip = sum(1 << top - t for t, j in enumerate(places) if self._codes[j] == 0)
        ordered = votes[np.arange(len(votes)) ^ flip]
        total = int(self.size)
        distance = np.abs(2 * ordered - total)
        for least in np.unique(distance).tolist():
            if least == total:
                return None
            tied = np.flatnonzero(distance == least).tolist()
            if not avoided:
                tied = tied[:1]  # the first of them is the first instance
            found = [self._first_instance(self._subset(place ^ flip, places), avoided) for place in tied]
            best = min((codes for codes in found if codes is not None), default=None)
            if best is not None:
                return self._query(best, best_possible=True)
        return None

    @staticmethod
    def _subset(place: int, places: list[int]) -> int:
        top = len(places) - 1
        return sum(1 << j for t, j in enumerate(places) if place >> top - t & 1)

    def _first_instance(self, agreement: int, avoided: frozenset[Any]) -> tuple[int, ...] | None:
        """The first instance that agrees with S in these constraints and no others."""
        choices: list[Sequence[int]] = []
        for j, code in enumerate(self._codes):
            values = range(len(self.space.values[j]))
            if code == ANY:
                choices.append(values)
            else:
                choices.append((code,) if agreement >> j & 1 else [value for value in values if value != code])
        return next((codes for codes in product(*choices) if self.space.decode(codes) not in avoided), None)

    def _query(self, codes: Sequence[int], best_possible: bool) -> Query:
        x = self.space.decode(codes)
        return Query.of(x, self.vote(x), best_possible)

    # More constraints than that: a question about one part that nothing binds to the others.

    def _good_query(self, avoided: frozenset[Any]) -> Query | None:
        found: list[tuple[float, tuple[int, ...]]] = []
        for missing, share in self._questions():
            codes = self._first_instance(self.constrained & ~missing, avoided)
            if codes is not None and 0 < share < 1:
                found.append((abs(2 * share - 1), codes))
        if not found:
            return None
        distance, codes = min(found)
        return self._query(codes, best_possible=distance == 0)

    def _questions(self) -> Iterator[tuple[int, float]]:
        """Constraints that an instance may fail to satisfy, with the share of the members that would say 1."""
        free = self.constrained & ~union_of(self._family)
        for j in range(self.space.n):
            if free >> j & 1:
                yield 1 << j, 0.5  # half of the members keep it
        if free:
            return
        for family in parts(self._family):
            union = union_of(family)
            places = [j for j in range(self.space.n) if union >> j & 1]
            if len(places) <= ENUMERATED:
                import numpy as np

                votes, total = _votes_by_subset(family, places)
                nearest = int(np.argmin(np.abs(2 * votes - total)))
                yield union & ~self._subset(nearest, places), float(votes[nearest]) / total
            else:
                steps = self.steps // len(places)
                everyone = Count(*Counter(steps).within(family, union))
                for j in places:
                    positive = Count(*Counter(steps).within(family, union & ~(1 << j)))
                    yield 1 << j, Vote(positive, everyone).share


def _votes_by_subset(family: list[int], places: list[int]) -> tuple[NDArray[np.int64], int]:
    """For each subset of some constraints the number of hitting sets in it; the first place is the highest bit."""
    import numpy as np

    count, top = len(places), len(places) - 1
    missed = np.zeros(1 << count, dtype=bool)
    for one in family:
        inside = sum(1 << top - t for t, j in enumerate(places) if one >> j & 1)
        missed[(1 << count) - 1 & ~inside] = True
    cube = missed.reshape((2,) * count)
    for axis in range(count):  # a subset of what misses a set misses it, too
        lower, upper = _halves(cube, axis)
        lower |= upper
    votes = (~missed).astype(np.int64)
    cube_of_votes = votes.reshape((2,) * count)
    for axis in range(count):
        lower, upper = _halves(cube_of_votes, axis)
        upper += lower
    return votes, int(votes[-1])


def _halves(cube: Any, axis: int) -> tuple[Any, Any]:
    before = (slice(None),) * axis
    return cube[(*before, slice(0, 1))], cube[(*before, slice(1, 2))]  # views, also of a cube of one dimension
