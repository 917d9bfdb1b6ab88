"""The numbers of attributes in the order of their first appearance, by slot: for arrays that outlive a layout."""

from __future__ import annotations

from mistakebound.core.buffers import zeros
from mistakebound.kernels.slots import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.attributes import AttributeTable


class AttributeNumbers:
    """By slot of an attribute: 1 + how many appeared before it; 0 for one that has not appeared.

    >>> from mistakebound.core.attributes import AttributeTable
    >>> table = AttributeTable()
    >>> table.add("7"), table.add("5"), AttributeNumbers().of(table)[5:8].tolist()
    (7, 5, [2, 0, 1])
    """

    __slots__ = ("_done", "_numbers", "_table")

    def __init__(self) -> None:
        self._numbers = zeros("I", 0)
        self._done = 0  # attributes that have their number,
        self._table: tuple[AttributeTable | None, int, int] = None, -1, -1  # in this layout and generation of a table

    def of(self, table: AttributeTable) -> memoryview[int]:
        """Those of a table; good until it changes."""
        known, size, now = self._table, len(table), (table, table.layout, table.generation)
        if known[0] is not table or known[1:] != now[1:] or self._done > size:
            self._numbers, self._done = zeros("I", table.capacity), 0
        if not number(table.slots(), self._done, size, self._numbers):
            raise AssertionError("an index is outside the table")
        self._done, self._table = size, now
        return self._numbers
