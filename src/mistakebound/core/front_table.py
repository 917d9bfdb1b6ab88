"""The attribute table of a learner behind a front, which makes the keys and works out the names from its parents."""

from __future__ import annotations

from array import array

from mistakebound.core.attributes import AttributeTable
from mistakebound.core.buffers import zeros
from mistakebound.core.whole_trial import commit
from mistakebound.kernels import attributes as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.front import Front

_MOST_DENSE = 1 << 23  # keys below are their own slots at once: pages that nobody touches cost nothing


class FrontTable(AttributeTable):
    """Keys <-> slots as in any table; the names are formulas over the parents."""

    __slots__ = ("front",)

    front: Front

    def slot(self, name: str) -> int:
        """The slot of a name, or -1.  Nothing is remembered: what is not seen yet has another name later."""
        key = self.front.key(name)
        return -1 if key < 0 else kernel.find(key, self._bits, self._extra_keys, self._state)

    def name_of_key(self, key: int) -> str:
        return self.front.name(key)

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
