"""What the learners of this folder share: a trial, labels, "don't know", blocks of rows, model files."""

from __future__ import annotations

from abc import abstractmethod
from operator import setitem
from typing import TYPE_CHECKING, Any

from mistakebound.core.atomic import commit, exclusive, learn_and_record, reading
from mistakebound.core.errors import BadData, BadParameter, NoConsistentHypothesis
from mistakebound.core.hypothesis import Hypothesis
from mistakebound.core.labels import Labels
from mistakebound.core.protocol import OnlineLearner
from mistakebound.core.theorem import Theorem
from mistakebound.core.weights import no_meaning

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator, Sequence
    from typing import ClassVar

    from mistakebound.core.atomic import Change
    from mistakebound.core.ledger import Ledger
    from mistakebound.core.schema import Schema
    from mistakebound.core.table import Table


UNKNOWN = 2  # the class "don't know"


def never_wrong(name: str, source: str, why: str, assumes: str, *needs: str) -> Theorem:
    """The theorem of a learner that answers only what it is sure of."""
    statement = f"mistakes <= 0: {why}"
    return Theorem(name, source=source, statement=statement, assumes=assumes, needs=needs, formula=lambda f: 0)


class ConceptLearner(OnlineLearner):
    """Learns from one example at a time; a prediction of None is "don't know".

    `trials` counts the examples that were learned, so that the rows of a contradiction can be named.
    """

    takes = "instances"
    saves = True
    command = "version-space"
    unknown_class: ClassVar[int] = UNKNOWN
    refuses: ClassVar[bool] = True  # whether it ever says "don't know"
    keeps_version_space: ClassVar[bool] = False  # version_space says which hypotheses are left

    def __init__(self, labels: Any = None, **given: Any) -> None:
        super().__init__(**given)
        self.labels = Labels(labels)
        self.trials = 0
        self.label: str | None = None  # the column of labels, if it stood in a table

    # What one algorithm's file provides.

    @abstractmethod
    def _read(self, x: Any, names: Sequence[str] | None) -> Any:
        """An instance, read and checked, as `_say` and `_hear` take it.  Changes nothing."""

    @abstractmethod
    def _say(self, instance: Any) -> int | None:
        """1, 0, or None for "don't know"."""

    @abstractmethod
    def _hear(self, instance: Any, label: int) -> list[Change]:
        """For `commit`, what the label of trial `trials + 1` changes; NoConsistentHypothesis if nothing is left.

        Of the changes only the first may fail, for want of memory.
        """

    def _entering(self, instance: Any) -> None:
        """The values of an instance get their numbers, before it is learned."""

    def _left_out(self, instance: Any) -> None:
        """It was not learned: values that came with it have no number after all.  May be called again."""

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """What of the state is no array, as JSON."""

    @abstractmethod
    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        """Take up what was saved; ValueError, KeyError or TypeError when it makes no sense."""

    @abstractmethod
    def _form(self) -> Any:
        """A hashable value, equal for equal hypotheses."""

    @abstractmethod
    def _in_words(self, terms: int) -> str:
        """The hypothesis as a person reads it, with at most so many terms."""

    # One instance at a time.

    @exclusive
    def predict_one(self, x: Any, names: Sequence[str] | None = None) -> Any:
        return self._label(self._say(self._read(x, names)))

    @exclusive
    def score_one(self, x: Any, names: Sequence[str] | None = None) -> float:
        """The share of the hypotheses that say 1: 1 and 0 where they agree."""
        return self._score_one(x, names)

    def _score_one(self, x: Any, names: Sequence[str] | None = None) -> float:
        said = self._say(self._read(x, names))
        return self._share(x, names) if said is None else float(said)

    def _share(self, x: Any, names: Sequence[str] | None) -> float:
        return 0.5

    @exclusive
    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Sequence[str] | None = None) -> Any:
        if weight != 1.0:
            raise BadParameter(no_meaning(self, weight))
        instance = self._read(x, names)
        label = self.labels.code_ahead(y)
        said = self._say(instance)
        self._row[0] = 0
        try:
            self._entering(instance)
            changes = self._hear(instance, label)
            commit([*changes, (setattr, self, "trials", self.trials + 1), (setitem, self._row, 0, 1)])
            self.labels.code(y)
        except BaseException as error:
            try:
                self._end_trial(instance, y, error)
            except BaseException:
                self._end_trial(instance, y, error)
                raise
            raise
        return self._label(said)

    def _end_trial(self, instance: Any, y: Any, error: BaseException) -> None:
        """After an exception: what follows from a trial that was learned, or nothing is left of it."""
        learned = self._row[0] > 0
        if not learned:
            self._left_out(instance)
        if learned or isinstance(error, NoConsistentHypothesis):
            self.labels.code(y)

    def _label(self, said: int | None) -> Any:
        return None if said is None else self.labels.name(said)

    def code_said(self, x: Any, names: Sequence[str] | None = None) -> int | None:
        return self._say(self._read(x, names))

    def predict_many(self, X: Any) -> list[Any]:
        """A label or None for each instance of a list, or each row of a table (`table_of` says what may be one)."""
        return [self.predict_one(x) for x in self._instances(X)]

    def score_many(self, X: Any) -> Any:
        """The share of the hypotheses that say 1, for each row (`predict_many` says what X may be)."""
        import numpy as np

        return np.array([self.score_one(x) for x in self._instances(X)], np.float64)

    def _instances(self, X: Any) -> Iterator[Any]:
        from mistakebound.learners.version_space.rows import instances_of

        return instances_of(X)

    def learn_many(self, X: Any, y: Any, *, ledger: Ledger | None = None) -> list[Any]:
        """Play a list of instances, or the rows of a table, as trials in order; the predictions made before each.

        y is one label per row, or the name of a column.  With a ledger the trials are counted there, and a label that
        nothing agrees with ends the play and is put into its verdict; without one it raises NoConsistentHypothesis.
        """
        from mistakebound.learners.version_space.rows import labelled_instances

        said: list[int | None] = []
        for x, label in labelled_instances(X, y):
            try:
                with self._lock.around():
                    code = self.code_said(x)
                    said.append(code)
                    if ledger is None:
                        self.learn_one(x, label)
                        continue
                    learn_and_record(self, ledger, x, label, None if code is None else self.labels.values[code])
            except NoConsistentHypothesis as error:
                if ledger is None:
                    raise
                error.trial = ledger.trials
                ledger.inconsistency = str(error)
                break
        return [None if code is None else self.labels.values[code] for code in said]

    @property
    def hypothesis(self) -> Hypothesis:
        return Hypothesis(self.copy())

    # A saved model and a table: what `predict`, `eval` and `explain` ask of every learner of tables.

    @property
    def classes(self) -> tuple[Any, ...]:
        return (*self.labels.values, "don't know")

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """The columns of a table of instances."""

    @exclusive
    def predict_table(self, table: Table) -> Any:
        """The number of each row's class; the last is "don't know"."""
        import numpy as np

        said = [self._say(self._read_row(table, row)) for row in range(table.rows)]
        return np.array([UNKNOWN if code is None else code for code in said], np.int32)

    @exclusive
    def proba_table(self, table: Table) -> Any:
        """The shares of the hypotheses that say 0 and 1; nobody says "don't know"."""
        import numpy as np

        shares = np.array([self._score_one(table.row(row)) for row in range(table.rows)], np.float64)
        return np.stack([1 - shares, shares, np.zeros(table.rows)], axis=1)

    def table(self, X: Any) -> Table:
        from mistakebound.io.frame import table_of

        return table_of(X, like=self.schema, spare=() if self.label is None else (self.label,))

    def _read_row(self, table: Table, row: int) -> Any:
        try:
            return self._read(table.row(row), None)
        except BadData as error:
            raise table.complain(error.message, row) from None

    @reading
    def lines(self, top: int) -> list[str]:
        """What was learned, for `explain`."""
        return [self._in_words(top)]

    @reading
    def as_json(self, top: int) -> dict[str, Any]:
        return {"hypothesis": self._in_words(top)}

    @exclusive
    def explain_row(self, table: Table, row: int) -> list[str]:
        """Why a row gets its label."""
        said = self._say(self._read_row(table, row))
        if said is not None:
            return [f"{self.classes[said]}: {self._reason(said)}"]
        share = f", {100 * self._score_one(table.row(row)):.3g} % of them say {self.classes[1]}"
        return [f"don't know: {self._reason(None)}" + (share if self.keeps_version_space else "")]

    def _reason(self, said: int | None) -> str:
        return "all hypotheses that are left agree" if said is not None else "the hypotheses that are left differ"

    # Model files.

    def _about(self) -> dict[str, Any]:
        return {"labels": self.labels.state(), "trials": self.trials, "label": self.label}

    def _restore_about(self, header: dict[str, Any], arrays: dict[str, array[Any]]) -> None:
        self.labels = Labels.restore(header["labels"])
        if type(header["trials"]) is not int or header["trials"] < 0:
            raise ValueError("the number of trials is not a whole number >= 0")
        self.trials = header["trials"]
        if not isinstance(header["label"], str | None):
            raise TypeError("the name of the label column is not a text")
        self.label = header["label"]
