"""What only a process of its own can show: pipes, signals, what is imported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import mistakebound as mb

PROGRAM = [sys.executable, "-m", "mistakebound"]
HEAVY = ["numpy", "scipy", "matplotlib", "rich", "shtab", "typing", "dataclasses", "fractions"]
NOT_FOR_PLAIN = ["argparse", "gettext", "locale", "textwrap", "difflib", "tempfile", "shutil", "subprocess"]


def call(*words: object, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *map(str, words)], capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload,no-any-return]


def test_standard_input(stream: Path, tmp_path: Path):
    done = call("learn", "-", "--learner", "winnow2", "--model", tmp_path / "m.mb", input=stream.read_text())
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
    for patience in (0.7, 3, 10):  # both rows are learned by then, and it waits for more; a busy machine takes longer
        process = subprocess.Popen(
            [*PROGRAM, "learn", "-", "--model", str(model), "--threads", threads, "--quiet"],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        with process:
            assert process.stdin is not None
            assert process.stderr is not None
            process.stdin.write("+1 3:1\n-1 2:1\n")
            process.stdin.flush()
            time.sleep(patience)
            process.send_signal(signal.SIGINT)
            err = process.stderr.read()
            code = process.wait(10)
        if model.exists():
            break
    assert code == 130
    assert f"interrupted after 2 trials; {model} holds what was learned so far" in err
    assert mb.load(model).ledger.trials == 2


def test_interrupted_before_the_first_row_it_leaves_the_model_that_is_there(tmp_path: Path) -> None:
    rows, model = tmp_path / "rows.svm", tmp_path / "m.mb"
    rows.write_text("+1 3:1\n-1 2:1\n")
    subprocess.run([*PROGRAM, "learn", str(rows), "--model", str(model), "--quiet"], check=True)
    before = model.read_bytes()
    for patience in (0.7, 3, 10):  # it waits for rows by then; a busy machine takes longer to start
        process = subprocess.Popen(
            [*PROGRAM, "learn", "-", "--model", str(model), "--quiet"],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        with process:
            assert process.stderr is not None
            time.sleep(patience)
            process.send_signal(signal.SIGINT)
            err = process.stderr.read()
            code = process.wait(10)
        if "trials" in err:
            break
    assert code == 130
    assert f"interrupted after 0 trials; {model} was not written" in err
    assert model.read_bytes() == before


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
    assert mb.load(model).ledger.trials == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_output_that_cannot_be_written(stream: Path):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PROGRAM, "learn", str(stream)], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "mistakebound: output: No space left on device\n"


def imported_by(wanted: list[str], *words: object) -> tuple[list[str], str]:
    """Which of these modules a command imports beyond those that Python itself starts with."""
    # -S -E: what site and its .pth files import is not our doing
    script = (
        f"import sys; sys.path.insert(0, {str(Path(mb.__file__).parents[1])!r}); import mistakebound; "
        f"first = set(sys.modules); from mistakebound.cli import main; main({[str(word) for word in words]!r}); "
        f"print([m for m in {wanted} if m in sys.modules], [m for m in {wanted} if m in first])"
    )
    done = subprocess.run([sys.executable, "-S", "-E", "-c", script], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[-1:], done.stderr


@pytest.mark.parametrize(
    "learner", ["arow", "winnow1", "winnow2", "balanced-winnow", "perceptron", "passive-aggressive"]
)
def test_learning_imports_nothing_heavy(learner: str, stream: Path, tmp_path: Path):
    found, said = imported_by(HEAVY, "learn", stream, "--learner", learner, "--model", tmp_path / "m.mb")
    assert found == ["[] []"], said


def test_measuring_imports_nothing_heavy(stream: Path, tmp_path: Path):
    assert call("learn", stream, "--learner", "arow", "--model", tmp_path / "m.mb").returncode == 0
    found, said = imported_by(HEAVY, "eval", tmp_path / "m.mb", stream)
    assert found == ["[] []"], said


def test_a_plain_line_needs_no_parser_and_a_quiet_run_no_table(stream: Path, tmp_path: Path):
    found, said = imported_by(HEAVY + NOT_FOR_PLAIN, "learn", stream, "--model", tmp_path / "m.mb", "--quiet", "--json")
    assert found == ["[] []"], said


def test_the_end_is_left_to_a_profiler_that_watches(stream: Path):
    done = subprocess.run(
        [sys.executable, "-m", "cProfile", "-m", "mistakebound", "learn", str(stream), "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert '"mistakes"' in done.stdout
    assert "function calls" in done.stdout


@pytest.mark.parametrize("target", ["file", "/dev/full"])
def test_what_is_still_to_be_written_at_the_end_is_not_lost(tmp_path: Path, target: str):
    """A command that leaves something in the buffer: it is written, or Python says why it cannot be."""
    if target == "/dev/full" and not os.path.exists(target):
        pytest.skip("needs a device that is always full")
    script = "from mistakebound import cli; cli.main = lambda **_: print('said') or 3; cli.process()"
    with open(tmp_path / target, "w") as out:
        done = subprocess.run(
            [sys.executable, "-c", script], stdout=out, stderr=subprocess.PIPE, text=True, check=False
        )
    if target == "file":
        assert (done.returncode, done.stderr) == (3, "")
        assert (tmp_path / target).read_text() == "said\n"
    else:
        assert done.returncode != 0
        assert "No space left on device" in done.stderr


@pytest.mark.parametrize(("name", "shown"), [(r"\ud800", r"a=\ud800"), ("é", r"a=\xe9")])
def test_names_that_the_output_cannot_write_are_escaped(tmp_path: Path, name: str, shown: str) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(f'{{"y": 1, "a": "{name}"}}\n', encoding="utf-8")
    done = call("learn", rows, "--label", "y", "--fast", env={**os.environ, "PYTHONIOENCODING": "ascii:strict"})
    assert (done.returncode, done.stderr) == (0, "")
    assert shown in done.stdout


# Ctrl-C at the import of the N-th module of a command; None: how many there are.
AT_IMPORT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
wanted, sys.argv = int(sys.argv[1]), ["mistakebound", *sys.argv[2:]]

class Counter:
    seen = 0

    def find_spec(self, name, path=None, target=None):
        Counter.seen += 1
        if Counter.seen == wanted:
            os.kill(os.getpid(), signal.SIGINT)

from mistakebound.cli import process
sys.meta_path.insert(0, Counter())
if wanted == 0:
    os._exit = lambda code: (print("modules", Counter.seen), sys.stdout.flush(), os.kill(os.getpid(), 9))
process()
"""


@pytest.mark.parametrize("words", [("learn", "{}", "--learner", "perceptron"), ("explain", "{}"), ("--help",)])
def test_ctrl_c_while_starting_is_one_word(words: tuple[str, ...], stream: Path) -> None:
    words = tuple(str(stream) if word == "{}" else word for word in words)
    run = [sys.executable, "-c", AT_IMPORT]
    whole = subprocess.run([*run, "0", *words], capture_output=True, text=True, check=False)
    if words[0] == "--help":  # argparse ends it by itself
        count = 10
    else:
        count = int(whole.stdout.split("modules")[1])
    for number in sorted({1, 2, 3, 5, 8, count // 2, count - 2, count}):
        done = subprocess.run([*run, str(number), *words], capture_output=True, text=True, check=False)
        assert done.returncode == 130, (number, done.stderr)
        # The first is a module of Python's that the handler itself needs; the last are imported by the command.
        assert done.stderr.startswith("mistakebound: interrupted") or number < 3, (number, done.stderr)
        assert (done.stderr.count("\n") <= 1, done.stdout) == (True, ""), (number, done.stderr)


def test_ctrl_c_is_ignored_where_it_was_ignored_before(stream: Path) -> None:
    ignored = AT_IMPORT.replace("signal.default_int_handler", "signal.SIG_IGN", 1)
    done = subprocess.run([sys.executable, "-c", ignored, "3", "learn", str(stream), "--quiet"], check=False)
    assert done.returncode == 0
