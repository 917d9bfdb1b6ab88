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

    from mistakebound.hunting.preferences import Preferences
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
        known: Preferences | None = None,
    ) -> None:
        if order is None:
            order = range(prior.n) if known is None else known.order
        n, k = len(order), prior.k
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
        self.n = n
        self.kind = kind
        self.found = found
        self.stuck = tries > OTHER_SETS
        self._order = order
        self._place = place
        self._dirty = dirty
        self._tries = tries
        self._known = known
        self._size = 0
        self._chance = 0.0
        if self.left and not self.stuck:
            most = dirty - 1 if dirty else self.left
            self._size, self._chance = prior.best_size(len(found), *self._open())
            if known is not None:
                flags = order[place : place + most]
                self._size = known.best(flags, most, self._size, self._hit, self._tested)
            if tries:
                self._size = another_size(self._size, most, tries)
            if tries or known is not None:
                self._chance = self._hit(self._size)

    def _count(self, flags: int) -> int:
        """What the next flags count in the prior."""
        return flags if self._known is None else self._known.count(self._order[self._place : self._place + flags])

    def _open(self) -> tuple[int, int]:
        """What the flags that are left count in the prior, and the dirty ones."""
        return self._count(self.left), self._count(self._dirty)

    def _hit(self, size: int) -> float:
        """The probability that the next flags, so many, hold a culprit."""
        return self.prior.hit(len(self.found), *self._open(), self._count(size))

    def _tested(self, size: int) -> int:
        """The set that is run to test so many flags."""
        tested = bits_of(self._order[: self._place + size], self.n) & ~bits_of(self.found, self.n)
        return tested if self.kind == "any" else ((1 << self.n) - 1) ^ tested

    @property
    def left(self) -> int:
        """Flags of which nothing is known."""
        return self.n - self._place

    @property
    def _region(self) -> int:
        return self._dirty or self.left

    @property
    def question(self) -> Question | None:
        if not self._size:
            return None
        n = self.n
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
            tries = self._tries + 1
            return Search(self.prior, self.kind, order, self._place, self._dirty, self.found, tries, self._known)
        place, dirty = self._place, self._size
        if bad != (self.kind == "any"):  # none of them is a culprit
            place, dirty = place + self._size, max(0, self._dirty - self._size)
        return Search(self.prior, self.kind, self._order, place, dirty, self.found, known=self._known)

    def bits(self) -> float:
        return self.prior.bits(len(self.found), *self._open()) if self.left else 0.0

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
        known: Preferences | None = None,
    ) -> None:
        from mistakebound.theory.group_testing import FirstCulprit

        self.prior = prior
        self._first = FirstCulprit(prior)
        if order is None:
            order = range(prior.n) if known is None else known.order
        self._order: Sequence[int] = order
        self.n = len(order)
        self._good = good  # it is good with so many on,
        self._bad = self.n if bad is None else bad  # and bad with so many
        self._tries = tries
        self._known = known
        self._end, self._chance = self._bad, 1.0
        if self._bad - good > 1:
            self._end, self._chance = self._first.best_end(self._count(good), self._count(self._bad))
            if known is not None:
                flags, target = order[good : self._bad], self._end - self._count(good)
                self._end = good + known.best(flags, len(flags) - 1, target, self._fails_at, self._on)
                self._chance = self._fails_at(self._end - good)
            if tries:
                self._end = good + another_size(self._end - good, self._bad - good - 1, tries)

    def _count(self, flags: int) -> int:
        """What the first flags count in the prior."""
        return flags if self._known is None else self._known.count(self._order[:flags])

    def _on(self, size: int) -> int:
        return bits_of(self._order[: self._good + size], self.n)

    def _fails_at(self, size: int) -> float:
        """The probability that it fails with so many flags more than those with which it is good."""
        return self._first.chance(*map(self._count, (self._good, self._good + size, self._bad)))

    @property
    def _single(self) -> bool:
        return self._bad - self._good == 1

    @property
    def question(self) -> Question:
        n = self.n
        if self._single:
            alone = bits_of((self._order[self._good],), n)
            return Question(alone, self._alone_is_bad(), "kind")
        return Question(bits_of(self._order[: self._end], n), self._chance, "search")

    def _alone_is_bad(self) -> float:
        """P(any suffices, or there is one culprit only)."""
        before, until, all_flags = map(self._count, (self._good, self._bad, self.n))
        after = all_flags - until
        whole = self.prior.log_weight(1, after)
        if whole == -inf:  # too few flags after it for the k that was said
            return 0.0
        other = self.prior.share(1, before, whole)
        single = self.prior.share(1, 0, whole)
        return 1.0 - (other - single) / (1.0 + other)

    def after(self, bad: bool | None) -> Stage:
        prior, order, known = self.prior, self._order, self._known
        if bad is None:
            if self._single:  # the flag alone cannot be told: "all" is right for every monotone command,
                return self._all_of(0)
            if self._tries == OTHER_SETS:  # and leaves more sets to choose from
                return Search(prior, "all", order[::-1], self.n - self._bad, self._bad - self._good, known=known)
            order = turned(order, self._good, self._bad, self._end - self._good)
            return FirstSearch(prior, order, self._good, self._bad, self._tries + 1, known)
        if not self._single:
            good, end = (self._good, self._end) if bad else (self._end, self._bad)
            if end == 1:  # the first flag alone is bad
                return Search(prior, "any", order, 1, 0, (order[0],), known=known)
            return FirstSearch(prior, order, good, end, known=known)
        if bad:
            return Search(prior, "any", order, self._bad, 0, (order[self._good],), known=known)
        return self._all_of(self._good)

    def _all_of(self, dirty: int) -> Search:
        """The other culprits are before this one; those flags are taken from the last on."""
        order = self._order[::-1]
        found = (self._order[self._good],)
        return Search(self.prior, "all", order, self.n - self._good, dirty, found, known=self._known)

    def bits(self) -> float:
        return self._first.bits(self._count(self._good), self._count(self._bad))

    def expected(self) -> float:
        return 1.06 * self.bits() + 1.5
