"""`learn --predictions`: what was said to each row before its label was used, and where that has no meaning."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mistakebound as mb
from cli.conftest import Run
from cli.rows import write_rows


def rows_of(path: Path) -> list[tuple[dict[str, float], str]]:
    found = []
    for line in path.read_text().splitlines():
        label, *entries = line.split()
        found.append(({entry.partition(":")[0]: 1.0 for entry in entries}, label))
    return found


def one_by_one(path: Path) -> list[str]:
    learner = mb.Auto(labels=("-1", "+1"))
    return [learner.learn_one(x, y) for x, y in rows_of(path)]


def test_a_line_a_row_as_it_was_said(run: Run, tmp_path: Path) -> None:
    path, out = write_rows(tmp_path / "rows.svm", 700), tmp_path / "said.txt"
    assert run("learn", path, "--predictions", out, "--quiet").code == 0
    expected = one_by_one(path)
    assert out.read_text().splitlines() == expected
    report = run("learn", path, "--predictions", "-", "--json")
    assert report.out.splitlines() == expected
    missed = sum(said != y for said, (_, y) in zip(expected, rows_of(path), strict=True))
    assert json.loads(report.err.splitlines()[-1])["mistakes"] == missed
    again = tmp_path / "again.txt"
    assert run("learn", path, "--predictions", again, "--passes", "3", "--threads", "2", "--quiet").code == 0
    assert again.read_bytes() == out.read_bytes()  # of the first pass
    mb.learn(path, predictions=tmp_path / "by_call.txt")
    assert (tmp_path / "by_call.txt").read_bytes() == out.read_bytes()


def test_many_labels_and_one_that_comes_late(run: Run, tmp_path: Path) -> None:
    rows = [(k % 3, f"{'abc'[k % 3]} {k % 3}:1 7:1") for k in range(60)]
    path, out = tmp_path / "rows.svm", tmp_path / "said.txt"
    path.write_text("\n".join(line for _, line in rows) + "\n")
    assert run("learn", path, "--predictions", out, "--quiet").code == 0
    said = out.read_text().split("\n")
    assert said[0] == ""  # no label has come
    assert said[-1] == ""
    assert len(said) == 61
    assert said[40:60] == [line[0] for _, line in rows[40:60]]
    path.write_text("".join(f"{'ab'[k % 2]} {k % 2}:1\n" for k in range(1500)) + "c 9:1\nc 9:1\n")
    out.unlink()
    assert run("learn", path, "--predictions", out, "--quiet").code == 0
    assert out.read_text().split("\n")[1400:1500] == ["ab"[k % 2] for k in range(1400, 1500)]
    assert len(out.read_text().split("\n")) == 1503


def test_rows_that_are_skipped_have_none(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "rows.svm", tmp_path / "said.txt"
    lines = [f"{'+1' if k % 2 else '-1'} {3 if k % 2 else 4}:1" for k in range(200)]
    lines[50], lines[60], lines[199] = "+1 3:x", "+1 3:2", "+1 4:7"
    path.write_text("\n".join(lines) + "\n")
    words = ("learn", path, "--learner", "winnow2", "--predictions", out, "--quiet")
    result = run(*words)
    assert result.code == 3
    assert len(out.read_text().splitlines()) == 50  # those before the bad row
    out.unlink()
    assert run(*words, "--on-error", "skip").code == 0
    good = [(k, line) for k, line in enumerate(lines) if k not in (50, 60, 199)]
    learner, expected = mb.Winnow2(labels=("-1", "+1")), []
    for _, line in good:
        label, entry = line.split()
        expected.append(learner.learn_one({entry[0]: 1}, label))
    assert out.read_text().splitlines() == expected


def test_a_pipe_gets_each_line_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mistakebound", "learn", "-", "--labels", "no,yes", "--format", "vw",
               "--predictions", "-", "--quiet", "--model", str(tmp_path / "m.mb")]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        said = []
        for label in ("yes", "no", "yes", "no", "yes"):
            process.stdin.write(f"{label} | word_{label}\n")
            process.stdin.flush()
            said.append(process.stdout.readline())  # waits for ever, were it not written
        process.stdin.close()
        assert process.wait() == 0
    learner = mb.AROW(labels=("no", "yes"))
    assert said == [f"{learner.learn_one({f'word_{y}': 1}, y)}\n" for y in ("yes", "no", "yes", "no", "yes")]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--resume", "--model", "m.mb"), "--predictions cannot be combined with --resume"),
        (("--shuffle",), "--predictions cannot be combined with --shuffle"),
        (("--threshold", "0.5"), "--predictions cannot be combined with --threshold"),
        (("--maximize", "f1"), "--predictions cannot be combined with --maximize"),
        (("--holdout", "1/5"), "--predictions cannot be combined with --holdout 1/K"),
        (("--learner", "decision-tree"), "decision-tree, which learns a whole table, does not support --predictions"),
    ],
)
def test_where_it_has_no_meaning(words: tuple[str, ...], what: str, run: Run, tmp_path: Path) -> None:
    path, out = write_rows(tmp_path / "rows.svm", 20), tmp_path / "said.txt"
    os.chdir(tmp_path)
    result = run("learn", path, "--predictions", out, *words)
    assert result.code == 2
    assert what in result.err
    assert result.err.count("\n") == 1
    assert not out.exists()


def test_a_model_with_a_threshold_of_its_own(run: Run, tmp_path: Path) -> None:
    path, model, out = write_rows(tmp_path / "rows.svm", 20), tmp_path / "m.mb", tmp_path / "said.txt"
    assert run("learn", path, "--model", model, "--threshold", "0.5").code == 0
    result = run("learn", path, "--from", model, "--predictions", out)
    assert result.code == 2
    assert "--predictions cannot be combined with a model that has a threshold of its own" in result.err
    assert not out.exists()


def test_no_file_is_lost(run: Run, tmp_path: Path) -> None:
    path, out = write_rows(tmp_path / "rows.svm", 20), tmp_path / "said.txt"
    out.write_text("mine\n")
    result = run("learn", path, "--predictions", out)
    assert result.code == 2
    assert result.err == f"mistakebound: refusing to overwrite {out}: it is not an empty file\n"
    with pytest.raises(mb.BadParameter, match="it is not an empty file"):
        mb.learn(path, predictions=out)
    assert out.read_text() == "mine\n"
    assert run("learn", path, "--predictions", path).code == 2
    assert run("learn", path, "--predictions", tmp_path / "none" / "said.txt").code == 1


def test_resume_needs_more_than_a_pipe(run: Run, tmp_path: Path) -> None:
    path, model, pipe = write_rows(tmp_path / "rows.svm", 20), tmp_path / "m.mb", tmp_path / "pipe"
    os.mkfifo(pipe)
    for words in (("-",), (path, "-"), (pipe,)):
        result = run("learn", *words, "--model", model, "--resume")
        assert result.code == 2
        assert result.err == "mistakebound: --resume needs files that can be read again, and a pipe cannot\n"
    assert not model.exists()


def test_rows_that_were_all_skipped_leave_no_model(run: Run, tmp_path: Path) -> None:
    path, model = tmp_path / "rows.svm", tmp_path / "m.mb"
    path.write_text("1 3:x\n0 4:y\n")
    result = run("learn", path, "--on-error", "skip", "--model", model)
    assert (result.code, result.out) == (3, "")
    assert result.err.splitlines()[-1] == (f"mistakebound: {path}: there are no rows to learn from; all 2 were skipped")
    assert not model.exists()
    with pytest.raises(mb.BadData, match="all 2 were skipped"):
        mb.learn(path, on_error="skip")


def test_a_file_that_the_model_has_learned_is_another_pass(run: Run, tmp_path: Path) -> None:
    path, other, model = write_rows(tmp_path / "a.svm", 300), write_rows(tmp_path / "b.svm", 300, 2), tmp_path / "m.mb"
    first = run("learn", path, "--model", model, "--json").json
    assert first["certificate"] is not None
    more = run("learn", other, "--from", model, "--json").json
    assert more["certificate"] is not None
    assert more["trials"] == 600
    copy = tmp_path / "copy.svm"
    copy.write_bytes(path.read_bytes())
    again = run("learn", copy, "--from", model, "--json")
    assert again.json["certificate"] is None
    assert again.err == f"mistakebound: {copy} is in the model: this is another pass over it, without a certificate\n"
    mb.learn(path, start=model, model=tmp_path / "n.mb")
    assert mb.load(tmp_path / "n.mb").ledger.certificate() is None


@pytest.mark.parametrize("header", ["colour,size", "size,colour,label"])
def test_a_row_of_a_table_from_a_pipe_is_answered_at_once(header: str, tmp_path: Path) -> None:
    rows = [{"colour": c, "size": s, "label": "yes" if c == "red" else "no"} for c in ("red", "blue") for s in "sml"]
    lines = ["colour,size,label", *(",".join(row.values()) for row in rows * 40)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    mb.learn(tmp_path / "t.csv").save(tmp_path / "m.mb")
    command = [sys.executable, "-m", "mistakebound", "predict", str(tmp_path / "m.mb"), "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(header + "\n")
        for row in rows:
            process.stdin.write(",".join(row[name] for name in header.split(",")) + "\n")
            process.stdin.flush()
            assert process.stdout.readline() == row["label"] + "\n"  # waits for ever, were it not written
        process.stdin.close()
        assert process.wait() == 0


def test_an_object_from_a_pipe_is_answered_at_once(tmp_path: Path) -> None:
    rows = [{"colour": c, "size": k, "label": "yes" if c == "red" else "no"} for c in ("red", "blue") for k in range(3)]
    mb.learn(rows * 40, learner="perceptron").save(tmp_path / "m.mb")
    command = [sys.executable, "-m", "mistakebound", "predict", str(tmp_path / "m.mb"), "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for row in rows:
            process.stdin.write(json.dumps(row) + "\n")
            process.stdin.flush()
            assert process.stdout.readline() == row["label"] + "\n"  # waits for ever, were it not written
        process.stdin.close()
        assert process.wait() == 0
