"""The version space of attribute conjunctions before the first positive example: negative ones, kept as they are.

S is ∅, which agrees with everything so far; every other member must differ from each negative example in a constraint.
What the examples mean is worked out when a positive one comes, or when it is asked for.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.attribute_conjunction import ANY, AttributeConjunction
from mistakebound.concepts.attributes import AttributeConjunctions
from mistakebound.concepts.counts import Count, Vote
from mistakebound.concepts.hitting_sets import LARGE, STEPS, Counter, minimal_hitting_sets
from mistakebound.concepts.version_space import FEW, Query, VersionSpace, nearest_to_half

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

_TABLE = 1 << 22  # hypotheses all of which are looked at for the best question


class DeferredVersionSpace(VersionSpace):
    """`negatives` are the negative examples, by the numbers of their values."""

    def __init__(self, space: AttributeConjunctions, negatives: Collection[Sequence[int]], steps: int = STEPS) -> None:
        self.space = space
        self.negatives = tuple(dict.fromkeys(map(tuple, negatives)))
        self.steps = steps
        self._several = [j for j in range(space.n) if len(space.values[j]) > 1]  # one value alone says nothing

    @cached_property
    def _known(self) -> frozenset[tuple[int, ...]]:
        return frozenset(self.negatives)

    @property
    def _only_nothing(self) -> bool:
        """Every instance is a negative example."""
        return len(self.negatives) == self.space.domain_size()

    @property
    def S(self) -> tuple[AttributeConjunction, ...]:  # noqa: N802
        return (self.space.empty,)

    def general(self) -> Iterator[AttributeConjunction]:
        """The constraints (attribute, value) that hit every negative example, as few as can be; one an attribute."""
        if self._only_nothing:
            return iter((self.space.empty,))
        pairs = [(j, value) for j in self._several for value in range(len(self.space.values[j]))]
        differing = [sum(1 << k for k, (j, value) in enumerate(pairs) if x[j] != value) for x in self.negatives]
        beside = {j: sum(1 << k for k, (i, _) in enumerate(pairs) if i == j) for j in self._several}
        rivals = {1 << k: beside[j] for k, (j, _) in enumerate(pairs)}
        return (self._of_pairs(pairs, found) for found in minimal_hitting_sets(differing, rivals))

    @property
    def many(self) -> bool:
        return len(self.negatives) > LARGE

    def _of_pairs(self, pairs: list[tuple[int, int]], chosen: int) -> AttributeConjunction:
        codes = [ANY] * self.space.n
        for k, (j, value) in enumerate(pairs):
            if chosen >> k & 1:
                codes[j] = value
        return AttributeConjunction(self.space, codes)

    def _rank(self, member: AttributeConjunction) -> Any:
        return [(j, code) for j, code in enumerate(member.codes or ()) if code != ANY]

    @cached_property
    def size(self) -> Count:
        if len(self.negatives) > LARGE:
            return self._bounds()
        left_steps = self.steps
        counts = {(1 << len(self.negatives)) - 1: 1}  # negative examples still to be differed from -> hypotheses
        for j in self._several:
            like = [0] * len(self.space.values[j])
            for number, x in enumerate(self.negatives):
                like[x[j]] |= 1 << number
            left_steps -= 2 * len(counts) * len(like)
            if left_steps < 0:
                return self._bounds()
            after: dict[int, int] = {}
            for left, count in counts.items():
                after[left] = after.get(left, 0) + count
                for same in like:
                    after[left & same] = after.get(left & same, 0) + count
            counts = after
        found = counts.get(0, 0) + 1
        return Count(found, found)

    def _bounds(self) -> Count:
        """Boole: each negative example forbids the hypotheses that keep some of its values, 2^n of them."""
        everything = self.space.count()
        forbidden = 1 << len(self._several)
        return Count(max(1, everything - forbidden * len(self.negatives)), everything - forbidden)

    def __iter__(self) -> Iterator[AttributeConjunction]:
        yield from self._members((), list(self.negatives))
        yield self.space.empty

    def _members(self, codes: tuple[int, ...], left: list[tuple[int, ...]]) -> Iterator[AttributeConjunction]:
        """Those that begin so and are not yet different from the examples left."""
        at = len(codes)
        if at == self.space.n:
            if not left:
                yield AttributeConjunction(self.space, codes)
            return
        if len({x[at:] for x in left}) == prod(map(len, self.space.values[at:])):
            return  # however it goes on, one of them is covered
        yield from self._members((*codes, ANY), left)
        if len(self.space.values[at]) > 1:
            for value in range(len(self.space.values[at])):
                yield from self._members((*codes, value), [x for x in left if x[at] == value])

    def __contains__(self, hypothesis: object) -> bool:
        if not isinstance(hypothesis, AttributeConjunction) or hypothesis.space != self.space:
            return False
        return not any(hypothesis.covers(x) for x in self.negatives)

    def label(self, x: Any) -> int | None:
        return 0 if self.space.encode(x) in self._known else None

    def vote(self, x: Any) -> Vote:
        return Vote(self._votes(self.space.encode(x)), self.size)

    def _votes(self, codes: Sequence[int]) -> Count:
        """The members that cover x keep some of its values, and one in which each negative example differs."""
        everything = sum(1 << j for j in self._several)
        differing = [sum(1 << j for j in self._several if x[j] != codes[j]) for x in self.negatives]
        return Count(*Counter(self.steps).within(differing, everything))

    def best_query(self, avoid: Collection[Any] = ()) -> Query | None:
        avoided = {tuple(x) for x in avoid}
        if self._only_nothing:
            return None
        if self.space.domain_size() <= FEW:
            return nearest_to_half(self, self.space.domain(), avoided)
        if self.space.count() <= _TABLE:
            return self._best_of_all(avoided)
        return self._good_query(avoided)

    def _best_of_all(self, avoided: set[Any]) -> Query | None:
        import numpy as np

        votes, members = self._all_votes()
        size = members + 1
        shape = [len(values) for values in self.space.values]
        distance = np.abs(2 * votes - size)
        for place in np.argsort(distance, kind="stable").tolist():
            if distance[place] == size:
                return None
            x = self.space.decode([int(code) for code in np.unravel_index(place, shape)])
            if x not in avoided:
                count = int(votes[place])
                return Query.of(x, Vote(Count(count, count), Count(size, size)))
        return None

    def _all_votes(self) -> tuple[NDArray[np.int64], int]:
        """The members that cover each instance, in the order of instances, and how many members but ∅ there are."""
        import numpy as np

        covered = np.zeros([len(values) for values in self.space.values], dtype=np.int64)
        for x in self.negatives:
            covered[x] = 1
        for axis in self._several:  # behind its values each attribute has the place of `?`
            covered = np.concatenate([covered, covered.sum(axis=axis, keepdims=True)], axis=axis)
        votes = (covered == 0).astype(np.int64)
        members = int(votes.sum())
        for axis in self._several:
            values, anything = np.split(votes, [votes.shape[axis] - 1], axis=axis)
            votes = values + anything
        return votes.ravel(), members

    def _good_query(self, avoided: set[Any]) -> Query | None:
        """An instance as unlike the negative ones as can be had attribute by attribute: most hypotheses cover it."""
        codes = []
        for j, values in enumerate(self.space.values):
            met = [x[j] for x in self.negatives]
            codes.append(min(range(len(values)), key=met.count))
        x = self.space.decode(codes)
        if tuple(codes) in self._known or x in avoided:
            fresh = (y for y in self.space.domain() if self.space.encode(y) not in self._known and y not in avoided)
            found = next(fresh, None)
            if found is None:
                return None
            x = found
        return Query.of(x, self.vote(x), best=False)
