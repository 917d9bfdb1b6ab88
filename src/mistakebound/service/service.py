"""The service: models in memory, one writer, groups of writes committed together, predictions in between.

A write is in the journal before it is applied, and applied before it is answered, so that memory is never ahead of the
disk.  Everything but the disk happens in the event loop: a prediction sees a model between two whole groups of updates.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor

import orjson

from mistakebound.core.errors import MistakeboundError
from mistakebound.service.hosted import HostedModel
from mistakebound.service.journal import CREATE, DELETE, LABEL, LEARN, StorageFull, Write
from mistakebound.service.predictions import PredictionStore
from mistakebound.service.problems import Problem
from mistakebound.service.store import Store, backup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from mistakebound.service.settings import Settings

log = logging.getLogger("mistakebound.service")
_GROUP = 1000  # writes that are committed together
_QUEUE = 20_000  # writes that may wait
_TICK = 0.1  # seconds between two looks at what is to be written behind


class Service:
    """All models of a directory; `start` it in an event loop, `write` to it, `stop` it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.models: dict[str, HostedModel] = {}
        self.ready = False
        self.full = False  # the last commit found no room
        self.commits = 0
        self.writes = 0
        self.commit_seconds = 0.0
        self.store = Store(settings.directory)
        self.predictions = PredictionStore(settings.directory, settings.keep_predictions, settings.keep_hours)
        self._queue: list[Write] = []
        self._wake = asyncio.Event()
        self._stopping = False
        self._tasks: list[asyncio.Task[None]] = []
        self._disk = ThreadPoolExecutor(1, "journal")  # the one thread that uses the journal,
        self._behind = ThreadPoolExecutor(1, "behind")  # and the one for all that may wait

    async def start(self) -> None:
        """Begin to load; `ready` is true when all models are in memory."""
        self._tasks = [asyncio.create_task(self._load())]

    async def _load(self) -> None:
        loop = asyncio.get_running_loop()
        self.models = await loop.run_in_executor(self._disk, self.store.load)
        self._tasks += [asyncio.create_task(self._write_groups()), asyncio.create_task(self._write_behind())]
        self.ready = True
        log.info("%d models are in memory", len(self.models))

    def failure(self) -> BaseException | None:
        """What ended one of the tasks that must not end."""
        ended = (task for task in self._tasks if task.done() and not task.cancelled())
        return next((error for task in ended if (error := task.exception()) is not None), None)

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def model(self, name: str) -> HostedModel:
        hosted = self.models.get(name)
        if hosted is None:
            raise Problem(404, f"there is no model {name!r}")
        return hosted

    async def earlier(self, name: str, key: str) -> dict[str, Any] | None:
        """The body of the write of a model that had a key."""
        write = self.model(name).recent.get(key)
        if write is not None:
            body: bytes | None = write.body
        else:
            body = await asyncio.get_running_loop().run_in_executor(self._disk, self.store.journal.body, name, key)
        found: dict[str, Any] | None = None if body is None else orjson.loads(body)
        return found

    async def write(self, write: Write) -> Write:
        """Have a write committed and applied; it comes back with status and answer, or a Problem is raised."""
        if len(self._queue) >= _QUEUE or self._stopping:
            raise Problem(503, "too many writes are waiting" if not self._stopping else "stopping", Retry_After="1")
        write.done = asyncio.get_running_loop().create_future()
        self._queue.append(write)
        self._wake.set()
        done: Write = await write.done
        return done

    async def _write_groups(self) -> None:
        while not (self._stopping and not self._queue):
            if not self._queue:
                self._wake.clear()
                await self._wake.wait()
                continue
            group, self._queue = self._queue[:_GROUP], self._queue[_GROUP:]
            await self._write_group(group)
            self._snapshot_due()

    async def _write_group(self, group: list[Write]) -> None:
        """Commit, apply, answer.  Of several writes with one key the first is made, and its answer is that of all."""
        first: dict[tuple[str, str], Write] = {}
        new, again = [], []
        for write in self._possible(group):
            key = (write.model, write.key or "")
            if write.key is not None and key in first:
                again.append(write)
            else:
                first[key] = write
                new.append(write)
        asked = [write.body for write in new]
        begun = time.perf_counter()
        try:
            if new:
                await asyncio.get_running_loop().run_in_executor(self._disk, self.store.journal.append, new)
        except StorageFull as error:
            if not self.full:  # each group until there is room would be a line
                log.error("%s", error)
            self.full = True
            problem = Problem(507, f"{error}; nothing was learned, predictions go on", Retry_After="10")
            for write in new + again:
                refuse(write, problem)
            return
        self.full, self.commits, self.writes = False, self.commits + 1, self.writes + len(new)
        self.commit_seconds += time.perf_counter() - begun
        self._apply([write for write in new if not write.status])
        for write, body in zip(new, asked, strict=True):
            finish(write, write, body)
        for write in again:
            finish(write, first[write.model, write.key or ""], write.body)

    def _possible(self, group: list[Write]) -> list[Write]:
        """The writes of a group that can be made; the others are answered."""
        there = {name: hosted.key for name, hosted in self.models.items()}
        left = []
        for write in group:
            hosted = self.models.get(write.model)
            earlier = None if hosted is None or write.key is None else hosted.recent.get(write.key)
            if earlier is not None:
                finish(write, earlier, write.body)
            elif write.kind == CREATE and write.model not in there and len(there) >= self.settings.max_models:
                refuse(write, Problem(409, f"there may be at most {self.settings.max_models} models"))
            elif write.kind == CREATE and there.setdefault(write.model, write.key or "") != write.key:
                refuse(write, Problem(409, f"there is a model {write.model!r}"))
            elif write.kind == CREATE and hosted is not None and hosted.key == there[write.model]:  # it is this one
                write.status = 200
                finish(write, write, write.body)
            elif write.model not in there:
                refuse(write, Problem(404, f"there is no model {write.model!r}"))
            else:
                if write.kind == DELETE:
                    del there[write.model]
                left.append(write)
        return left

    def _apply(self, writes: list[Write]) -> None:
        """All in the order of the journal, runs of updates of one model at once."""
        runs: dict[str, list[Write]] = {}
        for write in writes:
            if write.kind in (LEARN, LABEL):
                runs.setdefault(write.model, []).append(write)
                continue
            if write.model in runs:
                self.models[write.model].apply(runs.pop(write.model))
            if write.kind == CREATE:
                self.models[write.model] = made = HostedModel.from_file(write.model, write.body, write.sequence)
                made.key = write.key or ""
            else:
                del self.models[write.model]
                self.store.delete(write.model)
            write.status, write.answer = 201 if write.kind == CREATE else 204, b""
        for name, run in runs.items():
            self.models[name].apply(run)

    def _snapshot_due(self) -> None:
        now = time.monotonic()
        for hosted in self.models.values():
            many = hosted.updates >= self.settings.snapshot_updates
            if hosted.updates and (many or now - hosted.snapshot_time >= self.settings.snapshot_seconds):
                self._behind.submit(self._save, *_taken(hosted))

    def _save(self, hosted: HostedModel, data: bytes, sequence: int, answers: dict[str, Write]) -> None:
        """Write a snapshot: the answers first, so that it is never ahead of them."""
        try:
            kept = [(write.status, write.answer or b"", write.sequence) for write in answers.values()]
            self._disk.submit(self.store.journal.keep_answers, kept).result()
            if self.models.get(hosted.name) is not hosted:  # it was deleted
                return
            self.store.save(hosted.name, data)
            hosted.saved = sequence
            if self.settings.journal_days:
                before = time.time() - 86400 * self.settings.journal_days
                self._disk.submit(self.store.journal.prune, hosted.name, sequence, before).result()
        except (MistakeboundError, OSError) as error:
            log.error("the snapshot of %s was not written: %s", hosted.name, error)
            hosted.updates += 1  # so that there will be another
            return
        for key in answers:
            hosted.recent.pop(key, None)
        log.info("%s: snapshot at %d", hosted.name, sequence)

    async def _write_behind(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._stopping:
            await asyncio.sleep(_TICK)
            if self.predictions.waiting:
                await loop.run_in_executor(self._behind, self.predictions.flush)
            self._snapshot_due()

    async def backup(self, target: Path) -> None:
        """Copy the directory to another one, while writes go on."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, backup, self.settings.directory, target)

    async def stop(self) -> None:
        """Make the writes that wait, write a snapshot of every model that has changed, and let go of the directory."""
        self._stopping = True
        self._wake.set()
        loop = asyncio.get_running_loop()
        for task in self._tasks:
            await asyncio.wait([task])
        if self.ready:
            for hosted in self.models.values():
                if hosted.updates:
                    await loop.run_in_executor(self._behind, self._save, *_taken(hosted))
        await loop.run_in_executor(self._behind, self.predictions.close)
        await loop.run_in_executor(self._disk, self.store.close)
        self._behind.shutdown()
        self._disk.shutdown()


def _taken(hosted: HostedModel) -> tuple[HostedModel, bytes, int, dict[str, Write]]:
    """What a snapshot of a model as it is now holds."""
    hosted.updates, hosted.snapshot_time = 0, time.monotonic()
    return hosted, hosted.state(), hosted.sequence, dict(hosted.recent)


def finish(write: Write, made: Write, body: bytes) -> None:
    """Answer a write by the one that was made with its key, if both ask for the same."""
    if made.body != body:
        what = "another label was given for this prediction" if write.kind == LABEL else "the key has another request"
        refuse(write, Problem(409, what))
    elif not write.done.done():
        write.status, write.answer, write.sequence = made.status, made.answer, made.sequence
        write.done.set_result(write)


def refuse(write: Write, problem: Problem) -> None:
    if not write.done.done():
        write.done.set_exception(problem)
