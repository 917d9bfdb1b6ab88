"""The list that the checks enter themselves into."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from mistakebound.checks._subject import Subject

CHECKS: dict[str, Check] = {}


class Check:
    """A check: a function of a subject, the capabilities that it needs, and whether once a class is enough."""

    __slots__ = ("function", "name", "needs", "once")

    def __init__(self, function: Callable[[Subject], None], needs: tuple[str, ...], once: bool) -> None:
        self.function = function
        self.name = function.__name__.removeprefix("check_")
        self.needs = frozenset(needs)
        self.once = once

    def __call__(self, subject: Subject) -> None:
        self.function(subject)

    def due(self, subject: Subject) -> bool:
        """Whether to run it on this subject: one that sees to all options itself runs only on the first."""
        return subject.first or not self.once

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self.function.__doc__

    def __repr__(self) -> str:
        return f"<check {self.name}: {self.function.__doc__}>"


def check(*needs: str, once: bool = False) -> Callable[[Callable[[Subject], None]], Callable[[Subject], None]]:
    """Enter a function among the checks, for learners that have all of these capabilities."""

    def enter(function: Callable[[Subject], None]) -> Callable[[Subject], None]:
        entry = Check(function, needs, once)
        CHECKS[entry.name] = entry
        return function

    return enter
