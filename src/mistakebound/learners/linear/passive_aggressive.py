"""Passive-aggressive learning: Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006, sections 3 and 4.

A trial with a margin of 1 changes nothing; any other moves the weights just as far as gives it that margin, or, where
labels may be wrong, not quite so far (variants I and II).
"""

from __future__ import annotations

from array import array
from math import inf, sqrt

from mistakebound.core.atomic import reading
from mistakebound.core.buffers import InOrder
from mistakebound.core.errors import BadData
from mistakebound.core.facts import MARGIN_AND_RADIUS, RADIUS_AND_BIAS, SHORTEST_AND_RADIUS, Relation
from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Condition, Theorem
from mistakebound.kernels import passive_aggressive as kernel
from mistakebound.learners.linear._additive import WITH_BIAS, AdditiveLearner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows
    from mistakebound.kernels.single_row import SingleRow

_NEAR = 1 + 1e-9  # lengths are rounded
_PAPER = "Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006"
_LOSS = "some vector of length {norm} has hinge losses on the extended instances (x, 1) that sum to no more than {loss}"
_SQUARES = _LOSS.replace("that sum to no more than {loss}", "whose squares sum to no more than {squared_loss}")


def _variant(name: str) -> Condition:
    return Condition(f"the variant is {name}", ("variant",), lambda f: f["variant"] == name)


def _factor(f: Mapping[str, Any]) -> float:
    """How many mistakes a unit of |u|^2 pays for."""
    square, inverse = float(f["radius"]) ** 2, 1 / (float(f["C"]) * float(f["_least"]))
    return {"plain": square, "I": max(square, inverse), "II": square + inverse / 2}[f["variant"]]


SEPARABLE = Theorem(
    "the passive-aggressive theorem",
    source=f"{_PAPER}, Theorems 2, 4 and 5 without a loss",
    statement="mistakes <= K*(1/margin + |w0|)^2, w0 the start, R the longest extended instance (x, 1); "
    "K = R^2 (plain), max(R^2, 1/(cC)) (I), R^2 + 1/(2cC) (II), c the smallest weight of a mistake",
    assumes="some unit vector separates the extended instances (x, 1) with margin {margin} and none is longer than "
    "{radius}",
    needs=("margin", "radius", "start_norm", "variant", "C", "_least"),
    conditions=(Condition("margin > 0", ("margin",), lambda f: f["margin"] > 0),),
    formula=lambda f: _factor(f) * (1 / f["margin"] + f["start_norm"]) ** 2,
)
PLAIN = Theorem(
    "the passive-aggressive theorem with losses",
    source=f"docs/theorems.md, after {_PAPER}, Theorem 3",
    statement="mistakes <= R^2*(|u| + |w0| + 2*sqrt(squared_loss)/r)^2, r the shortest extended instance",
    assumes=_SQUARES,
    needs=("norm", "squared_loss", "radius", "shortest", "start_norm"),
    conditions=(
        _variant("plain"),
        Condition("0 < shortest <= radius", ("shortest", "radius"), lambda f: 0 < f["shortest"] <= f["radius"]),
    ),
    formula=lambda f: (f["radius"] * (f["norm"] + f["start_norm"] + 2 * sqrt(f["squared_loss"]) / f["shortest"])) ** 2,
)


def _held_back(variant: str, number: int, factor: str, loss: str, assumes: str) -> Theorem:
    return Theorem(
        f"the PA-{variant} theorem",
        source=f"{_PAPER}, Theorem {number}",
        statement=f"mistakes <= {factor}*((|u| + |w0|)^2 + 2C*{loss}), c the smallest weight of a mistake",
        assumes=assumes,
        needs=("norm", loss, "radius", "start_norm", "C", "_least"),
        conditions=(_variant(variant),),
        formula=lambda f: _factor(f) * ((f["norm"] + f["start_norm"]) ** 2 + 2 * f["C"] * f[loss]),
    )


FIRST = _held_back("I", 4, "max(R^2, 1/(cC))", "loss", _LOSS)
SECOND = _held_back("II", 5, "(R^2 + 1/(2cC))", "squared_loss", _SQUARES)
# One instance of length R has a loss of 1 - |u|R at least.
_LEAST_LOSS = Relation(
    "loss must be at least 1 - norm*radius",
    ("norm", "radius", "loss"),
    lambda f: f["loss"] * _NEAR >= 1 - f["norm"] * f["radius"] * _NEAR,
)
_LEAST_SQUARE = Relation(
    "squared_loss must be at least (1 - norm*radius)^2 where that is below 1",
    ("norm", "radius", "squared_loss"),
    lambda f: sqrt(f["squared_loss"]) * _NEAR >= 1 - f["norm"] * f["radius"] * _NEAR,
)
_WITH_LOSSES = {"plain": PLAIN, "I": FIRST, "II": SECOND}


class PassiveAggressive(AdditiveLearner):
    """Passive-aggressive learning: the smallest step that gives an example a margin of 1, or a part of it.

    Parameters
    ----------
    variant : {"I", "II", "plain"}, default "I"
        How a step is held back: by a limit C, by a slack 1/(2C), or not at all.
    C : float, default 1.0
        Aggressiveness of variants I and II; > 0.  The smaller, the less one wrong label does.
    bias, labels, costs
        As of `AROW`.

    Notes
    -----
    Algorithm, y = +1 or -1, x~ = (x, 1)::

        w = 0
        for each trial (x, y) of weight c:       (its own weight times the cost of y)
            predict +1 if w . x~ > 0, else -1
            loss = max(0, 1 - y * (w . x~))
            if loss > 0:
                tau = loss/|x~|^2 (plain),  min(c*C, loss/|x~|^2) (I)  or  loss/(|x~|^2 + 1/(2*c*C)) (II)
                w = w + tau * y * x~

    Theorem.  u is any vector, L the sum of its hinge losses and S the sum of their squares.  R is the length of the
    longest x~, r that of the shortest, and play starts at w = 0.  Then ::

        mistakes <= R^2 * (|u| + 2*sqrt(S)/r)^2              (plain)
        mistakes <= max(R^2, 1/C) * (|u|^2 + 2*C*L)          (I)
        mistakes <= (R^2 + 1/(2C)) * (|u|^2 + 2*C*S)         (II)

    With weights C becomes c*C in max(R^2, 1/C) and R^2 + 1/(2C), c the smallest weight of a mistake, and losses count
    by their weights.  In variant I, and in the plain one, a whole weight is that many repetitions of the example.
    A unit vector with a margin > 0 gives |u| = 1/margin and L = S = 0; the plain bound is then the perceptron's.
    docs/theorems.md has the proof, from any start.  A row without any value, with bias=False, has no step: it is
    predicted to be negative, and nothing is learned from it.

    References
    ----------
    Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006, Online passive-aggressive algorithms, sections 3 and 4,
    Theorems 2 to 5.

    Examples
    --------
    >>> learner = PassiveAggressive("plain", bias=False, labels=(-1, 1))
    >>> learner.learn_one([1.0, 1.0], +1), learner.weights()
    (-1, {'1': 0.5, '2': 0.5})
    >>> learner.learn_one([2.0, 0.0], -1), learner.weights()
    (1, {'1': -0.5, '2': 0.5})
    >>> PassiveAggressive("I", C=0.5).bound(norm=3, loss=10, radius=2)
    Bound(76 by the PA-I theorem; norm = 3, loss = 10, radius = 2, start_norm = 0, C = 0.5)
    """

    name = "passive-aggressive"
    summary = "real values and labels that may be wrong; learns from narrow successes too"
    hypothesis_class = "half-spaces"
    search_order = "the least change that gives a margin of 1"
    inductive_bias = "a wide margin"
    noise_effect = "C limits the change"
    parameters = (
        Parameter("variant", "word", "I", words=("I", "II", "plain"), help="variant of the update"),
        Parameter("C", "number", 1.0, above=0, grid=(1.0, 0.01), help="aggressiveness of variants I and II"),
        WITH_BIAS,
    )
    theorems = (SEPARABLE, PLAIN, FIRST, SECOND)
    assumable = {  # noqa: RUF012 - a constant of the class
        "margin": "least y*(u.x) over the extended instances, for a unit vector u",
        "norm": "length of a vector u, of any length, whose losses are told",
        "loss": "sum of max(0, 1 - y*(u.x)), times its weight, over the extended instances",
        "squared_loss": "the same with the squares of max(0, 1 - y*(u.x))",
        "radius": "length of the longest extended instance (default: of those that were mistakes)",
        "shortest": "length of the shortest extended instance that is not all 0 (default: of those learned from)",
        "start_norm": "length of the weights that play started from (default: 0)",
    }
    relations = (MARGIN_AND_RADIUS, RADIUS_AND_BIAS, SHORTEST_AND_RADIUS, _LEAST_LOSS, _LEAST_SQUARE)

    weighted = True  # the weight of an example is a factor of its C

    def __init__(
        self, variant: str = "I", C: float = 1.0, bias: bool = True, labels: Any = None, costs: Any = None
    ) -> None:
        super().__init__(kernel.LEAST + 1, labels, costs, variant=variant, C=C, bias=bias)
        self._most = self.settings["C"] if variant == "I" else inf
        self._slack = 0.5 / self.settings["C"] if variant == "II" else 0.0
        self._learned = array("d", bytes(16))
        self.theorems = SEPARABLE, _WITH_LOSSES[variant]  # type: ignore[misc, assignment]

    @reading
    def facts(self) -> dict[str, Any]:
        known = super().facts() | {"start_norm": 0, "_least": self._scalars[kernel.LEAST] or 1.0}
        for name, place in (("radius", kernel.RADIUS_SQUARED), ("shortest", kernel.SHORTEST_SQUARED)):
            if self._scalars[place]:
                known[name] = sqrt(self._scalars[place])
        return known

    def _why_stopped(self) -> BadData:
        return BadData("the sum, the length of the row or a weight would leave the range of doubles")

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        status = kernel.run(
            rows.batch(self._row, predictions, scores, labels if learn else None), self._weights[rows.base :],
            self._scalars, self._most, self._slack, self.settings["bias"], self._learned,
        )  # fmt: skip
        return self._rows_done(status, learn)

    def _make_single_row(self, limit: int) -> SingleRow | None:
        from mistakebound.kernels.linear_single_row import SingleRowPassiveAggressive

        return SingleRowPassiveAggressive(
            self._single_row_owner(limit), self._weights, self._scalars, self.settings["bias"], self._most, self._slack
        )

    def _arrays(self) -> dict[str, Any]:
        return {"weights": InOrder(self._weights, self.attributes.slots()), "scalars": self._scalars}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        weights, scalars = arrays["weights"], arrays["scalars"]
        self._check_weights(weights, scalars, kernel.LEAST + 1)
        if not all(0 <= square < inf for square in scalars[kernel.RADIUS_SQUARED :]):
            raise ValueError("a length of instances, or the weight of a mistake, is not a number >= 0")
        self._scalars = scalars
        self._keep(self.attributes.by_slot(weights))
