"""The linear part of `auto`: one sum over its features, the members' weights by their shares.

What it leaves out are naive Bayes, rows of length 1, triples, products and waves, and that a member's logit is not
proportional to its score.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from mistakebound.kernels import _auto_fields as fields
from mistakebound.learners.auto import _names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.learners.auto.auto import Auto

_FAR, _FAR_SPARSE = 5.0, 1000.0  # as in the kernel: values are cut off there


@dataclass(frozen=True)
class LinearPart:
    """A sum over features.

    scales   of a number: what is subtracted, what it is divided by, where it is cut off
    cuts     of a number: names of bins and their cuts, twice; bin k is from cut k - 1 to below cut k
    weights  of a feature, or of two that are in a row together
    """

    scales: dict[str, tuple[float, float, float]]
    cuts: dict[str, tuple[tuple[tuple[str, ...], tuple[float, ...]], ...]]
    weights: dict[tuple[str, ...], float]
    bias: float


def linear_part(learner: Auto) -> LinearPart:
    """That of a learner as it is."""
    with learner._lock.reading():
        return _linear_part(learner)


def _linear_part(learner: Auto) -> LinearPart:
    held, member_scales = learner._held, learner._member_scales()
    singles, full, features = held("singles"), held("full_weights"), held("features")
    attributes, samples = held("attributes"), held("samples")
    count, trials = learner._counts[fields.SINGLES], learner._counts[fields.TRIALS]
    names: dict[int, str] = {}
    scales: dict[str, tuple[float, float, float]] = {}
    cuts: dict[str, tuple[tuple[tuple[str, ...], tuple[float, ...]], ...]] = {}
    for number, name in enumerate(learner.attributes.names()):
        at = number * fields.ATTRIBUTE
        many, mean, squares, size, numeric, feature, bins, sample = map(float, attributes[at : at + fields.ATTRIBUTE])
        if feature:
            names[int(feature) - 1] = name
        if not numeric:
            continue
        if 2 * many < trials:
            scales[name] = 0.0, sqrt(size) if size > 0 else 1.0, _FAR_SPARSE
            continue
        spread = sqrt(squares / many) if many > 1 else 0.0
        scales[name] = (mean, spread, _FAR) if spread > 0 else (0.0, float("inf"), _FAR)
        if bins and sample:
            cuts[name] = _bins(name, int(bins) - 1, samples, (int(sample) - 1) * fields.SAMPLE, names)
    weights: dict[tuple[str, ...], float] = {
        (names[feature],): _sum(member_scales, _names.member_weights(singles, features, full, feature))
        for feature in range(1, count)
        if feature in names
    }
    nominal = {int(features[feature * fields.FEATURE + fields.F_NOMINAL]) - 1: name for feature, name in names.items()}
    pairs, pair_of = held("pairs"), held("pair_of")
    for high in range(1, learner._counts[fields.NOMINALS] if len(pairs) else 0):  # none where all of them sleep
        for low in range(high):
            pair = pair_of[high * (high - 1) // 2 + low]
            if pair and high in nominal and low in nominal:
                weight = _sum(member_scales, _names.pair_weights(pairs, pair - 1))
                weights[tuple(sorted((nominal[low], nominal[high])))] = weight
    bias = _sum(member_scales, _names.member_weights(singles, features, full, 0))
    return LinearPart(scales, cuts, {key: weight for key, weight in weights.items() if weight}, bias)


def _bins(name: str, first: int, samples: Any, at: int, names: dict[int, str]) -> Any:
    """The bins of a number, in which it is counted twice: eight of them, and sixteen."""
    found = []
    for start, place in ((0, fields.S_EIGHT), (8, fields.S_SIXTEEN)):
        count = int(samples[at + place])
        own = tuple(map(float, samples[at + place + 1 : at + place + 1 + count]))
        words = tuple(f"{name} #{start}.{k}" for k in range(len(own) + 1))
        names |= {first + start + k: word for k, word in enumerate(words)}
        found.append((words, own))
    return tuple(found)


def _sum(scales: list[float], weights: dict[int, float]) -> float:
    return sum(scales[member] * weight for member, weight in weights.items())
