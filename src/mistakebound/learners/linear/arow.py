"""AROW, adaptive regularisation of weight vectors: Crammer, Kulesza and Dredze 2009."""

from __future__ import annotations

from math import sqrt

from mistakebound.core.atomic import reading
from mistakebound.core.errors import BadData
from mistakebound.core.facts import Relation
from mistakebound.core.params import Parameter
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.theorem import Bound, Condition, Theorem
from mistakebound.learners.linear._arow_diagonal import Diagonal
from mistakebound.learners.linear._reading import inequality_in_words, largest_weights

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows
    from mistakebound.kernels.single_row import SingleRow
    from mistakebound.learners.linear._arow_full import Full

_TARGET = "some u with |u| <= {norm} has a hinge loss of at most {loss} over the updates"
_SPREAD = _TARGET + " and a spread of at most {spread}"

SUM_OF_UPDATES = Theorem(
    "the sum of the updates",
    source="docs/theorems.md",
    statement="mistakes <= (norm*|s| + loss - e)/c, s the sum of weight*y*x over the updates, e the weight of those "
    "without a mistake, c the smallest weight of a mistake",
    assumes=_TARGET,
    needs=("norm", "loss", "_least", "_length", "_extra"),
    formula=lambda f: (f["norm"] * f["_length"] + f["loss"] - f["_extra"]) / f["_least"],
    hindsight=True,
)
ENERGY = Theorem(
    "the AROW theorem",
    source="docs/theorems.md, after Crammer, Kulesza and Dredze 2009 and Orabona and Crammer 2010",
    statement="mistakes <= (sqrt((r*norm^2 + spread)*s'(B^-1)s) + loss - e)/c, B = r times the inverse of the "
    "covariance",
    assumes=_SPREAD,
    needs=("norm", "spread", "loss", "r", "_least", "_energy", "_extra"),
    formula=lambda f: (
        (sqrt((f["r"] * f["norm"] ** 2 + f["spread"]) * f["_energy"]) + f["loss"] - f["_extra"]) / f["_least"]
    ),
    hindsight=True,
)
LOG_DET = Theorem(
    "the AROW theorem with a determinant",
    source="Crammer, Kulesza and Dredze 2009, section 4",
    statement="mistakes <= (sqrt((r*norm^2 + spread)*(C*ln det(I + X/r) + e)) + loss - e)/c, X the sum of weight*x*x' "
    "over the updates, C the largest weight of a mistake",
    assumes=_SPREAD,
    needs=("norm", "spread", "loss", "r", "_least", "_most", "_log_det", "_extra"),
    conditions=(Condition("a full covariance", ("_log_det",), lambda f: f["_log_det"] >= 0),),
    formula=lambda f: (
        (
            sqrt((f["r"] * f["norm"] ** 2 + f["spread"]) * (f["_most"] * f["_log_det"] + f["_extra"]))
            + f["loss"]
            - f["_extra"]
        )
        / f["_least"]
    ),
    hindsight=True,
)

_SOME_NORM = Relation(  # a vector of zeros has a loss of 1 in every trial
    "norm must be > 0 unless loss is at least 1",
    ("norm",),
    lambda f: f["norm"] > 0 or f.get("loss", 0) >= 1,
    more=("loss",),
)


class AROW(SparseLearner):
    """AROW, adaptive regularisation of weight vectors: linear learning with a variance for every weight.

    Weights of attributes that were seen often move little, weights of rare ones move far.

    Parameters
    ----------
    r : float, default 1.0
        Regularisation; > 0.  The larger, the smaller the steps.
    covariance : {"diagonal", "full"}, default "diagonal"
        A variance for each attribute, or a covariance of all together (at most 500 attributes).
    bias : bool, default True
        Extend every instance by a constant 1.
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.
    costs : mapping or None, default None
        Label to cost of a mistake, > 0; 1 where none is given.  A factor of the weights of its examples.

    Notes
    -----
    Algorithm, y = +1 or -1, with a diagonal covariance; with the bias x has a constant 1 more::

        w_i = 0, V_i = 1 for all i
        for each trial (x, y) of weight c:       (its own weight times the cost of y)
            predict +1 if w . x > 0, else -1
            if y * (w . x) < 1:
                v = sum of V_i * x_i^2
                w_i = w_i + y * (1 - y * (w . x)) * V_i * x_i / (v + r/c) for all i
                V_i = V_i - (V_i * x_i)^2 / (v + r/c) for all i

    The full form has a matrix V: w = w + y*(1 - y*(w.x))*Vx/(v + r/c) and V = V - Vx(Vx)'/(v + r/c), v = x'Vx.  Its
    weights are those of ridge regression on the rows of the updates, so that a whole weight is that many repetitions.

    Theorem, in hindsight, for weights of 1.  s is the sum of y*x over the updates, e counts the updates without a
    mistake, and u is any vector, L its hinge loss over the updates.  Then ::

        mistakes <= |u| * |s| + L - e
        mistakes <= sqrt((r*|u|^2 + spread) * s'(B^-1)s) + L - e,   B = r times the inverse of the covariance

    where the spread is the sum over the updates of (u.x)^2, or with a diagonal covariance of u_i^2*x_i^2.  With the
    full covariance s'(B^-1)s <= ln det(I + X/r) + e, X the sum of xx' over the updates.  With weights each of these
    sums has the weight as a factor, and the bound is on the weight of the mistakes (docs/theorems.md).

    References
    ----------
    Crammer, Kulesza and Dredze 2009, Adaptive regularization of weight vectors, figure 1 and section 4.
    Orabona and Crammer 2010, New adaptive algorithms for online classification.

    Examples
    --------
    >>> learner = AROW(r=0.5, bias=False, labels=(0, 1))
    >>> [learner.learn_one({"free", "now"}, 1), learner.learn_one({"now", "lunch"}, 0)]
    [0, 1]
    >>> {name: round(learner.variance(name), 3) for name in ("free", "now", "never seen")}
    {'free': 0.6, 'now': 0.429, 'never seen': 1.0}
    >>> print(learner.hypothesis)
    -0.6666667*lunch + 0.4*free > 0
    >>> learner.bound(norm=1.5)
    Bound(2.12132 by the sum of the updates; norm = 1.5, loss = 0)
    """

    readable = "weights"
    name = "arow"
    summary = "noisy streams of many attributes, rare ones too; real values"
    hypothesis_class = "half-spaces"
    search_order = "adds examples, less where it is certain"
    inductive_bias = "a wide margin"
    noise_effect = "changes what is uncertain"
    parameters = (
        Parameter("r", "number", 1.0, above=0, grid=(1.0,), help="regularization: the larger, the smaller the steps"),
        Parameter(
            "covariance", "word", "diagonal", words=("diagonal", "full"), grid=("diagonal", "full"),
            help="diagonal, or full for at most 500 attributes",
        ),
        Parameter("bias", "flag", True, grid=(True,), help="extend every instance by a constant 1"),
    )  # fmt: skip
    theorems = (SUM_OF_UPDATES, ENERGY, LOG_DET)
    assumable = {  # noqa: RUF012 - a constant of the class
        "norm": "length of a vector u of weights (with the bias) (default: 1/margin)",
        "margin": "least y*(u.x) over the extended instances, for a unit vector u",
        "loss": "hinge loss of u, the sum of weight*max(0, 1 - y*(u.x)), over the updates (default: 0)",
        "spread": "sum over the updates of weight*(u.x)^2; with a diagonal covariance of weight*u_i^2*x_i^2",
        "k": "attributes in a target disjunction, of rows of ones: makes a norm of sqrt(4k + 1)",
    }
    relations = (_SOME_NORM,)

    weighted = True  # r is divided by the weight

    def __init__(
        self, r: float = 1.0, covariance: str = "diagonal", bias: bool = True, labels: Any = None, costs: Any = None
    ) -> None:
        super().__init__(labels, costs, r=r, covariance=covariance, bias=bias)
        self._kept: Diagonal | Full
        if self.settings["covariance"] == "full":
            from mistakebound.learners.linear._arow_full import Full

            self._kept = Full(self.settings["r"], self.settings["bias"])
        else:
            self._kept = Diagonal(self.settings["r"], self.settings["bias"])
        self._row = self._kept.row
        self._too_many = False

    @property
    @reading
    def bias(self) -> float:
        return self._kept.bias

    @reading
    def weight(self, name: str) -> float:
        slot = self.attributes.slot(name)
        return self._kept.weight(slot) if slot >= 0 else 0.0

    @reading
    def weights(self) -> dict[str, float]:
        """The weight of every attribute that has appeared."""
        weights = self._kept.weights_of(self.attributes.slots())
        return dict(zip(self.attributes.names(), weights, strict=True))

    @reading
    def variance(self, name: str) -> float:
        """How little is known of an attribute's weight: 1 at first, less with every update that it is part of."""
        slot = self.attributes.slot(name)
        return self._kept.variance(slot) if slot >= 0 else 1.0

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """The attributes with the largest weights by size; of equal ones the first that appeared."""
        return largest_weights(self.attributes, self._kept.weights_of, count)

    @reading
    def start(self) -> dict[str, Any]:
        """The theorems count from weights of 0."""
        return {"used": True} if self._kept.used else {}

    @reading
    def bound_since(self, start: dict[str, Any], told: dict[str, Any]) -> Bound:
        self.all_facts(told, start)
        if not self._kept.used:
            return Bound(None, None, {}, failed="the theorems depend on the updates, and no update was made yet")
        return super().bound_since(start, told)

    @reading
    def facts(self) -> dict[str, Any]:
        extra, least, most = self._kept.importances
        known = {"r": self.settings["r"], "loss": 0, "_least": least or 1.0, "_most": most or 1.0}
        return known | {"_extra": extra, "_log_det": self._kept.log_det}

    def derived_facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        if facts.get("norm") is None and facts.get("margin"):
            facts["norm"] = 1 / facts["margin"]
        elif facts.get("norm") is None and facts.get("k") and self.settings["bias"]:  # u = (2, ..., 2, -1)
            facts["norm"] = sqrt(4 * facts["k"] + 1)
        if facts.get("norm") is not None and self._kept.used:
            squared, facts["_energy"] = self._kept.energy(self.attributes)
            facts["_length"] = sqrt(squared)
        return facts

    def _move(self, moved: Callable[..., memoryview[Any]]) -> list[Change]:
        return self._kept.move(moved)

    def _make_single_row(self, limit: int) -> SingleRow | None:
        return self._kept.single_row(self._single_row_owner(limit))

    def _why_stopped(self) -> BadData:
        if self._too_many:
            from mistakebound.learners.linear._arow_full import MOST_ATTRIBUTES

            most = f"{MOST_ATTRIBUTES} attributes at most, and this row has another"
            return BadData(f"arow with covariance = full takes {most}: covariance = diagonal takes any number")
        return BadData("the sum or a weight would leave the range of doubles")

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        played, self._too_many = self._kept.run(rows, labels, predictions, scores, learn)
        if played < rows.count and not learn:
            raise BadData("the sum leaves the range of doubles", row=played)
        return played

    def _arrays(self) -> dict[str, Any]:
        return self._kept.arrays(self.attributes)

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        self._kept.restore(self.attributes, arrays)

    def _form(self) -> Any:
        """With the covariance: learners with the same weights and other variances will not behave alike."""
        weights = frozenset((name, weight) for name, weight in self.weights().items() if weight)
        return ("arow", self.settings["r"], -self.bias, weights, self._kept.form(self.attributes))

    def _in_words(self, terms: int) -> str:
        nonzero = sum(1 for weight in self._kept.weights_of(self.attributes.slots()) if weight)
        return inequality_in_words(self.top(terms), terms, nonzero, self.bias)
