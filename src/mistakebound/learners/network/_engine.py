"""The numbers of a network of units, and the kernel that works on them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from mistakebound.core.errors import Diverged
from mistakebound.kernels import network as kernel
from mistakebound.learners.network._parameters import Ties

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Whole = npt.NDArray[np.int64]

OUTPUTS = {"sigmoid": kernel.SIGMOID, "linear": kernel.LINEAR, "sign": kernel.SIGN}
LOSSES = {"squared": kernel.SQUARED, "likelihood": kernel.LIKELIHOOD}
_NO_CODES = np.zeros(0, np.int32)


def size_of(shape: Sequence[int]) -> int:
    """How many weights there are."""
    return sum((n + 1) * m for n, m in pairwise(shape))


class Engine:
    """Layers of units with their weights; `eta`, `momentum` and `decay` say how far a step goes."""

    def __init__(
        self,
        shape: Sequence[int],
        weights: Floats,
        *,
        output: str = "sigmoid",
        loss: str = "squared",
        eta: float,
        momentum: float = 0.0,
        decay: float = 0.0,
        ties: Ties | None = None,
        unit: float = 1.0,
    ) -> None:
        self.shape = tuple(int(size) for size in shape)
        self.output = output
        self.loss = loss
        self.eta = eta
        self.unit = unit  # of the weights: steps are in it too
        self.momentum = momentum
        self.decay = decay
        self.ties = Ties() if ties is None else ties
        self.weights = weights
        self.steps = np.zeros(len(weights))
        self.taken = 0  # steps, from these weights on
        self.finished = np.zeros(0)  # the losses of whole epochs that a call of `train` had behind it when it diverged
        self._gradient = np.zeros(len(weights) if self.ties else 0)
        self._done = np.zeros(2, np.int64)
        self._look()

    def __getstate__(self) -> dict[str, Any]:
        """For copy and pickle: without what the kernel takes, which is made anew."""
        return {name: value for name, value in vars(self).items() if name != "_layers"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._look()

    def _look(self) -> None:
        shape, settings = np.array(self.shape, np.int64), np.array([self.eta / self.unit, self.momentum, self.decay])
        work, ties = np.zeros(3 * sum(self.shape)), (_view(self.ties.ends), _view(self.ties.places))
        kinds = OUTPUTS[self.output], LOSSES[self.loss]
        self._layers = kernel.Layers(_view(shape), *kinds, _view(self.weights), _view(work))
        self._layers.take_steps(_view(self.steps), _view(settings), *ties, _view(self._gradient))

    # What the layers are.

    def matrix(self, layer: int, numbers: Floats | None = None) -> Floats:
        """The weights of a layer (from 1), one row per unit, the constant 1 first: a view of them."""
        start = size_of(self.shape[:layer])
        n, m = self.shape[layer - 1], self.shape[layer]
        flat = self.weights if numbers is None else numbers
        return flat[start : start + (n + 1) * m].reshape(n + 1, m).T

    def matrices(self, numbers: Floats | None = None) -> list[Floats]:
        return [self.matrix(layer, numbers) for layer in range(1, len(self.shape))]

    # What they do.

    def evaluate(self, X: Floats) -> tuple[Floats, npt.NDArray[np.int32]]:
        """What the last layer says of every row, and the class that this means."""
        rows = len(X)
        outputs, codes = np.empty((rows, self.shape[-1])), np.empty(rows, np.int32)
        _check(kernel.evaluate(self._layers, _flat(X), _flat(outputs), _view(codes)))
        return outputs, codes

    def hidden(self, X: Floats) -> list[Floats]:
        """What the units of every layer say of every row."""
        found, values = [], X
        for layer in range(1, len(self.shape)):
            output = self.output if layer == len(self.shape) - 1 else "sigmoid"
            part = Engine(
                self.shape[layer - 1 : layer + 1],
                np.ascontiguousarray(self.matrix(layer).T).reshape(-1),
                output=output,
                eta=self.eta,
            )
            values, _ = part.evaluate(values)
            found.append(values)
        return found

    def mean_loss(self, X: Floats, T: Floats) -> tuple[float, npt.NDArray[np.int32]]:
        """The loss a row (the penalty of the weights is not in it), and the class that was said of each."""
        outputs, codes = self.evaluate(X)
        return self.loss_of(outputs, T) / len(X), codes

    def loss_of(self, outputs: Floats, T: Floats) -> float:
        """The loss of outputs, all together."""
        if self.loss == "likelihood":
            lost = -(T * np.log(np.maximum(outputs, 1e-300)) + (1 - T) * np.log(np.maximum(1 - outputs, 1e-16)))
            return float(lost.sum())
        with np.errstate(over="ignore"):
            return 0.5 * float(np.square(T - outputs).sum())

    def gradient(self, X: Floats, T: Floats) -> tuple[float, Floats]:
        """The loss of all rows together, and minus its gradient: the way down."""
        gradient, lost = np.zeros(len(self.weights)), np.zeros(1)
        _check(kernel.gradient_of(self._layers, _flat(X), _flat(T), _view(gradient), _view(lost)))
        return float(lost[0]), gradient

    def move(self, gradient: Floats) -> None:
        """One step along a gradient, which is empty afterwards."""
        _check(kernel.move(self._layers, _view(gradient)))

    def detached(self) -> Engine:
        """The same network, which can be trained without this one, but not at the same time: they share buffers."""
        twin = object.__new__(Engine)
        twin.__dict__ |= self.__dict__
        twin.weights, twin.steps = self.state()
        twin._look()
        return twin

    def train(
        self,
        X: Floats,
        T: Floats,
        order: Whole,
        codes: npt.NDArray[np.int32] | None = None,
        before: tuple[Floats, Floats] | None = None,
    ) -> tuple[Floats, int]:
        """One update per example, in this order; the loss of every epoch, and how many steps were taken.

        When a weight or the loss leaves the finite numbers, the epochs are played again to find the step, and Diverged
        is raised with the weights as they were before it.  `before` are weights and last steps as they are now.
        """
        if before is None:
            before = self.state()
        losses, steps, _ = self._play(X, T, order, codes)
        if np.isfinite(self.weights).all() and np.isfinite(losses).all():
            self.taken += steps
            return losses, steps
        self.go_back(before)
        _, steps, status = self._play(X, T, order, None, watch=True)
        if status == kernel.NOT_FINITE:
            self.go_back(before)
            losses, _, _ = self._play(X, T, order[: steps - 1], None)
            self.finished = losses[: (steps - 1) // len(X)]
        self.taken += steps - 1
        raise self.diverged()

    def diverged(self) -> Diverged:
        """What is said when the next step leads out of the finite numbers."""
        return Diverged(
            f"a weight or the loss is no longer finite at step {self.taken + 1:,} with eta = {self.eta:g}: the "
            "weights before that step are kept; try a smaller eta"
        )

    def state(self) -> tuple[Floats, Floats]:
        """The weights and their last steps, for `go_back`."""
        return self.weights.copy(), self.steps.copy()

    def go_back(self, before: tuple[Floats, Floats]) -> None:
        self.weights[:], self.steps[:] = before

    def _play(
        self, X: Floats, T: Floats, order: Whole, codes: npt.NDArray[np.int32] | None, watch: bool = False
    ) -> tuple[Floats, int, int]:
        losses = np.zeros(-(-len(order) // len(X)))
        status = kernel.train(
            self._layers, _flat(X), _flat(T), _view(order), watch, _view(losses),
            _view(_NO_CODES if codes is None else codes), _view(self._done),
        )  # fmt: skip
        _check(status)
        return losses, int(self._done[kernel.STEPS]), status


def _view(numbers: npt.NDArray[Any]) -> Any:
    return memoryview(numbers)  # type: ignore[arg-type] # NumPy's stubs do not say that it is a buffer


def _flat(numbers: Floats) -> Any:
    return _view(numbers.reshape(-1))


def _check(status: int) -> None:
    if status == kernel.MISFIT:
        raise AssertionError("buffers do not fit together")
