"""The sizes of layers and the groups of tied weights, as declared parameters."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.params import Parameter
from mistakebound.learners.network._ties import check_ties

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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
        return "a whole number >= 1, several such as 30-20, or none"

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
        return "groups of places (layer, unit, input), or none"

    def check(self, value: Any) -> Any:
        return check_ties(value)

    def parse(self, text: str) -> Any:
        import json

        try:
            return self.check(None if text.strip().lower() == "none" else json.loads(text))
        except json.JSONDecodeError:
            raise BadParameter(f"{self.name} must be {self.rule}: {text!r}") from None
