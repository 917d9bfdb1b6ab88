"""Concepts and classes of concepts: what a target may be. Names are imported when they are first used."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.concepts.attribute_conjunction import AttributeConjunction as AttributeConjunction
    from mistakebound.concepts.attributes import AttributeConjunctions as AttributeConjunctions
    from mistakebound.concepts.class_text import parse_class as parse_class
    from mistakebound.concepts.concept import Concept as Concept
    from mistakebound.concepts.concept import ConceptClass as ConceptClass
    from mistakebound.concepts.conjunctions import Conjunction as Conjunction
    from mistakebound.concepts.conjunctions import Conjunctions as Conjunctions
    from mistakebound.concepts.conjunctions import MonotoneConjunctions as MonotoneConjunctions
    from mistakebound.concepts.decision_lists import DecisionList as DecisionList
    from mistakebound.concepts.decision_lists import DecisionLists as DecisionLists
    from mistakebound.concepts.disjunctions import Disjunction as Disjunction
    from mistakebound.concepts.disjunctions import Disjunctions as Disjunctions
    from mistakebound.concepts.disjunctions import MonotoneDisjunctions as MonotoneDisjunctions
    from mistakebound.concepts.dnf import DNF as DNF
    from mistakebound.concepts.dnf import DNFFormula as DNFFormula
    from mistakebound.concepts.finite import FiniteClass as FiniteClass
    from mistakebound.concepts.formula import parse as parse
    from mistakebound.concepts.linear_thresholds import LinearThresholds as LinearThresholds
    from mistakebound.concepts.literals import Literal as Literal
    from mistakebound.concepts.margin import Separation as Separation
    from mistakebound.concepts.parities import Parities as Parities
    from mistakebound.concepts.parities import Parity as Parity
    from mistakebound.concepts.points import Between as Between
    from mistakebound.concepts.points import Intervals as Intervals
    from mistakebound.concepts.points import Singletons as Singletons
    from mistakebound.concepts.points import Thresholds as Thresholds
    from mistakebound.concepts.separated import Separated as Separated
    from mistakebound.concepts.separated_lists import ListSeparation as ListSeparation
    from mistakebound.concepts.separated_lists import list_separation as list_separation
    from mistakebound.concepts.thresholds import LinearThreshold as LinearThreshold
    from mistakebound.concepts.thresholds import RofK as RofK
    from mistakebound.concepts.thresholds import RofKThreshold as RofKThreshold
    from mistakebound.concepts.version_space import VersionSpace as VersionSpace

_HOMES = {
    "AttributeConjunction": "attribute_conjunction",
    "AttributeConjunctions": "attributes",
    "Between": "points",
    "Concept": "concept",
    "ConceptClass": "concept",
    "Conjunction": "conjunctions",
    "Conjunctions": "conjunctions",
    "DNF": "dnf",
    "DNFFormula": "dnf",
    "DecisionList": "decision_lists",
    "DecisionLists": "decision_lists",
    "Disjunction": "disjunctions",
    "Disjunctions": "disjunctions",
    "FiniteClass": "finite",
    "Intervals": "points",
    "LinearThreshold": "thresholds",
    "LinearThresholds": "linear_thresholds",
    "ListSeparation": "separated_lists",
    "Literal": "literals",
    "MonotoneConjunctions": "conjunctions",
    "MonotoneDisjunctions": "disjunctions",
    "Parities": "parities",
    "Parity": "parities",
    "RofK": "thresholds",
    "RofKThreshold": "thresholds",
    "Separated": "separated",
    "Separation": "margin",
    "Singletons": "points",
    "Thresholds": "points",
    "VersionSpace": "version_space",
    "list_separation": "separated_lists",
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
