"""Chunks of lines that are taken apart in Python, a line at a time: formats for which there is no kernel."""

from __future__ import annotations

from abc import abstractmethod
from array import array

from mistakebound.core.block import ANY, Block, BlockNames
from mistakebound.core.errors import BadData
from mistakebound.io.rows import MOST_LABELS, RowChunk
from mistakebound.kernels import libsvm as state_of  # the places of `state`

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_BAD_LINE = 1


class InterpretedChunk(RowChunk):
    """A format says what a line means (`_read_line`); names become places in the list of those of the block."""

    __slots__ = (
        "_fault",
        "_indptr",
        "_keys",
        "_labels",
        "_lines",
        "_places",
        "_tokens",
        "_values",
        "_weights",
    )

    shortest = 1 << 40  # its kernel's arrays are not needed
    longest = 1 << 24  # bytes of a line: as objects of Python its words take thirty times as many

    @abstractmethod
    def _read_line(self, line: str) -> tuple[str | None, float, Mapping[str, float]] | None:
        """Label (None: unlabelled), weight and attributes of a line; None for one without a row; else BadData."""

    def _make_room(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._keys, self._values = array("Q"), array("d")
        self._indptr, self._lines, self._tokens = array("q", [0]), array("q"), array("i")
        self._weights = array("d")
        self._labels: dict[str, int] = {}
        self._places: dict[str, int] = {}
        self._fault = ""

    def _more(self) -> None:
        self._clear()
        super()._more()

    def _run_kernel(self) -> int:
        state, text, end = self.state, self.text, self.end
        while (start := state[state_of.POS]) < end:
            stop = text.index(b"\n", start)
            state[state_of.OFFSET] = 0
            try:
                row = self._read_line(text[start:stop].decode().rstrip("\r"))
            except UnicodeDecodeError as error:
                state[state_of.OFFSET] = error.start
                self._fault = "the line is not UTF-8"
                return _BAD_LINE
            except BadData as error:
                self._fault = error.message
                return _BAD_LINE
            if row is not None and len(self._labels) >= MOST_LABELS and row[0] not in self._labels:
                return state_of.LABELS_FULL
            state[state_of.POS] = stop + 1
            state[state_of.LINE] += 1
            if row is not None:
                self._add(*row)
        return 0

    def _add(self, label: str | None, weight: float, attributes: Mapping[str, float]) -> None:
        places = self._places
        for name, value in attributes.items():
            self._keys.append(places.setdefault(name, len(places)))
            self._values.append(value)
        self._indptr.append(len(self._keys))
        self._lines.append(self.state[state_of.LINE])
        self._tokens.append(-1 if label is None else self._labels.setdefault(label, len(self._labels)))
        self._weights.append(weight)
        self.state[state_of.ROWS] = len(self._lines)

    @property
    def lines(self) -> array[int]:  # type: ignore[override] # they grow
        return self._lines

    def _describe(self, status: int, line: bytes | bytearray, offset: int) -> str:
        return self._fault

    def block(self, source: str, first: int = 0) -> Block:
        values: Any = None if self._values.count(1.0) == len(self._values) else self._values
        weights = None if self._weights.count(1.0) == len(self._weights) else self._weights
        return Block(
            len(self._lines),
            self._indptr,
            self._keys,
            values,
            columns=BlockNames.of(list(self._places)),
            tokens=self._tokens,
            label_tokens=[label.encode(errors=ANY) for label in self._labels],
            lines=self._lines,
            source=source,
            line_text=lambda row: self.line_text(self._lines[row] - first),
            weights=weights,
        )
