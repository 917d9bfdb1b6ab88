"""Linear threshold functions and r-of-k thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.concepts.concept import Concept, ConceptClass, check_integer, choices, generator
from mistakebound.concepts.instance import Exact, Reader, bit, exact_parameter, real, signed_count
from mistakebound.concepts.literals import Literal
from mistakebound.concepts.weighing import Separation, exceeds
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order, write_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, init=False, repr=False)
class LinearThreshold(Concept):
    """A linear threshold function: 1 where a weighted sum is >= (or >) a threshold; all arithmetic is exact.

    Parameters
    ----------
    weights : mapping
        Attribute to weight: an int, a fraction, a text such as "1/2", or a float at its exact value.
    threshold : number
        As the weights.
    rule : {">=", ">"}, default ">="
        Whether the sum must reach the threshold or exceed it.

    Notes
    -----
    Instances may have real values.  Normal form: no weight is 0.  Text: `x1 + x2 + -2*x7 >= 3`; a function without
    weights
    is `0 >= 3`.

    Examples
    --------
    >>> f = LinearThreshold({"1": 1, "2": 1, "7": -2}, 1)
    >>> print(f, f({"1"}), f({"1": 0.5, "2": 0.5}), f({"1", "7"}))
    x1 + x2 + -2*x7 >= 1 1 1 0
    """

    terms: tuple[tuple[str, Exact], ...]
    threshold: Exact
    rule: str

    def __init__(self, weights: Mapping[str, object], threshold: object, rule: str = ">=") -> None:
        terms = [(name, _number("a weight", weight)) for name, weight in weights.items()]
        for name, _ in terms:
            if not isinstance(name, str):
                raise BadParameter(f"an attribute's name must be text: {name!r}")
        if rule not in (">=", ">"):
            raise BadParameter(f'rule must be ">" or ">=": {rule!r}')
        terms.sort(key=lambda term: attribute_order(term[0]))
        object.__setattr__(self, "terms", tuple(term for term in terms if term[1]))
        object.__setattr__(self, "threshold", _number("the threshold", threshold))
        object.__setattr__(self, "rule", rule)

    @property
    def weights(self) -> Mapping[str, Exact]:
        return MappingProxyType(dict(self.terms))

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.terms)

    def value(self, read: Reader) -> int:
        total = sum((weight * real(name, read(name)) for name, weight in self.terms), Fraction(0))
        return int(total >= self.threshold if self.rule == ">=" else total > self.threshold)

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        return exceeds(X, dict(self.terms), self.threshold, self.rule, names)

    def to_linear_threshold(self) -> LinearThreshold:
        return self

    def __str__(self) -> str:
        return f"{' + '.join(_term(*term) for term in self.terms) or '0'} {self.rule} {self.threshold}"


def _number(what: str, value: object) -> Exact:
    number = exact_parameter(value)
    if number is None:
        raise BadParameter(f"{what} must be a finite number: {value!r}")
    return number


def _term(name: str, weight: Exact) -> str:
    factor = "" if weight == 1 else "-" if weight == -1 else f"{weight}*"
    return factor + write_name(name)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class RofKThreshold(Concept):
    """An r-of-k threshold: 1 where at least r of k attributes are 1.

    Parameters
    ----------
    r : int
        Between 1 and k.
    attributes : iterable of str
        The k attributes.

    Notes
    -----
    Text: `2 of x1, x5, x9`.  It is 1/r-separated, with mu = 1/r for each attribute.

    Examples
    --------
    >>> f = RofKThreshold(2, ["1", "5", "9"])
    >>> print(f, f({"1", "9"}), f({"5"}))
    2 of x1, x5, x9 1 0
    """

    r: int
    names: tuple[str, ...]
    canonical: ClassVar[bool] = True

    def __init__(self, r: int, attributes: Iterable[str]) -> None:
        if isinstance(attributes, str):
            raise BadParameter(f"attributes must be given as a list: {attributes!r}")
        distinct = {Literal(name).name for name in attributes}
        check_integer("k", len(distinct), 1)
        object.__setattr__(self, "r", check_integer("r", r, 1, len(distinct), "k"))
        object.__setattr__(self, "names", tuple(sorted(distinct, key=attribute_order)))

    @property
    def k(self) -> int:
        return len(self.names)

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset(self.names)

    @property
    def literals(self) -> tuple[Literal, ...]:
        return tuple(map(Literal, self.names))

    def value(self, read: Reader) -> int:
        return int(sum(bit(name, read(name)) for name in self.names) >= self.r)

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        import numpy as np

        return (signed_count(X, dict.fromkeys(self.names, 1), names) >= self.r).astype(np.uint8)

    def to_linear_threshold(self) -> LinearThreshold:
        return LinearThreshold(dict.fromkeys(self.names, 1), self.r)

    def separation(self) -> Separation:
        """An r-of-k threshold is 1/r-separated, with mu = 1/r for each attribute; no mu does better."""
        share = Fraction(1, self.r)
        return Separation(share, dict.fromkeys(self.names, share))

    def __str__(self) -> str:
        return f"{self.r} of {', '.join(map(write_name, self.names))}"


@dataclass(frozen=True)
class RofK(ConceptClass):
    """The r-of-k thresholds over n attributes: at least r of exactly k of them.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    r : int
        Between 1 and k.
    k : int
        Between 1 and n.

    Examples
    --------
    >>> C = RofK(4, r=2, k=3)
    >>> print(C, C.count(), next(iter(C)), sep="; ")
    r-of-k n=4 r=2 k=3; 4; 2 of x1, x2, x3
    """

    n: int
    r: int
    k: int
    kind: ClassVar[str] = "r-of-k"

    def __post_init__(self) -> None:
        self.set_integer("n", 1)
        self.set_integer("k", 1, self.n, "n")
        self.set_integer("r", 1, self.k, "k")

    def holds(self, concept: Concept) -> bool:
        if isinstance(concept, RofKThreshold):
            return (concept.r, concept.k) == (self.r, self.k)
        names = sorted(concept.attributes, key=attribute_order)
        table = concept.truth_table(names)
        m = len(names)
        # The attributes that matter are those whose flip changes a label somewhere.
        halves = (table.reshape(1 << j, 2, -1) for j in range(m))
        matter = [name for name, half in zip(names, halves, strict=True) if (half[:, 0] != half[:, 1]).any()]
        return len(matter) == self.k and bool((RofKThreshold(self.r, matter).truth_table(names) == table).all())

    def count(self) -> int:
        return choices(self.n, self.k)

    def __iter__(self) -> Iterator[RofKThreshold]:
        for names in combinations(self.attributes, self.k):
            yield RofKThreshold(self.r, names)

    def sample(self, seed: int) -> RofKThreshold:
        chosen = generator(seed).sample(range(1, self.n + 1), self.k)
        return RofKThreshold(self.r, map(str, chosen))
