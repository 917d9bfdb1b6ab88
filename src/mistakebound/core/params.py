"""Parameters as data: declared once, they give the checks, the error text, the command line's flags and the docs."""

from __future__ import annotations

import math

from mistakebound.core.errors import BadParameter, named, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Parameter:
    """One parameter of a learner: its kind, its range, its default, and values worth trying in the common checks.

    >>> alpha = Parameter("alpha", "number", 2.0, above=1, help="factor of a promotion")
    >>> alpha.check(3)
    3.0
    >>> alpha.rule
    'a number > 1'
    >>> alpha.check(0.5)
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: alpha must be a number > 1: 0.5
    """

    __slots__ = (
        "above",
        "at_least",
        "at_most",
        "below",
        "default",
        "grid",
        "help",
        "kind",
        "name",
        "optional",
        "words",
    )

    def __init__(
        self,
        name: str,
        kind: str,
        default: Any = None,
        *,
        above: float | None = None,
        at_least: float | None = None,
        at_most: float | None = None,
        below: float | None = None,
        words: tuple[str, ...] = (),
        optional: bool = False,
        grid: tuple[Any, ...] = (),
        help: str = "",
    ) -> None:
        self.name = name
        self.kind = kind  # "number", "integer", "flag" or "word"
        self.default = default
        self.above = above
        self.at_least = at_least
        self.at_most = at_most
        self.below = below
        self.words = words  # texts that are allowed beside (or, for "word", instead of) a number
        self.optional = optional  # None is a value of its own
        self.grid = grid
        self.help = help

    @property
    def required(self) -> bool:
        """Whether there is no learner without it."""
        return self.default is None and not self.optional

    @property
    def rule(self) -> str:
        """What a value must be, in words."""
        parts = [repr(word) for word in self.words]
        if self.kind == "flag":
            parts.append("true or false")
        elif self.kind != "word":
            text = "a number" if self.kind == "number" else "a whole number"
            if self.above is not None:
                text += f" > {self.above:g}"
            if self.at_least is not None:
                text += f" >= {self.at_least:g}"
            for sign, end in (("<=", self.at_most), ("<", self.below)):
                if end is not None:
                    text += (
                        f"{' and' if self.above is not None or self.at_least is not None else ''} {sign} {_end(end)}"
                    )
            parts.append(text)
        text = " or ".join(parts) if len(parts) < 3 else ", ".join(parts[:-1]) + " or " + parts[-1]
        return f"{text}, or left out" if self.optional else text

    def check(self, value: Any) -> Any:
        """The value in its own type, or BadParameter."""
        if value is None and self.optional:
            return None
        if isinstance(value, str) and value in self.words:
            return value
        if self.kind == "flag" and (value is True or value is False or type(value).__name__ in ("bool", "bool_")):
            return bool(value)
        if self.kind in ("number", "integer") and not isinstance(value, (str, bytes, bool)):
            number = self._number(value)
            if number is not None:
                return number
        raise BadParameter(f"{self.name} must be {self.rule}: {shown(value)}")

    def _number(self, value: Any) -> int | float | None:
        try:
            number = int(value) if self.kind == "integer" else float(value)
            if (number != value and self.kind == "integer") or not math.isfinite(number):
                return None
        except (TypeError, ValueError, OverflowError):
            return None
        if (
            (self.above is not None and not number > self.above)
            or (self.at_least is not None and not number >= self.at_least)
            or (self.at_most is not None and not number <= self.at_most)
            or (self.below is not None and not number < self.below)
        ):
            return None
        return number

    def parse(self, text: str) -> Any:
        """The value that a text on the command line means.

        >>> Parameter("theta", "number", None, words=("n", "n/2"), above=0, optional=True).parse("1e3")
        1000.0
        """
        lowered = text.strip().lower()
        value: Any = text.strip()
        if self.optional and lowered == "none":
            value = None
        elif value in self.words:
            pass
        elif self.kind == "flag" and lowered in ("true", "yes", "on", "1", "false", "no", "off", "0"):
            value = lowered in ("true", "yes", "on", "1")
        elif self.kind in ("number", "integer"):
            value = number_in(value)
        return self.check(value)


class PairsParameter(Parameter):
    """A number for each of some names, a mapping; on the command line NAME=NUMBER,NAME=NUMBER.

    >>> costs = PairsParameter("costs", optional=True, what="columns with numbers > 0", help="")
    >>> costs.parse("wind=2,sky=1/2"), costs.rule
    ({'wind': 2.0, 'sky': 0.5}, 'columns with numbers > 0, NAME=NUMBER,NAME=NUMBER, or left out')
    """

    __slots__ = ("name_of", "what")

    def __init__(self, name: str, *, what: str, name_of: Any = str, **more: Any) -> None:
        super().__init__(name, "pairs", more.pop("default", None), **more)
        self.what = what
        self.name_of = name_of  # what a text of the command line names

    @property
    def rule(self) -> str:
        parts = [*map(repr, self.words), f"{self.what}, NAME=NUMBER,NAME=NUMBER"]
        return ", ".join(parts) + (", or left out" if self.optional else "")

    def check(self, value: Any) -> Any:
        """A mapping as a dict; what its names and numbers may be is for the learner to say."""
        if hasattr(value, "keys"):
            return dict(value)
        return super().check(value)

    def parse(self, text: str) -> Any:
        if "=" not in text:
            return super().parse(text)
        pairs = {}
        for word in text.split(","):
            name, _, share = word.rpartition("=")
            try:
                pairs[self.name_of(name)] = number(share)
            except (ValueError, OverflowError):
                raise BadParameter(f"{self.name} must be {self.rule}: {word!r}") from None
        return self.check(pairs)


def number_in(text: str) -> Any:
    """The number that a text of the command line says, also as a fraction; the text itself where it says none.

    >>> number_in("12"), number_in("1e-3"), number_in("3/2"), number_in("n/2")
    (12, 0.001, 1.5, 'n/2')
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    if "/" in text:
        from mistakebound.core.exact import fraction_of_text

        found = fraction_of_text(text)
        try:
            if found is not None:
                return found.numerator if found.denominator == 1 else float(found)
        except OverflowError:
            pass
    return text


def number(text: str) -> float:
    """The same as a type of argparse's."""
    found = number_in(text)
    if isinstance(found, str):
        raise ValueError(text)
    return float(found)


def _end(number: float) -> str:
    """The largest value as people write it: 1000, 2^63."""
    power = math.frexp(number)[1] - 1
    return f"2^{power}" if power > 30 and number == 2**power else f"{number:g}"


def check_all(declared: tuple[Parameter, ...], given: dict[str, Any]) -> dict[str, Any]:
    """Every declared parameter with its checked value; an undeclared name is an error that lists the known ones."""
    checked = {parameter.name: parameter.default for parameter in declared}
    for name in given:
        if name not in checked:
            names = ", ".join(sorted(checked)) or "none"
            raise BadParameter(f"{named(name)} is not a parameter here: known are {names}")
    for parameter in declared:
        if parameter.name in given:
            checked[parameter.name] = parameter.check(given[parameter.name])
    return checked


def constructor(name: str, defaults: dict[str, Any]) -> Any:
    """An `__init__` that keeps its keywords as attributes, with the signature that tools look at.

    >>> Point = type("Point", (), {"__init__": constructor("Point", {"x": 0, "y": 1})})
    >>> Point(x=5).x, Point().y
    (5, 1)
    >>> Point(z=2)
    Traceback (most recent call last):
    TypeError: Point has no parameter 'z': its parameters are x, y
    """
    import inspect

    def initialize(self: Any, **given: Any) -> None:
        for parameter, default in defaults.items():
            setattr(self, parameter, given.pop(parameter, default))
        if given:
            raise TypeError(f"{name} has no parameter {next(iter(given))!r}: its parameters are {', '.join(defaults)}")

    kinds = inspect.Parameter
    words = [kinds(word, kinds.KEYWORD_ONLY, default=value) for word, value in defaults.items()]
    this = kinds("self", kinds.POSITIONAL_OR_KEYWORD)
    initialize.__signature__ = inspect.Signature([this, *words])  # type: ignore[attr-defined]
    initialize.__name__ = "__init__"
    return initialize


def parameter_lines(declared: tuple[Parameter, ...]) -> list[str]:
    """Parameters as the section of a docstring.

    >>> parameter_lines((Parameter("eta", "number", 1.0, above=0, help="size of a step"),))
    ['eta : a number > 0, default 1.0', '    Size of a step.']
    """
    return [
        line
        for p in declared
        for line in (f"{p.name} : {p.rule}, default {p.default!r}", f"    {p.help[:1].upper()}{p.help[1:]}.")
    ]
