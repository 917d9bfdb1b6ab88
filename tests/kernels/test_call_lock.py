"""One call at a time: who may come in, who waits and who is refused."""

from __future__ import annotations

import copy
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from mistakebound import kernels
from mistakebound.kernels._call_lock import CallLock as Uncompiled

KINDS: list[Any] = [Uncompiled]
if kernels.compiled():
    from mistakebound.kernels.call_lock import CallLock as Compiled

    KINDS.append(Compiled)


class Refused(Exception):
    pass


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__module__.rpartition(".")[2])
def lock(request: pytest.FixtureRequest) -> Any:
    return request.param(Refused)


@pytest.fixture(autouse=True)
def many_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_one_thread_at_a_time(lock: Any) -> None:
    """The sum of steps that are read, waited for and written is right only when nobody comes between."""
    total = [0]

    def add() -> None:
        for number in range(300):
            with lock:
                before = total[0]
                if number % 50 == 0:
                    time.sleep(0.0001)  # somebody else runs
                total[0] = before + 1

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert total == [1200]


def test_the_same_thread_is_refused_in_the_middle(lock: Any) -> None:
    with lock:
        for again in (lock, lock.reading(), lock.around()):
            with pytest.raises(Refused), again:
                pass
    with lock:
        pass


def test_what_only_reads_may_call_its_like(lock: Any) -> None:
    with lock.reading():
        with lock.reading(), lock.reading():
            pass
        for again in (lock, lock.around()):
            with pytest.raises(Refused), again:
                pass
        with lock.reading():
            pass
    with lock:
        pass


def test_what_only_makes_calls_may_make_all(lock: Any) -> None:
    with lock.around():
        with lock, pytest.raises(Refused), lock:
            pass
        with lock.reading(), lock.reading():
            pass
        with lock.around(), lock:
            pass
        with lock:
            pass
        assert not _is_free(lock)
    assert _is_free(lock)


def test_in_a_pause_one_may_read(lock: Any) -> None:
    with lock:
        with lock.pause():
            with lock.reading():
                pass
            with pytest.raises(Refused), lock:
                pass
            assert not _is_free(lock)
        with pytest.raises(Refused), lock.reading():
            pass
    assert _is_free(lock)


def test_an_error_leaves_it_free(lock: Any) -> None:
    for way in (lock, lock.reading(), lock.around()):
        with pytest.raises(KeyError), way:
            raise KeyError
        assert _is_free(lock)


def test_a_copy_is_free(lock: Any) -> None:
    with lock:
        for twin in (copy.copy(lock), copy.deepcopy(lock)):
            with twin:
                pass


def _is_free(lock: Any) -> bool:
    """Whether another thread gets it at once."""
    got = threading.Event()

    def take() -> None:
        with lock:
            got.set()

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    return got.wait(0.2)


def test_who_waits_gets_it_from_one_who_takes_it_again_and_again(lock: Any) -> None:
    """Also where the holder lets others run only while it holds the lock."""
    taken, waited = [0], []
    over = threading.Event()

    def hold() -> None:
        while not over.is_set():
            with lock:
                time.sleep(0.001)
                taken[0] += 1

    def wait() -> None:
        for _ in range(10):
            time.sleep(0.003)
            before = taken[0]
            with lock:
                waited.append(taken[0] - before)

    holder, waiter = threading.Thread(target=hold), threading.Thread(target=wait)
    sys.setswitchinterval(10)  # nobody is made to let others run
    holder.start()
    waiter.start()
    waiter.join(60)
    over.set()
    holder.join(60)
    assert len(waited) == 10
    if type(lock) is not Uncompiled:  # that is as fair as the system's lock
        assert min(waited) <= 3, "on a busy machine others may go first, but not always"


def test_waiting_can_be_interrupted(lock: Any) -> None:
    """A signal ends it; the lock still goes to the next."""
    begun, over = threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            begun.set()
            over.wait(30)

    def handler(number: int, frame: Any) -> None:
        raise InterruptedError

    holder = threading.Thread(target=hold, daemon=True)
    holder.start()
    begun.wait(30)
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(InterruptedError), lock:
            raise AssertionError("the lock was held")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        over.set()
    holder.join(30)
    assert _is_free(lock)
    with lock:
        pass


def test_signals_at_any_time_leave_it_usable(lock: Any) -> None:
    """Threads take it in turns while the main thread is interrupted again and again as it waits and holds."""
    over, armed = threading.Event(), [False]

    def busy() -> None:
        while not over.is_set():
            with lock:
                time.sleep(0)

    def handler(number: int, frame: Any) -> None:
        if armed[0]:
            armed[0] = False  # the signal of the time before may come late, and this one after it
            raise InterruptedError

    threads = [threading.Thread(target=busy, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    before = signal.signal(signal.SIGALRM, handler)
    interrupted = 0
    try:
        end = time.monotonic() + 0.4
        while time.monotonic() < end:
            try:
                armed[0] = True
                signal.setitimer(signal.ITIMER_REAL, 0.0005)
                for _ in range(50):
                    with lock:
                        pass
                armed[0] = False
            except InterruptedError:
                interrupted += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        over.set()
    for thread in threads:
        thread.join(30)
    assert interrupted
    assert not any(thread.is_alive() for thread in threads)
    assert _is_free(lock)
