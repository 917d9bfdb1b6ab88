"""Weights as integer exponents: weight = 2**-start * alpha**exponent, exact, small, in 8 bits while they suffice.

With n declared every start weight is 1.  With n unknown (row W5) all attributes that first appear in one trial start at
2**-(b + 2*ceil(log2(b+1))), b = floor(log2 J), J the number that have appeared up to and including that trial.
"""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import zeros
from mistakebound.kernels import winnow as kernel
from mistakebound.learners.linear._powers import BIAS, PowerTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.kernels._buffers import Ints

HALF = array("d", [2.0**-s for s in range(256)])
_NO_STARTS = array("B")
_FIRST_REACH = 64  # exponents filled in at first, to either side of 0
_LONGEST_TABLE = 1 << 24
_UNSEEN, _ELIMINATED = 0, 1  # codes that are no weights
_RUN = {"B": kernel.run_byte, "H": kernel.run_narrow, "I": kernel.run_wide}
_WEIGHTS = {"B": kernel.weights_byte, "H": kernel.weights_narrow, "I": kernel.weights_wide}


def start_exponent(appeared: int) -> int:
    """s of the start weight 2**-s of attributes that first appear when `appeared` have (the kernel's own in words).

    >>> [start_exponent(j) for j in (1, 2, 3, 4, 1000, 10**6)]
    [0, 3, 3, 6, 17, 29]
    """
    b = appeared.bit_length() - 1
    return b + 2 * b.bit_length()


class Exponents:
    """The weights of one Winnow learner, by slot."""

    __slots__ = ("_merged", "codes", "frame", "grows", "run", "starts", "state", "table")

    def __init__(self, alpha: float, grows: bool) -> None:
        self.grows = grows  # n is not declared: attributes get their start weights as they appear
        # With alpha = 2 a start weight is a power of alpha, and becomes part of the exponent.
        self._merged = alpha == 2.0
        self.state = array("q", [0, 0])
        self.codes: memoryview[int] = zeros("B", 0)
        self.starts: memoryview[int] = zeros("B", 0)
        self._use(PowerTable(alpha, "B", -_FIRST_REACH, _FIRST_REACH))

    def _use(self, table: PowerTable) -> None:
        self.table = table
        self.frame = array("q", table.frame)
        self.run = _RUN[table.code]

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
        bottom = table.bottom if table.value(table.bottom) == 0.0 else max(2 * table.bottom, 2 - table.bias)
        top = min(2 * table.top, table.bias - 1)
        if table.code == "I":
            self._use(PowerTable(table.alpha, "I", bottom, top))
        else:
            table.fill(bottom, top)
            self._use(table)

    def widen(self, attributes: AttributeTable) -> None:
        """Codes of twice the width: the present one is used up."""
        code = "H" if self.table.code == "B" else "I"
        offset = BIAS[code] - self.table.bias
        codes = attributes.in_order(self.codes)
        self.codes = attributes.by_slot(array(code, [c if c <= _ELIMINATED else c + offset for c in codes]))
        self._use(PowerTable(self.table.alpha, code, self.table.bottom, self.table.top))

    def move(self, moved: Callable[[Any], memoryview[Any]]) -> None:
        self.codes = moved(self.codes)
        if self.grows:
            self.starts = moved(self.starts)

    def arrays(self, attributes: AttributeTable) -> dict[str, Any]:
        arrays = {"codes": attributes.in_order(self.codes)}
        if self.grows:
            arrays["starts"] = attributes.in_order(self.starts)
        return arrays

    def restore(self, arrays: dict[str, array[Any]], attributes: AttributeTable, largest: float) -> None:
        """Take up the arrays of a model file; `largest` is log_alpha of the largest weight that play can make."""
        size, codes = len(attributes), arrays["codes"]
        starts = arrays["starts"] if self.grows else array("B", bytes(size))
        if codes.typecode not in BIAS or starts.typecode != "B" or len(codes) != size or len(starts) != size:
            raise ValueError("there is not one weight an attribute")
        if self.grows and size and max(starts) > start_exponent(size):
            raise ValueError("a start weight is smaller than that of the last attribute")
        bias, used = BIAS[codes.typecode], set(codes)
        if _UNSEEN in used:
            raise ValueError("an attribute that has appeared has no weight")
        live = used - {_ELIMINATED}
        top, bottom = max(live, default=bias) - bias, min(live, default=bias) - bias
        if top > max(0.0, largest) + 1:
            raise ValueError("a weight is larger than Winnow could have made it")
        lowest = -_FIRST_REACH
        while lowest > bottom and self.table.value(lowest) > 0.0:
            lowest *= 2
        top = max(_FIRST_REACH, top + 1)
        if codes.typecode == "I" and top - min(bottom, lowest) > _LONGEST_TABLE:
            raise ValueError("the exponents reach further than this program goes")
        self._use(PowerTable(self.table.alpha, codes.typecode, max(lowest, 2 - bias), min(top, bias - 1)))
        self.codes, self.starts = attributes.by_slot(codes), attributes.by_slot(starts)
        self.state[kernel.SEEN] = size

    def term(self, slot: int) -> tuple[int, int] | None:
        """(exponent, start) of the weight of an attribute that has appeared; None for one that was eliminated."""
        code = self.codes[slot]
        if code == _ELIMINATED:
            return None
        return code - self.table.bias, self.starts[slot] if self.grows and not self._merged else 0

    def terms(self, slots: Iterable[int]) -> dict[tuple[int, int], int]:
        """How many of the slots have each (exponent, start); attributes never seen are about to start."""
        terms: dict[tuple[int, int], int] = {}
        unseen = 0
        for slot in slots:
            if self.codes[slot] == _UNSEEN:
                unseen += 1
            elif (term := self.term(slot)) is not None:
                terms[term] = terms.get(term, 0) + 1
        if unseen:
            term = (0, start_exponent(self.seen + unseen) if self.grows else 0)
            terms[term] = terms.get(term, 0) + unseen
        return terms

    def weights(self, attributes: AttributeTable) -> memoryview[float]:
        """All weights as doubles, in the order in which the attributes appeared."""
        weights, scale = zeros("d", len(attributes)), self.scale
        codes = attributes.in_order(self.codes)
        scale = attributes.in_order(scale) if len(scale) else scale
        if not _WEIGHTS[self.table.code](codes, scale, self.table.low, self.table.power, HALF, weights):
            raise AssertionError("buffers do not fit together")
        return weights

    def weight(self, slot: int) -> float:
        """One weight as a double."""
        weights: memoryview[float] = zeros("d", 1)
        code, starts = self.codes[slot : slot + 1], self.scale
        scale = starts[slot : slot + 1] if len(starts) else starts
        if not _WEIGHTS[self.table.code](code, scale, self.table.low, self.table.power, HALF, weights):
            raise AssertionError("buffers do not fit together")
        return weights[0]

    def start_sum(self, attributes: AttributeTable) -> float:
        """The start weights together, exactly: there are few different ones."""
        starts = attributes.in_order(self.starts).tobytes()
        return sum(starts.count(s) * 2.0**-s for s in sorted(set(starts)))
