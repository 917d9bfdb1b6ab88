"""The randomized weighted majority algorithm: Littlestone and Warmuth 1994, on randomized predictions."""

from __future__ import annotations

from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Theorem
from mistakebound.kernels import council as kernel
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
    """Says what one expert says, drawn anew at each trial by weight; weights fall as in WeightedMajority.

    The draw of a trial depends on `random_state` and on how many trials were learned, on nothing else: predicting twice
    gives the same, and a game replays.  `expected_mistakes` is what the draws could be expected to come to.

    >>> learner = RandomizedWeightedMajority(["winnow2", "perceptron"], random_state=1)
    >>> for words, label in (({"free", "now"}, 1), ({"now"}, 0), ({"free"}, 1)):
    ...     _ = learner.learn_one(words, label)
    >>> learner.experts(), round(learner.expected_mistakes, 3)
    ([('winnow2', 2, 0.5), ('perceptron', 2, 0.5)], 2.167)
    """

    name = "randomized-weighted-majority"
    summary = "any learners together, one of them drawn at each trial: on average half the mistakes of the majority"
    parameters = (
        EXPERTS, BETA,
        Parameter("random_state", "integer", 0, at_least=0, help="seed of the draws"),
    )  # fmt: skip
    theorems = (EXPECTED,)
    assumable = {"m": "mistakes of the best expert, at most"}  # noqa: RUF012 - a constant of the class
    drawing = True
    _says = "one, drawn by weight, of"

    def __init__(self, experts: Any = USUAL, beta: float = 0.5, random_state: int = 0, labels: Any = None) -> None:
        super().__init__(experts, labels, beta=beta, random_state=random_state)
        self._seed = self.settings["random_state"] % (1 << 64)

    @property
    def expected_mistakes(self) -> float:
        """The expected number of mistakes in the trials so far: the wrong part of the weight, added up."""
        return self._expected[0]

    def _manner(self) -> tuple[Any, ...]:
        return self.settings["random_state"], self._counts[kernel.TRIALS]
