"""What the learners of this folder share: a trial, labels, "don't know", blocks of rows, model files."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from mistakebound.core import model_file
from mistakebound.core.errors import BadParameter, NoConsistentHypothesis
from mistakebound.core.hypothesis import Hypothesis
from mistakebound.core.importance import no_meaning
from mistakebound.core.labels import Labels
from mistakebound.core.protocol import OnlineLearner

if TYPE_CHECKING:
    import os
    from array import array
    from collections.abc import Sequence
    from typing import ClassVar, Self

    from mistakebound.core.ledger import Ledger


class ConceptLearner(OnlineLearner):
    """Learns from one example at a time; a prediction of None is "don't know".

    `trials` counts the examples that were learned, so that the rows of a contradiction can be named.
    """

    takes = "instances"
    command = "versions"
    traits: ClassVar[tuple[str, ...]] = ("concepts",)  # which of the common checks fit it
    refuses: ClassVar[bool] = True  # whether it ever says "don't know"

    def __init__(self, labels: Any = None, **given: Any) -> None:
        super().__init__(**given)
        self.labels = Labels(labels)
        self.trials = 0

    # What one algorithm's file provides.

    @abstractmethod
    def _read(self, x: Any, names: Sequence[str] | None) -> Any:
        """An instance, read and checked, as `_say` and `_hear` take it.  Changes nothing."""

    @abstractmethod
    def _say(self, instance: Any) -> int | None:
        """1, 0, or None for "don't know"."""

    @abstractmethod
    def _hear(self, instance: Any, label: int) -> None:
        """The label of trial `trials + 1`; NoConsistentHypothesis if nothing is left that agrees."""

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """What of the state is no array, as JSON."""

    def _arrays(self) -> dict[str, Any]:
        return {}

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

    def predict_one(self, x: Any, names: Sequence[str] | None = None) -> Any:
        return self._label(self._say(self._read(x, names)))

    def score_one(self, x: Any, names: Sequence[str] | None = None) -> float:
        """The share of the hypotheses that say 1: 1 and 0 where they agree."""
        said = self._say(self._read(x, names))
        return self._share(x, names) if said is None else float(said)

    def _share(self, x: Any, names: Sequence[str] | None) -> float:
        return 0.5

    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Sequence[str] | None = None) -> Any:
        if weight != 1.0:
            raise BadParameter(no_meaning(self.name, weight))
        instance = self._read(x, names)
        label = self.labels.code(y)
        said = self._say(instance)
        self._hear(instance, label)
        self.trials += 1
        return self._label(said)

    def _label(self, said: int | None) -> Any:
        return None if said is None else self.labels.values[said]

    def predict(self, X: Any) -> list[Any]:
        """A label or None for each instance of a list, or each row of a table (`table_of` says what may be one)."""
        from mistakebound.learners.version_space._rows import instances_of

        return [self.predict_one(x) for x in instances_of(X)]

    def learn_many(self, X: Any, y: Any, *, ledger: Ledger | None = None) -> list[Any]:
        """Play a list of instances, or the rows of a table, as trials in order; the predictions made before each.

        y is a label a row, or the name of a column.  With a ledger the trials are counted there, and a label that
        nothing agrees with ends the play and is put into its verdict; without one it raises NoConsistentHypothesis.
        """
        from mistakebound.learners.version_space._rows import labelled_instances

        said = []
        for x, label in labelled_instances(X, y):
            prediction = self.predict_one(x)
            said.append(prediction)
            try:
                self.learn_one(x, label)
            except NoConsistentHypothesis as error:
                if ledger is None:
                    raise
                error.trial = ledger.trials + 1
                ledger.record(label, prediction)
                ledger.inconsistency = str(error)
                break
            if ledger is not None:
                ledger.record(label, prediction)
        return said

    @property
    def hypothesis(self) -> Hypothesis:
        return Hypothesis(self.copy())

    # Model files.

    def save(
        self, path: str | os.PathLike[str], *, ledger: Ledger | None = None, reader: dict[str, Any] | None = None,
        position: dict[str, Any] | None = None, assumptions: dict[str, Any] | None = None,
    ) -> int:  # fmt: skip
        """Write a model file; its size in bytes."""
        header = self._header() | {
            "ledger": None if ledger is None else ledger.state(),
            "reader": reader,
            "position": position,
            "assumptions": assumptions or {},
        }
        return model_file.write(path, header, self._all_arrays())

    def _header(self) -> dict[str, Any]:
        return {
            "learner": self.name,
            "parameters": dict(self.settings),
            "labels": self.labels.state(),
            "trials": self.trials,
            "state": self._state(),
        }

    def _all_arrays(self) -> dict[str, Any]:
        return self._arrays()

    def copy(self) -> Self:
        """A learner in the same state that goes its own way from here."""
        arrays = {name: model_file.as_array(values) for name, values in self._all_arrays().items()}
        return self.restore(self._header(), arrays)

    @classmethod
    def restore(cls, header: dict[str, Any], arrays: dict[str, array[Any]]) -> Self:
        """The learner of a model file; ValueError, KeyError or TypeError when its parts contradict each other."""
        learner = cls(**header["parameters"])
        learner.labels = Labels.restore(header["labels"])
        if type(header["trials"]) is not int or header["trials"] < 0:
            raise ValueError("the number of trials is no count")
        learner.trials = header["trials"]
        learner._restore_state(arrays, header["state"])
        return learner
