"""One sigmoid unit: least squared error (Ma 2019, definition 4.4), or greatest likelihood (section 5).

Mitchell 1997, sections 4.5.1 and 6.5.
"""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.core.params import Parameter
from mistakebound.learners.network._dense import UnitLearner
from mistakebound.learners.network._engine import Engine, size_of
from mistakebound.learners.network._parameters import LOSS, SEED, UNIT_ETA, UNIT_SHUFFLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.learners.network.training import Chance


class SigmoidUnit(UnitLearner):
    """One sigmoid unit for two classes, or for the probability of one of them.

    Parameters
    ----------
    loss : {"squared", "likelihood"}, default "squared"
        What is made small: half the squared error, or the negative log-likelihood (logistic regression).
    rule : {"gradient", "stochastic"}, default "gradient"
        All examples make one step, or each makes its own.
    eta, shuffle, random_state
        As of `LinearUnit`.
    start : float, default 0.05
        Weights start between -start and start; >= 0.
    classes : pair or None, default None
        The two labels.  None: those of the data.  y may also be a column of numbers from 0 to 1.

    Notes
    -----
    Algorithm, x with a constant 1 before it::

        for each epoch:
            o = 1 / (1 + exp(-w . x)) for every example (x, t)
            w = w + eta * sum over the examples of (t - o) * o * (1 - o) * x        (squared)
            w = w + eta * sum over the examples of (t - o) * x                      (likelihood)
        stochastic: the same step after every single example

    There is no mistake bound.  The log-likelihood is concave in w; the squared error may have several local minima.

    References
    ----------
    Mitchell 1997, Machine Learning, sections 4.5.1 and 6.5.  Ma 2019, CS3244 notes, sections 4 and 5.

    Examples
    --------
    >>> unit = SigmoidUnit(loss="likelihood", eta=0.5).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], epochs=2000)
    >>> unit.predict_many([[1.4], [1.6]])
    array([0, 1])
    >>> [round(o, 3) for o in unit.outputs([[0.0], [3.0]])[:, 0].tolist()]
    [0.0, 1.0]
    """

    name = "sigmoid-unit"
    summary = "one sigmoid unit: two classes, or the probability of one of them"
    hypothesis_class = "half-spaces"
    search_order = "gradient descent"
    inductive_bias = "smooth interpolation"
    noise_effect = "is averaged"
    parameters = (
        LOSS,
        Parameter(
            "rule",
            "word",
            "gradient",
            words=("gradient", "stochastic"),
            help="gradient: all examples per step; stochastic: one",
        ),
        UNIT_ETA,
        Parameter("start", "number", 0.05, at_least=0, grid=(0.05,), help="weights start between -start and start"),
        UNIT_SHUFFLE,
        SEED,
    )

    def __init__(
        self,
        loss: str = "squared",
        rule: str = "gradient",
        eta: float = 0.1,
        start: float = 0.05,
        shuffle: bool = False,
        random_state: int = 0,
        classes: Sequence[Any] | None = None,
    ) -> None:
        given: dict[str, Any] = {"loss": loss, "rule": rule, "eta": eta, "start": start, "shuffle": shuffle}
        super().__init__(classes, **given, random_state=random_state)
        if classes is not None and len(self.classes) != 2:
            raise BadParameter(f"classes must be two labels: {classes!r}")

    def _new_engine(self, shape: tuple[int, ...], chance: Chance) -> Engine:
        weights = chance.between(size_of(shape), self.settings["start"])
        return Engine(shape, weights, loss=self.settings["loss"], eta=self.settings["eta"])
