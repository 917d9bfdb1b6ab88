"""Uncompiled kernels: what a signal handler raises waits until the call has ended."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread, get_ident

import pytest

from mistakebound.kernels._in_one_step import _helper, in_one_step


class Arrived(Exception):
    pass


@pytest.fixture
def alarm() -> Iterator[None]:
    def arrive(*_: object) -> None:
        raise Arrived

    before = signal.signal(signal.SIGALRM, arrive)
    gc.disable()  # what a handler raises in a callback of the collector is not passed on
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
    gc.enable()


@in_one_step
def fill(numbers: list[int], seconds: float = 0.0) -> int:
    """Writes for a while, as a kernel does."""
    end = time.perf_counter() + seconds
    numbers.append(1)
    while time.perf_counter() < end:
        pass
    numbers.append(2)
    return len(numbers)


def test_results_errors_and_threads() -> None:
    assert fill([]) == 2
    assert fill(numbers=[0], seconds=0.001) == 3
    with pytest.raises(AttributeError):
        fill(None)  # type: ignore[arg-type]
    who = in_one_step(get_ident)
    assert who() != get_ident()
    seen: list[bool] = []
    other = Thread(target=lambda: seen.append(who() == get_ident()))
    other.start()
    other.join()
    assert seen == [True]


@pytest.mark.usefixtures("alarm")
def test_a_signal_waits_for_the_end() -> None:
    whole = 0
    for late in (0.002, 0.01, 0.03, 0.03, 0.03):
        numbers: list[int] = []
        with pytest.raises(Arrived):  # noqa: PT012 - the alarm may ring before the call
            signal.setitimer(signal.ITIMER_REAL, late)
            fill(numbers, 0.2)
        assert numbers in ([], [1, 2])  # on a busy machine it may come before the call
        whole += len(numbers) == 2
    assert whole > 0
    assert fill([]) == 2


@pytest.mark.usefixtures("alarm")
def test_a_call_is_whole_or_nothing_whenever_the_signal_comes() -> None:
    whole = 0
    for late in range(1, 400):
        numbers: list[int] = []
        try:
            signal.setitimer(signal.ITIMER_REAL, late * 1e-6)
            fill(numbers)
            signal.setitimer(signal.ITIMER_REAL, 0)
        except Arrived:
            pass
        assert numbers in ([], [1, 2])
        whole += bool(numbers)
    assert whole > 0
    assert fill([]) == 2


@pytest.mark.usefixtures("alarm")
def test_the_first_call_is_whole_or_nothing_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for late in range(1, 200):  # while the thread that works is started
        monkeypatch.setattr(_helper, "jobs", None)
        numbers: list[int] = []
        with suppress(Arrived):
            signal.setitimer(signal.ITIMER_REAL, late * 1e-6)
            fill(numbers)
            signal.setitimer(signal.ITIMER_REAL, 0)
        assert numbers in ([], [1, 2])
    assert fill([]) == 2


def test_a_handler_may_call_a_kernel() -> None:
    inner: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: inner.append(fill([7])))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.002)
        assert fill([], 0.02) == 2
    finally:
        signal.signal(signal.SIGALRM, before)
    assert inner == [3]


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_child_process_has_a_thread_of_its_own() -> None:
    fill([])
    child = os.fork()
    if child == 0:
        os._exit(0 if fill([]) == 2 else 1)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.01)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child waits for a thread that it does not have")
    assert os.waitstatus_to_exitcode(status) == 0


def test_python_in_a_browser_has_no_thread_to_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "emscripten")

    def kernel() -> int:
        return get_ident()

    assert in_one_step(kernel)() == get_ident()
