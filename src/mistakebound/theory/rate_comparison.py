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
capacity of the channel with these two rates.  (The factor is that of Turner, Ly and Grünwald 2024.)  If the evidence
that will do is told, s is moved a little when it is near, so that it is met and not passed by far.
"""

from __future__ import annotations

from math import ceil, exp, inf, log, sqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST = 40.0  # runs that a guess from before counts for: what comes then soon outweighs it
_LEAST = 0.5  # fails and passes that are added to those seen
_NEAR = 3.0  # pairs of which only the one fails that are missing, when the end is aimed at
_STRETCH, _MOST_STRETCH = 0.3, 1.6  # the part of such a pair that is saved by a higher guess, and how much higher


class RateComparison:
    """Evidence that the one fails more often, and the most that it has been, in logarithms.

    Parameters
    ----------
    often, seldom : sequence of two numbers
        Passes and fails from which the first guesses are made.
    limit : float
        The logarithm of the evidence that will do.

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

    def __init__(self, often: Sequence[int] = (0, 0), seldom: Sequence[int] = (0, 0), limit: float = inf) -> None:
        self.limit = limit
        self.pairs = 0
        self.evidence = 0.0
        self.most = 0.0
        self._often, self._seldom = _beginning(often), _beginning(seldom)

    def record(self, often: bool, seldom: bool) -> None:
        """A pair of runs: whether each of them failed."""
        s, t = (fails / (fails + passes) for passes, fails in (self._often, self._seldom))
        if s > t:
            s = self._aimed(s, t)
            m = (s + t) / 2
            for failed, guess in ((often, s), (seldom, t)):
                self.evidence += log(guess / m) if failed else log((1 - guess) / (1 - m))
            self.most = max(self.most, self.evidence)
        self.pairs += 1
        self._often[often] += 1
        self._seldom[seldom] += 1

    def _aimed(self, s: float, t: float) -> float:
        """The guess s, moved so that a whole number of pairs of which only the one fails meets the limit."""
        m, missing = (s + t) / 2, self.limit - self.evidence
        step = log(s / m) + log((1 - t) / (1 - m))
        if not 0 < missing < _NEAR * step:
            return s
        gain = exp((missing + 1e-9) / max(1, ceil(missing / step - _STRETCH)))
        a, b = gain, gain - 2 * (1 - t)  # s (1-t) = gain m (1-m), with s = 2 m - t
        aimed = (b + sqrt(b * b + 4 * a * t * (1 - t))) / a - t
        return min(max(aimed, m), _MOST_STRETCH * s, (1 + s) / 2)


def _beginning(counts: Sequence[int]) -> list[float]:
    share = min(1.0, _MOST / max(1, sum(counts)))
    return [share * count + _LEAST for count in counts]
