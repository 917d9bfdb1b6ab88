"""The averaged perceptron: Freund and Schapire 1999, figure 1 and section 5 ("avg").

Trials are predicted by the perceptron's present weights, so its theorem holds for their count; what is predicted for
everybody else is by the average of the weights over all trials.
"""

from __future__ import annotations

from array import array
from sys import float_info

from mistakebound.core.buffers import InOrder, all_finite, taken, zeros
from mistakebound.core.errors import BadData
from mistakebound.kernels import averaging
from mistakebound.kernels.slots import largest
from mistakebound.learners.linear.perceptron import Perceptron

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows

_MOST_TRIALS = 1 << 62
_NO_SCORES = array("d")
_UNIT = 2.0**-64  # of the sums (kernels/averaging.py)


class AveragedPerceptron(Perceptron):
    """The averaged perceptron: learns like the perceptron, predicts by the average of its weights over all trials.

    Predictions within trials (`learn_one`, `predict_trial`) are by the present weights, so that the perceptron's
    theorem holds for the count of mistakes.  Predictions outside of trials (`predict_one`) are by the average, which
    changes less from one trial to the next.

    Parameters
    ----------
    eta, bias, labels, costs
        As of `Perceptron`.

    Notes
    -----
    Algorithm, y = +1 or -1, x~ = (x, 1)::

        w = 0, s = 0, T = 0
        for each trial (x, y) of weight c:       (its own weight times the cost of y)
            predict +1 if w . x~ > 0, else -1
            if the prediction was wrong:
                w = w + eta * c * y * x~
            s = s + w, T = T + 1
        outside of trials predict +1 if (s/T) . x~ > 0, else -1

    Theorem.  In its trials mistakes <= (R/margin)^2, under the conditions of `Perceptron`.  No bound is quoted for the
    average.

    References
    ----------
    Freund and Schapire 1999, Large margin classification using the perceptron algorithm, figure 1 and section 5
    ("avg").

    Examples
    --------
    >>> learner = AveragedPerceptron(bias=False, labels=(-1, 1))
    >>> [learner.learn_one([1.0, 0.0], +1), learner.learn_one([1.0, 1.0], -1), learner.learn_one([0.0, 1.0], -1)]
    [-1, 1, -1]
    >>> learner.weights()  # of (1, 0), (0, -1) and (0, -1)
    {'1': 0.3333333333333333, '2': -0.6666666666666666}
    >>> print(learner.hypothesis, "in a trial:", learner.current, sep="\\n")
    -0.6666667*x2 + 0.3333333*x1 > 0
    in a trial:
    -1*x2 > 0
    >>> learner.predict_one([1.0, 0.0]), learner.predict_trial([1.0, 0.0])
    (1, -1)
    """

    name = "averaged-perceptron"
    summary = "the perceptron's trials, and steadier predictions after them, by the average of its weights"
    hypothesis_class = "half-spaces"
    search_order = "adds or subtracts the example at a mistake"
    inductive_bias = "a wide margin, averaged"
    noise_effect = "is averaged"
    trials_by = "predict_trial"
    conservative = False  # the average changes in every trial

    def __init__(self, eta: float = 1.0, bias: bool = True, labels: Any = None, costs: Any = None) -> None:
        super().__init__(eta, bias, labels, costs)
        self._sums = zeros("d", 0)
        self._bias_sum = array("d", [0.0])
        self._count = array("q", (0,))
        self._in_trial = False  # answers are by the present weights, not by the average

    @property
    def _trials(self) -> int:
        """How many trials were learned."""
        return self._count[0]

    def _answer_as_in_trials(self, yes: bool) -> None:
        self._in_trial = yes

    def _kept_bias(self) -> float:
        bias = super()._kept_bias()
        return bias if self._in_trial else self._average(array("d", [bias]), self._bias_sum)[0]

    def _kept_at(self, slots: Ints) -> memoryview[float]:
        weights = super()._kept_at(slots)
        return weights if self._in_trial else self._average(weights, taken(self._sums, slots))

    def _average(self, weights: Floats, sums: Floats) -> memoryview[float]:
        out = zeros("d", len(weights))
        if averaging.average(weights, sums, max(1, self._trials), out) != averaging.OK:
            raise AssertionError("buffers do not fit together")
        return out

    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        return [*super()._move(moved), (setattr, self, "_sums", moved(self._sums))]

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        if learn:
            trials = self._trials
            try:
                played = super()._run(rows, labels, predictions, scores, True)
                self._note(rows, labels, predictions, trials)
            except BaseException:
                try:
                    self._note(rows, labels, predictions, trials)
                except BaseException:
                    self._note(rows, labels, predictions, trials)
                    raise
                raise
            return played
        if self._in_trial:
            return super()._run(rows, labels, predictions, scores, False)
        status = averaging.score(
            rows.batch(self._row, predictions, scores, None), self._weights[rows.base :], self._sums[rows.base :],
            super()._kept_bias(), self._bias_sum[0], max(1, self._trials), self._scale,
        )  # fmt: skip
        if status == averaging.CAPACITY:
            raise AssertionError("buffers do not fit together")
        if status == averaging.OVERFLOW:
            raise BadData("the sum leaves the range of doubles", row=self._row[averaging.ROW])
        return rows.count

    def _note(self, rows: Rows, labels: Ints, predictions: Ints, trials: int) -> None:
        """What the rows that were learned, after so many trials, add to the average; may be called again."""
        played = self._row[0]
        if self._count[0] == trials + played:
            return
        status = averaging.note(
            rows.batch(self._row, predictions, _NO_SCORES, labels, sorts=False), played, self._count,
            self.settings["bias"], self._sums[rows.base :], self._bias_sum,
        )  # fmt: skip
        if status != averaging.OK:
            raise AssertionError("buffers do not fit together")

    def _averaged(self) -> tuple[Floats, Floats, Ints]:
        return self._sums, self._bias_sum, self._count

    def _arrays(self) -> dict[str, Any]:
        return super()._arrays() | {"sums": InOrder(self._sums, self.attributes.slots()), "bias_sum": self._bias_sum}

    def _state(self) -> dict[str, Any]:
        return super()._state() | {"trials": self._trials}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        super()._restore_state(arrays, state)
        sums, bias_sum, trials = arrays["sums"], arrays["bias_sum"], state["trials"]
        if type(trials) is not int or not 0 <= trials < _MOST_TRIALS:
            raise ValueError("the number of trials is not a whole number >= 0")
        if sums.typecode != "d" or bias_sum.typecode != "d" or len(bias_sum) != 1:
            raise ValueError("the sums are not doubles")
        if len(sums) != len(self.attributes):
            raise ValueError("expected one sum per attribute")
        most = 4.0 * trials * _UNIT * float_info.max  # trials times the difference of two doubles, and roundings
        if not (all_finite(sums, bias_sum) and max(largest(sums), largest(bias_sum)) <= most):
            raise ValueError("a sum is larger than so many trials can make it")
        self._sums, self._bias_sum, self._count[0] = self.attributes.by_slot(sums), bias_sum, trials

    def take_form(self, form: Any) -> bool:
        return False  # the average does not tell the weights
