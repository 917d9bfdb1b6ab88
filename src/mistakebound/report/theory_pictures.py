"""Pictures of theory: shattered points, the entropy curve, a unit with its weights, what weights and threshold do."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, log2

import numpy as np

from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.regions.region_class import RegionClass
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import visible
from mistakebound.report.plots import COLOURS, FAINT, INK, picture, set_figure_title, set_title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.theory.class_survey import Survey

_MOST_POINTS = 5  # 32 panels
_CELLS = 48  # of a panel on each side
_MOST_INPUTS = 20
_PANELS_ACROSS = 2  # of a survey
_NUMBER_NAMES = {
    "vc": "VC dimension", "opt": "opt, the best mistake bound", "halving": "mistakes of halving",
    "queries": "membership queries", "teaching": "teaching dimension", "randomized": "best expected mistakes",
    "recursive": "recursive teaching dimension",
}  # fmt: skip


def draw_shattering(path: str, concept_class: Any, points: Sequence[Any], *, title: str = "") -> None:
    """Draws every subset of some points of the plane or the line with a region that cuts it off, where there is one.

    Parameters
    ----------
    path : str
        The file; PNG or SVG by its ending.
    concept_class : RegionClass or str
        A class of regions of one or two dimensions, or its text, such as "circles".
    points : sequence
        At most 5 points.
    title : str, default ""
        Above the picture.  "": the class, and how many of the subsets it cuts off.

    Returns
    -------
    None

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "shattered.svg")
    >>> draw_shattering(path, "half-spaces d=2", [(0, 0), (1, 0), (0, 1)])
    >>> os.path.getsize(path) > 0
    True
    """
    given, chosen = class_given(concept_class), [tuple(point) for point in points]
    if not isinstance(given, RegionClass) or given.d > 2:
        raise BadParameter(f"concept_class must be a class of regions of the line or the plane: {concept_class}")
    if not 1 <= len(chosen) <= _MOST_POINTS:
        raise BadParameter(f"points must be 1 to {_MOST_POINTS}: {len(chosen)}")
    finite = given.finite(chosen)
    regions = {finite.labels(c): region for c, region in enumerate(finite.concepts)}
    places = np.array([[float(value) for value in point] + [0.0] * (2 - given.d) for point in chosen])
    low, high = places.min() - 0.6, places.max() + 0.6
    subsets = 1 << len(chosen)
    across = min(subsets, 8)
    with picture(path, 1.25 * across + 0.2, 1.3 * ceil(subsets / across) + 0.5) as figure:
        grid = figure.subplots(ceil(subsets / across), across, squeeze=False)
        for subset, axes in enumerate(grid.flat):
            labels = tuple(subset >> j & 1 for j in range(len(chosen)))
            _panel(axes, regions.get(labels), labels, places, given.d, (low, high))
        said = f"{given}: {len(regions)} of the {subsets} subsets" + (", shattered" if len(regions) == subsets else "")
        set_figure_title(figure, title or said)


def _panel(axes: Any, region: Any, labels: Sequence[int], places: Any, d: int, ends: tuple[float, float]) -> None:
    axes.set(xlim=ends, ylim=ends, xticks=[], yticks=[], aspect="equal")
    for spine in axes.spines.values():
        spine.set_color(FAINT)
    if region is None:
        axes.text(0.5, 0.93, "none", transform=axes.transAxes, ha="center", va="top", color=COLOURS[1], fontsize=8)
    else:
        line = np.linspace(*ends, _CELLS)
        cells = np.array([(x, y)[:d] for y in line for x in line])
        inside = region.evaluate_many(cells).reshape(_CELLS, _CELLS)
        axes.imshow(
            np.where(inside == 1, 1.0, np.nan), extent=(*ends, *ends), origin="lower", cmap="Blues", vmin=0, vmax=3
        )
    for (x, y), label in zip(places, labels, strict=True):
        axes.plot(x, y, "o", markersize=5, color=INK, markerfacecolor=INK if label else "white")


def draw_entropy_curve(path: str, *, title: str = "Entropy of two classes") -> None:
    """Draws the entropy of two classes against the share of one of them.

    Parameters
    ----------
    path : str
        The file; PNG or SVG by its ending.
    title : str, default "Entropy of two classes"
        Above the picture.

    Returns
    -------
    None

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "entropy.svg")
    >>> draw_entropy_curve(path)
    >>> os.path.getsize(path) > 0
    True
    """
    shares = [j / 200 for j in range(201)]
    bits = [0.0 if p in (0, 1) else -p * log2(p) - (1 - p) * log2(1 - p) for p in shares]
    with picture(path, 5, 3.6) as figure:
        axes = figure.subplots()
        set_title(axes, title)
        axes.plot(shares, bits, color=COLOURS[0], linewidth=1.8)
        axes.set(xlabel="share of the positive examples", ylabel="bits", xlim=(0, 1), ylim=(0, 1.05))
        axes.grid(color=FAINT)


def draw_unit(
    path: str, weights: Sequence[float], *, names: Sequence[str] | None = None, output: str = "", title: str = ""
) -> None:
    """Draws a unit: its inputs, each with its weight, the sum, and what becomes of it.

    Parameters
    ----------
    path : str
        The file; PNG or SVG by its ending.
    weights : sequence of float
        The weight of the constant 1 first, as `unit.weights[0][0]`; at most 20 others.
    names : sequence of str or None, default None
        Names of the inputs.  None: x1, x2, ...
    output : str, default ""
        What is made of the sum, such as "> 0" or "sigmoid".
    title : str, default ""
        Above the picture.

    Returns
    -------
    None

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "unit.svg")
    >>> draw_unit(path, [-1.5, 1.0, 1.0], output="> 0")
    >>> os.path.getsize(path) > 0
    True
    """
    if not 1 <= len(weights) <= _MOST_INPUTS + 1:
        raise BadParameter(f"weights must be those of 0 to {_MOST_INPUTS} inputs, and of the constant: {len(weights)}")
    shown = ["1", *(names or [f"x{j}" for j in range(1, len(weights))])]
    largest = max(map(abs, weights)) or 1.0
    height = max(2.0, 0.55 * len(weights))
    with picture(path, 5.2, height + 0.6) as figure:
        axes = figure.subplots()
        axes.set_axis_off()
        axes.set(xlim=(-0.4, 3.6), ylim=(-len(weights) + 0.4, 0.6))
        middle = -(len(weights) - 1) / 2
        for place, (name, weight) in enumerate(zip(shown, weights, strict=True)):
            colour = COLOURS[0] if weight >= 0 else COLOURS[1]
            axes.plot([0, 2], [-place, middle], color=colour, linewidth=0.4 + 3 * abs(weight) / largest)
            axes.text(0, -place, visible(name), ha="center", va="center", color=INK, bbox=_BOX)
            at = 0.35 + place % 2 * 0.2
            axes.text(2 * at, -place + (middle + place) * at, f"{weight:.3g}", fontsize=8, color=colour, bbox=_WHITE)
        axes.text(2, middle, "sum", ha="center", va="center", color=INK, bbox=_BOX)
        axes.annotate("", (3.1, middle), (2.2, middle), arrowprops={"arrowstyle": "->", "color": INK})
        axes.text(3.15, middle, visible(output), va="center", color=INK)
        set_title(axes, title)


_BOX: Any = {"boxstyle": "circle", "facecolor": "white", "edgecolor": INK}
_WHITE: Any = {"facecolor": "white", "edgecolor": "none", "pad": 1}


def draw_weights_and_threshold(path: str, *, title: str = "w turns the line, theta shifts it") -> None:
    """Draws lines w . x = theta: turning with w on the left, shifted by theta on the right.

    Parameters
    ----------
    path : str
        The file; PNG or SVG by its ending.
    title : str, default "w turns the line, theta shifts it"
        Above the picture.

    Returns
    -------
    None

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "line.svg")
    >>> draw_weights_and_threshold(path)
    >>> os.path.getsize(path) > 0
    True
    """
    cases = [
        ("theta = 1", [((np.cos(a), np.sin(a)), 1.0) for a in (0.2, 0.8, 1.4)]),
        ("w = (0.8, 0.6)", [((0.8, 0.6), theta) for theta in (0.4, 1.0, 1.6)]),
    ]
    with picture(path, 8, 4.2) as figure:
        for axes, (what, lines) in zip(figure.subplots(1, 2), cases, strict=True):
            set_title(axes, what)
            axes.set(xlim=(0, 2.5), ylim=(0, 2.5), aspect="equal", xlabel="x1", ylabel="x2")
            for colour, (w, theta) in zip(COLOURS, lines, strict=False):
                along = np.array([-w[1], w[0]])
                foot = np.array(w) * theta
                ends = np.array([foot - 4 * along, foot + 4 * along])
                label = f"w = ({w[0]:.2f}, {w[1]:.2f})" if what.startswith("theta") else f"theta = {theta:g}"
                axes.plot(ends[:, 0], ends[:, 1], color=colour, linewidth=1.8, label=label)
                axes.annotate("", foot * 1.25, foot, arrowprops={"arrowstyle": "->", "color": colour})
            axes.legend(frameon=False, fontsize=8)
        set_figure_title(figure, title)


def draw_survey(path: str, survey: Survey, *names: str, title: str = "") -> None:
    """Draws how numbers of many classes relate: a disc for each pair of values, as large as it is frequent.

    Parameters
    ----------
    path : str
        The file; PNG or SVG by its ending.
    survey : Survey
        As `mb.theory.survey_classes` gives it.
    *names : str
        The numbers, such as "vc", "opt"; a panel for each two neighbours.  None given: all of the survey.
    title : str, default ""
        Above the picture.  "": how many classes there are.

    Returns
    -------
    None

    Examples
    --------
    >>> import os, tempfile
    >>> import mistakebound as mb
    >>> path = os.path.join(tempfile.mkdtemp(), "survey.svg")
    >>> draw_survey(path, mb.theory.survey_classes(10, 4, 3, names=["vc", "opt"]), "vc", "opt")
    >>> os.path.getsize(path) > 0
    True
    """
    chosen = names or survey.names
    for name in chosen:
        if name not in survey.names:
            raise BadParameter(f"a name must be one of the survey's ({', '.join(survey.names)}): {name!r}")
    if len(chosen) < 2:
        raise BadParameter(f"two names at least must be given: {', '.join(chosen)}")
    pairs = list(pairwise(chosen))
    across = min(len(pairs), _PANELS_ACROSS)
    down = -(-len(pairs) // across)
    with picture(path, 0.4 + 4.2 * across, 0.5 + 3.8 * down) as figure:
        set_figure_title(figure, title or f"{len(survey.rows):,} classes; on the line both numbers are equal")
        panels = figure.subplots(down, across, squeeze=False).flatten()
        for axes, (first, second) in zip(panels, pairs, strict=False):
            _draw_pairs(axes, survey.pairs(first, second))
            axes.set(xlabel=_NUMBER_NAMES[first], ylabel=_NUMBER_NAMES[second])
        for axes in panels[len(pairs) :]:
            axes.set_visible(False)


def _draw_pairs(axes: Any, counts: Counter[tuple[Any, Any]]) -> None:
    values = [[float(pair[k]) for pair in counts] for k in (0, 1)]
    lowest, highest = min(map(min, values)) - 0.5, max(map(max, values)) + 0.5
    axes.plot([lowest, highest], [lowest, highest], color=FAINT, zorder=0)
    most = max(counts.values())
    for (a, b), count in sorted(counts.items()):
        axes.scatter(float(a), float(b), s=30 + 900 * count / most, color=COLOURS[0], alpha=0.7, linewidths=0)
        axes.text(float(a), float(b), f"{count:,}", ha="center", va="center", fontsize=8, color=INK)
    whole = range(ceil(lowest), int(highest) + 1)
    axes.set(xlim=(lowest, highest), ylim=(lowest, highest), xticks=whole, yticks=whole)
