"""What every concept (a function to 0 and 1) and every class of concepts knows.

Concepts are immutable values; `==` compares normal forms, `same_function` compares functions.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.concepts.instance import Instance, Reader, reader
from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.names import attribute_order, is_id

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mistakebound.concepts.finite import FiniteClass
    from mistakebound.concepts.thresholds import LinearThreshold

TABLE_LIMIT = 20  # attributes of the largest truth table: 2^20 instances
_BLOCK = 1 << 16
_LONGEST_COUNT = 20_000  # bits of a number of concepts
_MOST_COUNTED = 100_000  # attributes of a class whose instances or concepts are all sets of them


class Concept(ABC):
    """A function from instances to 0 and 1, as a value: it can be called, compared, hashed, printed and parsed.

    An instance is a row of values, a mapping from names to values, or a set of the names that are 1.

    Examples
    --------
    >>> from mistakebound.concepts import parse
    >>> f = parse("x1 | ~x3")
    >>> f([0, 1, 0]), f({"3"}), f == parse("not x3 or x1"), f.same_function("any of (x1, ~x3)")
    (1, 0, True, True)
    """

    __slots__ = ()
    # True where two different normal forms of the same type are always two different functions.
    canonical: ClassVar[bool] = False

    @property
    @abstractmethod
    def attributes(self) -> frozenset[str]:
        """The names of the attributes that the concept mentions."""

    @abstractmethod
    def value(self, read: Reader) -> int:
        """The label of an instance of which `read(name)` is the value of an attribute."""

    @abstractmethod
    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        """The label of every row of a 2-D array or a SciPy sparse matrix.

        Column j is attribute str(j+1), or names[j] where names are given.
        """

    @abstractmethod
    def __str__(self) -> str: ...

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __call__(self, x: Instance) -> int:
        return self.value(reader(x))

    def to_linear_threshold(self) -> LinearThreshold:
        """A linear threshold function that agrees with the concept on every 0/1 instance.

        A type of concept that always has one overrides this; here one is looked for.
        """
        from mistakebound.concepts.linear_thresholds import find_linear_threshold

        found = find_linear_threshold(self)
        if found is None:
            raise BadParameter(f"a concept must be a linear threshold function to be written as one: {self}")
        return found

    def truth_table(self, attributes: Sequence[str]) -> NDArray[np.uint8]:
        """The labels of all 2^m instances over m attributes, the last changing fastest; others are 0."""
        import numpy as np

        m = len(attributes)
        if m > TABLE_LIMIT:
            raise BadParameter(f"a truth table must have at most {TABLE_LIMIT} attributes: {m}")
        table = np.empty(1 << m, dtype=np.uint8)
        shifts = np.arange(m - 1, -1, -1)
        for start in range(0, 1 << m, _BLOCK):
            codes = np.arange(start, min(start + _BLOCK, 1 << m))
            cube = (codes[:, None] >> shifts & 1).astype(np.uint8)
            table[start : start + len(codes)] = self.evaluate_many(cube, names=attributes)
        return table

    def same_function(self, other: Concept | str, n: int | None = None) -> bool:
        """Whether both give every 0/1 instance the same label; the other may be given by its text.

        All instances over the attributes that either mentions are compared, at most 2^20 of them; with n,
        those of {0,1}^n, on which attributes other than "1" to str(n) are 0.
        """
        if isinstance(other, str):
            from mistakebound.concepts.formula import parse

            other = parse(other)
        if self == other or (n is None and self.canonical and type(self) is type(other)):
            return self == other
        mentioned = sorted(self.attributes | other.attributes, key=attribute_order)
        if n is not None:
            mentioned = [name for name in mentioned if is_id(name) and 1 <= int(name) <= n]
        return bool((self.truth_table(mentioned) == other.truth_table(mentioned)).all())


class ConceptClass(ABC):
    """A class of concepts: a finite set of functions on {0,1}^n, or on other instances that it names.

    It can be counted, iterated over, sampled from, tested for membership, printed and parsed.  Subclasses are frozen
    dataclasses; their fields are the parameters.

    Examples
    --------
    >>> from mistakebound.concepts import Conjunctions, parse
    >>> C = Conjunctions(3)
    >>> C.count(), parse("x1 & ~x3") in C, parse("x1 | x3") in C, C.domain_size(), str(C)
    (27, True, False, 8, 'conjunctions n=3')
    """

    kind: ClassVar[str]  # the first word of the text form
    n: int

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the attributes: "1" to str(n)."""
        return tuple(str(j) for j in range(1, self.n + 1))

    def domain(self) -> Iterator[Any]:
        """The instances: all of {0,1}^n as rows, from all zeros to all ones, the last attribute changing fastest."""
        return product((0, 1), repeat=self.n)

    def domain_size(self) -> int:
        """How many instances there are."""
        return power(2, self.n)

    def finite(self, instances: Iterable[Any] | None = None, *, limit: int = 1 << 28) -> FiniteClass:
        """The class as bits, on the instances given or on its whole domain (`concepts/finite.py`).

        Concepts that agree on all the instances are one. Concepts times instances must be at most `limit`.
        """
        from mistakebound.concepts.finite import finite_form

        return finite_form(self, instances, limit)

    def label_columns(self, instances: Sequence[Any]) -> list[int] | None:
        """For each instance the concepts that label it 1, in the order of the class, as the bits of a number.

        None where the class knows no faster way than to evaluate its concepts one by one.
        """
        return None

    def __contains__(self, concept: object) -> bool:
        """Whether the concept's function is one of the class, in whatever form it is written.

        A concept that mentions an attribute other than "1" to str(n) is not in the class.
        """
        return isinstance(concept, Concept) and self.over(concept.attributes) and self.holds(concept)

    def over(self, attributes: Iterable[str]) -> bool:
        """Whether all of the attributes are the class's own."""
        return all(is_id(name) and 1 <= int(name) <= self.n for name in attributes)

    @abstractmethod
    def holds(self, concept: Concept) -> bool:
        """Membership of a concept over the class's own attributes."""

    @abstractmethod
    def count(self) -> int:
        """The number of distinct functions on {0,1}^n in the class."""

    @abstractmethod
    def __iter__(self) -> Iterator[Concept]:
        """One concept for each distinct function, in a fixed order, made when it is asked for."""

    @abstractmethod
    def sample(self, seed: int) -> Concept:
        """A random concept, the same for the same seed; uniform over the distinct functions unless stated."""

    def set_integer(self, name: str, low: int, high: int | None = None, high_name: str = "") -> None:
        """Check a parameter that must be an integer in a range, and keep it as Python's own."""
        object.__setattr__(self, name, check_integer(name, getattr(self, name), low, high, high_name))

    def check_flag(self, name: str) -> None:
        """Check a parameter that must be true or false."""
        if not isinstance(getattr(self, name), bool):
            raise BadParameter(f"{name} must be true or false: {getattr(self, name)!r}")

    @property
    def bits(self) -> float:
        """log2 of the count, taken of the exact integer."""
        return math.log2(self.count())

    def __str__(self) -> str:
        from mistakebound.concepts.class_text import write_class

        return write_class(self)


def check_integer(name: str, value: object, low: int, high: int | None = None, high_name: str = "") -> int:
    """A parameter that must be an integer in a range, Python's or NumPy's: one shape of error for all of them."""
    value = _integer(name, value)
    if value < low or (high is not None and value > high):
        top = f"{high_name} = {high}" if high_name else str(high)
        rule = f">= {low}" if high is None else f"between {low} and {top}"
        raise BadParameter(f"{name} must be {rule}: {shown(value)}")
    return value


def power(base: int, n: int) -> int:
    """base^n, for n attributes, unless that is a number too long to be of use."""
    if n > _MOST_COUNTED:
        raise BadParameter(f"n must be at most {_MOST_COUNTED:,} to be counted: {shown(n)}")
    return int(base**n)


def choices(n: int, k: int) -> int:
    """C(n, k), unless that is a number too long to be of use: then it would also take too long to work out."""
    small = min(k, n - k)
    if small > 0:
        bits = small * n.bit_length()
        if bits > _LONGEST_COUNT and n < 1 << 1000:
            bits = int((math.lgamma(n + 1) - math.lgamma(small + 1) - math.lgamma(n - small + 1)) / math.log(2))
        if bits > _LONGEST_COUNT:
            rule = f"a class must have fewer than 2^{_LONGEST_COUNT} concepts to be counted"
            raise BadParameter(f"{rule}: about 2^{bits}")
    return math.comb(n, k)


def _integer(name: str, value: object) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise BadParameter(f"{name} must be an integer: {value!r}")
    try:
        return index(value)
    except TypeError:  # an array of several
        raise BadParameter(f"{name} must be an integer: {value!r}") from None


def generator(seed: object) -> random.Random:
    """The source of randomness that belongs to a seed."""
    return random.Random(_integer("seed", seed))
