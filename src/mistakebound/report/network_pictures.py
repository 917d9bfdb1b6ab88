"""Pictures of units and networks: how training went, what hidden units look for, their code, where classes part."""

from __future__ import annotations

from math import ceil, isqrt

import numpy as np

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.names import visible
from mistakebound.report.plots import COLOURS, FAINT, INK, picture, set_figure_title, set_legend, set_title, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

_MOST_UNITS = 100  # that are drawn
_NAMED = 40  # inputs whose names fit beside their row
_CELLS = 240  # of the plane on each side


def draw_training(path: str, curve: Sequence[Any], *, title: str) -> None:
    """Draws the loss per example against epochs, and writes the picture.

    With a validation set also its loss, and the epoch whose weights were kept.

    Parameters
    ----------
    path : str
        The file; PNG or SVG by its ending.
    curve : sequence of Epoch
        As `network.curve`.
    title : str
        Above the picture.

    Returns
    -------
    None

    Examples
    --------
    >>> import os, tempfile
    >>> import mistakebound as mb
    >>> path = os.path.join(tempfile.mkdtemp(), "training.svg")
    >>> network = mb.learners.Network([1, 2, 1]).fit([[0.0], [1.0]], [0, 1], epochs=5)
    >>> draw_training(path, network.curve, title="Five epochs")
    >>> os.path.getsize(path) > 0
    True
    """
    with picture(path, 8, 4.2) as figure:
        axes = figure.subplots()
        _plain(axes, title)
        numbers = [epoch.number for epoch in curve]
        axes.plot(numbers, [epoch.loss for epoch in curve], color=COLOURS[0], linewidth=1.8, label="training")
        held = [epoch for epoch in curve if epoch.validation is not None]
        if held:
            losses = [epoch.validation for epoch in held]
            axes.plot([epoch.number for epoch in held], losses, color=COLOURS[1], linewidth=1.8, label="validation")
            best = min(held, key=lambda epoch: epoch.validation)
            axes.axvline(best.number, color=COLOURS[1], linestyle=(0, (5, 3)), linewidth=1.1)
            axes.plot(best.number, best.validation, "o", color=COLOURS[1], label=f"kept: epoch {best.number:,}")
            axes.legend(frameon=False)
        axes.set_xlabel("epochs", color=INK)
        axes.set_ylabel("loss an example", color=INK)
        axes.set_ylim(bottom=0)


def draw_hidden_weights(
    path: str,
    weights: Floats,
    *,
    names: Sequence[str] | None = None,
    shape: tuple[int, int] | None = None,
    title: str = "What the hidden units look for",
) -> None:
    """Draws the weights of a layer, and writes the picture.

    Parameters
    ----------
    path : str
        The file; PNG or SVG by its ending.
    weights : array
        One row per unit, the weight of the constant first, as `network.weights[0]`.
    names : sequence of str or None, default None
        Names of the inputs.
    shape : (rows, columns) or None, default None
        Each unit becomes a small image of its inputs.  None: all are columns of one table.
    title : str, default "What the hidden units look for"
        Above the picture.

    Returns
    -------
    None

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "weights.svg")
    >>> draw_hidden_weights(path, [[0.1, 1.0, -1.0], [0.0, 0.5, 2.0]], names=["x1", "x2"])
    >>> os.path.getsize(path) > 0
    True
    """
    weights = np.asarray(weights, np.float64)
    if shape is not None and shape[0] * shape[1] != weights.shape[1] - 1:
        raise BadParameter(f"shape must be rows and columns of {weights.shape[1] - 1} inputs: {shape!r}")
    if shape is None:
        _weights_as_table(path, weights, names, title)
    else:
        _weights_as_images(path, weights[:_MOST_UNITS, 1:], shape, title)


def _weights_as_images(path: str, weights: Floats, shape: tuple[int, int], title: str) -> None:
    units = len(weights)
    across = ceil(units**0.5 * 1.4)
    down = ceil(units / across)
    end = float(np.abs(weights).max()) or 1.0
    with picture(path, 1.0 * across + 0.9, 1.05 * down + 0.7) as figure:
        grid = figure.subplots(down, across, squeeze=False)
        for place, axes in enumerate(grid.flat):
            axes.set_axis_off()
            if place < units:
                image = axes.imshow(weights[place].reshape(shape), cmap="RdBu_r", vmin=-end, vmax=end)
                axes.set_title(str(place + 1), fontsize=7, color=INK, pad=2)
        set_figure_title(figure, title)
        bar = figure.colorbar(image, ax=list(grid.flat), fraction=0.03, aspect=30)
        bar.outline.set_visible(False)


def _weights_as_table(path: str, weights: Floats, names: Sequence[str] | None, title: str) -> None:
    shown = weights[:_MOST_UNITS]
    inputs = ["constant", *(names or [f"x{k}" for k in range(1, weights.shape[1])])]
    end = float(np.abs(shown).max()) or 1.0
    height = min(12.0, 1.3 + 0.24 * len(inputs))
    with picture(path, min(14.0, 3.2 + 0.42 * len(shown)), height) as figure:
        axes = figure.subplots()
        image = axes.imshow(shown.T, cmap="RdBu_r", vmin=-end, vmax=end, aspect="auto")
        set_title(axes, title)
        axes.set_xlabel("hidden unit", color=INK)
        axes.set_xticks(range(len(shown)), [str(k + 1) for k in range(len(shown))], fontsize=7)
        if len(inputs) <= _NAMED:
            axes.set_yticks(range(len(inputs)), [shortened(name, 28) for name in inputs])
            axes.tick_params(labelsize=8)
        else:
            axes.set_ylabel("input", color=INK)
        bar = figure.colorbar(image, ax=axes, fraction=0.05, aspect=30)
        bar.outline.set_visible(False)
        bar.set_label("weight", color=INK)


def draw_code(path: str, patterns: Floats, hidden: Floats, outputs: Floats, *, title: str) -> None:
    """Draws inputs, what the hidden units make of them, and outputs, a row per pattern, and writes the picture.

    Parameters
    ----------
    path : str
        The file; PNG or SVG by its ending.
    patterns, hidden, outputs : array
        One row per pattern; values from 0 to 1.
    title : str
        Above the picture.

    Returns
    -------
    None

    References
    ----------
    Mitchell 1997, Machine Learning, section 4.6.4 (the 8-3-8 network).

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "code.svg")
    >>> draw_code(path, [[1, 0], [0, 1]], [[0.9], [0.1]], [[0.8, 0.1], [0.2, 0.9]], title="A code of one unit")
    >>> os.path.getsize(path) > 0
    True
    """
    parts = [np.asarray(part, np.float64) for part in (patterns, hidden, outputs)]
    widths = [part.shape[1] for part in parts]
    with picture(path, 1.6 + 0.42 * sum(widths), 1.3 + 0.42 * len(parts[0])) as figure:
        grid = figure.subplots(1, 3, width_ratios=widths)
        for axes, part, name in zip(grid, parts, ("input", "hidden values", "output"), strict=True):
            axes.imshow(part, cmap="Blues", vmin=0, vmax=1.15, aspect="auto")
            axes.set_title(name, fontsize=10, color=INK, pad=6)
            axes.set_xticks([])
            axes.set_yticks([])
            for spine in axes.spines.values():
                spine.set_color(FAINT)
            digits = 0 if name == "input" else 2
            for (row, column), value in np.ndenumerate(part):
                text = f"{value:.{digits}f}".removeprefix("0") if digits else f"{value:g}"
                colour = "white" if value > 0.6 else INK
                axes.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)
        set_figure_title(figure, title)


def draw_boundary(path: str, learner: Any, X: Any, y: Any, *, names: Sequence[str] = ("x1", "x2"), title: str) -> None:
    """Draws where a learner of two inputs changes its prediction, with the examples, and writes the picture.

    Parameters
    ----------
    path : str
        The file; PNG or SVG by its ending.
    learner : learner
        One with `predict_many` on rows of two numbers.
    X : array
        Rows of two numbers.
    y : sequence
        Their labels.
    names : pair of str, default ("x1", "x2")
        Names of the two inputs.
    title : str
        Above the picture.

    Returns
    -------
    None

    Examples
    --------
    >>> import os, tempfile
    >>> import mistakebound as mb
    >>> path = os.path.join(tempfile.mkdtemp(), "boundary.svg")
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    >>> draw_boundary(path, mb.learners.LinearUnit("perceptron").fit(X, y), X, y, title="x1 and x2")
    >>> os.path.getsize(path) > 0
    True
    """
    points, given = in_the_plane(X, y, "a boundary")
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.where(high > low, 0.12 * (high - low), 1.0)
    low, high = low - room, high + room
    across, up = np.meshgrid(np.linspace(low[0], high[0], _CELLS), np.linspace(low[1], high[1], _CELLS))
    said = np.asarray(learner.predict_many(np.column_stack([across.ravel(), up.ravel()])))
    labels = [label.item() if isinstance(label, np.generic) else label for label in given]
    classes = sorted({*labels, *said.tolist()}, key=by_kind)
    codes = np.array([classes.index(label) for label in said.tolist()]).reshape(across.shape)
    with picture(path, 6.4, 5.4) as figure:
        axes = figure.subplots()
        _plain(axes, title, grid=False)
        colours = [colour_of(k) for k in range(len(classes))]
        for k in range(len(classes)):
            if (codes == k).any():
                axes.contourf(across, up, codes == k, levels=[0.5, 1.5], colors=[colours[k]], alpha=0.16)
            if len(classes) > 1 and 0 < (codes == k).mean() < 1:
                axes.contour(across, up, codes == k, levels=[0.5], colors=[INK], linewidths=0.9)
        clouds = []
        for k in range(len(classes)):
            own = np.array([place for place, given in enumerate(labels) if given == classes[k]], np.int64)
            cloud = axes.scatter(
                points[own, 0], points[own, 1], s=26, color=colours[k], edgecolors="white", linewidths=0.6,
                marker="os^Dv"[k % 5],
            )  # fmt: skip
            clouds.append(cloud)
        axes.set_xlim(low[0], high[0])
        axes.set_ylim(low[1], high[1])
        axes.set_xlabel(visible(names[0]), color=INK)
        axes.set_ylabel(visible(names[1]), color=INK)
        set_legend(axes, clouds, [str(label) for label in classes], framealpha=0.9, edgecolor=FAINT, fontsize=9)


def in_the_plane(X: Any, y: Any, what: str) -> tuple[Floats, list[Any]]:
    """Points of two numbers, and a label each."""
    points, labels = np.asarray(X, np.float64), list(y)
    if points.ndim != 2 or points.shape[1] != 2:
        raise BadData(f"{what} is drawn for two inputs: X has the shape {points.shape}")
    if len(points) != len(labels) or not labels:
        raise BadData(
            f"{what} is drawn with one label per example: X has {len(points)} rows and y {len(labels)} labels"
        )
    return points, labels


def by_kind(label: Any) -> Any:
    """The order of labels: numbers, then texts."""
    return isinstance(label, str), label


def square(inputs: int) -> tuple[int, int] | None:
    """The sides of a square image with so many pixels, if there is one.

    >>> square(64), square(60)
    ((8, 8), None)
    """
    side = isqrt(inputs)
    return (side, side) if side * side == inputs else None


def colour_of(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _plain(axes: Any, title: str, *, grid: bool = True) -> None:
    set_title(axes, title)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(FAINT)
    axes.tick_params(colors=INK, labelsize=9)
    if grid:
        axes.grid(axis="y", color=FAINT, linewidth=0.6)
        axes.set_axisbelow(True)
