"""The arrays of `auto`: how they begin, grow, are saved, and what must hold of those of a model file."""

from __future__ import annotations

from array import array
from math import isfinite

from mistakebound.core.buffers import longer, zeros
from mistakebound.kernels import auto as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAMES = (
    "attributes", "samples", "singles", "pairs", "pair_of", "triples", "triple_of", "product_of", "covariances",
    "full_weights", "tables", "mixture", "history",
)  # fmt: skip
_WHOLE = ("pair_of", "triple_of", "product_of")  # their numbers are whole
_SIDE = kernel.FULL


def new_counts() -> array[int]:
    counts = array("q", bytes(8 * kernel.COUNTS))
    counts[kernel.SINGLES] = 1  # the constant
    counts[kernel.NEXT_MOMENT] = 1
    return counts


def new_arrays() -> tuple[memoryview[Any], ...]:
    """Of a learner that has learned nothing: every member has the same share."""
    sizes = {
        "samples": 2 * kernel.SAMPLE, "singles": 64 * kernel.SINGLE, "pairs": kernel.PAIR, "pair_of": 1,
        "triples": kernel.TRIPLE, "triple_of": 1, "product_of": kernel.PRODUCTS,
        "attributes": 8 * kernel.ATTRIBUTE, "covariances": 3 * kernel.TRIANGLE, "full_weights": 3 * _SIDE,
        "tables": kernel.MEMBERS * kernel.TABLE, "mixture": kernel.MIXTURE, "history": kernel.HISTORY * kernel.MOMENT,
    }  # fmt: skip
    made = {name: zeros("I" if name in _WHOLE else "d", sizes[name], sparse=True) for name in NAMES}
    for member in range(kernel.MEMBERS + 1):
        made["mixture"][member] = 1 / (kernel.MEMBERS + 1)
    made["mixture"][kernel.M_MOST] = 1.0
    return tuple(made[name] for name in NAMES)


def grown(arrays: tuple[memoryview[Any], ...], counts: array[int], width: int, attributes: int) -> tuple[Any, ...]:
    """Room for a row of so many entries, and for so many attributes."""
    nominal = counts[kernel.NOMINALS] + kernel.WIDE + 1
    binned = min(width, kernel.BINNED - counts[kernel.SAMPLES])
    least = {
        "attributes": attributes * kernel.ATTRIBUTE,
        "samples": (counts[kernel.SAMPLES] + binned) * kernel.SAMPLE,
        "singles": (counts[kernel.SINGLES] + width + kernel.BINS * binned) * kernel.SINGLE,
        "pairs": (counts[kernel.PAIRS] + kernel.MANY_PAIRS) * kernel.PAIR,
        "pair_of": nominal * (nominal - 1) // 2,
    }
    if counts[kernel.NOMINALS] <= kernel.FEW:
        least["triples"] = (counts[kernel.TRIPLES] + kernel.MANY_TRIPLES) * kernel.TRIPLE
        least["triple_of"] = nominal * (nominal - 1) * (nominal - 2) // 6
    return tuple(
        longer(held, least[name]) if name in least and len(held) < least[name] else held
        for name, held in zip(NAMES, arrays, strict=True)
    )


def scratch(width: int) -> tuple[Any, ...]:
    """Buffers for one row of so many entries."""
    features = 4 * width + 2
    return (
        zeros("q", features), zeros("I", features), zeros("d", features), zeros("d", features), zeros("Q", width),
        zeros("I", width), zeros("q", kernel.MANY_PAIRS), zeros("d", kernel.MANY_PAIRS),
        zeros("q", kernel.MANY_TRIPLES), zeros("d", kernel.MANY_TRIPLES), zeros("q", 3), zeros("q", 3 * _SIDE),
        zeros("d", 3 * _SIDE), zeros("d", max(_SIDE, 256)), zeros("d", kernel.MEMBERS), zeros("d", kernel.MEMBERS),
    )  # fmt: skip


def _triangles(counts: array[int]) -> list[tuple[int, int]]:
    """Of each of the three covariances: how many features it has, and how many numbers."""
    sides = (counts[kernel.PLACES], counts[kernel.FULLS], counts[kernel.FULLS])
    return [(side, side * (side + 1) // 2) for side in sides]


def _used(counts: array[int], attributes: int) -> dict[str, int]:
    """How much of each array is in use."""
    nominal, triangles = counts[kernel.NOMINALS], _triangles(counts)
    few = nominal <= kernel.FEW  # above there are no triples any more
    return {
        "attributes": attributes * kernel.ATTRIBUTE, "samples": counts[kernel.SAMPLES] * kernel.SAMPLE,
        "singles": counts[kernel.SINGLES] * kernel.SINGLE, "pairs": counts[kernel.PAIRS] * kernel.PAIR,
        "pair_of": nominal * (nominal - 1) // 2,
        "triples": counts[kernel.TRIPLES] * kernel.TRIPLE if few else 0,
        "triple_of": nominal * (nominal - 1) * (nominal - 2) // 6 if few else 0, "product_of": kernel.PRODUCTS,
        "covariances": sum(size for _, size in triangles), "full_weights": sum(side for side, _ in triangles),
        "tables": kernel.MEMBERS * kernel.TABLE, "mixture": kernel.MIXTURE,
        "history": counts[kernel.MOMENTS] * kernel.MOMENT,
    }  # fmt: skip


def _parts(name: str, counts: array[int]) -> list[tuple[int, int]]:
    """Of covariances or their weights: where those of each member begin, and how many are in use."""
    if name == "covariances":
        return [(member * kernel.TRIANGLE, size) for member, (_, size) in enumerate(_triangles(counts))]
    return [(member * _SIDE, side) for member, (side, _) in enumerate(_triangles(counts))]


def saved(arrays: tuple[memoryview[Any], ...], counts: array[int], attributes: int) -> dict[str, Any]:
    """For a model file: what is in use."""
    used = _used(counts, attributes)
    found: dict[str, Any] = {"counts": array("q", [0, *counts[1:]])}  # without the row in hand
    for name, held in zip(NAMES, arrays, strict=True):
        if name in ("covariances", "full_weights"):
            found[name] = array("d")
            for start, size in _parts(name, counts):
                found[name].frombytes(held[start : start + size].cast("B"))
        else:
            found[name] = held[: used[name]] if used[name] <= len(held) else longer(held, used[name])[: used[name]]
    return found


def restored(arrays: dict[str, array[Any]], attributes: int) -> tuple[array[int], tuple[Any, ...]]:
    """The inverse of `saved`; ValueError where something makes no sense."""
    counts = arrays["counts"]
    if counts.typecode != "q" or len(counts) != kernel.COUNTS or min(counts) < 0 or counts[kernel.SINGLES] < 1:
        raise ValueError("the counts are not those of this learner")
    limits = {kernel.FULLS: _SIDE, kernel.MOMENTS: kernel.HISTORY, kernel.TRIALS: 1 << 53, kernel.CAUSES: 15}
    limits |= {kernel.PLACES: _SIDE, kernel.MULTIPLIED: kernel.NUMBERS}
    small = {kernel.NOMINALS: kernel.NOMINAL + kernel.WIDE, kernel.NEXT_MOMENT: 1 << 54, kernel.SAMPLES: kernel.BINNED}
    small |= {kernel.ASLEEP: (1 << kernel.MEMBERS) - 1}
    if any(counts[place] > most for place, most in (limits | small).items()):
        raise ValueError("the counts are too large")
    used = _used(counts, attributes)
    made = dict(zip(NAMES, new_arrays(), strict=True))
    for name in NAMES:
        given, code = arrays[name], "I" if name in _WHOLE else "d"
        if given.typecode != code or len(given) != used[name]:
            raise ValueError(f"expected {used[name]} numbers in {name}")
        if code == "d" and not all(map(isfinite, given)):
            raise ValueError(f"a number in {name} is not finite")
        if name in ("covariances", "full_weights"):
            at = 0
            for start, size in _parts(name, counts):
                made[name][start : start + size] = given[at : at + size]
                at += size
        else:
            if len(made[name]) < len(given):
                made[name] = zeros(code, len(given))
            made[name][: len(given)] = memoryview(given)
    _check(arrays, counts)
    counts = counts[:]
    counts[kernel.ROW] = 0
    return counts, tuple(made[name] for name in NAMES)


def _check(arrays: dict[str, array[Any]], counts: array[int]) -> None:
    """ValueError for an index that leads out of an array, or a share that is none."""
    singles, samples = counts[kernel.SINGLES], counts[kernel.SAMPLES]

    def within(name: str, width: int, field: int, most: int) -> None:
        if any(not 0 <= place <= most or place % 1 for place in arrays[name][field::width]):
            raise ValueError(f"a place in {name} is outside its array")

    within("attributes", kernel.ATTRIBUTE, kernel.A_FEATURE, singles)
    within("attributes", kernel.ATTRIBUTE, kernel.A_BINS, max(0, singles - kernel.BINS + 1))
    within("attributes", kernel.ATTRIBUTE, kernel.A_SAMPLE, samples)
    within("singles", kernel.SINGLE, kernel.F_NOMINAL, counts[kernel.NOMINALS])
    within("singles", kernel.SINGLE, kernel.F_FULL, counts[kernel.FULLS])
    within("singles", kernel.SINGLE, kernel.F_PRODUCT, counts[kernel.PLACES])
    within("singles", kernel.SINGLE, kernel.F_NUMBER, counts[kernel.MULTIPLIED])
    within("samples", kernel.SAMPLE, kernel.S_KEPT, kernel.S_EIGHT - kernel.S_VALUES - 1)
    within("samples", kernel.SAMPLE, kernel.S_EIGHT, 7)
    within("samples", kernel.SAMPLE, kernel.S_SIXTEEN, 15)
    bins, places = arrays["attributes"][kernel.A_BINS :: kernel.ATTRIBUTE], arrays["attributes"][kernel.A_SAMPLE :: 8]
    strides = arrays["samples"][kernel.S_STRIDE :: kernel.SAMPLE]
    seen = arrays["samples"][kernel.S_SEEN :: kernel.SAMPLE]
    if any((first > 0) != (place > 0) for first, place in zip(bins, places, strict=True)):
        raise ValueError("a number has bins and no sample, or a sample and no bins")
    if any(not 1 <= stride <= 1 << 52 for stride in strides) or any(not 0 <= count <= 1 << 53 for count in seen):
        raise ValueError("a sample is not one of this learner")
    for name, count in (("pair_of", kernel.PAIRS), ("triple_of", kernel.TRIPLES), ("product_of", kernel.PLACES)):
        if any(place > counts[count] for place in arrays[name]):
            raise ValueError(f"a place in {name} is outside its array")
    shares = arrays["mixture"][: kernel.MEMBERS + 1]
    if min(shares) < 0 or not 0.999 < sum(shares) < 1.001 or min(arrays["mixture"]) < 0:
        raise ValueError("the shares of the members are not parts of a whole")
    if arrays["mixture"][kernel.M_LEAST] > arrays["mixture"][kernel.M_MOST] or arrays["mixture"][kernel.M_MOST] < 1:
        raise ValueError("the weights of trials are not those of this learner")
    width, counted = kernel.TABLE, kernel.TABLE - 33
    if any(min(arrays["tables"][at : at + counted]) < 0 for at in range(0, kernel.MEMBERS * width, width)):
        raise ValueError("a calibration has a count below 0")
