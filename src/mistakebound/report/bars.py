"""Pictures of weights: what each attribute adds to one decision, and the largest weights of a model, as bars."""

from __future__ import annotations

from math import isfinite

from mistakebound.core.errors import MistakeboundError
from mistakebound.core.plain_sum import plain_sum
from mistakebound.report.effects import effects
from mistakebound.report.explanation import apart
from mistakebound.report.plots import COLOURS, FAINT, INK, picture, set_title, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.spread import Spread
    from mistakebound.report.explanation import Explanation

MOST = 40  # bars in one picture
_NAME = 32  # characters of a name
_UP, _DOWN = COLOURS[0], COLOURS[1]


def draw_explanation(path: str, explanation: Explanation, top: int = 20) -> None:
    """One bar per attribute, each begun where the one before ended, up to the total; a line at the threshold."""
    steps = _steps(explanation, min(top, MOST))
    if not all(isfinite(number) for number in (explanation.total, *(amount for _, amount in steps))):
        raise MistakeboundError(f"{path} cannot be drawn: a number is too large")
    starts = [0.0]
    for _, amount in steps:
        starts.append(starts[-1] + amount)
    names = [name for name, _ in steps] + ["total"]
    with picture(path, 8, 1.6 + 0.27 * len(names)) as figure:
        axes = figure.subplots()
        _frame(axes, names, explanation.decision())
        for place, (_, amount) in enumerate(steps):
            _bar(axes, place, starts[place], amount, _UP if amount >= 0 else _DOWN, _signed(amount))
            axes.plot([starts[place + 1]] * 2, [place, place + 1], color=FAINT, linewidth=1, zorder=0)
        _bar(axes, len(steps), 0.0, explanation.total, INK, apart(explanation.total, explanation.threshold)[0])
        axes.axvline(explanation.threshold, color=INK, linestyle=(0, (5, 3)), linewidth=1.2)
        axes.annotate(
            f"threshold {explanation.threshold:.7g}", (explanation.threshold, 1), xycoords=("data", "axes fraction"),
            xytext=(0, 3), textcoords="offset points", ha="center", va="bottom", color=INK, fontsize=9,
            annotation_clip=False,
        )  # fmt: skip
        _leave_room(axes, [*starts, explanation.total, explanation.threshold])
        axes.set_xlabel("the sum so far", color=INK)


def draw_weights(path: str, learner: Any, top: int = 10, spread: Spread | None = None) -> None:
    """The attributes with the largest effects, weight times spread; without spread with the largest weights."""
    largest = [(one.name, one.size) for one in effects(learner, spread, min(top, MOST)) if isfinite(one.size)]
    what, unit = ("weights", "weight") if spread is None else ("effects", "effect: weight times spread")
    with picture(path, 8, 1.6 + 0.27 * max(1, len(largest))) as figure:
        axes = figure.subplots()
        _frame(axes, [shortened(name, _NAME) for name, _ in largest], f"{learner!r}: the largest {what}")
        for place, (_, weight) in enumerate(largest):
            _bar(axes, place, 0.0, weight, _UP if weight >= 0 else _DOWN, _signed(weight))
        _leave_room(axes, [0.0, *(weight for _, weight in largest)])
        axes.set_xlabel(unit, color=INK)


def _steps(explanation: Explanation, top: int) -> list[tuple[str, float]]:
    """(name, amount) in the order of the bars: the bias, the terms from the largest on, what the others come to."""
    steps = [] if explanation.bias is None else [("the bias", explanation.bias)]
    shown = [term for term in explanation.terms[:top] if term.amount]
    for term in shown:
        name = term.name if term.value == 1 else f"{term.name} = {term.value:.4g}"
        steps.append((shortened(name, _NAME), term.amount))
    rest = explanation.terms[len(shown) :]
    if rest:
        steps.append((f"{len(rest):,} more", plain_sum(term.amount for term in rest)))
    return steps


def _frame(axes: Any, names: Sequence[str], title: str) -> None:
    set_title(axes, title, pad=24)  # above the word at the threshold
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(1, len(names)) - 0.4, -0.6)  # the first bar is the uppermost
    axes.tick_params(axis="y", length=0, colors=INK)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.grid(axis="x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)


def _bar(axes: Any, place: int, start: float, amount: float, colour: str, text: str) -> None:
    """With its number at the end that it grows to."""
    axes.barh(place, amount, left=start, color=colour, height=0.7)
    right = amount >= 0
    axes.annotate(
        text, (start + amount, place), xytext=(4 if right else -4, 0), textcoords="offset points",
        ha="left" if right else "right", va="center", color=INK, fontsize=8.5,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8},
    )  # fmt: skip


def _leave_room(axes: Any, ends: Sequence[float]) -> None:
    """For the numbers beside the bars; to the left only where a bar goes there."""
    low, high = min(ends), max(ends)
    width = high - low or 1.0
    axes.set_xlim(low - 0.12 * width if low < 0 else low, high + 0.15 * width)


def _signed(amount: float) -> str:
    return f"{amount:+.4g}" if amount else "0"
