"""The threads of a pipeline: each reads and parses a piece, then waits its turn to handle it."""

from __future__ import annotations

import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.block import Block
    from mistakebound.streams.pipeline import Piece, Reader


PATIENCE = 1.0  # seconds for a thread to end after Ctrl-C; one that waits for input cannot be woken


class Crew:
    """Tickets are given out with the pieces; ticket t waits at gate t mod threads, which ticket t - 1 opens.

    At most `threads` tickets are out at a time and they are consecutive, so no two wait at one gate.  The main
    thread only waits: Ctrl-C always finds it, and never a learner in the middle of a block.
    """

    def __init__(
        self, reader: Reader[Any], handle: Callable[[Block], object], threads: int, table: AttributeTable | None
    ) -> None:
        self._reader = reader
        self._table = table
        self._handle = handle
        self._reading = threading.Lock()
        self._handling = threading.Lock()
        self._gates = [threading.Lock() for _ in range(threads)]
        for gate in self._gates[1:]:
            gate.acquire()
        self._tickets = 0
        self._stopped = threading.Event()
        self._error: BaseException | None = None
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]

    def run(self) -> None:
        try:
            for thread in self._threads:
                thread.start()
            for thread in self._threads:
                while thread.is_alive():
                    thread.join(0.2)  # without a limit, Ctrl-C would not end the wait on Windows
        except KeyboardInterrupt:
            self._stopped.set()
            with self._handling:  # the block in hand is finished; from here on nobody begins another
                pass
            for thread in self._threads:
                if thread.is_alive():
                    thread.join(PATIENCE)
            raise
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        try:
            piece = self._reader.piece()
            while not self._stopped.is_set():
                with self._reading:
                    if self._stopped.is_set() or not self._reader.fill(piece):
                        return
                    ticket = self._tickets
                    self._tickets += 1
                self._turn(piece, ticket)
        except BaseException as e:
            self._fail(e)

    def _turn(self, piece: Piece, ticket: int) -> None:
        error: BaseException | None = None
        try:
            if piece.failure is None:
                piece.parse()
                if self._table is not None and hasattr(piece, "look_ahead"):
                    piece.look_ahead(self._table)
        except BaseException as e:
            error = e
        self._gates[ticket % len(self._gates)].acquire()
        try:
            with self._handling:
                if self._stopped.is_set():
                    return
                if error is not None:
                    raise error
                for block in self._reader.settle(piece):
                    if self._stopped.is_set() or self._handle(block):
                        self._stopped.set()
                        return
        except BaseException as e:
            self._fail(e)
        finally:
            self._gates[(ticket + 1) % len(self._gates)].release()

    def _fail(self, error: BaseException) -> None:
        self._stopped.set()
        if self._error is None:
            self._error = error
