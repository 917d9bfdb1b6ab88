"""JSON objects: the label that nobody names, ids, dates and numbers in quotes, by the first 1,000 rows."""

from __future__ import annotations

import csv
import json
import random
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.io import open_stream
from mistakebound.io.json_chunk import JsonChunk


def logged(count: int = 80) -> list[dict[str, Any]]:
    draw = random.Random(5)
    return [
        {
            "ts": f"2024-03-{1 + k % 28:02}T{draw.randrange(24):02}:30:00Z",
            "id": f"{draw.getrandbits(60):x}",
            "seq": 100 + 3 * k,
            "req": {"trace": f"t{draw.getrandbits(60)}", "ms": draw.randrange(900)},
            "code": draw.choice(["200", "404"]),
            "failed": draw.random() < 0.3,
        }
        for k in range(count)
    ]


def opened(path: Path, rows: list[Any], **settings: Any) -> tuple[list[str], list[str], dict[str, Any]]:
    """Names of the attributes of the first row, what is said, and the settings."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with open_stream(path, settings) as stream:
        block = next(iter(stream))
        names = [block.name(k) for k in range(block.indptr[0], block.indptr[1])]
        return names, list(stream.assumed), stream.settings


def test_the_last_member_is_the_label(tmp_path: Path) -> None:
    names, said, settings = opened(tmp_path / "t.jsonl", logged())
    assert settings["label"] == "failed"
    assert said == [
        "label: member 'failed', the last one",
        "dates: 'ts' makes month, weekday, hour (--nominal takes the text)",
        "left out: 'id': nearly every value is new (--keep takes it)",
        "left out: 'seq': it counts up (--keep takes it)",
        "left out: 'req.trace': nearly every value is new (--keep takes it)",
    ]
    assert names[:2] == ["ts month=3", "ts weekday=Fri"]
    assert [name.partition("=")[0] for name in names[2:]] == ["ts hour", "req.ms", "code"]


def test_a_label_is_told_by_its_name_where_the_first_row_is_without_it(tmp_path: Path) -> None:
    rows = [{"class": "x" if k % 3 else "y", "n": k % 5} for k in range(60)]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in [{"n": 1}, *rows]))
    with open_stream(path, {}, on_error="skip") as stream:
        assert sum(block.rows for block in stream) == 60
        assert stream.assumed == ["label: member 'class'"]


def test_a_member_that_is_ignored_is_not_the_last_one(tmp_path: Path) -> None:
    rows = [{"n": k % 5, "kind": "ab"[k % 2], "at": {"host": f"h{k}"}, "id": f"x{k}"} for k in range(60)]
    _, said, _ = opened(tmp_path / "t.jsonl", rows, ignore=["id", "at"])
    assert said == ["label: member 'kind', the last one"]


@pytest.mark.parametrize(
    "last", [[1.5, 2.5], [{"a": 1}], [["x"]], [None, "a"], [f"n{k}" for k in range(30)], list(range(30))], ids=str
)
def test_a_last_member_that_is_no_label(tmp_path: Path, last: list[Any]) -> None:
    rows = [{"a": k % 3, "b": last[k % len(last)]} for k in range(60)]
    with pytest.raises(BadParameter, match=r"t\.jsonl: --label must name the member with the label, one of 'a'"):
        opened(tmp_path / "t.jsonl", rows)
    with pytest.raises(BadParameter, match="label must name the member with the label"):
        mb.learn(rows)


def test_options_overrule_what_is_found(tmp_path: Path) -> None:
    asked = {"keep": ["id", "seq"], "nominal": ["ts"], "ignore": ["req"]}
    names, said, settings = opened(tmp_path / "t.jsonl", logged(), **asked)
    assert [name.partition("=")[0] for name in names] == ["ts", "id", "seq", "code"]
    assert said == ["label: member 'failed', the last one"]
    assert settings["members"] == {}


def test_the_same_rows_of_a_pipe_an_array_and_mappings(tmp_path: Path) -> None:
    rows = logged(300)
    wanted = mb.learn(rows, learner="arow")
    assert wanted.settings is not None
    assert wanted.settings["members"]["ts"] == "moment:ymd"
    lines, array = tmp_path / "t.jsonl", tmp_path / "t.json"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    array.write_text(json.dumps(rows, indent=1))
    for source in (str(lines), str(array), iter(rows)):
        model = mb.learn(source, learner="arow")
        assert model.settings == wanted.settings
        assert model.learner.weights() == wanted.learner.weights()
        assert model.predict_one(rows[7]) == wanted.predict_one(json.dumps(rows[7]))
    wanted.save(tmp_path / "m.mb")
    assert mb.load(tmp_path / "m.mb").predict(rows[:10]) == wanted.predict(lines)[:10]


def test_a_text_that_is_no_date_later(tmp_path: Path) -> None:
    rows = [*logged(1200), {"ts": "soon", "failed": True}]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(BadData, match=r"t\.jsonl:1201: 'soon' in the member 'ts' is not a date as in the first rows"):
        mb.learn(path)
    rows[-1]["ts"] = None
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    model = mb.learn(path)
    assert model.ledger is not None
    assert model.ledger.trials == 1201


def test_numbers_in_quotes_where_nothing_says_its_type(tmp_path: Path) -> None:
    rows = [{"n": str(k * 7 % 13), "zip": f"0{k % 5}115", "x": f"{k % 9}.5", "y": "ab"[k % 2]} for k in range(60)]
    names, said, _ = opened(tmp_path / "t.jsonl", rows)
    assert names == ["n", "zip=00115", "x"]
    shown = {"n": "0", "x": "0.5"}
    assert said[1:] == [f"numbers: {name!r}, as in {text!r} (--nominal takes texts)" for name, text in shown.items()]
    typed = [row | {"k": k % 4} for k, row in enumerate(rows)]
    assert opened(tmp_path / "t.jsonl", typed, label="y")[0] == ["n=0", "zip=00115", "x=0.5", "k"]


def _plain(text: bytes, settings: dict[str, Any]) -> Any:
    """The rows as Python reads them."""
    chunk = JsonChunk(len(text) + 8, True, False, settings)
    return [chunk._read_line(line.decode()) for line in text.splitlines()]


def test_the_kernel_makes_of_dates_and_quoted_numbers_what_python_makes(tmp_path: Path) -> None:
    draw = random.Random(2)
    members = {"d": "moment:ymd", "o.n": "numeric", "gone": "left out"}
    dates = [
        "2024-02-29",
        "1999-12-31T23:59:59",
        "2024-1-5 7:30",
        "2023-02-01 07:05:00.123+02:00",
        "",
        "?",
        "1900-03-01",
    ]
    dates += [f"{draw.randrange(1000, 9999)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}" for _ in range(300)]
    dates += [f"{day}T{draw.randrange(24):02}:{draw.randrange(60):02}" for day in dates[7:]]
    rows = [
        {"d": day, "o": {"n": draw.choice(["1", "-2.5", " 3", "1e3", "", "?", 4])}, "gone": draw.choice([1, "x", [2]])}
        for day in dates
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    settings = {"members": members, "label": "y"}
    path = tmp_path / "t.jsonl"
    path.write_bytes(text)
    found = []
    with open_stream(path, settings, unlabelled_ok=True) as stream:
        for block in stream:
            for row in range(block.rows):
                entries = range(block.indptr[row], block.indptr[row + 1])
                assert block.values is not None
                found.append({block.name(k): block.values[k] for k in entries})
    assert found == [attributes for _, _, attributes in _plain(text, settings)]
    days = [f"{date.fromordinal(k)}" for k in range(date(1995, 1, 1).toordinal(), date(2005, 1, 1).toordinal(), 3)]
    path.write_text("".join(json.dumps({"d": day}) + "\n" for day in days))
    with open_stream(path, settings, unlabelled_ok=True) as stream:
        names = [block.name(block.indptr[row] + 1) for block in stream for row in range(block.rows)]
    assert names == [f"d weekday={date.fromisoformat(day):%a}" for day in days]
    for bad in ("2023-02-29", "2024-13-01", "2024-01-01T24:00", "324-01-01", "2024-01-01x", "2024-01-01T1"):
        path.write_text(json.dumps({"d": bad}) + "\n")
        with pytest.raises(BadData, match="is not a date"), open_stream(path, settings, unlabelled_ok=True) as stream:
            list(stream)


def test_mappings_of_texts_are_a_table(tmp_path: Path) -> None:
    draw = random.Random(1)
    path = tmp_path / "t.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "day", "age", "pay", "job", "rich"])
        for k in range(150):
            age = draw.randrange(20, 70)
            row = [f"u{draw.getrandbits(50)}", f"{1 + k % 28}.3.2024", draw.choice([age, "NA"]), f"{age * 50},5"]
            writer.writerow([*row, draw.choice(["smith", "o'hara, esq.", 'a "b"', "-"]), "no" if age < 45 else "yes"])
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    wanted = mb.learn(path, learner="arow")
    for source in (rows, iter(rows)):
        model = mb.learn(source, learner="arow")
        assert model.settings is not None
        assert model.settings["kinds"] == wanted.settings["kinds"]  # type: ignore[index]
        assert model.settings["label"] == "rich"
        assert model.learner.weights() == wanted.learner.weights()
        assert model.predict(rows[:4]) == wanted.predict(path)[:4]
        assert model.evaluate(rows).mistakes == wanted.evaluate(path).mistakes
    short = [*rows, {"age": "33"}]
    with pytest.raises(BadParameter, match="label must name the member"):
        mb.learn(short)
    with pytest.raises(BadData, match="<rows>:1201: the row has a key 'more'"):
        mb.learn([*(rows * 8), rows[0] | {"more": "x"}])


def test_dates_with_the_name_of_the_month(tmp_path: Path) -> None:
    draw = random.Random(4)
    written = ["%d-%b-%Y", "%d/%b/%Y:%H:%M:%S +0000", "%B %d, %Y", "%a, %d %b %Y %H:%M:%S GMT"]
    for form in written:
        days = [datetime(2024, 1 + k % 12, 1 + k % 28, draw.randrange(24), 30) for k in range(60)]
        rows = [{"when": f"{day:{form}}", "late": day.hour > 11} for day in days]
        model = mb.learn(rows, learner="arow")
        names = set(model.learner.weights())
        assert {"when month=3", "when weekday=Fri"} <= names
        assert ("when hour=7" in names) == ("%H" in form)
        table = tmp_path / "t.csv"
        table.write_text("when;late\n" + "".join(f"{row['when']};{row['late']}\n" for row in rows))
        assert set(mb.learn(table, learner="arow").learner.weights()) == names
        module: dict[str, Any] = {}
        exec(model.export("python"), module)
        assert [module["predict"](row) for row in rows[:9]] == model.predict(rows[:9])
