"""mistakebound hunt, as it is typed: what it prints, its exit codes, how it is stopped and goes on."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROGRAM = [sys.executable, "-m", "mistakebound"]
TOGETHER = 'case " $* " in *" --x7 "*"--x31 "*) echo "7 meets 31"; exit 1;; esac'
EITHER = 'case " $* " in *" --x7 "*|*" --x31 "*) exit 1;; esac'
Hunt = Callable[..., Any]


@pytest.fixture
def flags(tmp_path: Path) -> Path:
    path = tmp_path / "flags.txt"
    path.write_text("".join(f"--x{i}\n" for i in range(1, 41)) + "\n")
    return path


@pytest.fixture(autouse=True)
def nothing_is_left_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)


@pytest.fixture
def hunt(run: Any, flags: Path) -> Hunt:
    """hunt(line of a shell, options): the flags are its arguments."""
    before = signal.getsignal(signal.SIGTERM)

    def call(line: str, *options: object) -> Any:
        done = run("hunt", "flags", flags, *options, "--", "sh", "-c", line, "sh", "{}")
        assert signal.getsignal(signal.SIGTERM) == before
        return done

    return call


def test_in_words(hunt: Hunt, tmp_path: Path) -> None:
    done = hunt(TOGETHER, "--log", tmp_path / "log")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "the culprits are --x7 and --x31, together"
    assert re.search(r"runs +\d+: 2 to test assumptions, \d+ to search, 1 to tell any from all", done.out)
    assert "every claim was seen in a run" in done.out
    progress = done.err.splitlines()
    assert progress[0].startswith("mistakebound: run 1: 40 of 40 on: bad (")
    assert all(re.search(r"bits left, about \d+ to go$", line) for line in progress[:-1])
    kept = re.search(r"the\s+last\s+one:\s+(\S+)", done.out)
    assert kept is not None, done.out
    assert Path(kept[1]).read_text() == "7 meets 31\n"
    assert tmp_path in Path(kept[1]).parents


def test_for_machines(hunt: Hunt, tmp_path: Path) -> None:
    for line, kind in ((TOGETHER, "all"), (EITHER, "any")):
        for said in ("auto", kind):
            log = tmp_path / f"{kind}-{said}.log"
            data = hunt(line, "--json", "--quiet", "--kind", said, "--log", log).json
            assert (data["culprits"], data["kind"]) == (["--x7", "--x31"], kind)
            assert data["verdict"]["kind"] == "confirmed"
            assert data["runs"] == sum(data["asked"].values())
            assert data["bits"] == pytest.approx(9.607, abs=0.001)
            assert data["failed"]
            assert all(os.path.getsize(run["output"]) == 11 * (kind == "all") for run in data["failed"])


def test_quiet_says_nothing_beside(hunt: Hunt) -> None:
    assert hunt(TOGETHER, "--quiet").err == ""


def test_a_class_that_is_wrong(hunt: Hunt) -> None:
    done = hunt(TOGETHER, "--kind", "any", "--quiet")
    assert done.code == 5
    assert done.out.startswith("the culprits are --x7 and --x31, together\n")
    assert "contradict each other if any culprit suffices" in " ".join(done.out.split())
    assert len(re.findall(r"^  run \d+ +(bad|good) with .* on$", done.out, flags=re.MULTILINE)) == 3


def test_neither(hunt: Hunt) -> None:
    done = hunt(f'{TOGETHER}; case " $* " in *" --x20 "*) exit 1;; esac', "--quiet")
    assert done.code == 0
    assert done.out.splitlines()[0] in (
        "it fails with --x20, or with --x7 + --x31",
        "it fails with --x7 + --x31, or with --x20",
    )
    assert "2 minimal failing sets were found" in done.out


def test_known_number_and_no_verification(hunt: Hunt) -> None:
    data = hunt(TOGETHER, "--culprits", 2, "--no-verify", "--kind", "all", "--json", "--quiet").json
    assert data["culprits"] == ["--x7", "--x31"]
    assert data["verdict"]["kind"] == "unverified"
    assert data["runs"] <= 2 + 12


def test_variables(run: Any) -> None:
    names = "A,B=two,C,D,E,F,G,H"
    done = run("hunt", "env", names, "--json", "--quiet", "--", "sh", "-c", 'test "$B$F" != two1')
    assert done.json["culprits"] == ["B", "F"]
    assert run("hunt", "env", "A,=x", "--", "true").code == 2
    assert run("hunt", "env", "A,B,A", "--", "true").code == 11


def test_a_file_of_flags_and_standard_input(tmp_path: Path) -> None:
    lines = "".join(f"line {i}\r\n" for i in range(100))
    words = ["hunt", "flags", "-", "--json", "--", "sh", "-c", '! grep -q "line 77" "$1"', "sh", "{file}"]
    done = subprocess.run([*PROGRAM, *words], input=lines, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert json.loads(done.stdout)["culprits"] == ["line 77"]


def test_several_jobs(hunt: Hunt, tmp_path: Path) -> None:
    log = tmp_path / "hunt.jsonl"
    data = hunt(f"sleep 0.02; {TOGETHER}", "--jobs", 3, "--log", log, "--json").json
    assert (data["culprits"], data["kind"]) == (["--x7", "--x31"], "all")
    entries = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    assert len(entries) == data["runs"]
    assert sum(entry["answer"] != "cancelled" for entry in entries) >= sum(data["asked"].values())
    kept = sorted(entry["output"] for entry in entries if "output" in entry)
    assert kept == sorted(str(path) for path in Path(f"{log}.output").glob("run-*"))
    assert kept == sorted(f"{log}.output/run-{entry['run']:04}.txt" for entry in entries if entry["answer"] == "bad")


def test_what_is_no_longer_needed_is_ended(hunt: Hunt, tmp_path: Path) -> None:
    """Sets that one job would not run take very long."""
    needed, log = tmp_path / "needed", tmp_path / "hunt.jsonl"
    assert hunt(f'echo "$*" >> {needed}; {TOGETHER}', "--quiet").code == 0
    data = hunt(f'grep -qxF -- "$*" {needed} || sleep 600; {TOGETHER}', "--jobs", 3, "--log", log, "--json").json
    assert data["culprits"] == ["--x7", "--x31"]
    answers = [json.loads(line)["answer"] for line in log.read_text().splitlines()[1:]]
    assert answers.count("cancelled") >= 5
    assert len(answers) == data["runs"]


def test_flaky(hunt: Hunt, tmp_path: Path) -> None:
    """Every ninth run is wrong."""
    count = tmp_path / "count"
    count.write_text("")
    line = f"echo >> {count}; n=$(wc -l < {count}); ({TOGETHER}); s=$?; [ $((n % 9)) = 0 ] && s=$((1 - s)); exit $s"
    done = hunt(line, "--confidence", 0.99, "--false-alarms", 0.15, "--misses", 0.15, "--quiet")
    assert done.out.startswith("the culprits are --x7 and --x31, together\n")
    assert "right with probability 0.99 at least" in " ".join(done.out.split())
    assert f"runs        {len(count.read_text())}, for" in done.out


def test_dry_run_runs_nothing(hunt: Hunt, tmp_path: Path) -> None:
    line = f"touch {tmp_path}/ran"
    done = hunt(line, "--dry-run", "--setup", "make clean")
    assert done.code == 0
    assert "40 flags; nothing was run" in done.out
    assert "before each  make clean" in done.out
    assert re.search(r"about 11 for 1 culprit", done.out)
    data = hunt(line, "--dry-run", "--json").json
    assert (len(data["all_on"]), len(data["all_off"]), data["flags"]) == (44, 4, 40)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("exit 0", 13, "the command is good with all flags on: there is nothing to hunt"),
        ("exit 1", 14, "the command is bad with all flags off: no flag is the cause"),
        ("exit 125", 17, "the command cannot tell with all flags on: there is nothing to hunt"),
        ("exit 130", 16, "the command stopped the hunt: exit status 130, with --x1 --x2 --x3 --x4 --x5 and 35 more on"),
    ],
)
def test_what_is_no_hunt(hunt: Hunt, line: str, code: int, message: str, tmp_path: Path) -> None:
    done = hunt(line, "--quiet")
    assert (done.code, done.out, done.err) == (code, "", f"mistakebound: {message}\n")
    empty = [path for path in tmp_path.glob("mistakebound-hunt-*") if not any(path.iterdir())]
    assert empty == []


@pytest.mark.parametrize(("line", "code"), [("echo why; exit 1", 14), ("echo why; exit 126", 16)])
def test_without_a_result_it_says_where_the_output_is(hunt: Hunt, line: str, code: int, tmp_path: Path) -> None:
    done = hunt(line, "--quiet", "--log", tmp_path / "log")
    assert done.code == code
    assert done.err.splitlines()[1] == "why", "the end of what the run printed"
    place = re.search(r"the output of bad runs is in (\S+)", done.err)
    assert place is not None
    assert {path.read_text() for path in Path(place[1]).iterdir()} == {"why\n"}


def test_cannot_tell_has_its_own_exit_code(hunt: Hunt) -> None:
    done = hunt("case $# in 0) exit 0;; 40) exit 1;; *) exit 125;; esac", "--quiet")
    assert done.code == 17
    assert done.out.startswith("it fails with --x1 + --x2 + ")
    assert "no smaller set was bad, and 40 of the 40 next smaller ones cannot be told" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--", "true", "{}"), 2, "invalid choice: 'true'"),
        (("--jobs", "2", "--", "true", "{}"), 2, "invalid choice: 'true'"),
        (("flags", "{flags}", "--", "true"), 2, "the command must say where its flags go"),
        (("flags", "{flags}"), 2, "required: COMMAND"),
        (("flags", "{flags}", "--kind", "some", "--", "true", "{}"), 2, "invalid choice: 'some'"),
        (("flags", "{flags}", "--jobs", "0", "--", "true", "{}"), 2, "jobs must be >= 1: 0"),
        (("flags", "{flags}", "--confidence", "2", "--", "true", "{}"), 2, "confidence must be > 0 and < 1: 2"),
        (("flags", "{flags}", "--misses", "0.2", "--", "true", "{}"), 2, "--misses needs"),
        (("flags", "{flags}", "--timeout", "0", "--", "true", "{}"), 2, "timeout must be > 0: 0"),
        (("flags", "{flags}", "--culprits", "99", "--", "true", "{}"), 2, "k must be >= 1 and at most"),
        (("flags", "no-such-file", "--", "true", "{}"), 1, "no-such-file: No such file or directory"),
        (("flags", "/dev/null", "--", "true", "{}"), 10, "there are no flags to hunt among"),
        (("flags", "{twice}", "--", "true", "{}"), 11, "flags must have different names: '--b' appears twice"),
        (("flags", "{zero}", "--", "true", "{}"), 3, "2: a flag has a zero byte in it"),
        (("flags", "{flags}", "--", "no-such-command", "{}"), 12, "there is no command 'no-such-command'"),
        (("flags", "{flags}", "--log", "no/such/log", "--", "true", "{}"), 1, "cannot write no/such/log"),
    ],
)
def test_bad_input(
    run: Any, flags: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: Any, code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice").write_text("--a\n--b\n--c\n--b\n")
    (tmp_path / "zero").write_bytes(b"a\nb\0\n")
    places = {"{flags}": flags, "{twice}": tmp_path / "twice", "{zero}": tmp_path / "zero"}
    done = run("hunt", *(places.get(word, word) for word in words))
    assert (done.code, done.out) == (code, "")
    assert message in done.err


def test_the_log_of_another_hunt(hunt: Hunt, run: Any, flags: Path, tmp_path: Path) -> None:
    log = tmp_path / "hunt.jsonl"
    assert hunt(TOGETHER, "--log", log, "--quiet").code == 0
    done = hunt(EITHER, "--log", log)
    assert done.code == 15
    assert f"{log} is the log of another hunt: its command was" in done.err
    flags.write_text("--a\n--b\n")
    assert "of other flags" in hunt(TOGETHER, "--log", log).err


def started(log: Path, runs: int, process: subprocess.Popen[str]) -> None:
    """Wait until so many runs are in the log."""
    for _ in range(600):
        if log.exists() and len(log.read_bytes().splitlines()) > runs:
            return
        assert process.poll() is None
        time.sleep(0.02)
    raise AssertionError("it does not go on")


def runs_still(pid: str, line: str) -> bool:
    """Whether the process is there, and not another one by now."""
    try:
        return line.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("jobs", "number"),
    [
        (1, signal.SIGKILL),
        (3, signal.SIGINT),
        pytest.param(1, signal.SIGTERM, marks=pytest.mark.long),
        pytest.param(3, signal.SIGKILL, marks=pytest.mark.long),
        pytest.param(1, signal.SIGINT, marks=pytest.mark.long),
        pytest.param(3, signal.SIGTERM, marks=pytest.mark.long),
    ],
)
def test_stopped_it_goes_on_from_its_log(flags: Path, tmp_path: Path, number: signal.Signals, jobs: int) -> None:
    log, pids, ran = tmp_path / "hunt.jsonl", tmp_path / "pids", tmp_path / "ran"
    line = f'echo $$ >> {pids}; sleep 0.1; echo "$#" >> {ran}; {TOGETHER}'
    options = ["flags", flags, "--log", log, "--jobs", jobs, "--json"]
    words = [*PROGRAM, "hunt", *map(str, options), "--", "sh", "-c", line, "sh", "{}"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        started(log, 4, process)
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert process.returncode == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    if number == signal.SIGINT:
        assert re.search(rf"interrupted after \d+ runs; run the same command to continue from {log}", err)
    if number != signal.SIGKILL:
        assert not [pid for pid in pids.read_text().split() if runs_still(pid, str(ran))], "nothing is left running"
    before = log.read_bytes()
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    data = json.loads(done.stdout)
    assert (data["culprits"], data["kind"], data["verdict"]["kind"]) == (["--x7", "--x31"], "all", "confirmed")
    assert "continuing from" in done.stderr
    entries = [json.loads(entry) for entry in log.read_text().splitlines()[1:]]
    assert log.read_bytes().startswith(before.rpartition(b"\n")[0])
    told = [json.dumps([entry.get("on"), entry.get("off")]) for entry in entries if entry["answer"] != "cancelled"]
    assert len(set(told)) == len(told), "no set was run twice"
    assert data["runs"] == len(entries)
    for entry in entries:
        assert entry["answer"] != "bad" or entry["output"].endswith(f"run-{entry['run']:04}.txt")
