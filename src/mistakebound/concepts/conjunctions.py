"""Conjunctions of literals (B, M §2, V §2): row C2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.concepts.instance import Reader, bit, signed_count
from mistakebound.concepts.literals import Literal, LiteralSet, MonotoneSets, SignedSets

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mistakebound.concepts.thresholds import LinearThreshold


class Conjunction(LiteralSet):
    """1 where every literal holds; the empty conjunction is the constant 1.

    Text: `x1 & ~x3`, `true` when empty, `all of (false)` for the contradiction. One literal alone is read as
    a disjunction, so a conjunction of one literal is written `all of (x3)`.

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
    """Monotone conjunctions over n attributes: all, at most k literals (from 0: true is in it), or exactly k.

    >>> print(*MonotoneConjunctions(2), sep="; ")
    true; all of (x1); all of (x2); x1 & x2
    """

    kind: ClassVar[str] = "monotone-conjunctions"

    def make(self, literals: Iterable[Literal | str]) -> Conjunction:
        return Conjunction(literals)


@dataclass(frozen=True)
class Conjunctions(SignedSets):
    """Satisfiable conjunctions of literals: 3^n functions, the contradiction only on request.

    >>> Conjunctions(2).count(), Conjunctions(2, contradiction=True).count()
    (9, 10)
    """

    n: int
    contradiction: bool = False
    kind: ClassVar[str] = "conjunctions"

    def __post_init__(self) -> None:
        self.check("contradiction", self.contradiction)

    def make(self, literals: Iterable[Literal | str], *, clash: bool = False) -> Conjunction:
        return Conjunction(literals, contradiction=clash)

    @property
    def with_clash(self) -> bool:
        return self.contradiction
