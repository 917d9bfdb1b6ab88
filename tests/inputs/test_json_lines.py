"""JSON lines: what the members of an object become, and what is refused with its line."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import mistakebound as mb
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.io import open_stream
from mistakebound.io.bins import bin_names, cut_points
from mistakebound.io.json_values import JsonValues
from mistakebound.io.memory import TextInMemory


def read(folder: Path, text: str, ok: bool = False, **settings: Any) -> list[Any]:
    path = folder / "t.jsonl"
    path.write_bytes(text.encode(errors="surrogateescape"))
    found = []
    with open_stream(path, {"label": "y", **settings}, unlabelled_ok=ok) as stream:
        for block in stream:
            for row in range(block.rows):
                entries = range(block.indptr[row], block.indptr[row + 1])
                x = {block.name(k): 1.0 if block.values is None else block.values[k] for k in entries}
                assert block.tokens is not None
                label = block.label_tokens[block.tokens[row]].decode() if block.tokens[row] >= 0 else None
                found.append((label, x, 1.0 if block.weights is None else block.weights[row]))
    return found


def test_members_become_attributes(tmp_path: Path) -> None:
    text = '{"y": "spam", "len": 12, "from": "a b", "tags": ["x", 3, null], "user": {"age": 4.5, "new": true}}\n\n'
    assert read(tmp_path, text) == [
        (
            "spam",
            {"len": 12.0, "from=a b": 1.0, "tags=x": 1.0, "tags=3": 1.0, "user.age": 4.5, "user.new=true": 1.0},
            1.0,
        )
    ]


def test_missing_is_null_empty_or_a_question_mark(tmp_path: Path) -> None:
    assert read(tmp_path, '{"y": 1, "a": null, "b": "", "c": " ? ", "d": [], "e": ["", "?"]}') == [("1", {}, 1.0)]


def test_kinds_and_weights(tmp_path: Path) -> None:
    text = '{"y": true, "zip": 10115, "n": "2.5", "w": 3}\n{"y": false, "n": "", "w": 0.5}'
    got = read(tmp_path, text, nominal=["zip"], numeric=["n"], weights="w")
    assert got == [("true", {"zip=10115": 1.0, "n": 2.5}, 3.0), ("false", {}, 0.5)]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("[1]", "the line is not a JSON object"),
        ('{"y": 1', "the line is not JSON"),
        ('{"y": 1} x', "the line is not JSON"),
        ('{"a": 1}', "the row has no label"),
        ('{"y": null}', "the row has no label"),
        ('{"y": [1]}', "the label 'y' is not a single value"),
        ('{"y": 1, "a": NaN}', "NaN is not a finite number"),
        ('{"y": 1, "a": 1e400}', "1e400 is not a finite number"),
        ('{"y": 1, "a": 1' + "0" * 400 + "}", "too large for a double"),
        ('{"y": 1, "a": 1, "a": 2}', "the member 'a' appears twice"),
        ('{"y": 1, "a": [[1]]}', "a list inside a list is not supported: 'a'"),
        ('{"y": 1, "a.b": 1, "a": {"b": 2}}', "two members of the object make the attribute 'a.b'"),
        ('{"y": 1, "n": "x"}', "'x' in the numeric column 'n'"),
        ('{"y": 1, "n": true}', "true in the numeric column 'n'"),
        ('{"y": 1, "n": "inf"}', "'inf' in the numeric column 'n'"),
        ('{"y": 1, "n": "1e400"}', "'1e400' in the numeric column 'n'"),
        ('{"y": 1, "n": "1_0"}', "'1_0' in the numeric column 'n'"),
        ('{"y": 1, "a": ' + "9" * 5000 + "}", "too large for a double"),
        ('{"y": 1, "": 2}', "a member of the object has no name"),
        ('{"y": 1, "a": ["b"], "a=b": 2}', "two members of the object make the attribute 'a=b'"),
        ('{"y": 1, "a": "\udcff"}', "the line is not UTF-8"),
        ('{"y": 1, "a": ' + "[" * 100_000, "the line is not JSON"),
    ],
)
def test_bad_lines_have_their_place(line: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(BadData, match=what) as error:
        read(tmp_path, '{"y": 1}\n\n' + line + "\n", numeric=["n"])
    assert error.value.line == 3


def test_weights_must_be_weights(tmp_path: Path) -> None:
    for weight in ("0", "-1", '"x"', "true", "null", "[1]", '"inf"', '"1e400"', '"1_0"'):
        with pytest.raises(BadData, match="is not a finite decimal number > 0"):
            read(tmp_path, f'{{"y": 1, "w": {weight}}}', weights="w")
    with pytest.raises(BadData, match="too large for a double"):
        read(tmp_path, f'{{"y": 1, "w": 1{"0" * 350}}}', weights="w")


def test_labels_may_be_absent_where_rows_are_predicted(tmp_path: Path) -> None:
    assert read(tmp_path, '{"a": 2}', ok=True) == [(None, {"a": 2.0}, 1.0)]


def test_settings_that_mean_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="two members"):
        read(tmp_path, "{}", weights="y")
    with pytest.raises(BadParameter, match="bins must be >= 2"):
        read(tmp_path, '{"y": 1}', bins=1)
    with pytest.raises(BadParameter, match="bins need a member with numbers in its first rows: 'b' has none"):
        read(tmp_path, '{"y": 1, "a": 2}', bins={"b": 3})


def test_more_labels_than_a_block_has_room_for(tmp_path: Path) -> None:
    text = "".join(f'{{"y": "l{k}"}}\n' for k in range(5000))
    assert [row[0] for row in read(tmp_path, text)] == [f"l{k}" for k in range(5000)]


def test_objects_in_lists_and_labels_within_objects(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"user": {"kind": "new"}, "items": [{"sku": "x", "n": 2}, {"sku": "x", "n": 3}, {"sku": "y", "ok": true}]}\n'
        '{"user": {"kind": "old"}, "items": [], "user.kind": "wins"}\n'
    )
    with open_stream(path, {"label": "user.kind"}) as stream:
        block = next(iter(stream))
        assert block.label_tokens == [b"new", b"wins"]
        names = ["items.sku=x", "items.n", "items.sku=y", "items.ok=true", "user.kind=old"]
        assert block.columns is not None
        assert block.columns.texts() == names
        assert block.values is not None
        assert list(block.values[:4]) == [1.0, 5.0, 1.0, 1.0]


def test_a_label_that_is_found(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1, "Class": "p", "y": 3}\n{"a": 2, "Class": "q", "y": 3}\n')
    with open_stream(path) as stream:
        assert next(iter(stream)).label_tokens == [b"p", b"q"]
        assert stream.assumed == ["label: member 'Class'"]
        assert stream.settings["label"] == "Class"
    path.write_text('{"a": 1, "b": 2.5}\n')
    with (
        pytest.raises(BadParameter, match=r"t\.jsonl: --label must name the member with the label, one of 'a', 'b'"),
        open_stream(path) as stream,
    ):
        list(stream)


def events(count: int, seed: int = 1) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    return [
        {
            "y": chance.choice("pq"),
            "user": {"age": chance.randrange(80), "kind": chance.choice("ab")},
            "items": [{"sku": chance.choice("xyz"), "price": chance.random()} for _ in range(chance.randrange(3))],
            "a=b": chance.randrange(5),
        }
        for _ in range(count)
    ]


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_bins_are_cut_by_the_first_thousand_rows(tmp_path: Path) -> None:
    rows = events(1500)
    ages = cut_points([row["user"]["age"] for row in rows[:1000]], 3)
    got = read(tmp_path, lines(rows), bins={"user.age": 3, "a=b": [1, 3]})
    for (_, x, _), row in zip(got, rows, strict=True):
        age, code = row["user"]["age"], row["a=b"]
        assert x[bin_names("user.age", ages)[sum(age > cut for cut in ages)]] == 1.0
        assert x[bin_names("a=b", [1, 3])[(code > 1) + (code > 3)]] == 1.0
        assert "user.age" not in x
        assert "a=b" not in x
        assert x.get("items.price") == (sum(item["price"] for item in row["items"]) if row["items"] else None)


def test_bins_of_all_numbers_do_not_depend_on_blocks(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("no row\n" + lines(events(1200)))
    found = []
    for size in (1, 300, 1 << 20):
        stream = open_stream(path, {"label": "y", "bins": 4}, block_bytes=size, on_error="skip")
        with stream:
            rows = sum(block.rows for block in stream)
        found.append((rows, stream.skipped, stream.settings))
    assert found[0] == found[1] == found[2]
    assert found[0][:2] == (1200, 1)
    assert set(found[0][2]["bins"]) == {"user.age", "items.price", "a=b"}


def test_a_number_that_first_comes_later_is_not_cut(tmp_path: Path) -> None:
    text = lines([{"y": 1, "a": k ^ 1} for k in range(1000)]) + '{"y": 0, "a": 1e9, "late": 2}\n'
    assert read(tmp_path, text, bins=2)[-1][1] == {"a>499": 1.0, "late": 2.0}


def test_one_row_falls_into_the_bins_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(lines(events(300)))
    model = mb.learn(path, label="y", bins=4)
    model.save(tmp_path / "m.mb")
    again = mb.load(tmp_path / "m.mb")
    rows = events(50, seed=2)
    path.write_text(lines(rows))
    assert again.predict(path) == [again.predict_one(row) for row in rows]
    assert [again.score_one(row) for row in rows] == [model.score_one(json.dumps(row)) for row in rows]


SHAPES = {
    "indented": lambda rows: json.dumps(rows, indent=1),
    "one line": json.dumps,
    "a row a line": lambda rows: "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n",
    "comma first": lambda rows: "[ " + "\n, ".join(map(json.dumps, rows)) + "]",
    "objects over lines": lambda rows: "\n".join(json.dumps(row, indent=2) for row in rows),
    "mark": lambda rows: "\ufeff" + json.dumps(rows, indent="\t"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_array_is_as_many_rows(shape: str, tmp_path: Path) -> None:
    rows = [*events(40), {"y": "p", "t": 'a "] }, \\'}, {"y": "q", "t": "\\"}, {"y": "p", "tags": ["[", "{"]}]
    expected = read(tmp_path, lines(rows))
    for size in (1, 7, 1 << 20):
        path = tmp_path / "t.json"
        path.write_text(SHAPES[shape](rows))
        with open_stream(path, {"label": "y"}, block_bytes=size) as stream:
            assert sum(block.rows for block in stream) == len(rows)
    assert read(tmp_path, SHAPES[shape](rows)) == expected


def test_a_text_that_comes_byte_by_byte() -> None:
    text = json.dumps([*events(5), {"y": "\\", "n": "]"}], indent=1).encode()
    source = JsonValues(TextInMemory(lambda: (text[k : k + 1] for k in range(len(text)))).open())
    found, unit = b"", bytearray(100)
    while got := source.read_into(memoryview(unit)):
        found += unit[:got]
    assert [json.loads(line) for line in found.splitlines() if line.strip()] == json.loads(text)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('[\n {"y": 1},\n {"y": 2, "a": [[1]]}\n]', 3, "a list inside a list"),
        ('[\n {"y": 1},\n 7]', 3, "the line is not a JSON object"),
        ('[{"y": 1}, {"y": 2}, {"a": 2}]', 3, "the row has no label"),
        ('[\n {"y": 1},\n {"y": 2}\n', 4, "ends in the middle of a value"),
        ('[{"y": 1}] x', 2, "the line is not JSON"),
        ('{\n "y": 1\n}\n{\n "y": }\n', 4, "the line is not JSON"),
    ],
)
def test_a_bad_value_of_an_array_has_its_line(text: str, line: int, what: str, tmp_path: Path) -> None:
    with pytest.raises(BadData, match=what) as error:
        read(tmp_path, text)
    assert error.value.line == line


def test_the_same_rows_have_the_same_bins_in_every_form(tmp_path: Path) -> None:
    """One column is missing in most rows: its cuts come from its first thousand cells, wherever these are."""
    draw = random.Random(5)
    rows: list[dict[str, Any]] = []
    for k in range(4000):
        row = {"a": draw.choice([k // 8, 3.5]), "b": draw.gauss(k / 100, 3) if draw.random() < 0.4 else None}
        rows.append(row | {"y": int((row["b"] or 0) > 12)})
    (tmp_path / "t.csv").write_text(
        "a,b,y\n" + "".join(f"{row['a']},{'' if row['b'] is None else row['b']},{row['y']}\n" for row in rows)
    )
    (tmp_path / "t.jsonl").write_text(lines(rows))
    frame = pa.table({name: [row[name] for row in rows] for name in ("a", "b", "y")})
    found = [
        mb.learn(source, "y", bins=wanted, learner=mb.AROW(labels=(0, 1)))
        for wanted in (5, {"b": 5})
        for source in (tmp_path / "t.csv", tmp_path / "t.jsonl", rows, frame)
    ]
    for models in (found[:4], found[4:]):
        ledgers = [model.ledger.state() for model in models if model.ledger is not None]
        assert ledgers == [ledgers[0]] * 4
        assert all(model.learner.weights() == models[0].learner.weights() for model in models)
        assert "b<=" in " ".join(models[0].learner.weights())
