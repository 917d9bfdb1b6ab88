"""The text form of a concept class: `monotone-disjunctions n=8 k=2 exactly`.

First the kind, then the parameters in any order, as name=value; a flag stands alone. Parameters are the
fields of the class, and the annotation of a field says how its value is read: a new class needs one line in
KINDS. Any finite class is its table, `finite rows=0011,0101`: one row per concept, one column per instance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from fractions import Fraction
from importlib import import_module

from mistakebound.concepts.concept import ConceptClass
from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.exact import fraction_of_text

KINDS = {
    "all-functions": ("truth_tables", "AllFunctions"),
    "circles": ("regions.circles", "Circles"),
    "conjunctions": ("literal_sets", "Conjunctions"),
    "convex-polygons": ("regions.polygons", "ConvexPolygons"),
    "decision-lists": ("decision_lists", "DecisionLists"),
    "decision-trees": ("truth_tables", "DecisionTrees"),
    "disjunctions": ("literal_sets", "Disjunctions"),
    "dnf": ("dnf", "DNF"),
    "half-spaces": ("regions.half_spaces", "HalfSpaces"),
    "intervals": ("points", "Intervals"),
    "juntas": ("truth_tables", "Juntas"),
    "linear-thresholds": ("linear_thresholds", "LinearThresholds"),
    "monotone-conjunctions": ("literal_sets", "MonotoneConjunctions"),
    "monotone-disjunctions": ("literal_sets", "MonotoneDisjunctions"),
    "parities": ("parities", "Parities"),
    "r-of-k": ("thresholds", "RofK"),
    "rectangles": ("regions.rectangles", "Rectangles"),
    "separated": ("separated", "Separated"),
    "singletons": ("points", "Singletons"),
    "thresholds": ("points", "Thresholds"),
}


def _flag(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError
    return text == "true"


def _number(text: str) -> Fraction:
    found = fraction_of_text(text)
    if found is None:
        raise ValueError
    return found


def _rows(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(digit) for digit in row) for row in text.split(",") if row)


_READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "int": (int, "an integer"),
    "int | None": (int, "an integer"),
    "bool": (_flag, "true or false"),
    "Fraction": (_number, "a number such as 1/2 or 0.5"),
    "tuple[Row, ...] | None": (_rows, "rows of zeros and ones such as 011,101"),
}


def write_class(concept_class: ConceptClass) -> str:
    """The text of a class; parameters that are absent, and flags at their default, are left out."""
    words = [concept_class.kind]
    for field in fields(concept_class):  # type: ignore[arg-type]
        value = getattr(concept_class, field.name)
        if isinstance(value, bool):
            if value != (field.default is True):
                words.append(field.name if value else f"{field.name}=false")
        elif isinstance(value, tuple):
            words.append(f"{field.name}={','.join(''.join(map(str, row)) for row in value)}")
        elif value is not None:
            words.append(f"{field.name}={value}")
    return " ".join(words)


def parse_class(text: str) -> ConceptClass:
    """Reads a class of concepts from its text; `parse_class(str(C)) == C`.

    Parameters
    ----------
    text : str
        The kind and its parameters, such as "monotone-disjunctions n=8 k=2" or "thresholds m=5".

    Returns
    -------
    ConceptClass

    Examples
    --------
    >>> parse_class("monotone-disjunctions n=8 k=2")
    MonotoneDisjunctions(n=8, k=2, exactly=False)
    """
    kind, *words = text.split() or [""]
    if kind == "finite":
        return _finite(text, words)
    if kind == "attribute-conjunctions":
        from mistakebound.concepts.attributes import AttributeConjunctions

        return AttributeConjunctions.parse_class(text.strip().removeprefix(kind))
    if kind not in KINDS:
        kinds = ", ".join(sorted([*KINDS, "attribute-conjunctions", "finite"]))
        raise BadParameter(f"there is no concept class {shown(kind)}; the classes are {kinds}")
    module, name = KINDS[kind]
    made: type[ConceptClass] = getattr(import_module(f"mistakebound.concepts.{module}"), name)
    known = {field.name: field for field in fields(made)}  # type: ignore[arg-type]
    values: dict[str, object] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if key not in known:
            raise BadParameter(f"{kind} must have only the parameters {', '.join(known)}: {shown(word)}")
        if key in values:
            raise BadParameter(f"{key} must be given once: {shown(text)}")
        read, expected = _READERS[str(known[key].type)]
        try:
            values[key] = read(value if equals else "true")
        except ValueError:
            raise BadParameter(f"{key} must be {expected}: {shown(word)}") from None
    for key, field in known.items():
        if field.default is MISSING and key not in values:
            raise BadParameter(f"{key} must be given for {kind}: {shown(text)}")
    return made(**values)


def class_given(concepts: ConceptClass | str, name: str = "concept_class") -> ConceptClass:
    """The class itself, or the one that a text describes: what every function that takes a class takes.

    >>> class_given("thresholds m=3")
    Thresholds(m=3)
    """
    if isinstance(concepts, str):
        return parse_class(concepts)
    if not isinstance(concepts, ConceptClass):
        raise BadParameter(f"{name} must be a class of concepts, or its text such as 'conjunctions n=3': {concepts!r}")
    return concepts


def _finite(text: str, words: list[str]) -> ConceptClass:
    from mistakebound.concepts.finite import FiniteClass

    if len(words) != 1 or not words[0].startswith("rows="):
        raise BadParameter(f"finite must have only the parameter rows: {text!r}")
    try:
        return FiniteClass(_rows(words[0].removeprefix("rows=")))
    except ValueError as error:
        expected = _READERS["tuple[Row, ...] | None"][1]
        raise error if isinstance(error, BadParameter) else BadParameter(f"rows must be {expected}: {text!r}") from None
