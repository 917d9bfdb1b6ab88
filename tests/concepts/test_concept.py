"""What all concepts have: comparison of functions, truth tables, copies."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

from mistakebound import concepts
from mistakebound.concepts import Conjunction, Disjunction, LinearThreshold, RofKThreshold, parse
from mistakebound.core.errors import BadParameter


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("x1", "all of (x1)", True),
        ("x1 | x2", "x1 + x2 >= 1", True),
        ("x1 | x2", "x1 + x2 > 1", False),
        ("x1 | x2", "1 of x1, x2", True),
        ("x1 & x2", "x1 | x2", False),
        ("x1 | x2", "x1 | x3", False),
        ("x1 + 5*x2 >= 5", "x2", True),
        ("any of (true)", "true", True),
        ("false", "all of (false)", True),
        ("false", "true", False),
        ("2*x1 >= 1", "x1 >= 1/2", True),
        ("x1 | ham", "2*ham + 2*x1 >= 1", True),
        ("2 of a, b", "a & b", True),
    ],
)
def test_same_function(one, other, same):
    assert parse(one).same_function(parse(other)) is same
    assert parse(other).same_function(parse(one)) is same


def test_on_a_smaller_cube_the_other_attributes_are_zero():
    f, g = parse("x1 | x9"), parse("all of (x1)")
    assert not f.same_function(g)
    assert f.same_function(g, n=8)
    assert not f.same_function(g, n=9)
    assert parse("x1 | x9").same_function(parse("x1 | x8"), n=7)


def test_limit_on_attributes(long):
    many = [str(j) for j in range(1, 22)]
    f = Disjunction(many)
    with pytest.raises(BadParameter, match="a truth table must have at most 20 attributes: 21"):
        f.same_function(f.to_linear_threshold())
    assert f.same_function(Disjunction(many))
    assert not f.same_function(Disjunction(many[1:]))  # normal forms of one kind decide by themselves
    assert f.same_function(f.to_linear_threshold(), n=20)
    most = 20 if long else 14
    assert Disjunction(many[:most]).same_function(RofKThreshold(1, many[:most]))
    assert not Conjunction(many[:most]).same_function(RofKThreshold(most - 1, many[:most]))


def test_truth_table_order():
    assert parse("x1 & ~x2").truth_table(["1", "2"]).tolist() == [0, 0, 1, 0]
    assert parse("x1 & ~x2").truth_table(["2", "1"]).tolist() == [0, 1, 0, 0]
    assert parse("x1 | x2").truth_table(["2"]).tolist() == [0, 1]
    assert parse("x1 | x2").truth_table([]).tolist() == [0]


@pytest.mark.parametrize("text", ["x1 | ~ham", "x1 & x2", "2 of x1, x2", "x1 + 1/2*x2 > 3"])
def test_values_can_be_copied_and_hashed(text):
    f = parse(text)
    for twin in (copy.copy(f), copy.deepcopy(f), pickle.loads(pickle.dumps(f)), parse(text)):
        assert twin == f
        assert hash(twin) == hash(f)
    assert f != text
    assert len({f, parse(text)}) == 1


def test_public_names_are_lazy():
    code = "import sys, mistakebound.concepts; print({'numpy', 'dataclasses', 'fractions'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False)
    if run.returncode:  # an editable install needs site
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
    for name in concepts.__all__:
        assert getattr(concepts, name).__name__ == name
        assert name in dir(concepts)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = concepts.Nothing
    assert LinearThreshold is concepts.LinearThreshold
