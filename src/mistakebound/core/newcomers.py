"""Labels that appear in the middle of a block: where, and the rows before and after as blocks of their own."""

from __future__ import annotations

from mistakebound.core.block import Block
from mistakebound.core.block_labels import LabelColumn, next_rows
from mistakebound.core.errors import BadData
from mistakebound.core.labels import value_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def labels_in(block: Block) -> list[Any]:
    """The different labels of a block's rows; None for one that is no text."""
    if isinstance(block.labels, list):
        labels: list[Any] = block.labels[: block.rows]
        try:
            return list(dict.fromkeys(labels))
        except TypeError:  # one is no label, which is said when its row is learned
            return labels
    if isinstance(block.labels, LabelColumn):
        return [block.labels.values[token] for token in {*block.labels.tokens[: block.rows]}]
    if block.tokens is None:
        return []
    return [_value(block.label_tokens[token]) for token in {*block.tokens[: block.rows]} if token >= 0]


def next_third(block: Block, labels: Any) -> int:
    """The first row of a file's block whose label is none of a pair that nobody declared; block.rows without one."""
    if labels.many or labels.declared or block.tokens is None:
        return block.rows
    values = [_value(token) for token in block.label_tokens]
    if all(labels.known(value) >= 0 for value in values):
        return block.rows
    trial = labels.copy()
    for row in next_rows(block.tokens, len(values), 0, block.rows):
        value = values[block.tokens[row]]
        try:
            if value is not None:  # else the row is bad, and says so when it is learned
                trial.code(value)
        except BadData:
            return row
    return block.rows


def label_of(block: Block, row: int) -> Any:
    if block.labels is not None:
        return block.labels[row]
    assert block.tokens is not None
    return _value(block.label_tokens[block.tokens[row]])


def _value(token: bytes) -> Any:
    try:
        return value_of_text(token.decode())
    except UnicodeDecodeError:
        return None


def cut(block: Block, first: int, last: int) -> Block:
    """Rows first .. last-1 of a block, in its own buffers."""
    if first == 0 and last == block.rows:
        return block
    part = Block(
        last - first, block.indptr[first:], block.keys, block.values,
        label_tokens=block.label_tokens, source=block.source, ascending=block.ascending, columns=block.columns,
        offset=block.offset + first,
    )  # fmt: skip
    part.base, part.known = block.base, block.known
    part.tokens = None if block.tokens is None else block.tokens[first:last]
    part.labels = None if block.labels is None else block.labels[first:last]
    part.lines = None if block.lines is None else block.lines[first:last]
    part.weights = None if block.weights is None else block.weights[first:last]
    text_of = block.line_text
    part.line_text = None if text_of is None else lambda row: text_of(first + row)
    return part
