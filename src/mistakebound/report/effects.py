"""Which attributes matter most to a model: weight times spread, and for a learner of many labels the same per label."""

from __future__ import annotations

from heapq import nsmallest
from math import isfinite

from mistakebound.core.protocol import behind_transforms
from mistakebound.core.spread import FeatureMoments
from mistakebound.report.table import columns, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.spread import Spread

_NEVER = FeatureMoments(0.0, 0.0, 0.0)  # of an attribute that was declared and has not appeared
_FEW = 5  # attributes for a label, and against it
_MANY = 10_000  # weights, up to which ranking them by their effects takes no time that anybody notices


class Effect:
    """An attribute, its weight, the spread of its values and the product: what it changes from row to row."""

    __slots__ = ("name", "size", "spread", "weight")

    def __init__(self, name: str, weight: float, spread: float | None) -> None:
        self.name = name
        self.weight = weight
        self.spread = spread  # None: it was not counted, and weights are compared as they are
        self.size = weight if spread is None else weight * spread if weight else 0.0

    def as_json(self) -> dict[str, Any]:
        found = {"name": self.name, "weight": self.weight}
        if self.spread is None:
            return found
        return found | {"spread": _finite(self.spread), "effect": _finite(self.size)}


def effects(learner: Any, spread: Spread | None, count: int) -> list[Effect]:
    """The attributes with the largest effects by size, at most so many; of equal ones the first that appeared.

    `spread` is that of the input features, in the order in which the learner's table has them.  Where a transform makes
    others of them, theirs follows: that of a standardised number is 1 where there is one, that of a conjunction as if
    its literals were independent.
    """
    inside, _ = behind_transforms(learner)
    if spread is None or not spread.rows or inside.readable != "weights":
        return [Effect(name, weight, None) for name, weight in learner.top(count)]
    with learner._lock.around():
        weights, spread_of = learner.weights(), _spreads(learner, spread)
    found = [Effect(name, weight + 0.0, spread_of(name)) for name, weight in weights.items()]
    ranked = nsmallest(count, range(len(found)), key=lambda place: (-abs(found[place].size), place))
    return [found[place] for place in ranked]


def _spreads(learner: Any, spread: Spread) -> Callable[[str], float]:
    """A function from the name of a feature to its spread."""
    names = learner.attributes.names()
    if learner.inner is None:
        return _known(names, spread.deviations())
    found: dict[str, FeatureMoments] = dict(zip(names, spread.feature_moments(), strict=False))

    def moments(name: str) -> FeatureMoments:
        return found.get(name, _NEVER)

    return lambda name: learner.moments(name, moments).deviation


def _known(names: Sequence[str], numbers: Sequence[float]) -> Callable[[str], float]:
    found = dict(zip(names, numbers, strict=False))  # names that were declared may not have appeared
    return lambda name: found.get(name, 0.0)


def effect_lines(found: Sequence[Effect], head: str = "weight") -> list[str]:
    """A table of effects for people; `head` says what a weight is one for."""
    if not found:
        return []
    if found[0].spread is None:
        return columns([("attribute", head), *((one.name, f"{one.weight:.7g}") for one in found)], "<>")
    rows = [("attribute", head, "spread", "effect")]
    rows += [(one.name, f"{one.weight:.7g}", f"{one.spread:.4g}", f"{one.size:.4g}") for one in found]
    return columns(rows, "<>>>")


def label_effects(learner: Any, label: Any, spread: Spread | None, count: int) -> list[Effect]:
    """Those of the base learner of one label, of which the weights above 0 count for the label."""
    base = learner.base(label)
    found = effects(base, spread, count)
    if base.inner is not None and behind_transforms(base)[1]:
        return [Effect(one.name, 0.0 - one.weight, one.spread) for one in found]
    return found


def largest_effects(learner: Any, spread: Spread | None, count: int) -> tuple[str, list[tuple[str, float]]]:
    """ "effects" and the attributes with the largest, as `effects` ranks them; of many labels as "attribute for label".

    Where no spread was counted, or there are very many weights: "weights" and those with the largest.
    """
    labels = learner.labels.values if learner.many_classes and learner.name == "one-vs-all" else ()
    if spread is None or not spread.rows or _weights(learner, labels) > _MANY:
        return "weights", learner.top(count)
    if not labels:
        return "effects", [(one.name, one.size) for one in effects(learner, spread, count)]
    of_labels = [
        (f"{one.name} for {learner.labels.text(code)}", one.size)
        for code, label in enumerate(labels)
        for one in label_effects(learner, label, spread, count)
    ]
    return "effects", sorted(of_labels, key=lambda entry: -abs(entry[1]))[:count]


def _weights(learner: Any, labels: Sequence[Any]) -> int:
    """How many weights there are, behind transforms and for all labels."""
    if not labels:
        return len(behind_transforms(learner)[0].attributes)
    return sum(len(behind_transforms(learner.base(label))[0].attributes) for label in labels)


def label_lines(learner: Any, labels: Sequence[Any], spread: Spread | None, top: int) -> list[str]:
    """For each label the attributes for and against it, largest effect first."""
    said = []
    for label in labels:
        found = label_effects(learner, label, spread, max(top, 4 * _FEW))
        few = min(top, _FEW)
        sides = [one for one in found if one.size > 0][:few], [one for one in found if one.size < 0][:few]
        text = learner.labels.text(learner.labels.known(label))
        said += [(text if k == 0 else "", f"{word}: {_list(side)}") for k, (word, side) in enumerate(
            pair for pair in zip(("for", "against"), sides, strict=True) if pair[1]
        )] or [(text, "no attribute for or against it")]  # fmt: skip
    return fields(said)


def _list(found: Sequence[Effect]) -> str:
    return ", ".join(f"{one.name} ({one.size:+.3g})" for one in found)


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None
