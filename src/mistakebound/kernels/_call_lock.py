"""What the kernel `call_lock` does, for kernels that run uncompiled: there, threads change places anywhere."""

from __future__ import annotations

from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ALONE, READS, AROUND = range(3)


def _depth_in_words(lock: Any) -> int:
    """For the first releases of Python 3.11, whose locks say it in their `repr` alone."""
    return int(repr(lock).partition("count=")[2].split()[0]) if lock._is_owned() else 0


class CallLock(RLock):  # type: ignore[misc]
    """A lock of the interpreter's: leaving it cannot be interrupted."""

    __slots__ = ("modes", "refusal")
    # How many calls of this thread have the lock, one within the other.
    depth: Any = getattr(RLock, "_recursion_count", _depth_in_words)

    def __new__(cls, refusal: type[Exception]) -> CallLock:
        return super().__new__(cls)

    def __init__(self, refusal: type[Exception]) -> None:
        self.refusal = refusal
        self.modes: list[int] = []  # of the owner's calls, one within the other, and of some that have ended

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.refusal,)

    def take(self, mode: int) -> None:
        depth = self.depth()
        if depth and (self.modes[depth - 1] == ALONE or (self.modes[depth - 1] == READS and mode != READS)):
            raise self.refusal()
        try:
            self.acquire()
            self.modes[depth:] = [mode]
        except BaseException:  # a signal, perhaps just after the lock was acquired
            if self.depth() > depth:
                self.release()
            raise

    def __enter__(self) -> None:  # type: ignore[override]
        self.take(ALONE)

    def reading(self) -> Mode:
        return Mode(self, READS)

    def around(self) -> Mode:
        return Mode(self, AROUND)

    def pause(self) -> Pause:
        return Pause(self)


class Mode:
    __slots__ = ("lock", "mode")

    def __init__(self, lock: CallLock, mode: int) -> None:
        self.lock = lock
        self.mode = mode

    def __enter__(self) -> None:
        self.lock.take(self.mode)

    def __exit__(self, *error: object) -> None:
        self.lock.release()


class Pause:
    __slots__ = ("lock",)

    def __init__(self, lock: CallLock) -> None:
        self.lock = lock

    def __enter__(self) -> None:
        self.lock.modes[self.lock.depth() - 1] = READS

    def __exit__(self, *error: object) -> None:
        self.lock.modes[self.lock.depth() - 1] = ALONE
