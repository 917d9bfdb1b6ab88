"""A test, valid at all times, of whether one thing fails more often than another; both rates are unknown.

Its data are pairs: a run of the one and a run of the other.  For each pair two rates are guessed from what came before
it, s for the one and t < s for the other; the pair multiplies the evidence by the likelihood of its two answers under
these guesses, divided by their likelihood if both rates were m = (s + t) / 2.

Theorem.  If the one does not fail more often than the other, the evidence ever reaches 1/e with probability at most e.
Proof.  Let p <= q be the true rates.  The two runs of a pair are independent, so the mean of its factor is u v, with
u = p s/m + (1-p)(1-s)/(1-m), which grows with p as s > m, and v = q t/m + (1-q)(1-t)/(1-m), which falls with q.  So it
is largest for p = q, and then u + v = 2p + 2(1-p) = 2: u v <= 1.  The evidence is a nonnegative supermartingale that
begins at 1, for any guesses made beforehand; Ville's inequality is the rest.

If the guesses are right, a run adds the information that a fair coin between the two tells by a run, nearly the
capacity of the channel with these two rates.  (The factor is that of Turner, Ly and Grünwald 2024.)
"""

from __future__ import annotations

from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST = 40.0  # runs that a guess from before counts for: what comes then soon outweighs it
_LEAST = 0.5  # fails and passes that are added to those seen


class RateComparison:
    """Evidence that the one fails more often, and the most that it has been, in logarithms.

    Parameters
    ----------
    often, seldom : sequence of two numbers
        Passes and fails from which the first guesses are made.

    Examples
    --------
    >>> test = RateComparison(often=(1, 3), seldom=(4, 0))
    >>> for _ in range(8):
    ...     test.record(True, False)
    >>> test.pairs, test.most > log(100)
    (8, True)
    >>> test.record(False, True)
    >>> test.evidence < test.most
    True
    """

    def __init__(self, often: Sequence[int] = (0, 0), seldom: Sequence[int] = (0, 0)) -> None:
        self.pairs = 0
        self.evidence = 0.0
        self.most = 0.0
        self._often, self._seldom = _beginning(often), _beginning(seldom)

    def record(self, often: bool, seldom: bool) -> None:
        """A pair of runs: whether each of them failed."""
        s, t = (fails / (fails + passes) for passes, fails in (self._often, self._seldom))
        if s > t:
            m = (s + t) / 2
            for failed, guess in ((often, s), (seldom, t)):
                self.evidence += log(guess / m) if failed else log((1 - guess) / (1 - m))
            self.most = max(self.most, self.evidence)
        self.pairs += 1
        self._often[often] += 1
        self._seldom[seldom] += 1


def _beginning(counts: Sequence[int]) -> list[float]:
    share = min(1.0, _MOST / max(1, sum(counts)))
    return [share * count + _LEAST for count in counts]
