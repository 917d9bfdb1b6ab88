"""The course of a hunt of a flaky command whose rates of failure nobody has stated.

All flags on are run until failures are seen, all off until it is seen that they are rarer.  Then one culprit is looked
for by the posterior of `theory/noisy_search.py`, until the likeliest flag is the only one with the stated probability.
If one culprit does not explain the runs, the hunt goes on as `Course` goes, with the rates that were estimated.
"""

from __future__ import annotations

import random
from math import ceil, log, log2, sqrt

from mistakebound.core.errors import CannotTell, FailsWithoutFlags, NothingToHunt
from mistakebound.core.labels import Labels
from mistakebound.core.ledger import Ledger, Verdict
from mistakebound.hunting.course import Course
from mistakebound.hunting.decisions import Decisions
from mistakebound.hunting.result import Hunt
from mistakebound.theory.noisy_search import NoisyPosterior, capacity, log_bad, log_good, log_same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mistakebound.hunting.result import Run

_FAILS, _PASSES = 2, 6  # with all on, and all off, before the search
_ESTIMATE, _CLOSE = 24, 0.25  # runs of each where the rates are needed, and their errors as a part of the difference
_MOST_ESTIMATE = 192  # runs of each, however large their errors are
_BAD_ALONE, _GOOD_WITHOUT = 5.0, 1.5  # times the error, for what the runs of the two claims alone must show
_LOOK = 64  # runs after which it is looked again whether the rates are as estimated
_RARE = 0.1  # failures of bad sets that are rarer than this may be missed
_MOST_RUNS = 400  # that look for a difference between all on and all off
_LEAST, _LONGEST = 40, 10.0  # runs, and times as long as information theory allows: then there is not one culprit


class FlakyCourse(Course):
    """From the rates to one culprit, and to a `Course` if there are more."""

    def __init__(
        self,
        flags: list[str],
        confidence: float,
        further: Callable[[Decisions], Course],
        prior: Sequence[float] | None = None,
    ) -> None:
        super().__init__(flags, "auto", None, True, Decisions(len(flags), None, 0.1, 0.1), confidence)
        self._further = further
        self._inner: Course | None = None
        self._posterior = NoisyPosterior(len(flags), prior)
        self._full = (1 << len(flags)) - 1
        self._error = 1 - confidence
        self._untold: set[int] = set()
        self._ledger = Ledger(Labels())
        self._is_refuted = False  # that there is one culprit
        self._estimate = _ESTIMATE
        self._is_over = False

    # What has been run

    def _note(self, on: int, answer: str, *known: object) -> Run:
        if self._inner is not None:
            return self._inner._note(on, answer, *known)
        run = super()._note(on, answer, *known)
        if answer == "cannot tell":
            self._untold.add(on)
        elif answer in ("bad", "good"):
            self._take(on, answer == "bad")
        return run

    def _take(self, on: int, bad: bool) -> None:
        chance = self._posterior.chance(on)
        purpose = "assumption" if on in (0, self._full) else "verification" if on in self._claims() else "search"
        self._asked[purpose] = self._asked.get(purpose, 0) + 1
        self._ledger.record(int(bad), int(chance >= 0.5))
        self._posterior.record(on, bad)

    def _counts(self, on: int) -> tuple[int, int]:
        passes, fails = self._posterior.counts.get(on, (0, 0))
        return passes, fails

    # Where it stands

    def advance(self) -> None:
        if self._inner is None:
            self._check_rates()
            self._is_refuted = self._is_refuted or self._one_is_unlikely()
            if not self._rates_wanted():
                if self._is_refuted:
                    self._hand_over()
                else:
                    self._is_over = self._posterior.certainty() >= 1 - self._error and not self._unseen_claims()
        if self._inner is not None:
            self._inner.advance()
            if len(self.history) % _LOOK == 0 and self._estimate < _MOST_ESTIMATE and self._inner._decisions.doubts():
                self._inner = None  # with better rates the same runs are judged anew
                self._estimate = 2 * min(sum(self._counts(self._full)), sum(self._counts(0)))

    def _check_rates(self) -> None:
        (on_passes, on_fails), (off_passes, off_fails) = self._counts(self._full), self._counts(0)
        if self._full in self._untold or 0 in self._untold:
            raise CannotTell("the command cannot tell with all flags on, or with all off; with --confidence it must")
        if not on_fails and on_passes >= ceil(log(self._error) / log(1 - _RARE)):
            raise NothingToHunt(f"with all flags on the command was good in all of {on_passes} runs")
        is_alike = log_same((on_passes, on_fails), (off_passes, off_fails)) >= 0
        if is_alike and on_passes + on_fails + off_passes + off_fails >= _MOST_RUNS:
            raise CannotTell(
                f"all flags on failed in {on_fails} of {on_fails + on_passes} runs, all off in {off_fails} of"
                f" {off_fails + off_passes}: too much alike to hunt"
            )
        if off_fails and log_same((on_passes, on_fails), (off_passes, off_fails)) >= -log(self._error):
            raise FailsWithoutFlags("the command fails as often with all flags off: no flag is the cause")
        if off_fails >= _PASSES and not off_passes:
            raise FailsWithoutFlags("the command is bad with all flags off: no flag is the cause")

    def _rates_wanted(self) -> list[int]:
        """All on, or all off, where their rates are not known well enough."""
        on, off = self._counts(self._full), self._counts(0)
        if on[1] < _FAILS:
            return [self._full]
        if sum(off) < _PASSES:
            return [0] * (_PASSES - sum(off))
        if (off[1] and log_same(on, off) > 0) or (self._is_refuted and self._estimates_wanted()):
            return [self._full, 0] if sum(on) <= sum(off) else [0, self._full]
        return []

    def _errors(self) -> tuple[float, float]:
        """The standard errors of the rates of all off, and all on."""
        rates = zip(self._ends(), (0, self._full), strict=True)
        low, high = (sqrt(rate * (1 - rate) / sum(self._counts(which))) for rate, which in rates)
        return low, high

    def _estimates_wanted(self) -> bool:
        """Whether the rates are needed and may still be far off."""
        fewest, (low, high) = min(sum(self._counts(self._full)), sum(self._counts(0))), self._ends()
        if fewest < self._estimate:
            return True
        return fewest < _MOST_ESTIMATE and sum(self._errors()) > _CLOSE * (high - low)

    def _one_is_unlikely(self) -> bool:
        """Whether there are several culprits, or the likeliest cannot be told from others, or it takes too long."""
        low, high = self._ends()
        surely = max(low, high - sqrt(high * (1 - high) / max(1, sum(self._counts(self._full)))))
        enough = _LEAST + _LONGEST * log2(self._n) / max(0.02, capacity(low, surely))
        if self._asked.get("search", 0) + self._asked.get("verification", 0) > enough:
            return True
        return not self._untold.isdisjoint(self._claims()) or self._posterior.has_several()

    def _claims(self) -> tuple[int, int]:
        """The likeliest flag alone, which must be bad, and all without it, which must be good."""
        flag = 1 << self._posterior.likeliest()
        return flag, self._full ^ flag

    def _unseen_claims(self) -> list[int]:
        """Sets to run as long as their own runs do not show the claims.

        The posterior knows pairs of culprits, not three or more of them: these runs tell one from any number.
        """
        flag, others = self._claims()
        if not others:  # the only flag: all on and all off were run already
            return []
        bad, good = self._pooled(flag)
        found = []
        for on, sign, share in ((flag, 1, _BAD_ALONE), (others, -1, _GOOD_WITHOUT)):
            runs = self._counts(on)
            if sign * (log_bad(runs, bad) - log_good(runs, good)) < -log(min(0.5, share * self._error)):
                found.append((sum(runs), on))
        if found:  # and the rates must be known as well as what is judged by them
            found += [(sum(bad), self._full), (sum(good), 0)]
        return [on for _, on in sorted(found)]

    def _pooled(self, flag: int) -> tuple[list[int], list[int]]:
        """Passes and fails of the sets with a flag, and of those without it, the claims left out."""
        bad, good = [0, 0], [0, 0]
        for on, counts in self._posterior.counts.items():
            if on not in (flag, self._full ^ flag):
                pool = bad if on & flag else good
                pool[0] += counts[0]
                pool[1] += counts[1]
        return bad, good

    def _hand_over(self) -> None:
        """With the rates of all on and all off, each of them worse by its standard error."""
        low, high = self._ends()
        shifts = self._errors()
        middle = (low + high) / 2
        decisions = Decisions(
            self._n, self._confidence, min(middle - 0.01, low + shifts[0]), 1 - max(middle + 0.01, high - shifts[1])
        )
        decisions.believe(self._full, True)
        decisions.believe(0, False)
        self._inner = self._further(decisions)
        for run in self.history:
            mask = self._mask(run.on)
            self._inner._note(mask, run.answer, run.seconds, run.exit_status, run.output)
        self.history = self._inner.history

    def _ends(self) -> tuple[float, float]:
        """How often all off fails, and all on."""
        low, high = ((fails + 0.5) / (passes + fails + 1) for passes, fails in map(self._counts, (0, self._full)))
        return low, high

    def _mask(self, names: frozenset[str]) -> int:
        return sum(1 << number for number, name in enumerate(self.flags) if name in names)

    # What comes next

    def wanted(self, jobs: int) -> list[int]:
        if self._inner is not None:
            return self._inner.wanted(jobs)
        if self._is_over:
            return []
        found = self._rates_wanted()
        if found:
            return (found * jobs)[:jobs]
        if self._posterior.certainty() >= 1 - self._error:
            return (self._unseen_claims() * jobs)[:jobs]
        number = len(self.history)
        for ahead in range(2 * jobs):
            order = list(range(self._n))
            random.Random(f"{number} {ahead}").shuffle(order)
            searched = self._posterior.best_set(self._posterior.by_weight(order))
            sets = [searched]
            if self._posterior.is_likely():
                sets = [*self._claims(), searched, self._full, 0]
            told = [on for on in sets if on not in self._untold]
            if told:
                found.append(max(told, key=self._posterior.tells) if len(told) > 1 else told[0])
        return found[:jobs] or [1 << self._posterior.likeliest()]

    def bits(self) -> float:
        return self._posterior.bits() if self._inner is None else self._inner.bits()

    def to_go(self) -> int:
        if self._inner is not None:
            return self._inner.to_go()
        if self._is_over:
            return 0
        return max(1, round(self.bits() / max(1e-3, capacity(*self._posterior.rates()))))

    # What it came to

    def result(self, ended_by: str | None = None) -> Hunt:
        low, high = self._posterior.rates() if self._inner is None else self._ends()
        note = f"bad sets fail in about {100 * high:.0f} % of their runs, good ones in {100 * low:.0f} %"
        if self._inner is not None:
            found = self._inner.result(ended_by)
            found.notes += (note,)
            if found.verdict.kind != "ended" and self._inner._decisions.doubts():
                found.verdict = Verdict(
                    "unverified", f"{found.verdict}; the rates are not as estimated: it may be wrong"
                )
            return found
        culprit = self.flags[self._posterior.likeliest()]
        said = f"given all runs, it is the only culprit with probability {self._posterior.certainty():.4f}"
        if not self._is_over:
            likely = f"the likeliest culprit is {culprit}, with probability {self._posterior.certainty():.2f}"
            said = f"ended after {ended_by}; {likely if self._posterior.has_failed() else 'no run was bad yet'}"
            return Hunt(
                flags=tuple(self.flags), culprits=(), kind="one", sets=(), complete=False,
                verdict=Verdict("ended", said), contradiction=(), history=tuple(self.history), asked=self._asked,
                ledger=self._ledger, confidence=self._confidence, notes=(note,),
            )  # fmt: skip
        return Hunt(
            flags=tuple(self.flags), culprits=(culprit,), kind="any", sets=(frozenset({culprit}),), complete=True,
            verdict=Verdict("confirmed", said), contradiction=(),
            history=tuple(self.history), asked=self._asked, ledger=self._ledger, confidence=self._confidence,
            notes=(note,),
        )  # fmt: skip
