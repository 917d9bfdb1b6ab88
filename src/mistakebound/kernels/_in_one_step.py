"""Uncompiled kernels are like compiled ones in this too: no signal handler runs in the middle of a call.

Python runs the handlers of signals, which may raise (Ctrl-C), in the main thread only.  So a call of a kernel from
there is carried out by another thread, and the main thread waits until it has ended, whatever arrives meanwhile.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock, get_ident, start_new_thread
from functools import wraps
from importlib.machinery import SourceFileLoader
from queue import SimpleQueue
from threading import main_thread
from types import FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

_CLASSES = {"TextTable"}  # whose methods change what a learner has
_OTHERS = {
    "cache",
    "hashing",
    "json_lines",
    "json_texts",
    "libsvm",
    "matrix",
    "number",
    "records",
    "sorting",
    "vw",
}  # these change no learner
_NO_THREADS = ("emscripten", "wasi")  # Python in a browser, to which no signal comes either
_LOOK_UPS = {"find", "look_up", "whole_number"}  # change nothing, and are called for single names


class _Job:
    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.claim = allocate_lock()  # whoever acquires it first decides: it is done, or it is not
        self.over = allocate_lock()
        self.over.acquire()
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None

    def do(self) -> None:
        if self.claim.acquire(blocking=False):
            try:
                self.result = self.work()
            except BaseException as error:
                self.error = error
        self.done = True
        self.over.release()

    def wait(self) -> None:
        if not self.done:
            self.over.acquire()


class _Helper:
    """The thread that works, started when it is first needed."""

    main = main_thread().ident
    busy = False
    jobs: SimpleQueue[_Job] | None = None

    def forget(self) -> None:
        """In the child of a fork, which has one thread."""
        self.main = main_thread().ident
        self.busy = False
        self.jobs = None

    def begin(self) -> SimpleQueue[_Job]:
        jobs: SimpleQueue[_Job] = SimpleQueue()

        def work() -> None:
            while True:
                jobs.get().do()

        start_new_thread(work, ())  # Thread.start is Python, in whose middle a handler may run
        self.jobs = jobs
        return jobs

    def do(self, work: Callable[[], Any]) -> Any:
        jobs, job = self.jobs or self.begin(), _Job(work)
        try:
            self.busy = True
            jobs.put(job)
            job.over.acquire()
        except BaseException:
            try:
                if not job.claim.acquire(blocking=False):
                    job.wait()
            except BaseException:  # a second one
                if not job.claim.acquire(blocking=False):
                    job.wait()
                raise
            raise
        finally:
            self.busy = False
        if job.error is not None:
            try:
                raise job.error
            finally:
                job.error = None  # which refers to this frame
        return job.result


_helper = _Helper()
os.register_at_fork(after_in_child=_helper.forget)


def in_one_step(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, during whose calls no signal handler runs."""
    if sys.platform in _NO_THREADS:
        return function

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if get_ident() != _helper.main or _helper.busy:  # busy: a handler calls a kernel while another one works
            return function(*args, **options)
        return _helper.do(lambda: function(*args, **options))

    return call


class InOneStep(SourceFileLoader):
    """Loads an uncompiled kernel."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        if module.__name__.rpartition(".")[2] in _OTHERS:
            return
        for holder in (module, *map(vars(module).get, _CLASSES & vars(module).keys())):
            for name, value in list(vars(holder).items()):
                own = isinstance(value, FunctionType) and value.__module__ == module.__name__
                if own and name[0] != "_" and name not in _LOOK_UPS:
                    setattr(holder, name, in_one_step(value))
