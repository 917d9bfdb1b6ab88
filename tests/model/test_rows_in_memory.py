"""Raw rows in memory: read together they mean what each means alone, and they are not read one by one."""

from __future__ import annotations

import csv
import functools
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io import many_rows, memory

Row = dict[str, Any]


def table(count: int, seed: int = 1) -> list[Row]:
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        age = draw.randrange(20, 70)
        pay = draw.choice([f"{age * 50.5}", "", "NA"])
        row = {"age": str(age), "pay": pay, "job": draw.choice(["smith", 'a "b"', "-", "3", ""])}
        rows.append(row | {"rich": "yes" if age > 45 else "no"})
    return rows


@pytest.mark.parametrize("labels", [2, 3])
def test_probabilities_of_objects_together_as_alone(labels: int) -> None:
    draw = random.Random(3)
    rows = [
        {"words": draw.sample("abcdef", 3), "size": draw.random(), "label": draw.randrange(labels)} for _ in range(200)
    ]
    model = mb.learn(rows, learner="arow")
    asked = [{name: row[name] for name in ("words", "size")} for row in rows[:50]]
    shares = [list(model.predict_proba_one(row).values()) for row in asked]
    assert model.predict_proba(asked).tolist() == shares
    assert model.predict_proba([]).shape == (0, labels)


@functools.cache
def learned(learner: str) -> mb.Model:
    return mb.learn(table(300), label="rich", learner=learner)


def unlabelled(rows: list[Row]) -> list[Row]:
    return [{name: row[name] for name in ("age", "pay", "job")} for row in rows]


FORMS = {
    "texts": lambda row: row,
    "numbers": lambda row: row | {"age": int(row["age"])},
    "numbers or none": lambda row: row | {"pay": float(row["pay"]) if row["pay"][:1].isdigit() else None},
    "numbers or NaN": lambda row: row | {"pay": float(row["pay"]) if row["pay"][:1].isdigit() else math.nan},
    "two types": lambda row: row | {"age": int(row["age"]) if row["age"] > "40" else row["age"]},
    "whole numbers as floats": lambda row: row | {"age": float(row["age"]), "job": 3.0},
    "a number in place of a name": lambda row: row | {"job": 3},
    "truth values": lambda row: row | {"job": row["age"] > "40"},
    "a column less": lambda row: {"age": row["age"]},
    "a column more": lambda row: row | {"town": "Ulm"},
}


@pytest.mark.some(5)
@pytest.mark.parametrize("learner", ["arow", "auto"])
@pytest.mark.parametrize("form", FORMS)
def test_together_as_alone(form: str, learner: str, long: bool) -> None:
    model = learned(learner)
    rows = [FORMS[form](row) for row in unlabelled(table(60 if long else 20, seed=2))]
    alone = [model.predict_one(row) for row in rows]
    assert model.predict(rows) == alone
    assert model.predict(iter(rows)) == alone
    shares = [list(model.predict_proba_one(row).values()) for row in rows]
    assert model.predict_proba(rows).tolist() == shares
    assert form in ("a number in place of a name", "whole numbers as floats") or len(set(alone)) == 2


def test_together_above_another_threshold() -> None:
    rows = table(400)
    model = mb.learn(rows, label="rich", learner="arow")
    model.threshold = 0.4
    asked = unlabelled(rows[:50])
    assert model.predict(asked) == [model.predict_one(row) for row in asked]
    plain = mb.learn(rows, label="rich", learner="arow")
    assert model.predict(asked) != plain.predict(asked)


def test_an_invalid_row_is_named() -> None:
    model = mb.learn(table(200), label="rich", learner="arow")
    with pytest.raises(BadData, match="none of the columns"):
        model.predict([*unlabelled(table(3)), {"town": "Ulm"}])
    with pytest.raises(BadData, match="column 'age' is neither a text nor a number"):
        model.predict([*unlabelled(table(3)), {"age": 10**30}])


def test_rows_are_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    model, opened = mb.learn(table(200), label="rich", learner="arow"), []
    stream = many_rows.open_stream
    monkeypatch.setattr(many_rows, "open_stream", lambda *a, **k: opened.append(1) or stream(*a, **k))
    asked = unlabelled(table(2500))
    assert len(model.predict(asked)) == 2500
    assert len(opened) == 3
    assert model.predict_proba(asked).shape == (2500, 2)
    assert len(opened) == 6


def test_lines_come_together_in_parts() -> None:
    lines = [b"%d\n" % number for number in range(50_000)]
    parts = [*memory.together(lines)]
    assert b"".join(parts) == b"".join(lines)
    assert len(parts) < 10


def test_a_slow_line_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(1000))
    monkeypatch.setattr(memory.time, "monotonic", lambda: next(now))
    assert [*memory.together([b"1\n", b"2\n"])] == [b"1\n", b"2\n"]


@pytest.mark.parametrize("failure", [KeyboardInterrupt, ValueError, BadData("bad")])
def test_what_came_before_a_failure_is_given_out(failure: Any) -> None:
    def lines() -> Iterator[bytes]:
        yield from (b"1\n", b"2\n")
        raise failure

    parts = memory.together(lines())
    assert next(parts) == b"1\n2\n"
    with pytest.raises((KeyboardInterrupt, ValueError, MistakeboundError)):
        next(parts)


@pytest.mark.parametrize("learner", ["decision-tree", "arow"])
def test_the_rows_of_a_dict_reader_are_the_table_that_it_reads(learner: str, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["age", "pay", "job", "rich"])
        writer.writeheader()
        writer.writerows(table(300))
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    from_file, from_rows = mb.learn(path, label="rich", learner=learner), mb.learn(rows, label="rich", learner=learner)
    said = from_file.predict(path)
    assert from_rows.predict(path) == from_rows.predict(rows) == from_file.predict(rows) == said
    assert from_rows.evaluate(rows).mistakes == from_file.evaluate(path).mistakes


def test_numbers_that_a_file_refuses_are_refused_as_texts_too() -> None:
    with pytest.raises(BadData, match="column 'age' is numeric, and naive Bayes counts values"):
        mb.learn(table(300), label="rich", learner="naive-bayes")
