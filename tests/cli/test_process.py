"""What only a process of its own can show: pipes, signals, what is imported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mistakebound import learners

PROGRAM = [sys.executable, "-m", "mistakebound"]
HEAVY = ["numpy", "scipy", "matplotlib", "rich", "shtab", "typing", "dataclasses", "fractions"]


def call(*words: object, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *map(str, words)], capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload,no-any-return]


def test_standard_input(stream: Path, tmp_path: Path):
    done = call("learn", "-", "--model", tmp_path / "m.mb", input=stream.read_text())
    assert (done.returncode, done.stderr) == (0, "")
    answers = call("predict", tmp_path / "m.mb", "-", input="3:1\n2:1\n")
    assert answers.stdout.split() == ["-1", "-1"]
    bad = call("predict", tmp_path / "m.mb", "-", input="3:1\n1 x:1\n")
    assert (bad.returncode, bad.stdout) == (3, "-1\n")
    assert bad.stderr.startswith("mistakebound: <stdin>:2: ")


def test_answers_come_as_soon_as_the_rows_do(model: Path):
    process = subprocess.Popen(
        [*PROGRAM, "predict", str(model), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        for row, answer in (("3:1\n", "+1\n"), ("2:1\n", "-1\n")):
            process.stdin.write(row)
            process.stdin.flush()
            assert process.stdout.readline() == answer
        process.stdin.close()
        assert process.wait(10) == 0


def test_a_closed_pipe_is_no_news(model: Path, tmp_path: Path):
    rows = tmp_path / "many.svm"
    rows.write_text("3:1\n" * 1_000_000)
    for threads in ("1", "2"):
        process = subprocess.Popen(
            [*PROGRAM, "predict", str(model), str(rows), "--threads", threads],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.readline() == "+1\n"
            process.stdout.close()
            assert process.stderr.read() == ""
            assert process.wait(10) == 1


@pytest.mark.parametrize("threads", ["1", "2"])
def test_interrupted_it_writes_what_it_has_learned(tmp_path: Path, threads):
    model = tmp_path / "m.mb"
    process = subprocess.Popen(
        [*PROGRAM, "learn", "-", "--model", str(model), "--threads", threads, "--quiet"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write("+1 3:1\n-1 2:1\n")
        process.stdin.flush()
        time.sleep(0.7)  # both rows are learned by now, and it waits for more
        process.send_signal(signal.SIGINT)
        err = process.stderr.read()
        assert process.wait(10) == 130
    assert f"interrupted after 2 trials; {model} holds what was learned so far" in err
    assert learners.load_model(model).header["ledger"]["trials"] == 2


def test_ctrl_c_while_the_model_is_written_waits_for_it(tmp_path: Path):
    """The signals come from within the save: the model must be whole all the same, and the exit code say so."""
    rows, model = tmp_path / "rows.svm", tmp_path / "m.mb"
    rows.write_text("+1 3:1\n-1 2:1\n")
    script = (
        "import os, signal, sys; from mistakebound.core import model_file; from mistakebound.cli import main; "
        "real = model_file._write; "
        "twice = lambda: [os.kill(os.getpid(), signal.SIGINT) for _ in range(2)]; "
        "model_file._write = lambda *a: (twice(), real(*a))[1]; "
        f"sys.exit(main(['learn', {str(rows)!r}, '--model', {str(model)!r}, '--quiet']))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert "holds what was learned so far" in done.stderr
    assert learners.load_model(model).header["ledger"]["trials"] == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_output_that_cannot_be_written(stream: Path):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PROGRAM, "learn", str(stream)], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "mistakebound: output: No space left on device\n"


def test_learning_imports_nothing_heavy(stream: Path, tmp_path: Path):
    script = (
        "import sys; import mistakebound; first = set(sys.modules); from mistakebound.cli import main; "
        f"main(['learn', {str(stream)!r}, '--model', {str(tmp_path / 'm.mb')!r}]); "
        f"print([m for m in {HEAVY} if m in sys.modules], [m for m in {HEAVY} if m in first])"
    )
    # -S -E: what site and its .pth files import is not our doing
    path = os.pathsep.join([str(Path(learners.__file__).parents[2])])
    start = f"import sys; sys.path.insert(0, {path!r}); "
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", start + script], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1:] == ["[] []"], done.stderr
