"""The picture of one run of `learn`: mistakes against trials with the bound drawn in, and the recent error below."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from math import log10

from mistakebound.report.plots import COLOURS, FAINT, INK, picture, set_title, whole_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.ledger import Ledger

_POINTS = 2000  # of the curve: more cannot be seen
_WINDOWS = 60
_COLOUR = COLOURS[0]
_BOUND = COLOURS[1]
_FAR = 8  # a bound so many times above the mistakes would press the curve into the axis: logarithms then
_EARLY = 0.1  # and where nine of ten mistakes lie in such a share of the trials, into the other one
_A_DECADE = 4  # windows for ten times as many trials, in a picture with logarithms


class Run:
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
        self.emptiness = ledger.emptiness
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
    run = Run(ledger, since)
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


def _clean(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)


def _count(axes: Any, run: Run) -> None:
    _clean(axes)
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
        law += run.emptiness
        if run.passed is not None:
            law += f", passed at trial {run.passed:,}"
        _say(axes, run.last, limit, law, _BOUND, above=True)


def _say(axes: Any, x: float, y: float, text: str, colour: str, *, above: bool) -> None:
    axes.annotate(
        text, (x, y), xytext=(-2, 4 if above else -12), textcoords="offset points", ha="right",
        va="bottom" if above else "top", color=colour, fontweight="bold", annotation_clip=False,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )  # fmt: skip


def _recent(axes: Any, run: Run) -> None:
    _clean(axes)
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
