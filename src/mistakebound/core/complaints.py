"""What is wrong with a row of a block, in words, and where it stands."""

from __future__ import annotations

from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.core.instance import beyond, not_binary, twice
from mistakebound.kernels import attributes as status_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.block import Block
    from mistakebound.core.labels import Labels


def locate(error: BadData | NoConsistentHypothesis, block: Block, row: int) -> None:
    """Say where the row stands: source and line with its text, or the number of the row of an array."""
    if block.lines is not None:
        error.line = block.lines[row]
    if isinstance(error, NoConsistentHypothesis):
        return
    if not block.source:
        error.row = block.offset + row
        return
    error.source = block.source
    if block.line_text is not None:
        error.text = block.line_text(row)


def entry_complaint(block: Block, entry: int, status: int, taker: str, n: int | None) -> BadData:
    """An attribute that the learner cannot take, by the status that the attribute table gave."""
    name = block.name(entry)
    if status == status_of.NOT_BINARY:
        return BadData(not_binary(name, block.values[entry] if block.values is not None else 1.0, taker))
    if status == status_of.DUPLICATE:
        return BadData(twice(name))
    return BadData(beyond(name, n or 0))


def label_complaint(block: Block, row: int, labels: Labels) -> BadData:
    """A label that is missing, no text, or none of the pair (which it does not settle)."""
    labels = labels.copy()
    try:
        if block.labels is not None:
            labels.code(block.labels[row])
        elif block.tokens is not None and block.tokens[row] >= 0:
            labels.code_of_text(block.label_tokens[block.tokens[row]].decode())
    except UnicodeDecodeError:
        return BadData("the label is not text in UTF-8")
    except BadData as error:
        return error
    return BadData("the row has no label")
