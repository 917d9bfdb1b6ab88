"""The attribute table of the learner behind a transform, which makes the keys and works out the names."""

from __future__ import annotations

from array import array

from mistakebound.core.attributes import AttributeTable
from mistakebound.core.buffers import zeros
from mistakebound.core.whole_trial import commit
from mistakebound.kernels import attributes as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.transforms.transform import Transform

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
        nobody = array("I", [dense]) * len(self._extra_keys)  # there is nothing but nobody's
        self.known.clear()
        commit(self._changed(bits, self._extra_keys, self._moved_on(self.dense, nobody)))
