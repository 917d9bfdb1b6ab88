"""The threads of a pipeline: whoever is free handles the next chunk, if that is parsed, or reads and parses another."""

from __future__ import annotations

import threading

from mistakebound.core.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.block import Block
    from mistakebound.io.reader import Reader


PATIENCE = 1.0  # seconds for a thread to end after Ctrl-C; one that waits for input cannot be woken
_AHEAD = 1  # chunks more than threads: one that is parsed may wait for its turn without keeping a thread from its work
_WATCH = 0.2  # seconds; without a limit, Ctrl-C would not end a wait on Windows


class OrderedThreadPool:
    """Chunks are numbered as they are filled, one at a time, and handled in that order, one at a time.

    All that the threads share is changed under one lock.  The main thread only waits: Ctrl-C always finds it, and
    never a learner in the middle of a block.
    """

    def __init__(
        self, reader: Reader, handle: Callable[[Block], object], threads: int, table: AttributeTable | None
    ) -> None:
        self._reader = reader
        self._table = table
        self._handle = handle
        self._change = threading.Condition()
        self._free: list[Any] = [None] * (threads + _AHEAD)  # chunks; None: one that is still to be made
        self._parsed: dict[int, tuple[Any, BaseException | None]] = {}  # by number, with what went wrong
        self._filled = 0  # chunks so far
        self._handled = 0
        self._reading = False  # somebody is
        self._handling = False
        self._ended = False  # the reader has no more
        self._stopped = False
        self._error: BaseException | None = None
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]

    def run(self) -> None:
        try:
            self._start()
            for thread in self._threads:
                while thread.is_alive():
                    thread.join(_WATCH)
        except KeyboardInterrupt:
            with self._change:
                self._stopped = True  # from here on nobody begins another block
                self._change.notify_all()
                while self._handling:  # the one in hand is finished
                    self._change.wait(_WATCH)
            for thread in self._threads:
                if thread.is_alive():
                    thread.join(PATIENCE)
            raise
        if self._error is not None:
            raise self._error

    def _start(self) -> None:
        """Where memory is short, fewer threads do; MemoryError when not even one could be started."""
        for number, thread in enumerate(self._threads):
            try:
                start_thread(thread)
            except RuntimeError as error:
                if not number:
                    raise MemoryError("no thread could be started") from error
                del self._threads[number:]
                return

    def _work(self) -> None:
        try:
            while (step := self._next()) is not None:
                step()
        except BaseException as e:
            self._fail(e)

    def _next(self) -> Callable[[], None] | None:
        """What there is to do: a chunk to be handled before one to be read.  None: nothing any more."""
        with self._change:
            while not self._stopped:
                if not self._handling and self._handled in self._parsed:
                    self._handling = True
                    return self._handle_chunk
                if not self._reading and not self._ended and self._free:
                    self._reading = True
                    return self._read_chunk
                if self._ended and self._handled == self._filled:
                    return None
                self._change.wait()
        return None

    def _read_chunk(self) -> None:
        chunk = self._free.pop()
        if chunk is None:
            chunk = self._reader.chunk()
        found = self._reader.fill(chunk)
        alone = found and chunk.alone
        error = self._parse(chunk) if alone else None
        with self._change:
            self._reading = False
            self._ended = not found
            number = self._filled
            self._filled += found
            if alone:
                self._parsed[number] = chunk, error
            self._change.notify_all()
        if found and not alone:
            error = self._parse(chunk)
            with self._change:
                self._parsed[number] = chunk, error
                self._change.notify_all()

    def _parse(self, chunk: Any) -> BaseException | None:
        """What went wrong comes back."""
        try:
            if chunk.failure is None:
                chunk.parse()
                if self._table is not None:
                    chunk.look_ahead(self._table)
        except BaseException as e:
            return e
        return None

    def _handle_chunk(self) -> None:
        chunk, error = self._parsed.pop(self._handled)
        try:
            if error is not None:
                raise error
            for block in self._reader.emit(chunk):
                if self._stopped or self._handle(block):
                    self._stopped = True
                    return
        except BaseException as e:
            self._fail(e)  # while nobody else may handle the next one
        finally:
            with self._change:
                self._handling = False
                self._handled += 1
                self._free.append(chunk)
                self._change.notify_all()

    def _fail(self, error: BaseException) -> None:
        with self._change:
            self._stopped = True
            if self._error is None:
                self._error = error
            self._change.notify_all()
