"""A class of concepts as a parameter: its text where it has one, so that it can stand in a model file."""

from __future__ import annotations

from typing import Any

from mistakebound.concepts import parse_class
from mistakebound.concepts.concept import ConceptClass
from mistakebound.core.errors import BadParameter
from mistakebound.core.params import Parameter


class ClassParameter(Parameter):
    """The value is a text such as "monotone-disjunctions n=8 k=2"; a class that has none stands for itself.

    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> ClassParameter("concepts", grid=("conjunctions n=2",), help="the class").check(MonotoneDisjunctions(8, 2))
    'monotone-disjunctions n=8 k=2'
    """

    __slots__ = ()

    def __init__(self, name: str, *, grid: tuple[str, ...], help: str) -> None:
        super().__init__(name, "class", grid=grid, help=help)

    @property
    def rule(self) -> str:
        return "a class of concepts such as 'monotone-disjunctions n=8 k=2'"

    def check(self, value: Any) -> Any:
        why = ""
        if isinstance(value, ConceptClass):
            return _text(value) or value
        if isinstance(value, str):
            try:
                found = parse_class(value)
                return _text(found) or found
            except BadParameter as error:
                why = f" ({error})"
        raise BadParameter(f"{self.name} must be {self.rule}{why}: {value!r}")

    def parse(self, text: str) -> Any:
        return self.check(text)


def class_of(value: ConceptClass | str) -> ConceptClass:
    """The class that a checked value stands for."""
    return parse_class(value) if isinstance(value, str) else value


def _text(concepts: ConceptClass) -> str | None:
    """The text of a class, if it is read back as the same class."""
    text = str(concepts)
    try:
        return text if parse_class(text) == concepts else None
    except BadParameter:
        return None
