"""The labels of a block's rows as codes.  What the pair of labels is, only trials that took place can settle."""

from __future__ import annotations

from array import array

from mistakebound.core.errors import BadData
from mistakebound.kernels import tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.block import Block
    from mistakebound.core.labels import Labels
    from mistakebound.kernels._buffers import Ints


def label_codes(block: Block, first: int, labels: Labels) -> Ints:
    """The code of the label of each row from `first` on; -1 where it is none of the pair.  Settles nothing.

    Rows of an array end at the first bad label: what comes after it never takes place.
    """
    codes = array("b", bytes(block.rows))
    trial = labels if labels.spelled else labels.copy()
    if block.labels is not None:
        _codes_of_values(block, first, trial, codes)
        return codes
    if block.tokens is None:
        raise BadData("the rows have no labels", source=block.source)
    table = array("b", [-1]) * len(block.label_tokens)
    for token in _in_order(block, first, block.rows, trial):
        try:
            table[token] = trial.code_of_text(block.label_tokens[token].decode())
        except ValueError:
            continue
    if tally.translate(block.tokens, table, block.rows, codes) < 0:
        raise AssertionError("label texts and rows do not fit together")
    return codes


def _codes_of_values(block: Block, first: int, trial: Labels, codes: array[int]) -> None:
    for row in range(first, block.rows):
        try:
            codes[row] = trial.code(block.labels[row])
        except BadData:
            codes[row:] = array("b", [-1]) * (block.rows - row)
            return


def settle_labels(block: Block, first: int, end: int, labels: Labels) -> None:
    """The trials first .. end-1 took place: what their labels say of the pair holds from now on."""
    if block.labels is not None:
        for row in range(first, end):
            if labels.settled:
                return
            labels.code(block.labels[row])
    elif not labels.spelled:
        for token in _in_order(block, first, end, labels):
            labels.code_of_text(block.label_tokens[token].decode())


def _in_order(block: Block, first: int, end: int, labels: Labels) -> list[int]:
    """The label texts of some rows, as places in the block's list, in the order of their first appearance."""
    if labels.spelled or block.tokens is None:
        return list(range(len(block.label_tokens)))
    return [token for token in dict.fromkeys(block.tokens[first:end]) if token >= 0]
