"""What networks can represent, by construction: curves with one hidden layer, any function on a box with two."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.errors import BadParameter
from mistakebound.learners.network.network import Network

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

_STEEP = 60.0  # a step of one cell's width goes from sigmoid(-30) to sigmoid(30)
_MOST_CELLS = 4096


def curve_network(f: Callable[[float], float], low: float, high: float, units: int) -> Network:
    """A network with one hidden layer of sigmoid units that follows a continuous curve; it is built, not learned.

    Parameters
    ----------
    f : function of a number
        The curve.
    low, high : float
        The ends of the interval; low < high.
    units : int
        Hidden units; >= 1.

    Returns
    -------
    Network
        One input, `units` hidden units, one linear output.

    Notes
    -----
    Every hidden unit is a steep step half-way between two neighbours of a grid of `units` + 1 places, and raises the
    output by the difference of f between them.  So the network is never further from f than f moves within a cell.

    References
    ----------
    Cybenko 1989, Approximation by superpositions of a sigmoidal function.  Ma 2019, CS3244 notes, section 4.

    Examples
    --------
    >>> network = curve_network(lambda x: x * x, 0.0, 1.0, 100)
    >>> network.outputs([[0.5]]).round(2).tolist()
    [[0.25]]
    """
    if units < 1 or not low < high:
        raise BadParameter(f"units must be >= 1 and low < high: {units!r}, {low!r}, {high!r}")
    places = np.linspace(low, high, units + 1)
    values = np.array([float(f(float(x))) for x in places])
    middles, steep = (places[1:] + places[:-1]) / 2, _STEEP * units / (high - low)
    hidden = np.column_stack([-steep * middles, np.full(units, steep)])
    last = np.concatenate([[values[0]], np.diff(values)])[None, :]
    return _built([hidden, last])


def grid_network(f: Callable[..., float], low: Sequence[float], high: Sequence[float], cells: int) -> Network:
    """A network with two hidden layers that follows any function on a box, cell by cell; it is built, not learned.

    Parameters
    ----------
    f : function of as many numbers as the box has sides
        Continuous or not.
    low, high : sequence of float
        The corners of the box.
    cells : int
        Cells on each side; >= 1, at most 4096 of them in the box.

    Returns
    -------
    Network
        The first hidden layer has a step for every border between cells, the second a unit for every cell, the linear
        output f at the middle of each.

    References
    ----------
    Cybenko 1988, Continuous valued neural networks with two hidden layers are sufficient.
    Mitchell 1997, Machine Learning, section 4.6.2.

    Examples
    --------
    >>> network = grid_network(lambda x, y: float(x > y), [0, 0], [1, 1], 8)
    >>> network.outputs([[0.9, 0.1], [0.1, 0.9]]).round(3).tolist()
    [[1.0], [0.0]]
    """
    sides = len(low)
    if cells < 1 or cells**sides > _MOST_CELLS or len(high) != sides or not all(a < b for a, b in zip(low, high)):  # noqa: B905
        raise BadParameter(f"there must be 1 to {_MOST_CELLS} cells, and low < high on every side: {cells!r}")
    borders = [
        (side, low[side] + (high[side] - low[side]) * k / cells) for side in range(sides) for k in range(1, cells)
    ]
    first = np.zeros((max(1, len(borders)), sides + 1))
    for unit, (side, place) in enumerate(borders):
        steep = _STEEP * 20 * cells / (high[side] - low[side])
        first[unit, 0], first[unit, 1 + side] = -steep * place, steep
    boxes = list(product(range(cells), repeat=sides))
    second = np.zeros((len(boxes), len(first) + 1))
    for unit, box in enumerate(boxes):
        needed = 0
        for side, k in enumerate(box):  # above its lower border, below its upper one
            at = 1 + side * (cells - 1)
            if k:
                second[unit, at + k - 1] = _STEEP
                needed += 1
            if k < cells - 1:
                second[unit, at + k] = -_STEEP
        second[unit, 0] = -_STEEP * (needed - 0.5)
    values = []
    for box in boxes:
        middle = [low[j] + (high[j] - low[j]) * (k + 0.5) / cells for j, k in enumerate(box)]
        values.append(float(f(*middle)))
    return _built([first, second, np.array([[0.0, *values]])])


def collapse_linear(layers: Sequence[Any]) -> Floats:
    """One layer of linear units that does what several do, one after the other.

    Parameters
    ----------
    layers : sequence of arrays
        Weights of each layer: one row per unit, the weight of the constant first.

    Returns
    -------
    array
        Weights of the one layer.  So linear units gain nothing from being stacked.

    References
    ----------
    Ma 2019, CS3244 notes, section 4 (multilayer networks of linear units).

    Examples
    --------
    >>> collapse_linear([[[1, 2], [0, 1]], [[3, 1, -1]]])  # 3 + (1 + 2x) - x
    array([[4., 1.]])
    """
    if not len(layers):
        raise BadParameter("there must be one layer at least")
    whole = np.atleast_2d(np.asarray(layers[0], np.float64))
    for layer in layers[1:]:
        weights = np.atleast_2d(np.asarray(layer, np.float64))
        if weights.shape[1] != len(whole) + 1:
            raise BadParameter(f"a layer must have {len(whole) + 1} weights per unit: {weights.shape[1]}")
        whole = weights[:, 1:] @ whole
        whole[:, 0] += weights[:, 0]
    return whole


def _built(layers: Sequence[Floats]) -> Network:
    network = Network([layers[0].shape[1] - 1, *(len(weights) for weights in layers)], output="linear")
    network._engine = network._untaught(layers[0].shape[1] - 1)
    network._numbers = True
    for layer, weights in enumerate(layers, 1):
        network._engine.matrix(layer)[:] = weights
    return network
