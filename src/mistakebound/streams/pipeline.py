"""A stream played block by block, in one thread or several: the same order, the same result."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any, Protocol, TypeVar

    from mistakebound.core.block import Block

    class Piece(Protocol):
        """Some lines, or the failure that stands in their place."""

        failure: Any

        def parse(self) -> None: ...

    P = TypeVar("P", bound=Piece)

    class Reader(Protocol[P]):
        """What `run` asks of a reader; see `LibsvmReader`."""

        def piece(self) -> P: ...
        def fill(self, piece: P) -> bool: ...
        def settle(self, piece: P) -> Iterator[Block]: ...
        def close(self) -> None: ...


def run(reader: Reader[P], handle: Callable[[Block], object], threads: int = 1) -> None:
    """Call handle(block) for every block in file order, until it returns something true.

    With several threads each one reads and parses a piece, then waits its turn to handle it: only one handles
    at a time.  An error surfaces when the rows before it have been handled.  Ctrl-C lets the block in hand be
    finished, then raises KeyboardInterrupt; while a read waits for input it raises at once.
    """
    try:
        if threads <= 1:
            _run_alone(reader, handle)
        else:
            from mistakebound.streams.crew import Crew

            Crew(reader, handle, threads).run()
    except BaseException:
        reader.close()  # only now: no other thread is reading any more
        raise


def _run_alone(reader: Reader[P], handle: Callable[[Block], object]) -> None:
    piece = reader.piece()
    with _Interrupt() as interrupt:
        while reader.fill(piece):
            if piece.failure is None:
                piece.parse()
            for block in reader.settle(piece):
                interrupt.later = True
                stop = handle(block)
                interrupt.later = False
                if interrupt.pending:
                    raise KeyboardInterrupt
                if stop:
                    return


class _Interrupt:
    """Puts Ctrl-C off while `later` is true: what a block does to a learner and its ledger is done whole."""

    __slots__ = ("_old", "_signal", "later", "pending")

    def __init__(self) -> None:
        import signal

        self._signal = signal
        self._old: Any = None
        self.later = False
        self.pending = False

    def _handler(self, number: int, frame: FrameType | None) -> None:
        if not self.later or self.pending:  # the second one does not wait
            raise KeyboardInterrupt
        self.pending = True

    def __enter__(self) -> _Interrupt:
        if self._signal.getsignal(self._signal.SIGINT) is self._signal.default_int_handler:
            try:
                self._old = self._signal.signal(self._signal.SIGINT, self._handler)
            except ValueError:  # not the main thread: Ctrl-C does not come here
                self._old = None
        return self

    def __exit__(self, *exc: object) -> None:
        self.later = False
        if self._old is not None:
            self._signal.signal(self._signal.SIGINT, self._old)
