"""opt(C): the fast search equals the definition, and its trees prove themselves."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.concepts import Conjunctions, FiniteClass, LinearThresholds, MonotoneDisjunctions, parse, parse_class
from mistakebound.core.errors import BadParameter
from mistakebound.theory import opt_parts, opt_search, symmetry
from mistakebound.theory.littlestone import MistakeTree, opt
from mistakebound.theory.opt_search import OptSearch
from naive.opt import opt as naive_opt
from theory.classes import all_classes_over_three_points, random_class, random_cube_class, rows_of


def check(finite, expected):
    found = opt(finite)
    assert (found.value, found.exact, found.lower, found.upper) == (expected, True, expected, expected)
    assert found.tree.depth == expected
    assert found.tree.violation(finite) is None
    assert found.verify()


@pytest.mark.some(8)
@pytest.mark.parametrize("hundred", range(20))
def test_equals_the_definition_on_random_classes(hundred):
    for seed in range(100 * hundred, 100 * (hundred + 1)):
        finite = random_class(seed)
        check(finite, naive_opt(rows_of(finite)))


def test_all_classes_over_three_points():
    for finite in all_classes_over_three_points():
        check(finite, naive_opt(rows_of(finite)))


@pytest.mark.some(1)
@pytest.mark.parametrize("table", [True, False])
def test_with_symmetry_from_the_start(monkeypatch, table, long):
    """Sets are shared up to symmetry, or one instance of each orbit is tried: the values stay the same."""
    monkeypatch.setattr(opt_search, "_PLAIN", -(10**9))
    monkeypatch.setattr(opt_parts, "_LARGE", 1)
    if not table:
        monkeypatch.setattr(symmetry, "TABLE_ELEMENTS", 0)
    met = set()
    for seed in range(150 if long else 75):
        finite = random_cube_class(seed)
        if finite.size > 60:
            continue
        check(finite, naive_opt(rows_of(finite)))
        found = symmetry.find_symmetry(finite)
        met.add((found.flips, found.swaps))
    assert len(met) == 4


def test_symmetry_is_found_only_where_it_is():
    assert symmetry.find_symmetry(random_class(1)) is None
    assert symmetry.find_symmetry(MonotoneDisjunctions(3, 1).finite([(0, 0, 1), (0, 1, 0)])) is None
    one = FiniteClass([lambda x: x[0], lambda x: x[0] & x[1]], list(product((0, 1), repeat=3)))
    assert symmetry.find_symmetry(one) is None
    found = symmetry.find_symmetry(MonotoneDisjunctions(4, 2).finite())
    assert (found.flips, found.swaps) == (False, False)
    found = symmetry.find_symmetry(Conjunctions(3).finite())
    assert (found.flips, found.swaps) == (True, False)
    found = symmetry.find_symmetry(LinearThresholds(3).finite())
    assert (found.flips, found.swaps) == (True, True)


def test_sets_of_a_class_whatever_symmetry_is_in_use(monkeypatch, long):
    monkeypatch.setattr(opt_search, "_PLAIN", -(10**9))
    monkeypatch.setattr(opt_parts, "_LARGE", 1)
    finite = LinearThresholds(3).finite()
    search = OptSearch(finite)
    assert search.value() == 6
    rows = rows_of(finite)
    for seed in range(50 if long else 25):
        draw = random.Random(seed)
        members = draw.getrandbits(finite.size)
        for _ in range(seed % 4):  # down to a sixteenth of the concepts
            members &= draw.getrandbits(finite.size)
        chosen = [rows[c] for c in range(finite.size) if members >> c & 1]
        assert search.value(members) == naive_opt(chosen)
    for j in range(8):
        for label in (0, 1):
            members = finite.consistent(finite.everyone, j, label)
            assert search.value(members) == naive_opt([row for row in rows if row[j] == label])


@pytest.mark.parametrize("points", [4, 5, 6, 7])
def test_as_many_concepts_as_sauers_lemma_allows(points):
    """All sets of at most two points: of VC dimension 2, however many, and no better tree than that."""
    rows = [row for row in product((0, 1), repeat=points) if sum(row) <= 2]
    assert len(rows) == opt_parts.most_concepts(points, 2)
    check(FiniteClass(rows), 2)


def test_renumbering(monkeypatch):
    monkeypatch.setattr(opt_parts, "_LONG", 4)
    monkeypatch.setattr(opt_parts, "_SPARSE", 2)
    for seed in range(300):
        finite = random_class(seed, concepts=40)
        check(finite, naive_opt(rows_of(finite)))


def test_empty_and_single():
    assert opt(FiniteClass([])).value == -1
    assert opt(FiniteClass([])).tree is None
    assert opt(FiniteClass([[0, 1]])).value == 0
    assert opt(FiniteClass([[]])).tree.verify()


def test_textbook_values():
    assert opt(LinearThresholds(4)).value == 9
    assert opt(Conjunctions(6)).value == 7
    points = [tuple(int(i in on) for i in range(20)) for size in range(3) for on in combinations(range(20), size)]
    assert opt(MonotoneDisjunctions(20, 2, exactly=True).finite(points)).value == 4


def test_a_timeout_gives_an_interval_that_holds_the_truth():
    found = opt(LinearThresholds(4), timeout=0)
    assert not found.exact
    assert found.value is None
    assert found.lower <= 9 <= found.upper
    assert str(found) == f"{found.lower} to {found.upper}"
    assert found.tree.depth == found.lower
    assert found.verify()
    for timeout in (-1, "x", True, float("nan")):
        with pytest.raises(BadParameter, match="timeout must be a number of seconds >= 0"):
            opt(LinearThresholds(2), timeout=timeout)


def test_a_tree_that_is_none_says_why():
    finite = MonotoneDisjunctions(3).finite()
    tree = opt(finite).tree
    assert tree.verify()
    assert tree.verify(MonotoneDisjunctions(3))
    wrong = MistakeTree(finite, tree.nodes, tree.leaves[::-1])
    assert "which leads to it" in wrong.violation()
    assert "every leaf must be a concept of the class" in tree.violation(MonotoneDisjunctions(3, 1))
    assert "2^d leaves" in MistakeTree(finite, tree.nodes[1:], tree.leaves).violation()
    other = MistakeTree(finite, [0, *tree.nodes[1:]], tree.leaves)
    assert not other.verify()


def test_walking_a_tree():
    tree = opt(MonotoneDisjunctions(2)).tree
    node = 0
    labels = []
    while not tree.is_leaf(node):
        labels.append((tree.instance(node), len(labels) % 2))
        node = tree.child(node, labels[-1][1])
    assert all(tree.concept(node)(x) == label for x, label in labels)
    assert len(list(tree.paths())) == 4


@pytest.mark.long
def test_all_linear_thresholds_of_five_attributes():
    found = opt(LinearThresholds(5))
    assert found.value == 15
    assert found.verify()


def test_a_class_or_its_text():
    text = "monotone-disjunctions n=4 k=2"
    C = parse_class(text)
    for measure in (
        mb.opt,
        mb.theory.vc_dimension,
        mb.theory.teaching_dimension,
        mb.theory.query_depth,
        mb.theory.halving_worst_case,
    ):
        assert measure(text).value == measure(C).value
        for bad in (None, 3, [[0, 1]]):
            with pytest.raises(BadParameter, match="concept_class must be a class of concepts, or its text"):
                measure(bad)
        with pytest.raises(BadParameter, match="there is no concept class"):
            measure("disjunction n=4")
    assert mb.theory.lower_bounds(text) == mb.theory.lower_bounds(C)
    assert mb.teachers.MistakeTreeAdversary(text).forces == mb.opt(C).value
    assert mb.teachers.adversary_for(text).forces == mb.teachers.adversary_for(C).forces
    assert mb.theory.shatters(text, [(1, 0, 0, 0)])
    assert mb.theory.worst_case(mb.Halving(C), text).value == mb.theory.worst_case(mb.Halving(C), C).value
    assert mb.theory.least_training_error(text, [((1, 0, 0, 0), 1)]).hypothesis == parse("x1")


@pytest.mark.parametrize("seconds", [np.int64(60), np.float32(60), Fraction(60), Decimal(60), float("inf")])
def test_seconds_of_any_kind(seconds):
    assert mb.opt("thresholds m=3", timeout=seconds).value == 2


def test_no_seconds():
    for bad in (-1, float("nan"), "60", True, [1]):
        with pytest.raises(BadParameter, match="timeout must be a number of seconds >= 0"):
            mb.opt("thresholds m=3", timeout=bad)
