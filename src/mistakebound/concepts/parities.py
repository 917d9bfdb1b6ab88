"""Parities: 1 where an odd number of some attributes is 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.concepts.concept import Concept, ConceptClass, generator, power
from mistakebound.concepts.instance import Reader, bit, signed_count
from mistakebound.concepts.literals import Literal
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order, write_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Parity(Concept):
    """A parity: 1 where an odd number of the attributes is 1.

    Parameters
    ----------
    attributes : iterable of str, default ()
        The attributes; one that is named twice cancels out.

    Notes
    -----
    Text: `x1 ^ x3`; of one attribute `x3 ^ false`, of none `false ^ false`.

    Examples
    --------
    >>> f = Parity(["3", "1"])
    >>> print(f, f({"1"}), f({"1", "3"}))
    x1 ^ x3 1 0
    """

    names: tuple[str, ...]
    canonical: ClassVar[bool] = True

    def __init__(self, attributes: Iterable[str] = ()) -> None:
        if isinstance(attributes, str):
            raise BadParameter(f"attributes must be given as a list: {attributes!r}")
        odd: set[str] = set()
        for name in attributes:
            odd ^= {Literal(name).name}  # an attribute twice cancels out
        object.__setattr__(self, "names", tuple(sorted(odd, key=attribute_order)))

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset(self.names)

    def value(self, read: Reader) -> int:
        return sum(bit(name, read(name)) for name in self.names) % 2

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        import numpy as np

        return (signed_count(X, dict.fromkeys(self.names, 1), names) % 2).astype(np.uint8)

    def __str__(self) -> str:
        return " ^ ".join([*map(write_name, self.names), *["false"] * (2 - len(self.names))])


@dataclass(frozen=True)
class Parities(ConceptClass):
    """The parities of the sets of n attributes: 2^n functions.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.

    Notes
    -----
    Order: by the number of attributes, then by attributes.

    Examples
    --------
    >>> C = Parities(3)
    >>> print(C, C.count(), *list(C)[3:5], sep="; ")
    parities n=3; 8; x3 ^ false; x1 ^ x2
    """

    n: int
    kind: ClassVar[str] = "parities"

    def __post_init__(self) -> None:
        self.set_integer("n", 1)

    def holds(self, concept: Concept) -> bool:
        if isinstance(concept, Parity):
            return True
        names = sorted(concept.attributes, key=attribute_order)
        table = concept.truth_table(names)
        # A parity has the attributes that alone make it 1.
        candidate = Parity(name for j, name in enumerate(names) if table[1 << (len(names) - 1 - j)])
        return bool((candidate.truth_table(names) == table).all())

    def count(self) -> int:
        return power(2, self.n)

    def __iter__(self) -> Iterator[Parity]:
        for size in range(self.n + 1):
            for names in combinations(self.attributes, size):
                yield Parity(names)

    def sample(self, seed: int) -> Parity:
        coins = generator(seed).getrandbits(self.n)
        return Parity(str(j + 1) for j in range(self.n) if coins >> j & 1)
