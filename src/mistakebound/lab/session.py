"""A game that is being played: what every view of the lab has in common, and the table of those that are open."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections import OrderedDict
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from mistakebound.lab.request import Request


class Session(ABC):
    """One view's game.  `actions` are its messages, each with the method that answers it."""

    actions: ClassVar[tuple[str, ...]] = ()
    weight: ClassVar[int] = 1  # how much memory it may hold, in units of the smallest game

    def __init__(self, request: Request) -> None:
        self.lock = RLock()

    @abstractmethod
    def opening(self, request: Request) -> dict[str, Any]:
        """The answer to `start`."""

    def act(self, action: str, request: Request) -> dict[str, Any]:
        """The answer to one of `actions`."""
        answer: dict[str, Any] = getattr(self, action)(request)
        return answer


class SessionTable:
    """The open sessions: those used longest ago go first, when there are too many or nobody has asked for `idle` s."""

    def __init__(self, capacity: int, idle: float, clock: Callable[[], float]) -> None:
        self._capacity, self._idle, self._clock = capacity, idle, clock
        self._open: OrderedDict[str, tuple[Session, float]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._open)

    def add(self, session: Session) -> str:
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._forget_old()
            used = sum(held.weight for held, _ in self._open.values())
            while self._open and used + session.weight > self._capacity:
                _, (oldest, _) = self._open.popitem(last=False)
                used -= oldest.weight
            self._open[name] = session, self._clock()
        return name

    def find(self, name: object) -> Session | None:
        with self._lock:
            self._forget_old()
            if not isinstance(name, str) or name not in self._open:
                return None
            session = self._open.pop(name)[0]
            self._open[name] = session, self._clock()
            return session

    def _forget_old(self) -> None:
        before = self._clock() - self._idle
        for name in [name for name, (_, used) in self._open.items() if used < before]:
            del self._open[name]
