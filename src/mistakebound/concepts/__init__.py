"""Concepts and classes of concepts: what a target may be. Names are imported when they are first used."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.concepts.class_text import parse_class as parse_class
    from mistakebound.concepts.concept import Concept as Concept
    from mistakebound.concepts.concept import ConceptClass as ConceptClass
    from mistakebound.concepts.conjunctions import Conjunction as Conjunction
    from mistakebound.concepts.conjunctions import Conjunctions as Conjunctions
    from mistakebound.concepts.conjunctions import MonotoneConjunctions as MonotoneConjunctions
    from mistakebound.concepts.disjunctions import Disjunction as Disjunction
    from mistakebound.concepts.disjunctions import Disjunctions as Disjunctions
    from mistakebound.concepts.disjunctions import MonotoneDisjunctions as MonotoneDisjunctions
    from mistakebound.concepts.finite import FiniteClass as FiniteClass
    from mistakebound.concepts.formula import parse as parse
    from mistakebound.concepts.linear_thresholds import LinearThresholds as LinearThresholds
    from mistakebound.concepts.literals import Literal as Literal
    from mistakebound.concepts.margin import Separation as Separation
    from mistakebound.concepts.separated import Separated as Separated
    from mistakebound.concepts.thresholds import LinearThreshold as LinearThreshold
    from mistakebound.concepts.thresholds import RofK as RofK
    from mistakebound.concepts.thresholds import RofKThreshold as RofKThreshold

_HOMES = {
    "Concept": "concept",
    "ConceptClass": "concept",
    "Conjunction": "conjunctions",
    "Conjunctions": "conjunctions",
    "Disjunction": "disjunctions",
    "Disjunctions": "disjunctions",
    "FiniteClass": "finite",
    "LinearThreshold": "thresholds",
    "LinearThresholds": "linear_thresholds",
    "Literal": "literals",
    "MonotoneConjunctions": "conjunctions",
    "MonotoneDisjunctions": "disjunctions",
    "RofK": "thresholds",
    "RofKThreshold": "thresholds",
    "Separated": "separated",
    "Separation": "margin",
    "parse": "formula",
    "parse_class": "class_text",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
