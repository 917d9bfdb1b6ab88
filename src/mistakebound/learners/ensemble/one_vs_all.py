"""One against all: a learner of two classes for each label (Rifkin and Klautau 2004 give the history)."""

from __future__ import annotations

from array import array
from functools import cache

from mistakebound.core.call_lock import exclusive, reading
from mistakebound.core.errors import BadData
from mistakebound.core.many_labels import ManyLabels
from mistakebound.core.newcomers import cut, label_of, next_newcomer
from mistakebound.core.theorem import Bound, Theorem
from mistakebound.kernels import council as kernel
from mistakebound.learners.ensemble._ensemble import Ensemble
from mistakebound.learners.ensemble._specification import LearnerParameter, make, with_settings, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.instance import Instance
    from mistakebound.core.ledger import Ledger
    from mistakebound.core.rows import Rows
    from mistakebound.core.sparse import SparseLearner
    from mistakebound.learners.ensemble._row_range import RowRange

_NO_MARGINS = array("d")
_REST = "rest"


def _sum(name: str, what: str, *, expected: bool = False, hindsight: bool = False) -> Theorem:
    return Theorem(
        name,
        source="docs/theorems.md, One against all",
        statement=f"{what} <= the bounds of all base learners together + labels that were not declared",
        assumes=lambda f: f"of each label against all others: {f['_assumption']}",
        needs=("labels", "_bounds"),
        formula=lambda f: f["_bounds"] + f["labels"],
        expected=expected,
        hindsight=hindsight,
    )


SUM_OF_BOUNDS = _sum("the sum of the base learners' bounds", "mistakes")
SUM_IN_HINDSIGHT = _sum(SUM_OF_BOUNDS.name, "mistakes", hindsight=True)
SUM_IN_EXPECTATION = _sum("the sum of the base learners' expected mistakes", "expected mistakes", expected=True)
_LENGTHS = ("radius", "largest")  # facts of the rows on which a learner was wrong, of which a larger one will do too


class OneVsAll(Ensemble):
    """A base learner for each label says whether an instance is of it; the furthest above its threshold is right.

    A label may appear at any time: its base learner is the one that has heard of every row so far that it is not of it.
    Settings that are not its own are those of the base learner.

    >>> learner = OneVsAll("perceptron", eta=0.5)
    >>> for animal, label in (("miaow", "cat"), ("woof", "dog"), ("moo", "cow"), ("woof", "dog")):
    ...     print(learner.learn_one({animal}, label))
    None
    cat
    dog
    dog
    >>> learner.predict_one({"moo"}), learner.labels.values
    ('cow', ('cat', 'dog', 'cow'))
    """

    name = "one-vs-all"
    summary = "more than two labels, which may appear at any time: a learner of two classes for each"
    parameters = (
        LearnerParameter(
            "base", "perceptron", grid=("winnow2",),
            help="the learner that each label gets; base.NAME=VALUE for its settings",
        ),
    )  # fmt: skip
    theorems = (SUM_OF_BOUNDS, SUM_IN_EXPECTATION)
    many_classes = True
    ensemble = "labels"

    def __init__(self, base: Any = "perceptron", labels: Any = None, **settings: Any) -> None:
        super().__init__(None, base=with_settings(base, settings) if settings else base)
        self.labels = ManyLabels(labels)
        self._rest = self._fresh()  # has heard of every row that it is not its own
        self._bases: dict[int, SparseLearner] = {code: self._fresh() for code in range(len(self.labels))}
        self._newcomer = -1  # a label whose first row is being played: nobody can have said it
        self._seat([self._rest, *self._bases.values()])
        self.assumable = self._rest.assumable  # type: ignore[misc]

    def behind(self, transform: Callable[[SparseLearner], SparseLearner]) -> OneVsAll:
        """Every base learner gets the transform: it is as if this had it, and each can be asked by itself."""
        self._check_new()
        return OneVsAll(write(transform(self._fresh())), self._declared_labels())

    def _fresh(self) -> SparseLearner:
        return make(self.settings["base"])

    @exclusive
    def base(self, label: Any) -> SparseLearner:
        """A copy of the learner that tells this label from all others."""
        code = self.labels.known(label)
        if code not in self._bases:
            raise BadData(f"label {label!r} has not been learned")
        return self._bases[code].copy()

    @reading
    def learned(self) -> list[Any]:
        """The labels that have a base learner, in the order in which they appeared."""
        return [self.labels.values[code] for code in self._bases]

    def _members(self) -> list[tuple[str, Any]]:
        return [(_REST, self._rest), *((str(code), base) for code, base in self._bases.items())]

    # Play.

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        if self.binary and not rows.ordered and rows.values is None:
            rows = rows.in_key_order()  # once for all
        codes, members = array("b", self._bases), [*self._bases.values()]
        heard: list[Ints] = []
        if learn:
            truth = bytes(memoryview(labels)[: rows.count])
            heard = [array("b", truth.translate(_only(code))) for code in (*codes, 127)]
            members.append(self._rest)
        heard = heard or [_NO_LABELS] * len(members)
        return self._ask(members, rows, heard, True, labels, predictions, scores, learn)

    def _conclude(self, stretch: RowRange, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> None:
        codes, played = array("b", self._bases), stretch.count
        speaking = codes[:-1] if self._newcomer >= 0 else codes
        theta = self._rest.theta
        margins: Any = memoryview(scores)[:played] if len(scores) else _NO_MARGINS
        if kernel.furthest(stretch.said, stretch.scores, speaking, played, theta, predictions, margins):
            raise AssertionError("buffers do not fit together")
        if learn:
            self._row[0] = played

    def _show(self, numbers: Floats) -> None:
        self._rest._show(numbers)  # which the base learners' scores are compared without

    def _label(self, code: int) -> Any:
        return None if code < 0 else self.labels.values[code]

    def _missing(self, label: Any) -> bool:
        """Whether a label would need a base learner that is not there yet."""
        return not self.labels.declared and self.labels.known(label) not in self._bases

    def _begin(self, label: Any) -> int:
        """The base learner of a label that is about to appear."""
        known = self.labels.known(label)
        self._newcomer = len(self.labels) if known < 0 else known
        self._follow_slots()
        self._bases[self._newcomer] = self._twin(self._rest, self._fresh())
        return self._newcomer

    def _learn_instance(self, instance: Instance, y: Any, weight: float) -> Any:
        if not self._missing(y):
            return super()._learn_instance(instance, y, weight)
        before = len(self.labels)
        self._row[0] = 0
        try:
            self._begin(y)
            return super()._learn_instance(instance, y, weight)
        except BaseException:
            try:
                self._end_newcomer(before)
            except BaseException:
                self._end_newcomer(before)
                raise
            raise
        finally:
            self._newcomer = -1

    def _end_newcomer(self, labels: int | None = None) -> None:
        """If its first row was not learned nothing is left of a label, and of those after the first `labels`."""
        if not self._row[0]:
            self._bases.pop(self._newcomer, None)
            if labels is not None:
                self.labels.forget(labels)

    def _learn_block(
        self, block: Block, ledger: Ledger | None, predictions: Ints, skip: Callable[[BadData], None] | None
    ) -> None:
        """As every learner's; a row with a new label is a block of its own."""
        first, out = 0, memoryview(predictions)
        while first < block.rows:
            row = block.rows if self.labels.declared else next_newcomer(block, first, lambda y: not self._missing(y))
            if row > first:
                super()._learn_block(cut(block, first, row), ledger, out[first:row], skip)
            if row < block.rows:
                self._learn_newcomer(cut(block, row, row + 1), ledger, out[row : row + 1], skip)
            first = row + 1

    def _learn_newcomer(
        self, block: Block, ledger: Ledger | None, out: memoryview[int], skip: Callable[[BadData], None] | None
    ) -> None:
        self._row[0] = 0
        try:
            self._begin(label_of(block, 0))
            super()._learn_block(block, ledger, out, skip)
            self._end_newcomer()
        except BaseException:
            try:
                self._end_newcomer()
            except BaseException:
                self._end_newcomer()
                raise
            raise
        finally:
            self._newcomer = -1

    # What it has learned.

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """The largest weights of all base learners, each as "attribute for label"; of equal ones the first label's."""
        found = [
            (f"{name} for {self.labels.text(code)}", weight)
            for code, base in self._bases.items()
            for name, weight in base.top(count)
        ]
        return sorted(found, key=lambda entry: -abs(entry[1]))[:count]

    @reading
    def bound_since(self, start: dict[str, Any], told: dict[str, Any]) -> Bound:
        """The bounds of the base learners, each with its own facts and all that is told, and one for each label."""
        from mistakebound.core.plain_sum import plain_sum

        self._rest.all_facts(told)
        if start.get("used"):
            return Bound(None, None, {}, failed="the learner had learned before this count of mistakes began")
        bounds = self._bounds_of_bases(told)
        missing = next((bound for bound in bounds if bound.value is None), None)
        if missing is not None:
            return Bound(None, SUM_OF_BOUNDS, {}, failed=f"of a base learner, {missing.failed}")
        theirs = [bound.theorem for bound in bounds if bound.theorem is not None]
        drawn = any(theorem.expected for theorem in theirs)
        each = [bound.value if drawn else bound.mistakes for bound in bounds]
        facts = dict(told) | {
            "labels": 0 if self.labels.declared else len(self._bases),
            "_bounds": plain_sum(number or 0 for number in each) if self._bases else 0,
            "_assumption": max(bounds, key=lambda bound: bound.value or 0).assumption,
        }
        if drawn:
            return SUM_IN_EXPECTATION.bound(facts)
        return (SUM_IN_HINDSIGHT if any(theorem.hindsight for theorem in theirs) else SUM_OF_BOUNDS).bound(facts)

    def _bounds_of_bases(self, told: dict[str, Any]) -> list[Bound]:
        """A base learner that was never wrong knows no length of rows: it takes the largest that another knows."""
        bases = [*self._bases.values()] or [self._rest]
        known = [base.facts() for base in bases]
        lengths = {name: max((facts[name] for facts in known if name in facts), default=None) for name in _LENGTHS}
        return [
            base.bound_since({n: length for n, length in lengths.items() if length and n not in facts}, told)
            for base, facts in zip(bases, known, strict=True)
        ]

    @reading
    def start(self) -> dict[str, Any]:
        bases = [base for base in self._bases.values() if base.start()]
        return {"used": True} if bases or self._rest.start() or (self._bases and not self.labels.declared) else {}

    def _state(self) -> dict[str, Any]:
        return super()._state() | {"codes": list(self._bases)}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        codes = state["codes"]
        if not isinstance(codes, list) or len({*codes}) < len(codes) or not {*codes} <= {*range(len(self.labels))}:
            raise ValueError("the base learners are not those of the labels")
        self._bases = {code: self._fresh() for code in codes}
        self._restore_members(arrays, state)

    def _form(self) -> Any:
        return ("one-vs-all", frozenset((code, base._form()) for code, base in self._bases.items()), tuple(self._bases))

    def _in_words(self, terms: int) -> str:
        parts = [f"{self.labels.text(code)}: {base._in_words(terms)}" for code, base in self._bases.items()]
        more = [f"{len(parts) - terms:,} more labels"] if len(parts) > terms else []
        return "; ".join([*parts[:terms], *more]) or "no label has appeared"


_NO_LABELS = array("b")


@cache
def _only(code: int) -> bytes:
    """A table that makes a code 1 and all others 0."""
    return bytes(int(other == code) for other in range(256))
