"""`mistakebound tree`: grow, prune, show, save; and what the other commands say of the model."""

from __future__ import annotations

import sqlite3
from random import Random
from xml.etree import ElementTree

import pytest

import mistakebound as mb
from learners.test_tree_rules import PLAY


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


def test_text(run, play):
    result = run("tree", play, "--label", "play", "--set", "min_leaf=1", "--row", "1")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[1:4] == [
        "  table       14 rows, 4 columns, 2 classes",
        "  tree        8 nodes, 5 leaves, depth 2",
        "  training    14 rows, 0 mistakes (0.00 %)",
    ]
    assert lines[6:13] == mb.DecisionTree(min_leaf=1).fit(PLAY, "play").text().splitlines()
    assert lines[-4:] == ["row 1", "predicted no  (no 1)", "  outlook = sunny  3 no, 2 yes", "  humidity = high  3 no"]
    assert run("tree", play, "--label", "play", "--quiet").out == ""


@pytest.mark.parametrize("prune", ["none", "pessimistic", "mdl", "reduced_error"])
def test_json_and_model(run, noisy, tmp_path, prune):
    model = tmp_path / "noisy.mb"
    words = (
        "--label",
        "kind",
        "--prune",
        prune,
        "--set",
        "min_leaf=1",
        "--model",
        model,
        "--holdout",
        "0.25",
        "--json",
    )
    data = run("tree", noisy, *words).json
    assert data["training"]["rows"] + data["validation"]["rows"] == data["rows"] == 240
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
    assert run("explain", model, "--row", "3", "--file", noisy).out.startswith("predicted ")
    assert run("explain", model, "--json").json["nodes"] == data["nodes"]
    assert "decision-tree" in run("explain", model, "--header").out


def test_a_validation_file(run, noisy, play, tmp_path):
    data = run("tree", noisy, "--label", "kind", "--prune", "reduced_error", "--validation", noisy, "--json").json
    assert data["validation"] == data["training"]
    other = run("tree", noisy, "--label", "kind", "--prune", "reduced_error", "--validation", play)
    assert other.code == 3
    assert "play.csv" in other.err
    short = tmp_path / "short.csv"
    short.write_text("x,kind\na,one\n")
    result = run("tree", noisy, "--label", "kind", "--prune", "reduced_error", "--validation", short)
    assert (result.code, "lacks" in result.err or "column" in result.err) == (3, True)


def test_held_out_by_itself_is_said(run, noisy):
    result = run("tree", noisy, "--label", "kind", "--prune", "reduced_error")
    assert "a third of the rows is held out for validation" in result.err
    assert "  validation  80 rows" in result.out


def test_rules(run, play):
    words = ("tree", play, "--label", "play", "--set", "min_leaf=1")
    text = run(*words, "--rules").out
    assert "  rules       2; worth: pessimistic, confidence 0.25 (z = 0.6925)" in text
    assert text.endswith("OTHERWISE yes\n")
    python = run(*words, "--rules", "python").out
    made: dict[str, object] = {}
    exec(python[python.index("def classify") :], made)
    assert [made["classify"](row) for row in PLAY] == [row["play"] for row in PLAY]
    sql = run(*words, "--rules", "sql").out
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (outlook, temperature, humidity, wind, play)")
    database.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", [tuple(row.values()) for row in PLAY])
    wrong = f"SELECT count(*) FROM t WHERE play <> {sql[sql.index('CASE') :]}"
    assert database.execute(wrong).fetchone() == (0,)
    database.close()
    data = run(*words, "--rules", "sql", "--json").json["rules"]
    assert (len(data["rules"]), data["default"], data["training"]["mistakes"]) == (2, "yes", 0)
    assert data["sql"].startswith("CASE")


def test_pictures(run, noisy, tmp_path):
    svg, dot, plot = tmp_path / "tree.svg", tmp_path / "tree.dot", tmp_path / "curves.svg"
    words = ("--svg", svg, "--dot", dot, "--plot", plot, "--row", "2", "--nodes", "10", "--prune", "pessimistic")
    assert run("tree", noisy, "--label", "kind", *words).code == 0
    assert "marked" in ElementTree.parse(svg).find(".//{*}rect").get("class")
    assert dot.read_text().startswith("digraph {")
    text = plot.read_text()
    assert "nodes of the growing tree" in text
    assert "training rows" in text
    assert "pessimistic:" in text


def test_the_picture_takes_no_rows_from_the_tree(run, noisy, tmp_path):
    words = ("tree", noisy, "--label", "kind", "--json")
    assert run(*words, "--plot", tmp_path / "c.svg").json["tree"] == run(*words).json["tree"]


def test_shortest(run, play):
    text = run("tree", play, "--label", "play", "--shortest").out
    assert "shortest consistent tree: 3 tests, the greedy tree has 3" in text
    data = run("tree", play, "--label", "play", "--shortest", "--json").json["shortest"]
    assert (data["tests"], data["greedy_tests"], len(data["tree"])) == (3, 3, 8)


def test_identifiers_and_constants_are_pointed_out(run, tmp_path):
    rows = [
        {"id": f"r{k}", "number": k, "far": k * k, "same": "s", "none": None, "n": k % 3, "y": int(k % 3 > 1)}
        for k in range(9)
    ]
    result = run("tree", write(tmp_path / "t.csv", rows), "--label", "y", "--set", "min_leaf=1", "--json")
    said = [line.partition("column ")[2].split("'")[1] for line in result.err.splitlines()]
    assert said == ["id", "number", "same", "none"]
    assert len(result.json["remarks"]) == 4
    assert result.json["tree"][0]["column"] == "id"  # used as asked: gain likes it


def test_costs(run, play):
    words = ("tree", play, "--label", "play", "--set", "cost=tan_schlimmer", "--json")
    assert run(*words).json["tree"][0]["column"] == "outlook"
    assert run(*words, "--cost", "outlook=100").json["tree"][0]["column"] == "humidity"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--label", "nothing"], 2, "nothing"),
        ([], 2, "--label"),
        (["--label", "play", "--set", "minleaf=1"], 2, "minleaf is not a parameter of decision-tree"),
        (["--label", "play", "--set", "confidence=2"], 2, "confidence must be a number > 0 and <= 1: 2"),
        (["--label", "play", "--prune", "mdl", "--set", "prune=pessimistic"], 2, "--prune must agree"),
        (["--label", "play", "--prune", "hard"], 2, "invalid choice"),
        (["--label", "play", "--row", "15"], 2, "--row must be at most 14"),
        (["--label", "play", "--row", "0"], 2, "--row must be >= 1"),
        (["--label", "play", "--nodes", "-1"], 2, "--nodes must be >= 0"),
        (["--label", "play", "--holdout", "1"], 2, "--holdout must be a share above 0 and below 1: 1"),
        (["--label", "play", "--holdout", "0.001"], 3, "too few rows"),
        (["--label", "play", "--cost", "wind=2"], 2, "--cost must come with --set cost="),
        (["--label", "play", "--cost", "wind=0", "--set", "cost=nunez"], 2, "the cost of 'wind' must be a number > 0"),
        (["--label", "play", "--cost", "wind=x", "--set", "cost=nunez"], 2, "the cost of 'wind' must be a number > 0"),
        (["--label", "play", "--timeout", "1"], 2, "--timeout must come with --shortest"),
        (["--label", "play", "--svg", "/no/such/folder/t.svg"], 1, "there is no folder"),
        (["--label", "play", "--plot", "t.gif"], 2, "must end in .png or .svg"),
    ],
)
def test_refused(run, play, words, code, said):
    result = run("tree", play, *words)
    assert result.code == code
    assert said in result.err
    assert result.out == ""


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
    result = run("tree", path, "--label", "y")
    assert result.code == 3
    assert said in result.err
    assert "broken.csv" in result.err


def test_learn_names_the_command(run, play):
    result = run("learn", play, "--label", "play", "--learner", "decision-tree")
    assert result.code == 2
    assert "mistakebound tree" in result.err
