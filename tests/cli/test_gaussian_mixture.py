"""`mistakebound gaussian-mixture`: what it prints, as text and JSON, its picture, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import mistakebound as mb
from cli.conftest import Run
from mistakebound.cli import main


@pytest.fixture
def stars(tmp_path: Path) -> Path:
    draw, path = Random(1), tmp_path / "stars.csv"
    rows = [(f"s{i}", draw.gauss(9 * (i % 2), 1), draw.gauss(4 * (i % 2), 1)) for i in range(200)]
    path.write_text("name,x,y\n" + "".join(f"{name},{x:.4f},{y:.4f}\n" for name, x, y in rows))
    return path


def test_text_and_json_say_what_python_says(stars: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["gaussian-mixture", str(stars), "--k", "2", "--variance", "1", "--restarts", "3", "--random-state", "5"]
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == "mistakebound: left out, because they are no numbers: name\n"
    found = json.loads(out)
    lines = [line.split(",") for line in stars.read_text().splitlines()[1:]]
    learner = mb.GaussianMeans(2, 1.0, 3, random_state=5).fit([[float(x), float(y)] for _, x, y in lines])
    assert found["means"] == learner.means.tolist()
    assert found["log_likelihoods"] == learner.log_likelihoods
    assert found["columns"] == ["x", "y"]
    assert sum(found["shares"]) == pytest.approx(1)
    assert main(words) == 0
    text = capsys.readouterr().out
    assert text.startswith("2 Gaussians of variance 1\n  points      200 of 2 numbers\n")
    assert ", the best of 3 starts" in text
    assert len(text.splitlines()) == 8


def test_columns_and_a_picture(stars: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = [
        "gaussian-mixture",
        str(stars),
        "--k",
        "2",
        "--variance",
        "1",
        "--columns",
        "y",
        "--picture",
        str(tmp_path / "m.svg"),
    ]
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["columns"] == ["y"]
    assert "2 Gaussians, 200 points" in (tmp_path / "m.svg").read_text()


@pytest.mark.parametrize(
    ("table", "more", "code", "said"),
    [
        ("x\n1\n2\n", ["--k", "0"], 2, "k must be a whole number >= 1: 0"),
        ("x\n1\n2\n", ["--k", "3"], 2, "k must be at most the number of points, 2: 3"),
        ("x\n1\n2\n", ["--variance", "x"], 2, "variance must be a number > 0: 'x'"),
        ("x\n1\n2\n", ["--columns", "z"], 2, "'z', which is not there"),
        ("x\n1\n2\n", ["--picture", "m.gif"], 2, "the picture's name must end in .png or .svg: 'm.gif'"),
        ("a,b,c\n1,2,3\n", ["--k", "1", "--picture", "m.svg"], 2, "--picture must be of 1 or 2 columns"),
        ("x,y\n1,2\n,3\n", [], 3, "a point must have all its numbers: row 2 has no 'x'"),
        ("a,b\nu,v\n", [], 3, "a table must have a column of numbers: a, b are none"),
    ],
)
def test_what_is_refused(
    table: str, more: list[str], code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table)
    assert main(["gaussian-mixture", str(path), "--k", "2", "--variance", "1", *more]) == code
    assert said in capsys.readouterr().err


def test_a_terminal_sees_how_far_it_is(stars: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Bar:
        def __init__(self, title: str, total: int) -> None:
            told.append(f"{title} {total}")

        def update(self, done: int, more: str) -> None:
            told.append(f"{done}{more}")

        def close(self) -> None:
            told.append("closed")

    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("mistakebound.cli.progress.Count", Bar)
    assert (
        main(
            [
                "gaussian-mixture",
                str(stars),
                "--k",
                "2",
                "--variance",
                "1",
                "--restarts",
                "2",
                "--max-iter",
                "3",
                "--tol",
                "0",
            ]
        )
        == 0
    )
    assert told[0] == "EM 6"
    assert told[-1] == "closed"
    assert [text.split()[0] for text in told[1:-1]] == ["1", "2", "3", "4", "5", "6"]
    assert "steps at most, log-likelihood -" in told[1]


def test_learn_names_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "e.svm").write_text("1 1:1\n")
    assert main(["learn", str(tmp_path / "e.svm"), "--learner", "gaussian-means"]) == 2
    assert "`mistakebound gaussian-mixture` is for this: 'gaussian-means'" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--k", "2"], ["--variance", "1"]])
def test_what_must_be_given_is_asked_for(run: Any, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "points.csv").write_text("a\n1\n")
    result = run("gaussian-mixture", tmp_path / "points.csv", *words)
    assert (result.code, "the following arguments are required: --" in result.err) == (2, True)


def test_what_commands_do_with_a_model_of_means(run: Run, tmp_path: Path) -> None:
    """It is used from Python; `explain --header` says what is in it."""
    model, rows = tmp_path / "means.mb", tmp_path / "rows.svm"
    rows.write_text("1 1:1\n")
    mb.GaussianMeans(k=2, variance=0.5).fit([0.0, 0.1, 5.0, 5.1]).save(model)
    said = run("explain", model, "--header")
    assert said.code == 0
    assert "gaussian-means" in said.out
    for words in (("predict", model, rows), ("eval", model, rows), ("explain", model)):
        refused = run(*words)
        assert refused.code == 2
        assert "the model must be one that takes files, gaussian-means is used from Python" in refused.err
