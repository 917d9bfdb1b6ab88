"""The perceptron: Chandola, lecture 6, section 3; Rosenblatt 1958; the bound is Novikoff's, in d + 1 dimensions."""

from __future__ import annotations

from math import isfinite, sqrt

from mistakebound.core.atomic import reading
from mistakebound.core.buffers import InOrder
from mistakebound.core.facts import MARGIN_AND_RADIUS, RADIUS_AND_BIAS
from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Condition, Theorem
from mistakebound.kernels import perceptron as kernel
from mistakebound.learners.linear._additive import WITH_BIAS, AdditiveLearner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows
    from mistakebound.kernels.single_row import SingleRow

_MARGIN = Condition("margin > 0", ("margin",), lambda f: f["margin"] > 0)
_START = Condition("the start is 0", ("start_norm",), lambda f: f["start_norm"] == 0)
_EQUAL = Condition("all weights are equal", ("weight_ratio",), lambda f: f["weight_ratio"] == 1)
_ALONE = Condition("one learner played all trials", (), lambda f: f.get("shards", 1) == 1)  # a cluster says how many
_TARGET = (
    "some unit vector separates the extended instances (x, 1) with margin {margin} and none is longer than {radius}"
)

NOVIKOFF = Theorem(
    "the perceptron theorem",
    source="Novikoff 1962; Chandola, lecture 6, section 3.2",
    statement="mistakes <= (R/margin)^2, R the longest extended instance (x, 1)",
    assumes=_TARGET,
    needs=("margin", "radius"),
    conditions=(_MARGIN, _START, _EQUAL, _ALONE),
    formula=lambda f: (f["radius"] / f["margin"]) ** 2,
)
WEIGHTED = Theorem(
    "the perceptron theorem with weights",
    source="docs/theorems.md, after Novikoff 1962",
    statement="mistakes <= c*(R/margin)^2, c the largest weight of a mistake over the smallest",
    assumes=_TARGET,
    needs=("margin", "radius", "weight_ratio"),
    conditions=(_MARGIN, _START, _ALONE),
    formula=lambda f: f["weight_ratio"] * (f["radius"] / f["margin"]) ** 2,
)
FROM_A_START = Theorem(
    "the perceptron theorem from a start w0",
    source="docs/theorems.md, after Novikoff 1962",
    statement="mistakes <= c*(R/margin)^2 + 2|w0|/(eta*margin*least), the weights of mistakes from least to c*least",
    assumes=_TARGET,
    needs=("margin", "radius", "start_norm", "eta", "weight_ratio", "weight_least"),
    conditions=(_MARGIN, _ALONE),
    formula=lambda f: (
        f["weight_ratio"] * (f["radius"] / f["margin"]) ** 2
        + 2 * f["start_norm"] / (f["eta"] * f["margin"] * f["weight_least"])
    ),
)

MIXED = Theorem(
    "the distributed perceptron theorem",
    source="McDonald, Hall and Mann 2010, Theorem 3; docs/theorems.md",
    statement="mistakes <= S*(R/margin)^2, S the shards whose weights are mixed by mistakes after every pass",
    assumes=_TARGET,
    needs=("margin", "radius", "shards"),
    conditions=(
        _MARGIN, _START, _EQUAL,
        Condition("weights are mixed", ("shards",), lambda f: f["shards"] > 1),
    ),
    formula=lambda f: f["shards"] * (f["radius"] / f["margin"]) ** 2,
)  # fmt: skip


class Perceptron(AdditiveLearner):
    """The perceptron: additive updates for any linearly separable data with real values.

    Parameters
    ----------
    eta : float, default 1.0
        Learning rate; > 0.  It scales the weights and changes no prediction.
    bias : bool, default True
        Extend every instance by a constant 1.
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.
    costs : mapping or None, default None
        Label to cost, > 0; 1 where none is given.  An update is multiplied by the cost of the label.

    Notes
    -----
    Algorithm, y = +1 or -1, x~ = (x, 1)::

        w = 0
        for each trial (x, y) of weight c:       (its own weight times the cost of y)
            predict +1 if w . x~ > 0, else -1
            if the prediction was wrong:
                w = w + eta * c * y * x~

    Theorem.  Some unit vector u has y*(u.x~) >= margin > 0, no x~ is longer than R, and all weights c are equal.  Then
    ::

        mistakes <= (R / margin) ^ 2

    With weights between c0 and c1 it is (c1/c0)*(R/margin)^2, and from a start w0 there are at most
    2*|w0|/(eta*margin*c0) mistakes more (docs/theorems.md).  Only the instances that were mistakes enter the proof, so
    the learner takes the longest of these for R where no radius is told.  Weights are kept in units of eta, so that eta
    causes no rounding.

    References
    ----------
    Rosenblatt 1958, The perceptron.  Novikoff 1962, On convergence proofs on perceptrons.
    Chandola 2015, CSE474/574 lecture 6, section 3.

    Examples
    --------
    >>> learner = Perceptron(labels=(-1, 1))
    >>> [learner.learn_one([1.0, -2.0], +1), learner.learn_one([0.5, 1.0], -1)]
    [-1, -1]
    >>> learner.weights(), learner.bias
    ({'1': 1.0, '2': -2.0}, 1.0)
    >>> learner.score_one([1.0, -2.0])
    6.0
    >>> print(learner.hypothesis)
    -2*x2 + x1 + 1 > 0
    >>> learner.bound(margin=0.5, radius=3)
    Bound(36 by the perceptron theorem; margin = 0.5, radius = 3)
    """

    name = "perceptron"
    summary = "any separable data, real values; many relevant attributes, sparse rows"
    hypothesis_class = "half-spaces"
    search_order = "adds or subtracts the example at a mistake"
    inductive_bias = "a wide margin"
    noise_effect = "is undone by later examples"
    parameters = (
        Parameter("eta", "number", 1.0, above=0, grid=(1.0, 0.1), help="learning rate"),
        WITH_BIAS,
    )
    theorems = (NOVIKOFF, WEIGHTED, FROM_A_START, MIXED)
    assumable = {  # noqa: RUF012 - a constant of the class
        "margin": "least y*(u.x) over the extended instances, for a unit vector u",
        "radius": "length of the longest extended instance (default: of those that were mistakes)",
        "start_norm": "length of the weights that play started from (default: 0)",
        "weight_ratio": "largest weight of an example over the smallest (default: of those that were mistakes)",
    }
    relations = (MARGIN_AND_RADIUS, RADIUS_AND_BIAS)

    conservative = True
    enters = True
    _words: memoryview[int]  # the weights by their bits
    weighted = True  # an update adds eta times the weight times the instance

    _zero = -0.0  # which tells it from one that is new (see the kernel)

    def __init__(self, eta: float = 1.0, bias: bool = True, labels: Any = None, costs: Any = None) -> None:
        super().__init__(kernel.REACH + 1, labels, costs, eta=eta, bias=bias)
        self._scale = max(1.0, self.settings["eta"])  # times this, what is kept stays finite (see the kernel)

    @reading
    def facts(self) -> dict[str, Any]:
        least, most = self._scalars[kernel.LEAST] or 1.0, self._scalars[kernel.MOST] or 1.0
        known = {"eta": self.settings["eta"], "start_norm": 0, "weight_ratio": most / least, "weight_least": least}
        if self._scalars[kernel.RADIUS_SQUARED]:
            known["radius"] = sqrt(self._scalars[kernel.RADIUS_SQUARED])
        return known

    def _kept(self, weights: memoryview[float]) -> list[Change]:
        return [*super()._kept(weights), (setattr, self, "_words", weights.cast("B").cast("Q"))]

    def _show(self, numbers: Floats) -> None:
        if self.settings["eta"] != 1.0:
            kernel.show(numbers, self.settings["eta"])

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        base = rows.base
        batch = rows.batch(self._row, predictions, scores, labels if learn else None)
        if rows.entering:
            batch.enter(base, *self.attributes.entering(rows))
        status = kernel.run(
            batch, self._weights[base:], self._words[base:], self._scalars, self._scale, self.settings["bias"]
        )
        return -1 if status == kernel.OTHER else self._rows_done(status, learn)

    def _make_single_row(self, limit: int) -> SingleRow | None:
        from mistakebound.kernels.linear_single_row import SingleRowAdditive

        return SingleRowAdditive(
            self._single_row_owner(limit), self._weights, self._words, self._scalars, self.settings["bias"],
            self._scale, self._averaged(),
        )  # fmt: skip

    def _averaged(self) -> tuple[Floats, Floats, Ints] | None:
        """Sums, the bias's and trials, where a trial adds to an average."""
        return None

    def _arrays(self) -> dict[str, Any]:
        weights = InOrder(self._weights, self.attributes.slots(), lambda part: kernel.sign_zeros(part, 0.0))
        return {"weights": weights, "scalars": self._scalars[: kernel.REACH]}

    def state_form(self) -> Any:
        weights = zip(self.attributes.names(), self.attributes.in_order(self._weights), strict=True)
        return self._scalars[kernel.BIAS], frozenset((name, weight) for name, weight in weights if weight)

    def take_form(self, form: Any) -> bool:
        bias, held = form[0], dict(form[1])
        for slot, name in zip(self.attributes.slots(), self.attributes.names(), strict=True):
            self._weights[slot] = held.get(name, -0.0)
        self._scalars[kernel.BIAS] = bias
        return True

    def _in_order(self) -> memoryview[float]:
        weights = super()._in_order()
        kernel.sign_zeros(weights, 0.0)
        return weights

    def _state(self) -> dict[str, Any]:
        return {"unit": "eta"}  # of the weights

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        weights, scalars = arrays["weights"], arrays["scalars"]
        if self.settings["eta"] != 1.0 and ("unit" not in state or state["unit"] != "eta"):
            raise ValueError("the weights are not in units of eta")
        self._check_weights(weights, scalars, kernel.REACH)
        if self._scale > 1.0 and not isfinite(max(map(abs, (*weights, scalars[kernel.BIAS]))) * self._scale):
            raise ValueError("a weight is not a finite number")
        least, most = scalars[kernel.LEAST], scalars[kernel.MOST]
        if not 0 <= least <= most or not isfinite(most) or (most > 0) != (least > 0):
            raise ValueError("the weights of mistakes are not numbers > 0")
        scalars.append(kernel.reach(weights, scalars[kernel.BIAS]))
        self._scalars = scalars
        kernel.sign_zeros(weights, -0.0)
        self._keep(self.attributes.by_slot(weights))
