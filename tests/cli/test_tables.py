"""Tables from end to end: learned, remembered, predicted, refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from cli.conftest import Run

LEARN = ("--label", "play", "--labels", "no,yes", "--quiet")
TABLE = "play,sky,degrees,wind\n" + "yes,sunny,21,?\nno,rain,3.5,strong\nyes,sunny,19,weak\nno,rain,-2,\n" * 5


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "weather.csv"
    path.write_text(TABLE)
    return path


def test_learn_then_predict_and_eval_without_options(run: Run, table: Path, tmp_path: Path) -> None:
    model = tmp_path / "weather.mb"
    assert run("learn", table, *LEARN, "--bins", "2", "--model", model).code == 0
    other = tmp_path / "new.csv"
    other.write_text("wind,degrees,sky\n,30,sunny\nstrong,-9,rain\n")
    assert run("predict", model, other).out.split() == ["yes", "no"]
    result = run("eval", model, table, "--json")
    assert result.code == 0
    assert result.json["trials"] == 20
    other.write_text("wind,degrees\n,30\n")
    result = run("predict", model, other)
    assert result.code == 0
    assert f"columns missing from {other}, taken as empty: 'sky'" in result.err
    other.write_text("wind,degrees,sky\n,30,sunny\n,warm,sunny\n")
    result = run("predict", model, other)
    assert (result.code, result.out) == (3, "yes\n")
    assert f"{other}:3: 'warm' in the numeric column 'degrees' is not a finite decimal number" in result.err


def test_the_same_model_from_every_form_of_the_table(run: Run, table: Path, tmp_path: Path) -> None:
    (tmp_path / "weather.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    (tmp_path / "weather.tsv").write_text(TABLE.replace(",", "\t"))
    (tmp_path / "quoted.csv").write_text(
        "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in TABLE.split())
    )
    said = {
        run("learn", tmp_path / name, *LEARN[:-1], "--bins", "2", "--threads", threads, "--model", tmp_path / "m.mb")
        and run("explain", tmp_path / "m.mb").out
        for name in ("weather.csv", "weather.csv.gz", "weather.tsv", "quoted.csv")
        for threads in (1, 2, 3)
    }
    assert len(said) == 1
    assert "sky=sunny" in said.pop()


def test_what_is_asked_for(run: Run, table: Path) -> None:
    result = run("learn", table, *LEARN, "--nominal", "sky,wins")
    assert result.code == 2
    assert "no column 'wins' for nominal" in result.err
    result = run("learn", table, *LEARN, "--numeric", "sky")
    assert result.code == 3
    assert f"{table}:2: 'sunny' in the numeric column 'sky' is not a finite decimal number" in result.err
    result = run("learn", table, *LEARN, "--numeric", "sky", "--on-error", "skip", "--json")
    assert result.code == 3
    assert "there are no rows to learn from; all 20 were skipped" in result.err


def test_ignoring_and_hashing(run: Run, table: Path, tmp_path: Path) -> None:
    model = tmp_path / "weather.mb"
    assert run("learn", table, *LEARN, "--ignore", "degrees", "--ignore", "*=weak", "--model", model).code == 0
    said = run("explain", model).out
    assert "sky=sunny" in said
    assert "degrees" not in said
    assert "weak" not in said
    assert run("learn", table, *LEARN, "--hash", "10", "--bins", "3", "--model", model).code == 0
    assert run("eval", model, table).code == 0


@pytest.mark.parametrize("kind", ["svm", "csv", "jsonl", "vw", "txt"])
def test_a_pattern_that_fits_nothing_is_said(run: Run, kind: str, tmp_path: Path) -> None:
    texts = {
        "svm": "1 3:1 7:1\n0 2:1\n",
        "csv": "1,blue,1\n2,grey,0\n",
        "jsonl": '{"3": 1, "sky": "blue", "label": 1}\n{"2": 1, "label": 0}\n',
        "vw": "1 | 3 sky=blue\n-1 | 2\n",
        "txt": "".join(
            f"{label}\t3 {word} {k} and more\n" for k in range(9) for label, word in (("ham", "a"), ("spam", "b"))
        ),
    }
    path = tmp_path / f"rows.{kind}"
    path.write_text(("3,sky,label\n" if kind == "csv" else "") + texts[kind] * 30)
    for learner in ("perceptron", "decision-tree") if kind == "csv" else ("perceptron",):
        result = run("learn", path, "--learner", learner, "--ignore", "3", "--ignore", "zz*", "--ignore", "skyy")
        assert result.code == 0, result.err
        assert "ignore: nothing is called 'zz*'" in result.err
        assert "ignore: nothing is called 'skyy'" in result.err
        assert "ignore: nothing is called '3'" not in result.err


@pytest.mark.parametrize("learner", ["decision-tree", "naive-bayes"])
def test_other_columns_for_a_model_of_a_whole_table(run: Run, tmp_path: Path, learner: str) -> None:
    path, other, model = tmp_path / "days.csv", tmp_path / "other.csv", tmp_path / "days.mb"
    path.write_text("sky,wind,play\n" + "sunny,weak,yes\nrainy,strong,no\n" * 10)
    other.write_text("moon,wind,play\n" + "full,weak,yes\nnew,strong,no\n" * 10)
    assert run("learn", path, "--learner", learner, "--label", "play", "--model", model).code == 0
    assert run("predict", model, path).err == ""
    words = [["predict", model, other], ["eval", model, other], ["explain", model, other, "--row", 1]]
    words += [["explain", model, other]] if learner == "decision-tree" else []
    for command in words:
        result = run(*command)
        assert result.code == 0
        assert result.err.splitlines() == [
            f"mistakebound: columns missing from {other}, taken as empty: 'sky'",
            "mistakebound: columns that the model does not know, ignored: 'moon'",
        ]
