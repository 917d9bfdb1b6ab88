"""`learn --learner decision-tree`: grow, prune, show, save; and what the other commands say of the model."""

from __future__ import annotations

import sqlite3
from random import Random
from xml.etree import ElementTree

import pytest

import mistakebound as mb
from learners.test_tree_rules import PLAY

TREE = ("learn", "--learner", "decision-tree")


def write(path, rows):
    lines = [",".join(rows[0]), *(",".join("" if cell is None else str(cell) for cell in row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def play(tmp_path):
    return write(tmp_path / "play.csv", PLAY)


@pytest.fixture
def noisy(tmp_path):
    """x decides, with noise; the other columns only seem to."""
    rng = Random(5)
    rows = []
    for _ in range(240):
        x, y, n = rng.choice("abc"), rng.choice("pqrs"), rng.randrange(30)
        rows.append({"x": x, "y": y, "n": n, "kind": ("one" if x == "a" else "two") if rng.random() > 0.15 else "one"})
    return write(tmp_path / "noisy.csv", rows)


def test_text(run, play, tmp_path):
    result = run(*TREE, play, "--label", "play", "--set", "min_leaf=1")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[1:4] == [
        "  table       14 rows, 4 columns, 2 classes",
        "  columns     nominal: outlook, temperature, humidity, wind",
        "  training    14 rows, 0 mistakes (0.00 %)",
    ]
    assert lines[6] == "8 nodes, 5 leaves, depth 2"
    assert lines[8:] == mb.DecisionTree(min_leaf=1).fit(PLAY, "play").text().splitlines()
    model = tmp_path / "play.mb"
    assert run(*TREE, play, "--label", "play", "--set", "min_leaf=1", "--model", model, "--quiet").out == ""
    row = run("explain", model, play, "--row", 1)
    assert row.out.splitlines() == ["predicted no  (no 1)", "  outlook = sunny  3 no, 2 yes", "  humidity = high  3 no"]
    assert run("explain", model, "--top", 3).out.splitlines()[2:] == mb.load(model).learner.text(3).splitlines()


@pytest.mark.parametrize("prune", ["none", "pessimistic", "mdl", "reduced_error"])
def test_json_and_model(run, noisy, tmp_path, prune):
    model = tmp_path / "noisy.mb"
    settings = ("--set", f"prune={prune}", "--set", "min_leaf=1")
    words = ("--label", "kind", *settings, "--model", model, "--validation", "1/4", "--json")
    data = run(*TREE, noisy, *words).json
    assert data["training"]["trials"] + data["validation"]["trials"] == data["rows"] == 240
    assert (data["nodes"], data["leaves"]) == (len(data["tree"]), sum("branches" not in node for node in data["tree"]))
    assert data["parameters"]["prune"] == (None if prune == "none" else prune)
    if prune != "none":
        assert data["nodes"] < data["nodes_before"]
    if prune == "mdl":
        before, after = data["bits"]["before"], data["bits"]["after"]
        assert after["total"] < before["total"]
        assert after["total"] == pytest.approx(after["tree"] + after["exceptions"])
    if prune == "reduced_error":
        assert [step["nodes"] for step in data["removals"]][-1] == data["nodes"]
        assert all(step["after"] >= step["before"] for step in data["removals"])
    learner = mb.load(model).learner
    assert learner.tree.size == data["nodes"]
    evaluated = run("eval", model, noisy, "--json").json
    assert evaluated["mistakes"] == data["training"]["mistakes"] + data["validation"]["mistakes"]
    assert run("predict", model, noisy).out.split() == learner.predict_many(str(noisy))
    assert run("explain", model).out.splitlines()[0] == learner.size_text()
    assert run("explain", model, noisy, "--row", "3").out.startswith("predicted ")
    assert run("explain", model, "--json").json["nodes"] == data["nodes"]
    assert "decision-tree" in run("explain", model, "--header").out


def test_python_learns_the_same_tree(run, noisy, tmp_path):
    """The command is one call of the library."""
    model = tmp_path / "noisy.mb"
    words = ("--set", "prune=reduced_error", "--set", "cost=nunez", "--set", "costs=x=2,y=1/2", "--holdout", "1/5")
    assert run(*TREE, noisy, "--label", "kind", *words, "--validation", "1/4", "--model", model).code == 0
    parameters = {"prune": "reduced_error", "cost": "nunez", "costs": {"x": 2, "y": 0.5}}
    made = mb.learn(
        noisy, "kind", learner="decision-tree", parameters=parameters, holdout=5, validation="1/4",
        model=tmp_path / "other.mb",
    )  # fmt: skip
    assert made.learner.text(None) == mb.load(model).learner.text(None)
    assert (tmp_path / "other.mb").read_bytes() == model.read_bytes()


def test_a_validation_file(run, noisy, play, tmp_path):
    words = (*TREE, noisy, "--label", "kind", "--set", "prune=reduced_error", "--validation")
    data = run(*words, noisy, "--json").json
    assert data["validation"] == data["training"]
    other = run(*words, play)
    assert other.code == 3
    assert "play.csv" in other.err
    short = tmp_path / "short.csv"
    short.write_text("q,kind\na,one\n")
    result = run(*words, short)
    assert (result.code, "lacks" in result.err or "column" in result.err) == (3, True)


def test_validation_rows_where_none_are_given_are_said(run, noisy):
    result = run(*TREE, noisy, "--label", "kind", "--set", "prune=reduced_error")
    assert result.err == "mistakebound: every third row is kept for validation\n"
    assert "  validation  80 rows" in result.out


def test_rules(run, play, tmp_path):
    model = tmp_path / "play.mb"
    assert run(*TREE, play, "--label", "play", "--set", "min_leaf=1", "--model", model, "--quiet").code == 0
    words = ("explain", model, play)
    text = run(*words).out
    assert "  rules       2; worth: pessimistic, confidence 0.25 (z = 0.6925)" in text
    assert text.endswith("OTHERWISE yes\n")
    python = run(*words, "--language", "python").out
    made: dict[str, object] = {}
    exec(python[python.index("def classify") :], made)
    assert [made["classify"](row) for row in PLAY] == [row["play"] for row in PLAY]
    sql = run(*words, "--language", "sql").out
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (outlook, temperature, humidity, wind, play)")
    database.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", [tuple(row.values()) for row in PLAY])
    wrong = f"SELECT count(*) FROM t WHERE play <> {sql[sql.index('CASE') :]}"
    assert database.execute(wrong).fetchone() == (0,)
    database.close()
    data = run(*words, "--language", "sql", "--json").json["rules"]
    assert (len(data["rules"]), data["default"], data["training"]["mistakes"]) == (2, "yes", 0)
    assert data["sql"].startswith("CASE")


def test_rules_by_a_validation_set(run, noisy, tmp_path):
    model = tmp_path / "noisy.mb"
    learned = run(*TREE, noisy, "--label", "kind", "--validation", "1/3", "--model", model, "--json").json
    data = run("explain", model, noisy, "--validation", "1/3", "--json").json["rules"]
    assert data["validation"]["trials"] == learned["validation"]["trials"] == 80
    assert data["validation"]["mistakes"] <= learned["validation"]["mistakes"]
    table = [dict(zip(("x", "y", "n", "kind"), line.split(","), strict=True)) for line in
             noisy.read_text().splitlines()[1:]]  # fmt: skip
    rows = [row | {"n": int(row["n"])} for row in table]
    kept = [row for k, row in enumerate(rows, 1) if k % 3]
    judges = [row for k, row in enumerate(rows, 1) if k % 3 == 0]
    rules = mb.DecisionTree().fit(kept, "kind").rules(kept, "kind", (judges, "kind"))
    assert len(data["rules"]) == len(rules)


def test_pictures(run, noisy, tmp_path):
    model, svg, dot, plot = (tmp_path / name for name in ("tree.mb", "tree.svg", "tree.dot", "curves.svg"))
    words = ("--label", "kind", "--set", "prune=pessimistic", "--model", model, "--plot", plot)
    assert run(*TREE, noisy, *words).code == 0
    assert run("explain", model, noisy, "--row", 2, "--plot", svg).code == 0
    assert "marked" in ElementTree.parse(svg).find(".//{*}rect").get("class")
    assert run("explain", model, "--plot", dot, "--top", 10).code == 0
    assert dot.read_text().startswith("digraph {")
    text = plot.read_text()
    assert "nodes of the growing tree" in text
    assert "training rows" in text
    assert "pessimistic:" in text
    refused = run("explain", model, "--plot", tmp_path / "tree.png")
    assert (refused.code, "must end in .svg, .dot or .tex" in refused.err) == (2, True)


def test_the_picture_takes_no_rows_from_the_tree(run, noisy, tmp_path):
    words = (*TREE, noisy, "--label", "kind", "--json")
    assert run(*words, "--plot", tmp_path / "c.svg").json["tree"] == run(*words).json["tree"]


def test_shortest(run, play, tmp_path):
    model = tmp_path / "play.mb"
    assert run(*TREE, play, "--label", "play", "--model", model).code == 0
    text = run("explain", model, play, "--shortest").out
    assert "shortest consistent tree: 3 tests, the greedy tree has 3" in text
    data = run("explain", model, play, "--shortest", "60", "--json").json["shortest"]
    assert (data["tests"], data["greedy_tests"], len(data["tree"])) == (3, 3, 8)


def test_identifiers_and_constants_are_pointed_out(run, tmp_path):
    rows = [
        {"id": f"r{k}", "number": k, "far": k * k, "same": "s", "none": None, "n": k % 3, "y": int(k % 3 > 1)}
        for k in range(9)
    ]
    result = run(*TREE, write(tmp_path / "t.csv", rows), "--label", "y", "--set", "min_leaf=1", "--json")
    said = [line.partition("column ")[2].split("'")[1] for line in result.err.splitlines()]
    assert said == ["id", "number", "same", "none"]
    assert len(result.json["remarks"]) == 4
    assert result.json["tree"][0]["column"] == "id"  # used as asked: gain likes it


def test_costs(run, play):
    words = (*TREE, play, "--label", "play", "--set", "cost=tan_schlimmer", "--json")
    assert run(*words).json["tree"][0]["column"] == "outlook"
    assert run(*words, "--set", "costs=outlook=100").json["tree"][0]["column"] == "humidity"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--label", "nothing"], 2, "nothing"),
        (["--label", "play", "--set", "minleaf=1"], 2, "decision-tree has no parameter minleaf"),
        (["--label", "play", "--set", "confidence=2"], 2, "confidence must be a number > 0 and <= 1: 2"),
        (["--label", "play", "--set", "prune=hard"], 2, "prune must be"),
        (["--label", "play", "--holdout", "0.3"], 2, "--holdout must be 1/K or a file of rows: '0.3'"),
        (["--label", "play", "--holdout", "1/1"], 2, "--holdout 1/K: K must be >= 2"),
        (["--label", "play", "--validation", "1/99"], 3, "there are no rows in the validation set"),
        (
            ["--label", "play", "--cost", "no=0"],
            2,
            "the cost of 'no' must be a number > 0",
        ),
        (
            ["--label", "play", "--passes", "2"],
            2,
            "which learns a whole table, does not support --passes",
        ),
        (["--label", "play", "--cross", "2"], 2, "decision-tree, which learns a whole table, does not support --cross"),
        (["--label", "play", "--set", "costs=wind=2"], 2, "costs must come with cost"),
        (["--label", "play", "--set", "costs=wind=0", "--set", "cost=nunez"], 2, "the cost of 'wind' must be a number"),
        (["--label", "play", "--set", "costs=wind=x", "--set", "cost=nunez"], 2, "costs must be columns with numbers"),
        (["--label", "play", "--set", "costs=wand=2", "--set", "cost=nunez"], 2, "costs must be of columns of the"),
        (["--label", "play", "--plot", "t.gif"], 2, "must end in .png or .svg"),
        (["--label", "play", "--model", "/no/such/folder/t.mb"], 1, "there is no folder"),
    ],
)
def test_refused(run, play, words, code, said):
    result = run(*TREE, play, *words)
    assert said in result.err
    assert result.code == code
    assert result.out == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["FILE", "--row", "15"], "--row must be at most 14"),
        (["FILE", "--row", "0"], "--row must be >= 1"),
        (["--language", "sql"], "--language needs a decision tree and a FILE"),
        (["--shortest", "1"], "--shortest needs a decision tree and a FILE"),
        (["--plot", "/no/such/folder/t.svg"], "there is no folder"),
    ],
)
def test_refused_by_explain(run, play, tmp_path, words, said):
    model = tmp_path / "play.mb"
    assert run(*TREE, play, "--label", "play", "--model", model).code == 0
    result = run("explain", model, *(play if word == "FILE" else word for word in words))
    assert said in result.err
    assert (result.code > 0, result.out) == (True, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("a,y\n", "no rows"),
        ("y\n1\n0\n", "no column"),
        ("a,y\n1,\n2,x\n", "label"),
        ("a,y\n1,2,3\n", "cells"),
    ],
)
def test_broken_tables(run, tmp_path, text, said):
    path = tmp_path / "broken.csv"
    path.write_text(text)
    result = run(*TREE, path, "--label", "y")
    assert result.code == 3
    assert said in result.err
    assert "broken.csv" in result.err
