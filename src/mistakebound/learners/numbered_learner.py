"""Learners over the attributes 1 to n, all there from the first trial: those whose proofs number the attributes.

They play row by row, in Python: an algorithm's file says what is predicted for an instance and what a label changes.
"""

from __future__ import annotations

from abc import abstractmethod
from operator import setitem

from mistakebound.core.atomic import commit
from mistakebound.core.attributes import FIRST_DENSE
from mistakebound.core.errors import BadData, BadParameter, NoConsistentHypothesis
from mistakebound.core.sparse import SparseLearner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows

MOST = FIRST_DENSE - 1  # attributes: so many ids are their own slots


class NumberedLearner(SparseLearner):
    """A learner of rows of 0 and 1 over the attributes "1" to str(n); other names are bad data."""

    binary = True
    named = False  # takes no names but numbers
    may_stop = True

    n: int
    _stopped: NoConsistentHypothesis | BadData | None = None

    def _enter_attributes(self, n: int) -> None:
        """For the constructor: these attributes, and no others."""
        if n > MOST:
            raise BadParameter(f"n must be at most {MOST} for {self.name}: {n}")
        self.n = n
        for j in range(1, n + 1):
            self.attributes.add(str(j))

    @property
    def size_limit(self) -> int:
        return self.n

    @abstractmethod
    def _say(self, active: Sequence[int]) -> tuple[int, float, Any]:
        """The code predicted for an instance, its score, and what `_hear` may want to know of how that came."""

    @abstractmethod
    def _hear(self, active: Sequence[int], label: int, prediction: int, how: Any) -> list[Change]:
        """For `commit`, what the label of the instance just predicted changes; NoConsistentHypothesis if none fits."""

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        rows = rows.absolute()
        slots, ends = rows.slots, rows.indptr
        for row in range(rows.count):
            active = slots[ends[row] : ends[row + 1]]  # with so few attributes, an id is its own slot
            try:
                prediction, score, how = self._say(active)
                predictions[row] = prediction
                if len(scores):
                    scores[row] = score
                if learn:
                    changes = self._hear(active, labels[row], prediction, how)
                    commit([*changes, (setitem, self._row, 0, row + 1)])
            except (NoConsistentHypothesis, BadData) as error:
                if not learn:
                    if isinstance(error, BadData):
                        error.row = row
                    raise
                self._stopped = error
                return row
        return rows.count

    def _why_stopped(self) -> NoConsistentHypothesis | BadData:
        assert self._stopped is not None
        return self._stopped

    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        """Nothing is kept by slot."""
        return []

    def _check_attributes(self) -> None:
        """Of a model file."""
        if self.attributes.names() != [str(j) for j in range(1, self.n + 1)]:
            raise ValueError("the attributes are not 1 to n")
