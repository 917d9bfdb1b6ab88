"""Text cut into pieces of whole lines: what all readers of lines share."""

from __future__ import annotations

import os

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.streams.source import Source

LONGEST_LINE = 1 << 26  # bytes: what is made of a line takes a multiple of it, and a few compressed bytes may be one
SLACK = 64  # bytes that may be read, and one newline that may be written, behind the text


class Piece:
    """A buffer with whole lines, text[:end], or a failure in their place; used again from piece to piece."""

    __slots__ = ("end", "failure", "offset", "size", "text")

    longest = LONGEST_LINE  # line, where a format takes fewer bytes

    def __init__(self, size: int) -> None:
        self.end = 0
        self.offset = 0  # of text[0] in the whole (uncompressed) text
        self.failure: MistakeboundError | None = None
        self.size = size
        self.text = bytearray(size + SLACK)

    def resize(self, size: int) -> None:
        """Make room for size bytes; the bytes in it stay."""
        text = bytearray(size + SLACK)
        kept = min(self.size, size)
        text[:kept] = memoryview(self.text)[:kept]
        self.size, self.text = size, text


class LineCutter:
    """Fills pieces from a source, each with the lines after those of the one before."""

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

    def fill(self, piece: Piece) -> bool:
        """Put the next lines into the piece; false when there are none left.

        When the source fails, all whole lines before have been given out; the piece gets the failure, so that
        whoever settles the pieces in their order raises it in its turn.
        """
        if self._ended:
            return False
        if piece.size > 16 * self.block_bytes:  # one line was very long; its room is not kept for ever
            piece.resize(self.block_bytes)
        while piece.size < len(self._tail):
            piece.resize(2 * piece.size)
        piece.text[: len(self._tail)] = self._tail
        piece.offset = self._offset
        have = piece.end = 0
        try:
            have = self._read(piece, len(self._tail))
        except MistakeboundError as e:
            self.close()
            piece.failure = e
            return True
        self._tail = bytes(memoryview(piece.text)[piece.end : have])
        self._offset += piece.end
        return piece.end > 0

    def _read(self, piece: Piece, have: int) -> int:
        """Read on from `have` bytes until there is a whole line; how many bytes there are then.

        piece.end says how many of them are whole lines.
        """
        while True:
            room = self.block_bytes if have < self.block_bytes else piece.size
            if have == room:
                self._grow(piece)
                continue
            got = self.source.read_into(memoryview(piece.text)[have:room])
            if not got:
                self.close()
                if have:  # the last line has no newline: give it one
                    piece.text[have] = 10
                    have += 1
                piece.end = have
                return have
            piece.end = self._last_end(piece, have, have + got)
            have += got
            if piece.end:
                return have

    def _last_end(self, piece: Piece, start: int, stop: int) -> int:
        """Where the last line that ends in text[start:stop] ends; 0 when none does."""
        return piece.text.rfind(b"\n", start, stop) + 1

    def _grow(self, piece: Piece) -> None:
        longest = min(LONGEST_LINE, piece.longest)
        if piece.size >= longest:
            raise BadData(f"the line is longer than {longest} bytes", source=self.source.name)
        piece.resize(min(2 * piece.size, longest))

    def close(self) -> None:
        self._ended = True
        self.source.close()
