"""A network for the rows of a table: backpropagation behind columns of numbers and of names."""

from __future__ import annotations

import numpy as np

from mistakebound.core.atomic import reading
from mistakebound.core.errors import BadData, Diverged
from mistakebound.core.params import Parameter
from mistakebound.learners.network._dense_model import DenseHypothesis
from mistakebound.learners.network._encoding import Encoding, check_size
from mistakebound.learners.network._parameters import LOSS, SEED, SHUFFLE, HiddenParameter
from mistakebound.learners.network.network import Network
from mistakebound.learners.table_learner import TableLearner, validation_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.table import Table
    from mistakebound.learners.network.training import Epoch

_CELLS = 1 << 20  # inputs that are made at once where rows are predicted


class TableNetwork(TableLearner):
    """A network of sigmoid units for the rows of a table with numeric and nominal columns.

    Parameters
    ----------
    hidden : int, sequence of int or None, default 30
        Units of the hidden layers.  None or []: no hidden layer.
    eta, decay, loss, restarts, start, shuffle, random_state
        As of `Network`.
    momentum : float, default 0.3
        Share of the last step that is made again; >= 0 and < 1.

    Notes
    -----
    Algorithm::

        inputs: a number x becomes (x - mean)/(standard deviation), 0 where it is missing;
                a nominal column becomes one input per value, 1 for the value of the row and 0 for the others
        outputs: one unit for two classes, else one per class
        train a `Network` on the inputs by backpropagation

    Means and deviations are those of the training table.  A value that was not in it has 0 at all inputs of its column.
    There is no mistake bound.

    References
    ----------
    Mitchell 1997, Machine Learning, sections 4.5 to 4.8.

    Examples
    --------
    >>> rows = [{"sky": sky, "wind": wind} for sky in ("sunny", "rainy") for wind in (1, 2, 3, 8, 9)]
    >>> play = ["no" if row["sky"] == "rainy" and row["wind"] > 5 else "yes" for row in rows]
    >>> network = TableNetwork(hidden=4, momentum=0.9).fit(rows, play, epochs=300)
    >>> network.predict_many([{"sky": "rainy", "wind": 7}, {"sky": "sunny", "wind": 7}])
    ['no', 'yes']
    """

    name = "table-network"
    validates = True
    tells = False
    summary = "layers of sigmoid units behind the columns of a table"
    hypothesis_class = "networks"
    search_order = "gradient descent"
    inductive_bias = "smooth interpolation"
    noise_effect = "is averaged"
    parameters = (
        HiddenParameter(
            "hidden", [30], grid=([3], [3, 2]), help="units of the hidden layers, 30 or 30-20; none: sigmoid units only"
        ),
        Parameter("eta", "number", 0.3, above=0, help="learning rate"),
        Parameter(
            "momentum", "number", 0.3, at_least=0, below=1, help="momentum: share of the last step that is added"
        ),
        Parameter(
            "decay", "number", 0.0, at_least=0, grid=(0.0, 0.001), help="gamma of the penalty gamma * sum of w^2"
        ),
        LOSS,
        Parameter("restarts", "integer", 1, at_least=1, help="random starts, of which the best is kept"),
        Parameter("start", "number", 0.05, above=0, help="weights start between -start and start"),
        SHUFFLE,
        SEED,
    )

    fit_parameters = (
        Parameter("epochs", "integer", 100, at_least=1, help="passes over the rows"),
        Parameter("patience", "integer", 10, at_least=1, help="maximum epochs without a better validation loss"),
    )

    def __init__(
        self,
        hidden: Any = 30,
        eta: float = 0.3,
        momentum: float = 0.3,
        decay: float = 0.0,
        loss: str = "squared",
        restarts: int = 1,
        start: float = 0.05,
        shuffle: bool = True,
        random_state: int = 0,
    ) -> None:
        super().__init__(
            hidden=hidden, eta=eta, momentum=momentum, decay=decay, loss=loss, restarts=restarts, start=start,
            shuffle=shuffle, random_state=random_state,
        )  # fmt: skip
        self._encoding: Encoding | None = None
        self._network: Network | None = None

    @property
    def network(self) -> Network:
        """The network itself, on the inputs that `inputs` gives."""
        self._check_fitted()
        assert self._network is not None
        return self._network

    @property
    def curve(self) -> list[Epoch]:
        """How training went, epoch by epoch."""
        return self.network.curve

    @property
    @reading
    def input_names(self) -> list[str]:
        self._check_fitted()
        assert self._encoding is not None
        return list(self._encoding.names)

    def inputs(self, X: Any) -> npt.NDArray[np.float64]:
        """The rows of a table as the network sees them."""
        return self._inputs(self.table(X))

    def _inputs(self, table: Table) -> npt.NDArray[np.float64]:
        assert self._encoding is not None
        return self._encoding.inputs(table)

    def _parts(self, table: Table) -> Iterator[npt.NDArray[np.float64]]:
        """The inputs of some rows at a time: where values are inputs, those of all could be too many for memory."""
        assert self._encoding is not None
        step = max(1, _CELLS // max(1, len(self._encoding.names)))
        for first in range(0, table.rows, step):
            yield self._inputs(table.take(slice(first, first + step)))

    def _new_network(self, classes: int) -> Network:
        own = {name: value for name, value in self.settings.items() if name != "hidden"}
        layers = [None, *self.settings["hidden"], 1 if classes == 2 else classes]
        return Network(layers, classes=range(classes), **own)

    def _fit(
        self,
        table: Table,
        codes: npt.NDArray[np.int32],
        classes: tuple[Any, ...],
        *,
        validation: Any = None,
        **more: Any,
    ) -> dict[str, Any]:
        if len(classes) < 2:
            raise BadData(f"there must be at least two classes: {', '.join(map(repr, classes))}", source=table.source)
        check_size(table)
        encoding = Encoding.of(table)
        if not encoding.names:
            raise BadData("there is no column with a value to learn from", source=table.source)
        network = self._new_network(len(classes))
        if isinstance(validation, (tuple, list)):
            held, known = validation_set(validation, table, classes)
            validation = encoding.inputs(held), known
        try:
            network.fit(encoding.inputs(table), codes, validation=validation, **more)
        except Diverged:  # the last weights that were good are kept
            self._take({"_encoding": encoding, "_network": network}, classes, table, self.label)
            raise
        return {"_encoding": encoding, "_network": network}

    def _predict(self, table: Table) -> npt.NDArray[np.int32]:
        if not table.rows:
            return np.zeros(0, np.int32)
        return np.concatenate([np.asarray(self.network.predict_many(part), np.int32) for part in self._parts(table)])

    def _proba(self, table: Table) -> npt.NDArray[np.float64]:
        if not table.rows:
            return np.zeros((0, len(self.classes)))
        said = np.concatenate([self.network.outputs(part) for part in self._parts(table)])
        if said.shape[1] == 1:
            return np.hstack([1.0 - said, said])
        return np.asarray(said / said.sum(axis=1, keepdims=True), np.float64)

    def fit_facts(self) -> list[tuple[str, str]]:
        network, curve = self.network, self.curve
        size = sum(layer.size for layer in network.weights)
        stopped = ", stopped by the validation set" if network.stopped == "validation" else ""
        said = [
            ("network", f"{'-'.join(map(str, network.shape))}, {size:,} weights"),
            ("epochs", f"{len(curve):,}{stopped}"),
            ("loss", f"{curve[0].loss:.4g} an example in the first epoch, {curve[-1].loss:.4g} in the last"),
        ]
        if len(network.starts) > 1:
            said.append(("starts", ", ".join(f"{loss:.4g}" for loss in network.starts) + " (the least is kept)"))
        if (best := best_epoch(curve)) is not None:
            said.append(("kept", f"epoch {best.number:,}, validation loss {best.validation:.4g} an example"))
        return said

    def fit_json(self) -> dict[str, Any]:
        network, curve, best = self.network, self.curve, best_epoch(self.curve)
        return {
            "epochs": len(curve),
            "stopped": network.stopped,
            "kept_epoch": len(curve) if best is None else best.number,
            "starts": network.starts,
            "curve": [
                {"epoch": e.number, "loss": e.loss, "validation_loss": e.validation, "validation_error": e.error}
                for e in curve
            ],
        }

    def fit_progress(self, watch: Callable[[int, int, str], None], given: dict[str, Any]) -> dict[str, Any]:
        total = given.get("epochs", self.fit_parameters[0].default) * self.settings["restarts"]
        heard = iter(range(1, total + 1))

        def progress(epoch: Epoch) -> None:
            held = "" if epoch.validation is None else f", validation {epoch.validation:.4g}"
            watch(next(heard), total, f" epochs, loss {epoch.loss:.4g}{held}")

        return {"progress": progress}

    @property
    @reading
    def hypothesis(self) -> TableNetworkHypothesis:
        return TableNetworkHypothesis(self)

    @reading
    def lines(self, top: int) -> list[str]:
        network, names = self.network, self.input_names
        lines = [f"{str(network.hypothesis).capitalize()}; classes: {', '.join(map(str, self.classes))}."]
        kind = "hidden unit" if self.settings["hidden"] else "output"
        for unit, row in enumerate(network.weights[0], 1):
            lines.append(f"{kind} {unit}: {_terms(row, names, top)}")
        return lines

    @reading
    def as_json(self, top: int) -> dict[str, Any]:
        network = self.network
        return {
            "hypothesis": str(network.hypothesis),
            "layers": list(network.shape),
            "inputs": self.input_names,
            "weights": [layer.tolist() for layer in network.weights],
        }

    def explain_row(self, table: Table, row: int) -> list[str]:
        """The outputs, and how each input pulls at the one that won: its slope times the input."""
        inputs = self._inputs(table.take(slice(row, row + 1)))[0]
        shares = self._proba(table.take(slice(row, row + 1)))[0]
        best = int(self._predict(table.take(slice(row, row + 1)))[0])
        slopes = self.network.slopes(inputs)
        pull = slopes[min(best, len(slopes) - 1)] * inputs
        if len(slopes) == 1 and best == 0:
            pull = -pull
        lines = [f"{self.classes[best]}, because its share is the largest:"]
        lines += [f"  {label}: {share:.4f}" for label, share in zip(self.classes, shares, strict=True)]
        lines.append("Inputs with the largest influence here (below 0: against it):")
        order = sorted(range(len(pull)), key=lambda k: (-abs(pull[k]), k))
        names = self.input_names
        return lines + [f"  {names[k]}: {pull[k]:+.4g}" for k in order[:10] if pull[k]]

    def _state(self) -> dict[str, Any]:
        assert self._encoding is not None
        header = self.network._header()
        return {"network": header, "means": self._encoding.means, "scales": self._encoding.scales}

    def _arrays(self) -> dict[str, Any]:
        return self.network._arrays()

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        self._encoding = Encoding(self.schema, state["means"], state["scales"])
        network = Network.restore(state["network"], arrays)
        fresh = self._new_network(len(self.classes))
        if network.settings != fresh.settings or network.classes != fresh.classes:
            raise ValueError("the network is not that of the parameters")
        if network.shape[0] != len(self._encoding.names):
            raise ValueError("expected one input per name")
        self._network = network


def best_epoch(curve: Sequence[Epoch]) -> Epoch | None:
    """The one with the least validation loss, if there was a validation set."""
    judged = [epoch for epoch in curve if epoch.validation is not None]
    return min(judged, key=lambda epoch: epoch.validation or 0.0) if judged else None


class TableNetworkHypothesis:
    """What it would say, as a value: the network behind these columns."""

    __slots__ = ("_form", "_text")

    def __init__(self, learner: TableNetwork) -> None:
        inner: DenseHypothesis = learner.network.hypothesis
        encoding = learner._encoding
        assert encoding is not None
        self._form = (inner.form, learner.classes, learner.schema, tuple(encoding.means), tuple(encoding.scales))
        self._text = str(inner)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableNetworkHypothesis) and self._form == other._form

    def __hash__(self) -> int:
        return hash(self._form)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<hypothesis: {self}>"


def _terms(row: Sequence[float], names: Sequence[str], top: int) -> str:
    order = sorted(range(len(names)), key=lambda k: (-abs(row[k + 1]), k))
    shown = [f"{row[k + 1]:+.3g} {names[k]}" for k in order[:top]]
    rest = f" and {len(names) - top} more" if len(names) > top else ""
    return f"{row[0]:+.3g} {' '.join(shown)}{rest}"
