"""Ctrl-C put off: what must be done whole is done whole."""

from __future__ import annotations

import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any


class Interrupt:
    """While `later` is true Ctrl-C only makes `pending` true.

    The second one does not wait, unless `patient`: then none gets through.
    """

    __slots__ = ("_old", "_patient", "later", "pending")

    def __init__(self, *, later: bool = False, patient: bool = False) -> None:
        self._old: Any = None
        self._patient = patient
        self.later = later
        self.pending = False

    def _handler(self, number: int, frame: FrameType | None) -> None:
        if not self.later or (self.pending and not self._patient):
            raise KeyboardInterrupt
        self.pending = True

    def __enter__(self) -> Interrupt:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            try:
                self._old = signal.signal(signal.SIGINT, self._handler)
            except ValueError:  # not the main thread: Ctrl-C does not come here
                self._old = None
        return self

    def __exit__(self, *exc: object) -> None:
        self.later = False
        if self._old is not None:
            signal.signal(signal.SIGINT, self._old)
