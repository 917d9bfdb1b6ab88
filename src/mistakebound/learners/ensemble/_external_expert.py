"""An expert that is no fresh learner of ours: anything with predict_one and learn_one, asked row by row.

It gets an instance as a mapping from names to values, zeros left out, and labels as the caller of the ensemble spells
them.  Learners of this package that have learned before are externals too: they bring a table of their own.
"""

from __future__ import annotations

from array import array
from copy import deepcopy

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.labels import meaning
from mistakebound.core.protocol import Learner, adapted, counted
from mistakebound.kernels.ensemble import DONT_KNOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows


class ExternalExpert:
    """An object among the experts."""

    binary = False
    counts_zeros = False
    named = True
    weighted = False
    ensemble = ""
    inner = None
    trials_by = "predict_one"
    may_stop = False
    size_limit = None
    inconsistent = ""
    settings: dict[str, Any] = {}  # noqa: RUF012 - of an object of another make they are not known
    assumable: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, given: Any, labels: Callable[[], tuple[Any, Any]], attributes: Any) -> None:
        self.given = given
        self._adapted = adapted(given)
        self.attributes = attributes
        self._labels = labels  # (negative, positive), as they are spelled now
        self._row = array("q", (0,))  # [0]: how many of the rows in hand it has learned

    @property
    def name(self) -> str:
        return str(self._adapted.name)

    def top(self, count: int) -> list[tuple[str, float]]:
        """Nobody knows."""
        return []

    def copy(self) -> Any:
        """Of the object itself."""
        if self.kept:
            return self.given.copy()
        try:
            return deepcopy(self.given)
        except Exception as error:
            raise BadParameter(f"the expert {self.name} cannot be copied: {error}") from error

    @property
    def kept(self) -> bool:
        """Whether a model file can hold it."""
        return isinstance(self.given, Learner) and self.given.takes in ("rows", "instances")

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        negative, positive = self._labels()
        for row in range(rows.count):
            entries = range(rows.indptr[row], rows.indptr[row + 1])
            x = {
                rows.table.name(rows.base + rows.slots[entry]): 1.0 if rows.values is None else rows.values[entry]
                for entry in entries
                if rows.base + rows.slots[entry] != rows.table.unseen
                and (rows.values is None or rows.values[entry])
            }  # fmt: skip
            predictions[row] = self._code(counted(self._adapted, x, self.given.predict_one(x)), negative, positive)
            if len(scores):
                scores[row] = predictions[row]
            if learn:
                self._learn(x, positive if labels[row] else negative, row + 1)
        return rows.count

    def _learn(self, x: Any, y: Any, rows: int) -> None:
        """One trial, after which it has learned so many rows; a learner of this package tells whether it has."""
        self._adapted.trial_begins()
        try:
            self.given.learn_one(x, y)
        except BaseException:
            if self._adapted.trial_taken():
                self._row[0] = rows
            raise
        self._row[0] = rows

    def _code(self, said: Any, negative: Any, positive: Any) -> int:
        if said is None:
            return DONT_KNOW
        guess = meaning(said)
        if guess == meaning(positive):
            return 1
        if guess == meaning(negative) or (guess in (0, -1) and meaning(negative) in (0, -1)):
            return 0
        raise BadData(f"the expert {self.name} says {said!r}, which is neither {negative!r} nor {positive!r}")

    def _answer_as_in_trials(self, yes: bool) -> None:
        """In trials too it is asked by predict_one."""

    def _drop_single_row(self) -> None:
        """It has none."""

    def _move(self, moved: Any) -> list[Any]:
        """Nothing is kept by slot."""
        return []

    def _arrays(self) -> dict[str, Any]:
        arrays: dict[str, Any] = self.given._all_arrays()
        return arrays

    def _state(self) -> dict[str, Any]:
        return {"guest": self.given._header()} if self.kept else {}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        """It was restored as the object that it is."""

    def _form(self) -> Any:
        return self._adapted._form()

    def _in_words(self, terms: int) -> str:
        return self.name

    def start(self) -> dict[str, Any]:
        return {}
