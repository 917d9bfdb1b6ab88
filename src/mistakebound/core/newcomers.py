"""Labels that appear in the middle of a block: where, and the rows before and after as blocks of their own."""

from __future__ import annotations

from mistakebound.core.block import Block
from mistakebound.core.block_labels import LabelColumn, next_rows
from mistakebound.core.errors import BadData
from mistakebound.core.labels import value_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.buffers import Ints


def next_newcomer(block: Block, first: int, known: Callable[[Any], bool]) -> int:
    """The first row from `first` on whose label is not known; block.rows when there is none."""
    if isinstance(block.labels, list):
        labels: list[Any] = block.labels
        return next((row for row in range(first, block.rows) if not known(labels[row])), block.rows)
    tokens: Ints
    if isinstance(block.labels, LabelColumn):
        tokens, values = block.labels.tokens, list(block.labels.values)
    elif block.tokens is not None:
        tokens, values = block.tokens, [_value(token) for token in block.label_tokens]
    else:
        return block.rows
    new = {token for token, value in enumerate(values) if not known(value)}
    if not new:
        return block.rows
    rows = next_rows(tokens, len(values), first, block.rows)
    return next((row for row in rows if tokens[row] in new), block.rows)


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
