"""What the kernel `call_lock` does, for kernels that run uncompiled: there, threads change places anywhere."""

from __future__ import annotations

from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class CallLock(RLock):
    """Leaving is the interpreter's own, and cannot be interrupted."""

    __slots__ = ("readers", "refusal")
    if TYPE_CHECKING:

        def _is_owned(self) -> bool: ...

    def __new__(cls, refusal: type[Exception]) -> CallLock:
        return super().__new__(cls)

    def __init__(self, refusal: type[Exception]) -> None:
        self.refusal = refusal
        self.readers = False  # the owner only reads

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.refusal,)

    def __enter__(self) -> bool:
        return self.take(False)

    def take(self, reading: bool) -> bool:
        if self._is_owned():
            if not (reading and self.readers):
                raise self.refusal()
            return self.acquire()
        try:
            self.acquire()
            self.readers = reading
        except BaseException:  # a signal, perhaps just after the lock was acquired
            if self._is_owned():
                self.release()
            raise
        return True

    def reading(self) -> Reading:
        return Reading(self)


class Reading:
    __slots__ = ("lock",)

    def __init__(self, lock: CallLock) -> None:
        self.lock = lock

    def __enter__(self) -> bool:
        return self.lock.take(True)

    def __exit__(self, *error: object) -> None:
        self.lock.release()
