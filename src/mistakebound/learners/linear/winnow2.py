"""Winnow2 for delta-separated functions: Littlestone 1988, section 5; Chan, section 3."""

from __future__ import annotations

from math import log

from mistakebound.core.errors import BadParameter
from mistakebound.core.facts import R_AND_K
from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Condition, Lemma, Theorem
from mistakebound.learners.linear._winnow import RULE, STARTS_AT_ONE, THETA, ExponentWinnow, N, largest_weight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NEAR = 1 + 1e-9  # alpha = 1 + delta/2 is rounded, and so are logarithms
_DELTA = Condition("0 < delta <= 1", ("delta",), lambda f: 0 < f["delta"] <= 1)
_ALPHA = Condition(
    "alpha = 1 + d/2 for a d <= delta", ("alpha", "delta"), lambda f: 2 * (f["alpha"] - 1) <= f["delta"] * _NEAR
)
_THETA = Condition("theta >= 1", ("theta",), lambda f: f["theta"] >= 1)


def _target(facts: Any) -> str:
    """What is supposed about the target, in the words in which it was told."""
    if facts.get("k") is None:
        return f"some mu >= 0 with sum {facts['sum_mu']:g} separates the target with delta = {facts['delta']:g}"
    if facts.get("r", 1) == 1:
        return f"the target is a monotone disjunction of at most k = {facts['k']} attributes"
    return f"the target is true when at least r = {facts['r']} of k = {facts['k']} attributes are on"


def _none(facts: Any) -> str:
    """What is known when that is refuted."""
    if facts.get("k") is None:
        return f"no mu >= 0 with sum {facts['sum_mu']:g} separates these labels with delta = {facts['delta']:g}"
    if facts.get("r", 1) == 1:
        attributes = "attribute" if facts["k"] == 1 else "attributes"
        return f"no monotone disjunction of at most {facts['k']} {attributes} explains these labels"
    return f"these labels are explained by no {facts['k']} attributes of which at least {facts['r']} must be on"


def _d(facts: Any) -> float:
    """The separation that alpha is made for; a target with more of it has that much too."""
    return float(2 * (facts["alpha"] - 1))


LITTLESTONE_9 = Theorem(
    "Theorem 9",
    source="Littlestone 1988, Theorem 9",
    statement="mistakes <= (8/delta^2)*(n/theta) + (5/delta + 14*ln(theta)/delta^2)*sum(mu)",
    assumes=_target,
    refutes=_none,
    needs=("delta", "sum_mu", "n", "alpha", "theta"),
    conditions=(STARTS_AT_ONE, _DELTA, _ALPHA, _THETA),
    formula=lambda f: (
        8 / _d(f) ** 2 * f["n"] / f["theta"] + (5 / _d(f) + 14 * log(f["theta"]) / _d(f) ** 2) * f["sum_mu"]
    ),
)
SHARPER_9 = Theorem(
    "Theorem 9, sharper",
    source="docs/theorems.md, from Littlestone's Lemmas 7 to 9",
    statement="mistakes <= 2(4-d^2)/((1+d)d^2)*n/theta + (4+d)/(d(1+d))*(1 + log_alpha(theta))*sum(mu), d = delta",
    assumes=_target,
    refutes=_none,
    needs=("delta", "sum_mu", "n", "alpha", "theta"),
    conditions=(STARTS_AT_ONE, _DELTA, _ALPHA, _THETA),
    formula=lambda f: (
        2 * (4 - _d(f) ** 2) / ((1 + _d(f)) * _d(f) ** 2) * f["n"] / f["theta"]
        + (4 + _d(f)) / (_d(f) * (1 + _d(f))) * (1 + log(f["theta"]) / log(f["alpha"])) * f["sum_mu"]
    ),
)
START_WEIGHTS_2 = Theorem(
    "the start-weights theorem for Winnow2",
    source="docs/theorems.md, from Littlestone's Lemmas 7 to 9",
    statement=(
        "mistakes <= (1+alpha)/(1-(1-delta)alpha)*(L + (1-delta)S) + S, S = alpha/(alpha-1)*(sum of w0)/theta, "
        "L = sum of mu_i*(log_alpha(theta/w0_i) + 1)"
    ),
    assumes=_target,
    refutes=_none,
    needs=("delta", "sum_mu", "n", "_log_mu", "_start_sum", "alpha", "theta"),
    conditions=(
        _DELTA,
        Condition("(1 - delta)*alpha < 1", ("delta", "alpha"), lambda f: (1 - f["delta"]) * f["alpha"] < 1),
    ),
    formula=lambda f: (
        (1 + f["alpha"]) / (1 - (1 - f["delta"]) * f["alpha"]) * (f["_log_mu"] + (1 - f["delta"]) * _removed(f))
        + _removed(f)
    ),
)


def _removed(facts: Any) -> float:
    """Lemma 7's share of the start weights: the demotions that they pay for."""
    return float(facts["alpha"] / (facts["alpha"] - 1) * facts["_start_sum"] / facts["theta"])


LEMMAS = (
    Lemma(
        "Lemma 7",
        source="Littlestone 1988",
        statement="demotions v <= alpha/(alpha - 1)*(sum of start weights)/theta + alpha*u",
        needs=("_start_sum",),
        holds=lambda learner, u, v, f: v <= (_removed(f) + f["alpha"] * u) * _NEAR,
    ),
    Lemma(
        "Lemma 8",
        source="Littlestone 1988",
        statement="every weight is at most alpha*theta",
        when=lambda f: f["theta"] * f["alpha"] >= 1,
        holds=lambda learner, u, v, f: largest_weight(learner) <= f["alpha"] * f["theta"] * _NEAR,
    ),
    Lemma(
        "Lemma 9",
        source="Littlestone 1988",
        statement="for some i, log_alpha(w_i) >= (u - (1-delta)*v)/sum(mu)",
        needs=("delta", "sum_mu"),
        when=lambda f: f["sum_mu"] > 0 and f["_starts_at_one"],
        assumes=_target,
        holds=lambda learner, u, v, f: (
            learner.largest_exponent() * f["sum_mu"] * _NEAR + 1e-9 >= u - (1 - f["delta"]) * v
        ),
    ),
)


class Winnow2(ExponentWinnow):
    """Multiply active weights by alpha at a false negative, divide them by alpha at a false positive.

    >>> learner = Winnow2(alpha=10, theta=1, rule=">=", n=10)
    >>> ten = [1] * 10
    >>> [learner.learn_one(ten, y) for y in (0, 0, 1)]  # ten times 0.1 is 1, which doubles get wrong
    [1, 1, 0]
    >>> Winnow2(delta=1, n=100).bound(k=3)
    Bound(95.6831 by Theorem 9, sharper; delta = 1, sum_mu = 3, n = 100, alpha = 1.5, theta = 100)
    """

    name = "winnow2"
    summary = "linear threshold functions with few relevant attributes; survives noise"
    parameters = (
        Parameter("alpha", "number", 1.5, above=1, grid=(1.5, 2.0, 10.0), help="factor of a promotion or demotion"),
        THETA,
        N,
        RULE,
        Parameter(
            "delta",
            "number",
            None,
            above=0,
            optional=True,
            grid=(None, 0.5),
            help="separation of the target: sets alpha = 1 + delta/2",
        ),
    )
    theorems = (LITTLESTONE_9, SHARPER_9, START_WEIGHTS_2)
    lemmas = LEMMAS
    assumable = ExponentWinnow.assumable | {
        "r": "the target is true when at least r of its k attributes are on",
        "delta": "separation of the target",
        "sum_mu": "sum of the separating weights mu",
    }
    relations = (*ExponentWinnow.relations, R_AND_K)
    eliminates = False

    def __init__(
        self,
        alpha: float | None = None,
        theta: Any = None,
        n: int | None = None,
        rule: str = ">",
        delta: float | None = None,
        labels: Any = None,
    ) -> None:
        if delta is not None:
            checked = self.parameters[4].check(delta)
            if checked > 1:
                raise BadParameter(f"delta must be a number > 0 and <= 1: {delta!r}")
            made = 1 + checked / 2
            if alpha is not None and alpha != made:
                raise BadParameter(f"alpha must be {made:g} or left out when delta is {delta:g}: {alpha!r}")
            alpha = made
        super().__init__(labels, alpha=1.5 if alpha is None else alpha, theta=theta, n=n, rule=rule, delta=delta)

    def derived_facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        """r of k attributes: delta = 1/r and sum(mu) = k/r; a disjunction is r = 1 (Chan, section 3)."""
        if facts.get("relevant") is not None:
            facts.setdefault("k", len(facts["relevant"]))
        k, r = facts.get("k"), facts.get("r", 1)
        if k is not None and "sum_mu" not in facts:
            facts.setdefault("delta", 1 / r)
            facts["sum_mu"] = k / r
        facts.setdefault("delta", self.settings["delta"])
        facts = super().derived_facts(facts)
        if facts.get("sum_mu") is not None and facts.get("n"):
            facts["_log_mu"] = facts["sum_mu"] * self._log_term(self.smallest_start(facts["n"]))
            if facts.get("relevant") is not None and k:
                facts["_log_mu"] = facts["_log_terms"] * facts["sum_mu"] / k
        return facts
