"""Names whose keys a table of attributes has told: a reader looks names up here before it lists those of a block."""

from __future__ import annotations

from array import array

from mistakebound.core.block import BlockNames
from mistakebound.core.buffers import zeros
from mistakebound.kernels.name_table import NameTable
from mistakebound.kernels.texts import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Ints

MOST = 1 << 19  # names; usual ones come early
_BYTES = 16 * MOST  # of these names together


class KnownNames:
    """Of one stream, whose blocks are all handled by one learner.

    Any thread may look names up in `names`, at any time.  Entering them (`add`) is for whoever has handled a block,
    before the next one is handled.
    """

    __slots__ = ("_wanted", "names", "table")

    def __init__(self) -> None:
        self._wanted = True  # false: the blocks are handled by somebody who needs names and not keys
        self.table: AttributeTable | None = None  # whose keys these are
        self.names: NameTable | None = None  # None: there are none yet, or they are not wanted

    def add(self, names: NameTable, columns: BlockNames) -> None:
        """Enter the names of a block that was handled, as far as the table has told their keys and there is room."""
        table, keys = columns.told()
        if table is None or not self._wanted:
            return
        if self.names is None:
            self.table = table
            few = NameTable(zeros("B", _BYTES), zeros("q", MOST), zeros("Q", 32))
            self.names = few.with_cells(zeros("Q", max(64, 4 << (5 * columns.count // 4).bit_length())))
        if table is not self.table:
            self.drop()
            return
        done = 0
        while (done := self.names.take_over(names, keys, done)) < columns.count:
            cells = self.names.wanted_cells()
            if not cells:
                return
            self.names = self.names.with_cells(zeros("Q", cells))

    def drop(self) -> None:
        """Whoever handles the blocks needs the names themselves."""
        self._wanted, self.names = False, None

    def spelled(self, keys: Ints, entries: int, others: BlockNames) -> tuple[Ints, BlockNames]:
        """The same entries as places in a list of names."""
        self.drop()
        places: dict[int, int] = {}
        found = array("Q", [places.setdefault(key, len(places)) for key in keys[:entries]])
        return found, BlockNames.of([self.name(key, others) for key in places])

    def name(self, key: int, others: BlockNames) -> str:
        assert self.table is not None
        return others.name(key - UNKNOWN) if key >= UNKNOWN else self.table.name_of_key(key)
