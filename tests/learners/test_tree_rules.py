"""Rule post-pruning: the twin, PlayTennis by hand, MONK-1, and rules that run as Python and as SQL."""

from __future__ import annotations

import sqlite3
from itertools import product
from random import Random

import numpy as np
import pytest

import mistakebound as mb
from learners.random_trees import random_codes, random_table, random_tree
from mistakebound.learners.tree.rules import post_pruned
from naive import tree_rules as naive

PLAY = [
    dict(zip(("outlook", "temperature", "humidity", "wind", "play"), line.split(), strict=True))
    for line in """\
sunny hot high weak no
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
rain mild high strong no""".splitlines()
]


def cells(table):
    columns = [
        [None if gap else value for gap, value in zip(c.missing, c.data.tolist(), strict=True)] for c in table.columns
    ]
    return list(zip(*columns, strict=True))


def labels_for(seed, table):
    """Something to find: the sum of two columns' codes where the third is large, with noise."""
    a, b, c = (column.data for column in table.columns)
    found = (np.maximum(a, 0) + np.maximum(b, 0) * (c > 2)) % 3
    return np.where(random_codes(seed, table.rows, 8) == 0, 1, found).astype(np.int32)


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("held_out", [False, True])
@pytest.mark.parametrize("every_path", [False, True])
def test_rules_like_the_twin(missing, held_out, every_path):
    lengths = []
    for seed in range(6):
        table = random_table(seed, 50, missing=missing)
        codes = labels_for(seed, table)
        tree = random_tree(seed, table, codes, 3)
        validation = random_table(seed + 500, 40) if held_out else None
        validation = (validation, labels_for(seed + 500, validation)) if held_out else None
        rules = post_pruned(
            tree, table, codes, ("a", "b", "c"), confidence=0.25, validation=validation, every_path=every_path
        )
        other = (cells(validation[0]), validation[1].tolist()) if held_out else None
        confidence = None if held_out else 0.25
        twin = naive.every_path if every_path else naive.post_pruned
        expected, default = twin(tree, table, cells(table), codes.tolist(), 3, confidence, other)
        said = [
            ({(c.column, c.kind, frozenset(c.codes) if c.kind == "in" else c.number) for c in rule.conditions},
             rule.label, pytest.approx(rule.worth))
            for rule in rules.rules
        ]  # fmt: skip
        assert said == [(set(conditions), label, worth) for conditions, label, worth, _ in expected]
        assert rules.default == default
        classified = [naive.classify(expected, default, row) for row in cells(table)]
        assert rules.codes(table).tolist() == classified
        lengths.append(len(rules))
        assert not every_path or len(rules) == len(naive.conditions_of(tree, table))
    assert max(lengths) > 3


def test_play_tennis():
    tree = mb.DecisionTree(min_leaf=1).fit(PLAY, "play")
    rules = tree.rules(PLAY, "play")
    assert str(rules).splitlines() == [
        "IF outlook = sunny", "   AND humidity = high", "  THEN no  (3 rows; 63.0 %)",
        "IF outlook = rain", "   AND wind = strong", "  THEN no  (2 rows; 50.0 %)",
        "OTHERWISE yes",
    ]  # fmt: skip
    assert rules.estimate == "pessimistic, confidence 0.25 (z = 0.6925)"
    assert rules.predict_many(PLAY) == [row["play"] for row in PLAY]
    # Without errors the limit is exact: (1 - p)^3 = 0.25.
    assert rules.rules[0].worth == pytest.approx(0.25 ** (1 / 3))


def test_a_validation_set_decides():
    tree = mb.DecisionTree(min_leaf=1).fit(PLAY, "play")
    rules = tree.rules(PLAY, "play", validation=(PLAY[:7], "play"))
    assert rules.estimate == "accuracy on 7 validation rows"
    assert all(rule.worth <= 1 for rule in rules.rules)


def test_rules_are_made_of_the_whole_tree():
    """MONK-1, a sample of 124 of 432: the rules find the target, the pruned tree does not."""
    every = list(product(range(1, 4), range(1, 4), range(1, 3), range(1, 4), range(1, 5), range(1, 3)))
    rows = [{f"a{place}": str(value) for place, value in enumerate(x, 1)} for x in every]
    labels = [int(x[0] == x[1] or x[4] == 1) for x in every]
    chosen = sorted(Random(3).sample(range(432), 124))
    X, y = [rows[k] for k in chosen], [labels[k] for k in chosen]
    tree = mb.DecisionTree(criterion="gain_ratio", prune="pessimistic").fit(X, y)
    assert np.mean(np.array(tree.predict_many(rows)) != labels) > 0.1
    rules = tree.rules(X, y)
    assert rules.predict_many(rows) == labels
    assert len(rules) == 4


HOSTILE = ["it's", 'a "b"', "back\\slash", "new\nline", "{x}", "'; DROP TABLE t; --"]


def hostile_table(seed):
    rng = Random(seed)
    rows = [
        {
            "na'me": rng.choice(HOSTILE),
            'co"l': rng.choice([None, *HOSTILE[:3]]),
            "number": rng.choice([None, 0.1, 2, 1e-7]),
        }
        for _ in range(80)
    ]
    labels = [HOSTILE[(HOSTILE.index(row["na'me"]) + (row["number"] == 2)) % 3] for row in rows]
    return rows, labels


def test_python_takes_the_rows_that_were_learned():
    """A column of true and false has texts for values: the function must find them in such a row too."""
    rows = [{"a": a, "b": b} for a in (True, False) for b in (True, False)] * 8
    labels = [row["a"] and not row["b"] for row in rows]
    rules = mb.DecisionTree().fit(rows, labels).rules(rows, labels)
    made = {}
    exec(rules.python(), made)
    assert [made["classify"](row) for row in rows] == rules.predict_many(rows) == labels
    assert made["classify"]({"a": "True", "b": "False"}) is True
    assert made["classify"]({}) == rules.predict_many([{"a": None, "b": None}])[0]


@pytest.mark.parametrize("splits", ["multiway", "binary"])
def test_python_and_sql_say_the_same(splits):
    rows, labels = hostile_table(1)
    rules = mb.DecisionTree(min_leaf=1, splits=splits).fit(rows, labels).rules(rows, labels)
    assert {condition.kind for rule in rules.rules for condition in rule.conditions} == {"in", "<=", ">"}
    expected = rules.predict_many(rows)
    made: dict[str, object] = {}
    exec(rules.python("said"), made)
    assert [made["said"](row) for row in rows] == expected
    database = sqlite3.connect(":memory:")
    database.execute('CREATE TABLE t ("na\'me" TEXT, "co""l" TEXT, "number" REAL)')
    database.executemany("INSERT INTO t VALUES (?, ?, ?)", [tuple(row.values()) for row in rows])
    assert [label for (label,) in database.execute(f"SELECT {rules.sql()} FROM t ORDER BY rowid")] == expected
    database.close()


@pytest.mark.parametrize("labels", [[0, 1] * 7, [0.5, 2.5] * 7, [False, True] * 7])
def test_labels_of_other_types(labels):
    rows = [{"x": k % 2} for k in range(14)]
    rules = mb.DecisionTree().fit(rows, labels).rules(rows, labels)
    made: dict[str, object] = {}
    exec(rules.python(), made)
    assert [made["classify"](row) for row in rows] == labels
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (x REAL)")
    database.executemany("INSERT INTO t VALUES (?)", [(row["x"],) for row in rows])
    assert [label for (label,) in database.execute(f"SELECT {rules.sql()} FROM t ORDER BY rowid")] == labels
    database.close()


def test_no_rules():
    rows = [{"x": "a"}, {"x": "b"}, {"x": "b"}]
    rules = mb.DecisionTree().fit(rows, [1, 1, 1]).rules(rows, [1, 1, 1])
    assert (len(rules), str(rules), rules.sql(), rules.predict_many(rows)) == (0, "1", "1", [1, 1, 1])
    assert rules.as_json() == {"estimate": rules.estimate, "rules": [], "default": 1}


def test_refused():
    tree = mb.DecisionTree().fit(PLAY, "play")
    rules = tree.rules(PLAY, "play")
    for name in ("a b", "class", ""):
        with pytest.raises(mb.BadParameter, match="name must be one that a Python function can have"):
            rules.python(name)
    with pytest.raises(mb.BadData, match="other columns"):
        rules.predict_many([{"outlook": "sunny"}])
    with pytest.raises(mb.BadData, match="label 'perhaps' is not one of"):
        tree.rules([{**row, "play": "perhaps"} for row in PLAY], "play")
