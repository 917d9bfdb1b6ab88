"""The perceptron's line, mistake by mistake, as a strip of pictures (Chandola, lecture 6, section 3.2)."""

from __future__ import annotations

from math import ceil

import numpy as np

from mistakebound.report.network_pictures import by_kind, colour_of, in_the_plane
from mistakebound.report.plots import FAINT, INK, picture, set_figure_title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]


def draw_perceptron_strip(
    path: str, X: Any, y: Any, *, eta: float = 0.5, most: int = 12, max_passes: int = 100, title: str
) -> int:
    """Draws the perceptron's line, mistake by mistake, each with the example that moved it, and writes the picture.

    Parameters
    ----------
    path : str
        The file; PNG or SVG by its ending.
    X : array
        Rows of two numbers.
    y : sequence
        Two labels.
    eta : float, default 0.5
        Learning rate of the perceptron training rule; with 1/2 it is the perceptron.
    most : int, default 12
        Pictures at most.
    max_passes : int, default 100
        Passes over the examples at most.
    title : str
        Above the picture.

    Returns
    -------
    int
        The number of mistakes.

    References
    ----------
    Chandola 2015, CSE474/574 lecture 6, section 3.2.

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "strip.svg")
    >>> draw_perceptron_strip(path, [[1, 0], [-1, 0], [0.5, 1]], [1, -1, 1], title="Three points")
    1
    """
    from mistakebound.learners.network.linear_unit import LinearUnit

    points, labels = in_the_plane(X, y, "the line")
    classes = sorted(set(labels), key=by_kind)
    unit = LinearUnit("perceptron", eta=eta, classes=classes)
    frames: list[tuple[int, Floats]] = []
    for _ in range(max_passes):
        before = len(frames)
        for row, label in enumerate(labels):
            if unit.learn_one(points[row], label) != label:
                frames.append((row, unit.weights[0][0]))
        if len(frames) == before:
            break
    _draw_strip(path, points, [classes.index(label) for label in labels], frames, most, title)
    return len(frames)


def _draw_strip(
    path: str, points: Floats, codes: list[int], frames: list[tuple[int, Floats]], most: int, title: str
) -> None:
    # The window is a square around the points, wherever they are: seen from its middle the line has another constant.
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    points = points - middle
    frames = [(row, np.array([w[0] + w[1:] @ middle, *w[1:]])) for row, w in frames]
    places = list(range(len(frames))) if len(frames) <= most else [*range(most - 1), len(frames) - 1]
    shown = [frames[place] for place in places]
    across = min(4, max(1, len(shown)))
    down = max(1, ceil(len(shown) / across))
    end = 1.25 * float(np.abs(points).max() or 1.0)
    with picture(path, 2.3 * across + 0.2, 2.5 * down + 0.6) as figure:
        grid = figure.subplots(down, across, squeeze=False)
        for place, axes in enumerate(grid.flat):
            axes.set_xticks([])
            axes.set_yticks([])
            if place >= len(shown):
                axes.set_axis_off()
                continue
            row, weights = shown[place]
            for spine in axes.spines.values():
                spine.set_color(FAINT)
            axes.set_xlim(-end, end)
            axes.set_ylim(-end, end)
            axes.set_aspect("equal")
            _half_plane(axes, weights, end)
            number = places[place]
            if number:
                _line(axes, frames[number - 1][1], end, color=FAINT, linestyle="--")
            _line(axes, weights, end, color=INK)
            for code, marker in ((0, "o"), (1, "s")):
                own = [k for k, given in enumerate(codes) if given == code]
                axes.scatter(points[own, 0], points[own, 1], s=16, color=colour_of(code), marker=marker, zorder=3)
            axes.scatter(*points[row], s=110, facecolors="none", edgecolors=INK, linewidths=1.2, zorder=4)
            last = number == len(frames) - 1
            axes.set_title(f"mistake {number + 1}{', the last' * last}", fontsize=9, color=INK, loc="left", pad=3)
        set_figure_title(figure, f"{title}: {len(frames)} mistake{'s' * (len(frames) != 1)}")


def _line(axes: Any, weights: Floats, end: float, **how: Any) -> None:
    """w0 + w1 x + w2 y = 0 within the square, if it passes through it."""
    w0, w1, w2 = weights
    if abs(w2) >= abs(w1) and w2:
        axes.plot([-2 * end, 2 * end], [-(w0 - 2 * w1 * end) / w2, -(w0 + 2 * w1 * end) / w2], linewidth=1.3, **how)
    elif w1:
        axes.plot([-(w0 - 2 * w2 * end) / w1, -(w0 + 2 * w2 * end) / w1], [-2 * end, 2 * end], linewidth=1.3, **how)


def _half_plane(axes: Any, weights: Floats, end: float) -> None:
    across, up = np.meshgrid(np.linspace(-end, end, 60), np.linspace(-end, end, 60))
    inside = weights[0] + weights[1] * across + weights[2] * up > 0
    if inside.any():
        axes.contourf(across, up, inside, levels=[0.5, 1.5], colors=[colour_of(1)], alpha=0.14)


def unit_circle(count: int = 24, *, turn: float = 0.6, offset: float = 0.25) -> tuple[Floats, list[int]]:
    """Chandola's example: points on the unit circle, 1 on one side of a line and -1 on the other.

    >>> X, y = unit_circle(8)
    >>> X.shape, sorted(set(y))
    ((8, 2), [-1, 1])
    """
    # Not one after the other around the circle: each turn of the line then has something to do.
    angles = 2 * np.pi * (np.arange(count) * _stride(count) % count) / count + 0.1
    points = np.column_stack([np.cos(angles), np.sin(angles)])
    sides = points @ np.array([np.cos(turn), np.sin(turn)]) > offset
    return points, [1 if side else -1 for side in sides.tolist()]


def _stride(count: int) -> int:
    """A step near the golden section that meets all places."""
    return next(step for step in range(max(1, round(0.382 * count)), 2 * count + 2) if np.gcd(step, count) == 1)
