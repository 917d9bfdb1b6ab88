"""Backpropagation for layers of sigmoid units, one example at a time (Ma 2019, definition 4.5 and after it).

Mitchell 1997, sections 4.5 to 4.8: any depth, momentum, a weight penalty, training on slopes, tied weights, several
starts, and a network for any Boolean function.
"""

from __future__ import annotations

from itertools import product
from math import log

import numpy as np

from mistakebound.concepts import parse
from mistakebound.core.atomic import exclusive
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.params import Parameter
from mistakebound.learners.network._dense import DenseLearner
from mistakebound.learners.network._engine import Engine, size_of
from mistakebound.learners.network._examples import check_rows, matrix_of, row_of
from mistakebound.learners.network._parameters import LOSS, SEED, SHUFFLE, LayersParameter, TiesParameter, ties_of
from mistakebound.learners.network._slopes import WithSlopes, slopes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.ledger import Ledger
    from mistakebound.learners.network.training import Chance, Examples, TrainingPlan

    Floats = npt.NDArray[np.float64]

_LIMIT = 16  # attributes: 2^16 instances, at most 2^15 hidden units


class Network(DenseLearner):
    """A network of sigmoid units, trained by stochastic backpropagation, one example at a time.

    Every unit is connected to all of the layer before and to a constant 1.

    Parameters
    ----------
    layers : sequence of int or None
        Units per layer, from the inputs to the outputs; two or more.  None at either end: as many as the data have.
    eta : float, default 0.3
        Learning rate; > 0.
    momentum : float, default 0.0
        Share of the last step that is made again; >= 0 and < 1.
    decay : float, default 0.0
        gamma of the penalty gamma * (sum of w^2); >= 0.
    slopes : float or None, default None
        mu, the weight of the errors of slopes; >= 0.  fit(X, y, slopes=S) then wants the slopes of the targets too.
    ties : groups of (layer, unit, input) or None, default None
        Weights that are one and the same; counted from 1, input 0 is the constant.
    loss : {"squared", "likelihood"}, default "squared"
        What is made small: half the squared error, or the negative log-likelihood.
    output : {"sigmoid", "linear"}, default "sigmoid"
        Units of the last layer.
    restarts : int, default 1
        Random starts, of which the best is kept; >= 1.
    start : float, default 0.05
        Weights start between -start and start; > 0.
    shuffle : bool, default True
        Another order of the examples in each epoch.
    random_state : int, default 0
        Seed of start and order; >= 0.
    classes : sequence or None, default None
        All labels, in the order of the outputs.  None: those of the data.

    Notes
    -----
    Algorithm, for targets t, outputs o of the last layer and a step of every weight w_ji from unit i to unit j::

        for each epoch, for each example (x, t):
            o = the outputs of all units, layer by layer
            delta_k = (t_k - o_k) * o_k * (1 - o_k)             for output units (squared error)
            delta_k = t_k - o_k                                 for output units (likelihood, or linear units)
            delta_h = o_h * (1 - o_h) * sum of w_kh * delta_k   for hidden units, from the last layer back
            step_ji = eta * delta_j * o_i - 2 * eta * decay * w_ji + momentum * (the last step_ji)
            w_ji = w_ji + step_ji                               (tied weights move by the sum of their gradients)

    There is no mistake bound.  With small steps this follows the gradient of the loss to a local minimum.

    References
    ----------
    Rumelhart, Hinton and Williams 1986, Learning representations by back-propagating errors.
    Mitchell 1997, Machine Learning, sections 4.5 to 4.8.  Ma 2019, CS3244 notes, section 4.

    Examples
    --------
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
    hypothesis_class = "networks"
    search_order = "gradient descent"
    inductive_bias = "smooth interpolation"
    noise_effect = "is averaged"
    parameters = (
        LayersParameter("layers", grid=((None, 3, None),), help="units per layer, from inputs to outputs"),
        Parameter("eta", "number", 0.3, above=0, grid=(0.3,), help="learning rate"),
        Parameter(
            "momentum",
            "number",
            0.0,
            at_least=0,
            below=1,
            grid=(0.0, 0.9),
            help="momentum: share of the last step that is added",
        ),
        Parameter("decay", "number", 0.0, at_least=0, grid=(0.0,), help="gamma of the penalty gamma * sum of w^2"),
        Parameter("slopes", "number", None, at_least=0, optional=True, help="mu, the weight of errors of slopes"),
        TiesParameter("ties", help="groups of (layer, unit, input) that share one weight"),
        LOSS,
        Parameter("output", "word", "sigmoid", words=("sigmoid", "linear"), help="units of the last layer"),
        Parameter("restarts", "integer", 1, at_least=1, grid=(1,), help="random starts, of which the best is kept"),
        Parameter("start", "number", 0.05, above=0, grid=(0.05,), help="weights start between -start and start"),
        SHUFFLE,
        SEED,
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
        """A network with one hidden layer that computes a Boolean function; it is built, not learned.

        Parameters
        ----------
        f : Concept, str, function or sequence
            A concept or its text, a function of n bits, or the 2^n labels of all instances, the last bit changing
            fastest.
        n : int or None, default None
            Number of attributes, at most 16.  None: as f says.

        Returns
        -------
        Network
            With at most 2^(n - 1) hidden units.

        Examples
        --------
        >>> network = Network.for_function(lambda a, b: a != b, n=2)
        >>> network.shape, network.predict_many([[0, 0], [0, 1], [1, 0], [1, 1]])
        ((2, 2, 1), array([0, 1, 1, 0]))
        """
        hidden, last = _layers_for(_truth_table(f, n))
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

    def _plan(self, epochs: int, **how: Any) -> TrainingPlan:
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
        """The outputs of the units of each hidden layer for each row: the code that the network has found."""
        engine = self._ready()
        return engine.hidden(matrix_of(X, width=engine.shape[0]))[:-1]

    @exclusive
    def slopes(self, x: Any) -> Floats:
        """do/dx at one instance: one row per output, one column per input."""
        engine = self._ready()
        return WithSlopes(engine, 0.0).slopes(row_of(x, engine.shape[0])[0])

    @exclusive
    def gradient(self, X: Any, T: Any, slopes: Any = None) -> tuple[float, list[Floats]]:
        """What is minimised, the penalty of the weights in it, and its gradient, one matrix per layer as in `weights`.

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


def _truth_table(f: Any, n: int | None) -> npt.NDArray[np.int8]:
    """The labels of all 2^n instances, the last attribute changing fastest."""
    if isinstance(f, str):
        f = parse(f)
    if hasattr(f, "attributes") and hasattr(f, "truth_table"):
        ids = [int(name) for name in f.attributes if name.isdecimal()]
        if len(ids) < len(f.attributes) or 0 in ids:
            raise BadParameter(f"f must be a concept over the attributes 1 to n: {f}")
        n = _size(max(ids, default=1) if n is None else n)
        if max(ids, default=0) > n:
            raise BadParameter(f"n must be at least {max(ids)} for this concept: {n}")
        labels = f.truth_table([str(j + 1) for j in range(n)]).tolist()
    elif callable(f):
        if n is None:
            raise BadParameter("n must be given: a function does not say of how many attributes it is")
        labels = [f(*bits) for bits in product((0, 1), repeat=_size(n))]
    else:
        if not hasattr(f, "__iter__"):
            raise BadParameter(f"f must be a concept, a function of n bits, or the labels of all instances: {f!r}")
        labels = list(f)
        if n is None and len(labels) not in [1 << width for width in range(1, _LIMIT + 1)]:
            raise BadData(f"the labels of a function of n attributes must be 2^n, n from 1 to {_LIMIT}: {len(labels)}")
        n = _size(len(labels).bit_length() - 1 if n is None else n)
    if len(labels) != 2**n:
        raise BadData(f"a function of {n} attributes has {2**n} labels: {len(labels)} are given")
    for label in labels:
        if np.ndim(label) or label not in (0, 1):
            raise BadData(f"a Boolean function must have the labels 0 and 1: {label!r}")
    return np.array(labels, np.int8)


def _size(n: Any) -> int:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 1 <= n <= _LIMIT:
        raise BadParameter(f"n must be a whole number between 1 and {_LIMIT}: {n!r}")
    return int(n)


def _layers_for(table: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
    """The weights of two layers for any Boolean function, one row per unit, the weight of the constant first.

    There is one hidden unit per instance with the rarer label; its output is near 1 there and near 0 elsewhere.  The
    last unit is their "or", or its opposite where the rarer label is 0.  There may be exponentially many hidden units.
    """
    n = len(table).bit_length() - 1
    rarer = int(2 * table.sum() <= len(table))
    codes = np.flatnonzero(table == rarer)
    units = max(1, len(codes))  # a constant function: one unit, whose output is 0
    bits = (codes[:, None] >> np.arange(n - 1, -1, -1)) & 1
    # The sum of a unit is gain/2 on its own instance and -gain/2 or less elsewhere, so that of all of them together the
    # values differ by no more than 1/64 from one 1 or none.
    gain = 2.0 * log(64.0 * units)
    hidden = np.zeros((units, n + 1))
    hidden[:, 0] = -gain / 2
    if len(codes):
        hidden[:, 1:] = gain * (2.0 * bits - 1.0)
        hidden[:, 0] = -gain * (bits.sum(axis=1) - 0.5)
    last = np.full((1, units + 1), 20.0)
    last[0, 0] = -10.0
    return hidden, last if rarer else -last
