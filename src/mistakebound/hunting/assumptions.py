"""What every hunt rests on: it is bad with all flags on, and good with all flags off."""

from __future__ import annotations

from mistakebound.hunting.state import Question, Stage


class Assumptions(Stage):
    """All on, then all off; ends at the first answer that is not the one assumed."""

    def __init__(self, n: int, all_on: bool | None = True, all_off: bool | None = False, asked: int = 0) -> None:
        self.n = n
        self.all_on = all_on
        self.all_off = all_off
        self._asked = asked

    @property
    def question(self) -> Question | None:
        if self._asked == 2 or self.all_on is not True:
            return None
        return Question((1 << self.n) - 1, 0.98, "assumption") if not self._asked else Question(0, 0.02, "assumption")

    def after(self, bad: bool | None) -> Assumptions:
        if not self._asked:
            return Assumptions(self.n, all_on=bad, asked=1)
        return Assumptions(self.n, all_off=bad, asked=2)
