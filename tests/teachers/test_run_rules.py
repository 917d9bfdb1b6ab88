"""What a run means: exit codes, matches, crashes, timeouts, numbers; and the places that a command names."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from mistakebound.core.errors import BadParameter, CommandStopped
from mistakebound.teachers.command import CommandOracle
from mistakebound.teachers.run_rules import RunRules, Stop, exit_codes

SEGV = -int(signal.SIGSEGV)


@pytest.mark.parametrize(
    ("rules", "answers"),
    [
        ({}, {0: False, 1: True, 124: True, 125: None, 126: Stop, 127: Stop, 139: Stop, SEGV: Stop}),
        ({"bad_codes": frozenset({2, 126})}, {0: False, 1: None, 2: True, 126: True, 125: None, 139: Stop}),
        ({"skip_codes": frozenset({5, 125, 139})}, {0: False, 1: True, 5: None, SEGV: None, 139: None, 127: Stop}),
        ({"crash_is_bad": True}, {0: False, SEGV: True, 139: True, 127: Stop}),
        ({"invert": True}, {0: True, 1: False, 125: None, 126: Stop}),
        ({"bad_codes": frozenset({0})}, {0: True, 1: None}),
        ({"invert": True, "crash_is_bad": True}, {0: True, SEGV: False}),
    ],
)
def test_exit_statuses(rules: dict[str, Any], answers: dict[int, Any]) -> None:
    for status, expected in answers.items():
        if expected is Stop:
            with pytest.raises(Stop):
                RunRules(**rules).answer(status)
        else:
            assert RunRules(**rules).answer(status) is expected, status


def test_a_text_in_the_output() -> None:
    rules = RunRules(match="^internal compiler error")
    printed = b"note\ninternal compiler error: 7\n"
    assert [rules.answer(status, printed=printed) for status in (0, 1, SEGV)] == [True] * 3
    assert [rules.answer(status, printed=b"another") for status in (0, 1, 125)] == [False, None, None]


def test_timeouts() -> None:
    assert RunRules().answer(124, timed_out=True) is True
    assert RunRules(timeout_is_bad=False).answer(124, timed_out=True) is None
    assert RunRules(invert=True).answer(124, timed_out=True) is True


def test_numbers() -> None:
    rules = RunRules(measure="output", threshold=10)
    assert [rules.answer(0, printed=text) for text in (b"1 then 10.5", b"x=-1e3 ms", b"none")] == [True, False, None]
    assert rules.answer(1, printed=b"99") is None
    seconds = RunRules(measure="seconds", threshold=0.5)
    assert (seconds.answer(0, seconds=0.6), seconds.answer(0, seconds=0.4)) == (True, False)


@pytest.mark.parametrize(
    "rules",
    [{"match": "("}, {"match": "a", "measure": "output"}, {"measure": "speed"}, {"threshold": float("nan")}],
)
def test_rules_that_mean_nothing(rules: dict[str, Any]) -> None:
    with pytest.raises(BadParameter):
        RunRules(**rules)


def test_lists_of_exit_codes() -> None:
    assert exit_codes("0, 7-9") == {0, 7, 8, 9}
    for text in ("", "x", "1-", "-1", "256", "1,,2", "5-3"):
        with pytest.raises(BadParameter, match="exit codes must be numbers from 0 to 255"):
            exit_codes(text)


def test_the_rules_of_a_command() -> None:
    words = ["sh", "-c", 'echo "$*"; test "$1" != a || exit 3', "sh", "{}"]
    assert CommandOracle(words, ["a", "b"], rules=RunRules(match="a b")).ask({"a", "b"}) == 1
    assert CommandOracle(words, ["a", "b"], rules=RunRules(match="a b")).ask({"a"}) is None
    assert CommandOracle(words, ["a", "b"], rules=RunRules(invert=True)).ask({"a"}) == 0
    crash = ["sh", "-c", "kill -SEGV $$", "{}"]
    with pytest.raises(CommandStopped):
        CommandOracle(crash, ["a"]).ask({"a"})
    assert CommandOracle(crash, ["a"], rules=RunRules(crash_is_bad=True)).ask({"a"}) == 1
    slow = ["sh", "-c", "sleep 60", "{}"]
    assert CommandOracle(slow, ["a"], timeout=0.05, rules=RunRules(timeout_is_bad=False)).ask({"a"}) is None


def test_on_and_off_have_their_own_words() -> None:
    forms = {"-fx": (("-fx",), ("-fno-x",)), "-fy=2": (("-fy=2",), ("-fy=0",))}
    oracle = CommandOracle(["cc", "{}", "a.c"], list(forms), forms=forms)
    assert oracle.words({"-fx"}) == ["cc", "-fx", "-fy=0", "a.c"]
    assert oracle.words({"-fy=2"}) == ["cc", "-fno-x", "-fy=2", "a.c"]


def test_each_run_has_a_folder_and_each_job_a_number(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    line = f'test -d "$1" && test -z "$(ls "$1")" && touch "$1/x" && echo "$1 $2" >> {seen} && sleep 0.2'
    oracle = CommandOracle(["sh", "-c", line, "sh", "{dir}", "{job}", "{}"], ["a"])
    threads = [threading.Thread(target=oracle.ask, args=({"a"},)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    places = [line.split() for line in seen.read_text().splitlines()]
    assert sorted(job for _, job in places) == ["0", "1", "2"]
    assert len({folder for folder, _ in places}) == 3
    assert not any(os.path.exists(folder) for folder, _ in places)
    assert oracle.ask({"a"}) == 0
    assert seen.read_text().splitlines()[-1].endswith(" 0"), "a number is given again"


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks at /proc")
def test_a_killed_hunt_leaves_no_process(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    program = (
        "from mistakebound.teachers.command import CommandOracle\n"
        f"CommandOracle(['sh', '-c', 'sleep 600 & echo $! $$ > {pids}; wait', '{{}}'], ['a']).ask({{'a'}})\n"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        for _ in range(1000):
            if pids.exists() and pids.read_text().endswith("\n"):
                break
            time.sleep(0.02)
        time.sleep(0.3)  # it is told to the watcher right after it has begun
        process.kill()
    for pid in pids.read_text().split():
        for _ in range(500):
            if not _runs(pid):
                break
            time.sleep(0.02)
        assert not _runs(pid)


def _runs(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
