"""Pictures: mistakes against trials, with the bound drawn in.  matplotlib is imported when one is drawn."""

from __future__ import annotations

import os
from contextlib import contextmanager
from importlib.util import find_spec

from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.core.whole_file import check_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger

ENDINGS = (".png", ".svg")
COLOURS = ("#0b6e99", "#c8501e", "#5b8c2a", "#7a4fa3")
_TITLE = 90  # characters that fit above the picture
INK, FAINT = "#222222", "#d9d9d9"


class Curve:
    """The mistakes of one learner over its trials; with `show_bound`, a line at what the ledger's bound allows.

    A bound that says nothing about the trials has no line: it would only press the curve into the axis.
    """

    def __init__(self, name: str, ledger: Ledger, *, show_bound: bool = True) -> None:
        self.name = name
        self.ledger = ledger
        bound = ledger.bound if show_bound else None
        self.bound = None if bound is None or ledger.empty_bound else bound.value
        self.law = ""
        if bound is not None and bound.theorem is not None:
            self.law = f"{bound.theorem.name} allows {name} {bound.mistakes:,} mistakes{ledger.emptiness}"

    def steps(self) -> tuple[list[int], list[int]]:
        """(trials, mistakes): one point at each mistake, and the ends."""
        numbers = list(self.ledger.mistake_trials)
        return [0, *numbers, self.ledger.trials], [*range(len(numbers) + 1), len(numbers)]


def check_picture(path: str) -> None:
    """Says before the work what would be wrong after it: an ending that is not known, no folder, no matplotlib."""
    if os.path.splitext(path)[1].lower() not in ENDINGS:
        raise BadParameter(f"the picture's name must end in {' or '.join(ENDINGS)}: {path!r}")
    if find_spec("matplotlib") is None:
        raise MistakeboundError("a picture needs matplotlib, which is not installed: pip install 'mistakebound[plot]'")
    check_place(path)


@contextmanager
def picture(path: str, width: float, height: float) -> Iterator[Any]:
    """A figure of so many inches to draw on; then it is written, PNG or SVG by the ending of its name, whole or not."""
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    ending = os.path.splitext(path)[1].lower()
    partial = f"{path}.{os.getpid()}.part"
    with rc_context(
        {"font.family": "sans-serif", "font.size": 10, "svg.fonttype": "none", "svg.hashsalt": "mistakebound"}
    ):
        figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
        FigureCanvasAgg(figure)
        yield figure
        try:
            figure.savefig(partial, format=ending[1:], metadata=_REPEATABLE[ending])
            os.replace(partial, path)
        except OSError as error:
            raise MistakeboundError(f"cannot write {path}: {error.strerror or error}") from error
        finally:
            if os.path.exists(partial):
                os.unlink(partial)


# The same run gives the same bytes: no date in the file.
_REPEATABLE: dict[str, dict[str, Any]] = {".png": {"Software": None}, ".svg": {"Date": None}}


def draw_mistakes(path: str, curves: Sequence[Curve], *, title: str) -> None:
    """Write the picture, PNG or SVG by the ending of its name."""
    with picture(path, 8, 4.8) as figure:
        axes = figure.subplots()
        _frame(axes, title)
        _draw(axes, curves)


def set_title(axes: Any, title: str, pad: int = 12) -> None:
    axes.set_title(
        title if len(title) <= _TITLE else title[: _TITLE - 3] + "...",
        loc="left",
        color=INK,
        fontsize=11,
        fontweight="bold",
        pad=pad,
    )


def _frame(axes: Any, title: str) -> None:
    set_title(axes, title)
    axes.set_xlabel("trials", color=INK)
    axes.set_ylabel("mistakes so far", color=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axis.get_major_locator().set_params(integer=True)


def _draw(axes: Any, curves: Sequence[Curve]) -> None:
    last = max(1, *(curve.ledger.trials for curve in curves), 1)
    top = 1.08 * max([1.0, *(max(curve.ledger.mistakes, curve.bound or 0.0) for curve in curves)])
    axes.set_xlim(0, last)
    axes.set_ylim(0, top)
    heights = _apart([float(curve.ledger.mistakes) for curve in curves], 0.055 * top)
    for curve, height, colour in zip(curves, heights, COLOURS * len(curves), strict=False):
        trials, mistakes = curve.steps()
        axes.plot(trials, mistakes, drawstyle="steps-post", color=colour, linewidth=1.8, clip_on=False)
        axes.annotate(
            f"{curve.name}: {mistakes[-1]:,}", (last, height), xytext=(6, 0), textcoords="offset points", va="center",
            color=colour, fontweight="bold", annotation_clip=False,
        )  # fmt: skip
        if curve.bound is not None:
            axes.axhline(curve.bound, color=colour, linestyle=(0, (5, 3)), linewidth=1.3)
        if curve.law:
            place = (last, top if curve.bound is None else curve.bound)
            axes.annotate(
                curve.law, place, xytext=(-4, 4), textcoords="offset points", ha="right", va="bottom", color=colour,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            )  # fmt: skip


def _apart(heights: list[float], gap: float) -> list[float]:
    """The heights of labels, moved up where two would lie on each other.

    >>> _apart([10.0, 11.0, 50.0], 5)
    [10.0, 15.0, 50.0]
    """
    moved = list(heights)
    lowest = float("-inf")
    for place in sorted(range(len(heights)), key=heights.__getitem__):
        moved[place] = max(heights[place], lowest + gap)
        lowest = moved[place]
    return moved
