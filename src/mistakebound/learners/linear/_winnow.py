"""What Winnow1 and Winnow2 share: one play, with predictions as exact arithmetic has them."""

from __future__ import annotations

from array import array
from math import fsum, inf, log, nextafter, pi

from mistakebound.core.atomic import reading
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.facts import K_AND_N, RELEVANT_AND_K, RELEVANT_AND_N, Relation
from mistakebound.core.params import Parameter
from mistakebound.core.rows import attributes_after
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.theorem import Condition, Lemma
from mistakebound.kernels import winnow as kernel
from mistakebound.learners.linear._start_weights import StartParameter, StartWeights
from mistakebound.learners.linear.exponents import HALF, Exponents, start_exponent
from mistakebound.learners.linear.powers import exact_sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows
    from mistakebound.kernels.single_row import SingleRow
    from mistakebound.learners.linear.powers import PowerTable

PARAMETERS = (  # of both, behind their own alpha
    Parameter(
        "theta", "number", None, above=0, words=("n", "n/2"), optional=True, grid=(None, 1.0, 2.5),
        help="threshold; none: n when n is declared, else 1",
    ),
    Parameter("n", "integer", None, at_least=1, optional=True, grid=(None, 60), help="number of attributes, if known"),
    Parameter("rule", "word", ">", words=(">", ">="), grid=(">", ">="), help="predict 1 when the sum is > or >= theta"),
    StartParameter(
        "start", what="attributes with powers of alpha", default=1.0, words=("1/n",), grid=(1.0,),
        help="start weight of every attribute, or of some by name",
    ),
)  # fmt: skip

STARTS_AT_ONE = Condition(
    "start weights of 1 (n declared)", ("_starts_at_one",), lambda facts: bool(facts["_starts_at_one"])
)

ALIKE = Condition("every mistake counts 1", ("_most",), lambda facts: facts["_most"] == 1)


def alike(facts: Any) -> bool:
    """Did every mistake count 1?  The papers' lemmas are about such."""
    return bool(facts["_most"] == 1)


_NEAR = 1 + 1e-9  # for weights that are rounded
_HEAVIEST = 1 << 40  # a weight and a cost, both of which are at most 2**20


class _Decided(dict[int, float]):
    """The scores of rows that were decided in whole numbers."""

    def write(self, scores: Floats) -> None:
        for row, score in self.items():
            scores[row] = score


class _Narrow:
    """What the weights were before they were widened for a row."""

    __slots__ = ("cells", "row", "table")

    def __init__(self) -> None:
        self.row = -1
        self.table: PowerTable | None = None
        self.cells: memoryview[int] | None = None


def largest_weight(learner: ExponentWinnow) -> float:
    return learner.top(1)[0][1] if len(learner.attributes) else 0.0


def bounded_weights(name: str) -> Lemma:
    """Littlestone's lemma of this name, which holds for both."""
    return Lemma(
        name,
        source="Littlestone 1988",
        statement="every weight is at most alpha*theta",
        when=lambda f: alike(f) and f["theta"] * f["alpha"] >= f["_first_start"],
        holds=lambda learner, u, v, f: largest_weight(learner) <= f["alpha"] * f["theta"] * _NEAR,
        sides=lambda learner, u, v, f: (largest_weight(learner), f["alpha"] * f["theta"]),
    )


class ExponentWinnow(SparseLearner):
    """Winnow's parameters, play and hypothesis; what a false positive does is the subclass's one line."""

    binary = True
    exact = True
    readable = "weights"
    multiplicative = True
    enters = True
    disjunctive = True
    weighted = True  # a promotion or demotion of weight c multiplies or divides by alpha**c
    whole_weights = True
    eliminates: ClassVar[bool]  # a false positive sets the active weights to 0 instead of dividing them by alpha
    assumable: ClassVar[dict[str, str]] = {
        "k": "maximum attributes in the target disjunction",
        "n": "maximum attributes that can appear",
        "relevant": "names of the target's attributes",
    }
    relations: ClassVar[tuple[Relation, ...]] = (K_AND_N, RELEVANT_AND_K, RELEVANT_AND_N)

    def __init__(self, labels: Any = None, costs: Any = None, **given: Any) -> None:
        super().__init__(labels, costs, **given)
        self.n: int | None = self.settings["n"]
        self.conservative = self.n is not None  # else attributes that appear take their start weights
        self.theta = self._theta()
        self.first_start = self._first_start()
        self.alpha: float = self.settings["alpha"]
        self.slow_decisions = 0  # predictions that needed exact integers; the benchmark prints their share
        self._exponents = Exponents(
            self.alpha,
            self.first_start,
            grows=self.n is None,
            eliminates=self.eliminates,
            or_equal=self.settings["rule"] == ">=",
        )
        self._row = self._exponents.state
        self._starts: StartWeights | None = None
        if isinstance(self.settings["start"], dict):
            self._begin_with(self.settings["start"])

    def _begin_with(self, start: dict[str, Any]) -> None:
        """Named start weights: what a model file has whose attributes have these weights and no trial was played."""
        if self.n is None:
            raise BadParameter(f"start must be a number when n is not declared: {start!r}")
        self._starts = StartWeights(start, self.alpha, self.n)
        self.brings_weights = True
        for name in self._starts.exponents:
            self.attributes.add(name)
        self._follow_slots()
        bias = self._exponents.table.bias
        cells = array("B", [self._starts.exponents[name] + bias for name in self.attributes.names()])
        self._exponents.restore({"cells": cells}, self.attributes, inf)

    def _theta(self) -> float:
        theta, n = self.settings["theta"], self.settings["n"]
        if theta is None:
            return 1.0 if n is None else float(n)
        if isinstance(theta, str):
            if n is None:
                raise BadParameter(f"theta must be a number when n is not declared: {theta!r}")
            return float(n) if theta == "n" else n / 2
        return float(theta)

    def _first_start(self) -> float:
        """The start weight (with n unknown: of the first attribute to appear)."""
        start, n = self.settings["start"], self.settings["n"]
        if start == "1/n":
            if n is None:
                raise BadParameter(f"start must be a number when n is not declared: {start!r}")
            return 1 / int(n)
        return 1.0 if isinstance(start, dict) else float(start)

    # Play.

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        if len(scores):
            rows = rows.in_key_order()
        seen, decided, narrow = self._exponents.seen, _Decided(), _Narrow()
        try:
            played = self._play(rows, labels, predictions, scores, learn, decided, narrow)
            decided.write(scores)
        except BaseException:
            if learn:
                try:
                    self._only_whole(rows, seen, narrow)
                    decided.write(scores)
                except BaseException:
                    self._only_whole(rows, seen, narrow)
                    decided.write(scores)
                    raise
            raise
        return played

    def _only_whole(self, rows: Rows, seen: int, narrow: _Narrow) -> None:
        """After an exception: the row at which the kernel stopped has given its new attributes start weights already.

        And it may have made the cells wider.  May be called again.
        """
        played, kept = self._row[kernel.ROW], self._exponents
        if narrow.row == played and narrow.table is not None:
            kept.use(narrow.table, narrow.cells)
        kept.take_back(attributes_after(rows, played, seen), self.attributes)

    def _play(
        self,
        rows: Rows,
        labels: Ints,
        predictions: Ints,
        scores: Floats,
        learn: bool,
        decided: dict[int, float],
        narrow: _Narrow,
    ) -> int:
        """The scores of rows that needed exact integers go to `decided`."""
        kept, state, base = self._exponents, self._exponents.state, rows.base
        many = max(rows.count, rows.widest >> 6)  # of a usual width, or as good as that
        batch = rows.batch(state, predictions, scores, labels if learn else None, sorts=False)
        batch.enter(base, *self.attributes.entering(rows))
        first, forced, flat = 0, -1, kept.flat(many)
        while True:
            table = kernel.WeightTable(kept.frame, kept.table.power, kept.table.units, HALF, flat, self.theta)
            status = kernel.run(batch, kept.cells[base:], kept.starts[base:], table, first, forced)
            if status == kernel.OTHER:
                return -1
            first, forced = state[kernel.ROW], -1
            if status == kernel.OK:
                return rows.count
            if status == kernel.UNDECIDED:
                forced, score = self._decide_exactly(rows, first)
                if len(scores):
                    decided[first] = score
            elif status in (kernel.EDGE, kernel.WIDEN):
                self._drop_single_row()
                if narrow.row != first:
                    narrow.table = kept.table
                    narrow.cells = kept.cells
                    narrow.row = first
                try:
                    if status == kernel.EDGE:
                        kept.extend()
                    else:
                        kept.widen(self.attributes)
                except OverflowError:
                    raise BadData("an exponent of alpha leaves its range: the weights are too large") from None
                flat = kept.flat(many)
            else:
                raise AssertionError("buffers do not fit together")

    def _make_single_row(self, limit: int) -> SingleRow | None:
        kept = self._exponents
        if kept.cells.itemsize > 2 or kept.table.low:
            return None
        from mistakebound.kernels.winnow_single_row import SingleRowWinnow

        return SingleRowWinnow(
            self._single_row_owner(limit), kept.cells, kept.starts, kept.frame, kept.table.power, HALF, self.theta,
            kept.state,
        )  # fmt: skip

    def _decide_exactly(self, rows: Rows, row: int) -> tuple[int, float]:
        """The prediction for a row by exact integers, and a score on the same side of theta."""
        self.slow_decisions += 1
        slots = [rows.base + slot for slot in rows.slots[rows.indptr[row] : rows.indptr[row + 1]]]
        numerator, denominator = exact_sum(self._exponents.terms(slots), self.alpha, self.first_start)
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

    # State.

    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        return self._exponents.move(moved)

    def _arrays(self) -> dict[str, Any]:
        return self._exponents.arrays(self.attributes)

    def _state(self) -> dict[str, Any]:
        return {"least": self._exponents.state[kernel.LEAST], "most": self._exponents.state[kernel.MOST]}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        least, most = (int(state.get(name, 1)) for name in ("least", "most"))
        if not 0 <= least <= most <= _HEAVIEST or (most > 0) != (least > 0):
            raise ValueError("the weights of mistakes are not numbers > 0")
        self._exponents.state[kernel.LEAST], self._exponents.state[kernel.MOST] = least, most
        # A weight is promoted only while it is at most theta.
        starts = self.smallest_start(len(self.attributes)) * log(2) - log(self.first_start)
        largest = (log(self.theta) + starts) / log(self.alpha) + max(most, 1)
        if self._starts is not None:
            largest = max(largest, *self._starts.exponents.values(), 0)
        self._exponents.restore(arrays, self.attributes, largest, self.partly_seen)

    @reading
    def weight(self, name: str) -> float:
        """The weight of an attribute; one that has not appeared has its start weight, if that is known already."""
        slot = self.attributes.slot(name)
        if slot < 0:
            return self.start_weight(len(self.attributes) + 1)
        return self._exponents.weight(slot)

    @reading
    def weights(self) -> dict[str, float]:
        """The weight of every attribute that has appeared."""
        return dict(zip(self.attributes.names(), self._exponents.weights(self.attributes), strict=True))

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """The attributes with the largest weights, largest first; of equal ones the first that appeared."""
        from mistakebound.learners.linear._reading import largest_weights

        return largest_weights(self.attributes, self._exponents.weights_of, count)

    @reading
    def largest_exponent(self) -> float:
        """log_alpha of the largest weight (of 1, where an attribute of a declared n has not appeared)."""
        terms = [self._exponents.term(slot) for slot in self.attributes.slots()]
        largest = max((term[0] for term in terms if term is not None), default=0)
        return float(largest if self.n is None or len(self.attributes) >= self.n else max(0, largest))

    def smallest_start(self, appeared: int) -> int:
        """s of the smallest start weight first_start * 2**-s when so many attributes have appeared."""
        return 0 if self.n is not None or not appeared else start_exponent(appeared)

    def start_weight(self, appeared: int) -> float:
        """The weight with which an attribute starts when so many have appeared, itself included."""
        return self.first_start * 2.0 ** -self.smallest_start(appeared)

    def _form(self) -> Any:
        """Exact: exponents, not doubles.  A weight that is what an unseen attribute has does not count."""
        unseen = (0, 0) if self.n is not None else len(self.attributes)
        slots, names = self.attributes.slots(), self.attributes.names()
        terms = ((name, self._exponents.term(slot)) for slot, name in zip(slots, names, strict=True))
        kept = frozenset((name, term) for name, term in terms if term != unseen)
        return ("linear", self.alpha, self.first_start, self.theta, self.settings["rule"], unseen, kept)

    def take_form(self, form: Any) -> bool:
        if self.n is None:
            return False  # start weights depend on what has appeared, and when
        terms = dict(form[-1])
        for slot, name in zip(self.attributes.slots(), self.attributes.names(), strict=True):
            self._exponents.put(slot, terms.get(name, (0, 0)))
        return True

    def _in_words(self, terms: int) -> str:
        from mistakebound.learners.linear._reading import sum_in_words

        nonzero = sum(1 for slot in self.attributes.slots() if self._exponents.term(slot) is not None)
        parts = sum_in_words(self.top(terms), terms, nonzero)
        complete = self.attributes.derived and len(self.attributes) == self.n
        unseen = "" if self.n is None or complete else f", every {self.unit} not seen yet counting {self.first_start:g}"
        return f"{' + '.join(parts) or '0'} {self.settings['rule']} {self.theta:g}{unseen}"

    # What the theorems want to know.

    @reading
    def start(self) -> dict[str, Any]:
        """The theorems count from start weights; what was learned before changes them."""
        if self._starts is not None:
            exponents = self._starts.exponents
            terms = zip(self.attributes.names(), map(self._exponents.term, self.attributes.slots()), strict=True)
            return {"used": True} if any(term != (exponents.get(name, 0), 0) for name, term in terms) else {}
        return {"used": True} if len(self.attributes) else {}

    @reading
    def facts(self) -> dict[str, Any]:
        most = self._exponents.state[kernel.MOST] or 1
        known = {
            "_least": self._exponents.state[kernel.LEAST] or 1,
            "_most": most,
            "_rise": _power(self.alpha, most),
            "alpha": self.alpha,
            "theta": self.theta,
            "rule": self.settings["rule"],
            "_first_start": self.first_start if self._starts is None else self._starts.largest,
        }
        if self.n is not None:
            known["n"] = self.n
        return known

    def derived_facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Start weights, for the attributes that have appeared or, with n told, for all that ever can."""
        relevant = facts.get("relevant")
        if relevant is not None:
            facts.setdefault("k", len(relevant))
        facts["_starts_at_one"] = self.n is not None and self.first_start == 1 and self._starts is None
        if self._starts is not None:
            facts["_start_sum"] = self._starts.total
            if facts.get("k") is not None:
                most = facts["_most"]
                facts["_log_terms"] = self._starts.log_terms(lambda w: self._log_of(w, most), facts["k"], relevant)
            return facts
        if self.n is not None:
            facts["_start_sum"], smallest = self.first_start * self.n, 0
        else:
            seen, told = len(self.attributes), facts.get("n") or 0
            facts["n"] = max(seen, told) or None
            if facts["n"] is None:
                return facts
            smallest = start_exponent(facts["n"])
            facts["_start_sum"] = self._exponents.start_sum() if told <= seen else self.first_start * pi**2 / 6
        if facts.get("k") is not None:
            most = facts["_most"]
            facts["_log_terms"] = facts["k"] * self._log_term(smallest, most)
            if relevant is not None and self.n is None:
                slots = [self.attributes.slot(name) for name in relevant]
                known = [self._log_term(self._exponents.start(slot), most) for slot in slots if slot >= 0]
                unseen = len(slots) - len(known) if told > seen else 0
                facts["_log_terms"] = fsum(known) + unseen * self._log_term(smallest, most)
        return facts

    def _log_term(self, start: int, most: int) -> float:
        """log_A(theta / (first_start * 2**-start)) + 1, A = alpha**most, where that is not negative."""
        return max(0.0, (log(self.theta) + start * log(2) - log(self.first_start)) / (most * log(self.alpha)) + 1)

    def _log_of(self, weight: float, most: int) -> float:
        """The same of any start weight."""
        return max(0.0, (log(self.theta) - log(weight)) / (most * log(self.alpha)) + 1)


def _power(alpha: float, most: int) -> float:
    try:
        return float(alpha**most)
    except OverflowError:
        return inf
