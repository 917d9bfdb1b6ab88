"""A Boolean tree as a DNF and back."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.concepts import Conjunction, Disjunction, DNFFormula, Parity, parse
from mistakebound.concepts.dnf import disjunction_of_terms
from mistakebound.concepts.literals import Literal
from mistakebound.learners.tree import _dnf

CUBE = np.array(list(product((0, 1), repeat=4)))
literals = st.builds(Literal, st.sampled_from("1234"), st.booleans())
formulas = st.lists(st.lists(literals, min_size=1, max_size=3), max_size=5).map(disjunction_of_terms)


def labels_of(tree):
    """What the tree says of all instances; columns that it does not know are left out."""
    names = tree.schema.names
    return tree.predict_many({name: CUBE[:, int(name[1:]) - 1] for name in names} if names else CUBE[:, :0])


def test_the_books_example():
    """f(A, B) = A xor B."""
    rows = [{"A": a, "B": b} for a in (0, 1) for b in (0, 1)]
    tree = mb.DecisionTree(min_leaf=1).fit(rows, [0, 1, 1, 0])
    assert str(tree.dnf()) == "(A & ~B) | (~A & B)"
    assert str(tree.dnf(0)) == "(A & B) | (~A & ~B)"


@settings(max_examples=40)
@given(formulas)
def test_there_and_back(formula):
    if not formula.attributes:
        return
    tree = mb.DecisionTree.of_formula(formula)
    assert labels_of(tree) == formula.evaluate_many(CUBE).tolist()
    assert tree.dnf().same_function(formula)
    instances = 2 ** len(formula.attributes)
    assert tree.tree.counts[0].sum() == instances
    assert tree.tree.counts[0, 1] == formula.truth_table(sorted(formula.attributes)).sum()


@settings(max_examples=40)
@given(st.lists(st.booleans(), min_size=16, max_size=16))
def test_a_grown_tree_is_its_formula(labels):
    tree = mb.DecisionTree(min_leaf=1).fit(CUBE, [int(label) for label in labels])
    assert tree.predict_many(CUBE) == [int(label) for label in labels]
    if len(tree.classes) == 2:
        assert tree.dnf().evaluate_many(CUBE).tolist() == tree.predict_many(CUBE)


@pytest.mark.parametrize(
    ("text", "kind", "tests"),
    [("x1 & ~x2", Conjunction, 2), ("x1 | x2 | x3", Disjunction, 3), ("(x1 & x2) | (~x1 & x3)", DNFFormula, 3)],
)
def test_kinds(text, kind, tests):
    tree = mb.DecisionTree.of_formula(text)
    assert isinstance(parse(text), kind)
    assert np.count_nonzero(tree.tree.arity) == tests
    assert tree.dnf().same_function(parse(text))


def test_a_long_disjunction():
    tree = mb.DecisionTree.of_formula(Disjunction([str(name) for name in range(1, 301)]))
    assert (tree.tree.depth, tree.tree.leaves) == (300, 301)


def test_values_are_attributes_of_their_own():
    rows = [{"sky": sky, "wind": wind} for sky in ("sun", "rain", "fog") for wind in ("weak", "strong")]
    tree = mb.DecisionTree(min_leaf=1).fit(rows, ["no", "no", "yes", "no", "yes", "yes"])
    said = str(tree.dnf())
    assert said == "'sky=fog' | ('sky=rain' & 'wind=weak')"
    names = {"sky=fog", "sky=rain", "wind=weak"}
    for row, label in zip(rows, tree.predict_many(rows), strict=True):
        active = {f"{column}={value}" for column, value in row.items()}
        assert parse(said)({name: int(name in active) for name in names}) == (label == "yes")


def test_a_binary_test_of_several_values():
    rows = [{"sky": sky} for sky in ("sun", "rain", "fog", "snow")]
    tree = mb.DecisionTree(min_leaf=1, splits="binary").fit(rows, [1, 0, 1, 0])
    assert str(tree.dnf()) == "'sky=fog' | 'sky=sun'"


def test_values_that_exclude_each_other_make_no_term():
    rows = [{"sky": sky, "wind": wind} for sky in ("sun", "rain", "fog", "snow") for wind in "ab"]
    labels = [0, 0, 1, 0, 0, 1, 1, 1]
    tree = mb.DecisionTree(min_leaf=1, splits="binary").fit(rows, labels)
    assert np.count_nonzero(tree.tree.column == 0) > 1  # sky is tested more than once
    terms = tree.dnf().terms
    assert all(sum(literal.name.startswith("sky=") for literal in term) <= 1 for term in terms)
    for row, label in zip(rows, labels, strict=True):
        active = {f"{column}={value}" for column, value in row.items()}
        assert tree.dnf()({name: int(name in active) for name in tree.dnf().attributes}) == label


def test_refused(monkeypatch):
    tree = mb.DecisionTree(min_leaf=1).fit([{"age": 10}, {"age": 40}], [0, 1])
    with pytest.raises(mb.BadParameter, match=r"numbers that are 0 or 1.*'age' is compared with 25"):
        tree.dnf()
    between = mb.DecisionTree(min_leaf=1).fit([{"x": 0}, {"x": 0.4}, {"x": 0.8}], [0, 1, 0])
    with pytest.raises(mb.BadParameter, match=r"'x' is compared with 0\.[26]"):
        between.dnf()
    with pytest.raises(mb.BadParameter, match="positive must be one of 0, 1: 7"):
        tree.dnf(7)
    many = mb.DecisionTree(min_leaf=1).fit([{"a": "x"}, {"a": "y"}, {"a": "z"}], [1, 2, 3])
    with pytest.raises(mb.BadParameter, match="positive must be one of 1, 2, 3: None"):
        many.dnf()
    with pytest.raises(mb.BadParameter, match="a formula must be a disjunction, a conjunction or a DNF"):
        mb.DecisionTree.of_formula(Parity(["1", "2"]))
    monkeypatch.setattr(_dnf, "LIMIT", 1000)
    pairs = [[str(2 * k + 1), str(2 * k + 2)] for k in range(17)]
    with pytest.raises(mb.BadParameter, match="a tree of at most 1,000 nodes"):
        mb.DecisionTree.of_formula(disjunction_of_terms(pairs))


def test_a_tree_asks_only_for_what_it_tests():
    """Other columns may stand beside those, and columns that are not tested may be absent."""
    tree = mb.DecisionTree.of_formula("(x1 & x2) | x3")
    expected = parse("(x1 & x2) | x3").evaluate_many(CUBE).tolist()
    assert tree.asked == ("x1", "x2", "x3")
    assert tree.predict_many(CUBE) == tree.predict_many(CUBE.tolist()) == expected
    assert tree.predict_many([{f"x{j + 1}": value for j, value in enumerate(row)} for row in CUBE.tolist()]) == expected
    assert tree.predict_proba_many(CUBE).argmax(axis=1).tolist() == expected
    assert "x4" not in mb.plot.draw_decision_tree(tree, row={"x1": 1, "x2": 1, "x3": 0, "x4": 1})
    with pytest.raises(mb.BadData, match="it lacks 'x3'"):
        tree.predict_many(CUBE[:, :2])


def test_a_constant_tree_asks_for_nothing():
    for text, label in (("true", 1), ("false", 0), ("any of (true)", 1)):
        tree = mb.DecisionTree.of_formula(text)
        assert tree.asked == ()
        assert (
            tree.predict_many([{}, {"x1": 1}])
            == tree.predict_many([{}, {}])
            == tree.predict_many(CUBE[:2])
            == [label, label]
        )


def test_a_grown_tree_and_its_rules_ask_only_for_what_they_test():
    rows = [{"sky": sky, "wind": wind} for sky in ("sun", "rain") for wind in ("weak", "strong")] * 3
    labels = [row["sky"] for row in rows]
    tree = mb.DecisionTree(min_leaf=1).fit(rows, labels)
    rules = tree.rules(rows, labels)
    for learner in (tree, rules):
        assert learner.asked == ("sky",)
        assert learner.predict_many([{"sky": "rain"}, {"sky": "sun"}]) == ["rain", "sun"]
        assert learner.predict_many([{"sky": "rain", "moon": "full"}]) == ["rain"]
        with pytest.raises(mb.BadData, match="it lacks 'sky', it has 'moon' beside them"):
            learner.predict_many([{"moon": "full", "wind": "weak"}])
    network = mb.learners.TableNetwork(hidden=[2]).fit(rows, labels, epochs=1)
    assert network.predict_many([rows[0] | {"moon": "full"}]) == network.predict_many([rows[0]])
    with pytest.raises(mb.BadData, match="it lacks 'wind'"):
        network.predict_many([{"sky": "sun"}])
