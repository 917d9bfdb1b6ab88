"""Elimination for monotone disjunctions, the algorithm that Chan (2019, section 1) compares Winnow with."""

from __future__ import annotations

from abc import abstractmethod

from mistakebound.core.atomic import reading
from mistakebound.core.buffers import zeros
from mistakebound.core.names import attribute_order, write_name
from mistakebound.core.params import Parameter
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.theorem import Theorem
from mistakebound.kernels import elimination as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows

N = Parameter("n", "integer", None, at_least=1, optional=True, grid=(60, None), help="number of attributes, if known")


class EliminationLearner(SparseLearner):
    """The common half of learners that strike out what an example contradicts."""

    parameters = (N,)
    binary = True
    exact = True
    conservative = True
    weighted = True  # what an example strikes out it strikes out once: repeating it changes nothing

    def __init__(self, n: int | None = None, labels: Any = None) -> None:
        super().__init__(labels, n=n)
        self._start()

    @abstractmethod
    def _start(self) -> None:
        """Nothing is struck out yet."""

    @reading
    def facts(self) -> dict[str, Any]:
        """n; where it is not declared, no more attributes count than have appeared."""
        n = self.settings["n"] or len(self.attributes)
        return {"n": n} if n else {}


ELIMINATION = Theorem(
    "the elimination bound",
    source="Chan, Winnow notes, section 1",
    statement="mistakes <= n",
    assumes="the target is a monotone disjunction of some of n = {n} attributes",
    refutes="no monotone disjunction of some of {n} attributes explains these labels",
    needs=("n",),
    formula=lambda f: f["n"],
)


class DisjunctionElimination(EliminationLearner):
    """Elimination for monotone disjunctions of any number of 0/1 attributes.

    Parameters
    ----------
    n, labels
        As of `ConjunctionElimination`.

    Notes
    -----
    Algorithm::

        h = the disjunction of all attributes
        for each trial (x, y):
            predict h(x)
            if y = 0 and the prediction was 1:
                remove from h all attributes that are on in x
            if y = 1 and the prediction was 0:
                stop: no monotone disjunction agrees with the labels      (NoConsistentHypothesis)

    Theorem.  If the target is a monotone disjunction of some of n attributes, mistakes <= n: every mistake removes at
    least one attribute.  `Winnow1` has a smaller bound where few attributes are relevant.

    References
    ----------
    Chan 2019, CSCI4230 notes 3, section 1.

    Examples
    --------
    >>> learner = DisjunctionElimination(3)
    >>> learner.learn_one({"1", "2"}, 0), learner.learn_one({"3"}, 1), learner.predict_one({"2"})
    (1, 1, 0)
    >>> print(learner.hypothesis)
    x3
    >>> learner.learn_one({"1"}, 1)
    Traceback (most recent call last):
    mistakebound.core.errors.NoConsistentHypothesis: no consistent monotone disjunction
    """

    name = "disjunction-elimination"
    summary = "monotone disjunctions of any number of attributes, no noise"
    hypothesis_class = "monotone-disjunctions"
    search_order = "strikes out what an example contradicts"
    inductive_bias = "the target is a disjunction"
    noise_effect = "is never undone"
    theorems = (ELIMINATION,)
    assumable = {"n": "maximum attributes that can appear"}  # noqa: RUF012 - a constant of the class
    readable = "disjunction"
    disjunctive = True
    inconsistent = "no consistent monotone disjunction"

    def _start(self) -> None:
        self._gone: memoryview[int] = zeros("B", 0)

    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        return [(setattr, self, "_gone", moved(self._gone))]

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        told = labels if learn else None
        status = kernel.disjunction(
            rows.absolute().batch(self._row, predictions, scores, told, sorts=False), self._gone
        )
        if status == kernel.CAPACITY:
            raise AssertionError("buffers do not fit together")
        return self._row[kernel.ROW]

    def _arrays(self) -> dict[str, Any]:
        return {"gone": self.attributes.in_order(self._gone)}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        gone = arrays["gone"]
        if gone.typecode != "B" or len(gone) != len(self.attributes) or not set(gone) <= {0, 1}:
            raise ValueError("expected one flag per attribute")
        self._gone = self.attributes.by_slot(gone)

    @reading
    def remaining(self) -> list[str]:
        """The attributes that have appeared and are still in h."""
        return sorted([name for name, gone in self._flags() if not gone], key=attribute_order)

    def _flags(self) -> list[tuple[str, int]]:
        """(name, gone) of every attribute that has appeared."""
        return list(zip(self.attributes.names(), self.attributes.in_order(self._gone), strict=True))

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        return [(name, 1.0) for name in self.remaining()[:count]]

    def _form(self) -> Any:
        return ("all attributes but", frozenset(name for name, gone in self._flags() if gone))

    def take_form(self, form: Any) -> bool:
        for slot, name in zip(self.attributes.slots(), self.attributes.names(), strict=True):
            self._gone[slot] = name in form[1]
        return True

    def _in_words(self, terms: int) -> str:
        names = [write_name(name) for name in self.remaining()]
        parts = names[:terms] + ([f"{len(names) - terms} more"] if len(names) > terms else [])
        n = self.settings["n"]
        if n is not None and len(self.attributes) >= n:
            return " | ".join(parts) or "false"
        return (" | ".join(parts) + " or " if parts else "") + f"any {self.unit} not seen yet"
