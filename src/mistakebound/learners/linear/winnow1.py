"""Winnow1 for monotone disjunctions: Littlestone 1988, Theorem 7; Chan 2019, section 2; Chandola 2015, section 2.2."""

from __future__ import annotations

from math import log, log2

from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Condition, Lemma, Theorem
from mistakebound.learners.linear._winnow import (
    ALIKE,
    PARAMETERS,
    STARTS_AT_ONE,
    ExponentWinnow,
    alike,
    bounded_weights,
    largest_weight,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_TARGET = "the target is a monotone disjunction of at most k = {k} of n = {n} attributes"
_NONE = "no monotone disjunction of at most {k} of {n} attributes explains these labels"
_K = "the target is a monotone disjunction of at most k = {k} attributes"
_NEAR = 1 + 1e-9  # for sums of rounded logarithms

LITTLESTONE_7 = Theorem(
    "Theorem 7",
    source="Littlestone 1988, Theorem 7",
    statement="mistakes <= alpha*k*(log_alpha(theta) + 1) + n/theta",
    assumes=_TARGET,
    refutes=_NONE,
    needs=("k", "n", "alpha", "theta"),
    conditions=(
        ALIKE,
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


def _doubling(
    name: str, source: str, statement: str, formula: Callable[[Any], float], *conditions: Condition
) -> Theorem:
    return Theorem(
        name, source=source, statement=statement, assumes=_TARGET, refutes=_NONE, needs=("k", "n"), formula=formula,
        conditions=(ALIKE, STARTS_AT_ONE, Condition("alpha = 2", ("alpha",), lambda f: f["alpha"] == 2), *conditions),
    )  # fmt: skip


CHAN = _doubling(
    "Chan's bound",
    "Chan, Winnow notes, section 2",
    "mistakes <= 2*k*log2(2n) + 1",
    lambda f: 2 * f["k"] * log2(2 * f["n"]) + 1,
    Condition("theta = n", ("theta", "n"), lambda f: f["theta"] == f["n"]),
    Condition("the rule is >=", ("rule",), lambda f: f["rule"] == ">="),
)
CHANDOLA = _doubling(
    "Chandola's bound",
    "Chandola, lecture 6, section 2.3",
    "mistakes <= 2*k*log2(n) + 2",
    lambda f: 2 * f["k"] * log2(f["n"]) + 2,
    Condition("theta = n/2", ("theta", "n"), lambda f: 2 * f["theta"] == f["n"]),
    Condition("n >= 1", ("n",), lambda f: f["n"] >= 1),
)
START_WEIGHTS = Theorem(
    "the start-weights theorem",
    source="docs/theorems.md, after Littlestone 1988, section 4",
    statement="mistakes <= alpha*sum over relevant i of (log_alpha(theta/w0_i) + 1) + (sum of w0)/theta",
    assumes="the target is a monotone disjunction of at most k = {k} of the {n} attributes that appear",
    refutes=_NONE,
    needs=("k", "n", "_log_terms", "_start_sum", "alpha", "theta"),
    conditions=(ALIKE,),
    formula=lambda f: f["alpha"] * f["_log_terms"] + f["_start_sum"] / f["theta"],
)
WITH_WEIGHTS = Theorem(
    "the start-weights theorem with weights",
    source="docs/theorems.md, after Littlestone 1988, section 4",
    statement="mistakes <= C/c*(A*sum over relevant i of (log_A(theta/w0_i) + 1) + (sum of w0)/theta), A = alpha^C, "
    "the weights of mistakes from c to C",
    assumes=START_WEIGHTS.assumes,
    refutes=_NONE,
    needs=("k", "n", "_log_terms", "_start_sum", "_rise", "theta", "_least", "_most"),
    formula=lambda f: f["_most"] / f["_least"] * (f["_rise"] * f["_log_terms"] + f["_start_sum"] / f["theta"]),
)


def _chan(facts: Any) -> bool:
    return alike(facts) and bool(
        facts.get("n") == facts["theta"] and facts["alpha"] == 2 and facts["rule"] == ">=" and facts["_starts_at_one"]
    )


LEMMAS = (
    Lemma(
        "Lemma 3",
        source="Littlestone 1988",
        statement="eliminations v <= (sum of start weights)/theta + (alpha - 1)*u",
        needs=("_start_sum",),
        when=alike,
        holds=lambda learner, u, v, f: v <= (f["_start_sum"] / f["theta"] + (f["alpha"] - 1) * u) * _NEAR,
        sides=lambda learner, u, v, f: (v, f["_start_sum"] / f["theta"] + (f["alpha"] - 1) * u),
    ),
    bounded_weights("Lemma 4"),
    Lemma(
        "Lemma 5",
        source="Littlestone 1988",
        statement="for some i, log_alpha(w_i) >= u/k",
        needs=("k",),
        when=lambda f: alike(f) and f["k"] >= 1 and f["_starts_at_one"],
        assumes=_K,
        holds=lambda learner, u, v, f: log(max(1.0, largest_weight(learner))) * _NEAR >= u / f["k"] * log(f["alpha"]),
        sides=lambda learner, u, v, f: (u / f["k"], log(max(1.0, largest_weight(learner))) / log(f["alpha"])),
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
        assumes=_K,
        holds=lambda learner, u, v, f: u <= f["k"] * log2(2 * f["n"]) * _NEAR,
        sides=lambda learner, u, v, f: (u, f["k"] * log2(2 * f["n"])),
    ),
    Lemma(
        "Chan's Lemma 2.1",
        source="Chan, section 2",
        statement="eliminations <= promotions + 1",
        when=_chan,
        holds=lambda learner, u, v, f: v <= u + 1,
        sides=lambda learner, u, v, f: (v, u + 1),
    ),
)


class Winnow1(ExponentWinnow):
    """Winnow1: learns monotone disjunctions of a few among many 0/1 attributes.

    A false negative multiplies the weights of the active attributes by `alpha`.  A false positive sets them to 0, for
    ever: Winnow1 does not recover from wrong labels, `Winnow2` does.

    Parameters
    ----------
    alpha : float, default 2.0
        Factor of a promotion; > 1.
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
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.
    costs : mapping or None, default None
        Label to cost of a mistake, a whole number; 1 where none is given.  A factor of the weights of its examples.

    Notes
    -----
    Algorithm::

        w_i = start for all i                    (n unknown: start * 2^-s_i when i first appears)
        for each trial (x, y) of weight c:       (a whole number: its own weight times the cost of y)
            predict 1 if sum of w_i over the active i > theta, else 0
            if y = 1 and the prediction was 0:   w_i = alpha^c * w_i for all active i   (promotion)
            if y = 0 and the prediction was 1:   w_i = 0 for all active i               (elimination)

    Theorem.  The target is a monotone disjunction of at most k of n attributes, w_i = 1 at the start, alpha > 1 and
    theta >= 1/alpha.  Then ::

        mistakes <= alpha * k * (log_alpha(theta) + 1) + n / theta

    With alpha = 2 this is 2k*log2(2n) + 1 for theta = n and 2k*log2(n) + 2 for theta = n/2.  With n unknown s_i is b +
    2*ceil(log2(b + 1)), b = floor(log2 J), where J counts the attributes that have appeared; docs/theorems.md has the
    bound for this and for any other start weights, and `bound` quotes it when start is not 1.  With weights up to C the
    weighted mistakes are at most C times the bound of alpha^C.  Weights are kept as
    integer exponents of alpha, and every prediction is that of exact arithmetic.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, Theorem 7 and Lemmas 3 to 5.
    Chan 2019, CSCI4230 notes 3, section 2.  Chandola 2015, CSE474/574 lecture 6, section 2.3.

    Examples
    --------
    >>> learner = Winnow1(n=4, labels=(0, 1))
    >>> learner.learn_one({"3"}, 1), learner.learn_one({"3"}, 1), learner.learn_one({"3"}, 1)
    (0, 0, 0)
    >>> learner.weight("3"), learner.predict_one({"3", "4"})
    (8.0, 1)
    >>> print(learner.hypothesis)
    8*x3 > 4, every attribute not seen yet counting 1
    >>> learner.bound(k=1)
    Bound(7 by Theorem 7; k = 1, n = 4, alpha = 2, theta = 4)
    >>> Winnow1(n=4, theta=1, start="1/n").bound(k=1)  # the same learner, in other units
    Bound(7 by the start-weights theorem; k = 1, n = 4, alpha = 2, theta = 1)
    >>> guess = Winnow1(n=1000, start={"x3": 512.0, "x17": 512.0})  # the relevant ones, if the guess is right
    >>> guess.bound(relevant=["3", "17"]).mistakes, Winnow1(n=1000).bound(k=2).mistakes
    (9, 44)
    """

    name = "winnow1"
    summary = "monotone disjunctions of few among many attributes, no noise"
    hypothesis_class = "linear-thresholds"
    search_order = "multiplies weights at a mistake, or strikes them out"
    inductive_bias = "few relevant attributes"
    noise_effect = "is never undone"
    parameters = (
        Parameter("alpha", "number", 2.0, above=1, grid=(2.0, 1.5, 10.0), help="factor of a promotion"),
        *PARAMETERS,
    )
    theorems = (LITTLESTONE_7, CHAN, CHANDOLA, START_WEIGHTS, WITH_WEIGHTS)
    lemmas = LEMMAS
    eliminates = True

    def __init__(
        self,
        alpha: float = 2.0,
        theta: Any = None,
        n: int | None = None,
        rule: str = ">",
        start: Any = 1.0,
        labels: Any = None,
        costs: Any = None,
    ) -> None:
        super().__init__(labels, costs, alpha=alpha, theta=theta, n=n, rule=rule, start=start)
