"""The log of a hunt: nothing is run twice, a torn line is dropped, a foreign log is refused."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.errors import AnotherHunt, BadData, MistakeboundError

FLAGS = [f"f{i}" for i in range(20)] + ["é", 'with "quotes"']
CULPRITS = {"f7", "é"}


class Killed(BaseException):
    pass


class Oracle:
    """Dies at some run; remembers what it was asked."""

    def __init__(self, dies_at: int | None = None) -> None:
        self.dies_at = dies_at
        self.asked: list[frozenset[str]] = []

    def __call__(self, on: frozenset[str]) -> bool:
        if len(self.asked) == self.dies_at:
            raise Killed
        self.asked.append(on)
        return on >= CULPRITS


def test_a_killed_hunt_goes_on_and_repeats_nothing(tmp_path: Path) -> None:
    whole = Oracle()
    expected = mb.hunt(whole, FLAGS)
    for dies_at in range(expected.runs):
        log = tmp_path / f"{dies_at}.jsonl"
        first, second = Oracle(dies_at), Oracle()
        with pytest.raises(Killed):
            mb.hunt(first, FLAGS, log=log)
        assert len(log.read_text().splitlines()) == 1 + dies_at
        found = mb.hunt(second, FLAGS, log=log)
        assert first.asked + second.asked == whole.asked
        assert (found.culprits, found.runs, found.asked) == (expected.culprits, expected.runs, expected.asked)
        assert found.ledger.counts() == expected.ledger.counts()
        assert [run.number for run in found.history] == list(range(1, expected.runs + 1))
    again = Oracle()
    assert mb.hunt(again, FLAGS, log=log).culprits == expected.culprits
    assert again.asked == []


def test_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    log = tmp_path / "hunt.jsonl"
    mb.hunt(Oracle(), FLAGS, log=log)
    data = log.read_bytes()
    lines = data.splitlines(keepends=True)
    for cut in range(1, len(lines[-1])):
        log.write_bytes(data[:-cut])
        oracle = Oracle()
        mb.hunt(oracle, FLAGS, log=log)
        assert len(oracle.asked) == 1
        assert len(log.read_bytes().splitlines()) == len(lines)
        assert all(json.loads(line) for line in log.read_bytes().splitlines())
    log.write_bytes(lines[0][:10])  # torn within the first line: nothing has been run
    oracle = Oracle()
    mb.hunt(oracle, FLAGS, log=log)
    assert len(oracle.asked) == len(lines) - 1


def test_each_run_is_on_the_disk_before_the_next(tmp_path: Path) -> None:
    log = tmp_path / "hunt.jsonl"
    seen = []

    def bad(on: frozenset[str]) -> bool:
        seen.append(len(log.read_bytes().splitlines()) - 1)
        return on >= CULPRITS

    found = mb.hunt(bad, FLAGS, log=log)
    assert seen == list(range(found.runs))
    entries = [json.loads(line) for line in log.read_text().splitlines()][1:]
    for entry, run in zip(entries, found.history, strict=True):
        on = set(entry["on"]) if "on" in entry else set(FLAGS) - set(entry["off"])
        assert (on, entry["answer"], entry["run"]) == (run.on, run.answer, run.number)


def test_each_line_is_synced_before_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, synced = tmp_path / "hunt.jsonl", [0]
    sync = os.fsync

    def noted(handle: int) -> None:
        sync(handle)
        if stat.S_ISREG(os.fstat(handle).st_mode):
            synced[0] = os.fstat(handle).st_size

    def bad(on: frozenset[str]) -> bool:
        assert synced[0] == log.stat().st_size > 0
        return on >= CULPRITS

    monkeypatch.setattr("os.fsync", noted)
    mb.hunt(bad, FLAGS, log=log)
    assert synced[0] == log.stat().st_size


def test_runs_of_a_flaky_hunt_are_all_used(tmp_path: Path) -> None:
    log = tmp_path / "hunt.jsonl"
    first, second = Oracle(30), Oracle()
    with pytest.raises(Killed):
        mb.hunt(first, FLAGS, confidence=0.99, log=log)
    found = mb.hunt(second, FLAGS, confidence=0.99, log=log)
    assert set(found.culprits) == CULPRITS
    assert found.runs == len(first.asked) + len(second.asked) == mb.hunt(Oracle(), FLAGS, confidence=0.99).runs


def test_logs_of_other_hunts_are_refused(tmp_path: Path) -> None:
    log = tmp_path / "hunt.jsonl"
    mb.hunt(Oracle(), FLAGS, log=log, hunted={"command": ["make", "{}"]})
    before = log.read_bytes()
    with pytest.raises(AnotherHunt, match="of other flags"):
        mb.hunt(Oracle(), FLAGS[::-1], log=log, hunted={"command": ["make", "{}"]})
    with pytest.raises(AnotherHunt, match=r"its command was \[.make., .{}.\]"):
        mb.hunt(Oracle(), FLAGS, log=log, hunted={"command": ["make", "all", "{}"]})
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    ("number", "line", "message"),
    [
        (1, b"not json\n", "1: this is not the log of a hunt"),
        (1, b"[1]\n", "1: this is not the log of a hunt"),
        (1, b'{"hunt": 99}\n', "1: a log of version 99, not 1"),
        (3, b"\n", "3: this is not the line of a run"),
        (3, b'{"run": 2, "answer": "perhaps", "on": []}\n', "3: this is not the line of a run"),
        (3, b'{"run": 2, "answer": "bad", "on": ["g"]}\n', "3: this run has other flags"),
        (3, b'{"run": 2, "answer": "bad"}\n', "3: this run has other flags"),
        (3, b'{"run": 2, "answer": "bad", "on": [3]}\n', "3: a flag must be a text"),
        (3, b"\xff\xfe\n", "3: this is not the line of a run"),
    ],
)
def test_logs_that_are_none(tmp_path: Path, number: int, line: bytes, message: str) -> None:
    log = tmp_path / "hunt.jsonl"
    mb.hunt(Oracle(), FLAGS, log=log)
    lines = log.read_bytes().splitlines(keepends=True)
    lines[number - 1] = line
    log.write_bytes(b"".join(lines))
    with pytest.raises(BadData, match=message):
        mb.hunt(Oracle(), FLAGS, log=log)
    assert log.read_bytes() == b"".join(lines)


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(MistakeboundError, match=r"cannot write .*: No such file"):
        mb.hunt(Oracle(), FLAGS, log=tmp_path / "no" / "hunt.jsonl")


def test_a_log_that_another_hunt_is_writing(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    log = tmp_path / "hunt.jsonl"
    problems: list[Any] = []

    def bad(on: frozenset[str]) -> bool:
        if not problems:
            with pytest.raises(MistakeboundError, match="is being written by another hunt") as caught:
                mb.hunt(Oracle(), FLAGS, log=log)
            problems.append(caught.value)
        return on >= CULPRITS

    assert set(mb.hunt(bad, FLAGS, log=log).culprits) == CULPRITS
    assert len(problems) == 1


@pytest.mark.parametrize("text", [b"notes without an end of line", b'{"mine": 1}', b"\0"])
def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path, text: bytes) -> None:
    """One without an end of line looks like a log that was torn in its first line."""
    log = tmp_path / "notes.txt"
    log.write_bytes(text)
    with pytest.raises(BadData, match="1: this is not the log of a hunt"):
        mb.hunt(Oracle(), FLAGS, log=log)
    assert log.read_bytes() == text


def test_a_log_must_be_an_ordinary_file() -> None:
    with pytest.raises(MistakeboundError, match=r"cannot write /dev/null: it is not an ordinary file"):
        mb.hunt(Oracle(), FLAGS, log="/dev/null")


def test_a_full_disk_names_the_log_and_the_hunt_goes_on_from_it(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    log = tmp_path / "hunt.jsonl"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    oracle = Oracle()
    resource.setrlimit(resource.RLIMIT_FSIZE, (700, before[1]))
    try:
        with pytest.raises(MistakeboundError, match=r"cannot write .*hunt\.jsonl: File too large"):
            mb.hunt(oracle, FLAGS, log=log)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    again = Oracle()
    assert set(mb.hunt(again, FLAGS, log=log).culprits) == CULPRITS
    assert len(set(oracle.asked) & set(again.asked)) == 1, "the run whose line did not fit"
