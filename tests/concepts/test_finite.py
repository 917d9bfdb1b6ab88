"""Classes as bits: from a matrix, from functions, from any class."""

from __future__ import annotations

import random

import numpy as np
import pytest

from concepts.truth import cube
from mistakebound.concepts import (
    Conjunctions,
    Disjunction,
    Disjunctions,
    FiniteClass,
    LinearThresholds,
    MonotoneConjunctions,
    MonotoneDisjunctions,
    RofK,
    Separated,
    Thresholds,
    parse_class,
)
from mistakebound.concepts.bits import ones, pack, transpose
from mistakebound.core.errors import BadParameter


@pytest.mark.parametrize("small", [0, 1 << 16])
def test_transpose_is_the_definition(monkeypatch, small):
    monkeypatch.setattr("mistakebound.concepts.bits.SMALL", small)
    draw = random.Random(1)
    for lines, width in [(0, 3), (3, 0), (1, 1), (9, 17), (40, 8), (257, 65)]:
        table = [draw.getrandbits(width) for _ in range(lines)]
        columns = transpose(table, width)
        assert len(columns) == width
        assert all(columns[j] >> i & 1 == table[i] >> j & 1 for i in range(lines) for j in range(width))
        assert all(column >> lines == 0 for column in columns)


def test_transpose_in_several_chunks(monkeypatch):
    draw = random.Random(2)
    table = [draw.getrandbits(21) for _ in range(100)]
    whole = transpose(table, 21)
    monkeypatch.setattr("mistakebound.concepts.bits.SMALL", 0)
    monkeypatch.setattr("mistakebound.concepts.bits._CELLS", 512)
    assert transpose(table, 21) == whole


@pytest.mark.parametrize("text", ["thresholds m=9", "intervals m=6"])
def test_points_few_or_many(monkeypatch, text):
    instances = list(parse_class(text).domain())
    few = parse_class(text).label_columns(instances)
    monkeypatch.setattr("mistakebound.concepts.points.SMALL", 0)
    assert parse_class(text).label_columns(instances) == few


def test_bits():
    assert list(ones(0b101001)) == [0, 3, 5]
    assert pack([1, 0, 0, 1]) == 9
    assert pack([]) == 0


@pytest.mark.parametrize(
    "text",
    [
        "monotone-disjunctions n=5 k=2",
        "monotone-disjunctions n=4 k=2 exactly",
        "monotone-conjunctions n=4",
        "conjunctions n=3",
        "conjunctions n=3 contradiction",
        "disjunctions n=3",
        "disjunctions n=3 tautology",
        "linear-thresholds n=3",
        "r-of-k n=5 r=2 k=3",
        "separated n=3 delta=1/2",
        "separated n=3 delta=1 X=001,011,111",
    ],
)
def test_every_class_has_the_bits_of_its_concepts(text):
    C = parse_class(text)
    F = C.finite()
    assert F.instances == tuple(C.domain())
    assert F.concepts == tuple(C)
    assert F.size == len(F) == F.count() == C.count()
    for c, concept in enumerate(C):
        assert F.labels(c) == tuple(concept(x) for x in C.domain())
        assert F.rows[c] == pack(F.labels(c))
    assert C.finite() is F


def test_on_some_instances_concepts_that_agree_are_one():
    C = Conjunctions(3)
    points = [(1, 0, 0), (1, 1, 0)]
    F = C.finite(points)
    assert F.instances == tuple(points)
    assert {F.labels(c) for c in range(F.size)} == {tuple(f(x) for x in points) for f in C}
    firsts = {}
    for f in C:
        firsts.setdefault(tuple(f(x) for x in points), f)
    assert F.concepts == tuple(firsts.values())
    assert C.finite([(1, 0, 0)]).size == 2
    assert F.finite([(1, 1, 0)]).concepts == C.finite([(1, 1, 0)]).concepts


def test_other_forms_of_instances():
    C = MonotoneDisjunctions(3)
    F = C.finite([frozenset({"1"}), frozenset({"1", "3"})])
    assert [F.labels(c) for c in range(F.size)] == [(0, 0), (1, 1), (0, 1)]


def test_from_a_matrix():
    table = np.array([[0, 1, 1], [1, 0, 1], [0, 1, 1]], dtype=bool)
    F = FiniteClass(table)
    assert (F.size, F.concepts, F.instances, F.columns) == (2, (0, 1), (0, 1, 2), (0b10, 0b01, 0b11))
    assert FiniteClass(table.tolist()) == F
    assert hash(F) == hash(FiniteClass([[0, 1, 1], [1, 0, 1]]))
    assert FiniteClass([[1, 0, 1], [0, 1, 1]]) != F
    assert F.everyone == 3
    assert F.consistent(3, 0, 1) == 0b10
    assert F.consistent(3, 0, 0) == 0b01
    assert parse_class(str(F)) == F
    assert FiniteClass([]).size == 0
    empty = FiniteClass(np.zeros((0, 4)))
    assert (empty.size, len(empty.instances), empty.columns) == (0, 4, (0,) * 4)
    assert FiniteClass([[]]).size == 1


def test_from_functions():
    F = FiniteClass([lambda x: x > 1, lambda x: x >= 2, lambda x: x == 3], [1, 2, 3])
    assert F.size == 2
    assert F.concepts[1](3)
    assert (lambda x: x in (2, 3)) in F
    assert (lambda x: x == 1) not in F
    assert [0, 0, 1] in F
    assert (1, 0, 0) not in F
    assert F.sample(5) in F.concepts
    assert F.sample(5) is F.sample(5)
    G = FiniteClass([Disjunction(["1"]), Disjunction(["2"])], cube(5))
    assert Disjunction(["2"]) in G
    assert Disjunction(["3"]) not in G
    assert G.attributes == ("1", "2", "3", "4", "5")
    assert F.attributes == ()


def test_position():
    F = MonotoneConjunctions(2).finite()
    assert F.position((1, 0)) == F.position([1, 0]) == F.position(np.array([1, 0])) == 2
    with pytest.raises(BadParameter, match="an instance must be one of the class's 4"):
        F.position((1, 0, 1))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FiniteClass([[0, 1], [0]]), "row 1 must have 2 labels: 1"),
        (lambda: FiniteClass([[0, 2]]), "row 0 must have the labels 0 and 1: 2"),
        (lambda: FiniteClass([lambda x: x], [0, 1, 2]), "a function must have the labels 0 and 1: 2"),
        (lambda: FiniteClass([[0, 1]], [3, 3]), "'list' object is not callable"),
        (lambda: FiniteClass([lambda x: 0], [3, 3]), "instances must be different: 1 come twice"),
        (
            lambda: Disjunctions(30).finite(),
            "instances must be at most 268435456 .limit= raises that., but there are ",
        ),
        (lambda: LinearThresholds(3).finite(limit=100), "must be at most 100 .*, but there are 104 x 8"),
        (lambda: RofK(4, 1, 2).finite([(0, 0, 0, 0)] * 2), "instances must be different"),
        (lambda: FiniteClass([]).sample(1), "an empty class"),
        (lambda: parse_class("finite"), "finite must have only the parameter rows: 'finite'"),
        (lambda: parse_class("finite rows=01,1"), "row 1 must have 2 labels: 1"),
        (lambda: parse_class("finite rows=0a"), "rows must be rows of zeros and ones such as 011,101"),
    ],
)
def test_refused(make, message):
    with pytest.raises((BadParameter, TypeError), match=message):
        make()


def test_a_large_class_is_described_not_written():
    assert str(Conjunctions(7).finite()) == "FiniteClass: 2187 concepts on 128 instances"
    assert str(Separated(2, 1).finite()) == "finite rows=0000,0011,0101,0111"


def test_small_classes_are_written_where_they_can_be_read_back():
    for rows, text in (
        ([], "finite rows="), ([[0]], "finite rows=0"), ([[]], "FiniteClass: 1 concept on 0 instances"),
        (np.zeros((0, 2)), "FiniteClass: 0 concepts on 2 instances"),
    ):  # fmt: skip
        C = FiniteClass(rows)
        assert str(C) == text
        if text[:6] == "finite":
            assert parse_class(text) == C


@pytest.mark.parametrize(
    ("concept_class", "size"),
    [
        (MonotoneDisjunctions(10**12), "2^1000000000000 instances"),
        (RofK(100_000, 5, 50_000), "2^100000 instances"),
        (Thresholds(10**20 - 1), "about 2^66 x about 2^66"),
        (parse_class("parities n=50"), "2^50 x 2^50"),
        (LinearThresholds(99), "2^99 instances"),
        (parse_class("monotone-disjunctions n=1000000"), "2^1000000 instances"),
    ],
)
def test_a_huge_class_is_refused_at_once(concept_class, size):
    with pytest.raises(BadParameter) as caught:
        concept_class.finite()
    assert (
        str(caught.value)
        == f"concepts times instances must be at most 268435456 (limit= raises that), but there are {size}"
    )


def test_a_limit_that_is_none():
    for limit in (0, -5, "3", 2.5, None, True):
        with pytest.raises(BadParameter, match=r"limit must be (an integer|>= 1)"):
            Conjunctions(2).finite(limit=limit)
