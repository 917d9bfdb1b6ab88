"""The sizes of layers and the groups of tied weights, as declared parameters.

Tied weights are several places of a network that hold one weight.  A place is (layer, unit, input): layers, units and
inputs are counted from 1, and input 0 is the constant.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

import numpy as np

from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.params import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt


class Ties:
    """Groups of places as the kernel wants them: where each group ends, and the places of all in the weights."""

    __slots__ = ("ends", "places")

    def __init__(self, groups: Sequence[Sequence[int]] = ()) -> None:
        self.ends: npt.NDArray[np.int64] = np.array(list(accumulate(map(len, groups))), np.int64)
        self.places: npt.NDArray[np.int64] = np.array([place for group in groups for place in group], np.int64)

    def __bool__(self) -> bool:
        return len(self.ends) > 0

    def unite(self, numbers: npt.NDArray[np.float64]) -> None:
        """Give all places of a group the number of its first."""
        first = 0
        for end in self.ends:
            numbers[self.places[first:end]] = numbers[self.places[first]]
            first = int(end)

    def total(self, gradient: npt.NDArray[np.float64]) -> None:
        """Give all places of a group the sum of their gradients: that of the one weight that they hold."""
        first = 0
        for end in self.ends:
            places = self.places[first:end]
            gradient[places] = gradient[places].sum()
            first = int(end)


def check_ties(value: Any) -> list[list[list[int]]] | None:
    """Groups of (layer, unit, input) as plain lists; BadParameter for anything that can be no tie in any network."""
    if value is None:
        return None
    rule = "ties must be groups of places (layer, unit, input), such as [[(1, 1, 1), (1, 2, 2)]]"
    try:
        groups = [[[int(number) for number in place] for place in group] for group in value]
        whole = all(
            len(place) == 3 and all(int(number) == number and not isinstance(number, bool) for number in place)
            for group in value
            for place in group
        )
    except (TypeError, ValueError, OverflowError):
        raise BadParameter(f"{rule}: {value!r}") from None
    if not whole:
        raise BadParameter(f"{rule}: {value!r}")
    seen: set[tuple[int, ...]] = set()
    for group in groups:
        if len(group) < 2:
            raise BadParameter(f"ties must join at least two weights: {group!r}")
        for place in map(tuple, group):
            if place in seen:
                raise BadParameter(f"ties must name each weight once: {place!r}")
            seen.add(place)
    return groups


def ties_of(groups: list[list[list[int]]] | None, shape: Sequence[int]) -> Ties:
    """The groups within a network of this shape; BadParameter for a weight that it does not have."""
    starts = [0, *accumulate((n + 1) * m for n, m in pairwise(shape))]
    found = []
    for group in groups or ():
        places = []
        for layer, unit, source in group:
            if not (1 <= layer < len(shape) and 1 <= unit <= shape[layer] and 0 <= source <= shape[layer - 1]):
                raise BadParameter(
                    f"ties must name weights of the network {'-'.join(map(str, shape))}, which has no "
                    f"(layer, unit, input): {(layer, unit, source)!r}"
                )
            places.append(starts[layer - 1] + source * shape[layer] + unit - 1)
        found.append(places)
    return Ties(found)


class LayersParameter(Parameter):
    """Sizes from the inputs to the outputs; the first and the last may be left to the data.

    >>> layers = LayersParameter("layers", grid=(), help="")
    >>> layers.check((64, 30, 10)), layers.parse("64-30-10"), layers.parse("?-30-?")
    ([64, 30, 10], [64, 30, 10], [None, 30, None])
    >>> layers.check([64, 0, 10])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: layers must be two or more whole numbers >= 1 ...: [64, 0, 10]
    """

    __slots__ = ()

    def __init__(self, name: str, *, grid: tuple[Any, ...], help: str) -> None:
        super().__init__(name, "layers", grid=grid, help=help)

    @property
    def rule(self) -> str:
        return "two or more whole numbers >= 1 (None at either end: as many as the data have)"

    def check(self, value: Any) -> Any:
        try:
            sizes = None if isinstance(value, (str, bytes)) else [None if s is None else int(s) for s in value]
            good = (
                sizes is not None
                and len(sizes) >= 2
                and None not in sizes[1:-1]
                and all(
                    s is None or (s >= 1 and s == given and given is not True)
                    for s, given in zip(sizes, value, strict=True)
                )
            )
        except (TypeError, ValueError, OverflowError):
            good = False
        if not good:
            raise BadParameter(f"{self.name} must be {self.rule}: {value!r}")
        return sizes

    def parse(self, text: str) -> Any:
        parts = text.replace(",", "-").split("-")
        try:
            return self.check([None if part.strip() in ("?", "") else int(part) for part in parts])
        except ValueError:
            raise BadParameter(f"{self.name} must be {self.rule}: {text!r}") from None


class HiddenParameter(Parameter):
    """Sizes of the layers between the inputs and the outputs.

    >>> hidden = HiddenParameter("hidden", [30], grid=(), help="")
    >>> hidden.check(30), hidden.parse("30-20"), hidden.parse("none")
    ([30], [30, 20], [])
    """

    __slots__ = ()

    def __init__(self, name: str, default: list[int], *, grid: tuple[Any, ...], help: str) -> None:
        super().__init__(name, "layers", default, grid=grid, help=help)

    @property
    def rule(self) -> str:
        return "a whole number >= 1, several such as 30-20, or left out"

    def check(self, value: Any) -> Any:
        if value is None:
            return []
        try:
            given = list(value) if hasattr(value, "__iter__") and not isinstance(value, (str, bytes)) else [value]
            sizes = [int(size) for size in given if not isinstance(size, (str, bytes, bool))]
            if sizes == given and all(size >= 1 for size in sizes):
                return sizes
        except (TypeError, ValueError, OverflowError):
            pass
        raise BadParameter(f"{self.name} must be {self.rule}: {value!r}")

    def parse(self, text: str) -> Any:
        if text.strip().lower() == "none":
            return []
        parts = text.replace(",", "-").split("-")
        if all(part.strip().isdecimal() and len(part) < 20 and int(part) for part in parts):
            return self.check([int(part) for part in parts])
        raise BadParameter(f"{self.name} must be {self.rule}: {shown(text)}")


class TiesParameter(Parameter):
    """Groups of (layer, unit, input)."""

    __slots__ = ()

    def __init__(self, name: str, *, help: str) -> None:
        super().__init__(name, "ties", None, optional=True, help=help)

    @property
    def rule(self) -> str:
        return "groups of places (layer, unit, input), or left out"

    def check(self, value: Any) -> Any:
        return check_ties(value)

    def parse(self, text: str) -> Any:
        import json

        try:
            return self.check(None if text.strip().lower() == "none" else json.loads(text))
        except json.JSONDecodeError:
            raise BadParameter(f"{self.name} must be {self.rule}: {text!r}") from None


LOSS = Parameter(
    "loss", "word", "squared", words=("squared", "likelihood"), help="loss to minimize, or likelihood to maximize"
)
SEED = Parameter("random_state", "integer", 0, at_least=0, grid=(0,), help="random seed of start weights and order")
SHUFFLE = Parameter("shuffle", "flag", True, grid=(True,), help="shuffle the examples before each epoch")
UNIT_SHUFFLE = Parameter("shuffle", "flag", False, grid=(False,), help="shuffle the examples before each epoch")
UNIT_ETA = Parameter("eta", "number", 0.1, above=0, grid=(0.1,), help="learning rate")
