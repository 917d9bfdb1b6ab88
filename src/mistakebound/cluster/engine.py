"""The Dask cluster that work is given to: who is there, what is shared, what is done again where a worker is lost."""

from __future__ import annotations

import operator
import os
import sys
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import monotonic, sleep
from uuid import uuid4

from mistakebound.core.errors import BadData, BadParameter, MistakeboundError, cut, shown
from mistakebound.io.ranges import FileRange, is_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

_TRIES = 8  # of a task whose worker was lost
_WAIT = 60.0  # seconds for a worker to come (back)
_LOCAL = "local:"


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MistakeboundError("a cluster needs Dask: pip install 'mistakebound[cluster]'") from None
    return distributed


@dataclass
class Shared:
    """A value that is sent to every worker once, and used by many tasks."""

    value: Any
    future: Any = None


@dataclass
class Held:
    """The result of a task that stays on a worker, and how it is made again where it is lost."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: Any


class Engine:
    """Runs plain functions on the workers of a client; results come back in the order of the tasks.

    What a task returns depends on its arguments alone, so that it does not matter which worker does it, when, or how
    often.  Of several tasks that fail the first in order says why.

    Parameters
    ----------
    client : distributed.Client
    """

    def __init__(self, client: Any) -> None:
        distributed = _distributed()
        if not isinstance(client, distributed.Client) or client.asynchronous:
            raise BadParameter(f"client must be a distributed.Client that is not asynchronous: {shown(client)}")
        if client.status in ("closing", "closed"):
            raise BadParameter("client is closed: a cluster needs one that is connected")
        self.client = client
        closed = distributed.comm.core.CommClosedError
        self._lost = (distributed.KilledWorker, CancelledError, closed, TimeoutError, ConnectionError)
        self.repeated = 0  # tasks that were done again because a worker was lost
        self.check_versions()

    def facts(self) -> dict[str, Any]:
        """For a report: who works, the address of Dask's own page, and how many tasks were done again."""
        workers = len(self.client.scheduler_info(n_workers=-1)["workers"])
        return {"workers": workers, "dashboard": self.client.dashboard_link, "repeated": self.repeated}

    def in_words(self) -> str:
        facts = self.facts()
        return f"cluster: {facts['workers']:,} worker{'s' * (facts['workers'] != 1)}, dashboard {facts['dashboard']}"

    def check_versions(self) -> None:
        """One sentence unless every worker runs what this process runs."""
        self._wait()
        own = versions()
        try:
            found = self.client.run(versions)
        except ModuleNotFoundError as error:
            raise MistakeboundError(f"a worker of the cluster lacks {error.name}: install mistakebound there") from None
        except self._lost:
            return  # it will be asked again before the next pass
        for worker, theirs in found.items():
            for name, version in own.items():
                if theirs.get(name) != version:
                    raise MistakeboundError(
                        f"worker {worker} has {name} {theirs.get(name)}, and this process has {version}: "
                        "install the same version on both"
                    )

    def _wait(self) -> None:
        try:
            self.client.wait_for_workers(1, timeout=_WAIT)
        except TimeoutError:
            raise MistakeboundError(f"no worker came to the cluster within {_WAIT:g} seconds") from None

    def _connected(self) -> bool:
        """Whether the client has a scheduler, if need be again: it looks for one that hung up."""
        end = monotonic() + _WAIT
        while self.client.status == "connecting" and monotonic() < end:
            sleep(0.02)
        return bool(self.client.status == "running")

    # Tasks.

    def begin(self, function: Callable[..., Any], *arguments: Any) -> Held:
        """Do a task whose result stays on the workers, for other tasks."""
        return Held(function, arguments, self._submit(function, arguments))

    def release(self, held: Sequence[Held]) -> None:
        """Let go of results that nobody asks for again, but as steps to others that are lost."""
        for each in held:
            each.future = None

    def _submit(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        sent = [self._sent(argument) for argument in arguments]
        return self.client.submit(attempt, function, *sent, key=f"mistakebound-{function.__name__}-{uuid4()}")

    def _sent(self, argument: Any) -> Any:
        if not isinstance(argument, (Shared, Held)):
            return argument
        if argument.future is None or argument.future.status in ("cancelled", "error", "lost"):
            if isinstance(argument, Held):
                argument.future = self._submit(argument.function, argument.arguments)
            else:
                argument.future = self._scattered(argument.value)
        return argument.future

    def _scattered(self, value: Any) -> Any:
        for number in range(_TRIES):
            try:
                self._wait()
                return self.client.scatter(value, broadcast=True, hash=False)
            except MistakeboundError:
                raise
            except Exception:  # of whatever kind: a worker is going, and the scheduler does not know it yet
                sleep(0.2 * 2**number)
        raise self._gone()

    def run(
        self,
        function: Callable[..., Any],
        tasks: Sequence[tuple[Any, ...]],
        done: Callable[[int, Any], object] | None = None,
    ) -> list[Any]:
        """function(*task) of every task, in their order; `done(number, result)` is called as each is done."""
        results: list[Any] = [None] * len(tasks)
        failed: dict[int, Exception] = {}
        tries = [0] * len(tasks)
        waiting = {self._submit(function, task): number for number, task in enumerate(tasks)}
        queue = self._queue(waiting)
        while waiting:
            try:
                future = next(queue)
            except TimeoutError:
                self._wait()
                queue = self._queue(waiting)
                continue
            number = waiting.pop(future)
            if failed and number > min(failed):
                continue
            try:
                found = future.result()
            except self._lost as error:
                tries[number] += 1
                if tries[number] > _TRIES or not self._connected():
                    raise self._gone() from error
                self.repeated += 1
                for argument in tasks[number]:
                    if isinstance(argument, Shared):
                        argument.future = None  # who had it may be gone
                again = self._submit(function, tasks[number])
                waiting[again] = number
                queue.add(again)
                continue
            except Exception as error:
                found = error
            if isinstance(found, Exception):
                failed[number] = found
                for other in [other for other, later in waiting.items() if later > number]:
                    other.cancel()
                continue
            results[number] = found
            if done is not None:
                done(number, found)
        if failed:
            raise self._why(failed[min(failed)])
        return results

    def _queue(self, waiting: Iterable[Any]) -> Any:
        """Gives these tasks as they are done, and after a minute TimeoutError: a look whether anybody works."""
        return _distributed().as_completed(list(waiting), loop=self.client.loop, timeout=_WAIT)

    def _why(self, error: Exception) -> Exception:
        if isinstance(error, MistakeboundError | MemoryError):
            return error
        text = " ".join(str(error).split())
        return MistakeboundError(f"a task failed on a worker of the cluster: {type(error).__name__}: {cut(text, 300)}")

    def _gone(self) -> MistakeboundError:
        scheduler = self.client.scheduler.address if self.client.scheduler is not None else "the cluster"
        return MistakeboundError(
            f"the workers or the scheduler ({scheduler}) were lost again and again; "
            "with a model and resume, learning goes on from the last mixed pass"
        )


def places(files: Sequence[Any]) -> list[Any]:
    """Paths as they are, and addresses of files that pyarrow finds (`s3://...`) as places that can be opened here.

    BadParameter for standard input, which no worker has.
    """
    names = [os.fspath(file) for file in files]
    if "-" in names:
        raise BadParameter("a cluster reads files, and - is standard input: write it to shared storage")
    return [FileRange(name) if is_remote(name) else name for name in names]


@contextmanager
def connected(where: str, timeout: float = 10.0) -> Iterator[Any]:
    """The client of a cluster: `local:N` starts N worker processes here, anything else is a scheduler's address.

    BadParameter for a number of workers that is none; an error where no scheduler answers within `timeout` seconds.
    """
    distributed = _distributed()
    if where.lower().partition(":")[0] not in ("", "local"):
        try:
            client = distributed.Client(where, timeout=timeout, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            text = " ".join(str(error).split())
            raise MistakeboundError(f"there is no Dask scheduler at {where}: {cut(text, 200)}") from None
        with client:
            yield client
        return
    number = where.lower().removeprefix(_LOCAL)
    if not number.isdecimal() or not 1 <= int(number) <= 1024:
        raise BadParameter(f"--cluster must be local:N, N from 1 to 1024, or the address of a scheduler: {where!r}")
    import dask

    # Dask tells malloc to give back all that is free; for the next range it would be taken anew, page by page.
    keep = "distributed.nanny.pre-spawn-environ.MALLOC"
    with (
        dask.config.set({f"{keep}_TRIM_THRESHOLD_": 1 << 30, f"{keep}_MMAP_THRESHOLD_": 1 << 25}),
        ExitStack() as stack,
    ):
        try:
            cluster = distributed.LocalCluster(
                n_workers=int(number), threads_per_worker=1, processes=True, dashboard_address=":0", memory_limit=0
            )
            stack.enter_context(cluster)
            client = stack.enter_context(distributed.Client(cluster, set_as_default=False))
        except (OSError, RuntimeError, TimeoutError) as error:
            text = " ".join(str(error).split())
            raise MistakeboundError(f"the workers of {where} did not start: {cut(text, 200)}") from None
        yield client


# What workers do.


def versions() -> dict[str, str]:
    """What must be the same here and on the client."""
    import distributed
    import numpy as np

    from mistakebound import __version__

    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return {"mistakebound": __version__, "Python": python, "numpy": np.__version__, "dask": distributed.__version__}


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function gives, or the error of our own that it raises: that is an answer, and no fault of a worker.

    Where a row is bad it is done again with the lines counted, which nobody needs otherwise.  An argument that is the
    error of another task is the answer.
    """
    if failed := [argument for argument in arguments if isinstance(argument, Exception)]:
        return failed[0]
    try:
        try:
            return function(*arguments)
        except BadData:
            counted = tuple(map(with_lines, arguments))
            if all(map(operator.is_, counted, arguments)):
                raise
            return function(*counted)
    except MistakeboundError as error:
        return error.with_traceback(None)


def with_lines(argument: Any) -> Any:
    """A range, or a list of ranges, with all lines counted; anything else as it is."""
    if isinstance(argument, FileRange):
        return argument.with_line()
    if isinstance(argument, list) and any(isinstance(part, FileRange) and part.line is None for part in argument):
        return [part.with_line() for part in argument]
    return argument
