"""Ctrl-C at awkward moments."""

from __future__ import annotations

import threading

import pytest


def interrupt_the_start(patch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while Thread.start waits, as Python may report it: as where no thread can be started, but it runs."""
    start = threading.Thread.start

    def start_and_fail(thread: threading.Thread) -> None:
        start(thread)
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("release unlocked lock")

    patch.setattr(threading.Thread, "start", start_and_fail)
