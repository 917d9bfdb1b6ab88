"""Training on slopes as well as values: 1/2 sum over outputs k of (t_k - o_k)^2 + mu sum over inputs i of
(dt_k/dx_i - do_k/dx_i)^2.

The slopes of all units go forward beside their values: with z = W a + b, Z = W J and J' = f'(z) Z, J being the slopes
of the layer before.  Both go back: through J' = f'(z) Z an error reaches Z, and z by f''(z).
"""

from __future__ import annotations

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.learners.network._examples import matrix_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from mistakebound.learners.network._engine import Engine

    Floats = npt.NDArray[np.float64]


def slopes_of(given: Any, X: Floats, T: Floats) -> Floats:
    """The slopes of the targets, rows x outputs x inputs; of a single output also rows x inputs."""
    rows, inputs, outputs = len(X), X.shape[1], T.shape[1]
    shape = rows, outputs, inputs
    try:
        slopes = np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise BadData(f"slopes must be numbers in the shape (rows, outputs, inputs) = {shape}") from None
    if slopes.shape == (rows, inputs) and outputs == 1:
        slopes = slopes.reshape(shape)
    if slopes.shape != shape:
        raise BadData(f"slopes must have the shape (rows, outputs, inputs) = {shape}: {slopes.shape}")
    matrix_of(slopes.reshape(rows, -1), "slopes")
    return np.ascontiguousarray(slopes)


class WithSlopes:
    """An engine whose loss knows slopes too; mu is their weight."""

    def __init__(self, engine: Engine, mu: float) -> None:
        layers = range(1, len(engine.shape))
        self._engine = engine
        self._mu = mu
        self._gradient = np.zeros(len(engine.weights))
        self._weights = [engine.matrix(layer) for layer in layers]  # views: they follow every step
        self._parts = [engine.matrix(layer, self._gradient) for layer in layers]
        self._same = np.eye(engine.shape[0])

    def slopes(self, x: Floats) -> Floats:
        """do_k/dx_i at x: one row per output, one column per input."""
        return self._forward(x)[2][-1]

    def mean_loss(self, X: Floats, slopes: Floats) -> float:
        """What the errors of slopes add to the loss, a row."""
        with np.errstate(over="ignore", invalid="ignore"):
            lost = sum(np.square(self.slopes(x) - given).sum() for x, given in zip(X, slopes, strict=True))
        return 0.5 * self._mu * float(lost) / len(X)

    def way_down(self, x: Floats, t: Floats, slopes: Floats) -> tuple[float, Floats]:
        """The loss of one example with its slopes (outputs x inputs), and minus its gradient: good until the next."""
        values, sums, J = self._forward(x)
        o, last = values[-1], len(self._weights) - 1
        miss = J[-1] - slopes
        error_a, error_J = o - t, self._mu * miss
        for layer in range(last, -1, -1):
            if layer == last and self._engine.output != "sigmoid":
                error_z, error_Z = error_a, error_J
            else:
                a = values[layer + 1]
                f1 = a * (1.0 - a)
                through = error_a if layer == last and self._engine.loss == "likelihood" else f1 * error_a
                error_z = through + f1 * (1.0 - 2.0 * a) * (error_J * sums[layer]).sum(axis=1)
                error_Z = f1[:, None] * error_J
            part, weights = self._parts[layer], self._weights[layer][:, 1:]
            part[:, 0] = -error_z
            part[:, 1:] = -(error_z[:, None] * values[layer] + error_Z @ J[layer].T)
            if layer:
                error_a, error_J = error_z @ weights, weights.T @ error_Z
        return self._engine.loss_of(o, t) + 0.5 * self._mu * float((miss * miss).sum()), self._gradient

    def _forward(self, x: Floats) -> tuple[list[Floats], list[Floats], list[Floats]]:
        """The values of every layer, the inputs first; the slopes of the sums; the slopes of the values."""
        values, sums, J = [x], [], [self._same]
        for layer, weights in enumerate(self._weights):
            z = weights[:, 0] + weights[:, 1:] @ values[-1]
            sums.append(weights[:, 1:] @ J[-1])
            if layer == len(self._weights) - 1 and self._engine.output != "sigmoid":
                values.append(z)
                J.append(sums[-1])
            else:
                a = 1.0 / (1.0 + np.exp(-np.clip(z, -708.0, 708.0)))
                values.append(a)
                J.append((a * (1.0 - a))[:, None] * sums[-1])
        return values, sums, J
