"""Decision trees on examples of Ma (2019), by hand: the criteria, costs, thresholds, missing values, refusals."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.io.frame import table_of

PLAY = """sunny hot high weak no
sunny hot high strong no
overcast hot high weak yes
rain mild high weak yes
rain cool normal weak yes
rain cool normal strong no
overcast cool normal strong yes
sunny mild high weak no
sunny cool normal weak yes
rain mild normal weak yes
sunny mild normal strong yes
overcast mild high strong yes
overcast hot normal weak yes
rain mild high strong no"""
NAMES = ("outlook", "temperature", "humidity", "wind")
ROWS = [dict(zip(NAMES, line.split(), strict=False)) for line in PLAY.splitlines()]
LABELS = [line.split()[-1] for line in PLAY.splitlines()]
# Seven rows of one column: the commonest value is s, among the rows of class + it is r.
GAPS = [("s", "+"), ("s", "-"), ("s", "-"), ("s", "-"), ("r", "+"), ("r", "+"), (None, "+")]


def grown(**parameters: Any) -> mb.DecisionTree:
    return mb.DecisionTree(min_leaf=1, **parameters).fit(ROWS, LABELS)


def root(tree: mb.DecisionTree) -> str:
    return tree.schema.names[tree.tree.column[0]]


@pytest.mark.parametrize(
    ("column", "gain"), [("outlook", 0.24675), ("humidity", 0.15184), ("wind", 0.04813), ("temperature", 0.02922)]
)
def test_golden_gains(column: str, gain: float) -> None:
    assert mb.learners.information_gain(ROWS, column, LABELS) == pytest.approx(gain, abs=5e-6)


def test_golden_ratio() -> None:
    assert mb.learners.split_information(ROWS, "outlook", LABELS) == pytest.approx(1.57741, abs=5e-6)
    assert mb.learners.gain_ratio(ROWS, "outlook", LABELS) == pytest.approx(0.15643, abs=5e-6)
    assert mb.learners.gain_ratio([[3, 2], [0, 0]]) == 0.0


def test_golden_tree() -> None:
    """Outlook at the root, pure leaves."""
    tree = grown()
    assert root(tree) == "outlook"
    flat = tree.tree
    assert (flat.size, flat.leaves, flat.depth) == (8, 5, 2)
    assert all(np.count_nonzero(flat.counts[node]) == 1 for node in range(flat.size) if flat.arity[node] == 0)
    assert tree.predict_many(ROWS) == LABELS
    assert tree.predict_proba_many(ROWS).tolist() == [[1.0, 0.0] if label == "no" else [0.0, 1.0] for label in LABELS]


def test_gain_likes_many_values() -> None:
    """An identifier tells all of the class, and is at the root; its split information is log2(14)."""
    rows = [{"day": f"d{k}", **row} for k, row in enumerate(ROWS)]
    assert mb.learners.information_gain(rows, "day", LABELS) == pytest.approx(mb.learners.entropy([9, 5]))
    assert mb.learners.split_information(rows, "day", LABELS) == pytest.approx(np.log2(14))
    assert root(mb.DecisionTree(min_leaf=1).fit(rows, LABELS)) == "day"
    assert root(mb.DecisionTree(min_leaf=2).fit(rows, LABELS)) == "outlook"  # no two days have two rows


def test_costs() -> None:
    """Gain^2/Cost: .0609/10 against .0231; (2^Gain - 1)/(Cost + 1): .187/11 against .111/2; omega 0 sees no cost."""
    dear = {"outlook": 10}

    def chosen(cost: str | None, omega: float = 1.0) -> str:
        return root(mb.DecisionTree(min_leaf=1, cost=cost, omega=omega).fit(ROWS, LABELS, costs=dear))

    with pytest.raises(mb.BadParameter, match="costs must come with cost"):
        chosen(None)
    assert chosen("tan_schlimmer") == "humidity"
    assert chosen("nunez") == "humidity"
    assert chosen("nunez", omega=0.0) == "outlook"


def test_many_values_do_not_raise_the_average_gain() -> None:
    """C4.5's guard: .3 is below the average of .3 and .8, but the column of .8 has half as many values as rows."""
    labels = [0, 1] * 10
    columns = {"many": list("52894080735676314192"), "few": list("qpppqpqpqqqqqpqqqpqp")}
    gains = [mb.learners.information_gain(columns, name, labels) for name in columns]
    assert gains == pytest.approx([0.8, 0.2958], abs=1e-4)
    assert root(mb.DecisionTree(criterion="gain_ratio").fit(columns, labels)) == "few"
    assert root(mb.DecisionTree(criterion="gain").fit(columns, labels)) == "many"


def test_thresholds() -> None:
    """Mitchell's temperatures (section 3.7.2): 54 gains .459, 85 gains .191."""
    rows = [{"degrees": degrees} for degrees in (40, 48, 60, 72, 80, 90)]
    labels = list("NNYYYN")
    assert mb.learners.information_gain(rows, "degrees", labels, threshold=54) == pytest.approx(0.459, abs=5e-4)
    assert mb.learners.information_gain(rows, "degrees", labels, threshold=85) == pytest.approx(0.191, abs=5e-4)
    assert mb.learners.information_gain(rows, "degrees", labels) == pytest.approx(0.459, abs=5e-4)
    tree = mb.DecisionTree(min_leaf=1).fit(rows, labels)
    assert tree.tree.threshold[:1].tolist() == [54.0]
    assert sorted(tree.tree.threshold[tree.tree.arity > 0].tolist()) == [54.0, 85.0]
    assert tree.predict_many([{"degrees": 54}, {"degrees": 54.001}, {"degrees": 1e9}]) == ["N", "Y", "N"]


NEXT = [float.fromhex(f"0x1.000000000000{last}p0") for last in "012"]  # half way is rounded down, then up


@pytest.mark.parametrize(
    ("below", "above"), [(NEXT[0], NEXT[1]), (NEXT[1], NEXT[2]), (-1.7e308, 1.7e308), (1e308, 1.7e308)]
)
def test_neighbours_without_a_number_between(below: float, above: float) -> None:
    rows = [{"x": below}, {"x": above}]
    assert mb.DecisionTree(min_leaf=1).fit(rows, ["a", "b"]).predict_many(rows) == ["a", "b"]


@pytest.mark.parametrize(
    ("missing", "counts", "label", "chance"),
    [
        # the commonest value is s, whose rows are 2+ 3-
        ("common", [[3, 2], [0, 2]], "-", 2 / 5),
        # of class + it is r; a new row is taken for one of +, the commonest class at the node
        ("common_in_class", [[3, 1], [0, 3]], "+", 1.0),
        # 4/6 go to s and 2/6 to r: 2/3 * (5/3)/(14/3) + 1/3 * 1
        ("fractions", [[3, 1 + 2 / 3], [0, 2 + 1 / 3]], "+", 4 / 7),
    ],
)
def test_missing_by_hand(missing: str, counts: list[list[float]], label: str, chance: float) -> None:
    rows = [{"sky": sky} for sky, _ in GAPS]
    tree = mb.DecisionTree(min_leaf=1, missing=missing).fit(rows, [label for _, label in GAPS])
    assert tree.classes == ("-", "+") or tree.classes == ("+", "-")
    order = [tree.classes.index("-"), tree.classes.index("+")]
    assert tree.tree.counts[1:, order] == pytest.approx(np.array(counts))
    assert tree.predict_many([{"sky": None}]) == [label]
    assert tree.predict_proba_many([{"sky": None}])[0, order[1]] == pytest.approx(chance)


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_a_row_without_a_value_is_taken_for_the_commonest_class(names: str) -> None:
    """Whatever the order of the classes."""
    named = dict(zip("+-", names, strict=True))
    tree = mb.DecisionTree(min_leaf=1, missing="common_in_class").fit(
        [{"sky": sky} for sky, _ in GAPS][::-1], [named[label] for _, label in GAPS][::-1]
    )
    assert tree.predict_many([{"sky": None}]) == [named["+"]]


def test_a_new_value_is_a_missing_one() -> None:
    tree = mb.DecisionTree(min_leaf=1, missing="fractions").fit(
        [{"sky": sky} for sky, _ in GAPS], [label for _, label in GAPS]
    )
    assert tree.predict_proba_many([{"sky": "snow"}]).tolist() == tree.predict_proba_many([{"sky": None}]).tolist()


def test_every_declared_value_has_a_branch() -> None:
    """The branch of a value without rows is a leaf of the parent's class."""
    table = table_of([{"sky": "s"}, {"sky": "s"}, {"sky": "r"}], declared={"sky": ["s", "fog", "r"]})
    tree = mb.DecisionTree(min_leaf=1).fit(table, ["no", "no", "yes"])
    assert tree.tree.arity[0] == 3
    assert tree.tree.counts[2].tolist() == [0, 0]
    assert tree.predict_many([{"sky": "fog"}]) == ["no"]
    assert tree.predict_proba_many([{"sky": "fog"}]).tolist() == [[2 / 3, 1 / 3]]


def test_plurality_ties() -> None:
    """The first class, or one drawn by the seed."""
    rows, labels = [{"x": "a"}] * 4, ["p", "q", "p", "q"]
    assert mb.DecisionTree().fit(rows, labels).predict_many(rows[:1]) == ["p"]
    drawn = {mb.DecisionTree(random_state=seed).fit(rows, labels).predict_many(rows[:1])[0] for seed in range(20)}
    assert drawn == {"p", "q"}
    assert len({str(mb.DecisionTree(random_state=3).fit(rows, labels).hypothesis) for _ in range(3)}) == 1


def test_significance() -> None:
    """Outlook's chi-squared is 3.547, p = .170: kept at a level of .2, not at .05."""
    assert grown(stop="chi2").tree.size == 1
    assert grown(stop="chi2", level=0.169).tree.size == 1
    assert root(grown(stop="chi2", level=0.171)) == "outlook"


def test_exclusive_or() -> None:
    """No test gains anything at the root: the textbook's tree is grown all the same."""
    rows = [{"a": a, "b": b} for a in "01" for b in "01"]
    labels = [row["a"] != row["b"] for row in rows]
    assert mb.DecisionTree(min_leaf=1).fit(rows, labels).predict_many(rows) == labels
    assert mb.DecisionTree(min_leaf=1, criterion="gain_ratio").fit(rows, labels).tree.size == 1


def test_depth_and_small_leaves() -> None:
    assert grown(max_depth=1).tree.depth == 1
    assert grown(max_depth=0).tree.size == 1
    for node_counts in [mb.DecisionTree(min_leaf=3, splits="binary").fit(ROWS, LABELS).tree.counts]:
        assert node_counts.sum(axis=1).min() >= 3


def test_pruned_by_name() -> None:
    """The prunings are those of their own tests; here: each is reached, and what is known of it is kept."""
    assert grown(prune="pessimistic").tree.size <= 8
    described = grown(prune="mdl")
    assert described.tree.size == 1
    assert sum(described.code_length) < sum(described.code_length_before)
    held = mb.DecisionTree(min_leaf=1, prune="reduced_error").fit(ROWS, LABELS, validation=(ROWS[:3], ["no"] * 3))
    assert held.unpruned.size == 8
    assert held.tree.size < 8
    assert held.trace


def test_a_third_is_held_out() -> None:
    """Without a validation set, for reduced_error: which rows is drawn by the seed."""
    tree = mb.DecisionTree(min_leaf=1, prune="reduced_error").fit(ROWS, LABELS)
    assert tree.unpruned.counts[0].sum() == 10
    assert tree.tree == mb.DecisionTree(min_leaf=1, prune="reduced_error", random_state=0).fit(ROWS, LABELS).tree
    seeds = [mb.DecisionTree(min_leaf=1, prune="reduced_error", random_state=k).fit(ROWS, LABELS) for k in range(9)]
    assert len({tuple(seed.unpruned.counts[0]) for seed in seeds}) > 1
    assert mb.DecisionTree(prune="reduced_error").fit(ROWS[:2], LABELS[:2]).tree.size == 1


def test_model_file(tmp_path: Path) -> None:
    tree = grown(splits="binary", missing="fractions")
    tree.save(tmp_path / "play.mb")
    again = mb.load(tmp_path / "play.mb").learner
    assert isinstance(again, mb.DecisionTree)
    assert again.tree == tree.tree
    assert again.hypothesis == tree.hypothesis
    assert again.predict_many(ROWS) == LABELS


def test_signatures_say_what_may_be_given() -> None:
    """So that a notebook can complete it; and a cost may be a NumPy number."""
    given = inspect.signature(mb.DecisionTree).parameters
    assert {name: p.default for name, p in given.items()} == {p.name: p.default for p in mb.DecisionTree.parameters}
    assert [*inspect.signature(mb.DecisionTree.fit).parameters] == ["self", "X", "y", "validation", "costs", "weights"]
    tree = mb.DecisionTree("gain_ratio", prune="reduced_error").fit(ROWS, LABELS, (ROWS, LABELS))
    assert tree.settings["criterion"] == "gain_ratio"
    assert tree.trace is not None
    mb.DecisionTree(cost="nunez").fit(ROWS, LABELS, costs={"wind": np.int64(3)})


@pytest.mark.parametrize(
    ("fit", "message"),
    [
        (lambda: mb.DecisionTree().fit([], []), "there are no rows"),
        (lambda: mb.DecisionTree().fit({"y": ["a", "b"]}, "y"), "there is no column"),
        (lambda: mb.DecisionTree().fit(ROWS, [*LABELS[:-1], None]), "row 13: the row has no label"),
        (lambda: mb.DecisionTree().fit(ROWS, LABELS, costs={"wind": 0}), "the cost of 'wind' must be a number > 0: 0"),
        (lambda: mb.DecisionTree().fit(ROWS, LABELS, costs={"wnd": 1}), "costs must be of columns"),
        (lambda: mb.DecisionTree().fit(ROWS, LABELS, validation=ROWS), "validation must be"),
        (lambda: mb.DecisionTree().fit(ROWS, LABELS, validation=([{"sky": "blue"}], ["yes"])), "column"),
        (lambda: mb.DecisionTree().fit(ROWS, LABELS, validation=(ROWS, ["maybe"] * 14)), "label 'maybe'"),
        (lambda: mb.DecisionTree(criterion="gini"), "criterion must be 'gain' or 'gain_ratio': 'gini'"),
        (lambda: mb.DecisionTree().predict_many(ROWS), "has learned nothing yet"),
        (lambda: mb.learners.information_gain([[1, -1]]), "counts must be"),
    ],
)
def test_refusals(fit: Any, message: str) -> None:
    with pytest.raises(mb.MistakeboundError, match=message):
        fit()


def test_one_row_is_a_mapping_or_values_in_the_order_of_the_columns() -> None:
    tree = mb.DecisionTree().fit(ROWS, LABELS)
    for x, label in zip(ROWS, LABELS, strict=True):
        assert tree.predict_one(x) == tree.predict_one(tuple(x.values())) == label
        names = [*reversed(x)]
        assert tree.predict_one([x[name] for name in names], names) == label
        assert tree.predict_proba_one(x) == {"no": float(label == "no"), "yes": float(label == "yes")}
    with pytest.raises(mb.BadData, match="there are 4 names for 1 values"):
        tree.predict_one(["sunny"])
