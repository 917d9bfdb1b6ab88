"""Rows as the search for a short rule takes them: which of a few attributes are on, and what the labels are."""

from __future__ import annotations

from array import array
from itertools import islice

import numpy as np

from mistakebound.core.block import Block
from mistakebound.core.block_names import BlockNames
from mistakebound.core.errors import BadData
from mistakebound.core.labels import meaning
from mistakebound.core.names import id_of, is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    import numpy.typing as npt

_AT_ONCE = 1 << 12  # pairs of an instance and a label


class Entries:
    """Which attributes are on in some rows: `rows` and `places`, those of each entry, in the order of the rows."""

    def __init__(self, rows: Any, places: Any, count: int, at: Mapping[str, int]) -> None:
        self._count = count
        self._at = at
        order = np.argsort(places, kind="stable")
        self._rows = rows[order]
        self._starts = np.searchsorted(places[order], np.arange(len(at) + 1))

    def _on(self, name: str) -> Any:
        """The rows in which an attribute is on."""
        place = self._at[name]
        return self._rows[self._starts[place] : self._starts[place + 1]]

    def column(self, parts: Sequence[tuple[str, bool]]) -> npt.NDArray[np.bool_]:
        """Of each row, whether all these attributes are on, or off where they are to be off."""
        holds = np.ones(self._count, np.bool_)
        for name, off in parts:
            part = np.full(self._count, off)
            part[self._on(name)] = not off
            holds &= part
        return holds

    def share(self, parts: Sequence[tuple[str, bool]]) -> float:
        """Of the rows in which they are."""
        if len(parts) == 1 and not parts[0][1]:
            return len(self._on(parts[0][0])) / max(1, self._count)
        return float(self.column(parts).mean()) if self._count else 0.0


class Places:
    """The places of some attribute names in a list of them, for many keys at once."""

    def __init__(self, names: Iterable[str]) -> None:
        self._places = {name: place for place, name in enumerate(dict.fromkeys(names))}
        ids = sorted((id_of(name), place) for name, place in self._places.items() if is_id(name))
        self._ids = np.array([key for key, _ in ids], np.uint64)
        self._places_of_ids = np.array([*(place for _, place in ids), -1], np.int64)

    def entries(self, rows: Any, places: Any, count: int) -> Entries:
        return Entries(rows, places, count, self._places)

    def are_any(self, parts: Sequence[tuple[str, bool]], among: set[int]) -> bool:
        return any(self._places[name] in among for name, _ in parts)

    def of_ids(self, keys: Any, base: int) -> npt.NDArray[np.int64]:
        wanted = keys.astype(np.uint64) + np.uint64(base)
        at = np.searchsorted(self._ids, wanted)
        found = np.append(self._ids, np.uint64(0))[at] == wanted
        places: npt.NDArray[np.int64] = self._places_of_ids[np.where(found & (at < len(self._ids)), at, -1)]
        return places

    def of_names(self, keys: Any, block: Block) -> npt.NDArray[np.int64]:
        assert block.columns is not None
        table = np.array([*(self._places.get(name, -1) for name in block.columns.texts()), -1], np.int64)
        places: npt.NDArray[np.int64] = table[keys.astype(np.int64) + block.base]
        return places


def blocks_of(learner: Any, pairs: Iterable[tuple[Any, Any]]) -> Iterator[Block]:
    """Instances with their labels (None: not known), a few thousand at a time."""
    left = iter(pairs)
    while part := list(islice(left, _AT_ONCE)):
        places: dict[str, int] = {}
        ends, keys, values = array("q", [0]), array("Q"), array("d")
        for x, _ in part:
            instance = learner.encode(x)
            keys.extend(places.setdefault(name, len(places)) for name in instance.names)
            values.extend(instance.values if instance.values is not None else [1.0] * len(instance.names))
            ends.append(len(keys))
        texts = list(dict.fromkeys(str(label) for _, label in part if label is not None))
        tokens = array("i", [-1 if label is None else texts.index(str(label)) for _, label in part])
        yield Block(
            len(part),
            ends,
            keys,
            values,
            columns=BlockNames.of(list(places)),
            tokens=tokens,
            label_tokens=[text.encode() for text in texts],
        )


def label_codes(learner: Any, block: Block) -> npt.NDArray[np.int8]:
    """The code of each row's label, 2 for a row without one; BadData for a label that the model does not know."""
    if block.tokens is None:
        return np.full(block.rows, 2, np.int8)
    negative, positive = learner.labels.values
    known = {meaning(negative): 0, meaning(positive): 1}
    texts = [token.decode(errors="backslashreplace") for token in block.label_tokens]
    table = np.array([*(known.get(meaning(text), -1) for text in texts), 2], np.int8)
    tokens = np.asarray(memoryview(block.tokens))[: block.rows]
    codes: npt.NDArray[np.int8] = table[tokens]
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        pair = f"{learner.labels.text(0)} and {learner.labels.text(1)}"
        error = BadData(f"label {texts[tokens[row]]!r} is not one of the model's, {pair}", source=block.source)
        error.line = None if block.lines is None else block.lines[row]
        raise error
    return codes
