"""A person at the terminal, whose answers are a list of lines."""

from __future__ import annotations

import io
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.teachers.human_teacher import BACK, END, NO, UNKNOWN, YES, HumanTeacher


def person(lines: str, instances: Any = ()) -> tuple[HumanTeacher, list[str]]:
    said: list[str] = []
    return HumanTeacher(instances, read=io.StringIO(lines).readline, write=said.append), said


def test_words() -> None:
    someone, _ = person("y\nYES\n n \n0\n?\nu\nq\n")
    assert [someone.ask("so?") for _ in range(8)] == [YES, YES, NO, NO, UNKNOWN, BACK, END, END]


def test_what_is_no_answer_is_asked_again() -> None:
    someone, said = person("maybe\n\ny\n")
    assert someone.ask("so?") == YES
    assert "".join(said).count("so?") == 3
    assert "".join(said).count("?: I don't know") == 2


def test_a_person_teaches() -> None:
    """? passes an instance over; the input ends before the instances do."""
    instances = [["x", "1"], ["y", "1"], ["x", "2"], ["y", "2"]]
    someone, said = person("y\n?\nu\nn\n", instances)
    learner = mb.learners.CandidateElimination({"a": ["x", "y"], "b": ["1", "2"]})
    ledger = mb.play(learner, someone)
    assert ledger.trials == 2
    assert [str(h) for h in learner.version_space.S] == ["<x, 1>"]
    assert [str(h) for h in learner.version_space.G] == ["<?, 1>"]
    assert "cannot be taken back" in "".join(said)


def test_the_terminal_is_the_default(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert HumanTeacher().ask("so?") == YES
    assert capsys.readouterr().out == "so? [y/n/?/u/q] "
