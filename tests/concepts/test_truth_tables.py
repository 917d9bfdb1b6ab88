"""Tables, all functions, juntas and decision trees: counts by other means, membership, what is refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.concepts import AllFunctions, DecisionTrees, Juntas, TruthTable, parse


def test_counts() -> None:
    assert [AllFunctions(n).count() for n in (1, 2, 3)] == [4, 16, 256]
    assert [Juntas(3, k).count() for k in range(4)] == [2, 8, 38, 256]
    assert [DecisionTrees(3, d).count() for d in range(4)] == [2, 8, 62, 256]
    assert DecisionTrees(2, 2).count() == 16
    assert Juntas(30, 2).count() == 2 + 30 * 2 + 435 * 10


def naive_depth(f: Any, fixed: dict[int, int], n: int) -> int:
    """The least depth of a tree for a function, by trying every test."""
    rows = [x for x in product((0, 1), repeat=n) if all(x[j] == v for j, v in fixed.items())]
    if len({f(x) for x in rows}) == 1:
        return 0
    free = [j for j in range(n) if j not in fixed]
    return 1 + min(max(naive_depth(f, {**fixed, j: v}, n) for v in (0, 1)) for j in free)


def test_decision_trees_by_the_depth_of_every_function() -> None:
    functions = list(AllFunctions(3))
    for depth in range(4):
        C = DecisionTrees(3, depth)
        for f in functions[::5]:
            assert (f in C) == (naive_depth(f, {}, 3) <= depth)
    assert sum(naive_depth(f, {}, 3) <= 2 for f in functions) == 62


def test_tables_are_functions_in_one_normal_form() -> None:
    for values in product("01", repeat=4):
        a, b = (
            TruthTable(["1", "2"], "".join(values)),
            TruthTable(["2", "1"], values[0] + values[2] + values[1] + values[3]),
        )
        assert a == b
        assert parse(str(a)) == a
        assert [a(x) for x in product((0, 1), repeat=2)] == [int(value) for value in values]
    assert str(TruthTable(["b", "a"], "0111")) == "table a, b: 0111"
    assert parse("table x1, x2: 0111").same_function("x1 | x2")
    assert parse("table: 1") == TruthTable([], [1])
    assert parse("table x1, x2: 0110") in mb.concepts.Parities(2)
    assert parse("x1 & x2") in Juntas(5, 2)
    assert parse("x1 & x2") not in Juntas(5, 1)


@pytest.mark.parametrize(
    ("text", "error"),
    [("table x1: 011", "values must be 2 zeros and ones: '011'"), ("table x1, x1: 0110", "different ones"),
     ("table x1 & x2: 0110", "a table must name its attributes")],
)  # fmt: skip
def test_what_is_refused(text: str, error: str) -> None:
    with pytest.raises(mb.BadParameter, match=error):
        parse(text)


def test_an_attribute_that_is_no_bit() -> None:
    with pytest.raises(mb.BadData, match="attribute '1' must be 0 or 1"):
        TruthTable(["1"], "01").evaluate_many([[2]])
    with pytest.raises(mb.BadParameter, match="n must be at most 10"):
        DecisionTrees(11, 2).count()
    with pytest.raises(mb.BadParameter, match="n must be at most 14"):
        AllFunctions(20).count()


def test_measures() -> None:
    """Everything is shattered by all functions; a junta of one attribute is a literal or a constant."""
    found = mb.theory.vc_dimension("all-functions n=3")
    assert found.value == 8 == mb.opt("all-functions n=3").value
    assert mb.opt("juntas n=3 k=1").value == 3
    assert mb.opt("decision-trees n=3 depth=1").value == mb.opt("juntas n=3 k=1").value  # the same functions
