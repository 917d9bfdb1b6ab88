"""The weighted majority algorithm: Littlestone and Warmuth 1994, "The Weighted Majority Algorithm", section 2."""

from __future__ import annotations

from math import log, log2

from mistakebound.core.theorem import Condition, Theorem
from mistakebound.learners.ensemble._pool import ASSUMES, BETA, EXPERTS, USUAL, Pool, weighted_bound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HALF = Theorem(
    "the weighted majority theorem at beta = 1/2",
    source="Littlestone and Warmuth 1994, section 2",
    statement="mistakes <= (m + log2 N)/log2(4/3) < 2.41(m + log2 N), N experts of whom one makes m mistakes",
    assumes=ASSUMES,
    needs=("m", "experts"),
    conditions=(Condition("beta = 1/2", ("beta",), lambda f: f["beta"] == 0.5),),
    formula=lambda f: (f["m"] + log2(f["experts"])) / log2(4 / 3),
)
ANY_BETA = Theorem(
    "the weighted majority theorem",
    source="Littlestone and Warmuth 1994, section 2",
    statement="mistakes <= (m ln(1/beta) + ln N)/ln(2/(1+beta)), N experts of whom one makes m mistakes",
    assumes=ASSUMES,
    needs=("m", "experts", "beta"),
    conditions=(Condition("beta is not 1/2", ("beta",), lambda f: f["beta"] != 0.5),),
    formula=lambda f: weighted_bound(f["m"], f["experts"], f["beta"]) / log(2 / (1 + f["beta"])),
)


class WeightedMajority(Pool):
    """The weighted majority algorithm: a vote of experts, almost as good as the best of them.

    Parameters
    ----------
    experts : str or sequence, default "perceptron,perceptron(bias=false)"
        Who votes: learners of this package, as texts or as objects that have learned nothing, or any objects with
        predict_one and learn_one.
    beta : float, default 0.5
        Factor of an expert's weight at its mistake; > 0 and < 1.
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.
    costs : mapping or None, default None
        Label to cost of a mistake, a whole number > 0; 1 where none is given.  A factor of the weights of its examples.

    Notes
    -----
    Algorithm::

        w_j = 1 for each expert j
        for each trial (x, y) of weight c:       (a whole number)
            ask every expert for its prediction of x
            predict the label with the largest sum of w_j behind it      (a tie: the negative one)
            w_j = beta^c * w_j for every expert j that was wrong
            every expert learns (x, y) with weight c

    Theorem.  If one of N experts makes m mistakes (with weights: the sum of theirs), ::

        mistakes <= (m * ln(1 / beta) + ln(N)) / ln(2 / (1 + beta))

    At beta = 1/2 this is (m + log2 N)/log2(4/3), less than 2.41*(m + log2 N).  m is told, or it is the count of the
    best expert so far, or the bound of an expert for what was told about the target.  Littlestone and Warmuth multiply
    weights only in trials in which the majority is wrong; here every mistake of an expert counts, and the proof is the
    same.

    References
    ----------
    Littlestone and Warmuth 1994, The weighted majority algorithm, section 2.

    Examples
    --------
    >>> learner = WeightedMajority(["winnow2", "perceptron"])
    >>> for words, label in (({"free", "now"}, 1), ({"now"}, 0), ({"free"}, 1)):
    ...     _ = learner.learn_one(words, label)
    >>> learner.experts()
    [('winnow2', 2, 0.5), ('perceptron', 2, 0.5)]
    >>> learner.bound()
    Bound(7.22826 by the weighted majority theorem at beta = 1/2; m = 2, experts = 2)
    """

    name = "weighted-majority"
    summary = "any learners together: not much worse than the best of them"
    hypothesis_class = "weighted votes of experts"
    search_order = "divides the weights of wrong experts"
    inductive_bias = "some expert is good"
    noise_effect = "costs as many as the best expert errs"
    parameters = (EXPERTS, BETA)
    theorems = (HALF, ANY_BETA)
    assumable = {"m": "maximum mistakes of the best expert"}  # noqa: RUF012 - a constant of the class
    drawing = False
    _says = "the majority of"

    def __init__(self, experts: Any = USUAL, beta: float = 0.5, labels: Any = None, costs: Any = None) -> None:
        super().__init__(experts, labels, costs, beta=beta)
