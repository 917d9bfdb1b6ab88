from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from mistakebound.cli import demo_parts

TINY = ("demo", "--n", "2000", "--active", "40", "--relevant", "3", "--rows", "300")
SMALL = (*TINY[:-1], "1500")


@pytest.fixture
def no_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mistakebound.report.plots.find_spec", lambda name: None)


def test_report_models_and_picture(run, tmp_path: Path):
    out = tmp_path / "out"
    result = run(*SMALL, "--out", out)
    assert result.code == 0
    assert "mistakebound: left out: 'parcel': nearly every cell is new" in result.err
    assert sorted(os.listdir(out)) == [
        "build.sh", "events.csv", "events.mb", "events.png", "flags.txt", "mistakes.png", "new.csv", "perceptron.mb",
        "stream.svm", "stream.svm.json", "winnow1.mb",
    ]  # fmt: skip
    for name in ("events.png", "mistakes.png"):
        assert (out / name).read_bytes().startswith(b"\x89PNG")
    rows = {line.split()[0]: line.split() for line in result.out.splitlines() if line.strip()}
    assert rows["trials"] == ["trials", "1,500", "1,500"]
    assert "3 of 3" in result.out
    assert "Littlestone 1988, Theorem 7" in result.out
    assert "says nothing" not in result.out
    assert "valid at all times" in result.out
    assert "the culprits are --feature23, --feature88 and --feature151, together" in result.out


def test_the_table_is_the_same_every_time() -> None:
    lines = [*demo_parts.events(3000, 1)]
    assert lines == [*demo_parts.events(3000, 1)] != [*demo_parts.events(3000, 2)]
    rows = [dict(zip(demo_parts.HEADER.split(","), line.split(","), strict=True)) for line in lines[1:]]
    assert len({row["parcel"] for row in rows}) == 3000
    assert {row["late"] for row in rows} == {"yes", "no"}
    for column in ("city", "weight_kg", "rain_mm"):
        assert 0 < sum(row[column] == "" for row in rows) < 400, "missing cells"
    late = [[row["late"] == "yes" for row in part if row["carrier"] == "Swift"] for part in (rows[:1800], rows[1800:])]
    before, after = (sum(part) / len(part) for part in late)
    assert after > before + 0.3, "the drift"


@pytest.mark.long
def test_a_theorem_that_allows_as_many_mistakes_as_there_are_trials(run, tmp_path: Path):
    """Of 300 rows the perceptron's theorem says nothing: all of them may be mistakes."""
    words = (*TINY, "--out", tmp_path)
    out = run(*words).out
    (line,) = (line for line in out.splitlines() if "its theorem allows" in line)
    assert line.split()[-1] == "vacuous"
    winnow, perceptron = run(*words, "--json").json["learners"]
    assert (winnow["vacuous"], perceptron["vacuous"]) == (False, True)
    assert perceptron["bound"] > 300
    assert perceptron["verdict"]["text"].endswith(", vacuous after 300 trials")


def test_json(run, tmp_path: Path):
    found = run(*SMALL, "--out", tmp_path, "--json").json
    winnow, perceptron = found["learners"]
    assert (winnow["learner"], perceptron["learner"]) == ("winnow1", "perceptron")
    assert winnow["found"] == found["relevant"]
    assert winnow["mistakes"] <= winnow["bound"]
    assert perceptron["mistakes"] <= perceptron["bound"]
    assert (found["events"]["trials"], found["events"]["learner"]) == (3000, "auto")
    assert found["hunt"]["culprits"] == ["--feature23", "--feature88", "--feature151"]
    assert found["hunt"]["runs"] < 40


def test_a_table_of_somebody_else_is_not_overwritten(run, tmp_path: Path):
    (tmp_path / "events.csv").write_text("mine\n1\n")
    result = run(*SMALL, "--out", tmp_path)
    assert (result.code, "refusing to overwrite" in result.err) == (2, True)
    assert (tmp_path / "events.csv").read_text() == "mine\n1\n"


@pytest.mark.usefixtures("no_matplotlib")
def test_the_next_steps_work(run, tmp_path: Path):
    """What it says to type next is typed."""
    out = run(*SMALL, "--out", tmp_path / "a folder").out
    steps = out.partition("What to type next:\n")[2].splitlines()
    assert len(steps) == 7
    for step in steps:
        words = shlex.split(step.partition(" | head")[0])
        assert run(*words[1:]).code == 0, step


@pytest.mark.long
@pytest.mark.usefixtures("no_matplotlib")
def test_the_stream_is_made_once_and_anew_when_it_is_not_whole(run, tmp_path: Path):
    stream = tmp_path / "stream.svm"
    run(*TINY, "--out", tmp_path)
    first, made = stream.read_bytes(), stream.stat().st_mtime_ns
    run(*TINY, "--out", tmp_path)
    assert stream.stat().st_mtime_ns == made
    stream.write_bytes(first[:-50])
    run(*TINY, "--out", tmp_path)
    assert stream.read_bytes() == first
    run(*TINY, "--seed", "5", "--out", tmp_path)
    assert stream.read_bytes() != first
    (tmp_path / "stream.svm.json").write_text("{")
    run(*TINY, "--out", tmp_path)
    assert stream.read_bytes() == first
    assert json.loads((tmp_path / "stream.svm.json").read_text())["bytes"] == len(first)


@pytest.mark.usefixtures("no_matplotlib")
def test_without_matplotlib_there_is_no_picture_and_a_note(run, tmp_path: Path):
    result = run(*TINY, "--out", tmp_path)
    assert result.code == 0
    assert "mistakebound[plot]" in result.err
    assert not (tmp_path / "mistakes.png").exists()


def test_bad_words(run, tmp_path: Path):
    (tmp_path / "file").write_text("")
    assert run(*TINY, "--n", "0", "--out", tmp_path).code == 2
    assert run(*TINY, "--out", tmp_path / "file").code == 1
