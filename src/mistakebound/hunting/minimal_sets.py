"""All minimal failing sets of a monotone command, by Reiter's tree (1987), each found by `reduction`.

A set of flags that meets every failing set found so far is turned off.  If it still fails there is another one among
the flags that are on; if not, these flags off are one way to make it good.  Breadth first: small ways come first.
"""

from __future__ import annotations

from mistakebound.hunting.reduction import PURPOSE, Proof, reduction
from mistakebound.hunting.state import Question, Stage, bits_of, numbers_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.hunting.reduction import Reduction

MOST_SETS = 8
MOST_RUNS = 64  # of those that look for another set


class MinimalSets(Stage):
    """First one minimal failing set; then others, unless the command is known not to be monotone (`others=False`)."""

    def __init__(
        self,
        inner: Reduction | Proof | None,
        n: int,
        others: bool,
        sets: tuple[int, ...] = (),
        waiting: tuple[int, ...] = (0,),
        cures: tuple[int, ...] = (),
        asked: int = 0,
        untold: int = 0,
    ) -> None:
        if isinstance(inner, Proof) and inner.question is None:
            sets, inner = (*sets, bits_of(inner.failing, n)), None
        if inner is None and others:
            waiting = _grown(sets, waiting, cures)
        self.n = n
        self.sets = sets
        self.cures = cures  # flags off that make it good
        self._inner = inner
        self.others = others
        self._waiting = waiting
        self._asked = asked
        self.untold = untold  # answers that were taken for "not failing" because they could not be told

    @property
    def complete(self) -> bool:
        """Whether these are all that there are."""
        return self.others and self._inner is None and not self._waiting and not self.untold

    @property
    def question(self) -> Question | None:
        if self._inner is not None:
            return self._inner.question
        if not self.others or not self._waiting or len(self.sets) >= MOST_SETS or self._asked >= MOST_RUNS:
            return None
        return Question(((1 << self.n) - 1) ^ self._waiting[0], 0.4, PURPOSE)

    def after(self, bad: bool | None) -> MinimalSets:
        untold = self.untold + (bad is None)
        if self._inner is not None:
            inner = self._inner.after(bad)
            return MinimalSets(inner, self.n, self.others, self.sets, self._waiting, self.cures, self._asked, untold)
        first, *rest = self._waiting
        if bad:  # another failing set among the flags that are on; `first` grows by its flags then
            on = reduction(((1 << self.n) - 1) ^ first, self.n)
            return MinimalSets(on, self.n, True, self.sets, self._waiting, self.cures, self._asked + 1, untold)
        return MinimalSets(None, self.n, True, self.sets, tuple(rest), (*self.cures, first), self._asked + 1, untold)

    def without_others(self) -> MinimalSets:
        """The command has turned out not to be monotone: this set is finished, and no other one looked for."""
        return MinimalSets(self._inner, self.n, False, self.sets, self._waiting, self.cures, self._asked, self.untold)

    def expected(self) -> float:
        return self._inner.expected() if self._inner is not None else float(len(self._waiting))


def _grown(sets: tuple[int, ...], waiting: tuple[int, ...], cures: tuple[int, ...]) -> tuple[int, ...]:
    """Until the first that waits meets every set: those that miss one become several, each with one flag of it more."""
    queue = list(waiting)
    while queue:
        missed = next((failing for failing in sets if not failing & queue[0]), None)
        if missed is None:
            break
        first = queue.pop(0)
        for flag in numbers_of(missed):
            more = first | 1 << flag
            if more not in queue and not any(cure & more == cure for cure in cures):
                queue.append(more)
    return tuple(hitting for hitting in queue if not any(cure & hitting == cure for cure in cures))
