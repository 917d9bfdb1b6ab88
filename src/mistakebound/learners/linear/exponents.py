"""Weights as integer exponents: weight = unit * 2**-start * alpha**exponent, exact, in 8 bits while they suffice.

With n declared every start weight is the unit.  With n unknown all attributes that first appear in one trial start at
unit * 2**-(b + 2*ceil(log2(b+1))), b = floor(log2 J), J the number that have appeared, with those of that trial.
"""

from __future__ import annotations

import sys
from array import array
from math import fsum

from mistakebound.core.buffers import InOrder, taken, zeros
from mistakebound.kernels import winnow as kernel
from mistakebound.learners.linear.powers import WIDTHS, PowerTable, bias_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Ints

HALF = array("d", [2.0**-s for s in range(256)])
_FIRST_REACH = 64  # exponents filled in at first, to either side of 0
_LONGEST_TABLE = 1 << 24
_MOST_TABLES = 64
_FIRST_TABLES: dict[tuple[float, float], PowerTable] = {}
_NOT_FLAT = zeros("d", 0)
_ROWS_FOR_FLAT = 100
_STARTS = 76  # start exponents end before: there are fewer than 2**63 attributes
_UNSEEN, _ELIMINATED = 0, 1  # a cell and a code that are no weights


def start_exponent(appeared: int) -> int:
    """s of the start weight 2**-s of attributes that first appear when `appeared` have (the kernel's own in words).

    >>> [start_exponent(j) for j in (1, 2, 3, 4, 1000, 10**6)]
    [0, 3, 3, 6, 17, 29]
    """
    b = appeared.bit_length() - 1
    return b + 2 * b.bit_length()


def _first_table(alpha: float, unit: float) -> PowerTable:
    """What every new learner with this alpha and start weight begins with: made once."""
    key = alpha, unit
    if key not in _FIRST_TABLES:
        if len(_FIRST_TABLES) == _MOST_TABLES:
            _FIRST_TABLES.clear()
        _FIRST_TABLES[key] = PowerTable(alpha, WIDTHS[0], -_FIRST_REACH, _FIRST_REACH, unit)
    return _FIRST_TABLES[key]


class Exponents:
    """The weights of one Winnow learner, by slot."""

    __slots__ = ("_apart", "_flags", "_flat", "_scaled", "cells", "frame", "grows", "starts", "state", "table")

    def __init__(self, alpha: float, unit: float, *, grows: bool, eliminates: bool, or_equal: bool) -> None:
        self.grows = grows  # n is not declared: attributes get their start weights as they appear
        # With alpha = 2 a start weight is a power of alpha, and becomes part of the exponent.
        self._scaled = grows and alpha != 2.0
        self._flags = grows, alpha == 2.0, eliminates, or_equal
        self.state = array("q", bytes(8 * (kernel.MOST + 1)))
        self.cells: memoryview[int]
        self.use(_first_table(alpha, unit).copy(), zeros(self.typecode(WIDTHS[0]), 0))
        self._apart = grows and not self._scaled
        self.starts: memoryview[int] = zeros("B", 0)  # where they are kept apart from the cells

    def typecode(self, shift: int) -> str:
        """Of the cells: a code of `shift` bits, and as many for the start where it is not part of the code."""
        return "BHIQ"[WIDTHS.index(shift) + self._scaled]

    def use(self, table: PowerTable, cells: memoryview[int] | None = None) -> None:
        """This table, and cells whose codes are of its width."""
        frame = array("q", [*table.frame, *self._flags])
        if cells is None:
            cells = self.cells
        self.table = table
        self.cells = cells
        self._flat = _NOT_FLAT
        self.frame = frame

    def flat(self, rows: int) -> memoryview[float]:
        """The weight of every cell of two bytes, for so many rows; empty where that would not pay."""
        if self._scaled and self.table.shift == WIDTHS[0] and not len(self._flat) and rows >= _ROWS_FOR_FLAT:
            flat = zeros("d", 1 << 2 * WIDTHS[0])
            if not kernel.flatten(self.table.shift, self.table.power, HALF, _STARTS, flat):
                raise AssertionError("buffers do not fit together")
            self._flat = flat
        return self._flat

    @property
    def seen(self) -> int:
        """Attributes whose start weight is settled."""
        return self.state[kernel.SEEN]

    def extend(self) -> None:
        """More of the table of powers: twice the reach, though nothing below the smallest double.

        OverflowError when the table would be too long: only heavy examples lead there.
        """
        table = self.table
        bottom = table.bottom if table.value(table.bottom) == 0.0 else max(2 * table.bottom, 2 - table.bias)
        top = min(2 * table.top, table.bias - 1)
        if top - bottom > _LONGEST_TABLE:
            raise OverflowError
        if table.low:
            self.use(PowerTable(table.alpha, table.shift, bottom, top, table.unit))
        else:
            table.fill(bottom, top)
            self.use(table)

    def widen(self, attributes: AttributeTable) -> None:
        """Codes of twice the width: the present one is used up; OverflowError when there is no wider one."""
        if self.table.shift == WIDTHS[-1]:
            raise OverflowError
        old, shift = self.table, 2 * self.table.shift
        mask, offset = (1 << old.shift) - 1, bias_of(shift) - old.bias
        cells = attributes.in_order(self.cells)
        wider = {
            c: c >> old.shift << shift | ((c & mask) + offset if c & mask > _ELIMINATED else c & mask) for c in cells
        }
        table = PowerTable(old.alpha, shift, old.bottom, old.top, old.unit)
        self.use(table, attributes.by_slot(array(self.typecode(shift), map(wider.__getitem__, cells))))

    def take_back(self, size: int, attributes: AttributeTable) -> None:
        """After an exception: attributes from number `size` on, all of one row, have no start weight after all."""
        seen = self.state[kernel.SEEN]
        if seen <= size:
            return
        for slot in attributes.slots()[size:seen]:
            self.cells[slot] = _UNSEEN
        place = kernel.STARTS + (start_exponent(seen) if self.grows else 0)
        left = self.state[place] - (seen - size)
        self.state[place] = left
        self.state[kernel.SEEN] = size

    def move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        changes: list[Change] = [(setattr, self, "cells", moved(self.cells))]
        if self._apart:
            changes.append((setattr, self, "starts", moved(self.starts)))
        return changes

    def arrays(self, attributes: AttributeTable) -> dict[str, Any]:
        arrays = {"cells": InOrder(self.cells, attributes.slots())}
        if self._apart:
            arrays["starts"] = InOrder(self.starts, attributes.slots())
        return arrays

    def restore(
        self, arrays: dict[str, array[Any]], attributes: AttributeTable, largest: float, partly: bool = False
    ) -> None:
        """Take up the arrays of a model file; `largest` is log_alpha of the largest weight that play can make.

        `partly`: the table has attributes that no row has had yet.
        """
        size, cells = len(attributes), arrays["cells"]
        shifts = [shift for shift in WIDTHS if self.typecode(shift) == cells.typecode]
        if not shifts or len(cells) != size:
            raise ValueError("expected one weight per attribute")
        shift = shifts[0]
        if self._scaled:
            starts = array("B", _upper_bytes(cells, shift))
        else:
            starts = arrays["starts"] if self.grows else array("B", bytes(size))
        if starts.typecode != "B" or len(starts) != size:
            raise ValueError("expected one start per attribute")
        if self.grows and size and max(starts) > start_exponent(size):
            raise ValueError("a start weight is smaller than that of the last attribute")
        mask, bias, used = (1 << shift) - 1, bias_of(shift), set(cells)
        codes = {cell & mask for cell in used}
        unseen = cells.count(_UNSEEN) if _UNSEEN in used else 0
        if _UNSEEN in codes and not (partly and unseen and {cell for cell in used if not cell & mask} == {_UNSEEN}):
            raise ValueError("an attribute that has appeared has no weight")
        live = codes - {_ELIMINATED, _UNSEEN}
        top, bottom = max(live, default=bias) - bias, min(live, default=bias) - bias
        if top > max(0.0, largest) + 1:
            raise ValueError("a weight is larger than Winnow could have made it")
        lowest = -_FIRST_REACH
        while lowest > bottom and self.table.value(lowest) > 0.0:
            lowest *= 2
        top = max(_FIRST_REACH, top + 1)
        if shift == WIDTHS[-1] and top - lowest > _LONGEST_TABLE:
            raise ValueError("the exponents are out of range")
        table = PowerTable(self.table.alpha, shift, max(lowest, 2 - bias), min(top, bias - 1), self.table.unit)
        self.use(table, attributes.by_slot(cells))
        if self._apart:
            self.starts = attributes.by_slot(starts)
        self.state[kernel.SEEN] = size - unseen
        data = starts.tobytes()
        for s in set(data):
            self.state[kernel.STARTS + s] = data.count(s)
        self.state[kernel.STARTS] -= unseen

    def term(self, slot: int) -> tuple[int, int] | None:
        """(exponent, start) of the weight of an attribute that has appeared; None for one that was eliminated."""
        start, code = divmod(self.cells[slot], 1 << self.table.shift)
        return None if code == _ELIMINATED else (code - self.table.bias, start)

    def start(self, slot: int) -> int:
        """s of the weight 2**-s with which an attribute started, where n is not declared."""
        return self.starts[slot] if self._apart else self.cells[slot] >> self.table.shift

    def put(self, slot: int, term: tuple[int, int] | None) -> None:
        """The inverse of `term`, for an attribute that has appeared and had that weight before."""
        self.cells[slot] = _ELIMINATED if term is None else term[1] << self.table.shift | term[0] + self.table.bias

    def terms(self, slots: Iterable[int]) -> dict[tuple[int, int], int]:
        """How many of the slots have each (exponent, start); attributes never seen are about to start."""
        terms: dict[tuple[int, int], int] = {}
        unseen = 0
        for slot in slots:
            if self.cells[slot] == _UNSEEN:
                unseen += 1
            elif (term := self.term(slot)) is not None:
                terms[term] = terms.get(term, 0) + 1
        if unseen:
            term = (0, start_exponent(self.seen + unseen) if self.grows else 0)
            terms[term] = terms.get(term, 0) + unseen
        return terms

    def weights(self, attributes: AttributeTable) -> memoryview[float]:
        """All weights as doubles, in the order in which the attributes appeared."""
        return self._as_doubles(attributes.in_order(self.cells))

    def weights_of(self, slots: Ints) -> memoryview[float]:
        """The weights of some slots as doubles."""
        return self._as_doubles(taken(self.cells, slots))

    def weight(self, slot: int) -> float:
        """One weight as a double."""
        return self._as_doubles(self.cells[slot : slot + 1])[0]

    def _as_doubles(self, cells: memoryview[int]) -> memoryview[float]:
        weights: memoryview[float] = zeros("d", len(cells))
        fill = kernel.weights
        if not fill(cells, self.table.low, self.table.shift, self.table.power, HALF, weights):
            raise AssertionError("buffers do not fit together")
        return weights

    def start_sum(self) -> float:
        """The start weights together: there are few different ones."""
        counts = self.state[kernel.STARTS : kernel.STARTS + 256]
        return self.table.unit * fsum(count * 2.0**-s for s, count in enumerate(counts) if count)


def _upper_bytes(cells: array[int], shift: int) -> bytes:
    """The byte above the lowest `shift` bits of every cell; b"" when a bit is set above that."""
    if sys.byteorder == "big":
        cells = cells[:]
        cells.byteswap()
    data, width, at = cells.tobytes(), cells.itemsize, shift // 8
    return b"" if any(any(data[place::width]) for place in range(at + 1, width)) else data[at::width]
