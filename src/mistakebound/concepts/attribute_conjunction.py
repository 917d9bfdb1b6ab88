"""One conjunction of constraints on nominal attributes: Mitchell 1997, section 2.2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.concepts.attribute_values import quoted
from mistakebound.concepts.concept import Concept
from mistakebound.core.errors import BadParameter
from mistakebound.core.fields import plain_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mistakebound.concepts.attributes import AttributeConjunctions
    from mistakebound.concepts.instance import Reader
    from mistakebound.concepts.thresholds import LinearThreshold

ANY = -1  # the code of the constraint `?`


class AttributeConjunction(Concept):
    """A conjunction of constraints on nominal attributes, such as `<Sunny, Warm, ?, Strong, ?, ?>`.

    It is made by its class: `AttributeConjunctions.parse` or `.concept`.

    Parameters
    ----------
    space : AttributeConjunctions
        The attributes with their values.
    codes : sequence of int or None
        Number of the value that is demanded of each attribute, -1 for `?` (any); None for the hypothesis that no
        instance satisfies.

    References
    ----------
    Mitchell 1997, Machine Learning, sections 2.2 and 2.3 (the order of generality).

    Examples
    --------
    >>> from mistakebound.concepts import AttributeConjunctions
    >>> H = AttributeConjunctions({"Sky": ["Sunny", "Rainy"], "Wind": ["Strong", "Weak"]})
    >>> h = H.parse("<Sunny, ?>")
    >>> print(h, h(["Sunny", "Weak"]), h({"Wind": "Weak", "Sky": "Rainy"}))
    <Sunny, ?> 1 0
    >>> h.more_general_or_equal(H.parse("<Sunny, Weak>")), H.empty.more_general_or_equal(h)
    (True, False)
    """

    __slots__ = ("codes", "space")
    canonical: ClassVar[bool] = True
    codes: tuple[int, ...] | None
    space: AttributeConjunctions

    def __init__(self, space: AttributeConjunctions, codes: Sequence[int] | None) -> None:
        self.space = space
        self.codes = codes if codes is None else space.normal(codes)

    @property
    def constraints(self) -> tuple[str, ...]:
        """The constraints as they are written."""
        if self.codes is None:
            return ("∅",) * self.space.n
        values = self.space.values
        return tuple("?" if code < 0 else quoted(values[j][code]) for j, code in enumerate(self.codes))

    @property
    def attributes(self) -> frozenset[str]:
        codes = self.codes or ()
        return frozenset(name for name, code in zip(self.space.names, codes, strict=False) if code >= 0)

    def covers(self, codes: Sequence[int]) -> bool:
        """Whether the instance with these numbers of values satisfies every constraint."""
        own = self.codes
        return own is not None and all(code in (ANY, value) for code, value in zip(own, codes, strict=True))

    def __call__(self, x: Any) -> int:
        return int(self.covers(self.space.encode(x)))

    def value(self, read: Reader) -> int:
        return self([read(name) for name in self.space.names])

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        import numpy as np

        columns = list(self.space.names if names is None else names)
        return np.array([self(dict(zip(columns, row, strict=True))) for row in plain_values(X)], dtype=np.uint8)

    def more_general_or_equal(self, other: AttributeConjunction) -> bool:
        """Whether every instance that satisfies the other satisfies this one: `self` ≥g `other`."""
        if self.space != other.space:
            raise BadParameter("hypotheses must be over the same attributes to be compared")
        return other.codes is None or self.covers(other.codes)

    def more_general(self, other: AttributeConjunction) -> bool:
        """Strictly: `self` >g `other`."""
        return self != other and self.more_general_or_equal(other)

    def minimal_generalisations(self, x: Any) -> tuple[AttributeConjunction, ...]:
        """The least general hypotheses above this one that cover x: there is always exactly one."""
        codes = self.space.encode(x)
        if self.codes is None:
            return (AttributeConjunction(self.space, codes),)
        joined = [own if own == code else ANY for own, code in zip(self.codes, codes, strict=True)]
        return (AttributeConjunction(self.space, joined),)

    def minimal_specialisations(self, x: Any) -> tuple[AttributeConjunction, ...]:
        """The most general hypotheses below this one that do not cover x, in the order of attributes and values.

        >>> from mistakebound.concepts import AttributeConjunctions
        >>> H = AttributeConjunctions({"Sky": ["Sunny", "Cloudy", "Rainy"], "Wind": ["Strong", "Weak"]})
        >>> print(*H.top.minimal_specialisations(["Rainy", "Strong"]))
        <Sunny, ?> <Cloudy, ?> <?, Weak>
        """
        codes = self.space.encode(x)
        if not self.covers(codes):
            return (self,)
        assert self.codes is not None
        own = self.codes
        found = [
            AttributeConjunction(self.space, (*own[:j], value, *own[j + 1 :]))
            for j, constraint in enumerate(own)
            if constraint == ANY
            for value in range(len(self.space.values[j]))
            if value != codes[j]
        ]
        return tuple(found) or (self.space.empty,)

    def to_linear_threshold(self) -> LinearThreshold:
        raise BadParameter(f"a concept must be over attributes of 0 and 1 to be a linear threshold function: {self}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AttributeConjunction):
            return NotImplemented
        return self.codes == other.codes and self.space == other.space

    def __hash__(self) -> int:
        return hash((self.codes, self.space))

    def __str__(self) -> str:
        return f"<{', '.join(self.constraints)}>"
