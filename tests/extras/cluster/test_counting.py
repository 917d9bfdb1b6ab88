"""Counting, EM, prediction and evaluation: the bits of one machine, however the files are cut."""

from __future__ import annotations

import json
import random
import warnings
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import mistakebound as mb
from mistakebound.cli import main
from mistakebound.cluster import answers, engine, splits, trees

HERE = object()  # stands for a client


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A value and a label that appear late, cells that are missing, and a newline in quotes."""
    draw, path = random.Random(5), tmp_path / "table.csv"
    with open(path, "w", encoding="utf-8") as file:
        file.write("sky,wind,note,degrees,play\n")
        for row in range(3000):
            sky = draw.choice(["sunny", "rain", "", "snow"] if row > 1500 else ["sunny", "rain", ""])
            label = draw.choice(["no", "yes", "perhaps"] if row > 2000 else ["no", "yes"])
            note = draw.choice(["short", '"two\nlines"'])
            file.write(f"{sky},{draw.randrange(4)},{note},{draw.gauss(row % 2 * 9, 1):.4f},{label}\n")
    return path


@pytest.fixture(params=[None, 7000])
def cut(request: pytest.FixtureRequest, here: Any, monkeypatch: pytest.MonkeyPatch) -> int | None:
    """How large ranges are, and no cluster: what is done is the same."""
    for module in (engine, answers):
        monkeypatch.setattr(module, "Engine", lambda client: here)
    if request.param is not None:
        monkeypatch.setattr(splits, "RANGE_BYTES", request.param)
    size: int | None = request.param
    return size


def same(path: Path, tmp_path: Path, **given: Any) -> tuple[mb.Model, mb.Model]:
    one = mb.learn(str(path), model=tmp_path / "one.mb", **given)
    many = mb.learn(str(path), model=tmp_path / "many.mb", client=HERE, **given)
    assert (tmp_path / "one.mb").read_bytes() == (tmp_path / "many.mb").read_bytes()
    return one, many


@pytest.mark.parametrize("how", [{"bins": 5}, {"ignore": ["degrees"], "parameters": {"m": "laplace"}}])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_naive_bayes(kind: str, how: dict[str, Any], cut: int | None, table: Path, tmp_path: Path) -> None:
    path = table
    if kind == "parquet":
        path = table.with_suffix(".parquet")
        pq.write_table(pyarrow.csv.read_csv(table, parse_options=NEWLINES), path, row_group_size=170)
    one, many = same(path, tmp_path, label="play", learner="naive-bayes", nominal=["wind"], **how)
    assert many.labels == ("no", "perhaps", "yes")
    assert many.evaluate(str(path), client=HERE).as_json() == one.evaluate(str(path)).as_json()
    assert many.predict(str(path), client=HERE) == one.predict(str(path))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_without_rows_among_others(
    kind: str, here: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "Engine", lambda client: here)
    monkeypatch.setattr(answers, "Engine", lambda client: here)
    files = [str(tmp_path / f"{k}.{kind}") for k in range(3)]
    rows = pyarrow.table({"sky": ["rain", "sun", "sun"] * 50, "play": ["no", "yes", "yes"] * 50})
    for path, part in zip(files, (rows, rows.slice(0, 0), rows), strict=True):
        (pq.write_table if kind == "parquet" else pyarrow.csv.write_csv)(part, path)
    for name in ("naive-bayes", "decision-tree"):
        one, many = (mb.learn(files, "play", learner=name, client=client) for client in (None, HERE))
        assert many.evaluate(files, client=HERE).as_json() == one.evaluate(files).as_json()
        assert many.predict(files, client=HERE) == one.predict(files)
    assert one.evaluate(files[1]).trials == 0


@pytest.mark.parametrize(
    ("how", "parameters"),
    [
        ({"bins": 5}, {}),
        ({"ignore": ["degrees"], "nominal": ["wind"]}, {"criterion": "gain_ratio", "missing": "common_in_class"}),
        ({"bins": 300}, {"splits": "binary", "max_depth": 5, "prune": "pessimistic"}),
        ({"bins": 5}, {"stop": "chi2", "level": 0.9, "prune": "mdl", "cost": "nunez", "costs": {"sky": 3.0}}),
        (
            {"nominal": ["degrees", "wind"]},
            {"min_leaf": 1, "guard": False, "criterion": "gain_ratio", "random_state": 4},
        ),
    ],
)
def test_trees(
    how: dict[str, Any], parameters: dict[str, Any], cut: int | None, table: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(trees, "_COUNTS", 3000)  # a few nodes at a time
    one, many = same(table, tmp_path, label="play", learner="decision-tree", parameters=parameters, **how)
    assert many.learner.unpruned == one.learner.unpruned
    assert many.learner.unpruned.size > 10
    assert many.labels == ("no", "perhaps", "yes")


def test_trees_that_are_refused(cut: int | None, table: Path) -> None:
    given: dict[str, Any] = {"label": "play", "learner": "decision-tree", "client": HERE}
    with pytest.raises(mb.BadParameter, match="'degrees' is numeric: give it bins"):
        mb.learn(str(table), nominal=["wind"], **given)
    with pytest.raises(mb.BadParameter, match="column 'sky' lacks values: use common"):
        mb.learn(str(table), bins=3, parameters={"missing": "fractions"}, **given)
    with pytest.raises(mb.BadParameter, match="reduced_error needs rows that the tree was not grown from"):
        mb.learn(str(table), bins=3, parameters={"prune": "reduced_error"}, **given)


NEWLINES = pyarrow.csv.ParseOptions(newlines_in_values=True)


def test_means(cut: int | None, table: Path, tmp_path: Path) -> None:
    given = {"learner": "gaussian-means", "parameters": {"k": 2, "variance": 1.0, "restarts": 2}}
    one, many = same(table, tmp_path, numeric=["wind"], ignore=["play"], **given)
    assert many.learner.means.shape == (2, 2)
    assert many.learner.columns == one.learner.columns


def test_means_of_more_points_than_a_chunk(cut: int | None, tmp_path: Path) -> None:
    draw, path = random.Random(1), tmp_path / "points.csv"
    path.write_text("x\n" + "".join(f"{draw.gauss(k % 3 * 4, 1):.6f}\n" for k in range(10_000)))
    same(path, tmp_path, learner="gaussian-means", parameters={"k": 3, "variance": 1.0})


@pytest.mark.parametrize("name", ["perceptron", "arow", "naive"])
def test_streams_are_measured_and_predicted(name: str, cut: int | None, stream: Path) -> None:
    rows = stream.read_text().splitlines()
    if name == "naive":  # many labels
        stream = stream.with_suffix(".many.svm")
        stream.write_text("\n".join(f"{k % 3}{row[2:]}" for k, row in enumerate(rows)))
    model = mb.learn(str(stream), learner="perceptron" if name == "naive" else name)
    assert model.evaluate(str(stream), client=HERE).as_json() == model.evaluate(str(stream)).as_json()
    assert model.predict(str(stream), client=HERE) == model.predict(str(stream))


@pytest.mark.parametrize("cut", [20_000], indirect=True)
@pytest.mark.parametrize("how", [[], ["--scores"], ["--json"], ["--json", "--probabilities"]])
def test_the_command_predicts(
    how: list[str], cut: int | None, table: Path, stream: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(engine, "connected", lambda where: nullcontext(HERE))
    for name, path, given in (
        ("rows", stream, {"learner": "arow"}),
        ("table", table, {"label": "play", "learner": "naive-bayes", "bins": 3}),
    ):
        files = [str(path)] * (1 if "--scores" in how or name == "table" else 2)
        model = tmp_path / f"{name}.mb"
        mb.learn(str(path), model=model, **given)
        said = []
        for cluster in ([], ["--cluster", "local:2"]):
            assert main(["predict", str(model), *files, *how, *cluster]) == 0
            said.append(capsys.readouterr().out)
            assert main(["eval", str(model), str(path), "--json", *cluster]) == 0
            said.append(capsys.readouterr().out)
        assert said[0] == said[2]
        assert said[1] == said[3]
        assert len(said[0].splitlines()) == 3000 * len(files)


@pytest.mark.parametrize("cut", [20_000], indirect=True)
def test_the_command_predicts_up_to_a_bad_row(
    cut: int | None, stream: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine, "connected", lambda where: nullcontext(HERE))
    model, path = tmp_path / "model.mb", tmp_path / "bad.svm"
    mb.learn(str(stream), learner="arow", model=model)
    lines = stream.read_text().splitlines(keepends=True)
    lines[2100], lines[2900] = "+1 x:1\n", "+1 y:1\n"
    path.write_text("".join(lines))
    said = []
    for cluster in ([], ["--cluster", "local:2"]):
        assert main(["predict", str(model), str(path), *cluster]) == 3
        said.append(capsys.readouterr())
    assert said[0] == said[1]
    assert said[0].out.count("\n") == 2100
    assert "bad.svm:2101: " in said[0].err
    assert main(["predict", str(model), "-", "--cluster", "local:2"]) == 2
    assert "standard input" in capsys.readouterr().err


def test_what_is_refused(cut: int | None, table: Path, stream: Path) -> None:
    for name in ("table-network", "find-s"):
        with pytest.raises(mb.BadParameter, match=f"{name} cannot be learned on a cluster"):
            mb.learn(str(table), "play", learner=name, client=HERE)
    with pytest.raises(mb.BadParameter, match="weights are not supported on a cluster"):
        mb.learn(str(table), "play", learner="naive-bayes", weights="degrees", client=HERE)
    with pytest.raises(mb.BadParameter, match="holdout is not supported for naive-bayes on a cluster"):
        mb.learn(str(table), "play", learner="naive-bayes", holdout=3, client=HERE)
    with pytest.raises(mb.BadParameter, match="shards is not supported here, naive-bayes learns a whole table: 4"):
        mb.learn(str(table), "play", learner="naive-bayes", shards=4, client=HERE)
    with pytest.raises(mb.BadParameter, match="shards must be a whole number"):
        mb.learn(str(stream), learner="arow", shards=True, client=HERE)
    model = mb.learn(str(stream), learner="arow", cost={"1": 3.0, "-1": 1.0})
    with pytest.raises(mb.BadParameter, match="a model with costs is not measured on a cluster"):
        model.evaluate(str(stream), client=HERE)
    weighed = table.with_name("weighed.csv")
    weighed.write_text("w,x,play\n" + "".join(f"{k % 3 + 1},{'ab'[k % 2]},{'ny'[k % 2]}\n" for k in range(90)))
    model = mb.learn(str(weighed), "play", learner="arow", weights="w")
    with pytest.raises(mb.BadParameter, match="weights are not supported on a cluster"):
        model.evaluate(str(weighed), client=HERE)
    with pytest.raises(mb.BadParameter, match="client needs files"):
        mb.Model(mb.Perceptron()).predict([[1.0]], client=HERE)


@pytest.mark.parametrize("cut", [None, 7000], indirect=True)
@pytest.mark.parametrize("name", ["naive-bayes", "decision-tree"])
def test_labels_that_are_measurements_are_refused(name: str, cut: int | None, tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("a,b,y\n" + "".join(f"u{k % 3},v{k % 4},{k * 0.37:.3f}\n" for k in range(600)))
    with pytest.raises(mb.BadData, match="regression is not supported"):
        mb.learn(str(path), "y", learner=name, client=HERE)


@pytest.mark.parametrize("cut", [20_000], indirect=True)
def test_the_command_learns(
    cut: int | None, table: Path, stream: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(engine, "connected", lambda where: nullcontext(HERE))
    given = [
        "learn",
        "--learner",
        "naive-bayes",
        "--label",
        "play",
        "--bins",
        "3",
        "--cluster",
        "local:2",
        table.as_uri(),
    ]
    assert main([*given, "--json"]) == 0
    said, heard = capsys.readouterr()
    assert json.loads(said)["cluster"] == {"workers": 1, "dashboard": None, "ranges": 4, "repeated": 0}
    assert json.loads(said)["files"] == [table.as_uri()]
    assert "cluster: 1 worker, dashboard None" in heard
    assert main(given) == 0
    assert capsys.readouterr().out.startswith(f"NaiveBayes() on {table.as_uri()}\n")
    for learner, path in (("naive-bayes", table), ("arow", stream)):
        asked = [
            "learn",
            "--learner",
            learner,
            "--cluster",
            "local:2",
            str(path),
            "--plot",
            str(tmp_path / "curve.svg"),
        ]
        assert main(asked) == 2
        assert "--plot is not supported with --cluster" in capsys.readouterr().err
    empty = tmp_path / "empty.svm"
    empty.touch()
    assert main(["learn", "--learner", "arow", "--cluster", "local:2", str(empty)]) == 3
    assert "there are no rows to learn from" in capsys.readouterr().err


def test_an_error_names_file_and_line(cut: int | None, table: Path) -> None:
    lines = table.read_text().splitlines(keepends=True)
    at = next(k for k in range(2500, len(lines)) if lines[k].count(",") == 4)
    lines[at] = "sunny,1\n"
    table.write_text("".join(lines))
    with pytest.raises(mb.BadData, match="the row has 2 cells") as raised:
        mb.learn(str(table), "play", learner="naive-bayes", ignore=["degrees"], nominal=["wind"], client=HERE)
    assert (raised.value.source, raised.value.line) == (str(table), at + 1)


def test_on_processes(client: Any, table: Path, stream: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splits, "RANGE_BYTES", 15_000)
    given: dict[str, Any] = {"label": "play", "learner": "naive-bayes", "bins": 3}
    one, many = mb.learn(str(table), **given), mb.learn(str(table), client=client, **given)
    one.save(tmp_path / "one.mb"), many.save(tmp_path / "many.mb")
    assert (tmp_path / "one.mb").read_bytes() == (tmp_path / "many.mb").read_bytes()
    assert many.evaluate(str(table), client=client).as_json() == one.evaluate(str(table)).as_json()
    assert many.predict(table.as_uri(), client=client) == one.predict(str(table))
    model = mb.learn(str(stream), learner="arow")
    assert model.evaluate(str(stream), client=client).as_json() == model.evaluate(str(stream)).as_json()
    points: dict[str, Any] = {"learner": "gaussian-means", "parameters": {"k": 2, "variance": 1.0}, "ignore": ["play"]}
    one, many = mb.learn(str(table), **points), mb.learn(str(table), client=client, **points)
    assert (one.learner.means == many.learner.means).all()


def test_rows_with_weights_are_not_measured(cut: int | None, tmp_path: Path) -> None:
    """The weights of VW rows are found while they are read."""
    path = tmp_path / "rows.vw"
    path.write_text("".join(f"{(-1) ** k} {0.1 * (k % 7 + 1)} | a{k % 5} b{k % 3}\n" for k in range(200)))
    model = mb.learn(str(path), learner="perceptron")
    with pytest.raises(mb.BadParameter, match="rows with importance weights are not measured on a cluster"):
        model.evaluate(str(path), client=HERE)


@pytest.mark.parametrize("cut", [2000], indirect=True)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("learner", ["arow", "naive-bayes"])
def test_other_columns_are_said_once(
    learner: str, kind: str, cut: int | None, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """What one machine says of columns that are missing or unknown, of each file, and not once for every range."""
    monkeypatch.setattr(engine, "connected", lambda where: nullcontext(HERE))
    rows = pyarrow.table({"deg": ["a", "b", "c"] * 300, "wind": ["x", "y"] * 450, "play": ["no", "yes"] * 450})
    paths = [tmp_path / f"{name}.{kind}" for name in ("learned", "other", "third", "fourth")]
    for path, first in zip(paths, ("deg", "degrees", "temperature", "degrees"), strict=True):
        if kind == "csv":
            pyarrow.csv.write_csv(rows.rename_columns([first, "wind", "play"]), path)
        else:
            pq.write_table(rows.rename_columns([first, "wind", "play"]), path, row_group_size=100)
    model = mb.learn(str(paths[0]), "play", learner=learner, model=tmp_path / "model.mb")
    files = [str(path) for path in paths]
    for ask in (model.evaluate, model.predict):
        heard = []
        for given in ({}, {"client": HERE}):
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                ask(files, **given)
            heard.append([str(each.message) for each in found])
        assert heard[0] == heard[1]
        assert len(heard[0]) == 5  # that degrees are not known is said once
    for command in ("eval", "predict"):
        said = []
        for cluster in ([], ["--cluster", "local:2"]):
            assert main([command, str(tmp_path / "model.mb"), *files, "--json", *cluster]) == 0
            said.append(capsys.readouterr())
        assert said[0] == said[1]
        assert "'degrees'" in said[0].err


def test_means_predict_files_without_rows(cut: int | None, table: Path, tmp_path: Path) -> None:
    head = tmp_path / "head.csv"
    head.write_text(table.read_text().partition("\n")[0] + "\n")
    given = {
        "learner": "gaussian-means",
        "parameters": {"k": 2, "variance": 1.0},
        "numeric": ["wind"],
        "ignore": ["play"],
    }
    one, many = (mb.learn([str(table), str(head)], client=client, **given) for client in (None, HERE))
    for files in ([str(table), str(head), str(table)], [str(head), str(table)], [str(head)]):
        assert many.predict(files, client=HERE) == one.predict(files)
    assert one.predict(str(head)) == []
