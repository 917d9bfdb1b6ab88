"""JSON lines: what the members of an object become, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.io import open_stream


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
        ('{"y": 1, "a": [[1]]}', "a list in a list has no meaning: 'a'"),
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
    with pytest.raises(BadParameter, match="bins is only for"):
        read(tmp_path, "{}", bins=3)


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
    path.write_text('{"a": 1, "b": "p"}\n')
    with pytest.raises(BadParameter, match=r"--label must name the member of .*t\.jsonl that is the label: 'a', 'b'"):
        open_stream(path)
