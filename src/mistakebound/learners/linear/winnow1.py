"""Winnow1 for monotone disjunctions: Littlestone 1988, section 4; Chan, section 2; Chandola, section 2.2."""

from __future__ import annotations

from math import log, log2

from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Condition, Lemma, Theorem
from mistakebound.learners.linear._winnow import RULE, STARTS_AT_ONE, THETA, ExponentWinnow, N, largest_weight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TARGET = "the target is a monotone disjunction of at most k = {k} of n = {n} attributes"
_NONE = "no monotone disjunction of at most {k} of {n} attributes explains these labels"

LITTLESTONE_7 = Theorem(
    "Theorem 7",
    source="Littlestone 1988, Theorem 7",
    statement="mistakes <= alpha*k*(log_alpha(theta) + 1) + n/theta",
    assumes=_TARGET,
    refutes=_NONE,
    needs=("k", "n", "alpha", "theta"),
    conditions=(
        STARTS_AT_ONE,
        Condition("alpha > 1", ("alpha",), lambda f: f["alpha"] > 1),
        Condition("theta >= 1/alpha", ("theta", "alpha"), lambda f: f["theta"] * f["alpha"] >= 1),
    ),
    formula=lambda f: (
        f["alpha"] * f["k"] * (log(f["theta"]) / log(f["alpha"]) + 1) + f["n"] / f["theta"]
        if f["alpha"] != 2
        else 2 * f["k"] * (log2(f["theta"]) + 1) + f["n"] / f["theta"]
    ),
)
CHAN = Theorem(
    "Chan's bound",
    source="Chan, Winnow notes, section 2",
    statement="mistakes <= 2*k*log2(2n) + 1",
    assumes=_TARGET,
    refutes=_NONE,
    needs=("k", "n"),
    conditions=(
        STARTS_AT_ONE,
        Condition("alpha = 2", ("alpha",), lambda f: f["alpha"] == 2),
        Condition("theta = n", ("theta", "n"), lambda f: f["theta"] == f["n"]),
        Condition("the rule is >=", ("rule",), lambda f: f["rule"] == ">="),
    ),
    formula=lambda f: 2 * f["k"] * log2(2 * f["n"]) + 1,
)
CHANDOLA = Theorem(
    "Chandola's bound",
    source="Chandola, lecture 6, section 2.3",
    statement="mistakes <= 2*k*log2(n) + 2",
    assumes=_TARGET,
    refutes=_NONE,
    needs=("k", "n"),
    conditions=(
        STARTS_AT_ONE,
        Condition("alpha = 2", ("alpha",), lambda f: f["alpha"] == 2),
        Condition("theta = n/2", ("theta", "n"), lambda f: 2 * f["theta"] == f["n"]),
        Condition("n >= 1", ("n",), lambda f: f["n"] >= 1),
    ),
    formula=lambda f: 2 * f["k"] * log2(f["n"]) + 2,
)
START_WEIGHTS = Theorem(
    "the start-weights theorem",
    source="docs/theorems.md, after Littlestone 1988, section 4",
    statement="mistakes <= alpha*sum over relevant i of (log_alpha(theta/w0_i) + 1) + (sum of w0)/theta",
    assumes="the target is a monotone disjunction of at most k = {k} of the {n} attributes that appear",
    refutes=_NONE,
    needs=("k", "n", "_log_terms", "_start_sum", "alpha", "theta"),
    formula=lambda f: f["alpha"] * f["_log_terms"] + f["_start_sum"] / f["theta"],
)


def _chan(facts: Any) -> bool:
    return bool(
        facts.get("n") == facts["theta"] and facts["alpha"] == 2 and facts["rule"] == ">=" and facts["_starts_at_one"]
    )


_NEAR = 1 + 1e-9  # for sums of rounded logarithms

LEMMAS = (
    Lemma(
        "Lemma 3",
        source="Littlestone 1988",
        statement="eliminations v <= (sum of start weights)/theta + (alpha - 1)*u",
        needs=("_start_sum",),
        holds=lambda learner, u, v, f: v <= (f["_start_sum"] / f["theta"] + (f["alpha"] - 1) * u) * _NEAR,
    ),
    Lemma(
        "Lemma 4",
        source="Littlestone 1988",
        statement="every weight is at most alpha*theta",
        when=lambda f: f["theta"] * f["alpha"] >= 1,
        holds=lambda learner, u, v, f: largest_weight(learner) <= f["alpha"] * f["theta"] * _NEAR,
    ),
    Lemma(
        "Lemma 5",
        source="Littlestone 1988",
        statement="for some i, log_alpha(w_i) >= u/k",
        needs=("k",),
        when=lambda f: f["k"] >= 1 and f["_starts_at_one"],
        assumes="the target is a monotone disjunction of at most k = {k} attributes",
        holds=lambda learner, u, v, f: log(max(1.0, largest_weight(learner))) * _NEAR >= u / f["k"] * log(f["alpha"]),
    ),
    Lemma(
        "Chan's first claim",
        source="Chan, section 2",
        statement="weights that are not 0 are powers of 2, and less than 2n",
        when=_chan,
        holds=lambda learner, u, v, f: all(
            w == 0 or (w < 2 * f["n"] and log2(w).is_integer()) for w in learner.weights().values()
        ),
    ),
    Lemma(
        "Chan's second claim",
        source="Chan, section 2",
        statement="promotions <= k*log2(2n)",
        needs=("k",),
        when=_chan,
        assumes="the target is a monotone disjunction of at most k = {k} attributes",
        holds=lambda learner, u, v, f: u <= f["k"] * log2(2 * f["n"]) * _NEAR,
    ),
    Lemma(
        "Chan's Lemma 2.1",
        source="Chan, section 2",
        statement="eliminations <= promotions + 1",
        when=_chan,
        holds=lambda learner, u, v, f: v <= u + 1,
    ),
)


class Winnow1(ExponentWinnow):
    """Multiply active weights by alpha at a false negative, set them to 0 at a false positive.

    >>> learner = Winnow1(n=4, labels=(0, 1))
    >>> learner.learn_one({"3"}, 1), learner.learn_one({"3"}, 1), learner.learn_one({"3"}, 1)
    (0, 0, 0)
    >>> learner.weight("3"), learner.predict_one({"3", "4"})
    (8.0, 1)
    >>> print(learner.hypothesis)
    8*x3 > 4, every attribute not seen yet counting 1
    >>> learner.bound(k=1)
    Bound(7 by Theorem 7; k = 1, n = 4, alpha = 2, theta = 4)
    """

    name = "winnow1"
    summary = "monotone disjunctions of few among many attributes, no noise"
    parameters = (
        Parameter("alpha", "number", 2.0, above=1, grid=(2.0, 1.5, 10.0), help="factor of a promotion"),
        THETA,
        N,
        RULE,
    )
    theorems = (LITTLESTONE_7, CHAN, CHANDOLA, START_WEIGHTS)
    lemmas = LEMMAS
    eliminates = True

    def __init__(
        self, alpha: float = 2.0, theta: Any = None, n: int | None = None, rule: str = ">", labels: Any = None
    ) -> None:
        super().__init__(labels, alpha=alpha, theta=theta, n=n, rule=rule)
