"""Nothing that a person has is written over by a slip of the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.rows import write_rows, write_table


def test_what_is_read_is_not_written_over(run: Run, tmp_path: Path) -> None:
    stream, other = write_rows(tmp_path / "rows.svm", 50), write_rows(tmp_path / "other.svm", 20)
    link = tmp_path / "link.svm"
    link.symlink_to(stream)
    texts = stream.read_bytes(), other.read_bytes()
    for words, message in (
        ((stream, "--model", stream), f"refusing to overwrite {stream}: --model is an input of this command\n"),
        ((stream, "--model", link), f"refusing to overwrite {link}: --model is an input of this command, {stream}\n"),
        ((stream, "--model", other), f"refusing to overwrite {other}: it is not a model file\n"),
        ((stream, "--holdout", other, "--model", other), f"refusing to overwrite {other}: --model is an input of"),
        (
            (stream, "--model", tmp_path / "x.png", "--plot", tmp_path / "x.png"),
            "--plot and --model must be different files",
        ),
        (
            (stream, "--model", tmp_path / "m", f"--cache={tmp_path / 'm'}"),
            " and --model must be different files",
        ),
    ):
        result = run("learn", *words)
        assert (result.code, message in result.err) == (2, True), result.err
    assert (stream.read_bytes(), other.read_bytes()) == texts
    (tmp_path / "m").touch()
    for _ in range(2):
        assert run("learn", stream, "--model", tmp_path / "m").code == 0, "an empty file, then a model"


def test_a_picture_that_cannot_be_written_is_said_before_the_work(run: Run, tmp_path: Path) -> None:
    stream = write_rows(tmp_path / "rows.svm", 50)
    words = ("--model", tmp_path / "m.mb", "--plot", tmp_path / "nowhere" / "x.png")
    result = run("learn", stream, *words)
    assert (result.code, "there is no folder" in result.err) == (1, True)
    assert not (tmp_path / "m.mb").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="closed descriptors and ulimit")
@pytest.mark.parametrize("closed", ["1", "2"])
def test_a_closed_output_is_no_crash(tmp_path: Path, closed: str) -> None:
    stream = write_rows(tmp_path / "rows.svm", 50)
    line = [sys.executable, "-m", "mistakebound", "learn", str(stream), "--json", "--model", str(tmp_path / "m.mb")]
    shell = ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *line]
    result = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "m.mb").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="closed descriptors and ulimit")
@pytest.mark.parametrize(
    "words",
    [
        ("predict", "m.mb", "rows.svm"),
        ("export", "m.mb", "--to", "python"),
        ("export", "m.mb", "--to", "python", "--json"),
        ("learn", "rows.svm", "--predictions", "-", "--quiet"),
        ("predict", "t.mb", "t.csv"),
    ],
)
def test_data_for_a_closed_output_is_refused(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    run("learn", write_rows(tmp_path / "rows.svm", 50), "--fast", "--model", tmp_path / "m.mb", "--quiet")
    table = write_table(tmp_path / "t.csv", 50)
    asked = ("--label", "label", "--learner", "decision-tree", "--model", tmp_path / "t.mb")
    assert run("learn", table, *asked, "--quiet").code == 0
    line = [sys.executable, "-m", "mistakebound", *words]
    shell = ["sh", "-c", 'exec "$@" >&-', "sh", *line]
    result = subprocess.run(shell, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (1, "mistakebound: there is no standard output\n")


@pytest.mark.skipif(sys.platform == "win32", reason="closed descriptors and ulimit")
def test_a_full_disk_is_said_and_leaves_what_was_there(tmp_path: Path) -> None:
    import resource

    table = write_table(tmp_path / "t.csv", 2000)
    model = tmp_path / "m.mb"
    asked = ("--label", "label", "--labels", "no,yes", "--learner", "perceptron")
    line = [sys.executable, "-m", "mistakebound", "learn", str(table), *asked, "--model", str(model), "--cache"]

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    result = subprocess.run(line, capture_output=True, text=True, check=False, preexec_fn=no_room)
    assert (result.returncode, result.stderr.count("\n")) == (1, 1), result.stderr
    assert "cannot write " in result.stderr
    assert "t.csv.mbcache: File too large" in result.stderr
    assert sorted(os.listdir(tmp_path)) == ["t.csv"]
    assert subprocess.run(line, capture_output=True, check=False).returncode == 0
    whole = model.read_bytes()
    result = subprocess.run(line[:-1], capture_output=True, text=True, check=False, preexec_fn=no_room)
    assert (result.returncode, "m.mb: File too large" in result.stderr) == (1, True)
    assert model.read_bytes() == whole


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
def test_what_is_rewritten_stays_private(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long: bool) -> None:
    """Models, checkpoints, caches, pictures, drawings, logs: their modes are those that a person gave them."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "rows.svm", 50)
    (tmp_path / "t.csv").write_text("a,y\n1,no\n2,yes\n3,no\n4,yes\n")
    (tmp_path / "flags").write_text("a\nb\n")
    fails_with_b = ("sh", "-c", 'test "${*#*b}" = "$*"', "sh", "{}")
    commands = (
        ("learn", "rows.svm", "--model", "m.mb", "--checkpoint", 10, "--plot", "p.svg", "--cache=c", "--quiet"),
        ("learn", "t.csv", "--label", "y", "--learner", "decision-tree", "--model", "t.mb", "--quiet"),
        ("explain", "t.mb", "--plot", "t.dot"),
        ("explain", "t.mb", "--plot", "t.svg"),
        ("hunt", "flags", "flags", "--quiet", "--log", "h.log", "--", *fails_with_b),
    )
    made = ("m.mb", "p.svg", "c", "t.mb", "t.dot", "t.svg", "h.log")
    old = os.umask(0o022)
    try:
        for mode in (None, 0o600, 0o640) if long else (None, 0o640):
            for name in made:
                if mode is not None:
                    os.chmod(name, mode)
            if mode is not None:  # so that the cache and the log are written again
                write_rows(tmp_path / "rows.svm", 50 + mode)
                os.truncate("h.log", 0)
            before = {name: os.stat(name).st_mtime_ns for name in made} if mode is not None else {}
            for words in commands:
                assert run(*words).code == 0
            found = {name: os.stat(name) for name in made}
            assert {oct(state.st_mode & 0o777) for state in found.values()} == {oct(0o644 if mode is None else mode)}
            assert all(found[name].st_mtime_ns != time for name, time in before.items())
    finally:
        os.umask(old)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_a_pipe_named_like_the_output_of_a_run_stops_no_hunt(tmp_path: Path) -> None:
    from mistakebound.teachers.command import CommandOracle

    keep = tmp_path / "kept"
    keep.mkdir()
    os.mkfifo(keep / "begun-0001.txt")
    (keep / "begun-0002.txt").write_text("mine")
    oracle = CommandOracle(["sh", "-c", "echo said; exit 1", "sh", "{}"], ["a"], keep=str(keep))
    assert oracle.ask({"a"}) == 1
    assert (keep / "run-0003.txt").read_text() == "said\n"
    assert (keep / "begun-0002.txt").read_text() == "mine"
