"""Weights as integer exponents: weight = 2**-start * alpha**exponent, exact, small, in 16 bits while they suffice.

With n declared every start weight is 1.  With n unknown (row W5) all attributes that first appear in one trial start at
2**-(b + 2*ceil(log2(b+1))), b = floor(log2 J), J the number that have appeared up to and including that trial.
"""

from __future__ import annotations

from array import array

from mistakebound.core.attributes import NO_SLOT
from mistakebound.core.buffers import zeros
from mistakebound.kernels import winnow as kernel
from mistakebound.learners.linear._powers import NARROW_BIAS, WIDE_BIAS, PowerTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from mistakebound.kernels._buffers import Ints

HALF = array("d", [2.0**-s for s in range(256)])
_NO_STARTS = array("B")
_FIRST_REACH = 64  # exponents filled in at first, to either side of 0
_LONGEST_TABLE = 1 << 24


def start_exponent(appeared: int) -> int:
    """s of the start weight 2**-s of attributes that first appear when `appeared` have (the kernel's own in words).

    >>> [start_exponent(j) for j in (1, 2, 3, 4, 1000, 10**6)]
    [0, 3, 3, 6, 17, 29]
    """
    b = appeared.bit_length() - 1
    return b + 2 * b.bit_length()


class Exponents:
    """The weights of one Winnow learner, by slot."""

    __slots__ = ("_merged", "codes", "frame", "grows", "starts", "state", "table", "wide")

    def __init__(self, alpha: float, grows: bool) -> None:
        self.grows = grows  # n is not declared: attributes get their start weights as they appear
        # With alpha = 2 a start weight is a power of alpha, and becomes part of the exponent.
        self._merged = alpha == 2.0
        self.state = array("q", [0, 0])
        self.codes: memoryview[int] = zeros("H", 0)
        self.starts: memoryview[int] = zeros("B", 0)
        self._use(PowerTable(alpha, False, -_FIRST_REACH, _FIRST_REACH))

    def _use(self, table: PowerTable) -> None:
        self.table = table
        self.frame = array("q", table.frame)
        self.wide = table.low > 0

    @property
    def seen(self) -> int:
        """Attributes whose start weight is settled."""
        return self.state[kernel.SEEN]

    @property
    def scale(self) -> Ints:
        """The starts, where they are not part of the codes already."""
        return self.starts if self.grows and not self._merged else _NO_STARTS

    def extend(self) -> None:
        """More of the table of powers: twice the reach, though nothing below the smallest double."""
        table = self.table
        limit = table.bias - 1
        bottom = table.bottom if table.value(table.bottom) == 0.0 else max(2 * table.bottom, -limit)
        top = min(2 * table.top, limit)
        if self.wide:
            self._use(PowerTable(table.alpha, True, bottom, top))
        else:
            table.fill(bottom, top)
            self._use(table)

    def widen(self) -> None:
        """32-bit codes: 16 bits are used up."""
        wide: memoryview[int] = zeros("I", len(self.codes))
        offset = WIDE_BIAS - NARROW_BIAS
        for slot, code in enumerate(self.codes):
            wide[slot] = code + offset if code else 0
        self.codes = wide
        self._use(PowerTable(self.table.alpha, True, self.table.bottom, self.table.top))

    def grow(self, size: int) -> None:
        """Room for `size` attributes; with n declared the new ones have the weight 1 at once."""
        have = len(self.codes)
        if size > have:
            room = max(64, size + size // 2)
            codes, starts = zeros("I" if self.wide else "H", room), zeros("B", room)
            codes[:have], starts[:have] = self.codes, self.starts
            self.codes, self.starts = codes, starts
        if not self.grows and size > self.seen:
            one = array(self.codes.format, [self.table.bias])
            self.codes[self.seen : size] = one * (size - self.seen)
            self.state[kernel.SEEN] = size

    def arrays(self, size: int) -> dict[str, Any]:
        arrays = {"codes": self.codes[:size]}
        if self.grows:
            arrays["starts"] = self.starts[:size]
        return arrays

    def restore(self, arrays: dict[str, array[Any]], size: int, largest: float) -> None:
        """Take up the arrays of a model file; `largest` is log_alpha of the largest weight that play can make."""
        codes = arrays["codes"]
        starts = arrays["starts"] if self.grows else array("B", bytes(size))
        if codes.typecode not in "HI" or starts.typecode != "B" or len(codes) != size or len(starts) != size:
            raise ValueError("there is not one weight an attribute")
        wide = codes.typecode == "I"
        bias = WIDE_BIAS if wide else NARROW_BIAS
        live = [code for code in set(codes) if code]
        top, bottom = max(live, default=bias) - bias, min(live, default=bias) - bias
        if top > max(0.0, largest) + 1:
            raise ValueError("a weight is larger than Winnow could have made it")
        lowest = -_FIRST_REACH
        while lowest > bottom and self.table.value(lowest) > 0.0:
            lowest *= 2
        top = max(_FIRST_REACH, top + 1)
        if wide and top - min(bottom, lowest) > _LONGEST_TABLE:
            raise ValueError("the exponents reach further than this program goes")
        self._use(PowerTable(self.table.alpha, wide, max(lowest, 1 - bias), min(top, bias - 1)))
        self.codes, self.starts = memoryview(codes), memoryview(starts)
        self.state[kernel.SEEN] = size

    def term(self, slot: int) -> tuple[int, int] | None:
        """(exponent, start) of a weight; None for one that was eliminated."""
        code = self.codes[slot]
        if not code:
            return None
        return code - self.table.bias, self.starts[slot] if self.grows and not self._merged else 0

    def terms(self, slots: Iterable[int]) -> dict[tuple[int, int], int]:
        """How many of the slots have each (exponent, start); attributes never seen are about to start."""
        terms: dict[tuple[int, int], int] = {}
        unseen = 0
        for slot in slots:
            if slot == NO_SLOT:
                unseen += 1
            elif (term := self.term(slot)) is not None:
                terms[term] = terms.get(term, 0) + 1
        if unseen:
            term = (0, start_exponent(self.seen + unseen) if self.grows else 0)
            terms[term] = terms.get(term, 0) + unseen
        return terms

    def weights(self, size: int) -> memoryview[float]:
        """All weights as doubles, in the order of slots."""
        weights = zeros("d", size)[:size]
        fill = kernel.weights_wide if self.wide else kernel.weights_narrow
        if not fill(self.codes, self.scale, self.table.low, self.table.power, HALF, weights):
            raise AssertionError("buffers do not fit together")
        return weights

    def start_sum(self, size: int) -> float:
        """The start weights together, exactly: there are few different ones."""
        starts = self.starts[:size].tolist()
        return sum(starts.count(s) * 2.0**-s for s in sorted(set(starts)))
