"""What a hunt of a flaky command claims, and the runs that prove it.

A claim says of some sets that they are bad and of others that they are good, in pairs: the first fails more often than
the second.  Each pair is tested by `RateComparison`, with runs that are made after the claim was chosen.  A claim is
proved when all its pairs are.

If every set fails at one of two rates, a pair proves both of its sides: the one is bad, the other good.  A claim that
is wrong has a pair that is wrong, whichever it is: so the error of a claim is that of one pair, however many it has.
The error is split over the claims as they are made: each takes a part of what is left, as large as the claim is likely
to be right, which makes the proof shortest on average.  The proof is in docs/theorems.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from math import log

from mistakebound.hunting.state import bits_of, numbers_of
from mistakebound.theory.rate_comparison import RateComparison

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Closed = Callable[[int], int]

_MOST_FIRST = 0.9  # of the error, for the first claim


@dataclass(frozen=True)
class Claim:
    """Minimal failing sets (bits), whether they are all, and pairs (bad, good) that say so."""

    kind: str
    sets: tuple[int, ...]
    complete: bool
    pairs: tuple[tuple[int, int], ...]

    def is_bad(self, on: int) -> bool:
        """Whether a set is bad, if these sets are all."""
        return any(failing & on == failing for failing in self.sets)

    @property
    def runs(self) -> frozenset[int]:
        """The sets whose runs prove it."""
        return frozenset(on for pair in self.pairs for on in pair)


def culprits_claim(kind: str, culprits: Sequence[int], n: int) -> Claim:
    """Any of the culprits suffices and nothing else does, or it takes all of them.

    >>> [(bin(bad), bin(good)) for bad, good in culprits_claim("any", (0, 2), 3).pairs]
    [('0b1', '0b10'), ('0b100', '0b10')]
    >>> [(bin(bad), bin(good)) for bad, good in culprits_claim("all", (0, 2), 3).pairs]
    [('0b101', '0b110'), ('0b101', '0b11')]
    """
    full, together = (1 << n) - 1, bits_of(culprits, n)
    if kind == "any":
        sets = tuple(1 << flag for flag in culprits)
        return Claim(kind, sets, True, tuple((flag, full ^ together) for flag in sets))
    return Claim(kind, (together,), True, tuple((together, full ^ 1 << flag) for flag in culprits))


def all_sets_claim(kind: str, sets: Sequence[int], cures: Sequence[int], n: int) -> Claim:
    """These are all minimal failing sets: each fails, and all flags without one of the cures do not.

    >>> claim = all_sets_claim("neither", (0b001, 0b110), (0b011, 0b101), 3)
    >>> [(bin(bad), bin(good)) for bad, good in claim.pairs]
    [('0b1', '0b100'), ('0b110', '0b10')]
    """
    good = [(1 << n) - 1 ^ cure for cure in cures]
    pairs = zip(sets, cycle(good)) if len(sets) >= len(good) else zip(cycle(sets), good)
    return Claim(kind, tuple(sets), True, tuple(pairs))


def minimal_claim(kind: str, sets: Sequence[int], closed: Closed | None = None) -> Claim:
    """Each of these fails, and less often without any one of its flags.  Other sets may fail too.

    >>> [(bin(bad), bin(good)) for bad, good in minimal_claim("one", (0b101,)).pairs]
    [('0b101', '0b100'), ('0b101', '0b1')]
    """
    without = [(failing, failing ^ 1 << flag) for failing in sets for flag in numbers_of(failing)]
    if closed is not None:
        without = [(failing, closed(on)) for failing, on in without]
    return Claim(kind, tuple(sets), False, tuple(dict.fromkeys(without)))


class _Trial:
    """A claim on trial: the answers of its sets since it was made, and its comparisons."""

    def __init__(self, claim: Claim, share: float, bad: Sequence[int], good: Sequence[int]) -> None:
        self.limit = -log(share)
        self.answers: dict[int, list[bool]] = {on: [] for on in claim.runs}
        self.tests = {pair: RateComparison(bad, good, self.limit) for pair in claim.pairs}

    def record(self, on: int, bad: bool) -> None:
        if on not in self.answers:
            return
        self.answers[on].append(bad)
        for (often, seldom), test in self.tests.items():
            one, other = self.answers[often], self.answers[seldom]
            while test.pairs < min(len(one), len(other)):
                test.record(one[test.pairs], other[test.pairs])

    def open_pairs(self) -> list[tuple[int, int]]:
        return [pair for pair, test in self.tests.items() if test.most < self.limit]


class Trials:
    """All claims that were made, with the error that all of them together have at most.

    >>> trials, claim = Trials(0.01), culprits_claim("any", (0,), 3)
    >>> trials.make(claim, bad=(0, 9), good=(9, 0))
    >>> while not trials.is_proved(claim):
    ...     for on in trials.wanted(claim, 2):
    ...         trials.record(on, claim.is_bad(on))
    >>> sum(trials.counts(claim, 0b1)), sum(trials.counts(claim, 0b110))
    (4, 4)
    """

    def __init__(self, error: float) -> None:
        self._error = error
        self._left = error  # for the claims to come
        self._trials: dict[Claim, _Trial] = {}

    def make(self, claim: Claim, bad: Sequence[int], good: Sequence[int], weight: float = 0.8) -> None:
        """A claim, if it is new; its first guesses of the rates are from (passes, fails) of bad and of good sets.

        `weight` is how likely it is right by what is known now.
        """
        if claim not in self._trials:
            number = len(self._trials) + 1
            most = _MOST_FIRST if number == 1 else 2 / (number + 1)  # so that the shares fall as 1 / number**3 at worst
            share = min(weight, most) * self._left
            self._left -= share
            self._trials[claim] = _Trial(claim, share, bad, good)

    def record(self, on: int, bad: bool) -> None:
        for trial in self._trials.values():
            trial.record(on, bad)

    def is_proved(self, claim: Claim) -> bool:
        return not self._trials[claim].open_pairs()

    def wanted(self, claim: Claim, runs: int) -> list[int]:
        """The next runs that the proof needs, so many if there are."""
        trial = self._trials[claim]
        pairs = trial.open_pairs()
        have = {on: len(trial.answers[on]) for pair in pairs for on in pair}
        found: list[int] = []
        while pairs and len(found) < runs:
            fewest = min(have, key=lambda on: have[on])
            have[fewest] += 1
            found.append(fewest)
        return found

    def to_go(self, claim: Claim | None, bits: float) -> float:
        """About how many runs a proof still takes if each tells so many bits; None: of a claim to come."""
        if claim is None:
            return -log(self._error) / (log(2) * bits)
        trial = self._trials[claim]
        missing = max((trial.limit - trial.tests[pair].evidence for pair in trial.open_pairs()), default=0.0)
        return len(trial.answers) * missing / (2 * log(2) * bits)

    def counts(self, claim: Claim, on: int) -> tuple[int, int]:
        """Passes and fails of a set since the claim was made."""
        answers = self._trials[claim].answers[on]
        return len(answers) - sum(answers), sum(answers)
