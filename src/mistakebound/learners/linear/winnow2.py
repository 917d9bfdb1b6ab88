"""Winnow2 for delta-separated functions: Littlestone 1988, Theorem 9; Chan 2019, section 3."""

from __future__ import annotations

from math import log

from mistakebound.core.errors import BadParameter
from mistakebound.core.facts import R_AND_K
from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Condition, Lemma, Theorem
from mistakebound.learners.linear._winnow import (
    ALIKE,
    PARAMETERS,
    STARTS_AT_ONE,
    ExponentWinnow,
    alike,
    bounded_weights,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
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


def _ninth(name: str, source: str, statement: str, formula: Callable[[Any], float]) -> Theorem:
    return Theorem(
        name, source=source, statement=statement, assumes=_target, refutes=_none, formula=formula,
        needs=("delta", "sum_mu", "n", "alpha", "theta"), conditions=(ALIKE, STARTS_AT_ONE, _DELTA, _ALPHA, _THETA),
    )  # fmt: skip


LITTLESTONE_9 = _ninth(
    "Theorem 9",
    "Littlestone 1988, Theorem 9",
    "mistakes <= (8/delta^2)*(n/theta) + (5/delta + 14*ln(theta)/delta^2)*sum(mu)",
    lambda f: 8 / _d(f) ** 2 * f["n"] / f["theta"] + (5 / _d(f) + 14 * log(f["theta"]) / _d(f) ** 2) * f["sum_mu"],
)
SHARPER_9 = _ninth(
    "the sharper Theorem 9",
    "docs/theorems.md, from Littlestone's Lemmas 7 to 9",
    "mistakes <= 2(4-d^2)/((1+d)d^2)*n/theta + (4+d)/(d(1+d))*(1 + log_alpha(theta))*sum(mu), d = delta",
    lambda f: (
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
        ALIKE,
        _DELTA,
        Condition("(1 - delta)*alpha < 1", ("delta", "alpha"), lambda f: (1 - f["delta"]) * f["alpha"] < 1),
    ),
    formula=lambda f: _from_start(f, f["alpha"]),
)
WITH_WEIGHTS = Theorem(
    "the start-weights theorem for Winnow2 with weights",
    source="docs/theorems.md, from Littlestone's Lemmas 7 to 9",
    statement=(
        "mistakes <= C/c*((1+A)/(1-(1-delta)A)*(L + (1-delta)S) + S), A = alpha^C, the weights of mistakes from c to "
        "C, S = A/(A-1)*(sum of w0)/theta, L = sum of mu_i*(log_A(theta/w0_i) + 1)"
    ),
    assumes=_target,
    refutes=_none,
    needs=("delta", "sum_mu", "n", "_log_mu", "_start_sum", "_rise", "theta", "_least", "_most"),
    conditions=(
        _DELTA,
        Condition(
            "(1 - delta)*alpha^C < 1, C the largest weight",
            ("delta", "_rise"),
            lambda f: (1 - f["delta"]) * f["_rise"] < 1,
        ),
    ),
    formula=lambda f: f["_most"] / f["_least"] * _from_start(f, f["_rise"]),
)


def _from_start(facts: Any, factor: float) -> float:
    """The bound from any start weights of a learner that multiplies and divides by this factor."""
    removed, rest = _removed(facts, factor), 1 - facts["delta"]
    return float((1 + factor) / (1 - rest * factor) * (facts["_log_mu"] + rest * removed) + removed)


def _removed(facts: Any, factor: float) -> float:
    """Lemma 7's share of the start weights: the demotions that they pay for."""
    return float(factor / (factor - 1) * facts["_start_sum"] / facts["theta"])


LEMMAS = (
    Lemma(
        "Lemma 7",
        source="Littlestone 1988",
        statement="demotions v <= alpha/(alpha - 1)*(sum of start weights)/theta + alpha*u",
        needs=("_start_sum",),
        when=alike,
        holds=lambda learner, u, v, f: v <= (_removed(f, f["alpha"]) + f["alpha"] * u) * _NEAR,
        sides=lambda learner, u, v, f: (v, _removed(f, f["alpha"]) + f["alpha"] * u),
    ),
    bounded_weights("Lemma 8"),
    Lemma(
        "Lemma 9",
        source="Littlestone 1988",
        statement="for some i, log_alpha(w_i) >= (u - (1-delta)*v)/sum(mu)",
        needs=("delta", "sum_mu"),
        when=lambda f: alike(f) and f["sum_mu"] > 0 and f["_starts_at_one"],
        assumes=_target,
        holds=lambda learner, u, v, f: (
            learner.largest_exponent() * f["sum_mu"] * _NEAR + 1e-9 >= u - (1 - f["delta"]) * v
        ),
        sides=lambda learner, u, v, f: (u - (1 - f["delta"]) * v, learner.largest_exponent() * f["sum_mu"]),
    ),
)


class Winnow2(ExponentWinnow):
    """Winnow2: learns linear threshold functions with few relevant 0/1 attributes; recovers from wrong labels.

    A false negative multiplies the weights of the active attributes by `alpha`, a false positive divides them by it.

    Parameters
    ----------
    alpha : float or None, default None
        Factor of a promotion or demotion; > 1.  None: 1 + delta/2 if delta is given, else 1.5.
    theta : float, "n", "n/2" or None, default None
        Threshold; > 0.  None: n if n is declared, else 1.
    n : int or None, default None
        Number of attributes.  None: unknown; attributes then get smaller start weights the later they appear.
    rule : {">", ">="}, default ">"
        Predict 1 when the sum of the active weights is > or >= theta.
    start : float, "1/n" or mapping, default 1.0
        Start weight of every attribute; > 0.  With n unknown: that of the first, to which the others are in proportion.
        "1/n" is the float next to it: where 1/n has no exact float, sums that equal theta in fractions may not.
        A mapping gives those of some attributes, powers of alpha; the others start with 1.
    delta : float or None, default None
        Separation of the target, > 0 and <= 1: sets alpha = 1 + delta/2.
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.
    costs : mapping or None, default None
        Label to cost of a mistake, a whole number; 1 where none is given.  A factor of the weights of its examples.

    Notes
    -----
    Algorithm::

        w_i = start for all i                    (n unknown: start * 2^-s_i when i first appears, as in Winnow1)
        for each trial (x, y) of weight c:       (a whole number: its own weight times the cost of y)
            predict 1 if sum of w_i over the active i > theta, else 0
            if y = 1 and the prediction was 0:   w_i = alpha^c * w_i for all active i   (promotion)
            if y = 0 and the prediction was 1:   w_i = w_i / alpha^c for all active i   (demotion)

    Theorem.  Some mu_i >= 0 have sum(mu_i * x_i) >= 1 on positive instances and <= 1 - delta on negative ones,
    0 < delta <= 1; w_i = 1 at the start, alpha = 1 + delta/2, theta >= 1, and every weight c is 1.  Then ::

        mistakes <= (8 / delta ^ 2) * (n / theta) + (5 / delta + 14 * ln(theta) / delta ^ 2) * sum(mu)

    A disjunction of k attributes has delta = 1 and sum(mu) = k; "at least r of k" has delta = 1/r and sum(mu) = k/r.
    docs/theorems.md proves a sharper form, and one for any start weights with (1 - delta)*alpha < 1.  With weights up
    to C the weighted mistakes are at most C times the bound of alpha^C.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, Theorem 9 and Lemmas 7 to 9.
    Chan 2019, CSCI4230 notes 3, section 3.

    Examples
    --------
    >>> learner = Winnow2(alpha=10, theta=1, rule=">=", n=10)
    >>> ten = [1] * 10
    >>> [learner.learn_one(ten, y) for y in (0, 0, 1)]  # ten times 0.1 is 1, which doubles get wrong
    [1, 1, 0]
    >>> Winnow2(delta=1, n=100).bound(k=3)
    Bound(95.6831 by the sharper Theorem 9; delta = 1, sum_mu = 3, n = 100, alpha = 1.5, theta = 100)
    """

    name = "winnow2"
    summary = "linear threshold functions with few relevant attributes; survives noise"
    hypothesis_class = "linear-thresholds"
    search_order = "multiplies or divides weights at a mistake"
    inductive_bias = "few relevant attributes"
    noise_effect = "is undone by later examples"
    parameters = (
        Parameter("alpha", "number", 1.5, above=1, grid=(1.5, 2.0, 10.0), help="factor of a promotion or demotion"),
        *PARAMETERS,
        Parameter(
            "delta", "number", None, above=0, optional=True, grid=(None, 0.5),
            help="separation of the target: sets alpha = 1 + delta/2",
        ),
    )  # fmt: skip
    theorems = (LITTLESTONE_9, SHARPER_9, START_WEIGHTS_2, WITH_WEIGHTS)
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
        start: Any = 1.0,
        delta: float | None = None,
        labels: Any = None,
        costs: Any = None,
    ) -> None:
        if delta is not None:
            checked = self.parameters[5].check(delta)
            if checked > 1:
                raise BadParameter(f"delta must be a number > 0 and <= 1: {delta!r}")
            made = 1 + checked / 2
            if alpha is not None and alpha != made:
                raise BadParameter(f"alpha must be {made:g} or left out when delta is {delta:g}: {alpha!r}")
            alpha = made
        super().__init__(
            labels, costs, alpha=1.5 if alpha is None else alpha, theta=theta, n=n, rule=rule, start=start, delta=delta
        )

    def derived_facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        """r of k attributes: delta = 1/r and sum(mu) = k/r; a disjunction is r = 1 (Chan 2019, section 3)."""
        if facts.get("relevant") is not None:
            facts.setdefault("k", len(facts["relevant"]))
        k, r = facts.get("k"), facts.get("r", 1)
        if k is not None and "sum_mu" not in facts:
            facts.setdefault("delta", 1 / r)
            facts["sum_mu"] = k / r
        facts.setdefault("delta", self.settings["delta"])
        facts = super().derived_facts(facts)
        if facts.get("sum_mu") is not None and facts.get("n"):
            facts["_log_mu"] = facts["sum_mu"] * self._largest_log(facts)
            if facts.get("relevant") is not None and k:
                facts["_log_mu"] = facts["_log_terms"] * facts["sum_mu"] / k
        return facts

    def _largest_log(self, facts: dict[str, Any]) -> float:
        """The log term of the smallest start weight: what mu may weigh most."""
        if self._starts is not None:
            return self._starts.log_terms(lambda w: self._log_of(w, facts["_most"]), 1, None)
        return self._log_term(self.smallest_start(facts["n"]), facts["_most"])
