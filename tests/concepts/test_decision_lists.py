"""1-decision lists: the normal form is one for each function; counts; linear threshold functions."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from concepts.truth import cube
from mistakebound.concepts import Conjunction, DecisionList, DecisionLists, Disjunction, Literal, parse
from mistakebound.core.errors import BadData, BadParameter


def by_definition(rules, default, x):
    for j, positive, label in rules:
        if (x[j - 1] == 1) == positive:
            return label
    return default


def all_lists(n, most):
    literals = [(j, positive) for j in range(1, n + 1) for positive in (True, False)]
    for length in range(most + 1):
        for chosen in permutations(literals, length):
            for labels in product((0, 1), repeat=length):
                for default in (0, 1):
                    yield [(j, positive, label) for (j, positive), label in zip(chosen, labels, strict=True)], default


@pytest.mark.parametrize(("n", "most"), [(1, 2), (2, 4), (3, 3)])
def test_normal_form(n, most):
    """Two lists have the same normal form exactly when they are the same function."""
    points, forms, tables = cube(n), {}, {}
    for rules, default in all_lists(n, most):
        f = DecisionList([(Literal(str(j), positive), label) for j, positive, label in rules], default)
        table = tuple(by_definition(rules, default, x) for x in points)
        assert tuple(f(x) for x in points) == table
        assert forms.setdefault(f, table) == table
        assert tables.setdefault(table, f) == f
        assert len(f.rules) <= len(rules)
    assert len(tables) == DecisionLists(n).count()
    assert set(forms) == set(DecisionLists(n))


def test_counts():
    assert [DecisionLists(n).count() for n in range(1, 6)] == [4, 14, 96, 1050, 15036]
    assert len(set(DecisionLists(4).finite().rows)) == 1050
    assert len(set(DecisionLists(5).finite().rows)) == 15036


def test_text():
    f = DecisionList([("1", 1), (Literal("3", False), 0), ("2", 1), ("5", 1)], 0)
    assert str(f) == "if x1 then 1 else if ~x3 then 0 else if x2 then 1 else if x5 then 1 else 0"
    assert parse(str(f)) == f
    assert str(DecisionList([], 1)) == "else 1"
    assert parse("else 0") == DecisionList()
    assert str(parse("if ~ (x1) then 0 else 1")) == "if x1 then 1 else 0"
    assert str(parse("if x1 then 1 else if x1 then 0 else if x2 then 1 else 0")) == (
        "if x1 then 1 else if x2 then 1 else 0"
    )
    assert parse("if x1 then 1 else if not x1 then 0 else 1") == DecisionList([("1", 1)], 0)


def test_every_list_is_a_linear_threshold_function():
    for f in DecisionLists(4):
        g = f.to_linear_threshold()
        assert f.same_function(g, 4)


def test_conversions_of_literal_sets():
    for f in (Disjunction(["1", Literal("2", False)]), Conjunction(["1", Literal("2", False)])):
        assert f in DecisionLists(2)
    assert parse("(x1 & x2) | (x3 & x4)") not in DecisionLists(4)
    assert parse("x1 | (x2 & x3)") in DecisionLists(3)


def test_a_long_list():
    f = DecisionList([(str(j), j % 2) for j in range(1, 151)], 1)
    rows = np.tril(np.ones((150, 150), dtype=int))[:, ::-1]  # row i: the last i + 1 attributes are 1
    assert f.evaluate_many(rows).tolist() == [f(row) for row in rows]
    assert f.to_linear_threshold().evaluate_many(rows).tolist() == [f(row) for row in rows]


def test_refused():
    with pytest.raises(BadParameter, match="a rule's label must be 0 or 1: 2"):
        DecisionList([("1", 2)])
    with pytest.raises(BadParameter, match="n must be >= 1: 0"):
        DecisionLists(0)
    with pytest.raises(BadData, match="attribute '2' must be 0 or 1"):
        parse("if x1 then 1 else if x2 then 1 else 0")([1, 2])
    with pytest.raises(BadData, match="attribute '2' must be 0 or 1"):
        parse("if x1 then 1 else if x2 then 1 else 0").evaluate_many(np.array([[1, 2]]))
