"""What all labels of `auto` share: the arrays by attribute and feature, and the kernel that reads rows into them."""

from __future__ import annotations

from array import array
from functools import cache
from math import inf, isfinite

from mistakebound.core.attribute_numbers import AttributeNumbers
from mistakebound.core.buffers import longer, zeros
from mistakebound.kernels import _auto_fields as fields
from mistakebound.kernels.auto_inputs import Inputs, draw_waves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Arrays = dict[str, memoryview[Any]]

NAMES = ("attributes", "samples", "features", "pair_of", "triple_of", "product_of")
_WHOLE = ("pair_of", "triple_of", "product_of")  # their numbers are whole
_FIRST = (8 * fields.ATTRIBUTE, 2 * fields.SAMPLE, 64 * fields.FEATURE, 1, 1, fields.PRODUCTS)
_ENTRIES = 1 << 16  # of a batch of rows, at most


class SharedInputs:
    """The inputs of one learner, or of all base learners of one-vs-all."""

    def __init__(self) -> None:
        self.counts = array("q", bytes(8 * fields.COUNTS))
        self.counts[fields.SINGLES] = 1  # the constant
        self.arrays: Arrays = {
            name: zeros(_code(name), size, sparse=True) for name, size in zip(NAMES, _FIRST, strict=True)
        }
        self.row = Inputs()
        self.numbers = AttributeNumbers()
        self._width = 0
        self._batch = 1
        self.hold(8)

    def hold(self, width: int, lanes: int = 1) -> None:
        """The kernel works on the arrays as they are, with room for rows of so many entries.

        More than one lane play some rows each in turn: what a lane keeps stays near at hand.
        """
        batch = max(1, min(fields.BATCH, _ENTRIES // max(width, self._width))) if lanes > 1 else self._batch
        if width > self._width or batch > self._batch or not self.row.holds(self.arrays):
            self._width, self._batch = max(width, self._width), batch
            self.row.hold(self.arrays, self.counts, _scratch(self._width, self._batch))

    def grow(self, width: int, attributes: int) -> None:
        """Room for a row of so many entries, and for so many attributes."""
        counts = self.counts
        nominal = counts[fields.NOMINALS] + fields.WIDE + 1
        binned = min(width, fields.BINNED - counts[fields.SAMPLES])
        least = {
            "attributes": attributes * fields.ATTRIBUTE,
            "samples": (counts[fields.SAMPLES] + binned) * fields.SAMPLE,
            "features": (counts[fields.SINGLES] + width + fields.BINS * binned) * fields.FEATURE,
            "pair_of": nominal * (nominal - 1) // 2,
        }
        if counts[fields.NOMINALS] <= fields.FEW:
            least["triple_of"] = nominal * (nominal - 1) * (nominal - 2) // 6
        self.arrays = grown(self.arrays, least)
        room = max(1, width + width // 2)
        if self._batch > 1:
            self._batch = max(1, min(fields.BATCH, _ENTRIES // room))
        self.hold(room)

    def saved(self, attributes: int) -> dict[str, Any]:
        """For a model file: what is in use."""
        found: dict[str, Any] = {"counts": array("q", [0, *self.counts[1:]])}  # without the row in hand
        return found | first_parts(self.arrays, self._used(attributes))

    def _used(self, attributes: int) -> dict[str, int]:
        counts = self.counts
        nominal = counts[fields.NOMINALS]
        few = nominal <= fields.FEW  # above there are no triples any more
        return {
            "attributes": attributes * fields.ATTRIBUTE,
            "samples": counts[fields.SAMPLES] * fields.SAMPLE,
            "features": counts[fields.SINGLES] * fields.FEATURE,
            "pair_of": nominal * (nominal - 1) // 2,
            "triple_of": nominal * (nominal - 1) * (nominal - 2) // 6 if few else 0,
            "product_of": fields.PRODUCTS,
        }

    def restore(self, given: dict[str, array[Any]], attributes: int) -> None:
        """The inverse of `saved`; ValueError where something makes no sense."""
        counts = given["counts"]
        if counts.typecode != "q" or len(counts) != fields.COUNTS or min(counts) < 0 or counts[fields.SINGLES] < 1:
            raise ValueError("the counts are not those of this learner")
        limits = {fields.FULLS: fields.FULL, fields.PLACES: fields.FULL, fields.TRIALS: 1 << 53}
        limits |= {fields.NUMBERED: fields.WAVED + 1, fields.SAMPLES: fields.BINNED, fields.WAVING: fields.WAVES}
        limits |= {fields.NOMINALS: fields.NOMINAL + fields.WIDE}
        if any(counts[place] > most for place, most in limits.items()):
            raise ValueError("the counts are too large")
        first, waves = counts[fields.FIRST_WAVE], counts[fields.WAVING]
        if first + waves > counts[fields.PLACES] + 1 or (waves and not first):
            raise ValueError("the waves are outside the covariance")
        self.counts[:] = counts
        self.counts[fields.ROW] = 0
        self.arrays = taken(given, self.arrays, self._used(attributes))
        _check(given, counts)
        self.hold(8)


def grown(arrays: Arrays, least: dict[str, int]) -> Arrays:
    """The arrays, each with room for so many numbers at least."""
    return {
        name: longer(held, least[name]) if len(held) < least.get(name, 0) else held for name, held in arrays.items()
    }


def first_parts(arrays: Arrays, used: dict[str, int]) -> dict[str, Any]:
    """So many numbers of each array; of one that has fewer, zeros behind."""
    return {
        name: held[: used[name]] if used[name] <= len(held) else longer(held, used[name])[: used[name]]
        for name, held in arrays.items()
    }


def taken(given: dict[str, array[Any]], arrays: Arrays, used: dict[str, int]) -> Arrays:
    """New arrays, at least as long as those that there are, with what a file has; ValueError for other sizes."""
    made = {}
    for name, held in arrays.items():
        values = given[name]
        if values.typecode != held.format or len(values) != used[name]:
            raise ValueError(f"expected {used[name]} numbers in {name}")
        if values.typecode == "d" and not all(map(isfinite, values)):
            raise ValueError(f"a number in {name} is not finite")
        made[name] = zeros(held.format, max(len(held), len(values)), sparse=True)
        made[name][: len(values)] = memoryview(values)
    return made


def _code(name: str) -> str:
    return "I" if name in _WHOLE else "d"


def _scratch(width: int, batch: int) -> tuple[Any, ...]:
    """Buffers for `batch` rows of so many entries, in the order of the kernel; most of them are not touched."""
    entries = 4 * width + 2

    def room(code: str, size: int) -> memoryview[Any]:
        return zeros(code, batch * size, sparse=True)

    return (
        room("q", entries), room("I", entries), room("d", entries), zeros("Q", width), zeros("I", width),
        room("q", fields.MANY_PAIRS), room("q", fields.MANY_TRIPLES), room("q", 3), room("q", 3 * fields.FULL),
        room("d", 3 * fields.FULL), zeros("d", entries), zeros("d", fields.MANY_PAIRS),
        zeros("d", fields.MANY_TRIPLES), zeros("d", fields.FULL), zeros("d", fields.KEPT), room("q", fields.RECORD),
        zeros("d", fields.FULL), _waves(),
    )  # fmt: skip


@cache
def _waves() -> memoryview[Any]:
    """The same for everybody."""
    made = zeros("d", (1 + fields.WAVED + 1) * fields.WAVES)
    draw_waves(made)
    return made.toreadonly()


def _check(given: dict[str, array[Any]], counts: array[int]) -> None:
    """ValueError for an index that leads out of an array."""
    singles, samples = counts[fields.SINGLES], counts[fields.SAMPLES]

    def within(name: str, width: int, field: int, most: int) -> None:
        if any(not 0 <= place <= most or place % 1 for place in given[name][field::width]):
            raise ValueError(f"a place in {name} is outside its array")

    within("attributes", fields.ATTRIBUTE, fields.A_FEATURE, singles)
    within("attributes", fields.ATTRIBUTE, fields.A_BINS, max(0, singles - fields.BINS + 1))
    within("attributes", fields.ATTRIBUTE, fields.A_SAMPLE, samples)
    within("features", fields.FEATURE, fields.F_NOMINAL, counts[fields.NOMINALS])
    within("features", fields.FEATURE, fields.F_FULL, counts[fields.FULLS])
    within("features", fields.FEATURE, fields.F_PRODUCT, counts[fields.PLACES])
    within("features", fields.FEATURE, fields.F_NUMBER, counts[fields.NUMBERED])
    for field, count in ((fields.F_NOMINAL, fields.NOMINALS), (fields.F_NUMBER, fields.NUMBERED)):
        if sorted(filter(None, given["features"][field :: fields.FEATURE])) != [*range(1, counts[count] + 1)]:
            raise ValueError("the features are not numbered one after the other")
    if any(given["product_of"][counts[fields.NUMBERED] * (counts[fields.NUMBERED] + 1) // 2 :]):
        raise ValueError("a product is that of a number which is not there")
    within("samples", fields.SAMPLE, fields.S_KEPT, fields.KEPT - 1)
    within("samples", fields.SAMPLE, fields.S_EIGHT, 7)
    within("samples", fields.SAMPLE, fields.S_SIXTEEN, 15)
    bins = given["attributes"][fields.A_BINS :: fields.ATTRIBUTE]
    places = given["attributes"][fields.A_SAMPLE :: fields.ATTRIBUTE]
    strides = given["samples"][fields.S_STRIDE :: fields.SAMPLE]
    seen = given["samples"][fields.S_SEEN :: fields.SAMPLE]
    if any((first > 0) != (place > 0) for first, place in zip(bins, places, strict=True)):
        raise ValueError("a number has bins and no sample, or a sample and no bins")
    for field, most in ((fields.A_COUNT, float(counts[fields.TRIALS])), (fields.A_SQUARES, inf), (fields.A_SIZE, inf)):
        if any(not 0 <= number <= most for number in given["attributes"][field :: fields.ATTRIBUTE]):
            raise ValueError("an attribute has a count or a spread that no rows have")
    if any(not 1 <= stride <= 1 << 52 for stride in strides) or any(not 0 <= count <= 1 << 53 for count in seen):
        raise ValueError("a sample is not one of this learner")
    for name, count in (("pair_of", fields.PAIRS), ("triple_of", fields.TRIPLES), ("product_of", fields.PLACES)):
        if any(place > counts[count] for place in given[name]):
            raise ValueError(f"a place in {name} is outside its array")
