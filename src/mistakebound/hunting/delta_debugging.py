"""ddmin (Zeller and Hildebrandt 2002, Figure 3): a failing set from which no single flag can be taken away.

It assumes nothing: not even that more flags make it worse.  What cannot be told counts as not failing.
"""

from __future__ import annotations

from mistakebound.hunting.state import Question, Stage, bits_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


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
