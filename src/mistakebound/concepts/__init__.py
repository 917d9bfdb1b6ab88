"""Concepts and classes of concepts: what a target may be."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "concepts.attribute_conjunction": "AttributeConjunction",
        "concepts.attributes": "AttributeConjunctions",
        "concepts.class_text": "parse_class",
        "concepts.concept": "Concept ConceptClass",
        "concepts.decision_lists": "DecisionList DecisionLists",
        "concepts.dnf": "DNF DNFFormula",
        "concepts.finite": "FiniteClass",
        "concepts.formula": "parse",
        "concepts.linear_thresholds": "LinearThresholds",
        "concepts.literal_sets": "Conjunction Conjunctions Disjunction "
        "Disjunctions MonotoneConjunctions MonotoneDisjunctions",
        "concepts.literals": "Literal",
        "concepts.matrix_file": "read_class",
        "concepts.parities": "Parities Parity",
        "concepts.points": "Between Intervals Singletons Thresholds",
        "concepts.regions.circles": "Circle Circles",
        "concepts.regions.half_spaces": "HalfSpace HalfSpaces",
        "concepts.regions.polygons": "ConvexPolygon ConvexPolygons",
        "concepts.regions.rectangles": "Rectangle Rectangles",
        "concepts.separated": "ListSeparation Separated list_separation",
        "concepts.thresholds": "LinearThreshold RofK RofKThreshold",
        "concepts.truth_tables": "AllFunctions DecisionTrees Juntas TruthTable",
        "concepts.version_space": "VersionSpace",
        "concepts.weighing": "Separation",
    },
)
