"""A run of rows, as a parser or an array gives them: compressed sparse rows over raw attribute keys.

The names of its attributes, where the keys are places in a list, and what is wrong with one of its rows, in words.
"""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import longer, zeros
from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.core.instance import beyond, not_binary, twice
from mistakebound.kernels import attributes as status_of
from mistakebound.kernels import texts
from mistakebound.kernels.slots import widen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.labels import Labels


ANY = "surrogatepass"  # a name may be any str
_NO_TEXTS = bytearray(), array("q", [0]), array("Q", [0, 0])
_MOST_LEFT = 1 << 12  # names that are looked up again and again because one among them is still unknown


class BlockNames:
    """Name k is blob[ends[k] : ends[k + 1]]; the buffers may be longer and are reused by their owner.

    Between two blocks the owner may add names behind those that there are (`grow`), if they are `lasting`: all of them
    were looked up in the table of one learner, and their keys are kept from block to block.

    >>> names = BlockNames.of(["free", "7"])
    >>> names.count, names.name(0), names.texts()
    (2, 'free', ['free', '7'])
    """

    __slots__ = (
        "_distinct", "_done", "_generation", "_keys", "_known", "_known_texts", "_table", "_texts", "blob", "count",
        "ends", "lasting",
    )  # fmt: skip

    def __init__(
        self, blob: bytes | bytearray | memoryview[int], ends: Ints, count: int, *, distinct: bool = False
    ) -> None:
        """`distinct` promises that no name stands there twice."""
        self._distinct = distinct
        self.blob = blob
        self.ends = ends  # 'q', ends[0] = 0
        self.count = count
        self.lasting = False  # one table, and no other, knows all of them
        self._keys: memoryview[int] = zeros("Q", 0)
        self._table: AttributeTable | None = None  # in which the first `_done` names were looked up,
        self._generation = self._texts = self._done = 0  # and its generation and number of texts then;
        self._known = self._known_texts = 0  # the names before this one are in it, so many of them texts

    def grow(self, blob: memoryview[int], ends: Ints, count: int) -> None:
        """There are more names, behind the others."""
        self.blob, self.ends, self.count = blob, ends, count

    def keys_in(self, table: AttributeTable) -> memoryview[int]:
        """The keys of all names in a table: looked up, as far as that is needed.

        Whoever enters one of the names writes its key here.
        """
        count, first, left = self.count, 0, 0
        generation, size = table.generation, table.state[status_of.TEXTS]
        if len(self._keys) < max(1, count):
            self._keys = longer(self._keys, count, self._done)
        if self._table is table and self._generation == generation and self._texts <= size:
            first = self._done
            if self._texts != size:  # names that were new then may be there now
                first, found = texts.first_unknown(self._keys, self._known, first)
                left = self._done - first
                self._known, self._known_texts = first, self._known_texts + found
        else:
            self._known = self._known_texts = 0
        self.lasting = left < _MOST_LEFT and (self._table is None or self._table is table)
        # A table whose texts are all among those that are known has none of the others.
        found_all = self._distinct and self._known_texts == size
        parts: tuple[Any, Any, Any] = _NO_TEXTS if found_all else table.text_parts
        if texts.translate(self.blob, self.ends, first, count, *parts, self._keys) < 0:
            raise AssertionError("names of a block do not fit together")
        self._table, self._generation, self._texts, self._done = table, generation, size, count
        return self._keys[:count]

    @classmethod
    def of(cls, names: Sequence[str]) -> BlockNames:
        blob, ends = bytearray(), array("q", [0])
        for name in names:
            blob += name.encode(errors=ANY)
            ends.append(len(blob))
        return cls(blob, ends, len(names))

    def name(self, place: int) -> str:
        return bytes(self.blob[self.ends[place] : self.ends[place + 1]]).decode(errors=ANY)

    def texts(self) -> list[str]:
        return [self.name(place) for place in range(self.count)]


class Block:
    """Rows 0 .. rows-1; row r has the entries indptr[r] .. indptr[r+1]-1.

    The buffers may be longer than the rows need and are reused by their owner for the next block.
    Explicit zeros are still here: the attribute table drops them when it gives the keys their slots, unless the rows
    are dense (then a 0 is a value) and the learner has a use for zeros.
    """

    __slots__ = (
        "ascending", "base", "columns", "dense", "distinct", "indptr", "keys", "known", "label_tokens", "labels",
        "line_text", "lines", "offset", "rows", "source", "tokens", "values", "weights",
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
        dense: bool = False,
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
        self.dense = dense  # true: a value of 0 is one, as in tables; false: it means that the attribute is absent
        self.distinct = False  # true: no attribute is known to stand twice in a row
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
