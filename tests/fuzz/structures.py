"""Files of ours changed by their structure: one field, one number, one part; every length and checksum is mended.

What comes out could have been written by somebody who knows the format, so nothing but validation can refuse it.
"""

from __future__ import annotations

import json
import random
from array import array
from collections.abc import Callable
from copy import deepcopy
from typing import Any
from zlib import crc32

import texts
from mutations import NASTY, array_changed, directory_changed, lengths_changed, parts, places, whole

Draw = random.Random

# Written into the text by hand: Python refuses to write some, and JSON has no word for others.
TEXTS = {
    "@deep list@": "[" * 100_000 + "]" * 100_000,
    "@deep object@": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "@5000 digits@": "9" * 5000,
    "@400 digits@": "9" * 400,
    "@1e400@": "1e400",
    "@-1e400@": "-1e400",
    "@nan@": "NaN",
    "@infinity@": "Infinity",
    "@1e999999999@": "1e999999999",
}
ODD: list[Any] = [
    *NASTY, *TEXTS, "x" * 200_000, ["y" * 1000] * 300, list(range(3000)), {f"k{i}": i for i in range(3000)},
    "\n" * 50, "\x1b[2J", "$", "../../x", "/dev/null", "%s{}", "1/0", "2.5", "9" * 30, "-1", "٣", "NaN", "nan", "inf",
    1e-320, 1.7e308, -1.7e308, 1e15, 2**62, 2**40, -(2**31), 3, 7, 100, -0.5, 1.5, [[[[1]]]], {"a": {"b": {}}},
    [True, False], ["a", 1], [1, 1], [1.5, "x", None], {"name": "x"}, {"format": "text"}, {"format": "csv"},
    "singletons m=999999", "intervals m=1000000", "conjunctions n=1000000", "r-of-k n=1000000 r=2 k=500000",
    "decision-lists n=1000000", "dnf n=3000 monotone terms=900000 literals=2", "parities n=99999999999999999999",
    "finite rows=01,10", "linear-thresholds n=4", "winnow2(n=99999999999999999999)", "perceptron; arow; winnow2",
    {"kind": "conjunctions"}, {"kind": "standardized"}, {"run": {}}, {"size": -1},
]  # fmt: skip


def as_json(value: Any) -> bytes:
    text = json.dumps(value, separators=(",", ":"))
    for mark, written in TEXTS.items():
        text = text.replace(json.dumps(mark), written)
    return text.encode()


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _place(value: Any, draw: Draw) -> tuple[Any, ...]:
    """A path into a JSON value; of the elements of a list, however long it is, all together count as one field."""
    kinds: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for path in places(value):
        kinds.setdefault(tuple("[]" if isinstance(step, int) else step for step in path), []).append(path)
    return draw.choice(kinds[draw.choice(sorted(kinds, key=repr))])


def json_changed(value: Any, draw: Draw) -> Any:
    """A copy with one field replaced, moved a little, taken away, doubled, or exchanged for another one's value."""
    value = deepcopy(value)
    if not places(value) or draw.random() < 0.01:
        return draw.choice([[], {}, None, 5, "x", [value], "@deep list@", "@5000 digits@"])
    *way, last = _place(value, draw)
    inner = _at(value, tuple(way))
    old = inner[last]
    kind = draw.randrange(10)
    if kind == 0:
        del inner[last]
    elif kind == 1:
        inner[last] = deepcopy(_at(value, _place(value, draw)))
    elif kind == 2 and isinstance(inner, list):
        inner.insert(draw.randrange(len(inner) + 1), deepcopy(draw.choice([old, draw.choice(ODD)])))
    elif kind == 2:
        inner[draw.choice(["", "new", "kind", "n", "format", "\ud800", "x" * 100_000])] = draw.choice(ODD)
    elif kind in (3, 4, 5):
        inner[last] = _moved(old, draw)
    elif kind == 6:
        other = _place(value, draw)
        if other[: len(way) + 1] != (*way, last) and (*way, last)[: len(other)] != other:
            _at(value, other[:-1])[other[-1]], inner[last] = old, deepcopy(_at(value, other))
        else:
            inner[last] = draw.choice(ODD)
    else:
        inner[last] = deepcopy(draw.choice(ODD))
    return value


def _moved(old: Any, draw: Draw) -> Any:
    """Another value of the same kind."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return draw.choice([old + 1, old - 1, -old, old * 10**9, old << 60, old + 0.5, float(old), str(old), 0, 2, 10])
    if isinstance(old, float):
        return draw.choice([-old, old * 1e300, old * 1e-300, old + 1, 0.0, str(old), int(old) if old < 1e300 else 0])
    if isinstance(old, str):
        return draw.choice(["", old + "x", old[:-1], old * 3000, old.upper(), old[::-1], "é" + old, old + "\n", [old]])
    if isinstance(old, list):
        return draw.choice(
            [old[:-1], old[::-1], old + old, old[:1], [*old, None], {str(k): v for k, v in enumerate(old)}]
        )
    if isinstance(old, dict):
        return draw.choice([{}, list(old.items()), dict(list(old.items())[1:]), dict.fromkeys(old), [old]])
    return draw.choice(ODD)


# Models and checkpoints.


def header_changed(data: bytes, other: bytes, draw: Draw) -> bytes:
    header, arrays = parts(data)
    return whole(data, json_changed(header, draw), arrays, as_json)


MODEL_WAYS: list[Callable[[bytes, bytes, Draw], bytes]] = [
    *[header_changed] * 10, *[array_changed] * 6, directory_changed, lengths_changed,
]  # fmt: skip


# Caches.

_HEAD = 20  # numbers before the columns of a block
_START = 40  # bytes before the first block
_ODD_NUMBERS = [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 24, 63, 64, 100, 255, 256, 65_535, 65_536, 2**31 - 1, 2**31, 2**32, 2**40, 2**60,
    2**62, 2**63 - 1, -1, -2, -8, -(2**31), -(2**63),
]  # fmt: skip


class Cache:
    """A cache taken apart: its footer, and its blocks as bytes; `whole` puts it together, checksums and all."""

    def __init__(self, data: bytes) -> None:
        at, _ = memoryview(data)[16:32].cast("Q")
        self.start = data[:16]
        self.footer: Any = json.loads(data[at:])
        self.blocks: list[bytearray] = []
        place = _START
        while place < at:
            size = int.from_bytes(data[place : place + 8], "little", signed=True)
            self.blocks.append(bytearray(data[place : place + size]))
            place += size

    def whole(self, *, moved: int = 0, longer: int = 0) -> bytes:
        body = b""
        for block in self.blocks:
            if len(block) >= 16:
                block[8:16] = crc32(block[16:], crc32(block[:8])).to_bytes(8, "little")
            body += block
        text = as_json(self.footer)
        at, length = max(0, _START + len(body) + moved), max(0, len(text) + longer)
        written = (bytes(_START) + body + text)[at : at + length] if moved or longer else text
        start = self.start + array("Q", [at, length]).tobytes() + crc32(written).to_bytes(4, "little")
        return start + crc32(start).to_bytes(4, "little") + body + text


def footer_changed(cache: Cache, other: Cache, draw: Draw) -> bytes:
    cache.footer = json_changed(cache.footer, draw)
    return cache.whole()


def head_changed(cache: Cache, other: Cache, draw: Draw) -> bytes:
    """A number of a block's head."""
    if cache.blocks:
        block = draw.choice(cache.blocks)
        place = 8 * draw.choice([0, *range(2, _HEAD)])
        old = int.from_bytes(block[place : place + 8], "little", signed=True)
        number = draw.choice([*_ODD_NUMBERS, old + 1, old - 1, 2 * old, -old, old + 8, old - 8])
        block[place : place + 8] = (number & (2**64 - 1)).to_bytes(8, "little")
    return cache.whole()


def column_changed(cache: Cache, other: Cache, draw: Draw) -> bytes:
    """Bytes behind the head of a block."""
    filled = [block for block in cache.blocks if len(block) > 8 * _HEAD]
    if filled:
        block = draw.choice(filled)
        for _ in range(draw.choice([1, 1, 1, 4])):
            place = draw.randrange(8 * _HEAD, len(block))
            many = draw.choice([1, 1, 2, 4, 8])
            new = draw.choice([b"\0", b"\xff", b"\x7f", b"\x80", b"\x01", draw.randbytes(1)]) * many
            block[place : place + many] = new[: len(block) - place]
    return cache.whole()


def blocks_changed(cache: Cache, other: Cache, draw: Draw) -> bytes:
    """Blocks doubled, taken away, cut, exchanged for another cache's."""
    kind = draw.randrange(5)
    place = draw.randrange(len(cache.blocks) + 1)
    if kind == 0:
        cache.blocks[place : place + 1] = []
    elif kind == 1 and cache.blocks:
        cache.blocks.insert(place, bytearray(draw.choice(cache.blocks)))
    elif kind == 2:
        cache.blocks[place : place + 1] = [bytearray(block) for block in other.blocks]
    elif kind == 3 and cache.blocks:
        block = draw.choice(cache.blocks)
        del block[draw.randrange(len(block)) :]
        if draw.random() < 0.5 and len(block) >= 8:
            block[:8] = len(block).to_bytes(8, "little")
    else:
        cache.footer = other.footer
    return cache.whole()


def start_changed(cache: Cache, other: Cache, draw: Draw) -> bytes:
    """The version, the byte order, where the footer is said to be."""
    if draw.random() < 0.3:
        place = draw.choice([8, 12])
        cache.start = cache.start[:place] + draw.randbytes(4) + cache.start[place + 4 :]
        return cache.whole()
    moved = draw.choice([-8, 8, 1, -1, -100, 10**6, -(10**6)])
    return cache.whole(moved=moved, longer=draw.choice([0, -moved, 5, 2**28, -5]))


CACHE_WAYS: list[Callable[[Cache, Cache, Draw], bytes]] = [
    *[footer_changed] * 6, *[head_changed] * 4, *[column_changed] * 4, blocks_changed, start_changed,
]  # fmt: skip


# Logs of hunts.


def log_changed(data: bytes, draw: Draw) -> bytes:
    """A field of a line, or a line moved, doubled, taken away, put out of shape."""
    lines = data.splitlines()
    place = draw.choice([0, *[draw.randrange(len(lines))] * 3])
    kind = draw.randrange(12)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(draw.randrange(len(lines) + 1), lines[place])
    elif kind == 2:
        other = draw.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == 3:
        odd = [*(text.encode() for text in TEXTS.values()), b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe", b"", b"{}"]
        lines[place] = draw.choice([*odd, b"null", b'"' + b"x" * 200_000 + b'"', b"x" * 200_000])
    elif kind == 4:
        lines[place] = lines[place][: draw.randrange(len(lines[place]) + 1)]
    else:
        lines[place] = as_json(json_changed(json.loads(lines[place]), draw))
    return b"\n".join(lines) + draw.choice([b"\n", b"\n", b"\n", b""])


def changed(kind: str, data: bytes, other: bytes, draw: Draw) -> tuple[str, bytes]:
    """(in which way, the changed file)."""
    if kind == "rows":
        return "text changed", texts.changed(data, draw)
    if kind == "logs":
        return "log_changed", log_changed(data, draw)
    if kind == "caches":
        change = draw.choice(CACHE_WAYS)
        return change.__name__, change(Cache(data), Cache(other), draw)
    way = draw.choice(MODEL_WAYS)
    return way.__name__, way(data, other, draw)
