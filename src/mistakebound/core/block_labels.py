"""The labels of a block's rows: their codes, where a third one appears, the rows before and after it as blocks.

Only trials that took place decide what the pair of labels is.
"""

from __future__ import annotations

from array import array
from sys import byteorder

from mistakebound.core.block import Block
from mistakebound.core.errors import BadData
from mistakebound.core.labels import value_of_text
from mistakebound.kernels import tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.buffers import Ints
    from mistakebound.core.labels import Labels

ROWS = 1000  # of a stream whose labels are looked at before the first trial


class LabelColumn:
    """The labels of the rows of an array: values[tokens[row]]."""

    __slots__ = ("tokens", "values")

    def __init__(self, tokens: memoryview[int], values: list[Any]) -> None:
        self.tokens = tokens  # 'i'
        self.values = values

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, which: Any) -> Any:
        """The label of a row, or a part of the column."""
        if isinstance(which, slice):
            return LabelColumn(self.tokens[which], self.values)
        return self.values[self.tokens[which]]


def label_codes(block: Block, first: int, labels: Labels, earlier: Ints | None = None) -> Ints:
    """The code of the label of each row from `first` on; -1 where it is not of the pair.  Settles nothing.

    Rows of an array end at the first bad label: what comes after it never takes place.  `earlier` codes of the same
    block come back as they are where the labels still mean the same.
    """
    trial = labels if _known(block, labels) else labels.copy()
    if isinstance(block.labels, list):
        return _codes_of_values(block, first, trial)
    tokens, count, code_of = _tokens(block, trial)
    table = array(labels.code_type, [-1]) * count
    # Which token comes first matters only while the pair is not settled.
    rows = None if _known(block, trial) else next_rows(tokens, count, first, block.rows)
    for token in range(count) if rows is None else [tokens[row] for row in rows]:
        try:
            table[token] = code_of(token)
        except ValueError:
            continue
    if earlier is not None and _codes_agree(tokens, table, first, earlier):
        return earlier
    codes = no_codes(labels, block.rows)
    if translate(tokens, table, block.rows, codes) < 0:
        raise AssertionError("label texts and rows do not fit together")
    return codes


def no_codes(labels: Any, rows: int) -> array[int]:
    """An array for the codes of so many rows: bytes for two labels, else integers."""
    return array(labels.code_type, [0]) * rows


def translate(tokens: Ints, table: array[int], rows: int, codes: array[int]) -> int:
    """codes[row] = table[tokens[row]], -1 for a row without a label; -1 when they do not fit together."""
    return (tally.translate if table.typecode == "b" else tally.translate_many)(tokens, table, rows, codes)


def marks(codes: Ints) -> Ints:
    """A byte for each code, below 0 where the code is: all that is asked of most codes.

    >>> marks(array("i", [300, -1, 0])).tolist()
    [0, -1, 0]
    """
    size = memoryview(codes).itemsize
    if size == 1:
        return codes
    return array("b", bytes(memoryview(codes))[size - 1 if byteorder == "little" else 0 :: size])


def _codes_agree(tokens: Ints, table: Ints, first: int, codes: Ints) -> bool:
    """Whether these codes agree with the table; each token is checked in its next row."""
    return all(codes[row] == table[tokens[row]] for row in next_rows(tokens, len(table), first, len(codes)))


def _codes_of_values(block: Block, first: int, trial: Labels) -> Ints:
    codes = no_codes(trial, block.rows)
    for row in range(first, block.rows):
        try:
            codes[row] = trial.code(block.labels[row])
        except BadData:
            codes[row:] = array(codes.typecode, [-1]) * (block.rows - row)
            break
    return codes


def _tokens(block: Block, labels: Labels) -> tuple[Ints, int, Callable[[int], int]]:
    """The token of each row, how many tokens there are, and a function from a token to its code."""
    if block.labels is not None:
        values = block.labels.values
        return block.labels.tokens, len(values), lambda token: labels.code(values[token])
    if block.tokens is None:
        raise BadData("the rows have no labels", source=block.source)
    texts = block.label_tokens
    return block.tokens, len(texts), lambda token: labels.code_of_text(texts[token].decode())


def settle_labels(block: Block, first: int, end: int, labels: Labels) -> None:
    """The trials first .. end-1 took place: what their labels say of the pair holds from now on."""
    if isinstance(block.labels, list):
        for row in range(first, end):
            if labels.settled:
                return
            labels.code(block.labels[row])
    elif not _known(block, labels):
        tokens, count, code_of = _tokens(block, labels)
        for row in next_rows(tokens, count, first, end):
            code_of(tokens[row])


def _known(block: Block, labels: Labels) -> bool:
    """Whether the pair is settled, and for texts also how its labels are spelled."""
    return labels.spelled if block.labels is None else labels.settled


def next_rows(tokens: Ints, count: int, first: int, end: int) -> list[int]:
    """The row from `first` on in which each of `count` tokens stands next, ascending; of some rows at a time."""
    found: dict[int, int] = {}
    start, some = first, 64
    while start < end and len(found) < count:
        part = list(tokens[start : min(start + some, end)])
        for token in dict.fromkeys(part):
            if token >= 0 and token not in found:
                found[token] = start + part.index(token)
        start, some = start + some, 2 * some
    return list(found.values())


def labels_in(block: Block) -> list[Any]:
    """The different labels of a block's rows; None for one that is not UTF-8."""
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
    """The first row of a file's block whose label is outside a pair that nobody declared; block.rows without one."""
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


def part_of(block: Block, first: int, last: int) -> Block:
    """Rows first .. last-1 of a block, in its own buffers."""
    if first == 0 and last == block.rows:
        return block
    part = Block(
        last - first, block.indptr[first:], block.keys, block.values,
        label_tokens=block.label_tokens, source=block.source, ascending=block.ascending, columns=block.columns,
        offset=block.offset + first, dense=block.dense,
    )  # fmt: skip
    part.base, part.known = block.base, block.known
    part.tokens = None if block.tokens is None else block.tokens[first:last]
    part.labels = None if block.labels is None else block.labels[first:last]
    part.lines = None if block.lines is None else block.lines[first:last]
    part.weights = None if block.weights is None else block.weights[first:last]
    text_of = block.line_text
    part.line_text = None if text_of is None else lambda row: text_of(first + row)
    return part
