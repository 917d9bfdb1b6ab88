"""The last way to a guess for a flaky command: search as if it were sure, each set run until a test decides.

The test has the rates that were estimated.  Its error is not the stated one: what it comes to is a guess that is proved
afterwards, and one that the proof refutes is made anew with a tenth of the error.
"""

from __future__ import annotations

from math import log

from mistakebound.hunting.claims import all_sets_claim, culprits_claim, minimal_claim
from mistakebound.hunting.decisions import Decisions
from mistakebound.hunting.minimal_sets import MinimalSets
from mistakebound.hunting.state import bits_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.hunting.claims import Claim, Trials
    from mistakebound.hunting.course import Course
    from mistakebound.hunting.flaky_rates import EndRates
    from mistakebound.hunting.reduction import Structure
    from mistakebound.hunting.result import Hunt

_ESTIMATE = 24  # runs with all on, and all off, before it begins
_LOOK = 64  # runs after which it is looked again whether the rates are as estimated
_ERROR = 0.2  # of the first guess
_AGAINST = 4.0  # the log-likelihood at which the runs speak against a guess
_MOST_GUESSES = 4
_MOST_ROUNDS = 400  # runs of each set of a guess, after which it is given up


class SureSearch:
    """A `Course` that is begun anew when the rates were estimated badly, or when its result was refuted."""

    def __init__(
        self, n: int, rates: EndRates, further: Callable[[Decisions], Course], structure: Structure | None
    ) -> None:
        self._n = n
        self._rates = rates
        self._further = further
        self._structure = structure
        self._inner: Course | None = None
        self._noted: list[tuple[Any, ...]] = []
        self._estimate = _ESTIMATE
        self._error = _ERROR
        self._refuted: set[Claim] = set()
        self._claim: Claim | None = None
        self.gave_up = ""

    def note(self, *run: Any) -> None:
        self._noted.append(run)
        if self._inner is not None:
            self._inner._note(*run)

    def guess(self, trials: Trials) -> Claim | None:
        """What the search came to; None while it searches, or has given up."""
        if self._claim is not None and not self._is_refuted(self._claim, trials):
            return self._claim
        self._claim = None
        if self.gave_up or (self._inner is None and self._rates.estimates_wanted(self._estimate)):
            return None
        course = self._begun()
        course.advance()
        if course.wanted(1):
            if len(self._noted) % _LOOK == 0 and self._rates.may_improve(self._estimate) and course.doubts():
                self._inner, self._estimate = None, 2 * self._rates.fewest()  # the same runs are judged anew
            return None
        self._claim = self._claim_of(course)
        if self._claim is None:
            self.gave_up = "no set that could be proved was found"
        elif self._claim in self._refuted:
            self.gave_up, self._claim = "the runs that were to prove it speak against it", None
        return self._claim

    def _begun(self) -> Course:
        if self._inner is None:
            decisions = Decisions(self._n, 1 - self._error, *self._rates.worse())
            decisions.believe((1 << self._n) - 1, True)
            decisions.believe(0, False)
            self._inner = self._further(decisions)
            for run in self._noted:
                self._inner._note(*run)
        return self._inner

    def _claim_of(self, course: Course) -> Claim | None:
        found = course.result()
        sets = [bits_of((found.flags.index(name) for name in failing), self._n) for failing in found.sets]
        if not sets or found.verdict.kind == "cannot tell":
            return None
        if found.kind in ("any", "all"):
            culprits = [found.flags.index(name) for name in found.culprits]
            return culprits_claim(found.kind, culprits, self._n)
        if found.complete and isinstance(course.stage, MinimalSets):
            return all_sets_claim(found.kind, sets, course.stage.cures, self._n)
        return minimal_claim(found.kind, sets, None if self._structure is None else self._structure.closed)

    def _is_refuted(self, claim: Claim, trials: Trials) -> bool:
        """Whether the runs since the guess speak for one of its sets being what it should not be."""
        good, bad = self._rates.rates()
        for on in claim.runs:
            passes, fails = trials.counts(claim, on)
            for_bad = fails * log(bad / good) + passes * log((1 - bad) / (1 - good))
            is_bad = any(on == pair[0] for pair in claim.pairs)
            if (for_bad if is_bad else -for_bad) < -_AGAINST:
                self._refuted.add(claim)
                self._inner, self._error = None, self._error / 10
                if len(self._refuted) >= _MOST_GUESSES:
                    self.gave_up = "the runs that were to prove it speak against it"
                return True
            if passes + fails >= _MOST_ROUNDS:
                self.gave_up = f"{_MOST_ROUNDS} runs of each of its sets did not prove it"
                return True
        return False

    def likely(self) -> float:
        """How likely its guess is, about."""
        return 1 - self._error

    def wanted(self, jobs: int) -> list[int]:
        if self._inner is None:
            return (self._rates.estimates_wanted(self._estimate) * jobs)[:jobs]
        return self._inner.wanted(jobs)

    def bits(self) -> float:
        return 0.0 if self._inner is None else self._inner.bits()

    def to_go(self) -> int:
        return self._estimate if self._inner is None else self._inner.to_go()

    def result(self, ended_by: str | None) -> Hunt:
        return self._begun().result(ended_by)
