"""What the readers of text with one row per line share: chunks with the rows in them, emitted in file order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array

from mistakebound.core.block import Block
from mistakebound.core.buffers import zeros
from mistakebound.core.errors import BadData
from mistakebound.io.reader import KEPT_LINES, CutReader
from mistakebound.io.source import BLOCK_BYTES, Chunk, LineCutter
from mistakebound.kernels import libsvm as kernel  # the first places of `state` are the same in all parsers

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from typing import Any

    from mistakebound.io.source import Source

MOST_LABELS = 4096  # distinct label texts in one block; a block that has more is given out as several
_BOM = b"\xef\xbb\xbf"


class RowChunk(Chunk, ABC):
    """Lines of text and the rows in them.  `parse` needs nothing else: several may be parsed at once.

    A format says how long its shortest entry is (`shortest`), calls its kernel (`_run_kernel`), and puts a bad line
    into words (`_describe`).
    """

    __slots__ = (
        "_known_line", "_room_for", "_skip", "_unlabelled_ok", "bad", "bad_lines", "ends", "error", "indptr", "keys",
        "labels", "lines", "slots", "state", "tokens", "values",
    )  # fmt: skip

    shortest = 4  # bytes of an entry with the blank before it
    key_code = "Q"  # of the keys that its kernel writes

    def __init__(self, size: int, unlabelled_ok: bool, skip: bool) -> None:
        super().__init__(size)
        self._unlabelled_ok = unlabelled_ok
        self._skip = skip
        self.state = array("q", bytes(128))
        self._known_line = (1, 0)  # a line of the chunk and where it starts
        self.error: tuple[int, str, str] | None = None  # line (in the chunk), message, text
        self.bad = 0  # lines skipped
        self.bad_lines: list[tuple[int, str]] = []
        self._make_room()
        self._room_for = size  # bytes of text for whose rows there is room

    def _make_room(self) -> None:
        rows, entries = self.size // 2 + 8, self.size // self.shortest + 8  # the shortest row is "1\n"
        self.keys: memoryview[int] = zeros(self.key_code, entries, sparse=True)
        self.values: memoryview[float] = zeros("d", entries, sparse=True)
        self.indptr: memoryview[int] = zeros("q", rows + 1, sparse=True)
        self.tokens: memoryview[int] = zeros("i", rows, sparse=True)
        self.lines: memoryview[int] = zeros("q", rows, sparse=True)
        most = min(MOST_LABELS, rows)
        self.labels: memoryview[int] = zeros("B", self.size + 8, sparse=True)
        self.ends: memoryview[int] = zeros("q", most + 1)
        self.slots: memoryview[int] = zeros("i", 1 << (2 * most).bit_length())

    def parse(self) -> None:
        """Parse the text from its start."""
        if self._room_for != self.size:  # only now: a line that is too long is refused before it has rows
            self._make_room()
            self._room_for = self.size
        self.error, self.bad, self.bad_lines = None, 0, []
        self._known_line = (1, 0)
        self.state[kernel.LINE] = 0
        self.state[kernel.POS] = 3 if self.offset == 0 and self.text.startswith(_BOM) else 0
        self._more()

    def parse_rest(self) -> bool:
        """After a block was given out: parse on where a table of the kernel was full; false at the end."""
        if self.error is not None or self.state[kernel.POS] >= self.end:
            return False
        self._more()
        return True

    def _more(self) -> None:
        state = self.state
        state[kernel.ROWS] = state[kernel.ENTRIES] = state[kernel.LABELS] = state[kernel.REAL] = 0
        while status := self._run_kernel():
            if self._is_full(status):
                return
            start = state[kernel.POS]
            stop = self.text.index(b"\n", start)
            line, offset = state[kernel.LINE] + 1, state[kernel.OFFSET]
            if not self._skip:
                from mistakebound.io.bad_lines import excerpt  # for a line that is bad

                text = self.text[start:stop]
                self.error = line, self._describe(status, text, offset), excerpt(text, offset)
                return
            if self.bad < KEPT_LINES:
                self.bad_lines.append((line, self._describe(status, self.text[start:stop], offset)))
            self.bad += 1
            state[kernel.POS], state[kernel.LINE] = stop + 1, line

    @abstractmethod
    def _run_kernel(self) -> int:
        """Parse on from state[POS]; a status."""

    def _is_full(self, status: int) -> bool:
        """Whether the rows so far must be given out before the next one is parsed."""
        return status == kernel.LABELS_FULL

    @abstractmethod
    def _describe(self, status: int, line: bytes | bytearray, offset: int) -> str:
        """What is wrong with a line, in words."""

    def line_text(self, line: int) -> str:
        """A line of the chunk (from 1), shortened; looked for only when there is something to say about it.

        From the line that was asked for last on: where every line is bad, they are asked for one after the other.
        """
        from mistakebound.io.bad_lines import excerpt

        known, start = self._known_line if self._known_line[0] <= line else (1, 0)
        for _ in range(line - known):
            start = self.text.index(b"\n", start) + 1
        self._known_line = line, start
        return excerpt(self.text[start : self.text.index(b"\n", start)], 0)

    def block(self, source: str, first: int = 0) -> Block:
        """The rows that were parsed last; `first` lines of the source come before this chunk."""
        state, ends = self.state, self.ends
        return Block(
            state[kernel.ROWS],
            self.indptr,
            self.keys,
            self.values if state[kernel.REAL] else None,
            tokens=self.tokens,
            label_tokens=[bytes(self.labels[ends[k] : ends[k + 1]]) for k in range(state[kernel.LABELS])],
            lines=self.lines,
            source=source,
            line_text=lambda row: self.line_text(self.lines[row] - first),
        )


class RowReader(CutReader):
    """The reader of a text with one row per line."""

    __slots__ = ()

    format = ""

    def __init__(
        self,
        path: str | os.PathLike[str] | Source,
        settings: dict[str, Any] | None = None,
        *,
        block_bytes: int = BLOCK_BYTES,
        unlabelled_ok: bool = False,
        on_error: str = "fail",
    ) -> None:
        self._cutter = LineCutter(path, block_bytes)
        super().__init__(
            self._cutter.source.name, {"format": self.format}, unlabelled_ok=unlabelled_ok, on_error=on_error
        )

    @abstractmethod
    def chunk(self) -> RowChunk:
        """Room for some lines and the rows in them."""

    def fill(self, chunk: RowChunk) -> bool:
        return self._cutter.fill(chunk)

    def emit(self, chunk: RowChunk) -> Iterator[Block]:
        """The rows of a parsed chunk as one block (more when it has a great many labels), then its error."""
        self._check(chunk)
        state, first, counted = chunk.state, self.line, 0
        while True:
            # Before the rows are given out: whoever stops at one of them does not come back.
            self._count_bad(chunk.bad - counted, chunk.bad_lines, first)
            counted = chunk.bad
            chunk.bad_lines.clear()
            kernel.number_lines(chunk.lines, state[kernel.ROWS], first)
            self.line, self.offset = first + state[kernel.LINE], chunk.offset + state[kernel.POS]
            if state[kernel.ROWS]:
                yield chunk.block(self.name, first)
            if not chunk.parse_rest():
                break
        if chunk.error is not None:
            line, message, text = chunk.error
            raise BadData(message, source=self.name, line=first + line, text=text)

    def seek(self, position: dict[str, Any]) -> None:
        self.line, self.offset = position["line"], position["offset"]
        self._cutter.seek(self.offset)
