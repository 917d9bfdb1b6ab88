"""Disjunctions of literals (L §5, C §1, V §2): rows C1 and C2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.concepts.instance import Reader, bit, signed_count
from mistakebound.concepts.literals import Literal, LiteralSet, MonotoneSets, SignedSets
from mistakebound.concepts.margin import Separation
from mistakebound.core.errors import BadParameter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mistakebound.concepts.thresholds import LinearThreshold


class Disjunction(LiteralSet):
    """1 where at least one literal holds; the empty disjunction is the constant 0.

    Text: `x1 | ~x4`, `false` when empty, `any of (true)` for the tautology.

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
    """Monotone disjunctions over n attributes: all, at most k literals (L's C_k, from 0), or exactly k.

    >>> C = MonotoneDisjunctions(3, k=2)
    >>> print(C, C.count(), *C, sep="; ")
    monotone-disjunctions n=3 k=2; 7; false; x1; x2; x3; x1 | x2; x1 | x3; x2 | x3
    """

    kind: ClassVar[str] = "monotone-disjunctions"

    def make(self, literals: Iterable[Literal | str]) -> Disjunction:
        return Disjunction(literals)


@dataclass(frozen=True)
class Disjunctions(SignedSets):
    """Disjunctions of attributes and negated attributes: 3^n functions, the tautology only on request.

    >>> Disjunctions(2).count(), Disjunctions(2, tautology=True).count()
    (9, 10)
    """

    n: int
    tautology: bool = False
    kind: ClassVar[str] = "disjunctions"

    def __post_init__(self) -> None:
        self.check("tautology", self.tautology)

    def make(self, literals: Iterable[Literal | str], *, clash: bool = False) -> Disjunction:
        return Disjunction(literals, tautology=clash)

    @property
    def with_clash(self) -> bool:
        return self.tautology
