"""The picture of GaussianMeans: points on a line or in the plane, the means and the way to them, the likelihood."""

from __future__ import annotations

import os
from typing import Any

from mistakebound.core.errors import BadParameter
from mistakebound.report.plots import COLOURS, FAINT, INK, picture, set_title

_POINTS = 4000  # that are drawn in the plane: more are a blot
_CURVE = 400  # places at which a density is drawn


def draw_means(path: str | os.PathLike[str], learner: Any, X: Any = None, *, title: str | None = None) -> None:
    """Draws a fitted GaussianMeans with its points, and writes the picture.

    On a line: a histogram under the density.  In the plane: points in the colour of their likeliest mean, circles of
    one and two standard deviations.  Both: the way of the means from their start, and the log-likelihood after each
    step.

    Parameters
    ----------
    path : path
        The file; PNG or SVG by its ending.
    learner : GaussianMeans
        A fitted one.
    X : points or None, default None
        Points of one or two numbers.  None: those that were learned.
    title : str or None, default None
        Above the picture.

    Returns
    -------
    None

    Examples
    --------
    >>> import os, tempfile
    >>> import mistakebound as mb
    >>> path = os.path.join(tempfile.mkdtemp(), "means.svg")
    >>> draw_means(path, mb.learners.GaussianMeans(k=2, variance=0.1).fit([0.8, 1.0, 1.2, 4.9, 5.0, 5.1]))
    >>> os.path.getsize(path) > 0
    True
    """
    points = learner.points if X is None else learner.as_points(X)
    d = points.shape[1]
    if d > 2:
        raise BadParameter(f"points must have 1 or 2 numbers to be drawn: {d}")
    with picture(str(path), 9.5, 4.6) as figure:
        main, side = figure.subplots(1, 2, width_ratios=(3, 1.25))
        (_draw_line if d == 1 else _draw_plane)(main, learner, points)
        run = learner.run
        set_title(main, title or f"{len(learner.means)} Gaussians, {len(points):,} points")
        _draw_climb(side, [run.start_log_likelihood, *run.log_likelihoods])
        for axes in (main, side):
            for edge in ("top", "right"):
                axes.spines[edge].set_visible(False)
            axes.tick_params(colors=INK, labelsize=9)


def _draw_line(axes: Any, learner: Any, points: Any) -> None:
    import numpy as np

    means, sigma = learner.means[:, 0], learner.settings["variance"] ** 0.5
    low = min(points.min(), means.min() - 3 * sigma)
    high = max(points.max(), means.max() + 3 * sigma)
    bins = int(min(200, max(10, 3 * len(points) ** (1 / 3))))
    axes.hist(points[:, 0], bins=bins, range=(low, high), density=True, color=FAINT, edgecolor="white", linewidth=0.4)
    places = np.linspace(low, high, _CURVE)
    each = np.exp(-((places[:, None] - means) ** 2) / (2 * sigma**2)) / (len(means) * sigma * (2 * np.pi) ** 0.5)
    for m, mean in enumerate(means):
        colour = COLOURS[m % len(COLOURS)]
        axes.plot(places, each[:, m], color=colour, linewidth=1.3)
        axes.axvline(mean, color=colour, linewidth=1, linestyle=(0, (4, 3)))
    axes.plot(places, each.sum(axis=1), color=INK, linewidth=1.6)
    top = axes.get_ylim()[1]
    for m in range(len(means)):  # above the curves, the way down from the start
        way = learner.way[:, m, 0]
        heights = np.linspace(1.25 * top, 1.03 * top, len(way))
        axes.plot(way, heights, color=COLOURS[m % len(COLOURS)], marker=".", markersize=4, linewidth=1)
    axes.set_ylim(0, 1.28 * top)
    axes.set_ylabel("density", color=INK)


def _draw_plane(axes: Any, learner: Any, points: Any) -> None:
    from matplotlib.patches import Circle

    shown = points[:: max(1, -(-len(points) // _POINTS))]
    shares = learner.predict_proba_many(shown)
    nearest = shares.argmax(axis=1)
    sigma = learner.settings["variance"] ** 0.5
    for m, mean in enumerate(learner.means):
        colour = COLOURS[m % len(COLOURS)]
        mine = nearest == m
        # A point that is torn between means is pale.
        axes.scatter(
            shown[mine, 0], shown[mine, 1], s=9, color=colour, alpha=0.15 + 0.6 * (2 * shares[mine, m] - 1).clip(0),
            linewidths=0,
        )  # fmt: skip
        for radius in (sigma, 2 * sigma):
            axes.add_patch(Circle(tuple(mean), radius, fill=False, edgecolor=colour, linewidth=1.1))
        way = learner.way[:, m]
        axes.plot(way[:, 0], way[:, 1], color=INK, linewidth=1, marker=".", markersize=3)
        axes.plot(*mean, marker="x", color=INK, markersize=9, markeredgewidth=2)
    axes.set_aspect("equal", adjustable="datalim")
    axes.autoscale_view()


def _draw_climb(axes: Any, log_likelihoods: list[float]) -> None:
    axes.plot(range(len(log_likelihoods)), log_likelihoods, color=COLOURS[0], marker=".", markersize=4)
    axes.set_xlabel("steps", color=INK)
    axes.set_title("log-likelihood", loc="left", color=INK, fontsize=10)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.xaxis.get_major_locator().set_params(integer=True)
