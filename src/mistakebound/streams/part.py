"""Some rows of a block as a block of their own."""

from __future__ import annotations

from array import array

from mistakebound.core.block import Block
from mistakebound.core.block_names import BlockNames
from mistakebound.kernels import shuffle as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Parts:
    """Cuts one block: the parts share its buffers, but not its names: a part has only those that occur in it."""

    __slots__ = ("_block", "_places")

    def __init__(self, block: Block) -> None:
        self._block = block
        self._places = array("I", bytes(4 * block.columns.count)) if block.columns is not None else None

    def part(self, first: int, last: int) -> Block:
        """Rows first .. last-1."""
        block = self._block
        part = Block(
            last - first,
            memoryview(block.indptr)[first : last + 1],
            block.keys,
            block.values,
            tokens=_cut(block.tokens, first, last),
            label_tokens=block.label_tokens,
            lines=_cut(block.lines, first, last),
            source=block.source,
            ascending=block.ascending,
            offset=block.offset + first,
            line_text=_later(block.line_text, first),
            weights=_cut(block.weights, first, last),
        )
        if block.columns is not None:
            self._name(part, block.columns, block.indptr[first], block.indptr[last])
        return part

    def _name(self, part: Block, columns: BlockNames, start: int, end: int) -> None:
        assert self._places is not None
        count, rows = end - start, part.rows
        keys, names, indptr = array("Q"), array("I", bytes(4 * count)), array("q", bytes(8 * rows + 8))
        keys.frombytes(memoryview(part.keys)[start:end])
        found = kernel.localize(keys, count, self._places, names)
        ends = array("q", bytes(8 * max(found, 0) + 8))
        blob = bytearray(sum(columns.ends[name + 1] - columns.ends[name] for name in names[: max(found, 0)]))
        done = kernel.spell(names, found, memoryview(columns.blob), columns.ends, blob, ends)
        if found < 0 or done < 0 or kernel.shift(part.indptr, rows + 1, -start, indptr) < 0:
            raise AssertionError("the names of a block do not fit together")
        part.keys, part.indptr, part.columns = keys, indptr, BlockNames(blob, ends, found)
        if part.values is not None:
            part.values = _cut(part.values, start, end)


def _cut(column: Any, first: int, last: int) -> Any:
    return None if column is None else memoryview(column)[first:last]


def _later(line_text: Callable[[int], str] | None, first: int) -> Callable[[int], str] | None:
    return None if line_text is None else lambda row: line_text(first + row)
