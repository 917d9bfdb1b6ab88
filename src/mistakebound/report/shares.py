"""The shares of the members of a mixture: as a table, and over time as a picture."""

from __future__ import annotations

from mistakebound.report.plots import COLOURS, INK, clean_axes, picture, set_legend, set_title, whole_numbers
from mistakebound.report.table import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SHOWN = 8  # members that have a line of their own in the picture


def share_lines(learner: Any) -> list[str]:
    """The members with the largest shares first."""
    shares = sorted(learner.shares().items(), key=lambda item: -item[1])
    rows = [(name, f"{share:.3f}") for name, share in shares]
    return columns([("member", "share"), *rows], "<>")


def draw_shares(path: str, learner: Any) -> None:
    """The shares after each of some trials, the largest at the end on top."""
    moments = learner.shares_over_time()
    names = sorted(learner.shares(), key=lambda name: -learner.shares()[name])
    trials = [trial for trial, _ in moments]
    curves = [[shares[name] for _, shares in moments] for name in names[:_SHOWN]]
    rest = [sum(shares[name] for name in names[_SHOWN:]) for _, shares in moments]
    with picture(path, 8, 4.8) as figure:
        axes = figure.subplots()
        set_title(axes, f"Shares of the members of {learner.name}")
        clean_axes(axes)
        styles = [(COLOURS[k % len(COLOURS)], "-" if k < len(COLOURS) else "--") for k in range(len(curves))]
        drawn = [
            axes.plot(trials, curve, color=colour, linestyle=style, linewidth=1.6)[0]
            for curve, (colour, style) in zip(curves, styles, strict=True)
        ]
        drawn += axes.plot(trials, rest, color=INK, linestyle=":", linewidth=1.2)
        axes.set_xlabel("trials", color=INK)
        axes.set_ylabel("share", color=INK)
        if len(trials) > 1:
            axes.set_xscale("log")
        whole_numbers(axes.xaxis)
        set_legend(axes, drawn, [*names[:_SHOWN], f"{len(names) - _SHOWN} others"], fontsize=8, frameon=False)
