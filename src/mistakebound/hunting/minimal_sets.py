"""Minimal failing sets: one by ddmin (Zeller and Hildebrandt 2002, Figure 3), all by Reiter's tree (1987).

ddmin finds a failing set from which no single flag can be taken away.  It assumes nothing: not even that more flags
make it worse.  What cannot be told counts as not failing.

All of a monotone command, each found by ddmin: a set of flags that meets every failing set found so far is turned off.
If it still fails there is another one among the flags that are on; if not, these flags off are one way to make it
good. Breadth first: small ways come first.
"""

from __future__ import annotations

from mistakebound.hunting.state import Question, Stage, bits_of, numbers_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SETS = 8
MOST_RUNS = 64  # of those that look for another set


class DeltaDebugging(Stage):
    """Parts of the failing set are tried one after the other, then their complements, then smaller parts.

    >>> stage = DeltaDebugging(range(8), 8)
    >>> while (question := stage.question) is not None:
    ...     stage = stage.after(question.on & 0b101000 == 0b101000)
    >>> stage.failing
    (3, 5)
    """

    def __init__(self, failing: Sequence[int], n: int, parts: int = 2, step: int = 0) -> None:
        self.failing = tuple(failing)
        self.n = n
        self._parts = min(parts, len(self.failing))
        self._step = step  # 0 .. parts-1: a part; parts .. 2*parts-1: a complement

    def _part(self, number: int) -> tuple[int, int]:
        size = len(self.failing)
        return number * size // self._parts, (number + 1) * size // self._parts

    def _tried(self) -> tuple[int, ...]:
        start, end = self._part(self._step % self._parts)
        if self._step < self._parts:
            return self.failing[start:end]
        return self.failing[:start] + self.failing[end:]

    @property
    def question(self) -> Question | None:
        if len(self.failing) < 2:
            return None
        return Question(bits_of(self._tried(), self.n), 0.3, "delta debugging")

    def after(self, bad: bool | None) -> DeltaDebugging:
        parts, step = self._parts, self._step
        if bad:
            smaller = self._tried()
            return DeltaDebugging(smaller, self.n, 2 if step < parts else max(parts - 1, 2))
        last = parts if parts == 2 else 2 * parts  # two parts are each other's complements
        if step + 1 < last:
            return DeltaDebugging(self.failing, self.n, parts, step + 1)
        if parts < len(self.failing):
            return DeltaDebugging(self.failing, self.n, 2 * parts)
        return _Minimal(self.failing, self.n)

    def expected(self) -> float:
        size = len(self.failing)
        return 2.0 * size if size > 1 else 0.0


class _Minimal(DeltaDebugging):
    """Nothing can be taken away."""

    @property
    def question(self) -> None:
        return None

    def expected(self) -> float:
        return 0.0


class MinimalSets(Stage):
    """First one minimal failing set; then others, unless the command is known not to be monotone (`others=False`)."""

    def __init__(
        self,
        inner: DeltaDebugging | None,
        n: int,
        others: bool,
        sets: tuple[int, ...] = (),
        waiting: tuple[int, ...] = (0,),
        cures: tuple[int, ...] = (),
        asked: int = 0,
        untold: int = 0,
    ) -> None:
        if inner is not None and inner.question is None:
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
        return Question(((1 << self.n) - 1) ^ self._waiting[0], 0.4, "delta debugging")

    def after(self, bad: bool | None) -> MinimalSets:
        untold = self.untold + (bad is None)
        if self._inner is not None:
            inner = self._inner.after(bad)
            return MinimalSets(inner, self.n, self.others, self.sets, self._waiting, self.cures, self._asked, untold)
        first, *rest = self._waiting
        if bad:  # another failing set among the flags that are on; `first` grows by its flags then
            on = DeltaDebugging(numbers_of(((1 << self.n) - 1) ^ first), self.n)
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
