"""What is asked of every class: distinct functions, their count, membership, samples, text both ways."""

from __future__ import annotations

import numpy as np
import pytest

from mistakebound.concepts import parse, parse_class

CLASSES = [
    "all-functions n=1",
    "all-functions n=2",
    "conjunctions n=3",
    "conjunctions n=2 contradiction",
    "decision-lists n=1",
    "decision-lists n=2",
    "decision-lists n=3",
    "decision-trees n=3 depth=1",
    "decision-trees n=3 depth=2",
    "disjunctions n=3",
    "disjunctions n=2 tautology",
    "dnf n=4 terms=2 literals=2",
    "dnf n=3 terms=3 literals=2",
    "dnf n=3 terms=2 literals=1 monotone=false",
    "dnf n=3 terms=2 literals=2 monotone=false",
    "dnf n=4 terms=3 literals=2 at_most",
    "dnf n=3 terms=2 literals=2 at_most monotone=false",
    "finite rows=0011,0101,0111",
    "intervals m=5",
    "juntas n=3 k=2",
    "juntas n=4 k=1",
    "linear-thresholds n=3",
    "monotone-conjunctions n=4 k=2",
    "monotone-disjunctions n=4",
    "parities n=4",
    "r-of-k n=4 r=2 k=3",
    "separated n=3 delta=1/2",
    "singletons m=4",
    "singletons m=4 empty",
    "thresholds m=6",
]


@pytest.mark.parametrize("text", CLASSES)
def test_distinct_functions(text):
    C = parse_class(text)
    concepts, points = list(C), list(C.domain())
    assert len(points) == C.domain_size()
    lines = C.finite().rows
    assert len(set(lines)) == len(concepts) == C.count()
    assert list(C) == concepts
    if text[:6] == "finite":
        return
    for concept, line in zip(concepts, lines, strict=True):
        assert [concept(x) for x in points] == [line >> j & 1 for j in range(len(points))]
        assert concept.evaluate_many(np.array(points)).tolist() == [concept(x) for x in points]
        assert concept in C
        assert parse(str(concept)) == concept
        assert hash(parse(str(concept))) == hash(concept)


@pytest.mark.some(12)
@pytest.mark.parametrize("text", [text for text in CLASSES if text[:6] != "finite"])
def test_samples_are_uniform_and_repeat(text):
    C = parse_class(text)
    members = {str(concept) for concept in C}
    met = {str(C.sample(seed)) for seed in range(12 * len(members))}
    assert met <= members
    assert len(met) >= 0.99 * len(members)  # e^-12 of them would be missing
    assert C.sample(3) == C.sample(3)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("decision-lists n=3", "linear-thresholds n=3"),
        ("conjunctions n=3", "decision-lists n=3"),
        ("dnf n=3 terms=2 literals=2", "decision-lists n=3"),
        ("dnf n=3 terms=2 literals=2 at_most", "linear-thresholds n=3"),
        ("dnf n=3 terms=2 literals=2 monotone=false", "linear-thresholds n=3"),
        ("parities n=3", "disjunctions n=3"),
        ("parities n=2", "dnf n=2 terms=2 literals=2 monotone=false"),
        ("linear-thresholds n=2", "parities n=2"),
        ("thresholds m=4", "intervals m=4"),
        ("singletons m=4", "intervals m=4"),
        ("singletons m=4 empty", "thresholds m=4"),
    ],
)
def test_membership_is_about_functions(text, other):
    """A concept in whatever form is a member exactly when its labels are those of a member."""
    C, D = parse_class(text), parse_class(other)
    labels = set(C.finite().rows)
    outside = 0
    for concept, line in zip(D, D.finite().rows, strict=True):
        assert (concept in C) == (line in labels), concept
        outside += line not in labels
    assert outside > 0
