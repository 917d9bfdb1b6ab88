"""The learner behind a transform: its attribute table, whose names are worked out, and how far its rows were played."""

from __future__ import annotations

from array import array

from mistakebound.core.atomic import commit
from mistakebound.core.attributes import AttributeTable
from mistakebound.core.buffers import zeros
from mistakebound.core.rows import attributes_after
from mistakebound.kernels import attributes as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.rows import Rows
    from mistakebound.core.sparse import SparseLearner
    from mistakebound.transforms.transform import Transform

OTHER_LABEL = bytes([1, 0, *range(2, 256)])  # by code: 0 and 1 exchanged
_MOST_DENSE = 1 << 23  # keys below are their own slots at once: pages that nobody touches cost nothing


class DerivedTable(AttributeTable):
    """Keys <-> slots as in any table; the names are worked out from those of the transform's input features."""

    __slots__ = ("transform",)

    transform: Transform
    derived = True

    @property
    def unit(self) -> str:  # type: ignore[override]
        return self.transform.feature_unit

    def slot(self, name: str) -> int:
        """The slot of a name, or -1.  Nothing is remembered: what is not seen yet has another name later."""
        key = self.transform.feature_key(name)
        return -1 if key < 0 else kernel.find(key, self._bits, self._extra_keys, self._state)

    def name_of_key(self, key: int) -> str:
        return self.transform.feature_name(key)

    def names(self) -> list[str]:
        return [self.name_of_key(key) for key in self.keys()]

    def make_dense(self, reach: int) -> None:
        """See to it that keys below `reach` are their own slots, where these are not too many."""
        if reach <= self.dense or reach > _MOST_DENSE or self._state[kernel.EXTRA] != 1:
            return
        dense = self.dense
        while dense < reach:
            dense *= 4
        bits = zeros("Q", dense // 64)
        bits[: len(self._bits)] = self._bits
        unseen = array("I", [dense]) * len(self._extra_keys)  # nothing but UNSEEN is there
        self.known.clear()
        commit(self._changed(bits, self._extra_keys, self._moved_on(self.dense, unseen)))


class DerivedRun:
    """How far rows of input features were played: some rows of the learner inside at a time."""

    __slots__ = ("done", "part", "size", "turned")

    def __init__(self) -> None:
        self.done = 0  # rows in the parts before the present one
        self.turned = 0  # rows whose predictions are those of the complement
        self.part: Rows | None = None  # the present one, once its attributes have their slots
        self.size = -1  # of the inner table before it; -1: no such table

    def begin_part(self, inner: SparseLearner) -> None:
        size = len(inner.attributes)
        inner._row[0] = 0
        self.part = None
        self.size = size

    def end_part(self, inner: SparseLearner) -> None:
        """Of the present part, if there is one, the rows that were learned count, and nothing is left of the others."""
        if self.size < 0:
            return
        played, part = inner._row[0], self.part
        if part is None or played < part.count:
            inner.attributes.truncate(self.size if part is None else attributes_after(part, played, self.size))
        done = self.done + played
        self.done = done
        self.size = -1
        inner._row[0] = 0


def turn_round(predictions: memoryview[int], first: int, last: int) -> None:
    """Predictions of the complement become those of the label."""
    turned = bytes(predictions[first:last]).translate(OTHER_LABEL)
    predictions[first:last] = memoryview(turned).cast("b")
