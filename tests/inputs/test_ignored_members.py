"""A pattern that names a member of JSON objects drops it, whatever it holds, in training and in prediction."""

from __future__ import annotations

import json
import random
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from inputs.test_json_lines import read
from mistakebound.core.errors import BadData

ROW = '{"y": "a", "ok": true, "n": 3, "tags": ["x", 2], "resp": {"status": 200, "how": "GET", "in": {"ms": 1}}}\n'


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        (["ok"], ["n", "tags=x", "tags=2", "resp.status", "resp.how=GET", "resp.in.ms"]),
        (["o?", "n"], ["tags=x", "tags=2", "resp.status", "resp.how=GET", "resp.in.ms"]),
        (["tags"], ["ok=true", "n", "resp.status", "resp.how=GET", "resp.in.ms"]),
        (["tags=x"], ["ok=true", "n", "tags=2", "resp.status", "resp.how=GET", "resp.in.ms"]),
        (["resp"], ["ok=true", "n", "tags=x", "tags=2"]),
        (["resp.*"], ["ok=true", "n", "tags=x", "tags=2"]),
        (["resp.in"], ["ok=true", "n", "tags=x", "tags=2", "resp.status", "resp.how=GET"]),
        (["resp.[hi]*"], ["ok=true", "n", "tags=x", "tags=2", "resp.status"]),
        (["*s"], ["ok=true", "n", "resp.how=GET", "resp.in.ms"][:3]),
    ],
)
def test_a_member_is_dropped_with_all_below_it(tmp_path: Path, patterns: list[str], left: list[str]) -> None:
    other = '{"y": "b", "items": [{"ok": 1}]}\n'  # that only Python reads
    for text in (ROW, ROW.replace(", ", " ,  "), ROW + other):
        assert list(read(tmp_path, text, ignore=patterns)[0][1]) == left
    in_python = ROW.replace('"n": 3', '"n": 3, "deep": [{"d": 1}]')
    assert list(read(tmp_path, in_python, ignore=[*patterns, "deep"])[0][1]) == left


def test_a_member_that_is_ignored_may_hold_anything(tmp_path: Path) -> None:
    text = '{"y": 1, "m": [[1, 2], [3]], "a": 1, "z": {"": 2}}\n'
    with pytest.raises(BadData, match="list inside a list"):
        read(tmp_path, text, ignore=["z"])
    assert read(tmp_path, text, ignore=["m", "z"]) == [("1", {"a": 1.0}, 1.0)]
    assert read(tmp_path, '{"y": 1, "a": "b", "a=b": 2}', ignore=["a"]) == [("1", {"a=b": 2.0}, 1.0)]
    with pytest.raises(BadData, match="UTF-8"):
        read(tmp_path, '{"y": 1, "m": "\udc80"}', ignore=["m"])
    with pytest.raises(BadData, match="JSON"):
        read(tmp_path, '{"y": 1, "m": "\\x"}', ignore=["m"])


def test_the_label_and_the_weight_stay(tmp_path: Path) -> None:
    text = '{"user": {"kind": "a", "age": 3, "w": 2}, "n": 1}\n'
    got = read(tmp_path, text, label="user.kind", weights="user.w", ignore=["user"])
    assert got == [("a", {"n": 1.0}, 2.0)]


def test_lines_of_the_kernel_and_of_python_drop_the_same(tmp_path: Path) -> None:
    draw = random.Random(7)

    def value(depth: int) -> Any:
        kind = draw.randrange(7 if depth else 5)
        if kind == 5:
            return {draw.choice("abcé"): value(depth - 1) for _ in range(3)}
        if kind == 6:
            return [draw.choice(["x", "y", 1, True, None]) for _ in range(draw.randrange(3))]
        return draw.choice([1, 2.5, "x", "é\n", True, None, "?"])

    for _ in range(60):
        rows = [{name: value(2) for name in "abcd"} | {"y": 1} for _ in range(4)]
        patterns = [draw.choice(["a", "b.*", "*c", "d", "a.?", "b=x", "[ab].b", "c.a"]) for _ in range(2)]
        usual = read(tmp_path, "".join(json.dumps(row) + "\n" for row in rows), ignore=patterns)
        hard = [row | {"zz": [{"q": 1}]} for row in rows]
        text = "".join(json.dumps(row) + "\n" for row in hard)
        assert read(tmp_path, text, ignore=[*patterns, "zz"]) == usual
        for row, (_, found, _) in zip(rows, usual, strict=True):
            wanted = _naive(row, "", patterns)
            assert found == wanted


def _naive(row: dict[str, Any], outer: str, patterns: list[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for key, value in row.items():
        name = outer + key
        if name == "y" or any(fnmatchcase(name, pattern) for pattern in patterns):
            continue
        if isinstance(value, dict):
            found |= _naive(value, f"{name}.", patterns)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found[name] = float(value)
        else:
            for item in value if isinstance(value, list) else [value]:
                text = "true" if item is True else "" if item is None else str(item).strip()
                if text not in ("", "?"):
                    found[f"{name}={text}"] = 1.0
    return {name: v for name, v in found.items() if not any(fnmatchcase(name, pattern) for pattern in patterns)}


def _rows(count: int = 120) -> list[dict[str, Any]]:
    draw = random.Random(3)
    rows = []
    for _ in range(count):
        y = draw.random() < 0.5
        resp = {"status": draw.choice([200, 404, 500]), "how": draw.choice(["GET", "PUT"])}
        rows.append({"ok": y, "n": draw.randrange(9), "resp": resp, "user": draw.choice("abc"), "y": int(y)})
    return rows


@pytest.mark.parametrize("more", [{}, {"bins": 3}, {"standardize": True}, {"cross": 2}, {"hash": 12}], ids=str)
def test_a_model_learns_as_if_the_members_were_not_there(tmp_path: Path, more: dict[str, Any]) -> None:
    rows, patterns = _rows(), ["ok", "resp.status", "us*"]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    bare = [{"n": row["n"], "resp": {"how": row["resp"]["how"]}, "y": row["y"]} for row in rows]
    wanted = mb.learn(bare, "y", learner="arow", **more)
    models = [mb.learn(source, "y", learner="arow", ignore=patterns, **more) for source in (rows, str(path))]
    models[1].save(tmp_path / "m.mb")
    for model in (*models, mb.load(tmp_path / "m.mb")):
        assert model.learner.hypothesis == wanted.learner.hypothesis
        assert model.ledger is not None
        assert wanted.ledger is not None
        assert model.ledger.mistakes == wanted.ledger.mistakes
        for row, plain in zip(rows[:20], bare, strict=False):
            assert model.predict_one(row) == wanted.predict_one(plain)
            assert model.score_one(json.dumps(row)) == wanted.score_one(plain)
