"""The course of a hunt of a flaky command whose rates of failure nobody has stated.

All flags on are run until failures are seen, all off until it is seen that they are rarer.  Then a guess is made:

1. one culprit is looked for by the posterior of `theory/noisy_search.py`;
2. several of them by that of `theory/noisy_sets.py`, if one does not explain the runs;
3. what is neither any nor all as `Course` does it, with the rates that were estimated.

A guess needs no guarantee: it is claimed only if further runs prove it (`hunting/claims.py`), with the stated error
whatever the rates are.  If they speak against it, the search goes on, with these runs too.
"""

from __future__ import annotations

import random
from math import log2

from mistakebound.core.errors import CannotTell
from mistakebound.core.ledger import Verdict
from mistakebound.hunting.claims import Trials, culprits_claim, minimal_claim
from mistakebound.hunting.course import Course
from mistakebound.hunting.decisions import Decisions
from mistakebound.hunting.flaky_rates import EndRates
from mistakebound.hunting.flaky_sure import SureSearch
from mistakebound.hunting.result import Hunt, shown
from mistakebound.hunting.state import numbers_of
from mistakebound.theory.group_testing import log2_choose
from mistakebound.theory.noisy_search import NoisyPosterior, capacity
from mistakebound.theory.noisy_sets import NoisySets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mistakebound.hunting.claims import Claim
    from mistakebound.hunting.reduction import Structure
    from mistakebound.hunting.result import Run

_LIKELY, _DOUBTED = 0.7, 0.4  # the weight of a guess that is tried to be proved, and at which that is given up
_LEAST, _LONGEST = 40, 10.0  # runs, and times as long as information theory allows: then there is not one culprit
_LONG = 150  # runs after which all on and all off must be seen to differ, if it may be that no flag matters
_UNLIKELY = 0.01  # the weight of that, below which it is not asked
_MOST_RUNS = 2000  # that look for one culprit, or for several
_MOST_CLAIMS = 8  # of several culprits, none of which could be proved
_ONE, _SEVERAL, _NEITHER = range(3)  # what is looked for


class FlakyCourse(Course):
    """From the rates to a guess, and from a guess to its proof."""

    def __init__(
        self,
        flags: list[str],
        confidence: float,
        further: Callable[[Decisions], Course],
        prior: Sequence[float] | None = None,
        *,
        kind: str = "auto",
        k: int | None = None,
        one: bool = False,
        structure: Structure | None = None,
    ) -> None:
        n = len(flags)
        super().__init__(flags, kind, k, True, Decisions(n, None, 0.1, 0.1), confidence, one, structure)
        self._posterior = NoisyPosterior(n, prior)
        self._sets = NoisySets(self._posterior, ("any", "all") if kind == "auto" else (kind,))
        self._full = (1 << n) - 1
        self._rates = EndRates(self._full, 1 - confidence, self._posterior.counts)
        self._trials = Trials(1 - confidence)
        self._sure = SureSearch(n, self._rates, further, structure)
        self._untold: set[int] = set()
        self._looks_for = _ONE if structure is None else _NEITHER
        self._since = 0  # runs before that was looked for
        self._claim: Claim | None = None
        self._claims: list[Claim] = []
        self._is_over = False
        self._gave_up = ""

    # What has been run

    def _note(self, on: int, answer: str, *known: object) -> Run:
        run = super()._note(on, answer, *known)
        if answer == "cannot tell":
            self._untold.add(on)
        elif answer in ("bad", "good"):
            self._take(on, answer == "bad")
        self._sure.note(on, answer, *known)
        return run

    def _take(self, on: int, bad: bool) -> None:
        purpose = "verification" if self._claim is not None and on in self._claim.runs else "search"
        if purpose == "search" and on in (0, self._full):
            purpose = "assumption"
        self._asked[purpose] = self._asked.get(purpose, 0) + 1
        self._ledger.record(int(bad), int(self._posterior.chance(on) >= 0.5))
        self._posterior.record(on, bad)
        self._trials.record(on, bad)

    # Where it stands

    def advance(self) -> None:
        if self._is_over:
            return
        if self._full in self._untold or 0 in self._untold:
            raise CannotTell("the command cannot tell with all flags on, or with all off; with --confidence it must")
        self._rates.check()
        self._claim = None if self._ends_wanted() else self._guess()
        if self._claim is not None:
            if self._claim not in self._claims:
                self._claims.append(self._claim)
                self._trials.make(self._claim, *self._pooled(self._claim), self._weight())
            self._is_over = self._trials.is_proved(self._claim)

    def _ends_wanted(self) -> list[int]:
        """All on and all off, as long as it may be that no flag matters."""
        none = self._posterior.none()
        is_open = self._looks_for != _ONE or none > _UNLIKELY
        is_long = is_open and len(self.history) > _LONG and not self._rates.are_apart()
        if is_long or (self._looks_for != _NEITHER and none > 0.5):
            return self._rates.fewer()
        return self._rates.wanted()

    def _guess(self) -> Claim | None:
        """What is tried to be proved now; None while it is looked for."""
        if self._looks_for == _ONE:
            if not self._one_is_unlikely():
                return self._if_likely(self._posterior.share(), "any", 1 << self._posterior.likeliest())
            self._look_for(_SEVERAL)
        if self._looks_for == _SEVERAL:
            top = self._sets.likeliest()
            claim = self._if_likely(top.weight, top.kind, top.flags)
            if not self._several_is_unlikely(claim):
                return claim
            self._look_for(_NEITHER)
        claim = self._sure.guess(self._trials)
        if self._sure.gave_up or (claim is not None and not self._untold.isdisjoint(claim.runs)):
            self._gave_up = self._sure.gave_up or "the command cannot tell for a set that would prove it"
            self._is_over = True
            return None
        return claim

    def _look_for(self, what: int) -> None:
        self._looks_for, self._since = what, len(self.history)

    def _if_likely(self, weight: float, kind: str, flags: int) -> Claim | None:
        """The claim that these are the culprits, if it is worth its runs."""
        numbers = numbers_of(flags)
        if self._one:  # the first of them, or all together
            claim = minimal_claim("one", (flags if kind == "all" else 1 << numbers[0],))
        else:
            claim = culprits_claim("any" if len(numbers) == 1 else kind, numbers, self._n)
        return claim if weight >= (_DOUBTED if claim == self._claim else _LIKELY) else None

    def _weight(self) -> float:
        """How likely the claim is that was made just now."""
        if self._looks_for == _NEITHER:
            return self._sure.likely()
        return self._posterior.share() if self._looks_for == _ONE else self._sets.likeliest().weight

    def _pooled(self, claim: Claim) -> tuple[list[int], list[int]]:
        """Passes and fails of the sets that are bad if the claim is right, and of those that are good."""
        bad, good = [0, 0], [0, 0]
        for on, counts in self._posterior.counts.items():
            pool = bad if claim.is_bad(on) else good
            pool[0] += counts[0]
            pool[1] += counts[1]
        return bad, good

    def _one_is_unlikely(self) -> bool:
        """Whether there are several culprits, or the likeliest cannot be told from others, or it takes too long."""
        flag = 1 << self._posterior.likeliest()
        if not self._untold.isdisjoint((flag, self._full ^ flag)) or self._posterior.has_several():
            return True
        return self._takes_too_long(log2(self._n))

    def _several_is_unlikely(self, claim: Claim | None) -> bool:
        if claim is not None and not self._untold.isdisjoint(claim.runs):
            return True
        if len(self._claims) >= _MOST_CLAIMS and claim not in self._claims:
            return True
        k = self._sets.likeliest().flags.bit_count()
        return self._takes_too_long(log2_choose(self._n, k) + 5 * k)

    def _takes_too_long(self, bits: float) -> bool:
        most = min(_MOST_RUNS, _LEAST + _LONGEST * bits / self._rates.least_capacity())
        return len(self.history) - self._since > most

    # What comes next

    def wanted(self, jobs: int) -> list[int]:
        if self._is_over:
            return []
        found = self._ends_wanted()
        if found:
            return (found * jobs)[:jobs]
        if self._claim is not None:
            return self._trials.wanted(self._claim, jobs)
        if self._looks_for == _NEITHER:
            return self._sure.wanted(jobs)
        found = []
        for ahead in range(2 * jobs):
            on = self._next_set(random.Random(f"{len(self.history)} {ahead}"))
            if on not in self._untold:
                found.append(on)
            if len(found) == jobs:
                break
        return found or [self._next_set(random.Random(len(self.history)))]

    def _next_set(self, draw: random.Random) -> int:
        if self._looks_for == _SEVERAL:
            return self._sets.best_set(draw)
        order = list(range(self._n))
        draw.shuffle(order)
        searched = self._posterior.best_set(self._posterior.by_weight(order))
        if not self._posterior.is_likely():
            return searched
        flag = 1 << self._posterior.likeliest()
        sets = (flag, self._full ^ flag, searched, self._full, 0)
        return max((on for on in sets if on not in self._untold), key=self._posterior.tells, default=searched)

    def bits(self) -> float:
        if self._looks_for == _NEITHER:
            return self._sure.bits()
        return self._posterior.bits() if self._looks_for == _ONE else self._sets.bits()

    def to_go(self) -> int:
        if self._is_over:
            return 0
        if self._looks_for == _NEITHER and self._claim is None:
            return self._sure.to_go()
        told = max(1e-3, capacity(*self._posterior.rates()))
        return max(1, round(self.bits() / told) + round(self._trials.to_go(self._claim, told)))

    # What it came to

    def result(self, ended_by: str | None = None) -> Hunt:
        low, high = self._posterior.rates() if self._looks_for == _ONE else self._rates.rates()
        note = f"bad sets fail in about {100 * high:.0f} % of their runs, good ones in {100 * low:.0f} %"
        claim = self._claim if self._is_over else None
        found = self._found_surely(claim, ended_by) if self._looks_for == _NEITHER else self._found(claim, ended_by)
        found.notes += (note,)
        return found

    def _found_surely(self, claim: Claim | None, ended_by: str | None) -> Hunt:
        found = self._sure.result(ended_by)
        found.asked, kind = self._asked, found.verdict.kind
        if claim is not None:
            kind = "confirmed" if kind == "unverified" else kind
            found.verdict = Verdict(kind, f"{self._proved(claim)} ({found.verdict})")
        elif self._is_over:
            kind = kind if kind in ("refuted", "cannot tell") else "unverified"
            found.verdict = Verdict(kind, f"not proved: {self._gave_up} ({found.verdict})")
        elif kind != "ended":
            found.verdict = Verdict("ended", f"ended after {ended_by}; not proved yet")
        return found

    def _found(self, claim: Claim | None, ended_by: str | None) -> Hunt:
        sets = () if claim is None else claim.sets
        culprits = tuple(name for number, name in enumerate(self.flags) if any(one >> number & 1 for one in sets))
        notes: tuple[str, ...] = ()
        if claim is not None and claim.complete and self._k not in (None, len(culprits)):
            notes = (f"the number of culprits is not {self._k}, as was assumed",)
        return Hunt(
            flags=tuple(self.flags), culprits=culprits, kind="one" if claim is None else claim.kind,
            sets=tuple(map(self.names, sets)), complete=claim is not None and claim.complete,
            verdict=Verdict("ended", f"ended after {ended_by}; {self._likeliest()}") if claim is None
            else Verdict("confirmed" if claim.complete else "minimal", self._proved(claim)),
            contradiction=(), history=tuple(self.history), asked=self._asked, ledger=self._ledger,
            confidence=self._confidence, notes=notes,
        )  # fmt: skip

    def _proved(self, claim: Claim) -> str:
        """The runs that prove a claim, in words."""
        said = []
        for side in (0, 1):
            counts = [self._trials.counts(claim, on) for on in {pair[side] for pair in claim.pairs}]
            said.append(f"{sum(fails for _, fails in counts)} of {sum(map(sum, counts))}")
        first, second = said
        if claim.kind == "any" and len(claim.sets) == 1:
            return f"proved: alone it failed in {first} runs, all other flags together in {second}"
        return f"proved: the bad sets failed in {first} further runs, the good ones in {second}"

    def _likeliest(self) -> str:
        if not self._posterior.has_failed():
            return "no run was bad yet"
        if self._looks_for == _ONE:
            culprit, weight = self.flags[self._posterior.likeliest()], self._posterior.certainty()
            return f"the likeliest culprit is {culprit}, with probability {weight:.2f}"
        top = self._sets.likeliest()
        names = shown([self.flags[number] for number in numbers_of(top.flags)])
        how = "any of them" if top.kind == "any" else "all of them together"
        return f"the likeliest culprits are {names}, {how}, with probability {top.weight:.2f}"
