"""What reads rows: the base class of every reader, of one file and of a whole stream.

Three steps, which `run` spreads over threads: `fill` a chunk (one caller at a time), parse it (any number at
once, but none beside another that is to be parsed `alone`), `emit` the blocks of a parsed chunk (one caller at a time,
in the order of filling).
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod

from mistakebound.core.atomic import Interrupt
from mistakebound.core.errors import BadData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence, Set
    from typing import Any, ClassVar, Self

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.block import Block
    from mistakebound.core.errors import NoConsistentHypothesis
    from mistakebound.io.source import LineCutter


KEPT_LINES = 100  # bad lines that are listed, however many are counted


class BaseChunk:
    """A part of the input, or the failure that stands in its place."""

    __slots__ = ()

    failure: BaseException | None
    alone = False  # it is to be parsed before the next one is filled: they share something
    matched: Set[str] = frozenset()  # patterns of attributes to ignore that members of the rows fit

    def parse(self) -> None:
        """Find the rows in it, where somebody wants them; needs nothing else, so that several may be parsed at once."""

    def look_ahead(self, table: AttributeTable) -> None:
        """Look attributes up in the thread that parsed the chunk, where that can be done."""


class Reader(ABC):
    """Blocks of rows in their order, each row the same whatever the size of the blocks.

    A block's buffers are used again for the next one.  A bad row raises `BadData` after the rows before it were given
    out.  At its end the input is closed, by `run` after an error too; whoever stops before that closes it
    (`with`).
    """

    __slots__ = ()

    settings: Any  # how to read another input so that it means the same: what a model remembers
    shuffled: ClassVar[bool] = False  # rows have numbers in place of lines: `locate` knows more
    assumed: Sequence[str] = ()  # what was guessed from the first rows, in words, a line each
    identity: int | None = None  # of a cache: the same for the same rows, whenever they were cached

    @abstractmethod
    def chunk(self) -> Any:
        """Room for a part of the input and the rows in it."""

    @abstractmethod
    def fill(self, chunk: Any) -> bool:
        """Read the next part into a chunk; false at the end."""

    @abstractmethod
    def emit(self, chunk: Any) -> Iterator[Block]:
        """The rows of a parsed chunk as blocks, then its error."""

    @abstractmethod
    def progress(self) -> tuple[int, int | None]:
        """Bytes read of the input as it lies on the disk, and how many it has (None: not known)."""

    @abstractmethod
    def position(self) -> dict[str, Any]:
        """Just behind the last block given out; `seek` takes it."""

    @abstractmethod
    def seek(self, position: dict[str, Any]) -> None:
        """Go on where another reader of the same input stood, before anything was read."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the input."""

    def locate(self, error: BadData | NoConsistentHypothesis) -> str | None:
        """Give an error that has the number of a row the line of it; the file, or None where lines are known."""
        return None

    def unmatched(self) -> list[str]:
        """Patterns of attributes to ignore that fit nothing in all that was read."""
        return []

    def __iter__(self) -> Iterator[Block]:
        with self:
            chunk = self.chunk()
            while self.fill(chunk):
                if chunk.failure is None:
                    chunk.parse()
                yield from self.emit(chunk)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class FileReader(Reader):
    """The rows of one file.  With `skip` bad rows are counted and listed instead of raised."""

    __slots__ = ("_skip", "_unlabelled_ok", "assumed", "line", "name", "offset", "settings", "skipped", "skipped_lines")

    def __init__(self, name: str, settings: dict[str, Any], *, unlabelled_ok: bool, on_error: str) -> None:
        self._skip = on_error == "skip"
        self._unlabelled_ok = unlabelled_ok
        self.name = name
        self.settings = {key: value for key, value in settings.items() if key != "remembered"}
        self.assumed: list[str] = []  # what was guessed from the first rows, in words, a line each
        self.skipped = 0
        self.skipped_lines: list[tuple[int, str]] = []
        self.line = 0  # lines given out so far, and
        self.offset = 0  # where the next one starts in the (uncompressed) text

    def position(self) -> dict[str, Any]:
        return {"line": self.line, "offset": self.offset}

    def _check(self, chunk: BaseChunk) -> None:
        """Raise the failure that stands in the place of lines."""
        if chunk.failure is not None:
            if isinstance(chunk.failure, BadData) and chunk.failure.line is None:
                chunk.failure.line = self.line + 1
            try:
                raise chunk.failure
            finally:
                chunk.failure = None  # type: ignore[misc] # in the slots of each kind; its frames would keep the chunk, and a long line in it, alive

    def _count_bad(self, count: int, lines: list[tuple[int, str]], first: int) -> None:
        """Skipped rows of a chunk; `first` lines of the file come before it."""
        self.skipped += count
        self.skipped_lines += [(first + line, message) for line, message in lines]
        del self.skipped_lines[KEPT_LINES:]


class CutReader(FileReader):
    """The reader of a text, which a cutter takes apart."""

    __slots__ = ("_cutter",)

    _cutter: LineCutter

    @property
    def jumps(self) -> bool:
        """Whether offsets of the text are those of the file: it is neither compressed nor rewritten."""
        return self._cutter.source.can_jump()

    def progress(self) -> tuple[int, int | None]:
        return self._cutter.source.position, self._cutter.source.total

    def close(self) -> None:
        self._cutter.close()


class StreamReader(Reader):
    """The rows of a whole stream: files one after the other, a cache of them, or rows kept in memory."""

    __slots__ = ()

    rows: int  # given out so far

    @abstractmethod
    def skipped_before(self, line: int | None) -> tuple[int, list[tuple[str, int, str]]]:
        """Bad rows before a line of the file in hand (None: all): how many; file, line and trouble of the first."""

    @abstractmethod
    def collisions(self) -> dict[str, int] | None:
        """How many names fell together, where they are hashed."""


_LARGE = 1 << 22  # bytes from which a second thread pays for its start


def run(
    reader: Reader,
    handle: Callable[[Block], object],
    threads: int = 1,
    table: AttributeTable | None = None,
) -> None:
    """Call handle(block) for every block in file order, until it returns something true.

    With several threads each one reads and parses a chunk, then waits its turn to handle it: only one handles
    at a time.  An error surfaces when the rows before it have been handled.  Ctrl-C lets the block in hand be
    finished, then raises KeyboardInterrupt; while a read waits for input it raises at once.  With the table of the
    learner that handles the blocks, threads look attributes up there before their turn, where that can be done.
    """
    try:
        if threads > 1:
            from mistakebound.io.ordered_threads import OrderedThreadPool

            OrderedThreadPool(reader, handle, threads, table).run()
            return
        with Interrupt() as interrupt:
            for block in reader:
                interrupt.later = True
                stop = handle(block)
                interrupt.later = False
                if interrupt.pending:
                    raise KeyboardInterrupt
                if stop:
                    return
    except BaseException:
        reader.close()  # only now: no other thread is reading any more
        raise


def threads_for(reader: Reader, wanted: int | None) -> int:
    """As many as asked for; by default one for a small file, and the cores that we may use for a large one."""
    return threads_for_bytes(reader.progress()[1], wanted)


def threads_for_bytes(total: int | None, wanted: int | None) -> int:
    if wanted is not None:
        return wanted
    if total is not None and total < _LARGE:
        return 1
    return min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
