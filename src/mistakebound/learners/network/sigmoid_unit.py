"""One sigmoid unit: least squared error (CS3244 notes, definition 4.4), or greatest likelihood (section 5).

Mitchell 1997, sections 4.5.1 and 6.5.  Rows G4 and G5.
"""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.core.params import Parameter
from mistakebound.learners.network._dense import DenseLearner
from mistakebound.learners.network._engine import Engine, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.learners.network.chance import Chance
    from mistakebound.learners.network.training import Plan


class SigmoidUnit(DenseLearner):
    """o = 1 / (1 + exp(-w.x)), x with a constant 1 before it; targets are two classes, or y is a column of numbers.

    squared: w <- w + eta times the sum of (t - o) o (1 - o) x.  likelihood: w <- w + eta times the sum of (t - o) x.

    >>> unit = SigmoidUnit(loss="likelihood", eta=0.5).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], epochs=2000)
    >>> unit.predict_many([[1.4], [1.6]])
    array([0, 1])
    >>> [round(o, 3) for o in unit.outputs([[0.0], [3.0]])[:, 0].tolist()]
    [0.0, 1.0]
    """

    name = "sigmoid-unit"
    summary = "one sigmoid unit: two classes, or the probability of one of them"
    parameters = (
        Parameter("loss", "word", "squared", words=("squared", "likelihood"), help="what is made small (large)"),
        Parameter("rule", "word", "gradient", words=("gradient", "stochastic"), help="all examples a step, or one"),
        Parameter("eta", "number", 0.1, above=0, grid=(0.1,), help="learning rate"),
        Parameter("start", "number", 0.05, at_least=0, grid=(0.05,), help="weights start between -start and start"),
        Parameter("shuffle", "flag", False, grid=(False,), help="another order of the examples in each epoch"),
        Parameter("random_state", "integer", 0, at_least=0, grid=(0,), help="seed of start and order"),
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

    def _shape_for(self, inputs: int, outputs: int | None) -> tuple[int, ...]:
        return self._unit_shape(inputs, outputs)

    def _new_engine(self, shape: tuple[int, ...], chance: Chance) -> Engine:
        weights = chance.between(size_of(shape), self.settings["start"])
        return Engine(shape, weights, loss=self.settings["loss"], eta=self.settings["eta"])

    def _plan(self, epochs: int, **how: Any) -> Plan:
        batch = self.settings["rule"] == "gradient"
        return super()._plan(epochs, batch=batch, shuffle=self.settings["shuffle"], **how)
