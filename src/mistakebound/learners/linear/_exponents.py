"""What Winnow1 and Winnow2 share: weights kept as integer exponents, predictions as exact arithmetic has them.

weight = 2**-start * alpha**exponent.  With n declared every start weight is 1.  With n unknown (row W5) all attributes
that first appear in one trial start at 2**-(b + 2*ceil(log2(b+1))), b = floor(log2 J), J the number that have appeared
up to and including that trial.
"""

from __future__ import annotations

from array import array
from math import inf, log, nextafter, pi

from mistakebound.core.attributes import NO_SLOT, zeros
from mistakebound.core.errors import BadParameter
from mistakebound.core.params import Parameter
from mistakebound.core.sparse import SparseLearner
from mistakebound.kernels import winnow as kernel
from mistakebound.learners.linear._powers import NARROW_BIAS, WIDE_BIAS, PowerTable, exact_sum
from mistakebound.learners.linear._reading import largest_weights, sum_in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from mistakebound.core.rows import Rows
    from mistakebound.kernels._buffers import Floats, Ints

THETA = Parameter(
    "theta", "number", None, above=0, words=("n", "n/2"), optional=True, grid=(None, 1.0, 2.5),
    help="threshold; none: n when n is declared, else 1",
)  # fmt: skip
N = Parameter("n", "integer", None, at_least=1, optional=True, grid=(None, 60), help="number of attributes, if known")
RULE = Parameter(
    "rule", "word", ">", words=(">", ">="), grid=(">", ">="), help="predict 1 when the sum is > or >= theta"
)

_HALF = array("d", [2.0**-s for s in range(256)])
_NO_STARTS = array("B")
_NO_LABELS = array("b")
_NO_SCORES = array("d")
_FIRST_REACH = 64  # exponents filled in at first, to either side of 0


def start_exponent(appeared: int) -> int:
    """s of the start weight 2**-s of attributes that first appear when `appeared` have (the kernel's own in words).

    >>> [start_exponent(j) for j in (1, 2, 3, 4, 1000, 10**6)]
    [0, 3, 3, 6, 17, 29]
    """
    b = appeared.bit_length() - 1
    return b + 2 * b.bit_length()


class ExponentWinnow(SparseLearner):
    """Winnow's state and play; what a false positive does is the subclass's one line."""

    binary = True
    eliminates: ClassVar[bool]  # a false positive sets the active weights to 0 instead of dividing them by alpha
    assumable: ClassVar[dict[str, str]] = {
        "k": "attributes in the target disjunction, at most",
        "n": "attributes that can appear, at most",
        "relevant": "names of the target's attributes",
    }

    def __init__(self, labels: Any = None, **given: Any) -> None:
        super().__init__(labels, **given)
        self.n: int | None = self.settings["n"]
        self.theta = self._theta()
        self.alpha: float = self.settings["alpha"]
        self.slow_decisions = 0  # predictions that needed exact integers; the benchmark prints their share
        # With alpha = 2 a start weight is a power of alpha, and becomes part of the exponent.
        self._merged = self.alpha == 2.0
        self._state_buffer = array("q", [0, 0])
        self._codes: memoryview[int] = zeros("H", 0)
        self._starts: memoryview[int] = zeros("B", 0)
        self._use_table(PowerTable(self.alpha, False, -_FIRST_REACH, _FIRST_REACH))

    def _theta(self) -> float:
        theta, n = self.settings["theta"], self.settings["n"]
        if theta is None:
            return 1.0 if n is None else float(n)
        if isinstance(theta, str):
            if n is None:
                raise BadParameter(f"theta must be a number when n is not declared: {theta!r}")
            return float(n) if theta == "n" else n / 2
        return float(theta)

    # State.

    def _use_table(self, table: PowerTable) -> None:
        self._table = table
        self._frame = array("q", table.frame)
        self._wide = table.low > 0

    def _extend(self) -> None:
        """More of the table of powers: twice the reach, though nothing below the smallest double."""
        table = self._table
        limit = table.bias - 1
        bottom = table.bottom if table.value(table.bottom) == 0.0 else max(2 * table.bottom, -limit)
        top = min(2 * table.top, limit)
        if self._wide:
            self._use_table(PowerTable(self.alpha, True, bottom, top))
        else:
            table.fill(bottom, top)
            self._use_table(table)

    def _widen(self) -> None:
        """32-bit codes: 16 bits are used up."""
        wide: memoryview[int] = zeros("I", len(self._codes))
        offset = WIDE_BIAS - NARROW_BIAS
        for slot, code in enumerate(self._codes):
            wide[slot] = code + offset if code else 0
        self._codes = wide
        self._use_table(PowerTable(self.alpha, True, self._table.bottom, self._table.top))

    def _grow(self, size: int) -> None:
        have = len(self._codes)
        if size > have:
            room = max(64, size + size // 2)
            codes, starts = zeros("I" if self._wide else "H", room), zeros("B", room)
            codes[:have], starts[:have] = self._codes, self._starts
            self._codes, self._starts = codes, starts
        if self.n is not None:
            seen = self._state_buffer[kernel.SEEN]
            if size > seen:
                code = array(self._codes.format, [self._table.bias])
                self._codes[seen:size] = code * (size - seen)
                self._state_buffer[kernel.SEEN] = size

    def _arrays(self) -> dict[str, Any]:
        size = len(self.attributes)
        arrays = {"codes": self._codes[:size]}
        if self.n is None:
            arrays["starts"] = self._starts[:size]
        return arrays

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        codes, size = arrays["codes"], len(self.attributes)
        starts = arrays["starts"] if self.n is None else array("B", bytes(size))
        if codes.typecode not in "HI" or starts.typecode != "B" or len(codes) != size or len(starts) != size:
            raise ValueError("there is not one weight an attribute")
        wide = codes.typecode == "I"
        bias = WIDE_BIAS if wide else NARROW_BIAS
        live = [code for code in set(codes) if code]
        top, bottom = max(live, default=bias) - bias, min(live, default=bias) - bias
        if top > 0 and top * log(self.alpha) > log(self.alpha * self.theta) + 60 * log(2):
            raise ValueError("a weight is larger than Winnow could have made it")
        reach = max(_FIRST_REACH, top + 1)
        floor_ = -_FIRST_REACH
        while floor_ > bottom and self._table.value(floor_) > 0.0:
            floor_ *= 2
        self._use_table(PowerTable(self.alpha, wide, max(floor_, 1 - bias), min(reach, bias - 1)))
        self._codes = memoryview(codes)
        self._starts = memoryview(starts)
        self._state_buffer[kernel.SEEN] = size
        self._grow(size)

    # Play.

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, learn: bool, scores: Floats = _NO_SCORES) -> None:
        run = kernel.run_wide if self._wide else kernel.run_narrow
        first, forced, last = 0, -1, rows.count
        state = self._state_buffer
        while True:
            status = run(
                rows.slots, rows.indptr, labels, first, last, self._codes, self._starts,
                self._scale(), self._frame,
                self._table.power, self._table.units, _HALF, self.theta, self.settings["rule"] == ">=",
                self.n is None, self.eliminates, learn, forced, predictions, scores, state,
            )  # fmt: skip
            if status == kernel.OK:
                return
            first, forced = state[kernel.ROW], -1
            if status == kernel.UNDECIDED:
                forced, score = self._decide_exactly(rows, first)
                if len(scores):
                    predictions[first], scores[first] = forced, score
                    first, forced = first + 1, -1
            elif status == kernel.EDGE:
                self._extend()
            elif status == kernel.WIDEN:
                self._widen()
                run = kernel.run_wide
            else:
                raise AssertionError("buffers do not fit together")

    def _decide_exactly(self, rows: Rows, row: int) -> tuple[int, float]:
        """The prediction for a row by exact integers, and a score on the same side of theta."""
        self.slow_decisions += 1
        numerator, denominator = exact_sum(self._terms(rows, row), self.alpha)
        theta, unit = self.theta.as_integer_ratio()
        gap = numerator * unit - theta * denominator
        prediction = int(gap > 0 or (gap == 0 and self.settings["rule"] == ">="))
        try:
            score = numerator / denominator
        except OverflowError:
            score = inf
        if gap > 0 and score <= self.theta:
            score = nextafter(self.theta, inf)
        elif gap < 0 and score >= self.theta:
            score = nextafter(self.theta, -inf)
        return prediction, score

    def _terms(self, rows: Rows, row: int) -> dict[tuple[int, int], int]:
        terms: dict[tuple[int, int], int] = {}
        unknown = 0
        for slot in rows.slots[rows.indptr[row] : rows.indptr[row + 1]]:
            if slot == NO_SLOT:
                unknown += 1
            elif self._codes[slot]:
                term = self._term(slot)
                terms[term] = terms.get(term, 0) + 1
        if unknown:
            appeared = self._state_buffer[kernel.SEEN] + unknown
            term = (0, start_exponent(appeared) if self.n is None else 0)
            terms[term] = terms.get(term, 0) + unknown
        return terms

    def _term(self, slot: int) -> tuple[int, int]:
        """(exponent, start) of a weight that is not 0."""
        start = 0 if self.n is not None or self._merged else self._starts[slot]
        return self._codes[slot] - self._table.bias, start

    def _learn_rows(self, rows: Rows, labels: Ints, predictions: Ints) -> int:
        self._run(rows, labels, predictions, True)
        return rows.count

    def _predict_rows(self, rows: Rows, predictions: Ints) -> None:
        self._run(rows, _NO_LABELS, predictions, False)

    def _score_rows(self, rows: Rows, scores: Floats) -> None:
        self._run(rows.in_slot_order(), _NO_LABELS, array("b", bytes(rows.count)), False, scores)

    # What the state means.

    def weight(self, name: str) -> float:
        """The weight of an attribute; one that has not appeared has its start weight, if that is known already."""
        slot = self.attributes.slot(name)
        if slot < 0:
            return 1.0 if self.n is not None else 2.0 ** -start_exponent(len(self.attributes) + 1)
        if not self._codes[slot]:
            return 0.0
        exponent, start = self._term(slot)
        return self._table.value(exponent) * 2.0**-start

    def _scale(self) -> Ints:
        """The starts, where they are not part of the codes already."""
        return self._starts if self.n is None and not self._merged else _NO_STARTS

    def _weight_buffer(self) -> memoryview[float]:
        """All weights as doubles, in the order of slots."""
        size = len(self.attributes)
        weights = zeros("d", size)[:size]
        fill = kernel.weights_wide if self._wide else kernel.weights_narrow
        if not fill(self._codes, self._scale(), self._table.low, self._table.power, _HALF, weights):
            raise AssertionError("buffers do not fit together")
        return weights

    def weights(self) -> dict[str, float]:
        """The weight of every attribute that has appeared."""
        return dict(zip(self.attributes.names(), self._weight_buffer(), strict=True))

    def top(self, count: int) -> list[tuple[str, float]]:
        """The attributes with the largest weights, largest first; of equal ones the first that appeared."""
        return largest_weights(self.attributes, self._weight_buffer(), count)

    def largest_exponent(self) -> float:
        """log_alpha of the largest weight (of 1, where an attribute of a declared n has not appeared)."""
        largest = max((code - self._table.bias for code in self._live_codes() if code), default=0)
        return float(largest if self.n is None or len(self.attributes) >= self.n else max(0, largest))

    def smallest_start(self, appeared: int) -> int:
        """s of the smallest start weight 2**-s when so many attributes have appeared."""
        return 0 if self.n is not None else start_exponent(appeared)

    def _live_codes(self) -> memoryview[int]:
        return self._codes[: len(self.attributes)]

    def _form(self) -> Any:
        """Exact: exponents, not doubles.  A weight that is what an unseen attribute has does not count."""
        default = (0, 0) if self.n is not None else None
        terms = frozenset(
            (name, term)
            for slot, name in enumerate(self.attributes.names())
            if (term := self._term(slot) if self._codes[slot] else None) != default or default is None
        )
        unseen = "one" if self.n is not None else len(self.attributes)
        return ("linear", self.alpha, self.theta, self.settings["rule"], unseen, terms)

    def _in_words(self, terms: int) -> str:
        parts = sum_in_words(self.top(terms), terms, sum(1 for code in self._live_codes() if code))
        unseen = "" if self.n is None else ", every attribute not seen yet counting 1"
        return f"{' + '.join(parts) or '0'} {self.settings['rule']} {self.theta:g}{unseen}"

    # What the theorems want to know.

    def facts(self) -> dict[str, Any]:
        known = {"alpha": self.alpha, "theta": self.theta, "rule": self.settings["rule"]}
        if self.n is not None:
            known["n"] = self.n
        return known

    def derived_facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Start weights, for the attributes that have appeared or, with n told, for all that ever can."""
        relevant = facts.get("relevant")
        if relevant is not None:
            facts.setdefault("k", len(relevant))
        facts["_starts_at_one"] = self.n is not None
        if self.n is not None:
            facts["_start_sum"], smallest = float(self.n), 0
        else:
            seen, told = len(self.attributes), facts.get("n") or 0
            facts["n"] = max(seen, told) or None
            if facts["n"] is None:
                return facts
            smallest = start_exponent(facts["n"])
            starts = self._starts[:seen].tolist()
            exact = sum(starts.count(s) * 2.0**-s for s in sorted(set(starts)))
            facts["_start_sum"] = exact if told <= seen else pi**2 / 6
        if facts.get("k") is not None:
            facts["_log_terms"] = facts["k"] * self._log_term(smallest)
            if relevant is not None and self.n is None:
                slots = [self.attributes.slot(name) for name in relevant]
                known = [self._log_term(self._starts[slot]) for slot in slots if slot >= 0]
                unseen = len(slots) - len(known) if told > seen else 0
                facts["_log_terms"] = sum(known) + unseen * self._log_term(smallest)
        return facts

    def _log_term(self, start: int) -> float:
        """log_alpha(theta / 2**-start) + 1, where that is not negative."""
        return max(0.0, (log(self.theta) + start * log(2)) / log(self.alpha) + 1)
