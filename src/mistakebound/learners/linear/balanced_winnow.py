"""Balanced Winnow: Littlestone 1989; Dagan, Karov and Roth 1997, section 3; as EG+- Kivinen and Warmuth 1997."""

from __future__ import annotations

from array import array
from math import isfinite, log
from sys import float_info

from mistakebound.core.atomic import reading
from mistakebound.core.buffers import InOrder, taken, zeros
from mistakebound.core.errors import BadData
from mistakebound.core.facts import K_AND_N, R_AND_K, Relation
from mistakebound.core.params import Parameter
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.theorem import Condition, Theorem
from mistakebound.kernels import balanced_winnow as kernel
from mistakebound.kernels.slots import largest
from mistakebound.learners.linear._reading import inequality_in_words, largest_weights

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows
    from mistakebound.kernels.single_row import SingleRow


def _gain(f: Mapping[str, Any]) -> float:
    """What an update adds at least to the logarithm of the target's weight, less what it can add to that of all.

    Both for each unit of its weight.
    """
    eta, largest = f["eta"], f["largest"]
    return float(eta * (f["margin"] - f["thickness"] * largest) - eta**2 * largest**2 * f["_most"] / 2)


_TARGET = (
    "some u with sum |u_i| = 1 has y*(u.x) >= {margin} but for {loss} in all, and no value is larger than {largest}"
)
_NEEDS = ("eta", "thickness", "largest", "margin", "_most")

KNOWN_BEFORE = Theorem(
    "the balanced Winnow theorem",
    source="docs/theorems.md, after Littlestone 1989 and Kivinen and Warmuth 1997",
    statement="mistakes <= (ln(2N) + eta*loss) / (eta*(margin - thickness*X) - eta^2*C*X^2/2) / c, N the attributes "
    "with the bias, X the largest |value|, C the largest weight of an update, c the smallest of a mistake",
    assumes=_TARGET,
    needs=("n", "margin", "largest", "loss", "eta", "_least", "_most"),
    conditions=(Condition("thickness*X + eta*C*X^2/2 < margin", _NEEDS, lambda f: _gain(f) > 0),),
    formula=lambda f: (log(2 * f["_coordinates"]) + f["eta"] * f["loss"]) / _gain(f) / f["_least"],
)
IN_HINDSIGHT = Theorem(
    "the balanced Winnow theorem in hindsight",
    source="docs/theorems.md",
    statement="mistakes <= ((ln(W)/eta + loss) / margin - e) / c, W the sum of all weights now, e the weight of the "
    "updates without a mistake, c the smallest weight of a mistake",
    assumes="some u with sum |u_i| = 1 has y*(u.x) >= {margin} but for {loss} in all",
    needs=("margin", "loss", "eta", "_least", "_log_total", "_extra"),
    conditions=(
        Condition("margin > 0", ("margin",), lambda f: f["margin"] > 0),
        Condition("eta or thickness too large for a bound beforehand", _NEEDS, lambda f: _gain(f) <= 0),
    ),
    formula=lambda f: ((f["_log_total"] / f["eta"] + f["loss"]) / f["margin"] - f["_extra"]) / f["_least"],
    hindsight=True,
)

_MARGIN_AND_LARGEST = Relation(  # |u.x| <= the largest |x_i|, which the bias makes at least 1
    "margin must be at most largest, or 1 with the bias",
    ("margin", "largest", "bias"),
    lambda f: f["margin"] <= max(f["largest"], float(f["bias"])) * (1 + 1e-9),
)

_MOST = float_info.max


class BalancedWinnow(SparseLearner):
    """Balanced Winnow: multiplicative updates for real values and for weights of either sign.

    Every attribute has a weight for and a weight against the positive class.  Both start at 1 and stay each other's
    inverse.  With `thickness` > 0 it also updates at right predictions that were too narrow.

    Parameters
    ----------
    eta : float, default 0.1
        Learning rate; > 0.  An update multiplies a weight by exp(eta*y*x).
    thickness : float, default 0.1
        Update also where the lead of the right class is a smaller share of the row's weights than this; >= 0 and < 1.
        0: update at mistakes only, as in the papers.
    bias, labels, costs
        As of `AROW`.

    Notes
    -----
    Algorithm, y = +1 or -1::

        z_i = 0 for all i                        (the weights are exp(z_i) for and exp(-z_i) against)
        for each trial (x, y) of weight c:       (its own weight times the cost of y)
            lead   = sum of (exp(z_i) - exp(-z_i)) * x_i
            voters = sum of (exp(z_i) + exp(-z_i)) * |x_i|
            predict +1 if lead > 0, else -1
            if the prediction was wrong, or y * lead < thickness * voters:
                z_i = z_i + eta * c * y * x_i for all i

    Theorem.  Some u with sum |u_i| = 1 has y*(u.x) >= margin, but for a hinge loss of L in all; |x_i| <= X; N
    attributes appear, the bias among them; thickness*X + eta*X^2/2 < margin.  Then ::

        mistakes <= (ln(2N) + eta*L) / (eta*(margin - thickness*X) - eta^2*X^2/2)

    With weights eta*X^2 is multiplied by the largest of an update, the bound divided by the smallest of a mistake, and
    losses count by their weights.  With thickness = 0, L = 0 and eta = margin/X^2 the bound is
    2*(X/margin)^2*ln(2N).  Where eta or the thickness is too large for it, the learner quotes a bound in hindsight
    (docs/theorems.md, Balanced Winnow).

    References
    ----------
    Littlestone 1989, Mistake bounds and logarithmic linear-threshold learning algorithms.
    Dagan, Karov and Roth 1997, Mistake-driven learning in text categorization, section 3.
    Kivinen and Warmuth 1997, Exponentiated gradient versus gradient descent for linear predictors (EG+-).

    Examples
    --------
    >>> learner = BalancedWinnow(eta=0.5, bias=False, labels=(0, 1))
    >>> [learner.learn_one({"free", "now"}, 1), learner.learn_one({"now", "lunch"}, 0)]
    [0, 1]
    >>> {name: round(weight, 3) for name, weight in learner.weights().items()}
    {'free': 1.042, 'now': 0.0, 'lunch': -1.042}
    >>> print(learner.hypothesis)
    1.042191*free + -1.042191*lunch > 0
    >>> BalancedWinnow(thickness=0).bound(n=1000, margin=0.1, largest=1)
    Bound(1520.38 by the balanced Winnow theorem; n = 1000, margin = 0.1, largest = 1, loss = 0, eta = 0.1)
    """

    readable = "weights"
    name = "balanced-winnow"
    summary = "few relevant attributes of many, for and against; real values"
    hypothesis_class = "half-spaces"
    search_order = "multiplies or divides weights at a mistake"
    inductive_bias = "few relevant attributes"
    noise_effect = "is undone by later examples"
    parameters = (
        Parameter("eta", "number", 0.1, above=0, grid=(0.1,), help="learning rate: a step is a factor exp(eta*x)"),
        Parameter(
            "thickness", "number", 0.1, at_least=0, below=1, grid=(0.1, 0.0),
            help="also update if the right class leads by a smaller share of the weights",
        ),
        Parameter("bias", "flag", True, grid=(True,), help="extend every instance by a constant 1"),
    )  # fmt: skip
    theorems = (KNOWN_BEFORE, IN_HINDSIGHT)
    assumable = {  # noqa: RUF012 - a constant of the class
        "margin": "least y*(u.x) over the extended instances, for a u with sum |u_i| = 1",
        "loss": "sum of max(0, margin - y*(u.x)), times its weight, over the stream (default: 0)",
        "largest": "largest |value|, at least 1 with the bias (default: of the rows that led to an update)",
        "n": "maximum attributes that can appear (default: those that have)",
        "k": "attributes in a target disjunction, of rows of ones: makes a margin of 1/(2k + 1)",
        "r": "with k, the target is r of k: makes a margin of 1/(2k + 2r - 1)",
    }
    relations = (_MARGIN_AND_LARGEST, K_AND_N, R_AND_K)

    weighted = True  # the votes of an update are multiplied by the weight

    def __init__(
        self, eta: float = 0.1, thickness: float = 0.1, bias: bool = True, labels: Any = None, costs: Any = None
    ) -> None:
        super().__init__(labels, costs, eta=eta, thickness=thickness, bias=bias)
        self.conservative = not self.settings["thickness"]
        self._scalars = array("d", bytes(8 * (kernel.MOST + 1)))
        self._votes, self._gaps = zeros("d", 0), zeros("d", 0)
        self._sums = array("d", bytes(16))

    @property
    @reading
    def bias(self) -> float:
        return self._opened(self._scalars[: kernel.BIAS + 1])[0]

    def _opened(self, votes: Floats) -> list[float]:
        """The weight for less the weight against; the largest double where that is larger still."""
        gaps = array("d", bytes(8 * len(votes)))
        kernel.open_gaps(votes, self.settings["eta"], gaps)
        return [max(-_MOST, min(_MOST, gap)) for gap in gaps]

    @reading
    def weight(self, name: str) -> float:
        """The weight for the positive class less the weight against it."""
        slot = self.attributes.slot(name)
        return max(-_MOST, min(_MOST, self._gaps[slot])) if slot >= 0 else 0.0

    @reading
    def weights(self) -> dict[str, float]:
        """The weight of every attribute that has appeared: for less against."""
        return dict(zip(self.attributes.names(), self._opened(self.attributes.in_order(self._votes)), strict=True))

    @reading
    def votes(self) -> dict[str, float]:
        """The sum of c*y*x over the updates, for every attribute that appeared: its weights are exp(+-eta*votes)."""
        return dict(zip(self.attributes.names(), self.attributes.in_order(self._votes), strict=True))

    @reading
    def top(self, count: int) -> list[tuple[str, float]]:
        """The attributes with the largest weights by size; of equal ones the first that appeared."""
        largest = largest_weights(self.attributes, lambda slots: taken(self._votes, slots), count)
        return list(zip([name for name, _ in largest], self._opened(array("d", [v for _, v in largest])), strict=True))

    @reading
    def start(self) -> dict[str, Any]:
        """The theorems count from equal weights."""
        return {"used": True} if any(self._scalars) else {}

    @reading
    def facts(self) -> dict[str, Any]:
        known = {"eta": self.settings["eta"], "thickness": self.settings["thickness"], "loss": 0}
        if self._scalars[kernel.LARGEST]:
            known["largest"] = self._scalars[kernel.LARGEST]
        known["_least"] = self._scalars[kernel.LEAST] or 1.0
        known["_most"] = self._scalars[kernel.MOST] or 1.0
        return known | {"_extra": self._scalars[kernel.EXTRA]}

    def derived_facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        facts["n"] = max(len(self.attributes), facts.get("n") or 0) or None
        if facts["n"] is not None:
            facts["_coordinates"] = facts["n"] + self.settings["bias"]
        if self.settings["bias"]:
            if facts.get("k") and facts.get("margin") is None:  # u = (1, ..., 1, 1/2 - r) over its size
                facts["margin"] = 1 / (2 * facts["k"] + 2 * (facts.get("r") or 1) - 1)
                facts.setdefault("largest", 1)
            if facts.get("largest") is not None:
                facts["largest"] = max(1, facts["largest"])
        if all(facts.get(need) is not None for need in _NEEDS) and any(self._scalars) and _gain(facts) <= 0:
            votes = array("d", self.attributes.in_order(self._votes))
            votes.extend(self._scalars[: kernel.BIAS + self.settings["bias"]])
            facts["_log_total"] = kernel.log_total(votes, self.settings["eta"])
        return facts

    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        return [(setattr, self, "_votes", moved(self._votes)), (setattr, self, "_gaps", moved(self._gaps))]

    def _why_stopped(self) -> BadData:
        return BadData("the votes of an attribute would leave the range of doubles")

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        status = kernel.run(
            rows.batch(self._row, predictions, scores, labels if learn else None), self._votes[rows.base :],
            self._gaps[rows.base :], self._scalars, self.settings["eta"], self.settings["thickness"],
            self.settings["bias"], self._sums,
        )  # fmt: skip
        if status == kernel.CAPACITY:
            raise AssertionError("buffers do not fit together")
        return self._row[kernel.ROW]

    def _make_single_row(self, limit: int) -> SingleRow | None:
        from mistakebound.kernels.linear_single_row import SingleRowBalancedWinnow

        return SingleRowBalancedWinnow(
            self._single_row_owner(limit), self._votes, self._gaps, self._scalars, self.settings["bias"],
            self.settings["eta"], self.settings["thickness"],
        )  # fmt: skip

    def _arrays(self) -> dict[str, Any]:
        return {"votes": InOrder(self._votes, self.attributes.slots()), "scalars": self._scalars}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        votes, scalars = arrays["votes"], arrays["scalars"]
        if votes.typecode != "d" or scalars.typecode != "d" or len(scalars) != len(self._scalars):
            raise ValueError("the votes are not doubles")
        if len(votes) != len(self.attributes):
            raise ValueError("there are not the votes of each attribute")
        eta, extra = self.settings["eta"], scalars[kernel.EXTRA]
        if not all(isfinite(eta * largest(numbers)) for numbers in (votes, scalars)):
            raise ValueError("votes are not finite")
        if min(scalars[kernel.LARGEST], extra, scalars[kernel.LEAST], scalars[kernel.MOST]) < 0:
            raise ValueError("the weights of updates are not numbers > 0")
        gaps = array("d", bytes(8 * len(votes)))
        kernel.open_gaps(votes, eta, gaps)
        self._scalars = scalars
        self._votes, self._gaps = self.attributes.by_slot(votes), self.attributes.by_slot(gaps)

    def _form(self) -> Any:
        votes = frozenset((name, vote) for name, vote in self.votes().items() if vote)
        return ("balanced", self.settings["eta"], self._scalars[kernel.BIAS], votes)

    def take_form(self, form: Any) -> bool:
        held = dict(form[-1])
        votes = array("d", [held.get(name, 0.0) for name in self.attributes.names()])
        gaps = array("d", bytes(8 * len(votes)))
        kernel.open_gaps(votes, self.settings["eta"], gaps)
        self._votes, self._gaps = self.attributes.by_slot(votes), self.attributes.by_slot(gaps)
        self._scalars[kernel.BIAS] = form[2]
        return True

    def _in_words(self, terms: int) -> str:
        nonzero = sum(1 for vote in self.attributes.in_order(self._votes) if vote)
        return inequality_in_words(self.top(terms), terms, nonzero, self.bias)
