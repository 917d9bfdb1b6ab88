"""Own data and exercises: the comparison, the explanation and the marks are the library's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.lab import Engine
from mistakebound.lab.own_data import sample

THREE = "a;b;kind\n" + "".join(f"{i % 7};{i % 5};{'xyz'[i % 3]}\n" for i in range(90))


def start(engine: Engine, **fields: Any) -> dict[str, Any]:
    return engine.handle({"view": "data", "do": "start"} | fields)


def test_the_comparison_is_the_librarys(tmp_path: Path) -> None:
    engine = Engine(seconds=60)
    names = ["arow", "auto", "perceptron"]
    found = start(engine, learners=names)
    table = tmp_path / "parcels.csv"
    table.write_text(sample())
    expected = mb.compare(str(table), names, reader={"label": "late"})
    assert [(one["learner"], one["mistakes"], one["error"]) for one in found["ranked"]] == [
        (entry.name, entry.ledger.mistakes, entry.ledger.error_rate) for entry in expected.ranked
    ]
    assert all(one["curve"][-1] == one["mistakes"] for one in found["ranked"])
    model = mb.learn(str(table), "late", learner="arow")
    why = engine.handle({"view": "data", "do": "explain", "session": found["session"], "row": 3, "learner": "arow"})
    told = model.explain(3, file=str(table)).as_json(12)
    assert (why["prediction"], why["total"], why["bias"]) == (told["prediction"], told["total"], told["bias"])
    assert [term["amount"] for term in why["terms"]] == [term["amount"] for term in told["terms"]]


def test_a_table_of_three_labels() -> None:
    engine = Engine(seconds=60)
    found = start(engine, text=THREE, name="three.csv", learners=["arow", "perceptron"])
    assert found["labels"] == ["x", "y", "z"]
    assert found["columns"] == ["a", "b", "kind"]
    assert found["rows"][0] == ["0", "0", "x"]
    why = engine.handle({"view": "data", "do": "explain", "session": found["session"], "row": 2})
    assert why["prediction"] in "xyz"
    assert why["terms"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": "", "name": "t.csv"}, "t.csv:1: the file is empty"),
        ({"text": "a,b\n1,2\n", "name": "../../t.csv", "label": "c"}, "t.csv has no column 'c'"),
        ({"text": "x" * ((1 << 20) + 1), "name": "t.csv"}, "text must be a text of at most 1,048,576 characters"),
        ({"learners": ["halving"]}, "learners must be different ones of"),
        ({"learners": []}, "learners must be different ones of"),
    ],
)
def test_what_cannot_be_learned_is_said(fields: dict[str, Any], words: str) -> None:
    answer = start(Engine(seconds=60), **fields)
    assert words in answer["error"]
    assert "mistakebound-lab-" not in answer["error"], "where it lay meanwhile is nobody's business"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("# note\n\na,b\n1,0\n2,1\n\n3,0\n", [["1", "0"], ["2", "1"], ["3", "0"]]),
        ("1,2,yes\n2,3,no\n4,5,yes\n", [["1", "2", "yes"], ["2", "3", "no"], ["4", "5", "yes"]]),
        ("sep=;\na;b\n1;0\n2;1\n", [["1", "0"], ["2", "1"]]),
    ],
)
def test_rows_are_shown_as_they_are_read(text: str, rows: list[list[str]]) -> None:
    found = start(Engine(seconds=60), text=text, name="t.csv", learners=["arow"])
    assert (found["rows"], found["count"]) == (rows, len(rows))
    assert len(found["columns"]) == len(rows[0])


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "a,b\n" + "x" * 200_000 + ",1\ny,0\n"},
        {"text": "a,b\n1,\ud800\n2,1\n"},
        {"name": "x.\0"},
        {"name": "x.\ud800"},
        {"name": ".."},
    ],
)
def test_strange_tables_and_names_are_answered(fields: dict[str, Any]) -> None:
    answer = start(Engine(seconds=60), **({"text": THREE, "learners": ["arow"]} | fields))
    assert "error" in answer or answer["ranked"]


def test_a_row_that_is_not_there() -> None:
    engine = Engine(seconds=60)
    found = start(engine, text=THREE, name="three.csv", learners=["arow"])
    answer = engine.handle({"view": "data", "do": "explain", "session": found["session"], "row": 1000})
    assert "three.csv" in answer["error"]


def test_exercises_are_those_of_the_course() -> None:
    engine = Engine()
    listed = engine.handle({"view": "exercises", "do": "list"})["exercises"]
    assert [one["id"] for one in listed] == [exercise.id for exercise in mb.course.exercises()]
    for answer in ("4", "3", "cow"):
        said = engine.handle({"view": "exercises", "do": "check", "id": "halving-2", "answer": answer})
        mark = mb.course.check("halving-2", answer)
        assert said == {"right": mark.right, "message": str(mark)}
    assert (
        "exercise must be an id"
        in engine.handle({"view": "exercises", "do": "check", "id": "x", "answer": ""})["error"]
    )
