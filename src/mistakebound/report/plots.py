"""Pictures: mistakes against trials, with the bound drawn in.  matplotlib is imported when one is drawn."""

from __future__ import annotations

import os
from contextlib import contextmanager
from importlib.util import find_spec

from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.core.file_kinds import check_kind
from mistakebound.core.names import visible
from mistakebound.core.whole_file import WholeFile, check_place

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
        self.bound = None if bound is None or ledger.vacuous else bound.value
        self.law = ""
        if bound is not None and bound.theorem is not None:
            self.law = f"{bound.theorem.name} allows {name} {bound.mistakes:,} mistakes{ledger.vacuity}"

    def steps(self) -> tuple[list[int], list[int]]:
        """(trials, mistakes): one point at each mistake, and the ends."""
        numbers = list(self.ledger.mistake_trials)
        return [0, *numbers, self.ledger.trials], [*range(len(numbers) + 1), len(numbers)]


def check_picture(path: str) -> None:
    """Says before the work what would be wrong after it: no such ending, no folder, no matplotlib."""
    if os.path.splitext(path)[1].lower() not in ENDINGS:
        raise BadParameter(f"the picture's name must end in {' or '.join(ENDINGS)}: {path!r}")
    if find_spec("matplotlib") is None:
        raise MistakeboundError("a picture needs matplotlib, which is not installed: pip install 'mistakebound[plot]'")
    check_place(path)
    check_kind(path, "picture")


@contextmanager
def picture(path: str, width: float, height: float) -> Iterator[Any]:
    """A figure of so many inches to draw on; then it is written, PNG or SVG by the ending of its name, whole or not."""
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    ending = os.path.splitext(path)[1].lower()
    with rc_context(rc=_HOW):
        figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
        FigureCanvasAgg(figure)
        yield figure
        with WholeFile(path, sync=False, kind="picture") as file:
            figure.savefig(file, format=ending[1:], metadata=_REPEATABLE[ending])


# Names and labels are text, whatever is in them: $, \\, _ and ^ are no formulas, neither ours nor TeX's.
_HOW: Any = {
    "font.family": "sans-serif", "font.size": 10, "svg.fonttype": "none", "svg.hashsalt": "mistakebound",
    "text.parse_math": False, "text.usetex": False, "axes.formatter.use_mathtext": False,
}  # fmt: skip
# The same run gives the same bytes: no date in the file.
_REPEATABLE: dict[str, dict[str, Any]] = {".png": {"Software": None}, ".svg": {"Date": None}}


def draw_mistakes(path: str, curves: Sequence[Curve], *, title: str) -> None:
    """Write the picture, PNG or SVG by the ending of its name."""
    with picture(path, 8, 4.8) as figure:
        axes = figure.subplots()
        _frame(axes, title)
        _draw(axes, curves)


def set_title(axes: Any, title: str, pad: int = 12) -> None:
    axes.set_title(shortened(title, _TITLE), loc="left", color=INK, fontsize=11, fontweight="bold", pad=pad)


def clean_axes(axes: Any) -> None:
    """No frame above and on the right, faint lines behind the curves."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)


def set_figure_title(figure: Any, title: str) -> None:
    figure.suptitle(shortened(title, _TITLE), x=0.01, ha="left", color=INK, fontsize=11, fontweight="bold")


def shortened(text: str, most: int) -> str:
    """Text from outside for a picture: on one line, with nothing that cannot be seen, and not too long."""
    shown = visible(text)
    return shown if len(shown) <= most else shown[: most - 3] + "..."


def set_legend(owner: Any, handles: Sequence[Any], names: Sequence[str], **how: Any) -> None:
    """A legend of an axes or a figure, also of names that begin with _, which matplotlib would leave out."""
    legend = owner.legend(handles, [str(place) for place in range(len(names))], **how)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(visible(name))


def whole_numbers(*axes: Any) -> None:
    """Thousands with commas at the marks of an axis, also with logarithms; no powers of ten, which are formulas."""
    for axis in axes:
        axis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axis.set_minor_formatter(lambda value, _: "")


def _frame(axes: Any, title: str) -> None:
    set_title(axes, title)
    axes.set_xlabel("trials", color=INK)
    axes.set_ylabel("mistakes so far", color=INK)
    clean_axes(axes)
    whole_numbers(axes.xaxis, axes.yaxis)
    for axis in (axes.xaxis, axes.yaxis):
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
        said = visible(f"{curve.name}: {mistakes[-1]:,}")
        axes.annotate(
            said, (last, height), xytext=(6, 0), textcoords="offset points", va="center", color=colour,
            fontweight="bold", annotation_clip=False,
        )  # fmt: skip
        if curve.bound is not None:
            axes.axhline(curve.bound, color=colour, linestyle=(0, (5, 3)), linewidth=1.3)
        if curve.law:
            place = (last, top if curve.bound is None else curve.bound)
            axes.annotate(
                visible(curve.law), place, xytext=(-4, 4), textcoords="offset points", ha="right", va="bottom",
                color=colour, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
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
