"""A run of rows, as a parser or an array gives them: compressed sparse rows over raw attribute keys."""

from __future__ import annotations

from mistakebound.core.buffers import zeros
from mistakebound.kernels.slots import widen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block_names import BlockNames
    from mistakebound.core.buffers import Floats, Ints


class Block:
    """Rows 0 .. rows-1; row r has the entries indptr[r] .. indptr[r+1]-1.

    The buffers may be longer than the rows need and are reused by their owner for the next block.
    Explicit zeros are still here: the attribute table drops them when it gives the keys their slots.
    """

    __slots__ = (
        "ascending", "base", "columns", "indptr", "keys", "known", "label_tokens", "labels", "line_text", "lines",
        "offset", "rows", "source", "tokens", "values", "weights",
    )  # fmt: skip

    def __init__(
        self,
        rows: int,
        indptr: Ints,
        keys: Ints,
        values: Floats | None = None,
        *,
        tokens: Ints | None = None,
        label_tokens: list[bytes] | None = None,
        lines: Ints | None = None,
        source: str = "",
        ascending: bool = False,
        columns: BlockNames | None = None,
        labels: Any = None,
        offset: int = 0,
        line_text: Callable[[int], str] | None = None,
        weights: Floats | None = None,
    ) -> None:
        self.rows = rows
        self.indptr = indptr  # 'q'
        self.keys = keys  # 'I' or 'Q': attribute ids as written, or places in `columns`
        self.base = 0  # what is still to be added to each of them, where they have 32 bits
        self.known: tuple[int, Ints] | None = None  # slots of its ids: as AttributeTable.look_up gives them
        self.columns = columns  # the names, where the keys are not ids
        self.values = values  # 'd', or None when every value is 1
        self.tokens = tokens  # 'i': index into label_tokens, -1 for a row without a label
        self.label_tokens = label_tokens if label_tokens is not None else []
        self.labels = labels  # or the labels as values, for rows of an array
        self.offset = offset  # number of the first row, for rows of an array
        self.lines = lines  # 'q': line of each row in its file, from 1
        self.weights = weights  # 'd': the weight of each row, finite and > 0; None when all are 1
        self.source = source
        self.line_text = line_text  # the text of a row's line, shortened, for an error
        self.ascending = ascending  # true: the keys of every row are known to ascend strictly

    def name(self, entry: int) -> str:
        """The name of the attribute of an entry."""
        key = self.keys[entry] + self.base
        return str(key) if self.columns is None else self.columns.name(key)

    def wide_keys(self) -> Ints:
        """The keys in 64 bits."""
        if memoryview(self.keys).format == "Q":
            return self.keys
        count = self.indptr[self.rows]
        keys = zeros("Q", count)
        if not widen(self.keys, count, self.base, keys):
            raise AssertionError("a block has fewer keys than entries")
        return keys
