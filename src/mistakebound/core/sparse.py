"""The common half of every learner on sparse rows: instances, labels and blocks become rows for its kernel.

A learner of this kind writes `_run`, `_move`, `_arrays`, `_restore_state`, `_form` and `_in_words`.
One instance is a block of one row, so all ways in agree bit for bit; a `SingleRow` (kernels/single_row.py) takes those
that have nothing unusual about them, with the same result.  A trial happens whole or not at all (core/atomic.py).
"""

from __future__ import annotations

from abc import abstractmethod
from array import array

from mistakebound.core.atomic import commit, exclusive
from mistakebound.core.attributes import AttributeTable
from mistakebound.core.block import entry_complaint, label_complaint, locate
from mistakebound.core.block_labels import label_codes, marks, no_codes, settle_labels
from mistakebound.core.errors import BadData, BadParameter, NoConsistentHypothesis
from mistakebound.core.instance import Instance, read_instance, without_names
from mistakebound.core.labels import SureLabels
from mistakebound.core.names import frame_names
from mistakebound.core.protocol import OnlineLearner
from mistakebound.core.row_slots import NO_LIMIT, RowSlots
from mistakebound.core.rows import attributes_after
from mistakebound.core.weights import (
    ALL_ONE,
    NO_COSTS,
    check_costs,
    check_weight,
    costs_by_code,
    importance_of,
    is_whole,
    no_meaning,
    refuse_weights,
    set_costs,
    takes,
)
from mistakebound.kernels import attributes as status_of
from mistakebound.kernels import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, ClassVar, Self

    from mistakebound.core.atomic import Change
    from mistakebound.core.block import Block
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.calibration import Calibration, CalibrationTable
    from mistakebound.core.hypothesis import Hypothesis
    from mistakebound.core.ledger import Ledger
    from mistakebound.core.rows import Rows
    from mistakebound.kernels.single_row import SingleRow

_NO_LABELS = array("b")
_NO_SCORES = array("d")


class SparseLearner(OnlineLearner):
    """A learner of two classes whose state is a few numbers for each attribute that has appeared."""

    saves = True
    named = True
    ranked = True
    enters: ClassVar[bool] = False  # its kernel enters new small ids into the attribute table by itself
    disjunctive: ClassVar[bool] = False  # has a bound for monotone disjunctions
    brings_weights = False  # of named attributes, before the first trial: its table cannot be another's
    partly_seen = False  # the table has attributes that no row has had, because it is shared

    def __init__(self, labels: Any = None, costs: Mapping[Any, float] | None = None, **given: Any) -> None:
        super().__init__(**given)
        self.labels: Any = SureLabels(labels)
        self.costs: dict[Any, float] = {}
        if costs:
            set_costs(self, costs, "costs")
        self.attributes = AttributeTable()
        self._single_row: SingleRow | None = None  # None: an array was replaced, or there was no instance yet
        self._layout = 0  # of the attribute table, when the arrays by slot were moved last

    # What one algorithm's file provides.

    @abstractmethod
    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        """Predict the rows in order and, with `learn`, play them as trials; how many before one that cannot be.

        Predictions are written as codes; scores too where that buffer is not empty.  -1, and nothing done, for rows
        that were to be entered (`enters`) and are not of the kind that this learner's kernel can enter.

        With `learn`, whatever exception comes out of it: the first _row[0] rows are learned, and predictions[:_row[0]]
        are theirs; the others are not learned.  The caller has set _row[0] to 0.
        """

    def _why_stopped(self) -> NoConsistentHypothesis | BadData:
        """What is wrong with the row at which `_run` stopped."""
        return NoConsistentHypothesis(self.inconsistent)

    @abstractmethod
    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        """The slots have changed: for `commit`, moved(array) for every array by slot; zeros where nothing was."""

    @abstractmethod
    def _arrays(self) -> dict[str, Any]:
        """The state as named arrays of a model file, in the order in which the attributes appeared."""

    @abstractmethod
    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        """Take up saved arrays and state; ValueError, KeyError or TypeError when they make no sense."""

    @abstractmethod
    def _form(self) -> Any:
        """A hashable value, equal for equal hypotheses."""

    @abstractmethod
    def top(self, count: int) -> list[tuple[str, float]]:
        """The attributes that weigh most, with their weights, at most so many."""

    @abstractmethod
    def _in_words(self, terms: int) -> str:
        """The hypothesis as a person reads it, with at most so many terms."""

    # Base learners of one-vs-all, which hear the same rows, can share what they make of these: see `Auto`.
    shares_inputs: ClassVar[bool] = False

    may_stop: ClassVar[bool] = False  # it may refuse a row that is well: one that no concept of its class fits

    @property
    def scores_trials(self) -> bool:  # type: ignore[override]
        """One whose trials are played by another function has no scores of its hypothesis before a label is heard."""
        return self.scores and self.trials_by == "predict_one"

    @property
    def calibrated(self) -> bool:  # type: ignore[override]
        return self.scores_trials and not self.probabilities

    @property
    def size_limit(self) -> int | None:
        """The declared number of attributes that instances have, if there is one."""
        return self.settings.get("n")

    @property
    def decision(self) -> tuple[str, float]:
        """(rule, threshold): a score is so compared, > or >=, where the positive label is predicted."""
        return self.settings.get("rule", ">"), self.theta

    @property
    def unit(self) -> str:
        """What one of `attributes` is."""
        return self.attributes.unit

    @property
    def taker(self) -> str:
        """Who cannot take a value, in a message about it."""
        return self.name

    @property
    def hypothesis(self) -> Hypothesis:
        return self._frozen(False)

    @property
    def current(self) -> Hypothesis:
        return self._frozen(True)

    def _frozen(self, as_in_trials: bool) -> Hypothesis:
        from mistakebound.core.hypothesis import Hypothesis

        frozen = self.copy()
        if as_in_trials:
            frozen._answer_as_in_trials(True)
        return Hypothesis(frozen)

    def _answer_as_in_trials(self, yes: bool) -> None:
        """From now on everything that is asked is answered by what plays trials: see `trials_by`."""

    def _use_table(self, table: AttributeTable) -> None:
        """Another table, with nothing in it, for a learner that has not begun."""
        self.attributes = table

    def _follow_slots(self) -> None:
        table = self.attributes
        if self._layout != table.layout:
            self._drop_single_row()
            commit([*self._move(table.move()), *table.moved(), (setattr, self, "_layout", table.layout)])

    def _score_rows(self, rows: Rows, scores: Floats) -> None:
        self._run(rows, _NO_LABELS, no_codes(self.labels, rows.count), scores, False)
        self._show(scores)

    def _show(self, numbers: Floats) -> None:
        """Scores as `_run` writes them become, in their place, those that people see: the same, for most learners."""

    # One instance at a time.

    def trial_begins(self) -> None:
        super().trial_begins()
        if self._single_row is not None:
            self._single_row.done = False

    def trial_taken(self) -> bool:
        return super().trial_taken() or (self._single_row is not None and self._single_row.done)

    def encode(self, x: Any, names: Sequence[str] | None = None) -> Instance:
        """x read and checked once; accepted wherever an instance is, and faster there."""
        instance = self._read(x, names)
        with self._lock:
            self._check(instance)
        return instance

    def _read(self, x: Any, names: Sequence[str] | None) -> Instance:
        """x, of which nothing else is asked afterwards: what is the caller's own may call anything."""
        self._check_free()
        instance = read_instance(x, names)  # type: ignore[arg-type]
        if instance.positional and self.attributes.all_named:
            raise without_names(self.name)
        return instance

    def _check_free(self) -> None:
        """BadParameter for a learner behind a transform: it sees what that makes of instances, and nothing else."""
        if self.attributes.derived:
            raise BadParameter(f"{self.name} is inside a transform: use the transform instead")

    def _row_of(self, instance: Instance, *, add: bool) -> Rows:
        return instance.rows(self.attributes, add=add, zeros=self.counts_zeros)

    def _check(self, instance: Instance) -> None:
        instance.check(self.attributes, binary=self.binary, n=self.size_limit, taker=self.taker)

    def predict_one(self, x: Any, names: Sequence[str] | None = None) -> Any:
        if names is None:
            single = self._single_row or self._new_single_row()
            if single is not None:
                said = single.predict(x)
                if said is not None:
                    return said
        instance = self._read(x, names)
        with self._lock:
            return self._predict_instance(instance)

    def _predict_instance(self, instance: Instance) -> Any:
        self._check(instance)
        self._follow_slots()
        predictions = no_codes(self.labels, 1)
        self._run(self._row_of(instance, add=False), _NO_LABELS, predictions, _NO_SCORES, False)
        return self._label(predictions[0])

    def predict_trial(self, x: Any, names: Sequence[str] | None = None) -> Any:
        """What `learn_one` would say of x, not always what `predict_one` says (`trials_by`).  Changes nothing."""
        instance = self._read(x, names)
        with self._lock:
            self._answer_as_in_trials(True)
            try:
                return self._predict_instance(instance)
            finally:
                try:
                    self._answer_as_in_trials(False)
                except BaseException:
                    self._answer_as_in_trials(False)
                    raise

    def _label(self, code: int) -> Any:
        """What a code that was predicted stands for: None while that class has no name."""
        return self.labels.name(code)

    @exclusive
    def _new_single_row(self) -> SingleRow | None:
        self._follow_slots()
        if self.attributes.derived or not compiled():  # uncompiled, it can be interrupted
            return None
        limit = self.size_limit
        self._single_row = self._make_single_row(NO_LIMIT if limit is None else min(limit, NO_LIMIT))
        return self._single_row

    def _drop_single_row(self) -> None:
        """An array is replaced: make another single-row path when it is needed."""
        if self._single_row is not None:
            self._single_row.retire()
            self._single_row = None

    def _single_row_owner(self, limit: int) -> tuple[Any, AttributeTable, Any, int, bool]:
        """What every single-row path has to know of its learner; one with costs does not learn by it."""
        return self._lock, self.attributes, self.labels, limit, not self.costs

    def _make_single_row(self, limit: int) -> SingleRow | None:
        """The single-row path for ordinary instances: faster than `_run`, with the same result."""
        return None

    def score_one(self, x: Any, names: Sequence[str] | None = None) -> float:
        instance = self._read(x, names)
        with self._lock:
            return self._score_instance(instance)

    def _score_instance(self, instance: Instance) -> float:
        self._check(instance)
        self._follow_slots()
        scores = array("d", (0.0,))
        self._score_rows(self._row_of(instance, add=False), scores)
        return scores[0]

    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Sequence[str] | None = None) -> Any:
        if weight != 1.0:
            weight = check_weight(self, weight)
        elif names is None:
            single = self._single_row or self._new_single_row()
            if single is not None:
                said = single.learn(x, y)
                if said is not None:
                    return said
        instance = self._read(x, names)
        with self._lock:
            return self._learn_instance(instance, y, weight)

    def _learn_instance(self, instance: Instance, y: Any, weight: float) -> Any:
        self._check(instance)
        code = self.labels.known(y)
        new = code < 0
        labels, predictions = no_codes(self.labels, 1), no_codes(self.labels, 1)
        labels[0] = self.labels.code_ahead(y) if new else code
        table = self.attributes
        before = len(table)
        self._row[0] = 0
        try:
            rows = self._row_of(instance, add=True)
            if self.weighted:
                costs = self._costs_with(y) if self.costs else NO_COSTS
                rows.importance = importance_of(None if weight == 1 else array("d", (weight,)), labels, 0, 1, costs)
            self._follow_slots()
            if self._run(rows, labels, predictions, _NO_SCORES, True) == 0:
                raise self._why_stopped()
            if new:
                self.labels.code(y)
        except BaseException as error:
            try:
                self._end_trial(before, y, error)
            except BaseException:
                self._end_trial(before, y, error)
                raise
            raise
        return self._label(predictions[0])

    def _end_trial(self, before: int, y: Any, error: BaseException) -> None:
        """After an exception: what follows from a trial that was learned, or nothing is left of it.

        Labels that no hypothesis fits are heard all the same.
        """
        learned = self._row[0] > 0
        if not learned:
            self.attributes.truncate(before)
        self._follow_slots()
        if learned or isinstance(error, NoConsistentHypothesis):
            self.labels.code(y)

    def _costs_with(self, y: Any) -> array[float]:
        """The costs of the labels, of which y is one."""
        labels = self.labels
        if not labels.settled:
            labels = labels.copy()
            labels.code(y)
        return costs_by_code(self.costs, labels)

    # Blocks of rows.

    def learn_block(
        self,
        block: Block,
        ledger: Ledger | None,
        predictions: Ints,
        skip: Callable[[BadData], None] | None = None,
    ) -> None:
        """Play the rows of a block as trials, in order.

        An invalid row raises BadData after the rows before it were learned, or is given to `skip`.  predictions[r] is
        the code predicted for row r (-1 for a skipped one).
        """
        self._check_free()
        with self._lock:
            self._learn_block(block, ledger, predictions, skip)

    def _learn_block(
        self, block: Block, ledger: Ledger | None, predictions: Ints, skip: Callable[[BadData], None] | None
    ) -> None:
        first = 0
        codes, costs = self._codes(block, first)
        labelled = marks(codes)
        table = self.attributes
        slots = RowSlots(
            table, block, add=True, binary=self.binary, n=self.size_limit, entered_later=self.enters,
            zeros=self.counts_zeros,
        )  # fmt: skip
        scored = ledger is not None and ledger.calibrates
        scores = array("d", bytes(8 * block.rows)) if scored else _NO_SCORES
        while first < block.rows:
            before, counted = len(table), 0 if ledger is None else ledger.trials
            rows: Rows | None = None
            error: BadData | NoConsistentHypothesis | None = None
            self._row[0] = 0
            try:
                rows, status, entry = slots.rows(first, labelled)
                self._follow_slots()
                rows.importance = (
                    importance_of(block.weights, codes, first, rows.count, costs) if self.weighted else ALL_ONE
                )
                part = memoryview(predictions)[first : first + rows.count]
                found: Any = memoryview(scores)[first : first + rows.count] if scored else _NO_SCORES
                played = self._run(rows, memoryview(codes)[first:], part, found, True)
                if played < 0:
                    slots.entered_later = False
                    continue
                if played < rows.count:
                    error = self._why_stopped()
                self._end_rows(block, first, rows, before, codes, predictions, ledger, counted, error, scores)
            except BaseException:
                try:
                    self._end_rows(block, first, rows, before, codes, predictions, ledger, counted, error, scores)
                except BaseException:
                    self._end_rows(block, first, rows, before, codes, predictions, ledger, counted, error, scores)
                    raise
                raise
            first += played
            if error is None and status != status_of.OK:
                error = self._complaint(block, first, status, entry)
            if error is not None:
                self._skip_row(block, first, error, skip)
                predictions[first] = -1
                first += 1
                if self._unsure(block, codes, first):
                    codes, costs = self._codes(block, first, codes)
                    labelled = marks(codes)

    def _end_rows(
        self,
        block: Block,
        first: int,
        rows: Rows | None,
        before: int,
        codes: Ints,
        predictions: Ints,
        ledger: Ledger | None,
        counted: int,
        error: BadData | NoConsistentHypothesis | None,
        scores: Floats,
    ) -> None:
        """What follows from the rows that were learned, and nothing is left of the others; may be called again."""
        played = self._row[0]
        end = first + played + isinstance(error, NoConsistentHypothesis)
        if rows is None or played < rows.count:
            self.attributes.truncate(before if rows is None else attributes_after(rows, played, before))
        self._follow_slots()
        settle_labels(block, first, end, self.labels)
        if ledger is not None and rows is not None:
            ledger.note_rows(rows, played, counted)
        if ledger is not None and ledger.trials == counted:
            tables = threshold = None
            if ledger.calibration is not None and len(scores):
                tables = self._calibrated(ledger.calibration, codes, scores, first, first + played)
            importance = ALL_ONE if rows is None else rows.importance
            if ledger.threshold is not None and len(scores) and self.scores_trials:
                part = slice(first, first + played)
                own = array("d", scores[part])
                self._show(own)
                heard, said = memoryview(codes)[part], memoryview(predictions)[part]
                threshold = ledger.threshold.counted(own, heard, said, importance, self.decision[1])
            ledger.record_codes(codes, predictions, first, end, importance, tables, threshold)

    def _calibrated(
        self, calibration: Calibration, codes: Ints, scores: Floats, first: int, last: int
    ) -> dict[int, CalibrationTable]:
        """The tables of a run with these rows, whose scores were made before they were learned."""
        own = array("d", scores[first:last])
        self._show(own)
        return calibration.counted([(1, own, memoryview(codes)[first:last], 0)], self.decision[1])

    def _codes(self, block: Block, first: int, earlier: Ints | None = None) -> tuple[Ints, array[float]]:
        """The codes of the rows from `first` on, -1 for one that cannot be learned; the costs of the labels."""
        codes = label_codes(block, first, self.labels, earlier)
        if block.weights is not None and (not self.weighted or self.whole_weights) and codes is not earlier:
            refuse_weights(self, block.weights, block.rows, codes)
        if not self.costs:
            return codes, NO_COSTS
        labels = self.labels.copy()
        settle_labels(
            block,
            first,
            first + next((r for r, code in enumerate(codes[first:]) if code < 0), block.rows - first),
            labels,
        )
        return codes, costs_by_code(self.costs, labels)

    def _unsure(self, block: Block, codes: Ints, row: int) -> bool:
        """Whether the row before, which was skipped, had seemed to settle what the labels from `row` on mean."""
        if block.tokens is None:  # of an array the codes end at a bad label
            return True
        if self.labels.settled or row == block.rows:
            return False
        if self.costs:
            return True
        bad_label = block.weights is None and codes[row - 1] < 0
        return not bad_label and block.tokens[row] != block.tokens[row - 1]

    def _skip_row(
        self,
        block: Block,
        row: int,
        error: BadData | NoConsistentHypothesis,
        skip: Callable[[BadData], None] | None,
    ) -> None:
        locate(error, block, row)
        if isinstance(error, BadData) and skip is not None:
            skip(error)
            return
        raise error

    def _complaint(self, block: Block, row: int, status: int, entry: int) -> BadData:
        if status == status_of.BAD_LABEL:
            if block.weights is not None and not takes(self, block.weights[row]):
                return BadData(no_meaning(self, block.weights[row]))
            return label_complaint(block, row, self.labels)
        return entry_complaint(block, entry, status, self.taker, self.size_limit)

    @exclusive
    def predict_block(self, block: Block, predictions: Ints, scores: Floats | None = None) -> None:
        """predictions[r] (a code) and, where asked for, scores[r] of every row.

        An invalid row raises BadData; the rows before it have their predictions then, those after it have none.
        """
        self._check_free()
        first = 0
        codes: Any = memoryview(predictions)
        numbers: Any = memoryview(_NO_SCORES if scores is None else scores)
        self._follow_slots()
        slots = RowSlots(
            self.attributes, block, add=False, binary=self.binary, n=self.size_limit, zeros=self.counts_zeros
        )
        while first < block.rows:
            rows, status, entry = slots.rows(first)
            error = None if status == status_of.OK else self._complaint(block, first + rows.count, status, entry)
            part = slice(first, first + rows.count)
            try:
                self._run(rows, _NO_LABELS, codes[part], numbers[part], False)
            except BadData as sooner:
                error, rows.count = sooner, sooner.row or 0
            self._show(numbers[first : first + rows.count])
            first += rows.count
            if error is not None:
                locate(error, block, first)
                raise error

    # Arrays.

    def learn_many(
        self,
        X: Any,
        y: Any,
        *,
        weights: Any = None,
        names: Sequence[str] | None = None,
        ledger: Ledger | None = None,
    ) -> Any:
        """Plays the rows of a matrix as trials, in order.

        Parameters
        ----------
        X : SciPy CSR matrix, 2-D array or data frame
            The instances.  The columns of a data frame are found by their names, unless `names` are given.
        y : sequence
            Their labels.
        weights : sequence or None, default None
            Weights of the examples, > 0.
        names : sequence of str or None, default None
            Names of the columns.
        ledger : Ledger or None, default None
            Counts the trials; labels that no hypothesis fits then end the play and are put into its verdict.  None:
            such labels raise NoConsistentHypothesis.

        Returns
        -------
        array
            The prediction before each update.

        Examples
        --------
        >>> import mistakebound as mb
        >>> mb.Perceptron(labels=(0, 1)).learn_many([[1, 0], [0, 1], [1, 0]], [1, 0, 1]).tolist()
        [0, 1, 1]
        """
        from mistakebound.core.matrix import learn_matrix

        return learn_matrix(self, X, y, weights, frame_names(X) if names is None else names, ledger)

    def predict_many(self, X: Any, *, names: Sequence[str] | None = None) -> Any:
        """The labels predicted for the rows of a matrix; nothing changes.

        Parameters
        ----------
        X : SciPy CSR matrix, 2-D array or data frame
            The instances.
        names : sequence of str or None, default None
            Names of the columns.

        Returns
        -------
        array
            One label per row.
        """
        from mistakebound.core.matrix import predict_matrix

        return predict_matrix(self, X, frame_names(X) if names is None else names)

    def score_many(self, X: Any, *, names: Sequence[str] | None = None) -> Any:
        """The numbers that are compared with the threshold, for the rows of a matrix; nothing changes.

        Parameters
        ----------
        X, names
            As of `predict_many`.

        Returns
        -------
        array
            One number per row.
        """
        from mistakebound.core.matrix import score_matrix

        return score_matrix(self, X, frame_names(X) if names is None else names)

    # Other learners like this one.

    def like(self, **changed: Any) -> Self:
        """A learner in the same state, with some parameters changed: for one that has learned nothing."""
        header, arrays, unsaved = self._copied_parts()
        return self._rebuilt(header | {"parameters": self.settings | changed}, arrays, unsaved)

    def behind(self, transform: Callable[[SparseLearner], SparseLearner]) -> SparseLearner:
        """A learner like this new one to which instances come through a transform."""
        return transform(self)

    def restored(self, header: dict[str, Any], arrays: dict[str, array[Any]]) -> Self:
        """A learner of this one's kind from the header and the arrays of a model file."""
        if header["learner"] != self.name:
            raise ValueError(f"there is no {self.name} where one should be")
        return self.restore(header, arrays)

    # Model files.

    def _about(self) -> dict[str, Any]:
        return {"labels": self.labels.state(), "costs": [[label, cost] for label, cost in self.costs.items()]}

    def _all_arrays(self) -> dict[str, Any]:
        self._follow_slots()
        return self.attributes.arrays() | self._arrays()

    def _restore_about(self, header: dict[str, Any], arrays: dict[str, array[Any]]) -> None:
        self.costs = check_costs(dict(header["costs"]))
        if self.costs and not self.weighted:
            raise ValueError("there are costs, which the learner does not support")
        if self.whole_weights and not all(map(is_whole, self.costs.values())):
            raise ValueError("there are costs that are not whole numbers")
        self.labels = type(self.labels).restore(header["labels"])
        keys, blob, ends = (arrays.pop(f"attributes.{part}") for part in ("keys", "texts", "ends"))
        self.attributes = AttributeTable.restore(keys, blob, ends)
        del keys, blob, ends  # they are in the table now
        if self.size_limit is not None and len(self.attributes) > self.size_limit:
            raise ValueError("there are more attributes than n")
        self._follow_slots()
