"""The randomized weighted majority algorithm: Littlestone and Warmuth 1994, on randomized predictions."""

from __future__ import annotations

from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Theorem
from mistakebound.kernels import ensemble as kernel
from mistakebound.learners.ensemble._pool import ASSUMES, BETA, EXPERTS, USUAL, Pool, weighted_bound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EXPECTED = Theorem(
    "the randomized weighted majority theorem",
    source="Littlestone and Warmuth 1994; docs/theorems.md",
    statement="expected mistakes <= (m ln(1/beta) + ln N)/(1 - beta), N experts of whom one makes m mistakes",
    assumes=ASSUMES,
    needs=("m", "experts", "beta"),
    formula=lambda f: weighted_bound(f["m"], f["experts"], f["beta"]) / (1 - f["beta"]),
    expected=True,
)


class RandomizedWeightedMajority(Pool):
    """The randomized weighted majority algorithm: predicts as one expert does, drawn by weight in each trial.

    Parameters
    ----------
    experts : str or sequence, default "perceptron,perceptron(bias=false)"
        Who is drawn from: learners of this package, as texts or as objects that have learned nothing, or any objects
        with predict_one and learn_one.
    beta, labels, costs
        As of `WeightedMajority`.
    random_state : int, default 0
        Seed of the draws; >= 0.  The draw of a trial depends on it and on the number of trials learned, on nothing
        else: predicting twice gives the same, and a game replays.

    Notes
    -----
    Algorithm::

        w_j = 1 for each expert j
        for each trial (x, y):
            draw an expert j with probability w_j / (sum of all weights)
            predict what expert j predicts for x
            w_j = beta * w_j for every expert j that was wrong
            every expert learns (x, y)

    Theorem.  If one of N experts makes m mistakes, and what the experts say does not depend on the draws, ::

        expected mistakes <= (m * ln(1/beta) + ln(N)) / (1 - beta)

    `expected_mistakes` is the expected number of mistakes so far: the wrong part of the weight, summed over the trials.
    The mistakes of one run may be more than that.

    References
    ----------
    Littlestone and Warmuth 1994, The weighted majority algorithm.  docs/theorems.md has the proof.

    Examples
    --------
    >>> learner = RandomizedWeightedMajority(["winnow2", "perceptron"], random_state=1)
    >>> for words, label in (({"free", "now"}, 1), ({"now"}, 0), ({"free"}, 1)):
    ...     _ = learner.learn_one(words, label)
    >>> learner.experts(), round(learner.expected_mistakes, 3)
    ([('winnow2', 2, 0.5), ('perceptron', 2, 0.5)], 2.167)
    """

    name = "randomized-weighted-majority"
    summary = "any learners together, one of them drawn at each trial: on average half the mistakes of the majority"
    hypothesis_class = "one of the experts, drawn"
    search_order = "divides the weights of wrong experts"
    inductive_bias = "some expert is good"
    noise_effect = "costs as many as the best expert errs"
    parameters = (
        EXPERTS, BETA,
        Parameter("random_state", "integer", 0, at_least=0, help="random seed of the draws"),
    )  # fmt: skip
    theorems = (EXPECTED,)
    assumable = {"m": "maximum mistakes of the best expert"}  # noqa: RUF012 - a constant of the class
    drawing = True
    _says = "one, drawn by weight, of"

    def __init__(
        self, experts: Any = USUAL, beta: float = 0.5, random_state: int = 0, labels: Any = None, costs: Any = None
    ) -> None:
        super().__init__(experts, labels, costs, beta=beta, random_state=random_state)
        self._seed = self.settings["random_state"] % (1 << 64)

    @property
    def expected_mistakes(self) -> float:
        """The expected number of mistakes in the trials so far: the wrong part of the weight, added up."""
        return self._expected[0]

    def _manner(self) -> tuple[Any, ...]:
        return self.settings["random_state"], self._counts[kernel.TRIALS]
