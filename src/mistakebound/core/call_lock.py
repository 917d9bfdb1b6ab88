"""One call at a time on a learner: the lock that every learner has, and how its methods take it."""

from __future__ import annotations

from functools import wraps

from mistakebound import kernels
from mistakebound.core.errors import LearnerBusy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from mistakebound.kernels.call_lock import CallLock

    M = TypeVar("M", bound=Callable[..., Any])
elif kernels.compiled():
    from mistakebound.kernels.call_lock import CallLock
else:
    from mistakebound.kernels._call_lock import CallLock


def new_lock() -> CallLock:
    return CallLock(LearnerBusy)


def is_lock(thing: object) -> bool:
    return isinstance(thing, CallLock)


def exclusive(method: M) -> M:
    """A method during which no other call on the same learner takes place."""

    @wraps(method)
    def call(self: Any, /, *args: Any, **options: Any) -> Any:
        with self._lock:
            return method(self, *args, **options)

    return call  # type: ignore[return-value]


def reading(method: M) -> M:
    """The same for a method that changes nothing and needs no buffer of the learner's: it may call others like it."""

    @wraps(method)
    def call(self: Any, /, *args: Any, **options: Any) -> Any:
        with self._lock.reading():
            return method(self, *args, **options)

    return call  # type: ignore[return-value]
