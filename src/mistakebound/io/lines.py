"""Text cut into chunks of whole lines: what all readers of lines share."""

from __future__ import annotations

import os

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io.reader import BaseChunk
from mistakebound.io.source import Source

LONGEST_LINE = 1 << 26  # bytes: what is made of a line takes a multiple of it, and a few compressed bytes may be one
SLACK = 64  # bytes that may be read, and one newline that may be written, behind the text


class Chunk(BaseChunk):
    """A buffer with whole lines, text[:end], or a failure in their place; used again from chunk to chunk."""

    __slots__ = ("end", "failure", "offset", "size", "text")

    longest = LONGEST_LINE  # line, where a format takes fewer bytes

    def __init__(self, size: int) -> None:
        self.end = 0
        self.offset = 0  # of text[0] in the whole (uncompressed) text
        self.failure: BaseException | None = None
        self.size = size
        self.text = bytearray(size + SLACK)

    def resize(self, size: int) -> None:
        """Make room for size bytes; the bytes in it stay."""
        text = bytearray(size + SLACK)
        kept = min(self.size, size)
        text[:kept] = memoryview(self.text)[:kept]
        self.size, self.text = size, text


class LineCutter:
    """Fills chunks from a source, each with the lines after those of the one before."""

    __slots__ = ("_ended", "_offset", "_tail", "block_bytes", "source")

    def __init__(self, path: str | os.PathLike[str] | Source, block_bytes: int) -> None:
        self.source = Source(path) if isinstance(path, (str, os.PathLike)) else path
        self.block_bytes = block_bytes
        self._tail = b""  # the start of a line, read but not yet given out
        self._offset = 0
        self._ended = False

    def seek(self, offset: int) -> None:
        """Before anything was filled: go on at an offset of the text, where a line starts."""
        self.source.skip_to(offset)
        self._offset = offset

    def fill(self, chunk: Chunk) -> bool:
        """Put the next lines into the chunk; false when there are none left.

        When the source fails, or Ctrl-C ends the wait for it, all whole lines before have been given out; the chunk
        gets the failure, so that whoever emits the chunks in their order raises it in its turn.
        """
        if self._ended:
            return False
        if chunk.size > 16 * self.block_bytes:  # one line was very long; its room is not kept for ever
            chunk.resize(self.block_bytes)
        while chunk.size < len(self._tail):
            chunk.resize(2 * chunk.size)
        chunk.text[: len(self._tail)] = self._tail
        chunk.offset = self._offset
        have = chunk.end = 0
        try:
            have = self._read(chunk, len(self._tail))
        except (MistakeboundError, KeyboardInterrupt) as e:
            self.close()
            chunk.failure = e.with_traceback(None)
            return True
        self._tail = bytes(memoryview(chunk.text)[chunk.end : have])
        self._offset += chunk.end
        return chunk.end > 0

    def _read(self, chunk: Chunk, have: int) -> int:
        """Read on from `have` bytes until there is a whole line; how many bytes there are then.

        chunk.end says how many of them are whole lines.
        """
        while True:
            room = self.block_bytes if have < self.block_bytes else chunk.size
            if have == room:
                self._grow(chunk)
                continue
            got = self.source.read_into(memoryview(chunk.text)[have:room])
            if not got:
                self.close()
                if have:  # the last line has no newline: give it one
                    chunk.text[have] = 10
                    have += 1
                chunk.end = have
                return have
            chunk.end = self._last_end(chunk, have, have + got)
            have += got
            if chunk.end:
                return have

    def _last_end(self, chunk: Chunk, start: int, stop: int) -> int:
        """Where the last line that ends in text[start:stop] ends; 0 when none does."""
        return chunk.text.rfind(b"\n", start, stop) + 1

    def _grow(self, chunk: Chunk) -> None:
        longest = min(LONGEST_LINE, chunk.longest)
        if chunk.size >= longest:
            raise BadData(f"the line is longer than {longest} bytes", source=self.source.name)
        chunk.resize(min(2 * chunk.size, longest))

    def close(self) -> None:
        self._ended = True
        self.source.close()
