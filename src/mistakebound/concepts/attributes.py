"""Conjunctions of constraints on nominal attributes: Mitchell 1997, section 2.2.

A constraint is a value, `?` (any value) or `∅` (none).  All hypotheses with an `∅` are the same function, the one that
is 0 everywhere: it is written with `∅` throughout.  Where an attribute has one value only, to demand it is to demand
nothing, and it is written `?`: so two different normal forms are two different functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, ClassVar

from mistakebound.concepts.attribute_conjunction import ANY, AttributeConjunction
from mistakebound.concepts.attribute_values import (
    UNSEEN,
    cells,
    check_attributes,
    not_declared,
    parse_attributes,
    quoted,
    text_of,
    unquoted,
    write_attributes,
)
from mistakebound.concepts.concept import Concept, ConceptClass, generator
from mistakebound.core.errors import BadData, BadParameter


class AttributeConjunctions(ConceptClass):
    """The conjunctions of constraints over nominal attributes: Mitchell's hypothesis space.

    Parameters
    ----------
    attributes : mapping
        Attribute to the sequence of its values.

    Notes
    -----
    The instances are the rows of values, the last attribute changing fastest.  The order of the class: from `?`
    everywhere
    to all values, as rows of constraints, and the hypothesis `∅` at the end.

    References
    ----------
    Mitchell 1997, Machine Learning, section 2.2.

    Examples
    --------
    >>> H = AttributeConjunctions({"Sky": ["Sunny", "Cloudy", "Rainy"], "Wind": ["Strong", "Weak"]})
    >>> H.count(), H.domain_size(), str(next(iter(H))), str(H.empty)
    (13, 6, '<?, ?>', '<∅, ∅>')
    >>> print(H)
    attribute-conjunctions Sky=Sunny,Cloudy,Rainy Wind=Strong,Weak
    """

    kind: ClassVar[str] = "attribute-conjunctions"

    def __init__(self, attributes: Mapping[str, Sequence[Any]]) -> None:
        try:
            known = check_attributes(attributes)
        except ValueError as error:
            raise BadParameter(f"attributes must be {{name: [values]}} ({error}): {attributes!r}") from None
        self.names: tuple[str, ...] = tuple(known)
        self.values: tuple[tuple[str, ...], ...] = tuple(known.values())
        self.n = len(self.names)

    @classmethod
    def parse_class(cls, text: str) -> AttributeConjunctions:
        """From the words behind the kind: `Sky=Sunny,Cloudy Wind=Strong,Weak`."""
        return cls(parse_attributes(text))

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.names

    @cached_property
    def _numbers(self) -> tuple[dict[str, int], ...]:
        return tuple({text: code for code, text in enumerate(values)} for values in self.values)

    @cached_property
    def empty(self) -> AttributeConjunction:
        """The most specific hypothesis, ∅: it covers nothing."""
        return AttributeConjunction(self, None)

    @cached_property
    def top(self) -> AttributeConjunction:
        """The most general hypothesis: `?` everywhere."""
        return AttributeConjunction(self, (ANY,) * self.n)

    def normal(self, codes: Sequence[int]) -> tuple[int, ...]:
        return tuple(ANY if len(values) == 1 else code for code, values in zip(codes, self.values, strict=True))

    def encode(self, x: Any) -> tuple[int, ...]:
        """The numbers of the values of an instance; BadData for a missing cell or a value that was not declared."""
        found = []
        for name, value, known in zip(self.names, cells(x, self.names), self._numbers, strict=True):
            text = text_of(value)
            if text is None:
                raise BadData(f"the cell of {name!r} is missing")
            code = known.get(text, UNSEEN)
            if code == UNSEEN:
                raise BadData(not_declared(name, text, known))
            found.append(code)
        return tuple(found)

    def decode(self, codes: Sequence[int]) -> tuple[str, ...]:
        """An instance by the numbers of its values."""
        return tuple(values[code] for values, code in zip(self.values, codes, strict=True))

    def concept(self, constraints: Sequence[Any]) -> AttributeConjunction:
        """A hypothesis from one constraint an attribute: a value, "?" or "∅"."""
        if isinstance(constraints, str) or len(constraints) != self.n:
            raise BadParameter(f"a hypothesis must have {self.n} constraints: {constraints!r}")
        words = ["?" if value == "?" else "∅" if value == "∅" else quoted(str(value)) for value in constraints]
        return self._of_words(words)

    def parse(self, text: str) -> AttributeConjunction:
        """The hypothesis that is written so; `parse(str(h)) == h`."""
        inner = text.strip()
        pairs = {"<": ">", "⟨": "⟩"}
        if len(inner) < 2 or pairs.get(inner[0]) != inner[-1]:
            raise BadParameter(f"a hypothesis must be written <value, ?, ...>: {text!r}")
        words = _split(inner[1:-1])
        if len(words) != self.n:
            raise BadParameter(f"a hypothesis must have {self.n} constraints: {text!r}")
        return self._of_words(words)

    def _of_words(self, words: Sequence[str]) -> AttributeConjunction:
        codes, nothing = [], False
        for name, word, known in zip(self.names, words, self._numbers, strict=True):
            nothing |= word == "∅"
            if word in ("?", "∅"):
                codes.append(ANY)
                continue
            value = unquoted(word)
            if value not in known:
                raise BadParameter(f"a constraint on {name!r} must be one of {', '.join(known)}, ? or ∅: {value!r}")
            codes.append(known[value])
        return self.empty if nothing else AttributeConjunction(self, codes)

    def domain(self) -> Iterator[tuple[str, ...]]:
        return product(*self.values)

    def domain_size(self) -> int:
        return prod(map(len, self.values))

    def count(self) -> int:
        return prod(len(values) + 1 for values in self.values if len(values) > 1) + 1

    def __iter__(self) -> Iterator[AttributeConjunction]:
        for codes in product(*(range(ANY, len(values) if len(values) > 1 else 0) for values in self.values)):
            yield AttributeConjunction(self, codes)
        yield self.empty

    def sample(self, seed: int) -> AttributeConjunction:
        rank = generator(seed).randrange(self.count())
        if rank == self.count() - 1:
            return self.empty
        codes = []
        for values in reversed(self.values):
            rank, code = divmod(rank, len(values) + 1) if len(values) > 1 else (rank, 0)
            codes.append(code - 1)
        return AttributeConjunction(self, codes[::-1])

    def over(self, attributes: Any) -> bool:
        return set(attributes) <= set(self.names)

    def holds(self, concept: Concept) -> bool:
        if isinstance(concept, AttributeConjunction):
            return concept.space == self
        least = self.empty
        inside = [x for x in self.domain() if concept(dict(zip(self.names, x, strict=True)))]
        for x in inside:
            least = least.minimal_generalisations(x)[0]
        covered = 0 if least.codes is None else prod(
            len(values) for values, code in zip(self.values, least.codes, strict=True) if code == ANY
        )  # fmt: skip
        return covered == len(inside)

    def label_columns(self, instances: Sequence[Any]) -> list[int] | None:
        """By the sets of the hypotheses that let a value of an attribute pass."""
        size = self.count() - 1
        passing: list[list[int]] = []
        repeat, period = size, 1
        for values in self.values:
            if len(values) == 1:
                passing.append([(1 << size) - 1])
                continue
            repeat //= len(values) + 1
            run = (1 << repeat) - 1
            spread = sum(1 << k * repeat * (len(values) + 1) for k in range(period))
            passing.append([(run | run << (code + 1) * repeat) * spread for code in range(len(values))])
            period *= len(values) + 1
        found = []
        for x in instances:
            column = (1 << size) - 1
            for j, code in enumerate(self.encode(x)):
                column &= passing[j][code]
            found.append(column)
        return found

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, AttributeConjunctions):
            return NotImplemented
        return (self.names, self.values) == (other.names, other.values)

    @cached_property
    def _hash(self) -> int:
        return hash((self.names, self.values))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"AttributeConjunctions({dict(zip(self.names, map(list, self.values), strict=True))!r})"

    def __str__(self) -> str:
        return f"{self.kind} {write_attributes(dict(zip(self.names, self.values, strict=True)))}"


def _split(text: str) -> list[str]:
    """Constraints with commas between them; a comma in quotes is text."""
    words, word, inside, escaped = [], "", False, False
    for character in text:
        if character == "," and not inside:
            words.append(word.strip())
            word = ""
            continue
        if character == '"' and not escaped:
            inside = not inside
        escaped = character == "\\" and not escaped
        word += character
    return [*words, word.strip()]
