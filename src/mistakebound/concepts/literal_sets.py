"""Disjunctions and conjunctions of literals, and their classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.concepts.instance import Reader, bit, signed_count
from mistakebound.concepts.literals import Literal, LiteralSet, MonotoneSets, SignedSets
from mistakebound.concepts.weighing import Separation
from mistakebound.core.errors import BadParameter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mistakebound.concepts.thresholds import LinearThreshold


class Disjunction(LiteralSet):
    """A disjunction of literals: 1 where at least one literal holds; the empty disjunction is the constant 0.

    Parameters
    ----------
    literals : iterable of Literal or str, default ()
        A text is the name of an attribute.
    tautology : bool, default False
        The constant 1.

    Notes
    -----
    Text: `x1 | ~x4`, `false` when empty, `any of (true)` for the tautology.

    Examples
    --------
    >>> f = Disjunction(["1", Literal("4", positive=False)])
    >>> print(f, f([0, 0, 0, 0]), f({"4"}))
    x1 | ~x4 1 0
    """

    __slots__ = ()
    unit: ClassVar[int] = 0

    def __init__(self, literals: Iterable[Literal | str] = (), *, tautology: bool = False) -> None:
        super().__init__(literals, clash=tautology)

    @property
    def tautology(self) -> bool:
        return self.clash

    def value(self, read: Reader) -> int:
        held = [bit(item.name, read(item.name)) == item.positive for item in self.literals]
        return int(self.clash or any(held))

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        import numpy as np

        held = signed_count(X, self.signs, names) + self.negated
        return (held >= (0 if self.clash else 1)).astype(np.uint8)

    def to_linear_threshold(self) -> LinearThreshold:
        """x1 | x2 | ~x3 is x1 + x2 - x3 >= 0; a monotone disjunction is the sum >= 1/2."""
        from mistakebound.concepts.thresholds import LinearThreshold

        bound = 0 if self.clash else 1 - self.negated if self.negated else Fraction(1, 2)
        return LinearThreshold(self.signs, bound)

    def separation(self) -> Separation:
        """A monotone disjunction is 1-separated, with mu = 1 for each of its attributes."""
        if not self.monotone:
            raise BadParameter(f"a disjunction must be monotone to be separated: {self}")
        return Separation(Fraction(1), {name: Fraction(1) for name in self.signs})

    def __str__(self) -> str:
        if self.clash:
            return "any of (true)"
        return " | ".join(map(str, self.literals)) or "false"


@dataclass(frozen=True)
class MonotoneDisjunctions(MonotoneSets):
    """The monotone disjunctions over n attributes: all, those of at most k literals, or those of exactly k.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    k : int or None, default None
        The most literals; from 0, so that the constant 0 is in the class.  None: n.
    exactly : bool, default False
        Exactly k literals.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound (the classes C_k).

    Examples
    --------
    >>> C = MonotoneDisjunctions(3, k=2)
    >>> print(C, C.count(), *C, sep="; ")
    monotone-disjunctions n=3 k=2; 7; false; x1; x2; x3; x1 | x2; x1 | x3; x2 | x3
    """

    kind: ClassVar[str] = "monotone-disjunctions"

    def make(self, literals: Iterable[Literal | str]) -> Disjunction:
        return Disjunction(literals)


@dataclass(frozen=True)
class Disjunctions(SignedSets):
    """The disjunctions of literals over n attributes: 3^n functions.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    tautology : bool, default False
        With the constant 1.

    Examples
    --------
    >>> Disjunctions(2).count(), Disjunctions(2, tautology=True).count()
    (9, 10)
    """

    n: int
    tautology: bool = False
    kind: ClassVar[str] = "disjunctions"

    def __post_init__(self) -> None:
        self.set_integer("n", 1)
        self.check_flag("tautology")

    def make(self, literals: Iterable[Literal | str], *, clash: bool = False) -> Disjunction:
        return Disjunction(literals, tautology=clash)

    @property
    def with_clash(self) -> bool:
        return self.tautology


class Conjunction(LiteralSet):
    """A conjunction of literals: 1 where every literal holds; the empty conjunction is the constant 1.

    Parameters
    ----------
    literals : iterable of Literal or str, default ()
        A text is the name of an attribute.
    contradiction : bool, default False
        The constant 0.

    Notes
    -----
    Text: `x1 & ~x3`, `true` when empty, `all of (false)` for the contradiction.  One literal alone is read as a
    disjunction, so a conjunction of one literal is written `all of (x3)`.

    Examples
    --------
    >>> f = Conjunction(["1", Literal("3", positive=False)])
    >>> print(f, f([1, 0, 0]), f({"1", "3"}))
    x1 & ~x3 1 0
    """

    __slots__ = ()
    unit: ClassVar[int] = 1

    def __init__(self, literals: Iterable[Literal | str] = (), *, contradiction: bool = False) -> None:
        super().__init__(literals, clash=contradiction)

    @property
    def contradiction(self) -> bool:
        return self.clash

    def value(self, read: Reader) -> int:
        held = [bit(item.name, read(item.name)) == item.positive for item in self.literals]
        return int(not self.clash and all(held))

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        import numpy as np

        held = signed_count(X, self.signs, names) + self.negated
        return (held >= len(self.literals) + self.clash).astype(np.uint8)

    def to_linear_threshold(self) -> LinearThreshold:
        """x1 & ~x3 is x1 - x3 >= 1: all the attributes that must be 1, and none of the others."""
        from mistakebound.concepts.thresholds import LinearThreshold

        return LinearThreshold(self.signs, 1 if self.clash else len(self.literals) - self.negated)

    def __str__(self) -> str:
        if self.clash:
            return "all of (false)"
        if len(self.literals) == 1:
            return f"all of ({self.literals[0]})"
        return " & ".join(map(str, self.literals)) or "true"


@dataclass(frozen=True)
class MonotoneConjunctions(MonotoneSets):
    """The monotone conjunctions over n attributes: all, those of at most k literals, or those of exactly k.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    k : int or None, default None
        The most literals; from 0, so that the constant 1 is in the class.  None: n.
    exactly : bool, default False
        Exactly k literals.

    Examples
    --------
    >>> print(*MonotoneConjunctions(2), sep="; ")
    true; all of (x1); all of (x2); x1 & x2
    """

    kind: ClassVar[str] = "monotone-conjunctions"

    def make(self, literals: Iterable[Literal | str]) -> Conjunction:
        return Conjunction(literals)


@dataclass(frozen=True)
class Conjunctions(SignedSets):
    """The satisfiable conjunctions of literals over n attributes: 3^n functions.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    contradiction : bool, default False
        With the constant 0.

    Examples
    --------
    >>> Conjunctions(2).count(), Conjunctions(2, contradiction=True).count()
    (9, 10)
    """

    n: int
    contradiction: bool = False
    kind: ClassVar[str] = "conjunctions"

    def __post_init__(self) -> None:
        self.set_integer("n", 1)
        self.check_flag("contradiction")

    def make(self, literals: Iterable[Literal | str], *, clash: bool = False) -> Conjunction:
        return Conjunction(literals, contradiction=clash)

    @property
    def with_clash(self) -> bool:
        return self.contradiction
