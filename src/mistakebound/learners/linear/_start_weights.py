"""Start weights that differ from attribute to attribute: Littlestone 1988, section 4, and docs/theorems.md.

Weights are kept as whole exponents of alpha, so a start weight is a power of alpha: `Winnow1(n=9, start={"x1": 4.0})`.
"""

from __future__ import annotations

from heapq import nlargest
from math import fsum, inf, isfinite, log

from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.names import id_of, is_numbered
from mistakebound.core.params import PairsParameter, Parameter, number_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

_FARTHEST = 60  # exponents to either side of 0
_NEAR = 1e-9  # relative: 1.21 stands for 1.1 ** 2


class StartParameter(PairsParameter):
    """A number > 0 for all attributes, "1/n", or a mapping from names to numbers.

    >>> start = StartParameter("start", what="attributes with powers of alpha", default=1.0, words=("1/n",))
    >>> start.parse("0.5"), start.parse("x1=4,x7=1/2")
    (0.5, {'x1': 4.0, 'x7': 0.5})
    """

    __slots__ = ()

    @property
    def rule(self) -> str:
        return f"a number > 0, {' '.join(map(repr, self.words))} or {self.what}, NAME=NUMBER,NAME=NUMBER"

    def check(self, value: Any) -> Any:
        if hasattr(value, "keys") or isinstance(value, str):
            return super().check(value)
        return Parameter(self.name, "number", above=0).check(value) if _is_number(value) else super().check(value)

    def parse(self, text: str) -> Any:
        return super().parse(text) if "=" in text or text in self.words else self.check(number_in(text))


def _is_number(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and isfinite(value) and value > 0
    except (TypeError, OverflowError):
        return False


class StartWeights:
    """The exponents with which named attributes start; every other one of the n starts with alpha ** 0 = 1.

    >>> found = StartWeights({"x1": 4.0, "ham": 0.5}, alpha=2.0, n=10)
    >>> found.exponents, found.total, found.largest
    ({'1': 2, 'ham': -1}, 12.5, 4.0)
    """

    __slots__ = ("alpha", "exponents", "n")

    def __init__(self, given: dict[Any, Any], alpha: float, n: int) -> None:
        self.alpha = alpha
        self.n = n
        self.exponents: dict[str, int] = {}
        for name, weight in given.items():
            own = _name(name)
            if own in self.exponents:
                raise BadParameter(f"start must name an attribute once: {name!r}")
            if id_of(own) > n:
                raise BadParameter(f"start must name attributes up to n = {n}: {name!r}")
            self.exponents[own] = _exponent(own, weight, alpha)
        if len(self.exponents) > n:
            raise BadParameter(f"start must name at most n = {n} attributes: {len(self.exponents)}")

    def _weights(self, exponents: Iterable[int]) -> list[float]:
        return [self.alpha**exponent for exponent in exponents]

    @property
    def total(self) -> float:
        """All start weights together."""
        return fsum(self._weights(self.exponents.values())) + (self.n - len(self.exponents))

    @property
    def largest(self) -> float:
        rest = [0] if len(self.exponents) < self.n else []
        return max(self._weights([*self.exponents.values(), *rest]))

    def log_terms(self, term: Callable[[float], float], k: int, relevant: Iterable[str] | None) -> float:
        """The sum of a falling function of the start weight over the relevant attributes; of any k, the largest sum."""
        if relevant is not None:
            return fsum(term(self.alpha ** self.exponents.get(_name(name), 0)) for name in relevant)
        others = min(k, self.n - len(self.exponents))
        return fsum(nlargest(k, [*map(term, self._weights(self.exponents.values())), *[term(1.0)] * others]))


def _name(name: Any) -> str:
    """The attribute that a name stands for; x7 is the one with the number 7, as in a formula."""
    if not isinstance(name, str) or not name:
        raise BadParameter(f"start must have names as its keys: {shown(name)}")
    return name[1:] if is_numbered(name) and id_of(name[1:]) >= 0 else name


def _exponent(name: str, weight: Any, alpha: float) -> int:
    if not _is_number(weight):
        raise BadParameter(f"start of {name} must be a number > 0: {shown(weight)}")
    exponent = round(log(weight) / log(alpha))
    exact = alpha**exponent if abs(exponent) <= _FARTHEST else inf
    if abs(exact - weight) > _NEAR * weight:
        rule = f"a power of alpha = {alpha:g} with a whole exponent from -{_FARTHEST} to {_FARTHEST}"
        raise BadParameter(f"start of {name} must be {rule}: {shown(weight)}")
    return exponent
