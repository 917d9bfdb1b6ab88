"""What the features of `auto` are called, and what they weigh: the members' weights, each by its share."""

from __future__ import annotations

from mistakebound.kernels import _auto_fields as fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from mistakebound.core.attributes import AttributeTable

MEMBERS = (
    "arow(r=1), plain", "coin-betting, plain", "passive-aggressive(C=1), plain", "arow(r=0.1), unit rows",
    "arow(r=0.1), forgets in 30", "arow(r=0.1), forgets in 300", "naive-bayes", "naive-bayes, counts",
    "arow(r=0.1), triples", "coin-betting, pairs", "coin-betting, triples", "arow, products and waves full",
    "arow(r=1), plain full", "arow(r=10), full",
)  # fmt: skip

_WEIGHTS = {
    fields.AROW_ONE: fields.W_AROW_ONE, fields.PA_ONE: fields.W_PA_ONE, fields.FAST: fields.W_FAST,
    fields.SLOW: fields.W_SLOW, fields.COIN: fields.W_COIN + fields.COIN_WEIGHT,
    fields.AROW_TRIPLES: fields.W_AROW_TRIPLES, fields.COIN_PAIRS: fields.W_COIN_PAIRS + fields.COIN_WEIGHT,
    fields.COIN_TRIPLES: fields.W_COIN_TRIPLES + fields.COIN_WEIGHT,
}  # fmt: skip


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


def single_names(table: AttributeTable, attributes: Any, samples: Any, wanted: Iterable[int]) -> dict[int, str]:
    """Of some features: each is an attribute, one of the bins of an attribute, or the constant."""
    slots, end = table.slots(), len(table) * fields.ATTRIBUTE
    places = {feature + 1 for feature in wanted}  # as attributes have them
    firsts = attributes[fields.A_FEATURE : end : fields.ATTRIBUTE].tolist()
    found = {int(place) - 1: table.name(slots[number]) for number, place in enumerate(firsts) if place in places}
    left = [place - 1 for place in places if place - 1 not in found]
    bins = attributes[fields.A_BINS : end : fields.ATTRIBUTE].tolist() if left else []
    binned = {first - 1: number for number, first in enumerate(bins) if first}
    for feature in left:
        first = next((first for first in range(feature, feature - fields.BINS, -1) if first in binned), None)
        if first is None:
            found[feature] = "the bias"
            continue
        sample = (int(attributes[binned[first] * fields.ATTRIBUTE + fields.A_SAMPLE]) - 1) * fields.SAMPLE
        start, place = (0, fields.S_EIGHT) if feature - first < 8 else (8, fields.S_SIXTEEN)
        cuts = _cuts(samples, sample + place, int(samples[sample + place]))
        found[feature] = _interval(table.name(slots[binned[first]]), cuts, feature - first - start)
    return found


def numbered(features: Any, field: int, count: int) -> dict[int, int]:
    """Of features that have a number in some field, as nominal ones or those with products, by that number from 0."""
    numbers = features[field : count * fields.FEATURE : fields.FEATURE].tolist()
    return {int(number) - 1: feature for feature, number in enumerate(numbers) if number}


def pair_names(nominal: Sequence[str], pair_of: Any, pairs: int) -> list[str]:
    """By pair of nominal features."""
    found = [""] * pairs
    for high in range(1, len(nominal)):
        start = high * (high - 1) // 2
        for low in range(high):
            pair = pair_of[start + low]
            if pair:
                found[pair - 1] = f"{nominal[low]} & {nominal[high]}"
    return found


def triple_names(nominal: Sequence[str], triple_of: Any, triples: int) -> list[str]:
    """By triple of nominal features, of which there are few."""
    found = [""] * triples
    for high in range(2, len(nominal)):
        for middle in range(1, high):
            start = high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2
            for low in range(middle):
                triple = triple_of[start + low]
                if triple:
                    found[triple - 1] = f"{nominal[low]} & {nominal[middle]} & {nominal[high]}"
    return found


def product_names(numbers: dict[int, str], product_of: Any) -> dict[int, str]:
    """By place in the covariance with products; a square is that of a standardised number, less 1."""
    found = {}
    for high in range(fields.NUMBERS):
        for low in range(high + 1):
            place = product_of[high * (high + 1) // 2 + low]
            if place:
                found[place - 1] = f"{numbers[low]} * {numbers[high]}"
    return found


def member_weights(singles: Any, features: Any, full_weights: Any, feature: int) -> dict[int, float]:
    """What each linear member keeps of a single feature; `unit_weight` has that of rows of length 1."""
    at = feature * fields.SINGLE
    found = {member: singles[at + field] for member, field in _WEIGHTS.items()}
    at = feature * fields.FEATURE
    product, full = int(features[at + fields.F_PRODUCT]), int(features[at + fields.F_FULL])
    if product:
        found[fields.FULL_PRODUCTS] = full_weights[product - 1]
    if full:
        found[fields.FULL_ONE] = full_weights[fields.FULL + full - 1]
        found[fields.FULL_TEN] = full_weights[2 * fields.FULL + full - 1]
    return found


def unit_weight(singles: Any, feature: int) -> float:
    weight: float = singles[feature * fields.SINGLE + fields.W_UNIT]
    return weight


def pair_weights(pairs: Any, pair: int) -> dict[int, float]:
    """What each member with pairs keeps of one."""
    at = pair * fields.PAIR
    return {
        fields.AROW_TRIPLES: pairs[at + fields.P_AROW],
        fields.COIN_PAIRS: pairs[at + fields.P_COIN_PAIRS + fields.COIN_WEIGHT],
        fields.COIN_TRIPLES: pairs[at + fields.P_COIN_TRIPLES + fields.COIN_WEIGHT],
    }


def triple_weights(triples: Any, triple: int) -> dict[int, float]:
    """What each member with triples keeps of one."""
    at = triple * fields.TRIPLE
    return {
        fields.AROW_TRIPLES: triples[at + fields.T_AROW],
        fields.COIN_TRIPLES: triples[at + fields.T_COIN + fields.COIN_WEIGHT],
    }
