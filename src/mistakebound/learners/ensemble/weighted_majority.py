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
    """Says what the larger part of the weight says; an expert's weight falls by the factor beta at its mistake.

    Experts are learners of this package, by name or as objects, or anything with predict_one and learn_one.

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
    parameters = (EXPERTS, BETA)
    theorems = (HALF, ANY_BETA)
    assumable = {"m": "mistakes of the best expert, at most"}  # noqa: RUF012 - a constant of the class
    drawing = False
    _says = "the majority of"

    def __init__(self, experts: Any = USUAL, beta: float = 0.5, labels: Any = None) -> None:
        super().__init__(experts, labels, beta=beta)
