"""Who makes the runs: this thread, one at a time, or as many threads as there are jobs."""

from __future__ import annotations

import os
import queue
import threading
from dataclasses import dataclass
from time import monotonic, perf_counter

from mistakebound.core.errors import MistakeboundError
from mistakebound.core.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.teachers.command import Outcome, Token


@dataclass(slots=True)
class Finished:
    """A run that has come to its end: what the oracle said, or what went wrong."""

    on: int
    outcome: Outcome | None
    error: BaseException | None = None


class OneRunner:
    """One run at a time, made when it is waited for."""

    def __init__(self, make: Callable[[int], Outcome]) -> None:
        self._make = make
        self._next: int | None = None

    def running(self) -> list[int]:
        return [] if self._next is None else [self._next]

    def start(self, on: int) -> None:
        self._next = on

    def wait(self, seconds: float | None = None) -> Finished | None:
        """A run, however long it takes: nothing can end it."""
        on, self._next = self._next, None
        assert on is not None
        return Finished(on, self._make(on))

    def cancel(self, on: int) -> bool:
        """Whether there was anything to end: it had not begun."""
        self._next = None
        return False

    def close(self) -> None:
        self._next = None


class ManyRunner:
    """A thread for each run that is under way.  A run that is no longer wanted is ended, if the oracle knows how to.

    Signals (Ctrl-C) come to the main thread only, which waits: no run is ever left half started.
    """

    def __init__(self, make: Callable[..., Outcome], stop: Callable[[Token], None] | None) -> None:
        self._make = make
        self._stop = stop
        self._done: queue.Queue[tuple[Token, Finished]] = queue.Queue()
        self._threads: dict[Token, tuple[int, threading.Thread]] = {}  # flags on, thread

    def running(self) -> list[int]:
        return [on for token, (on, _) in self._threads.items() if not token.is_set()]

    def start(self, on: int) -> None:
        token = threading.Event()
        thread = threading.Thread(target=self._run, args=(token, on), daemon=True)
        try:
            start_thread(thread)
        except RuntimeError as error:
            count = len(self._threads)
            raise MistakeboundError(f"the system cannot start more than {count} parallel runs") from error
        self._threads[token] = on, thread

    def _run(self, token: Token, on: int) -> None:
        try:
            finished = Finished(on, self._make(on) if self._stop is None else self._make(on, token))
        except BaseException as error:  # it is raised again by whoever waits
            finished = Finished(on, None, error)
        self._done.put((token, finished))

    def wait(self, seconds: float | None = None) -> Finished | None:
        """The next run to end; None if none does within so many seconds."""
        until = None if seconds is None else monotonic() + seconds
        while True:
            try:
                token, finished = self._done.get(timeout=None if until is None else max(0.0, until - monotonic()))
            except queue.Empty:
                return None
            del self._threads[token]
            if token.is_set():
                forget(finished.outcome or finished.error)
                continue
            return finished

    def cancel(self, on: int) -> bool:
        """One run of this set is no longer wanted; whether it could be ended."""
        if self._stop is None:
            return False
        self._stop(next(token for token, (flags, _) in self._threads.items() if flags == on and not token.is_set()))
        return True

    def close(self) -> None:
        """End what is under way, and see it end, where that can be done."""
        if self._stop is not None:
            for token in self._threads:
                self._stop(token)
            for _, thread in self._threads.values():
                if thread.is_alive():
                    thread.join(10)
            while not self._done.empty():
                finished = self._done.get()[1]
                forget(finished.outcome or finished.error)


def forget(end: Outcome | BaseException | None) -> None:
    """Do not keep what a run printed: it came to its end before it could be ended, or has no number."""
    output = getattr(end, "output", None)
    if output is not None:
        os.unlink(output)


def maker(oracle: Any, names: Callable[[int], Any]) -> Callable[..., Outcome]:
    """One run of an oracle: a CommandOracle, anything with `ask`, or a function of a set of names."""
    from mistakebound.teachers.command import Outcome

    if hasattr(oracle, "outcome"):
        return lambda on, token=None: oracle.outcome(names(on), token)
    ask = oracle.ask if hasattr(oracle, "ask") else oracle

    def make(on: int) -> Outcome:
        start = perf_counter()
        bad = ask(names(on))
        return Outcome(None if bad is None else bool(bad), seconds=perf_counter() - start)

    return make
