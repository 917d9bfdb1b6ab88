"""The state of a linear learner as named arrays, and the sparse difference between two of them: what is sent."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mistakebound.core.names import IDS
from mistakebound.learners import registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    Numbers = npt.NDArray[Any]

_CODES = {"f8": "d", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "i8": "q"}  # of arrays, by types of NumPy
_NAMES = ("attributes.keys", "attributes.texts", "attributes.ends")
# By learner: the arrays that have a number for each attribute; its other arrays are few numbers.
BY_ATTRIBUTE = {
    "perceptron": ("weights",), "averaged-perceptron": ("weights", "sums"), "passive-aggressive": ("weights",),
    "arow": ("weights", "spent", "sums"), "balanced-winnow": ("votes",), "winnow1": ("cells", "starts"),
    "winnow2": ("cells", "starts"),
}  # fmt: skip


@dataclass(slots=True)
class State:
    """Header and arrays of a learner's model file: attributes in the order of their first appearance.

    Keys from IDS on are numbers of text names, in `texts` by that number.
    """

    header: dict[str, Any]
    keys: npt.NDArray[np.uint64]
    texts: list[bytes]
    arrays: dict[str, Numbers]
    _latest: tuple[int, State] | None = None  # how many deltas were applied to it last, and what came of it

    def latest(self, deltas: Sequence[Delta]) -> State:
        """The state behind some deltas, from where the worker that holds this one has got to."""
        count, state = self._latest or (0, self)
        if count > len(deltas):
            count, state = 0, self
        state = applied(state, deltas[count:])
        self._latest = len(deltas), state
        return state

    @classmethod
    def of(cls, learner: Any) -> State:
        header, arrays = learner.model_parts()
        keys, blob, ends = (arrays.pop(name) for name in _NAMES)
        data, bounds = bytes(blob), [0, *ends]
        texts = [data[start:stop] for start, stop in pairwise(bounds)]
        numbers = {name: np.frombuffer(values, values.typecode).copy() for name, values in arrays.items()}
        return cls(header, np.array(keys, np.uint64), texts, numbers)

    def learner(self) -> Any:
        """A learner in this state, which goes its own way."""
        ends = np.cumsum([len(text) for text in self.texts], dtype=np.uint64)
        arrays: dict[str, Any] = {
            "attributes.keys": array("Q", self.keys.tobytes()),
            "attributes.texts": array("B", b"".join(self.texts)),
            "attributes.ends": array("Q", ends.tobytes()),
        }
        codes = {name: _CODES[values.dtype.str[1:]] for name, values in self.arrays.items()}
        arrays |= {name: array(code, self.arrays[name].tobytes()) for name, code in codes.items()}
        return registry.restore(self.header, arrays)

    @property
    def nbytes(self) -> int:
        """What it takes to send it, but for a few hundred bytes."""
        return self.keys.nbytes + sum(map(len, self.texts)) + sum(values.nbytes for values in self.arrays.values())

    def members(self) -> list[tuple[str, str, dict[str, Any]]]:
        """(prefix of its arrays, name, state) of the learner, or of each base learner of one-vs-all."""
        name, state = self.header["learner"], self.header["state"]
        if name != "one-vs-all":
            return [("", name, state)]
        base = self.header["parameters"]["base"].partition("(")[0]
        prefixes = dict.fromkeys(name.partition(".")[0] for name in self.arrays)
        return [(f"{key}.", base, own) for key, own in zip(prefixes, state["members"], strict=True)]

    def by_attribute(self) -> list[str]:
        """The names of the arrays that have a number for each attribute."""
        names = [prefix + name for prefix, kind, _ in self.members() for name in BY_ATTRIBUTE[kind]]
        return [name for name in names if name in self.arrays]


@dataclass(slots=True)
class Delta:
    """What turns one state into another: numbers at some places, new attributes, and whatever is short."""

    header: dict[str, Any]
    places: npt.NDArray[np.int64]  # of attributes that were there, where a number changed; behind them stand new ones
    keys: npt.NDArray[np.uint64]  # of the new attributes,
    texts: list[bytes]  # and their names
    values: dict[str, Numbers]  # at the places, and of the new attributes
    short: dict[str, Numbers]  # arrays that have few numbers, whole

    @property
    def nbytes(self) -> int:
        """What it takes to send it, but for a few hundred bytes."""
        arrays = (self.places, self.keys, *self.values.values(), *self.short.values())
        return sum(part.nbytes for part in arrays) + sum(map(len, self.texts))


def difference(old: State, new: State) -> Delta:
    """The delta from `old` to `new`, whose first attributes are those of `old`."""
    known, names = len(old.keys), old.by_attribute()
    changed = np.zeros(known, bool)
    for name in names:
        if old.arrays[name].dtype != new.arrays[name].dtype:  # Winnow's codes became wider
            changed[:] = True
        else:
            changed |= old.arrays[name] != new.arrays[name][:known]
    places = np.flatnonzero(changed)
    everywhere = np.concatenate([places, np.arange(known, len(new.keys))])
    values = {name: new.arrays[name][everywhere] for name in new.by_attribute()}
    short = {name: values for name, values in new.arrays.items() if name not in names}
    return Delta(new.header, places, new.keys[known:], new.texts[len(old.texts) :], values, short)


def applied(state: State, deltas: Sequence[Delta]) -> State:
    """The state behind some deltas; the one that is given stays as it is."""
    for delta in deltas:
        arrays: dict[str, Numbers] = {}
        for name, values in delta.values.items():
            whole = np.zeros(len(state.keys) + len(delta.keys), values.dtype)
            if state.arrays[name].dtype == values.dtype:
                whole[: len(state.keys)] = state.arrays[name]
            whole[delta.places] = values[: len(delta.places)]
            whole[len(state.keys) :] = values[len(delta.places) :]
            arrays[name] = whole
        keys, texts = np.concatenate([state.keys, delta.keys]), state.texts + delta.texts
        found = arrays | delta.short
        state = State(delta.header, keys, texts, {name: found[name] for name in state.arrays})  # in their order
    return state


def united(known: State, shards: Sequence[Delta]) -> tuple[State, list[npt.NDArray[np.int64]]]:
    """The known state with the new attributes of all shards, by name in the order of the shards, their numbers 0.

    Beside it where the numbers of each shard stand in it.
    """
    first = len(known.texts)
    texts = dict.fromkeys(text for shard in shards for text in shard.texts)
    codes = {text: IDS + first + number for number, text in enumerate(texts)}
    common = []
    for shard in shards:
        keys = shard.keys.copy()
        named = np.flatnonzero(keys >= IDS)
        keys[named] = np.array([codes[shard.texts[int(key) - IDS - first]] for key in keys[named]], np.uint64)
        common.append(keys)
    everyone = np.concatenate([np.zeros(0, np.uint64), *common])
    distinct, firsts, where = np.unique(everyone, return_index=True, return_inverse=True)
    order = np.argsort(firsts, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    places, at = [], 0
    for shard, keys in zip(shards, common, strict=True):
        own = len(known.keys) + rank[where[at : at + len(keys)]]
        places.append(np.concatenate([shard.places, own]))
        at += len(keys)
    new = distinct[order]
    # Texts get their numbers in the order in which their attributes stand.
    text_of = {code: text for text, code in codes.items()}
    named = np.flatnonzero(new >= IDS)
    added = [text_of[int(key)] for key in new[named]]
    new[named] = np.arange(IDS + first, IDS + first + len(added), dtype=np.uint64)
    room = {
        name: np.concatenate([known.arrays[name], np.zeros(len(new), known.arrays[name].dtype)])
        for name in known.by_attribute()
    }
    arrays = {name: room.get(name, values) for name, values in known.arrays.items()}
    return State(known.header, np.concatenate([known.keys, new]), known.texts + added, arrays), places
