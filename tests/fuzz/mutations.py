"""Model files made wrong in many ways: bytes, lengths, fields, values, arrays, spliced halves."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any
from zlib import crc32

Draw = random.Random

NASTY: list[Any] = [
    None, True, False, 0, 1, -1, 2, 255, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**400, -(2**63), 0.0, -0.0,
    0.5, 1.0000000001, 1e-308, 5e-324, 1e308, float("nan"), float("inf"), float("-inf"), "", "n", "n/2", ">", ">=", "0",
    "nobody", "winnow1", "perceptron", "\x00", "\ud800", "é" * 300, [], {}, [None], [[]], {"": None}, [0] * 5,
    ["a", "b"],
    [2**70] * 4, {"format": "libsvm"}, {"format": None},
]  # fmt: skip


def sealed(body: bytes | bytearray) -> bytes:
    """With the checksum that belongs to it."""
    return bytes(body) + crc32(body).to_bytes(4, "little")


def flip_bits(data: bytes, other: bytes, draw: Draw) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 8])):
        changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def cut(data: bytes, other: bytes, draw: Draw) -> bytes:
    a, b = sorted(draw.choices(range(len(data) + 1), k=2))
    return data[:a] + data[b:] if draw.random() < 0.5 else data[:a]


def insert(data: bytes, other: bytes, draw: Draw) -> bytes:
    at = draw.randrange(len(data) + 1)
    return data[:at] + draw.choice([b"\0" * 8, b"\xff" * 4, b'"', b"9" * 30, draw.randbytes(5)]) + data[at:]


def splice(data: bytes, other: bytes, draw: Draw) -> bytes:
    """The start of one file and the end of another."""
    return data[: draw.randrange(len(data))] + other[draw.randrange(len(other)) :]


def overwrite(data: bytes, other: bytes, draw: Draw) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.choice([1, 1, 3])):
        at = draw.randrange(8, len(changed))
        many = draw.choice([1, 1, 2, 4, 8])
        changed[at : at + many] = draw.choice([b"\0", b"\xff", b"0", b"9", b'"', draw.randbytes(1)]) * many
    return bytes(changed)


BYTES: list[Callable[[bytes, bytes, Draw], bytes]] = [flip_bits, cut, insert, splice, overwrite]


def bytes_changed(data: bytes, other: bytes, draw: Draw) -> bytes:
    return draw.choice(BYTES)(data, other, draw)


def bytes_changed_and_sealed(data: bytes, other: bytes, draw: Draw) -> bytes:
    return sealed(draw.choice(BYTES)(data[:-4], other[:-4], draw))


def lengths_changed(data: bytes, other: bytes, draw: Draw) -> bytes:
    """The version and the length of the header."""
    body = bytearray(data[:-4])
    at = draw.choice([8, 12, 12, 12])
    number = int.from_bytes(body[at : at + 4], "little")
    number = draw.choice([0, 1, 2**31, 2**32 - 1, number + 1, max(0, number - 1), number + 8, draw.randrange(2**16)])
    body[at : at + 4] = number.to_bytes(4, "little")
    return sealed(body)


def parts(data: bytes) -> tuple[dict[str, Any], list[bytes]]:
    end = 16 + int.from_bytes(data[12:16], "little")
    header: dict[str, Any] = json.loads(data[16:end])
    sizes = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "f": 4, "d": 8}
    arrays, at = [], end + -end % 8
    for _, code, count in header["arrays"]:
        arrays.append(data[at : at + sizes[code] * count])
        at += len(arrays[-1]) + -len(arrays[-1]) % 8
    return header, arrays


def as_json(header: Any) -> bytes:
    return json.dumps(header).encode(errors="surrogatepass")


def whole(data: bytes, header: Any, arrays: list[bytes], written: Callable[[Any], bytes] = as_json) -> bytes:
    text = written(header)
    body = bytearray(data[:12] + len(text).to_bytes(4, "little") + text)
    body += bytes(-len(body) % 8)
    for array in arrays:
        body += array + bytes(-len(array) % 8)
    return sealed(body)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to everything in a JSON value, itself left out."""
    if isinstance(value, dict):
        steps: list[tuple[Any, Any]] = list(value.items())
    elif isinstance(value, list):
        steps = list(enumerate(value))
    else:
        return []
    return [found for key, inner in steps for found in [(*path, key), *places(inner, (*path, key))]]


def field_changed(data: bytes, other: bytes, draw: Draw) -> bytes:
    """A value of the header replaced, taken away, or exchanged for another one's."""
    header, arrays = parts(data)
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        listed = places(header)
        *way, last = draw.choice(listed)
        inner: Any = header
        for step in way:
            inner = inner[step]
        kind = draw.randrange(4)
        if kind == 0:
            del inner[last]
        elif kind == 1:
            *there, key = draw.choice(listed)
            try:
                source: Any = header
                for step in (*there, key):
                    source = source[step]
                inner[last] = json.loads(json.dumps(source))
            except (KeyError, IndexError, TypeError):
                inner[last] = None
        else:
            inner[last] = deepcopy(draw.choice(NASTY))
        if not header:
            break
    if draw.random() < 0.02:
        header = draw.choice([[], None, 5, "x", [header]])
    return whole(data, header, arrays)


def directory_changed(data: bytes, other: bytes, draw: Draw) -> bytes:
    """Counts, types, names and order of the arrays; the bytes of the arrays stay as they are, or go along."""
    header, arrays = parts(data)
    listed = header["arrays"]
    if not listed:
        return data
    at = draw.randrange(len(listed))
    kind = draw.randrange(6)
    if kind == 0:
        listed[at][2] = draw.choice(
            [0, 1, listed[at][2] + 1, 2**31, 2**61, 2**63, 10**30, -1, -8, 1.5, None, "3", True]
        )
    elif kind == 1:
        listed[at][1] = draw.choice(["b", "B", "H", "I", "q", "Q", "f", "d", "u", "w", "x", "", None, 5, ["b"]])
    elif kind == 2:
        b = draw.randrange(len(listed))
        listed[at][0], listed[b][0] = listed[b][0], listed[at][0]
    elif kind == 3:
        b = draw.randrange(len(listed))
        listed[at], listed[b], arrays[at], arrays[b] = listed[b], listed[at], arrays[b], arrays[at]
    elif kind == 4:
        listed.append(draw.choice([list(listed[at]), ["more", "B", 0], [], None, ["a", "b"], 7]))
    else:
        del listed[at], arrays[at]
    return whole(data, header, arrays)


def array_changed(data: bytes, other: bytes, draw: Draw) -> bytes:
    """Numbers of an array replaced; or the array made longer, shorter, or another file's, its count going along."""
    header, arrays = parts(data)
    sizes = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "f": 4, "d": 8}
    filled = [place for place, array in enumerate(arrays) if array]
    if not filled:
        return data
    at = draw.choice(filled)
    size = sizes[header["arrays"][at][1]]
    array, count = bytearray(arrays[at]), len(arrays[at]) // size
    kind = draw.randrange(4)
    if kind == 0:
        array = array[: size * draw.randrange(count + 1)]
    elif kind == 1:
        array += array[: size * draw.randrange(1, count + 1)]
    else:
        for _ in range(draw.choice([1, 1, 3])):
            place = size * draw.randrange(count)
            copied = size * draw.randrange(count)
            array[place : place + size] = draw.choice(
                [b"\0" * size, b"\xff" * size, b"\x01" + b"\0" * (size - 1), b"\0" * (size - 1) + b"\x7f",
                 b"\0" * (size - 2) + b"\xf0\x7f" if size == 8 else b"\x80" * size, draw.randbytes(size),
                 bytes(array[copied : copied + size])]
            )  # fmt: skip
    arrays[at] = bytes(array)
    header["arrays"][at][2] = len(array) // size
    return whole(data, header, arrays)


WAYS: list[Callable[[bytes, bytes, Draw], bytes]] = [
    bytes_changed, bytes_changed_and_sealed, lengths_changed, field_changed, field_changed, directory_changed,
    array_changed, array_changed,
]  # fmt: skip


def mutate(data: bytes, other: bytes, draw: Draw) -> tuple[str, bytes]:
    """(in which way, the changed file)."""
    way = draw.choice(WAYS)
    return way.__name__, way(data, other, draw)
