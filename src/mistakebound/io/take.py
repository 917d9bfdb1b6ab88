"""Some rows of a block as a block of their own."""

from __future__ import annotations

from array import array

from mistakebound.core.block import Block, BlockNames
from mistakebound.core.buffers import Buffers
from mistakebound.kernels import shuffle as kernel
from mistakebound.kernels.key_rows import NewRows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.buffers import Ints

_NONE = array("d")


class Taker:
    """Copies rows, always into the same buffers: what was picked last is good until the next time."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = Buffers()

    def take(self, block: Block, chosen: Ints, count: int, *, names: bool, room: int | None = None) -> Block:
        """The rows chosen[0], ..., chosen[count - 1], which have at most `room` entries (None: as many as the block).

        With `names` a block of its own, names and all; without, one that needs the buffers of the other still.
        """
        entries = block.indptr[block.rows] - block.indptr[0] if room is None else room
        indptr, keys = self._buffer("indptr", "q", count + 1), self._buffer("keys", "Q", entries)
        values = None if block.values is None else self._buffer("values", "d", entries)
        out = NewRows(indptr, keys, _NONE if values is None else values)
        given = _NONE if block.values is None else block.values
        _must(kernel.gather(chosen, count, block.indptr, block.keys, given, out))
        line_text = block.line_text
        return Block(
            count,
            indptr,
            keys,
            values,
            tokens=self._take("tokens", "i", block.tokens, chosen, count),
            label_tokens=block.label_tokens,
            lines=self._take("lines", "q", block.lines, chosen, count),
            source=block.source,
            ascending=block.ascending,
            dense=block.dense,
            columns=self._names(block.columns, keys, indptr[count]) if names and block.columns else block.columns,
            weights=self._take("weights", "d", block.weights, chosen, count),
            line_text=None if names or line_text is None else lambda row: line_text(chosen[row]),
        )

    def _take(self, name: str, code: str, items: Any, chosen: Ints, count: int) -> Any:
        if items is None:
            return None
        out = self._buffer(name, code, count)
        _must(kernel.take(chosen, count, items, out))
        return out

    def _names(self, columns: BlockNames, keys: memoryview[int], entries: int) -> BlockNames:
        """Those that occur, and keys that are places among them."""
        names = self._buffer("names", "I", entries)
        count = kernel.localize(keys, entries, self._buffer("places", "I", columns.count), names)
        _must(count)
        size = sum(columns.ends[name + 1] - columns.ends[name] for name in names[:count])
        blob, ends = self._buffer("blob", "B", size), self._buffer("ends", "q", count + 1)
        _must(kernel.spell(names, count, columns.blob, columns.ends, blob, ends))
        return BlockNames(blob, ends, count)


def _must(status: int) -> None:
    if status < 0:
        raise AssertionError("the buffers of a block do not fit together")
