"""Text of classes, both ways."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mistakebound.concepts import (
    DNF,
    Conjunctions,
    DecisionLists,
    Disjunctions,
    Intervals,
    LinearThresholds,
    MonotoneConjunctions,
    MonotoneDisjunctions,
    Parities,
    RofK,
    Separated,
    Singletons,
    Thresholds,
    parse_class,
)
from mistakebound.core.errors import BadParameter


@pytest.mark.parametrize(
    ("concept_class", "text"),
    [
        (MonotoneDisjunctions(8, 2), "monotone-disjunctions n=8 k=2"),
        (MonotoneDisjunctions(8), "monotone-disjunctions n=8"),
        (MonotoneDisjunctions(8, 0), "monotone-disjunctions n=8 k=0"),
        (MonotoneDisjunctions(8, 2, exactly=True), "monotone-disjunctions n=8 k=2 exactly"),
        (MonotoneConjunctions(3, 1), "monotone-conjunctions n=3 k=1"),
        (Conjunctions(4), "conjunctions n=4"),
        (Conjunctions(4, contradiction=True), "conjunctions n=4 contradiction"),
        (Disjunctions(4, tautology=True), "disjunctions n=4 tautology"),
        (RofK(9, 2, 3), "r-of-k n=9 r=2 k=3"),
        (LinearThresholds(5), "linear-thresholds n=5"),
        (Separated(4, Fraction(1, 2)), "separated n=4 delta=1/2"),
        (DecisionLists(3), "decision-lists n=3"),
        (DNF(5, 2, 3), "dnf n=5 terms=2 literals=3"),
        (DNF(5, 2, 3, monotone=False, at_most=True), "dnf n=5 terms=2 literals=3 monotone=false at_most"),
        (Parities(4), "parities n=4"),
        (Thresholds(7), "thresholds m=7"),
        (Intervals(7), "intervals m=7"),
        (Singletons(7), "singletons m=7"),
        (Singletons(7, empty=True), "singletons m=7 empty"),
        (Separated(3, 1, [(0, 1, 1), (0, 0, 1)]), "separated n=3 delta=1 X=001,011"),
    ],
)
def test_both_ways(concept_class, text):
    assert str(concept_class) == text
    assert parse_class(text) == concept_class
    assert hash(parse_class(text)) == hash(concept_class)


def test_other_spellings():
    assert parse_class("  monotone-disjunctions   k=2 exactly=true n=8 ") == MonotoneDisjunctions(8, 2, True)
    assert parse_class("disjunctions n=2 tautology=false") == Disjunctions(2)
    assert parse_class("separated n=2 delta=0.5") == Separated(2, Fraction(1, 2))
    assert MonotoneDisjunctions(3) != MonotoneConjunctions(3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no concept class ''; the classes are all-functions, attribute-conjunctions, "),
        ("parrots n=3", "there is no concept class 'parrots'; the classes are "),
        ("disjunctions", "n must be given for disjunctions: 'disjunctions'"),
        ("disjunctions n=x", "n must be an integer: 'n=x'"),
        ("disjunctions n", "n must be an integer: 'n'"),
        ("disjunctions n=2 tautology=maybe", "tautology must be true or false: 'tautology=maybe'"),
        ("disjunctions n=2 q=3", "disjunctions must have only the parameters n, tautology: 'q=3'"),
        ("disjunctions n=2 n=3", "n must be given once: 'disjunctions n=2 n=3'"),
        ("monotone-disjunctions n=5 k=9", "k must be between 0 and n = 5: 9"),
        ("separated n=5 delta=1/0", "delta must be a number such as 1/2 or 0.5: 'delta=1/0'"),
        ("separated n=2 delta=1 X=0a", "X must be rows of zeros and ones such as 011,101: 'X=0a'"),
        ("r-of-k n=5 r=2", "k must be given for r-of-k"),
    ],
)
def test_errors(text, message):
    with pytest.raises(BadParameter) as caught:
        parse_class(text)
    assert message in str(caught.value)
