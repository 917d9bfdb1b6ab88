"""Halving under the prior: the next set is the one whose answer is as open as can be (monotone disjunctions).

Flags are taken in one order.  Of those before `place` the culprits are known, `found`; the `dirty` next ones are known
to hold one.  If any culprit suffices ("any") the flags on are those before some place in the order, without the ones
found: bad means that there is one among the new ones.  If it takes all ("all") the same flags are off instead, and good
means that one of them is missed.

What is known to be innocent stays as it was in the run that showed it (on for "any", off for "all").  So what is
concluded from an answer has been seen in a run, and for "all" the result is a minimal failing set of any monotone
command, whether or not it takes all.
"""

from __future__ import annotations

from math import inf

from mistakebound.hunting.state import OTHER_SETS, Question, Stage, another_size, bits_of, turned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from mistakebound.theory.group_testing import CulpritPrior


class Search(Stage):
    """Finds all culprits, one after the other."""

    def __init__(
        self,
        prior: CulpritPrior,
        kind: str,
        order: Sequence[int] | None = None,
        place: int = 0,
        dirty: int = 0,
        found: tuple[int, ...] = (),
        tries: int = 0,
    ) -> None:
        n, k = prior.n, prior.k
        if order is None:
            order = range(n)
        while True:
            left = n - place
            if dirty == 1 or (not found and left == 1) or (k is not None and 0 < left == k - len(found)):
                found, place, dirty = (*found, order[place]), place + 1, 0
            elif k is not None and len(found) == k:
                place = n
            else:
                break
            if place >= n:
                break
        self.prior = prior
        self.kind = kind
        self.found = found
        self.stuck = tries > OTHER_SETS
        self._order = order
        self._place = place
        self._dirty = dirty
        self._tries = tries
        self._size = 0
        self._chance = 0.0
        if self.left and not self.stuck:
            self._size, self._chance = prior.best_size(len(found), self.left, dirty)
            if tries:
                self._size = another_size(self._size, dirty - 1 if dirty else self.left, tries)
                self._chance = prior.hit(len(found), self.left, dirty, self._size)

    @property
    def left(self) -> int:
        """Flags of which nothing is known."""
        return self.prior.n - self._place

    @property
    def _region(self) -> int:
        return self._dirty or self.left

    @property
    def question(self) -> Question | None:
        if not self._size:
            return None
        n = self.prior.n
        tested = bits_of(self._order[: self._place + self._size], n) & ~bits_of(self.found, n)
        if self._tries > 1:  # innocent flags make another set of it, too
            innocent = [flag for flag in self._order[: self._place] if flag not in self.found]
            tested &= ~bits_of(innocent[: self._tries - 1], n)
        if self.kind == "any":
            return Question(tested, self._chance, "search")
        return Question(((1 << n) - 1) ^ tested, 1 - self._chance, "search")

    def after(self, bad: bool | None) -> Search:
        if bad is None:
            order = turned(self._order, self._place, self._place + self._region, self._size % self._region)
            return Search(self.prior, self.kind, order, self._place, self._dirty, self.found, self._tries + 1)
        place, dirty = self._place, self._size
        if bad != (self.kind == "any"):  # none of them is a culprit
            place, dirty = place + self._size, max(0, self._dirty - self._size)
        return Search(self.prior, self.kind, self._order, place, dirty, self.found)

    def bits(self) -> float:
        return self.prior.bits(len(self.found), self.left, self._dirty) if self.left else 0.0

    def expected(self) -> float:
        return 1.06 * self.bits() + (1 if self._size else 0) * 0.5


class FirstSearch(Stage):
    """Finds a first culprit and which kind it is, for at most about two runs more than knowing.

    Turning flags on in their order, runs become bad at one place, for any monotone command: at the first culprit, if
    any suffices, at the last one, if it takes all.  Then that flag is run alone.
    """

    def __init__(
        self,
        prior: CulpritPrior,
        order: Sequence[int] | None = None,
        good: int = 0,
        bad: int | None = None,
        tries: int = 0,
    ) -> None:
        from mistakebound.theory.group_testing import FirstCulprit

        self.prior = prior
        self._first = FirstCulprit(prior)
        self._order: Sequence[int] = range(prior.n) if order is None else order
        self._good = good  # it is good with so many on,
        self._bad = prior.n if bad is None else bad  # and bad with so many
        self._tries = tries
        self._end, self._chance = self._bad, 1.0
        if self._bad - good > 1:
            self._end, self._chance = self._first.best_end(good, self._bad)
            if tries:
                self._end = good + another_size(self._end - good, self._bad - good - 1, tries)

    @property
    def _single(self) -> bool:
        return self._bad - self._good == 1

    @property
    def question(self) -> Question:
        n = self.prior.n
        if self._single:
            alone = bits_of((self._order[self._good],), n)
            return Question(alone, self._alone_is_bad(), "kind")
        return Question(bits_of(self._order[: self._end], n), self._chance, "search")

    def _alone_is_bad(self) -> float:
        """P(any suffices, or there is one culprit only)."""
        after, before = self.prior.n - self._bad, self._good
        whole = self.prior.log_weight(1, after)
        if whole == -inf:  # too few flags after it for the k that was said
            return 0.0
        other = self.prior.share(1, before, whole)
        single = self.prior.share(1, 0, whole)
        return 1.0 - (other - single) / (1.0 + other)

    def after(self, bad: bool | None) -> Stage:
        prior, order = self.prior, self._order
        if bad is None:
            if self._single:  # the flag alone cannot be told: "all" is right for every monotone command,
                return self._all_of(0)
            if self._tries == OTHER_SETS:  # and leaves more sets to choose from
                return Search(prior, "all", order[::-1], prior.n - self._bad, self._bad - self._good)
            order = turned(order, self._good, self._bad, self._end - self._good)
            return FirstSearch(prior, order, self._good, self._bad, self._tries + 1)
        if not self._single:
            good, end = (self._good, self._end) if bad else (self._end, self._bad)
            if end == 1:  # the first flag alone is bad
                return Search(prior, "any", order, 1, 0, (order[0],))
            return FirstSearch(prior, order, good, end)
        if bad:
            return Search(prior, "any", order, self._bad, 0, (order[self._good],))
        return self._all_of(self._good)

    def _all_of(self, dirty: int) -> Search:
        """The other culprits are before this one; those flags are taken from the last on."""
        order = self._order[::-1]
        return Search(self.prior, "all", order, self.prior.n - self._good, dirty, (self._order[self._good],))

    def bits(self) -> float:
        return self._first.bits(self._good, self._bad)

    def expected(self) -> float:
        return 1.06 * self.bits() + 1.5
