"""Backpropagation for layers of sigmoid units, one example at a time (CS3244 notes, definition 4.5 and after it).

Mitchell 1997, sections 4.5 to 4.8.  Rows G6 (any depth), G7 (momentum), G8 (weight penalty), G9 (slopes), G10 (tied
weights), G11 (several starts) and G12 (a network for any Boolean function).
"""

from __future__ import annotations

import numpy as np

from mistakebound.core.call_lock import exclusive
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.params import Parameter
from mistakebound.learners.network._dense import DenseLearner
from mistakebound.learners.network._engine import Engine, size_of
from mistakebound.learners.network._examples import check_rows, matrix_of, row_of
from mistakebound.learners.network._layers_parameter import LayersParameter, TiesParameter
from mistakebound.learners.network._slopes import WithSlopes, slopes_of
from mistakebound.learners.network._ties import ties_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.ledger import Ledger
    from mistakebound.learners.network.chance import Chance
    from mistakebound.learners.network.training import Examples, Plan

    Floats = npt.NDArray[np.float64]


class Network(DenseLearner):
    """Layers of sigmoid units, each connected to all of the layer before and to a constant 1.

    `layers` are their sizes from the inputs to the outputs; None at either end is taken from the data.  A step moves a
    weight by eta * delta * input - 2 * eta * decay * weight + momentum * (the last step).  `slopes` is mu of row G9:
    fit(X, y, slopes=S) then wants the slopes of the targets too.  `ties` are groups of (layer, unit, input) that share
    one weight, counted from 1, input 0 being the constant.

    >>> xor = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> network = Network([2, 3, 1], eta=0.5, momentum=0.9, start=0.5, random_state=1).fit(*xor, epochs=2000)
    >>> network.predict_many(xor[0])
    array([0, 1, 1, 0])
    >>> print(network.hypothesis)
    a 2-3-1 network with 13 weights
    """

    name = "network"
    for_files = "table-network"
    summary = "layers of sigmoid units: any function, given enough of them, without a bound"
    parameters = (
        LayersParameter("layers", grid=((None, 3, None),), help="units a layer, from the inputs to the outputs"),
        Parameter("eta", "number", 0.3, above=0, grid=(0.3,), help="learning rate"),
        Parameter("momentum", "number", 0.0, at_least=0, below=1, grid=(0.0, 0.9), help="share of the last step"),
        Parameter("decay", "number", 0.0, at_least=0, grid=(0.0,), help="gamma of the penalty gamma * sum of w^2"),
        Parameter("slopes", "number", None, at_least=0, optional=True, help="mu, the weight of errors of slopes"),
        TiesParameter("ties", help="groups of (layer, unit, input) that share one weight"),
        Parameter("loss", "word", "squared", words=("squared", "likelihood"), help="what is made small (large)"),
        Parameter("output", "word", "sigmoid", words=("sigmoid", "linear"), help="units of the last layer"),
        Parameter("restarts", "integer", 1, at_least=1, grid=(1,), help="random starts, of which the best is kept"),
        Parameter("start", "number", 0.05, above=0, grid=(0.05,), help="weights start between -start and start"),
        Parameter("shuffle", "flag", True, grid=(True,), help="another order of the examples in each epoch"),
        Parameter("random_state", "integer", 0, at_least=0, grid=(0,), help="seed of start and order"),
    )

    def __init__(
        self,
        layers: Sequence[int | None],
        eta: float = 0.3,
        momentum: float = 0.0,
        decay: float = 0.0,
        slopes: float | None = None,
        ties: Any = None,
        loss: str = "squared",
        output: str = "sigmoid",
        restarts: int = 1,
        start: float = 0.05,
        shuffle: bool = True,
        random_state: int = 0,
        classes: Sequence[Any] | None = None,
    ) -> None:
        super().__init__(
            classes, layers=layers, eta=eta, momentum=momentum, decay=decay, slopes=slopes, ties=ties, loss=loss,
            output=output, restarts=restarts, start=start, shuffle=shuffle, random_state=random_state,
        )  # fmt: skip
        if self.settings["output"] == "linear" and self.settings["loss"] == "likelihood":
            raise BadParameter("output must be 'sigmoid' where the loss is likelihood: 'linear'")
        shape = self.settings["layers"]
        if None not in shape:
            ties_of(self.settings["ties"], shape)

    @classmethod
    def for_function(cls, f: Any, n: int | None = None) -> Network:
        """A network with one hidden layer that computes a Boolean function of n attributes, built and not learned.

        f is a concept or its text, a function of n bits, or the 2^n labels of all instances, the last bit changing
        fastest.

        >>> network = Network.for_function(lambda a, b: a != b, n=2)
        >>> network.shape, network.predict_many([[0, 0], [0, 1], [1, 0], [1, 1]])
        ((2, 2, 1), array([0, 1, 1, 0]))
        """
        from mistakebound.learners.network._boolean import layers_for, truth_table

        hidden, last = layers_for(truth_table(f, n))
        network = cls([hidden.shape[1] - 1, len(hidden), 1], classes=(0, 1))
        network._engine = network._untaught(hidden.shape[1] - 1)
        for layer, weights in ((1, hidden), (2, last)):
            network._engine.matrix(layer)[:] = weights
        return network

    def _shape_for(self, inputs: int, outputs: int | None) -> tuple[int, ...]:
        layers = self.settings["layers"]
        if layers[0] not in (None, inputs):
            raise BadData(f"layers begin with {layers[0]} inputs: an instance has {inputs}")
        if outputs is not None and layers[-1] not in (None, outputs):
            raise BadData(f"layers end in {layers[-1]} outputs: a target has {outputs}")
        return (inputs, *layers[1:-1], layers[-1] or outputs or 0)

    def _outputs_for(self, classes: int) -> int:
        return classes

    def _new_engine(self, shape: tuple[int, ...], chance: Chance) -> Engine:
        given = {name: self.settings[name] for name in ("output", "loss", "eta", "momentum", "decay")}
        ties = ties_of(self.settings["ties"], shape)
        weights = chance.between(size_of(shape), self.settings["start"])
        ties.unite(weights)
        return Engine(shape, weights, ties=ties, **given)

    def _plan(self, epochs: int, **how: Any) -> Plan:
        return super()._plan(epochs, shuffle=self.settings["shuffle"], mu=self.settings["slopes"], **how)

    def _check_slopes(self, examples: Examples, more: dict[str, Any]) -> Floats | None:
        given = more.pop("slopes", None)
        super()._check_slopes(examples, more)
        if (given is None) != (self.settings["slopes"] is None):
            raise BadParameter(
                "slopes must be given twice, their weight to Network(slopes=...) and their values to fit(slopes=...)"
            )
        if given is None:
            return None
        return slopes_of(given, examples.X, examples.T)

    def _learn_rows(self, X: Any, y: list[Any], ledger: Ledger | None = None) -> list[Any]:
        if self.settings["slopes"] is not None:
            raise BadParameter(f"slopes must be none to learn one by one: {self.settings['slopes']:g}")
        return super()._learn_rows(X, y, ledger)

    @exclusive
    def hidden(self, X: Any) -> list[Floats]:
        """What the units of each hidden layer say of each row: the code that the network has found."""
        engine = self._ready()
        return engine.hidden(matrix_of(X, width=engine.shape[0]))[:-1]

    @exclusive
    def slopes(self, x: Any) -> Floats:
        """do/dx at one instance: a row an output, a column an input."""
        engine = self._ready()
        return WithSlopes(engine, 0.0).slopes(row_of(x, engine.shape[0])[0])

    @exclusive
    def gradient(self, X: Any, T: Any, slopes: Any = None) -> tuple[float, list[Floats]]:
        """What is minimised, the penalty of the weights in it, and its gradient, a matrix a layer as in `weights`.

        T are targets (rows x outputs).  Tied weights have the gradient of the one weight that they are.
        """
        engine = self._ready()
        X, T = matrix_of(X, width=engine.shape[0]), matrix_of(T, "T", engine.shape[-1])
        check_rows(len(X), len(T))
        mu = self.settings["slopes"]
        if (slopes is None) != (mu is None):
            raise BadParameter("slopes must be given to gradient(slopes=...) if their weight is to Network(slopes=...)")
        if mu is None:
            loss, down = engine.gradient(X, T)
        else:
            both, loss, down = WithSlopes(engine, mu), 0.0, np.zeros(len(engine.weights))
            for x, t, s in zip(X, T, slopes_of(slopes, X, T), strict=True):
                one, way = both.way_down(x, t, s)
                loss, down = loss + one, down + way
        loss += engine.decay * float(np.square(engine.weights).sum())
        up = 2.0 * engine.decay * engine.weights - down
        engine.ties.total(up)
        return loss, [engine.matrix(layer, up) for layer in range(1, len(engine.shape))]
