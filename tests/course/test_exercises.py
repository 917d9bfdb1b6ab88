"""Every exercise takes its right answers, as text and as values, and marks several wrong ones as wrong."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.course import Exercise, check, exercises, hint
from mistakebound.course.answers import KINDS
from mistakebound.course.marking import CHAPTERS

# Right answers, worked out by hand, and wrong ones.
ANSWERS: dict[str, tuple[list[Any], list[Any]]] = {
    "trials-1": ([3, "3"], [2, 4, 5]),
    "trials-2": (["winnow"], ["perceptron", "elimination"]),
    "trials-3": (
        ["100=1 100=1 001=1 001=1", [((1, 0, 0), 1)] * 3 + [((0, 0, 1), 1)]],
        ["100=1 100=1", "010=1 010=1 010=1", "100=1 100=1 001=1 001=1 001=1", "10=1 10=1 01=1", "010=0 000=0"],
    ),
    "trials-4": (["x3 | x4", "x4 | x3", mb.concepts.parse("x3 | x4")], ["x1 | x3 | x4", "x3", "x3 & x4"]),
    "concepts-1": (
        ["dry, ?, warm", ["dry", "?", "warm"], "<dry, ?, warm>"],
        ["?, ?, warm", "dry, calm, warm", "dry, ?"],
    ),
    "concepts-2": ([37], [36, 12, 48]),
    "concepts-3": ([6], [8, 5, 28]),
    "concepts-4": (["dry, strong, warm"], ["wet, strong, cold", "dry, calm, warm", "dry, warm"]),
    "trees-1": ([0.811, "0.8113"], [0.75, 1, 0.95]),
    "trees-2": (["fever"], ["cough", "age"]),
    "trees-3": ([7], [3, 6, 8]),
    "trees-4": (["(x1 & x2) | (~x1 & ~x3)", "(~x3 & ~x1) | (x2 & x1)"], ["x1 & x2", "(x1 & x2) | (~x1 & x3)"]),
    "networks-1": (["x1 xor x2"], ["x1 & ~x2", "2 of (x1, x2, x3)", "x1 | (x2 & x3)"]),
    "networks-2": (["1, -1, 1/2", [2, -3, 0]], ["1, 1, 1/2", "1, -1, 1", [0, 0, 0], "1, -1"]),
    "networks-3": ([0.7, "7/10"], [0.3, 0.4, 1.4]),
    "networks-4": ([59], [48, 51, 56]),
    "bayes-1": (["2/13", 0.154, Fraction(2, 13)], [0.9, 0.009, 0.18]),
    "bayes-2": (["fair"], ["bent", "two-headed"]),
    "bayes-3": (["1/2", 0.5], ["1/4", 1, "1/3"]),
    "bayes-4": ([0.6, "3/5"], [0.5, 0.4, 0.2]),
    "samples-1": (["1/4", 0.25], ["1/2", "1/8", 0]),
    "samples-2": ([140], [139, 141, 110]),
    "samples-3": (
        ["0,0 1,0 0,1", [(0, 0), (1, 2), (3, 1)]],
        ["0,0 1,1 2,2", "0,0 1,0", "0,0 0,0 1,1", "0 1 2"],
    ),
    "samples-4": ([2], [1, 3, 8]),
    "mistakes-1": ([16], [21, 15, 6]),
    "mistakes-2": (["x1 & ~x3 & x4"], ["x1 & ~x2 & ~x3 & x4", "x1 & x4", "x1 | x4"]),
    "mistakes-3": (
        ["000=1 001=1 010=1 100=1", [((1, 1, 1), 1), ((0, 1, 1), 1), ((1, 0, 1), 1), ((1, 1, 0), 1)]],
        ["000=1 001=1 010=1", "000=1 111=0 000=0", "00=1 01=1 10=1", "111=1 111=1"],
    ),
    "mistakes-4": ([8], [7, 6, 9]),
    "halving-1": ([5], [6, 10, 4]),
    "halving-2": ([4], [1, 3, 15]),
    "halving-3": (["0001", (0, 1, 0, 0)], ["0000", "1111", "001"]),
    "halving-4": (["000 001 011 111"], ["000 001 010 011", "000 001 010 100", "000 111", "00 01 10 11"]),
    "winnow-1": ([8, "8.0"], [4, 16, 1]),
    "winnow-2": ([43], [42, 44, 36]),
    "winnow-3": (
        ["1000=1 1011=1 0111=0 1000=1"],
        ["1000=1 1000=1", "1000=1 0100=1 0010=1", "100=1", "1000=1 1000=1 1000=1"],
    ),
    "winnow-4": (["17, 70, 76", ["x17", "x70", "x76"]], ["7, 42, 90", "17, 70, 9", "17, 70"]),
    "perceptron-1": ([2], [1, 3, 4]),
    "perceptron-2": ([16], [4, 8, 15]),
    "perceptron-3": (["1, 0, -1/2", [4, 1, -3]], ["0, 1, 0", "1, 0, 0", "1, 0", "-1, 0, 1/2"]),
    "perceptron-4": ([6], [5, 7, 4]),
}


def test_forty_exercises_in_ten_chapters() -> None:
    found = exercises()
    assert [exercise.id for exercise in found] == list(ANSWERS)
    assert [exercise.id for exercise in found] == [f"{chapter}-{k}" for chapter in CHAPTERS for k in (1, 2, 3, 4)]
    with pytest.raises(mb.BadParameter, match="chapter must be one of trials, concepts"):
        exercises("sorcery")


@pytest.mark.parametrize("name", ANSWERS)
def test_right_and_wrong_answers(name: str) -> None:
    right, wrong = ANSWERS[name]
    for answer in right:
        mark = check(name, answer)
        assert mark, mark
        assert str(mark) == "Right."
    assert len(wrong) >= 2
    for answer in wrong:
        mark = check(name, answer)
        assert not mark
        assert mark.message.endswith(".")
        assert len(mark.message) > 5


@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.id)
def test_form(exercise: Exercise) -> None:
    assert exercise.kind in KINDS
    assert bool(exercise.options) == (exercise.kind == "choice")
    assert exercise.question[-1] in ".?)"
    assert len(exercise.hints) >= 2
    assert hint(exercise.id, len(exercise.hints)) == exercise.hints[-1]
    data = json.loads(json.dumps(exercise.as_json()))
    assert data["chapter"] == exercise.chapter
    # The example of the form can be read, whether it is right or not.
    assert isinstance(check(exercise.id, data["example"]).right, bool)
    assert "no answer yet" in check(exercise.id, None).message


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("winnow-2", "many", "a whole number, such as '12': 'many'"),
        ("winnow-2", 1.5, "a whole number"),
        ("winnow-2", True, "a whole number"),
        ("trees-1", float("nan"), "a number"),
        ("trees-1", "1/0", "a number"),
        ("trees-2", "weather", "one of fever, cough, age: 'weather'"),
        ("trials-4", "x3 |", "a formula, such as"),
        ("trials-4", 3, "a formula"),
        ("trials-3", "100=2", "instances with their labels"),
        ("trials-3", "100", "instances with their labels"),
        ("halving-3", "012", "an instance of zeros and ones"),
        ("halving-4", "abc", "rows of zeros and ones"),
        ("samples-3", "a,b", "points with spaces"),
        ("networks-2", "1, x", "numbers with commas"),
    ],
)
def test_answers_that_cannot_be_read(name: str, answer: Any, words: str) -> None:
    mark = check(name, answer)
    assert not mark
    assert str(mark).startswith(f"Not yet. The answer must be {words}")


def test_unknown_names() -> None:
    with pytest.raises(mb.BadParameter, match="exercise must be an id such as 'winnow-3'"):
        check("winnow-9", 1)
    with pytest.raises(mb.BadParameter, match="number must be between 1 and 2 for winnow-2: 3"):
        hint("winnow-2", 3)
