"""Training on slopes as well as values (row G9): 1/2 sum over outputs k of (t_k - o_k)^2 + mu sum over inputs i of
(dt_k/dx_i - do_k/dx_i)^2.

The slopes of all units go forward beside their values: with z = W a + b, Z = W J and J' = f'(z) Z, J being the slopes
of the layer before.  Both go back: through J' = f'(z) Z an error reaches Z, and z by f''(z).
"""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy.typing as npt

    from mistakebound.learners.network._engine import Engine

    Floats = npt.NDArray[np.float64]


def way_down(engine: Engine, x: Floats, t: Floats, slopes: Floats, mu: float) -> tuple[float, Floats]:
    """The loss of one example with its slopes (outputs x inputs), and minus its gradient."""
    values, forward = _forward(engine, x)
    o, J = values[-1], forward[-1][1]
    miss = J - slopes
    value_loss = 0.5 * float(np.sum((t - o) ** 2))
    if engine.loss == "likelihood":
        value_loss = -float(np.sum(t * np.log(np.maximum(o, 1e-300)) + (1 - t) * np.log(np.maximum(1 - o, 1e-16))))
    loss = value_loss + 0.5 * mu * float(np.sum(miss**2))
    gradient = np.zeros(len(engine.weights))
    sigmoid = engine.output == "sigmoid"
    error_J = mu * miss
    error_a = o - t
    for layer in range(len(engine.shape) - 1, 0, -1):
        weights = engine.matrix(layer)[:, 1:]
        a, (Z, _) = values[layer], forward[layer]
        last = layer == len(engine.shape) - 1
        if last and not sigmoid:
            error_z, error_Z = error_a, error_J
        else:
            f1 = a * (1.0 - a)
            through = error_a if last and engine.loss == "likelihood" else f1 * error_a
            error_z = through + f1 * (1.0 - 2.0 * a) * np.sum(error_J * Z, axis=1)
            error_Z = f1[:, None] * error_J
        before_a, before_J = values[layer - 1], forward[layer - 1][1]
        part = engine.matrix(layer, gradient)
        part[:, 0] -= error_z
        part[:, 1:] -= error_z[:, None] * before_a[None, :] + error_Z @ before_J.T
        error_a, error_J = weights.T @ error_z, weights.T @ error_Z
    return loss, gradient


def slopes_of(engine: Engine, x: Floats) -> Floats:
    """do_k/dx_i at x: a row an output, a column an input."""
    return _forward(engine, x)[1][-1][1]


def _forward(engine: Engine, x: Floats) -> tuple[list[Floats], list[tuple[Floats, Floats]]]:
    """The values of every layer, and for each (slopes of its sums, slopes of its values)."""
    values, J = [x], np.eye(len(x))
    forward = [(J, J)]
    for layer, a in enumerate(engine.hidden(x.reshape(1, -1)), 1):
        Z = engine.matrix(layer)[:, 1:] @ J
        a = a[0]
        linear = layer == len(engine.shape) - 1 and engine.output != "sigmoid"
        J = Z if linear else (a * (1.0 - a))[:, None] * Z
        values.append(a)
        forward.append((Z, J))
    return values, forward
