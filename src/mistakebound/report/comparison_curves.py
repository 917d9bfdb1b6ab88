"""The picture of a comparison: mistakes against trials of every learner, and below it their recent errors."""

from __future__ import annotations

from bisect import bisect_right

from mistakebound.report.learning_curve import Run
from mistakebound.report.plots import COLOURS, FAINT, INK, picture, set_legend, set_title, whole_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger

_MANY = (*COLOURS, "#b8860b", "#a6264c", "#2f8f83", "#8a6d5a", "#4f5fb0", "#7f7f7f")
_FAR = 8  # mistakes of the worst for one of the best that would press the best into the axis: logarithms then
_POINTS = 240  # of the recent error


def draw_comparison(path: str, entries: Sequence[Any], *, title: str, window: int | None = None) -> None:
    """Write the picture, PNG or SVG by the ending of its name; learners that took no row are left out."""
    drawn = [entry for entry in entries if entry.refused is None and entry.ledger.trials]
    longest = max((entry.ledger for entry in drawn), key=lambda ledger: ledger.trials, default=None)
    size = 1 if longest is None else longest.recent(window)[0]
    runs = [Run(entry.ledger) for entry in drawn]
    early = bool(runs) and all(run.early for run in runs if run.mistakes)
    with picture(path, 8, 6.6 + 0.1 * len(drawn)) as figure:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        set_title(above, title)
        curves = []  # with their names
        for place, (entry, run) in enumerate(zip(drawn, runs, strict=True)):
            style = {"color": _MANY[place % len(_MANY)], "linestyle": ("-", "--")[place // len(_MANY) % 2]}
            curves.append(_mistakes(above, entry, run, style, early))
            trials, errors = recent_errors(entry.ledger, size)
            below.plot(trials, errors, linewidth=1.3, **style)
        _frame(above, "mistakes so far")
        _frame(below, f"error, %, of the last\n{size:,} trial{'s' * (size > 1)}")
        _scales(above, below, runs, early)
        for cross in above.collections:  # one far above the picture would have no place and still ask for it
            cross.set_visible(cross.get_offsets()[0][1] <= above.get_ylim()[1])
        if drawn:
            lines, names = zip(*curves, strict=True)
            set_legend(figure, lines, names, loc="outside lower center", ncols=2, frameon=False, fontsize=9)


def recent_errors(ledger: Ledger, window: int) -> tuple[list[int], list[float]]:
    """(trials, per cent of mistakes in the window that ends there), from the end of the first whole window on."""
    last, marks = ledger.trials, ledger.mistake_trials
    first = min(window, last)
    step = max(1, (last - first) // _POINTS)
    ends = [*range(first, last, step), last]
    wrong = [bisect_right(marks, end) - bisect_right(marks, end - first) for end in ends]
    return ends, [100 * count / max(1, first) for count in wrong]


def _mistakes(axes: Any, entry: Any, run: Run, style: dict[str, str], early: bool) -> tuple[Any, str]:
    """One curve, with a cross where a class was left; else the bound as a dotted line, where it is in the picture."""
    trials, mistakes = run.steps()
    trials[0] = int(early)
    words = f"{entry.name}: {run.mistakes:,}"
    bound = None if run.bound is None else run.bound.mistakes
    if entry.ledger.inconsistency is not None:
        words += f", stopped at {run.last:,}"
        axes.scatter([run.last], [run.mistakes], marker="x", color=style["color"], clip_on=False)
    elif bound is not None:
        words += f" (bound {bound:,}{', which says nothing' * bool(run.emptiness)}"
        words += f", passed at {run.passed:,})" if run.passed is not None else ")"
        axes.axhline(bound, color=style["color"], linestyle=(0, (1, 2)), linewidth=1.1, zorder=0)
    (line,) = axes.plot(trials, mistakes, drawstyle="steps-post", linewidth=1.7, **style)
    return line, words


def _frame(axes: Any, name: str) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_ylabel(name, color=INK)


def _scales(above: Any, below: Any, runs: Sequence[Run], early: bool) -> None:
    """Both axes from 0, or with logarithms where a curve could not be seen otherwise."""
    last = max([1, *(run.last for run in runs)])
    finals = [run.mistakes for run in runs if 2 * run.last > last]  # not of those that stopped early
    top = max([1, *finals])
    if finals and top > _FAR * max(1, min(finals)):
        above.set_yscale("symlog", linthresh=10, linscale=0.5)
        above.set_ylim(0, 2 * top)
    else:
        above.set_ylim(0, 1.06 * top)
        above.yaxis.get_major_locator().set_params(integer=True)
    if early:
        below.set_xscale("log")
    below.set_xlim(int(early), last)
    below.set_ylim(bottom=0)
    below.set_xlabel("trials", color=INK)
    whole_numbers(above.yaxis, below.xaxis)
