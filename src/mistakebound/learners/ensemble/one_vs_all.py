"""One against all: a learner of two classes for each label (Rifkin and Klautau 2004 give the history)."""

from __future__ import annotations

from array import array
from itertools import islice
from operator import setitem

from mistakebound.core.atomic import commit, exclusive, reading
from mistakebound.core.block_labels import labels_in, part_of
from mistakebound.core.buffers import zeros
from mistakebound.core.errors import BadData
from mistakebound.core.many_labels import ManyLabels
from mistakebound.core.protocol import why_used
from mistakebound.core.row_slots import RowSlots
from mistakebound.core.theorem import Bound
from mistakebound.core.weights import set_costs
from mistakebound.kernels import ensemble as kernel
from mistakebound.learners.ensemble._ensemble import Ensemble, share
from mistakebound.learners.ensemble._row_range import some_rows
from mistakebound.learners.ensemble._specification import LearnerParameter, make, with_settings, write
from mistakebound.learners.ensemble._sum_of_bounds import SUM_IN_EXPECTATION, SUM_OF_BOUNDS, sum_of_bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.block import Block
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.calibration import Calibration, CalibrationTable
    from mistakebound.core.instance import Instance
    from mistakebound.core.ledger import Ledger
    from mistakebound.core.rows import Rows
    from mistakebound.core.sparse import SparseLearner
    from mistakebound.learners.ensemble._row_range import RowRange

_NO_MARGINS = array("d")
_REST = "rest"
_ANSWERS = 1 << 23  # of base learners to rows, at once: 9 bytes each


class OneVsAll(Ensemble):
    """One against all: a learner of two classes for each label, for streams with more than two labels.

    A label may appear at any time; there can be 65,535 of them.  Every trial asks every base learner, so that time and
    memory grow with the number of labels (docs/ensembles.md has figures).

    Parameters
    ----------
    base : str or learner, default "perceptron"
        The learner that each label gets: its name, its text, such as "perceptron(eta=0.5)", or one that has learned
        nothing.
    labels : sequence or None, default None
        All labels, if they are known.  None: they are taken up as they appear.
    costs : mapping or None, default None
        Label to cost of a mistake on it, > 0; 1 where none is given.  A factor of the weights of its examples.
    **settings
        Parameters of the base learner.

    Notes
    -----
    Algorithm::

        rest = a base learner
        for each trial (x, y):
            score every label's base learner on x
            predict the label whose base learner says yes with the largest score,
                or, where none says yes, the one with the largest score of all       (no label yet: None)
            if y has not appeared: its base learner = a copy of rest
            y's base learner learns (x, yes); all others and rest learn (x, no)      (all with the weight of the trial)

    So the base learner of a label that appears late is what it would be had it heard of every row from the first on.

    Theorem. ::

        mistakes <= sum over the labels of the base learner's bound + number of labels that were not declared

    What is told about the target (a margin, a k) is told of each "is it this label?".

    References
    ----------
    Rifkin and Klautau 2004, In defense of one-vs-all classification (the method and its history).
    docs/theorems.md, One against all (the bound).

    Examples
    --------
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
    hypothesis_class = "largest score of one base learner a label"
    search_order = "that of the base learners"
    inductive_bias = "that of the base learners"
    noise_effect = "as for the base learners"
    parameters = (
        LearnerParameter(
            "base", "perceptron", grid=("winnow2",),
            help="learner for each label; base.NAME=VALUE sets its parameters",
        ),
    )  # fmt: skip
    theorems = (SUM_OF_BOUNDS, SUM_IN_EXPECTATION)
    many_classes = True
    ensemble = "labels"

    def __init__(self, base: Any = "perceptron", labels: Any = None, costs: Any = None, **settings: Any) -> None:
        super().__init__(None, base=with_settings(base, settings) if settings else base)
        self.labels = ManyLabels(labels)
        self._rest = self._fresh()  # has heard of every row that it is not its own
        self._share_table([self._rest])
        set_costs(self, costs, "costs")
        self._bases: dict[int, Any] = {code: self._new_base() for code in range(len(self.labels))}
        if self._rest.shares_inputs:
            self._rest.expect_labels(len(self._bases), [self._rest, *self._bases.values()])
        self._spares: list[SparseLearner] = []  # in the state of `_rest`, while labels may appear that have no learner
        self.assumable = self._rest.assumable  # type: ignore[misc]

    def behind(self, transform: Callable[[SparseLearner], SparseLearner]) -> OneVsAll:
        """Every base learner gets the transform: it is as if this had it, and each can be asked by itself."""
        self._check_new()
        return OneVsAll(write(transform(self._fresh())), self._declared_labels(), self.costs)

    def _fresh(self) -> Any:
        return make(self.settings["base"])

    def _new_base(self) -> Any:
        """One that has the common table from the start: thousands of tables would take much room."""
        base = self._fresh()
        share(base, self.attributes)
        if base.shares_inputs:
            base._join(self._rest)
        return base

    @property
    def base_learner(self) -> SparseLearner:
        """A new learner like that of every label."""
        return self._fresh()  # type: ignore[no-any-return]

    @exclusive
    def base(self, label: Any) -> SparseLearner:
        """A copy of the learner that tells this label from all others."""
        code = self.labels.known(label)
        if code not in self._bases:
            raise BadData(f"label {label!r} has not been learned")
        return self._bases[code].copy()  # type: ignore[no-any-return]

    @reading
    def learned(self) -> list[Any]:
        """The labels that have a base learner, in the order in which they appeared."""
        return [self.labels.name(code) for code in self._bases]

    def scores_of_labels(self, x: Any, names: Sequence[str] | None = None) -> list[tuple[Any, float, float]]:
        """Of each label that has a base learner its score of an instance and the threshold; changes nothing."""
        instance = self._read(x, names)
        with self._lock:
            self._check(instance)
            self._follow_slots()
            found = self._scores_by_code(self._row_of(instance, add=False))
            return [(self.labels.name(code), scores[0], self._bases[code].theta) for code, scores in found.items()]

    def _scores_by_code(self, rows: Rows) -> dict[int, Any]:
        """What the base learner of each label makes of the rows."""
        bases, count = [*self._bases.values()], rows.count
        scores = zeros("d", len(bases) * count)
        found = {code: scores[place * count : (place + 1) * count] for place, code in enumerate(self._bases)}
        if bases and self._rest.shares_inputs:
            bases[0]._run_joined(bases, rows, (), zeros("b", len(scores)), scores, False)
        else:
            for base, own in zip(bases, found.values(), strict=True):
                base._score_rows(rows, own)
        return found

    @property
    def base_threshold(self) -> float:
        """What the score of a base learner is compared with."""
        return self._rest.decision[1]  # type: ignore[no-any-return]

    @exclusive
    def label_scores(self, block: Block, rows: int) -> dict[int, array[float]]:
        """By the code of each label that has a base learner its scores of the first rows of a block; changes nothing.

        `predict_block` has found these rows to be well.
        """
        self._check_free()
        self._follow_slots()
        slots = RowSlots(
            self.attributes, block, add=False, binary=self.binary, n=self.size_limit, zeros=self.counts_zeros
        )
        first = 0
        found: dict[int, Any] = {code: array("d", bytes(8 * rows)) for code in self._bases}
        while first < rows:
            part, _, _ = slots.rows(first)
            count = min(part.count, rows - first, self._rows_at_once(len(self._bases)))
            for code, scores in self._scores_by_code(some_rows(part, 0, count)).items():
                memoryview(found[code])[first : first + count] = scores
            first += count
        return found

    def _members(self) -> list[tuple[str, Any]]:
        spares = [(f"{_REST}{number}", spare) for number, spare in enumerate(self._spares)]
        return [(_REST, self._rest), *((str(code), base) for code, base in self._bases.items()), *spares]

    # Play.

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        rows.sort_named()
        if self.binary and not rows.ordered and rows.values is None:
            rows = rows.in_key_order()  # once for all
        if learn:
            return self._learn_rows(rows, labels, predictions, scores)
        self._codes_in_play = array("i", self._bases)
        self._since = array("q", bytes(8 * len(self._bases)))
        members, done = [*self._bases.values()], 0
        heard, size = [_NO_LABELS] * len(members), self._rows_at_once(len(members))
        while done < rows.count:
            part = some_rows(rows, done, min(size, rows.count - done))
            found: Any = memoryview(scores)[done:] if len(scores) else scores
            try:
                self._ask(members, part, heard, True, labels, memoryview(predictions)[done:], found, False)
            except BadData as error:
                error.row = done + (error.row or 0)
                raise
            done += part.count
        return done

    def _learn_rows(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats) -> int:
        """Spare base learners play too; one becomes that of a label from its first row on, for which it is not asked.

        Until then it hears what `_rest` hears, so it is what that would be in that row.
        """
        members = [*self._bases.values(), *self._spares]
        codes, since = array("i", self._bases), array("q", bytes(8 * len(members)))
        codes.extend([0] * len(self._spares))
        places = array("i", [-1]) * (len(self.labels) + len(self._spares))
        for place, code in enumerate(self._bases):
            places[code] = place
        size = rows.count
        heard = zeros("b", size * (len(members) + 1))
        taken = kernel.hear(labels, size, len(self._bases), codes, places, since, heard)
        if taken == kernel.NO_MEMBER:
            raise AssertionError("buffers do not fit together")
        self._codes_in_play, self._since = codes[:taken], since
        self._before = self._bases, self._spares
        each = [heard[place * size : place * size + size] for place in range(len(members) + 1)]
        self._heard = each
        return self._ask([*members, self._rest], rows, each, True, labels, predictions, scores, True)

    def _conclude(self, span: RowRange, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> None:
        codes, played = self._codes_in_play, span.count
        theta = self._rest.theta
        margins: Any = memoryview(scores)[:played] if len(scores) else _NO_MARGINS
        status = kernel.furthest(span.said, span.scores, codes, self._since, played, theta, predictions, margins)
        if status != kernel.OK:
            raise AssertionError("buffers do not fit together")
        if learn:
            self._scores, bases, spares = span.scores, *self._before
            new = {k for k, first in enumerate(self._since[len(bases) : len(codes)]) if first <= played}
            if new:
                bases = bases | {codes[len(bases) + k]: spares[k] for k in sorted(new)}
                spares = [spare for k, spare in enumerate(spares) if k not in new]
            commit(
                [(setattr, self, "_bases", bases), (setattr, self, "_spares", spares), (setitem, self._row, 0, played)]
            )

    def _calibrated(
        self, calibration: Calibration, codes: Ints, scores: Floats, first: int, last: int
    ) -> dict[int, CalibrationTable]:
        """A table for each label, from the row behind its first one on: what its base learner said there."""
        played, parts = last - first, []
        for place, code in enumerate(self._codes_in_play):
            own = array("d", self._scores[place * played : (place + 1) * played])
            self._show(own)
            parts.append((code, own, self._heard[place][:played], self._since[place]))
        return calibration.counted(parts, self.base_threshold)

    def _rows_at_once(self, members: int) -> int:
        """So many rows are played at once: what the members say to them is kept until all have spoken."""
        return max(1, _ANSWERS // (members + 1))

    def _show(self, numbers: Floats) -> None:
        self._rest._show(numbers)  # which the base learners' scores are compared without

    def _missing(self, label: Any) -> bool:
        """Whether a label would need a base learner that is not there yet."""
        return not self.labels.declared and self.labels.known(label) not in self._bases

    def _make_spares(self, count: int) -> None:
        """Base learners for labels that are about to appear."""
        if count:
            self._follow_slots()
            shared = self._rest.shares_inputs  # a new base learner is in the state of the rest then
            self._spares = [self._new_base() if shared else self._twin(self._rest, self._fresh()) for _ in range(count)]

    def _learn_instance(self, instance: Instance, y: Any, weight: float) -> Any:
        if not self._missing(y):
            return super()._learn_instance(instance, y, weight)
        before = len(self.labels)
        self._row[0] = 0
        try:
            self._make_spares(1)
            return super()._learn_instance(instance, y, weight)
        except BaseException:
            try:
                self._forget_unlearned(before)
            except BaseException:
                self._forget_unlearned(before)
                raise
            raise
        finally:
            self._spares = []

    def _forget_unlearned(self, labels: int) -> None:
        """If the first row of a label was not learned nothing is left of it."""
        if not self._row[0]:
            self.labels.forget(labels)

    def _learn_block(
        self, block: Block, ledger: Ledger | None, predictions: Ints, skip: Callable[[BadData], None] | None
    ) -> None:
        """As every learner's, some rows at a time."""
        first, out = 0, memoryview(predictions)
        to_come = self._count_missing(block)
        while first < block.rows:
            last = min(block.rows, first + self._rows_at_once(len(self._bases) + to_come))
            part = part_of(block, first, last)
            try:
                self._make_spares(self._count_missing(part) if to_come else 0)
                super()._learn_block(part, ledger, out[first:last], skip)
            finally:
                self._spares = []
            first = last

    def _count_missing(self, block: Block) -> int:
        """How many labels of a block have no base learner yet, at most."""
        return 0 if self.labels.declared else sum(map(self._missing, labels_in(block)))

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
        self._rest.all_facts(told)
        if start.get("used"):
            return Bound(None, None, {}, failed=why_used(start))
        labels = 0 if self.labels.declared else len(self._bases)
        return sum_of_bounds([*self._bases.values()], self._rest, labels, told)

    @reading
    def start(self) -> dict[str, Any]:
        used = bool(self._rest.start()) or (bool(self._bases) and not self.labels.declared)
        return {"used": True} if used or any(base.start() for base in self._bases.values()) else {}

    def _state(self) -> dict[str, Any]:
        return super()._state() | {"codes": list(self._bases)}

    def _arrays_of(self, member: Any) -> dict[str, Any]:
        """Where the base learners share their inputs, the rest has them."""
        shared = self._rest.shares_inputs and member is not self._rest
        return member._own_arrays() if shared else super()._arrays_of(member)

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        codes = state["codes"]
        if not isinstance(codes, list) or len({*codes}) < len(codes) or not {*codes} <= {*range(len(self.labels))}:
            raise ValueError("the base learners are not those of the labels")
        self._bases = {code: self._new_base() for code in codes}
        self._restore_members(arrays, state)

    def _form(self) -> Any:
        return ("one-vs-all", frozenset((code, base._form()) for code, base in self._bases.items()), tuple(self._bases))

    def _in_words(self, terms: int) -> str:
        few = islice(self._bases.items(), terms)
        parts = [f"{self.labels.text(code)}: {base._in_words(terms)}" for code, base in few]
        more = [f"{len(self._bases) - terms:,} more labels"] if len(self._bases) > terms else []
        return "; ".join([*parts, *more]) or "no label has appeared"


_NO_LABELS = array("b")
