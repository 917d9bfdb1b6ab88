"""The picture of one run of `learn`: mistakes against trials with the bound drawn in, and the recent error below."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from math import log10

from mistakebound.core.certificate import LEVEL, certificate
from mistakebound.report.plots import COLOURS, INK, clean_axes, picture, set_legend, set_title, whole_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger

_POINTS = 2000  # of the curve: more cannot be seen
_WINDOWS = 60
_COLOUR = COLOURS[0]
_BOUND = COLOURS[1]
_FAR = (
    8  # a bound, or the worst of several curves, so many times above would press a curve into the axis: logarithms then
)
_EARLY = 0.1  # and where nine of ten mistakes lie in such a share of the trials, into the other one
_A_DECADE = 4  # windows for ten times as many trials, in a picture with logarithms
_MANY = (*COLOURS, "#b8860b", "#a6264c", "#2f8f83", "#8a6d5a", "#4f5fb0", "#7f7f7f")
_RECENT = 240  # points of the recent error


class LearningRun:
    """The curve of the trials that were played since trial number `since`; those before are counted, not drawn."""

    def __init__(self, ledger: Ledger, since: int = 0) -> None:
        self.since = since
        self.last = ledger.trials
        self.marks = ledger.mistake_trials[bisect_right(ledger.mistake_trials, since) :]
        self.mistakes = ledger.mistakes
        self.before = ledger.mistakes - len(self.marks)
        below = ledger.bound is not None and (ledger.bound.mistakes or 0) < 0
        self.bound = None if below else ledger.bound  # a line below 0 is not in the picture
        allowed = None if self.bound is None else self.bound.mistakes
        self.vacuity = ledger.vacuity
        self.certified = ledger.passes == 1 and not ledger.abstentions  # whose trials are not listed
        self.passed = None if allowed is None or allowed >= self.mistakes else ledger.refuted_at

    @property
    def early(self) -> bool:
        """Whether nearly all mistakes were made so soon that they would all lie at the picture's edge."""
        count = len(self.marks)
        return self.since == 0 and count >= 10 and self.marks[9 * count // 10] <= _EARLY * self.last

    def steps(self) -> tuple[list[int], list[int]]:
        """(trials, mistakes so far), thinned where there are too many to be seen; the ends stay."""
        count = len(self.marks)
        places = range(0, count, max(1, -(-count // _POINTS)))
        trials = [int(self.early) or self.since, *(self.marks[place] for place in places), self.last]
        return trials, [self.before, *(self.before + place + 1 for place in places), self.mistakes]

    def windows(self) -> list[tuple[int, int, int]]:
        """(trial before the first, last trial, mistakes) of runs of trials as wide as each other in the picture."""
        if self.early:
            decades = 1 + int(log10(self.last))
            steps = range(1, decades * _A_DECADE + 1)
            edges = [0, *(edge for step in steps if (edge := round(10 ** (step / _A_DECADE))) < self.last)]
        else:
            edges = list(range(self.since, self.last, max(1, -(-(self.last - self.since) // _WINDOWS))))
        edges.append(self.last)
        counts = [bisect_right(self.marks, edge) for edge in edges]
        return [
            (*ends, after - before) for ends, before, after in zip(pairwise(edges), counts, counts[1:], strict=False)
        ]


def draw_learning(path: str, ledger: Ledger, *, title: str, since: int = 0) -> None:
    """Write the picture of a run that began after `since` trials, PNG or SVG by the ending of its name."""
    run = LearningRun(ledger, since)
    with picture(path, 8, 6) as figure:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        set_title(above, title)
        _count(above, run)
        _recent(below, run)
        below.set_xlabel("trials", color=INK)
        if run.early:
            below.set_xscale("log")
        else:
            below.xaxis.get_major_locator().set_params(integer=True)
        below.set_xlim(int(run.early) or run.since, max(run.last, run.since + 1))
        whole_numbers(below.xaxis)


def _count(axes: Any, run: LearningRun) -> None:
    clean_axes(axes)
    trials, mistakes = run.steps()
    axes.plot(trials, mistakes, drawstyle="steps-post", color=_COLOUR, linewidth=1.8, clip_on=False)
    axes.set_ylabel("mistakes so far", color=INK)
    limit = None if run.bound is None else run.bound.value
    top = max(1.0, run.mistakes, limit or 0.0)
    crowded = limit is not None and 0 <= limit - run.mistakes < 0.09 * top  # two lines of text do not fit between
    if limit is not None and limit > _FAR * max(1, run.mistakes):
        axes.set_yscale("symlog", linthresh=10, linscale=0.5)
        axes.set_ylim(0, 2 * top)
    else:
        axes.set_ylim(0, 1.12 * top)
        axes.yaxis.get_major_locator().set_params(integer=True)
    whole_numbers(axes.yaxis)
    count = f"{run.mistakes:,} mistake{'s' * (run.mistakes != 1)}"
    if run.last > run.since:
        _say(axes, run.last, run.mistakes, count, _COLOUR, above=not crowded)
    if run.bound is not None and limit is not None and run.bound.theorem is not None:
        axes.axhline(limit, color=_BOUND, linestyle=(0, (5, 3)), linewidth=1.3)
        law = f"{run.bound.theorem.name} allows {run.bound.mistakes:,}"
        law += run.vacuity
        if run.passed is not None:
            law += f", exceeded at trial {run.passed:,}"
        _say(axes, run.last, limit, law, _BOUND, above=True)


def _say(axes: Any, x: float, y: float, text: str, colour: str, *, above: bool) -> None:
    axes.annotate(
        text, (x, y), xytext=(-2, 4 if above else -12), textcoords="offset points", ha="right",
        va="bottom" if above else "top", color=colour, fontweight="bold", annotation_clip=False,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )  # fmt: skip


def _recent(axes: Any, run: LearningRun) -> None:
    clean_axes(axes)
    windows = run.windows()
    if windows:
        edges = [int(run.early) or windows[0][0], *(last for _, last, _ in windows)]
        shares = [100 * count / (last - first) for first, last, count in windows]
        axes.stairs(shares, edges, color=_COLOUR, fill=True, alpha=0.35)
        axes.stairs(shares, edges, color=_COLOUR, linewidth=1.2)
        size = windows[0][1] - windows[0][0]
        of = "" if run.early else f",\nof {size:,} trial{'s' * (size > 1)}"
        axes.set_ylabel(f"error, %{of}", color=INK)
        axes.set_ylim(0, max(1.0, min(100.0, 1.15 * max(shares))))
        if run.certified:
            _certificate(axes, run, edges)


def _certificate(axes: Any, run: LearningRun, edges: list[int]) -> None:
    """The average error so far within the interval for it, which is valid at all times."""
    ends = [edge for edge in edges if edge > 0]
    found = [certificate(run.before + bisect_right(run.marks, edge), edge) for edge in ends]
    axes.fill_between(
        ends, [100 * one.low for one in found], [100 * one.high for one in found], color=INK, alpha=0.12, linewidth=0,
        label=f"average so far, {100 * LEVEL:g} % certain at all times",
    )  # fmt: skip
    axes.plot(ends, [100 * one.errors / one.trials for one in found], color=INK, linewidth=0.9)
    axes.legend(loc="upper right", fontsize="small", frameon=False, labelcolor=INK)


def draw_comparison(path: str, entries: Sequence[Any], *, title: str, window: int | None = None) -> None:
    """Write the picture, PNG or SVG by the ending of its name; learners that took no row are left out."""
    drawn = [entry for entry in entries if entry.refused is None and entry.ledger.trials]
    longest = max((entry.ledger for entry in drawn), key=lambda ledger: ledger.trials, default=None)
    size = 1 if longest is None else longest.recent(window)[0]
    runs = [LearningRun(entry.ledger) for entry in drawn]
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
        clean_axes(above)
        clean_axes(below)
        above.set_ylabel("mistakes so far", color=INK)
        below.set_ylabel(f"error, %, of the last\n{size:,} trial{'s' * (size > 1)}", color=INK)
        _scales(above, below, runs, early)
        for cross in above.collections:  # one far above the picture would have no place and still ask for it
            cross.set_visible(cross.get_offsets()[0][1] <= above.get_ylim()[1])
        if drawn:
            lines, names = zip(*curves, strict=True)
            set_legend(figure, lines, names, loc="outside lower center", ncols=2, frameon=False, fontsize=9)


def recent_errors(ledger: Ledger, window: int) -> tuple[list[int], list[float]]:
    """(trials, per cent of errors in the window that ends there), from the end of the first whole window on."""
    last, marks = ledger.trials, sorted([*ledger.mistake_trials, *ledger.abstention_trials])
    first = min(window, last)
    step = max(1, (last - first) // _RECENT)
    ends = [*range(first, last, step), last]
    wrong = [bisect_right(marks, end) - bisect_right(marks, end - first) for end in ends]
    return ends, [100 * count / max(1, first) for count in wrong]


def _mistakes(axes: Any, entry: Any, run: LearningRun, style: dict[str, str], early: bool) -> tuple[Any, str]:
    """One curve, with a cross where a class was left; else the bound as a dotted line, where it is in the picture."""
    trials, mistakes = run.steps()
    trials[0] = int(early)
    words = f"{entry.name}: {run.mistakes:,}"
    bound = None if run.bound is None else run.bound.mistakes
    if entry.ledger.inconsistency is not None:
        words += f", stopped at {run.last:,}"
        axes.scatter([run.last], [run.mistakes], marker="x", color=style["color"], clip_on=False)
    elif bound is not None:
        words += f" (bound {bound:,}{', vacuous' * bool(run.vacuity)}"
        words += f", passed at {run.passed:,})" if run.passed is not None else ")"
        axes.axhline(bound, color=style["color"], linestyle=(0, (1, 2)), linewidth=1.1, zorder=0)
    (line,) = axes.plot(trials, mistakes, drawstyle="steps-post", linewidth=1.7, **style)
    return line, words


def _scales(above: Any, below: Any, runs: Sequence[LearningRun], early: bool) -> None:
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
