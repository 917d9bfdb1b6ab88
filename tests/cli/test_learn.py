from __future__ import annotations

import fcntl
import gzip
import json
import re
import signal
import subprocess
import sys
import termios
import time
from array import array
from pathlib import Path

import pytest

import mistakebound as mb
from cli.rows import write_rows
from cli.test_resume import small_blocks
from mistakebound.cli.commands import COMMANDS
from mistakebound.core import model_file

ON_LINUX = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's account of processes")
WINNOW = ("--learner", "winnow1", "--set", "n=4")


def wait_until_read(process: subprocess.Popen[bytes]) -> None:
    """Return when a process has read all that was written to it, and sleeps."""
    assert process.stdin is not None
    left, asleep = array("i", [1]), 0
    while asleep < 10:
        time.sleep(0.02)
        fcntl.ioctl(process.stdin.fileno(), termios.FIONREAD, left)
        state = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]
        asleep = asleep + 1 if not left[0] and state == "S" else 0


def parts(path: Path) -> tuple[dict, dict]:
    """What is in a model, apart from where it stopped reading."""
    header, arrays = model_file.read(path)
    return {name: value for name, value in header.items() if name != "position"}, arrays


def test_json_has_the_fields_of_the_contract(run, stream, tmp_path: Path):
    model = tmp_path / "out.mb"
    result = run("learn", stream, *WINNOW, "--assume", "k=1", "--model", model, "--json")
    assert (result.code, result.err) == (0, "")
    found = result.json
    assert found["learner"] == "winnow1"
    assert found["parameters"] == {"alpha": 2.0, "theta": None, "n": 4, "rule": ">", "start": 1.0}
    assert (found["trials"], found["mistakes"]) == (6, 3)
    assert (found["false_positives"], found["false_negatives"], found["error_rate"]) == (0, 3, 0.5)
    assert (found["bound"], found["attributes"], found["model"]) == (7.0, 4, str(model))
    assert found["seconds"] > 0


def test_the_report_fits(run, stream):
    out = run("learn", stream, "--learner", "winnow2", "--assume", "k=1", "--assume", "n=1000").out
    assert "  mistakes    " in out
    assert max(map(len, out.splitlines()[1:])) < 80


def test_quiet_prints_nothing(run, stream):
    result = run("learn", stream, "--quiet")
    assert (result.code, result.out, result.err) == (0, "", "")


@pytest.mark.parametrize("learner", ["winnow1", "winnow2", "perceptron"])
def test_going_on_from_a_model_is_as_one_run(run, tmp_path: Path, learner):
    whole = write_rows(tmp_path / "whole.svm", 400)
    lines = whole.read_text().splitlines(keepends=True)
    one, two = tmp_path / "one.svm", tmp_path / "two.svm"
    one.write_text("".join(lines[:150]))
    two.write_text("".join(lines[150:]))
    run("learn", whole, "--learner", learner, "--model", tmp_path / "whole.mb")
    run("learn", one, "--learner", learner, "--model", tmp_path / "half.mb")
    result = run("learn", two, "--from", tmp_path / "half.mb", "--model", tmp_path / "rest.mb", "--json")
    assert result.json["trials"] == 400
    assert parts(tmp_path / "rest.mb") == parts(tmp_path / "whole.mb")
    run("learn", one, two, "--learner", learner, "--model", tmp_path / "both.mb")
    assert parts(tmp_path / "both.mb") == parts(tmp_path / "whole.mb")


@pytest.mark.parametrize(("rows", "block"), [(4000, 9000), pytest.param(40_000, 1 << 20, marks=pytest.mark.long)])
def test_threads_do_not_change_a_byte(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int, block: int):
    small_blocks(monkeypatch, block)
    stream = write_rows(tmp_path / "rows.svm", rows)
    models = []
    for threads in (1, 2, 3):
        model = tmp_path / f"{threads}.mb"
        assert run("learn", stream, "--threads", threads, "--model", model, "--quiet").code == 0
        models.append(model.read_bytes())
    assert models[0] == models[1] == models[2]


def test_gzip_and_plain_are_one(run, stream, tmp_path: Path):
    packed = tmp_path / "events.svm.gz"
    packed.write_bytes(gzip.compress(stream.read_bytes()))
    run("learn", stream, "--model", tmp_path / "plain.mb")
    run("learn", packed, "--model", tmp_path / "packed.mb")
    assert parts(tmp_path / "packed.mb") == parts(tmp_path / "plain.mb")


def test_a_refuted_assumption_is_exit_5_when_strict(run, stream):
    words = ("learn", stream, *WINNOW, "--assume", "k=0")
    plain = run(*words, "--json")
    assert (plain.code, plain.json["verdict"]["kind"]) == (0, "refuted")
    strict = run(*words, "--strict")
    assert strict.code == 5
    assert "no monotone disjunction of at most 0 of 4 attributes explains these labels" in strict.err
    assert run("learn", stream, *WINNOW, "--assume", "k=1", "--strict").code == 0


def test_bad_lines_fail_or_are_skipped_and_counted(run, tmp_path: Path):
    rows, model = tmp_path / "rows.svm", tmp_path / "rows.mb"
    rows.write_text("+1 3:1\n+1 x:1\n-1 2:1\n+1 1:1 1:1\n+1 2:x\n+1 3:1\n")
    failed = run("learn", rows, "--model", model)
    assert (failed.code, failed.out) == (3, "")
    assert f"{rows}:2: attribute 'x' is not a number: '+1 x:1'" in failed.err
    assert not model.exists()
    skipped = run("learn", rows, "--on-error", "skip", "--json")
    assert (skipped.code, skipped.json["trials"], skipped.json["skipped"]) == (0, 3, 3)
    for line in (2, 4, 5):
        assert f"{rows}:{line}: " in skipped.err


def test_ten_bad_rows_are_listed_and_all_are_counted(run, tmp_path: Path):
    rows = tmp_path / "rows.svm"
    for bad in ("1 1:2\n", "1 x:1\n"):  # what the learner cannot take, and what the reader cannot
        rows.write_text("1 1:1\n" + bad * 14)
        result = run("learn", rows, "--learner", "winnow2", "--on-error", "skip", "--json")
        assert (result.json["skipped"], result.err.count("skipped: ")) == (14, 10)


def test_the_report_says_what_is_new(run, stream, tmp_path: Path):
    assert "of them now" not in run("learn", stream, "--model", tmp_path / "m.mb").out
    assert "12 (6 of them now)" in run("learn", stream, "--from", tmp_path / "m.mb").out


def test_labels_that_fit_no_hypothesis_stop_with_a_verdict(run, tmp_path: Path):
    rows, model = tmp_path / "rows.svm", tmp_path / "rows.mb"
    rows.write_text("0 1:1\n1 1:1\n0 2:1\n")
    words = ("learn", rows, "--learner", "disjunction-elimination", "--model", model)
    found = run(*words, "--json")
    assert (found.code, found.json["trials"], found.json["verdict"]["kind"]) == (0, 2, "inconsistent")
    assert "trial 2: no consistent monotone disjunction" in found.json["verdict"]["text"]
    assert model.exists()
    assert run(*words, "--strict").code == 5


def test_no_going_on_from_inconsistent_labels(run, tmp_path):
    rows, more = tmp_path / "rows.svm", tmp_path / "more.svm"
    rows.write_text("1 1:1\n# a note\n0 1:1\n1 2:1\n1 3:1\n")
    more.write_text("1 1:1\n" * 7)
    words = ("--learner", "conjunction-elimination", "--set", "n=3", "--model", tmp_path / "m.mb")
    assert run("learn", rows, more, *words).code == 0
    model = mb.load(tmp_path / "m.mb")
    assert model.ledger.trials == 2, "the second file is not begun"
    assert model.position == {"source": str(rows), "line": 3}
    result = run("learn", more, "--from", tmp_path / "m.mb")
    assert result.code == 1
    assert "cannot continue from" in result.err


def test_what_is_assumed_now_comes_before_what_the_model_assumed(run, tmp_path):
    rows = tmp_path / "rows.svm"
    rows.write_text("1 1:1\n0 2:1\n")
    run("learn", rows, "--learner", "winnow1", "--set", "n=8", "--assume", "k=1", "--model", tmp_path / "m.mb")
    assert mb.load(tmp_path / "m.mb").assumptions == {"k": 1}
    run("learn", rows, "--from", tmp_path / "m.mb", "--assume", "k=3", "--model", tmp_path / "m.mb")
    assert mb.load(tmp_path / "m.mb").assumptions == {"k": 3}


def test_labels_are_settled_by_trials_that_took_place(run, tmp_path):
    rows = tmp_path / "rows.svm"
    rows.write_text("+1 1:1\n+1 2:7\n-1 3:1\n+1 4:1\n")
    words = "--learner", "winnow2", "--on-error", "skip", "--model", tmp_path / "m.mb", "--json"
    found = json.loads(run("learn", rows, *words).out)
    assert (found["trials"], found["skipped"], found["labels"]) == (3, 1, [-1, 1])
    rows.write_text("+1 1:1\n+1 2:1\n")
    run("learn", rows, "--model", tmp_path / "m.mb", "--quiet")
    assert mb.load(tmp_path / "m.mb").learner.labels.values == (-1, 1), "+1 has the partner -1"


def test_a_third_label_is_found_where_it_stands(run, tmp_path):
    rows = tmp_path / "rows.svm"
    rows.write_text("+1 2:1\n0 9:1\n-1 7:1\n-1 8:1\n")
    result = run("learn", rows, "--labels", "0,1")
    assert result.code == 3
    assert f"{rows}:3: label -1 is neither '0' nor '1'; more than two labels are for" in result.err
    result = run("learn", rows, "--labels", "0,1", "--on-error", "skip", "--json")
    assert (json.loads(result.out)["trials"], json.loads(result.out)["skipped"]) == (2, 2)


def test_where_no_model_can_be_written_nothing_is_learned(run, tmp_path):
    rows = tmp_path / "rows.svm"
    rows.write_text("1 1:1\n")
    for place in (tmp_path / "no" / "m.mb", tmp_path):
        result = run("learn", rows, "--model", place)
        assert (result.code, result.out) == (1, "")
        assert "cannot write" in result.err


def test_a_link_to_a_model_stays_a_link(run, tmp_path):
    rows, link = tmp_path / "rows.svm", tmp_path / "link.mb"
    rows.write_text("1 1:1\n")
    (tmp_path / "real.mb").touch()
    link.symlink_to(tmp_path / "real.mb")
    assert run("learn", rows, "--model", link, "--quiet").code == 0
    assert link.is_symlink()
    assert len(mb.load(tmp_path / "real.mb").learner.attributes) == 1


def test_usage_errors(run, stream, tmp_path: Path, model):
    for words, part in (
        ((), "FILE"),
        ((stream, "--learner", "winow1"), "did you mean winnow1?"),
        ((stream, "--learner", "winnow2", "--set", "alpha=1"), "alpha must be a number > 1: 1"),
        ((stream, "--set", "alpha"), "--set must be NAME=VALUE: 'alpha'"),
        ((stream, "--assume", "delta=1"), "delta is not a fact that arow can use"),
        ((stream, "--learner", "winnow2", "--assume", "k=-1"), "k must be a whole number >= 0: '-1'"),
        ((stream, "--labels", "one"), "--labels must be NEG,POS: 'one'"),
        ((stream, "--threads", "0"), "--threads must be >= 1: 0"),
        ((stream, "--from", model, "--learner", "winnow1"), "--learner cannot be changed with --from"),
        ((stream, "--format", "xls"), "invalid choice"),
        ((stream, "--colour"), "there is no option --colour"),
    ):
        result = run("learn", *words)
        assert result.code == 2, words
        assert part in result.err


def test_a_file_that_is_not_there(run):
    result = run("learn", "missing.svm")
    assert result.code == 1
    assert result.err == "mistakebound: missing.svm: No such file or directory\n"


def test_a_model_that_cannot_be_written(run, stream, tmp_path: Path):
    result = run("learn", stream, "--model", tmp_path / "nowhere" / "m.mb")
    assert result.code == 1
    assert "cannot write" in result.err


def test_the_command_must_be_known(run):
    assert run("lern").code == 2
    assert "there is no command 'lern' (did you mean learn?)" in run("lern").err
    assert run("--version").code == 0
    shown = run("--help").out
    assert run().code == 2
    assert run().err == run("--help-all").out == shown
    assert "help-all" not in shown
    for name, purpose in COMMANDS.items():
        assert re.search(f"^ +{name} +{purpose}$", shown, re.MULTILINE)


def test_bad_lines_behind_the_end_are_no_news(run, tmp_path: Path):
    rows = tmp_path / "rows.svm"
    rows.write_text("0 x:1\n0 1:1\n1 1:1\n0 x:1\n")
    result = run("learn", rows, "--learner", "disjunction-elimination", "--on-error", "skip", "--json")
    assert (result.json["verdict"]["kind"], result.json["skipped"]) == ("inconsistent", 1)
    assert result.err.count("skipped: ") == 1


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("csv", "a,b,y\n" + "0.5,p,halt\n0.2,q,go\n" * 150 + "0.9,p,ha"),
        ("tsv", "a\tb\ty\n" + "0.5\tcafé\thalt\n0.2\tübel\tgo\n" * 150),
        ("jsonl", '{"a": 1, "label": "halt"}\n{"a": 2, "label": "go"}\n' * 150),
    ],
)
@ON_LINUX
def test_a_signal_before_the_first_rows_are_known(tmp_path: Path, format: str, text: str) -> None:
    """Kinds and labels are told by the first 1,000 rows: when a pipe is ended before, by those that came."""
    model, pipe = tmp_path / "m.mb", subprocess.PIPE
    words = [sys.executable, "-m", "mistakebound", "learn", "-", "--format", format, "--model", str(model), "--json"]
    process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin is not None
    process.stdin.write(text.encode("latin-1" if format == "tsv" else "utf-8"))
    process.stdin.flush()
    wait_until_read(process)
    process.send_signal(signal.SIGTERM)
    process.wait(30)
    assert process.stdout is not None
    assert json.loads(process.stdout.read())["trials"] == 300
    process.communicate()
    found = mb.load(model).ledger
    assert found is not None
    assert (found.trials, process.returncode) == (300, 143)


@ON_LINUX
@pytest.mark.parametrize(
    ("name", "ignored"), [("SIGTERM", False), ("SIGHUP", False), ("SIGINT", False), ("SIGTERM", True), ("SIGHUP", True)]
)
def test_signals_save_what_was_learned(tmp_path: Path, name: str, ignored: bool) -> None:
    """A process that is told to end while it waits for rows keeps those that it has learned.

    Also where Ctrl-C is ignored, as in a shell script's `command &`; and it stays so.
    """
    model = tmp_path / "m.mb"
    words = [sys.executable, "-m", "mistakebound", "learn", "-", "--labels=-1,+1", "--format", "libsvm", "--model"]
    pipe = subprocess.PIPE
    number = getattr(signal, name)
    # Tests that run under nohup pass on that SIGHUP is ignored, and the program would respect it.
    before = signal.signal(number, signal.default_int_handler)
    ctrl_c = signal.signal(signal.SIGINT, signal.SIG_IGN) if ignored else None
    try:
        process = subprocess.Popen([*words, str(model), "--json"], stdin=pipe, stdout=pipe, stderr=pipe)
    finally:
        signal.signal(number, before)
        if ignored:
            signal.signal(signal.SIGINT, ctrl_c)
    assert process.stdin is not None
    process.stdin.write(b"+1 1:1\n-1 2:1\n" * 500)
    process.stdin.flush()
    wait_until_read(process)
    if ignored:
        process.send_signal(signal.SIGINT)
        wait_until_read(process)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number, err
    assert b"holds what was learned so far" in err
    ledger = mb.load(model).ledger
    assert ledger is not None
    assert ledger.trials == 1000 == json.loads(out)["trials"]
