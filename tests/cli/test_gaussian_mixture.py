"""`learn --learner gaussian-means`: what it prints, as text and JSON, its picture, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import mistakebound as mb
from cli.conftest import Run


@pytest.fixture
def stars(tmp_path: Path) -> Path:
    draw, path = Random(1), tmp_path / "stars.csv"
    rows = [(f"s{i}", draw.gauss(9 * (i % 2), 1), draw.gauss(4 * (i % 2), 1)) for i in range(200)]
    path.write_text("name,x,y\n" + "".join(f"{name},{x:.4f},{y:.4f}\n" for name, x, y in rows))
    return path


MEANS = ("learn", "--learner", "gaussian-means")


def settings(**given: object) -> list[str]:
    """--set NAME=VALUE for each."""
    return [word for name, value in given.items() for word in ("--set", f"{name}={value}")]


def test_text_and_json_say_what_python_says(run: Run, stars: Path) -> None:
    words = (*MEANS, stars, *settings(k=2, variance=1, restarts=3, random_state=5))
    result = run(*words, "--json")
    assert result.err == "mistakebound: left out: 'name': nearly every cell is new (--keep takes it)\n"
    kept = run(*words, "--keep", "name", "--json")
    assert kept.err == "mistakebound: left out, because they are not numeric: name\n"
    assert kept.json["means"] == result.json["means"]
    found = result.json
    lines = [line.split(",") for line in stars.read_text().splitlines()[1:]]
    learner = mb.learners.GaussianMeans(2, 1.0, 3, random_state=5).fit([[float(x), float(y)] for _, x, y in lines])
    assert found["means"] == learner.means.tolist()
    assert found["log_likelihoods"] == learner.log_likelihoods
    assert found["columns"] == ["x", "y"]
    assert sum(found["shares"]) == pytest.approx(1)
    text = run(*words).out
    assert f" on {stars}\n  table       200 rows, 2 columns\n" in text
    assert ", the best of 3 starts" in text
    assert len(text.splitlines()) == 10
    parameters = {"k": 2, "variance": 1, "restarts": 3, "random_state": 5}
    assert mb.learn(stars, learner="gaussian-means", parameters=parameters).learner.means.tolist() == found["means"]


def test_its_model_serves_the_other_commands(run: Run, stars: Path, tmp_path: Path) -> None:
    model = tmp_path / "stars.mb"
    learned = run(*MEANS, stars, *settings(k=2, variance=1), "--model", model)
    assert learned.out.endswith("\n\n" + run("explain", model).out)
    loaded = mb.load(model)
    points = [[float(cell) for cell in line.split(",")[1:]] for line in stars.read_text().splitlines()[1:]]
    said = [str(mean) for mean in loaded.learner.predict_many(points).tolist()]
    assert run("predict", model, stars).out.split() == said == [str(mean) for mean in loaded.predict(str(stars))]
    assert loaded.predict_one({"name": "s", "x": points[0][0], "y": points[0][1]}) == int(said[0])
    first = run("explain", model, stars, "--row", 1).out
    assert first.startswith(f"mean {said[0]}, because its probability is the largest:\n")
    assert run("explain", model, "--json").json["means"] == loaded.learner.means.tolist()
    refused = run("eval", model, stars)
    assert (refused.code, "eval does not support gaussian-means" in refused.err) == (2, True)
    (tmp_path / "other.csv").write_text("name,x\ns,1\n")
    assert run("predict", model, tmp_path / "other.csv").code == 3


def test_columns_and_pictures(run: Run, stars: Path, tmp_path: Path) -> None:
    model, picture, other = tmp_path / "m.mb", tmp_path / "m.svg", tmp_path / "o.svg"
    words = (*MEANS, stars, *settings(k=2, variance=1), "--ignore", "x", "--plot", picture, "--model", model, "--json")
    assert run(*words).json["columns"] == ["y"]
    assert "2 Gaussians, 200 points" in picture.read_text()
    assert run("explain", model, stars, "--plot", other).code == 0
    assert "2 Gaussians, 200 points" in other.read_text()
    refused = run("explain", model, "--plot", other)
    assert (refused.code, "--plot needs a FILE" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("table", "more", "code", "said"),
    [
        ("x\n1\n2\n", settings(k=0), 2, "k must be a whole number >= 1: 0"),
        ("x\n1\n2\n", settings(k=3), 2, "k must be at most the number of points, 2: 3"),
        ("x\n1\n2\n", settings(variance="x"), 2, "variance must be a number > 0: 'x'"),
        ("x\n1\n2\n", ["--numeric", "z"], 2, "z"),
        ("x\n1\n2\n", ["--holdout", "1/2"], 2, "gaussian-means does not support holdout"),
        ("x\n1\n2\n", ["--plot", "m.gif"], 2, "the picture's name must end in .png or .svg: 'm.gif'"),
        ("a,b,c\n1,2,3\n", [*settings(k=1), "--plot", "m.svg"], 2, "a picture needs 1 or 2 columns"),
        ("x,y\n1,2\n,3\n", [], 3, "t.csv:3: a point must have all its numbers: it has no 'x'"),
        ("a,b\nu,v\n", [], 3, "a table must have a column of numbers, and a, b are not"),
    ],
)
def test_what_is_refused(run: Run, table: str, more: list[str], code: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table)
    names = {word.partition("=")[0] for word in more}
    usual = {name: value for name, value in {"k": 2, "variance": 1}.items() if name not in names}
    result = run(*MEANS, path, *settings(**usual), *more)
    assert said in result.err
    assert result.code == code


def test_a_terminal_sees_how_far_it_is(run: Run, stars: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Bar:
        def __init__(self, title: str, total: int) -> None:
            told.append(f"{title} {total}")

        def update(self, done: int, more: str) -> None:
            told.append(f"{done}{more}")

        def close(self) -> None:
            told.append("closed")

    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("mistakebound.cli.progress.CountField", Bar)
    assert run(*MEANS, stars, *settings(k=2, variance=1, restarts=2, max_iter=3, tol=0)).code == 0
    assert told[0] == "training 6"
    assert told[-1] == "closed"
    assert [text.split()[0] for text in told[1:-1]] == ["1", "2", "3", "4", "5", "6"]
    assert "steps at most, log-likelihood -" in told[1]


@pytest.mark.parametrize("given", [{}, {"k": 2}, {"variance": 1}])
def test_what_must_be_given_is_asked_for(run: Run, tmp_path: Path, given: dict[str, object]) -> None:
    (tmp_path / "points.csv").write_text("a\n1\n")
    result = run(*MEANS, tmp_path / "points.csv", *settings(**given))
    assert (result.code, "=...): not given" in result.err) == (2, True)


def test_what_commands_do_with_a_model_of_means_from_python(run: Run, tmp_path: Path) -> None:
    """It has learned no columns; `explain --header` says what is in it."""
    model, rows = tmp_path / "means.mb", tmp_path / "rows.svm"
    rows.write_text("1 1:1\n")
    mb.learners.GaussianMeans(k=2, variance=0.5).fit([0.0, 0.1, 5.0, 5.1]).save(model)
    said = run("explain", model, "--header")
    assert said.code == 0
    assert "gaussian-means" in said.out
    for words in (("predict", model, rows), ("eval", model, rows), ("explain", model)):
        refused = run(*words)
        assert refused.code == 2
        assert "a model of gaussian-means takes no files; use it from Python" in refused.err
