"""The parser of JSON lines called directly: what it reads itself, what it leaves to Python, and buffers too short."""

from __future__ import annotations

import json
import random
from array import array
from typing import Any

import pytest

from inputs.tables import rows_of
from mistakebound.io.interpreted import InterpretedChunk
from mistakebound.io.json_chunk import JsonChunk
from mistakebound.kernels import _json_fields as fields
from mistakebound.kernels import json_lines as kernel
from mistakebound.kernels import libsvm as state_of

SETTINGS: dict[str, Any] = {
    "label": "y.z", "weights": "w", "nominal": ["zip", "a.b"], "numeric": ["n", "m.n"],
    "bins": {"a": [0.5], "b": [-1.0, 0.0, 2.5], "m.n": [1.0], "a=b": [0.0], "zip": [3.0], "c.a": [0.5, 1.0]},
}  # fmt: skip
WORDS = [
    "", "a", "b", "zip", "n", "y", "z", "y.z", "w", "m", "a.b", "a=b", "b=c", "c", "\u00e4", "\u00e4\u00a0", "\u2003x",
    "?", " ? ", " a ", "\x1ca", "\u3000", "\U0001f600", "\ud800", "line\nfeed", 'quo"te', "back\\slash", "true",
    "7", "1.0", "long " * 9,
]  # fmt: skip
NUMBERS = [
    "0", "1", "-1", "-0", "-0.0", "1.0", "2.50", "0.0001", "0.00001", "123456789012345678", "1e3", "1E-2", "0.1", "-7",
    "12345.678901234567", "9" * 30, "0.30000000000000004", "5e-324",
]  # fmt: skip
NO_NUMBERS = ["00", "01", "1.", ".5", "+1", "1e", "1e400", "NaN", "9" * 400, "-", "nul", "tru", ""]


class Plain(InterpretedChunk):
    """Every line by Python."""

    def __init__(self, size: int, ok: bool, skip: bool, settings: dict[str, Any]) -> None:
        super().__init__(size, ok, skip)
        self._reader = JsonChunk(64, ok, skip, settings)

    def _read_line(self, line: str) -> Any:
        return self._reader._read_line(line)


def quoted(word: str, draw: random.Random) -> str:
    text = json.dumps(word, ensure_ascii=draw.random() < 0.5)
    if draw.random() < 0.1 and word[:1].isalnum() and ord(word[0]) < 128:
        text = f'"\\u{ord(word[0]):04x}{text[2:]}'
    return text


def value(draw: random.Random, depth: int) -> str:
    kind = draw.randrange(12)
    space = draw.choice(["", "", " ", "\t", "\r"])
    if kind < 4:
        return quoted(draw.choice(WORDS), draw)
    if kind < 7:
        return draw.choice(NUMBERS if draw.random() < 0.98 else NO_NUMBERS)
    if kind == 7:
        return draw.choice(["true", "false", "null"])
    if kind < 10 and depth < 3:
        return f"{space}{made(draw, depth + 1)}{space}"
    if depth > 3:
        return "null"
    items = [value(draw, 4 if draw.random() < 0.95 else 2) for _ in range(draw.randrange(4))]
    return f"[{space}{f',{space}'.join(items)}]"


def made(draw: random.Random, depth: int = 0) -> str:
    names = draw.sample(WORDS, draw.randrange(1, 5)) if draw.random() < 0.95 else draw.choices(WORDS, k=3)
    if depth == 0 and draw.random() < 0.1:
        names.append(draw.choice(["y.z", "y"]))
    members = [f"{quoted(name, draw)}:{draw.choice(['', ' '])}{value(draw, depth)}" for name in names]
    return f"{{{draw.choice([', ', ',', ' , '])[: 2 * len(members)].join(members)}}}"


def line(draw: random.Random) -> bytes:
    row = made(draw)
    if draw.random() < 0.8:
        row = row[:-1] + ', "w": 2}'
    if "y.z" not in row:
        row = f'{row[:-1]}{", " if len(row) > 2 else ""}"y.z": {draw.choice(["1", "0", quoted("no", draw)])}}}'
    data = bytearray(row.encode(errors="surrogatepass" if draw.random() < 0.1 else "replace"))
    if draw.random() < 0.05:
        data[draw.randrange(len(data))] = draw.choice(b'{}[]",:\\\x00\xff 1e.-tn')
    return bytes(data.replace(b"\n", b" ")) + draw.choice([b"\n", b"\n", b"\r\n", b" \n"])


def parsed(chunk: Any, text: bytes) -> tuple[list[Any], list[tuple[int, str]], Any]:
    if len(text) > chunk.size:
        chunk.resize(len(text))
    chunk.text[: len(text)] = text
    chunk.end = len(text)
    chunk.parse()
    rows = []
    while True:
        rows += [(*row[:3], list(row[3].items())) for row in rows_of(chunk.block("t"))]
        if not chunk.parse_rest():
            return rows, chunk.bad_lines, chunk.error


@pytest.mark.parametrize("count", [60, pytest.param(20_000, marks=pytest.mark.long)])
def test_every_line_means_what_python_says(count: int) -> None:
    draw = random.Random(7)
    for skip in (True, False):
        for ok in (True, False):
            fast, slow = JsonChunk(256, ok, skip, SETTINGS), Plain(256, ok, skip, SETTINGS)
            for _ in range(count):
                text = b"".join(line(draw) for _ in range(draw.randrange(1, 12)))
                assert parsed(fast, text) == parsed(slow, text), text


def chunk_of(text: str, **settings: Any) -> JsonChunk:
    data = text.encode()
    chunk = JsonChunk(len(data), False, False, {"label": "y", **settings})
    chunk.text[: len(data)] = data
    chunk.end = len(data)
    return chunk


def test_usual_lines_are_not_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        '{"y": "no", "age": 31, "size": 1.75, "x": 0.30000000000000004, "who": "a\\u00e4 \\"b\\"", '
        '"ok": true, "no": null}\n'
        '{"age": 1e3, "t": ["x", 3, 2.5], "in": {"a": {"b": "c"}, "n": 2}, "empty": {}, "none": [], "y": "yes"}\r\n'
        '\n{"y": "\\u00e4", "zip": 10115, "n": 3}\n'
    )

    def refuse(chunk: JsonChunk, line: str) -> None:
        raise AssertionError(line)

    monkeypatch.setattr(JsonChunk, "_read_line", refuse)
    chunk = chunk_of(text, nominal=["zip"], numeric=["n"])
    rows, _, error = parsed(chunk, text.encode())
    assert error is None
    assert [dict(row[3]) for row in rows] == [
        {"age": 31.0, "size": 1.75, "x": 0.30000000000000004, 'who=a\u00e4 "b"': 1.0, "ok=true": 1.0},
        {"age": 1000.0, "t=x": 1.0, "t=3": 1.0, "t=2.5": 1.0, "in.a.b=c": 1.0, "in.n": 2.0},
        {"zip=10115": 1.0, "n": 3.0},
    ]


def test_a_line_that_is_taken_back_leaves_no_name() -> None:
    chunk = chunk_of('{"y": 1, "a": 1}\n{"y": 1, "b": "c", "d": 2, "e": [[1]]}\n{"y": 0, "d": 1, "b": "c"}\n')
    chunk._skip = True
    chunk.parse()
    block = chunk.block("t")
    assert block.columns is not None
    assert (block.rows, block.columns.texts(), list(block.keys[:3])) == (2, ["a", "d", "b=c"], [0, 1, 2])


def test_more_names_than_there_is_room_for() -> None:
    """Names of one path and many texts are longer than their text: a block ends where they do not fit any more."""
    path = "p" * 50
    text = "".join(f'{{"y": 1, "{path}": [{", ".join(str(20 * r + k) for k in range(20))}]}}\n' for r in range(40))
    chunk, slow = chunk_of(text), Plain(len(text), False, False, {"label": "y"})
    chunk.text[: len(text)] = text.encode()
    chunk.parse()
    first = chunk.block("t").rows
    assert 0 < first < 40
    assert parsed(chunk, text.encode()) == parsed(slow, text.encode())
    one = f'{{"y": 1, "{path}": [{", ".join(map(str, range(800)))}]}}\n'
    assert parsed(chunk_of(one), one.encode()) == parsed(Plain(len(one), False, False, {"label": "y"}), one.encode())


def test_roles_that_cannot_be() -> None:
    rows, _ = room()
    names, no_bins = b"a" + bytes(8), (array("d"), array("q", [0]), bytes(8), array("q", [0]))
    for roles, bins in (
        ((names, array("q", [0, 1]), array("q")), no_bins),
        ((names, array("q", [0, 2]), array("q", [1])), no_bins),
        ((names, array("q", [0, 1]), array("q", [1 << fields.BIN_SHIFT])), no_bins),
        ((names, array("q", [0]), array("q")), (array("d", [1.0]), array("q", [0]), bytes(8), array("q", [0, 0]))),
        ((names, array("q", [0]), array("q")), (array("d"), array("q", [0]), bytes(7), array("q", [0]))),
    ):
        rows.set_roles(roles, bins, array("i"))
        assert not rows.clear()
    rows.set_roles((names, array("q", [0]), array("q")), no_bins, array("i", [5, 1]))  # no program of patterns
    assert not rows.clear()


def room(**changed: int) -> tuple[kernel.JsonRows, Any]:
    """Room for a text of 20 bytes, no more than it needs but where `changed` says otherwise."""
    sizes = {
        "indptr": 11, "keys": 11, "values": 11, "weights": 10, "tokens": 10, "lines": 10, "texts": 20, "state": 9,
        "ends": 2, "names": 64, "name_ends": 4, "path_names": 64, "cells": 64, "paths": 64, "pairs": 16, "facts": 16,
    } | changed  # fmt: skip
    codes = {
        "keys": "Q",
        "cells": "Q",
        "values": "d",
        "weights": "d",
        "tokens": "i",
        "texts": "B",
        "names": "B",
        "path_names": "B",
    }
    made = {name: array(codes.get(name, "q"), bytes(8 * size))[:size] for name, size in sizes.items()}
    parts = [
        tuple(made[name] for name in ["indptr", "keys", "values", "weights", "tokens", "lines"]),
        (made["texts"], made["ends"], array("i", bytes(16))),
        tuple(made[name] for name in ["names", "name_ends", "path_names"]),
        tuple(made[name] for name in ["cells", "paths", "pairs", "facts"]),
    ]
    rows = kernel.JsonRows(*parts, made["state"])  # type: ignore[arg-type]
    labels = b"y" + bytes(8), array("q", [0, 1]), array("q", [fields.LABEL])
    rows.set_roles(labels, (array("d"), array("q", [0]), bytes(8), array("q", [0])), array("i"))
    return rows, made["state"]


def test_no_more_room_than_needed() -> None:
    text = b'{"y":1,"a":"b"}    \n'
    assert len(text) == 20
    rows, state = room()
    assert rows.clear()
    assert rows.parse(text + bytes(32), 20, False) == kernel.OK
    assert state[state_of.ROWS] == state[kernel.NAMES] == 1
    for name in ("indptr", "keys", "values", "weights", "tokens", "lines", "texts"):
        rows, state = room(
            **{name: (11 if name in ("indptr", "keys", "values") else 20 if name == "texts" else 10) - 1}
        )
        assert rows.clear()
        assert rows.parse(text + bytes(32), 20, False) == kernel.CAPACITY, name
    for name, size in (("paths", 31), ("cells", 8), ("names", 8), ("path_names", 8), ("name_ends", 1), ("ends", 1)):
        assert not room(**{name: size})[0].clear(), name
    for name, size in (("pairs", 3), ("facts", 3), ("paths", 32), ("names", 32)):
        rows, state = room(**{name: size})
        assert rows.clear()
        assert rows.parse(text + bytes(32), 20, False) == kernel.NAMES_FULL, name
        assert (state[state_of.POS], state[state_of.ROWS], state[kernel.NAMES]) == (0, 0, 0)
    rows, _ = room()
    assert rows.parse(text + bytes(32), 20, False) == kernel.CAPACITY  # not begun
    assert rows.clear()
    assert rows.parse(text + bytes(31), 20, False) == kernel.CAPACITY
    assert rows.parse(text[:-1] + bytes(33), 20, False) == kernel.CAPACITY


def test_the_hash_grows_and_forgets() -> None:
    draw = random.Random(3)
    lines = []
    for k in range(60):
        members = ", ".join(f'"k{draw.randrange(200)}x{j}": "v{draw.randrange(50)}"' for j in range(8))
        lines.append(f'{{"y": 1, {members}{", 7" if k % 3 == 0 else ""}}}\n')
    text = "".join(lines).encode()
    fast, slow = JsonChunk(len(text), False, True, {"label": "y"}), Plain(len(text), False, True, {"label": "y"})
    for _ in range(3):
        assert parsed(fast, text) == parsed(slow, text)
    assert fast.bad == 20
