"""What the features of `auto` are called, and what they weigh: the members' weights, each by its share."""

from __future__ import annotations

from mistakebound.core.names import write_name
from mistakebound.kernels import auto as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MEMBERS = (
    "arow(r=0.1)", "arow(r=1), plain", "coin-betting, plain", "passive-aggressive(C=1), plain", "perceptron, plain",
    "arow(r=0.1), forgets in 30", "arow(r=0.1), forgets in 300", "naive-bayes", "naive-bayes, counts",
    "arow(r=0.1), pairs", "passive-aggressive(C=0.1), pairs", "coin-betting, pairs", "naive-bayes, pairs",
    "arow(r=0.1), plain full", "arow(r=1), plain full", "arow(r=10), full",
)  # fmt: skip


def _cuts(samples: Any, at: int, count: int) -> list[float]:
    return list(samples[at + 1 : at + 1 + count])


def _interval(name: str, cuts: Sequence[float], place: int) -> str:
    """One bin in words."""
    if not cuts:
        return f"any {name}"
    if place == 0:
        return f"{name} < {cuts[0]:g}"
    if place >= len(cuts):
        return f"{name} >= {cuts[-1]:g}"
    return f"{cuts[place - 1]:g} <= {name} < {cuts[place]:g}"


def single_names(names: Sequence[str], attributes: Any, samples: Any, singles: int) -> list[str]:
    """By feature: an attribute, one of the bins of an attribute, or the constant."""
    found = ["the bias"] * singles
    for number, name in enumerate(names):
        at = number * kernel.ATTRIBUTE
        feature, bins = int(attributes[at + kernel.A_FEATURE]), int(attributes[at + kernel.A_BINS])
        if feature:
            found[feature - 1] = name
        if bins:
            sample = (int(attributes[at + kernel.A_SAMPLE]) - 1) * kernel.SAMPLE
            for first, size, place in ((0, 8, kernel.S_EIGHT), (8, 16, kernel.S_SIXTEEN)):
                cuts = _cuts(samples, sample + place, int(samples[sample + place]))
                for number_of_bin in range(size):
                    found[bins - 1 + first + number_of_bin] = _interval(name, cuts, number_of_bin)
    return found


def pair_names(singles: Any, names: Sequence[str], pair_of: Any, nominals: int, pairs: int) -> list[str]:
    """By pair of nominal features."""
    nominal = [""] * nominals
    for feature, name in enumerate(names):
        place = int(singles[feature * kernel.SINGLE + kernel.F_NOMINAL])
        if place:
            nominal[place - 1] = name
    found = [""] * pairs
    for high in range(1, nominals):
        start = high * (high - 1) // 2
        for low in range(high):
            pair = pair_of[start + low]
            if pair:
                found[pair - 1] = f"{write_name(nominal[low])} & {write_name(nominal[high])}"
    return found


def member_weights(singles: Any, full_weights: Any, feature: int) -> dict[int, float]:
    """What each linear member keeps of a single feature."""
    at = feature * kernel.SINGLE
    found = {member: singles[at + field] for member, field in kernel.F_WEIGHTS.items()}
    full = int(singles[at + kernel.F_FULL])
    for place in range(3 if full else 0):
        found[kernel.FULL_TENTH + place] = full_weights[place * kernel.FULL + full - 1]
    return found


def pair_weights(pairs: Any, pair: int) -> dict[int, float]:
    """What each member with pairs keeps of one."""
    at = pair * kernel.PAIR
    return {
        kernel.AROW_PAIRS: pairs[at + kernel.P_AROW],
        kernel.PA_PAIRS: pairs[at + kernel.P_PA],
        kernel.COIN_PAIRS: pairs[at + kernel.P_COIN_WEIGHT],
    }
