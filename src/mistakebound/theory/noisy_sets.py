"""Several culprits among n flags by runs that may be wrong by chance: any of them suffices, or it takes all.

The hypotheses are sets of flags of both kinds, weighted as `NoisyPosterior` weights its own, k flags with a prior
proportional to 1/k^2.  There are too many to look at: a beam keeps the likeliest sets of one flag, adds every flag to
each of them, keeps the likeliest of two, and so on.  So the weights are those among the sets that were found, a guess
that is good enough to search by; what is claimed in the end is proved otherwise (`hunting/claims.py`).
"""

from __future__ import annotations

import random
from math import exp, log, log2
from typing import NamedTuple

from mistakebound.theory.group_testing import log2_choose
from mistakebound.theory.noisy_search import best_share, entropy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from mistakebound.theory.noisy_search import NoisyPosterior

_BEAM = 16  # sets that are kept of each size
_MOST = 12  # flags
_BEHIND = 9.0  # a size whose best set is so much less likely (in logarithms) is the last one
_KEPT = 80  # sets that are looked at again when the next run is chosen
_RANDOM = 16  # sets of which the one that tells most is run


class Culprits(NamedTuple):
    """A hypothesis: its weight, its kind, its flags (bits), and the rates of failure of bad and good sets under it."""

    weight: float
    kind: str
    flags: int
    bad: float
    good: float

    def fails_at(self, on: int) -> float:
        """The rate at which a set fails."""
        common = self.flags & on
        is_bad = common == self.flags if self.kind == "all" else common != 0
        return self.bad if is_bad else self.good


class NoisySets:
    """
    >>> from mistakebound.theory.noisy_search import NoisyPosterior
    >>> runs, draw = NoisyPosterior(6), random.Random(1)
    >>> for _ in range(40):
    ...     on = draw.getrandbits(6)
    ...     runs.record(on, on & 0b101 == 0b101)
    >>> top = NoisySets(runs).likeliest()
    >>> top.kind, bin(top.flags), top.weight > 0.9
    ('all', '0b101', True)
    """

    def __init__(self, runs: NoisyPosterior, kinds: Sequence[str] = ("any", "all")) -> None:
        self._runs = runs
        self._kinds = kinds
        self._n = runs.n
        self._prior = [-(log2_choose(self._n, k) * log(2) + 2 * log(k)) for k in range(1, min(_MOST, self._n) + 1)]
        self._found: dict[tuple[str, int], None] = {}
        self._likely: list[Culprits] = []
        self._seen = self._looked = -1  # runs, when the weights were computed, and when the beam was

    def _know(self) -> None:
        runs = self._runs.number
        if self._seen == runs:
            return
        if self._looked < 0 or runs - self._looked >= 1 + runs // 25:
            self._look()
            self._looked = runs
        self._seen = runs
        scored = []
        for kind, flags in self._found:
            likelihood, bad, good = self._runs.score(self._bad_runs(kind, flags))
            scored.append((likelihood + self._prior[flags.bit_count() - 1], kind, flags, bad, good))
        scored.sort(key=lambda one: -one[0])
        most = scored[0][0]
        weights = [exp(one[0] - most) for one in scored[:_KEPT]]
        total = sum(weights)
        self._likely = [Culprits(w / total, *one[1:]) for w, one in zip(weights, scored, strict=False)]
        self._found = {(one[1], one[2]): None for one in scored[: 2 * _KEPT]}

    def _bad_runs(self, kind: str, flags: int) -> int:
        """The runs (bits) of sets that are bad under a hypothesis."""
        with_flag, number = self._runs.with_flag, 0
        found = (1 << self._runs.number) - 1 if kind == "all" else 0
        while flags:
            number = (flags & -flags).bit_length() - 1
            found = found & with_flag[number] if kind == "all" else found | with_flag[number]
            flags &= flags - 1
        return found

    def _look(self) -> None:
        """The beam."""
        with_flag, score = self._runs.with_flag, self._runs.score
        for kind in self._kinds:
            is_all = kind == "all"
            level: list[tuple[int, int]] = [(0, (1 << self._runs.number) - 1 if is_all else 0)]
            top = float("-inf")
            for prior in self._prior:
                found: dict[int, tuple[float, int]] = {}
                for flags, bad_runs in level:
                    for number, having in enumerate(with_flag):
                        more = flags | 1 << number
                        if more != flags and more not in found:
                            runs = bad_runs & having if is_all else bad_runs | having
                            found[more] = score(runs)[0], runs
                best = sorted(found, key=lambda flags: -found[flags][0])[:_BEAM]
                if not best:
                    break
                self._found.update(((kind, flags), None) for flags in best)
                level = [(flags, found[flags][1]) for flags in best]
                value = found[best[0]][0] + prior
                if value < top - _BEHIND:
                    break
                top = max(top, value)

    def likeliest(self) -> Culprits:
        self._know()
        return self._likely[0]

    def chance(self, on: int) -> float:
        """The probability that a run of this set fails."""
        self._know()
        return sum(one.weight * one.fails_at(on) for one in self._likely)

    def bits(self) -> float:
        """How open it is which culprits there are."""
        self._know()
        return -sum(one.weight * log2(one.weight) for one in self._likely if one.weight > 0)

    def tells(self, on: int) -> float:
        """Bits that a run of this set tells."""
        whole = told = 0.0
        for one in self._likely:
            rate = one.fails_at(on)
            whole += one.weight * rate
            told += one.weight * entropy(rate)
        return entropy(min(1.0, whole)) - told

    def best_set(self, draw: random.Random) -> int:
        """Of some random sets the one that tells most, with flags turned on and off while that makes it tell more."""
        self._know()
        sizes = draw.choices(self._likely, [one.weight for one in self._likely], k=_RANDOM)
        best, most = (1 << self._n) - 1, -1.0
        for one in sizes:
            share, k = best_share(min(one.good, 0.9 * one.bad), one.bad), one.flags.bit_count()
            each = share ** (1 / k) if one.kind == "all" else 1 - (1 - share) ** (1 / k)
            on = sum(1 << number for number in range(self._n) if draw.random() < each)
            told = self.tells(on)
            if told > most:
                best, most = on, told
        doubtful = 0
        for one in self._likely[:8]:
            doubtful |= one.flags
        for number in range(self._n):
            if doubtful >> number & 1 and (told := self.tells(best ^ 1 << number)) > most:
                best, most = best ^ 1 << number, told
        return best
