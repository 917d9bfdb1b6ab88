"""`learn --learner network`, and what other commands do with its models."""

from __future__ import annotations

import random

import pytest

import mistakebound as mb

NETWORK = ("learn", "--learner", "network")


@pytest.fixture
def ring(tmp_path):
    """Two numbers and a name: inside a ring, or outside of it."""
    draw = random.Random(1)
    lines = ["a,b,colour,class"]
    for _ in range(120):
        a, b = draw.uniform(-2, 2), draw.uniform(-2, 2)
        lines.append(f"{a:.4f},{b:.4f},{draw.choice(['red', 'blue'])},{'in' if a * a + b * b < 1.6 else 'out'}")
    path = tmp_path / "ring.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def settings(**given):
    """--set NAME=VALUE for each."""
    return [word for name, value in given.items() for word in ("--set", f"{name}={value}")]


def test_trains_reports_and_is_used(run, ring, tmp_path):
    model = tmp_path / "ring.mb"
    words = [*NETWORK, ring, "--label", "class", *settings(hidden=6, epochs=400, start=0.5, random_state=3)]
    result = run(*words, "--model", model)
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert lines[0] == f"TableNetwork(hidden=[6], start=0.5, random_state=3) on {ring}"
    assert lines[1:5] == [
        "  table       120 rows, 3 columns, 2 classes",
        "  columns     numeric: a, b; nominal: colour",
        "  network     4-6-1, 37 weights",
        "  epochs      400",
    ]
    data = run(*words, "--json").json
    assert data["layers"] == [4, 6, 1]
    assert len(data["curve"]) == 400
    assert data["curve"][-1]["loss"] < data["curve"][0]["loss"] / 3
    assert data["training"]["mistakes"] <= 6
    learner = mb.load(model).learner
    table = mb.learners.TableNetwork(hidden=6, start=0.5, random_state=3).fit(str(ring), "class", epochs=400)
    assert learner.hypothesis == table.hypothesis
    said = run("predict", model, ring).out.split()
    assert said == learner.predict_many(str(ring))
    measured = run("eval", model, ring, "--json").json
    assert measured["mistakes"] == data["training"]["mistakes"]
    assert run("explain", model).out.startswith("A 4-6-1 network with 37 weights; classes: in, out.")
    row = run("explain", model, "--instance-json", '{"a": 0.1, "b": 0.2, "colour": "red"}')
    assert row.out.startswith("in, because its share is the largest:")
    assert "table-network" in run("explain", model, "--header").out


def test_holdout_validation_restarts_and_pictures(run, ring, tmp_path):
    model, curve, weights = tmp_path / "ring.mb", tmp_path / "curve.svg", tmp_path / "weights.svg"
    words = ["--holdout", "1/4", "--validation", "1/5", *settings(restarts=2, patience=5, hidden="4-3")]
    more = ["--plot", curve, "--model", model, *settings(loss="likelihood", decay=0.0001)]
    result = run(*NETWORK, ring, "--label", "class", *words, *more)
    assert result.code == 0, result.err
    for part, rows in (("training", 72), ("validation", 18), ("held out", 30)):
        assert f"  {part:<10}  {rows} rows, " in result.out
    assert "on the rows held out rows 30 " in " ".join(result.out.split())
    assert "(the least is kept)" in result.out
    assert "  kept        epoch " in result.out
    assert curve.exists()
    assert run("explain", model, "--plot", weights).code == 0
    assert "colour=red" in weights.read_text()
    data = run(*NETWORK, ring, "--label", "class", *words, "--json").json
    assert [data[part]["trials"] for part in ("training", "validation", "holdout")] == [72, 18, 30]
    assert data["kept_epoch"] <= data["epochs"]


def test_rows_held_out_are_not_learned(run, tmp_path):
    """A name a row can be learned by heart, and says nothing of the others."""
    path = tmp_path / "names.csv"
    path.write_text("name,class\n" + "".join(f"n{k},{'ab'[k * k % 7 % 2]}\n" for k in range(60)))
    words = ["--label", "class", "--keep", "name", *settings(hidden="none", eta=2), "--holdout", "1/2"]
    data = run(*NETWORK, path, *words, "--json").json
    assert data["training"]["mistakes"] == 0
    assert data["holdout"]["mistakes"] >= 6


def test_no_hidden_layer_is_a_sigmoid_unit(run, ring, tmp_path):
    model = tmp_path / "unit.mb"
    words = settings(hidden="none", epochs=3)
    assert "  network     4-1, 5 weights" in run(*NETWORK, ring, "--label", "colour", *words, "--model", model).out
    assert "output 1: " in run("explain", model).out


def test_a_boundary_of_two_columns(run, ring, tmp_path):
    model, path = tmp_path / "ring.mb", tmp_path / "boundary.svg"
    words = [*NETWORK, ring, "--label", "class", *settings(epochs=2), "--model", model]
    assert run(*words).code == 0
    refused = run("explain", model, ring, "--plot", path)
    assert refused.code == 2
    assert "drawing a boundary needs two columns of numbers" in refused.err
    assert run(*words, "--ignore", "colour").code == 0
    assert run("explain", model, ring, "--plot", path).code == 0
    assert path.exists()


def test_python_learns_the_same_network(run, ring, tmp_path):
    model = tmp_path / "ring.mb"
    words = [*settings(hidden=3, epochs=7, patience=2), "--validation", "1/4", "--holdout", ring]
    assert run(*NETWORK, ring, "--label", "class", *words, "--model", model).code == 0
    parameters = {"hidden": 3, "epochs": 7, "patience": 2}
    made = mb.learn(ring, "class", learner="network", parameters=parameters, validation=4, holdout=ring)
    assert made.learner.hypothesis == mb.load(model).learner.hypothesis


def test_divergence_is_an_exit_code_and_the_last_good_model(run, ring, tmp_path):
    model = tmp_path / "ring.mb"
    result = run(*NETWORK, ring, "--label", "class", *settings(eta=1e308), "--model", model)
    assert result.code == 1
    assert "is no longer finite at step 1 with eta = 1e+308" in result.err
    assert "ring.mb" in result.err
    assert "they are in" in result.err
    assert mb.load(model).learner.fitted


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--label", "klass"], 2, "has no column"),
        (
            ["--label", "class", "--set", "hidden=0"],
            2,
            "hidden must be a whole number >= 1, several such",
        ),
        (["--label", "class", "--set", "eta=0"], 2, "eta must be a number > 0: 0"),
        (["--label", "class", "--set", "momentum=1"], 2, "momentum must be a number >= 0 and < 1: 1"),
        (["--label", "class", "--set", "random_state=x"], 2, "random_state must be a whole number >= 0: 'x'"),
        (["--label", "class", "--set", "epochs=0"], 2, "epochs must be a whole number >= 1: 0"),
        (["--label", "class", "--validation", "0.5"], 2, "--validation must be 1/K or a file of rows: '0.5'"),
        (["--label", "class", "--validation", "1/200"], 3, "there are no rows in the validation set"),
        (
            ["--label", "class", "--set", "hidden=100000000000000"],
            2,
            "layers must fit into memory: 4-100000000000000-1, ",
        ),
        (["--label", "class", "--plot", "x.gif"], 2, "the picture's name must end in .png or .svg: 'x.gif'"),
        (["--label", "class", "--model", "/no/such/place/x.mb"], 1, "there is no folder"),
        (["--label", "colour", "--ignore", "*"], 3, "there is no column to learn from"),
    ],
)
def test_refused(run, ring, words, code, message):
    result = run(*NETWORK, ring, *words)
    assert message in result.err
    assert result.code == code


def test_bad_files(run, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("a,class\n")
    assert run(*NETWORK, path, "--label", "class").code == 3
    path.write_text("a,class\n1,x\n2,x\n")
    result = run(*NETWORK, path, "--label", "class")
    assert (result.code, "there must be at least two classes: 'x'" in result.err) == (3, True)
    path.write_text("a,class\n1,x\n2\n")
    assert ":3: " in run(*NETWORK, path, "--label", "class").err


def test_models_that_were_made_in_python(run, ring, tmp_path):
    path = tmp_path / "network.mb"
    mb.learners.Network([2, 2, 1]).fit([[0, 0], [1, 1]], [0, 1], epochs=2).save(path)
    calls = [("predict", path, ring), ("eval", path, ring), ("explain", path)]
    for words in [*calls, ("learn", ring, "--label", "class", "--from", path)]:
        result = run(*words)
        assert result.code == 2
        assert "a model of network takes no files; use it from Python" in result.err
    assert "classes      0, 1" in run("explain", path, "--header").out
    for name in ("linear-unit", "sigmoid-unit"):
        assert (
            f"{name} does not learn row by row, as this command needs it; it can be used from Python only"
            in run("learn", ring, "--learner", name).err
        )
        assert "  used from Python only" in run("learners", name).out.splitlines()
