"""Numbers in units of their own spread, as the stream has shown them so far, before a learner sees them."""

from __future__ import annotations

from array import array
from math import isfinite

from mistakebound.core.block import Block
from mistakebound.core.buffers import Buffers, longer, zeros
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.spread import FeatureMoments
from mistakebound.kernels import standardize as kernel
from mistakebound.kernels.key_rows import NewRows
from mistakebound.transforms.transform import Transform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from mistakebound.core.rows import Rows


class Standardized(Transform):
    """A learner behind standardised numbers: what `standardize` returns.

    Every value v becomes (v - mean) / (standard deviation) of the values that its attribute has had, itself among them.
    A 0 that is written in a table, an array, a list or a mapping is a value; in a SciPy matrix and in rows of sparse
    formats it is absent, and absence stands for the mean.

    Parameters
    ----------
    learner : learner
        A new learner that takes numbers; it is not changed.

    Examples
    --------
    >>> import mistakebound as mb
    >>> Standardized(mb.Perceptron())
    Perceptron() over standardised values
    """

    name = "standardize"
    counts_zeros = True

    def __init__(self, learner: Any) -> None:
        super().__init__(learner)

    def _check_new(self, learner: Any) -> None:
        super()._check_new(learner)
        if learner.binary or learner.multiplicative:  # behind bins: absence, which is the mean, is not a new attribute
            raise BadParameter(f"standardize needs a learner of numbers, and {learner.taker!r} takes 0 and 1 only")

    def _check_inside(self, inner: Any) -> None:
        super()._check_inside(inner)
        if inner.binary or inner.multiplicative:
            raise ValueError("the learner behind the transform takes no numbers")

    def _wrap(self, inner: SparseLearner) -> None:
        super()._wrap(inner)
        self.exact = self.conservative = False  # a trial without a mistake changes means and deviations too
        self._tally = zeros("d", 3 * 64)  # how many values, their mean, their squares: see the kernel
        self._buffer = Buffers()
        self._names: tuple[tuple[int, int, int], list[str]] = (-1, -1, -1), []

    def __repr__(self) -> str:
        return f"{self.inner!r} over standardised values"

    def feature_name(self, key: int) -> str:
        table = self.attributes
        now = len(table), table.generation, id(table)
        if self._names[0] != now:
            self._names = now, table.names()
        return self._names[1][key]

    def feature_name_among(self, key: int, newcomers: Any) -> str:
        seen = len(self.attributes)
        return self.feature_name(key) if key < seen else str(newcomers[key - seen])

    def feature_key(self, name: str) -> int:
        slot = self.attributes.slot(name)
        return -1 if slot < 0 else self.numbers()[slot] - 1

    def own_moments(self, name: str, given: Sequence[FeatureMoments]) -> FeatureMoments:
        """What was always 1 stays 1, and what was always another number is 0."""
        (one,) = given
        if one.variance:
            return FeatureMoments(one.share, 0.0, 1.0)
        return one if one.mean == 1 else FeatureMoments(one.share, 0.0, 0.0)

    def reach(self) -> int:
        return len(self.attributes)

    def may_refuse(self, rows: Rows) -> bool:
        return False

    def _in_words(self, terms: int) -> str:
        return f"{super()._in_words(terms)}, each value in standard deviations from its mean"

    def _assumption(self, text: str, told: dict[str, Any]) -> str:
        return f"{text} (values standardised)"

    def blocks(self, rows: Rows, learn: bool) -> Iterator[Block]:
        if len(self._tally) < 3 * len(self.attributes):
            self._tally = longer(self._tally, 6 * len(self.attributes))
        state, entries = self.ahead if learn else array("q", (0, 0)), rows.indptr[rows.count]
        out_indptr = self._buffer("indptr", "q", rows.count + 1)
        keys, values = self._buffer("keys", "I", entries), self._buffer("values", "d", entries)
        out, before = NewRows(out_indptr, keys, values), self._buffer("before", "d", 3 * entries)
        status = kernel.standardize(
            rows.first_rows(rows.count), rows.base, self.numbers(), learn, self._tally, before, out, state
        )
        if status == kernel.CAPACITY:
            raise AssertionError("buffers do not fit together")
        taken = state[kernel.ROW]
        if status == kernel.INFINITE:
            self.refusal = BadData("a value is too far from those before it: its square leaves the range of doubles")
        if taken:
            yield Block(taken, out_indptr, keys, values, dense=self.inner.counts_zeros)

    def took(self, rows: Rows, played: int) -> None:
        taken, before = self.ahead[kernel.ROW], self._buffer("before", "d", 0)
        if played < taken and not kernel.take_back(
            rows.slots, rows.base, rows.indptr, played, taken, self.numbers(), self._tally, before
        ):
            raise AssertionError("buffers do not fit together")

    def tallies(self) -> dict[str, tuple[float, float, float]]:
        """By attribute: how many values it has had, their mean, the sum of their squared distances from it."""
        tally = self._own_arrays()["tally"].tolist()
        return dict(zip(self.attributes.names(), zip(tally[::3], tally[1::3], tally[2::3], strict=True), strict=True))

    def _own_arrays(self) -> dict[str, Any]:
        return {"tally": self._tally[: 3 * len(self.attributes)]}

    def _restore_own(self, arrays: dict[str, array[Any]]) -> None:
        tally = arrays["tally"]
        if tally.typecode != "d" or len(tally) != 3 * len(self.attributes):
            raise ValueError("expected one tally per attribute")
        for many, mean, squares in zip(tally[::3], tally[1::3], tally[2::3], strict=True):
            unseen = self.partly_seen and not many and not mean and not squares
            if not unseen and not (many >= 1 and many.is_integer() and isfinite(mean) and 0 <= squares < float("inf")):
                raise ValueError("a tally does not come from values")
        self._tally = longer(memoryview(tally), max(3 * 64, len(tally)))


def standardize(learner: Any) -> SparseLearner:
    """Wraps a learner so that it sees every number as (value - mean) / (standard deviation), over the stream so far.

    Parameters
    ----------
    learner : learner
        A new learner that takes numbers, or an ensemble of such; it is not changed.

    Returns
    -------
    learner
        A new learner like the one given.

    Notes
    -----
    Mean and deviation are those of the values that the attribute has had, this one among them.  A 0 that is written in
    a table, an array, a list or a mapping is a value like any other.  In a SciPy matrix and in rows of sparse formats a
    0 is an absent attribute: it is not counted.  Absence stands for the mean.

    Examples
    --------
    >>> import mistakebound as mb
    >>> learner = mb.transforms.standardize(mb.Perceptron())
    >>> [learner.learn_one({"watts": watts}, int(watts > 1000)) for watts in (900, 1100, 950, 1050, 990, 1300, 700)]
    [0, 0, 1, 1, 0, 1, 0]
    >>> learner.predict_one({"watts": 1200}), learner.predict_one({"watts": 800})
    (1, 0)
    """
    return learner.behind(Standardized) if isinstance(learner, SparseLearner) else Standardized(learner)
