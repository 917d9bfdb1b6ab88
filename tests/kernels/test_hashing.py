"""Kernels that rework rows, called with buffers that do not fit together."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from kernels.misuse import must_refuse
from mistakebound.kernels import hashing, patterns
from mistakebound.kernels.key_rows import KeyRows, NewRows

BUFFERS = ["indptr", "keys", "values", "out_indptr", "out_keys", "out_values"]


def call() -> dict[str, Any]:
    """Rows, and room for others."""
    return {
        "indptr": array("q", [0, 2, 3]),
        "keys": array("Q", [0, 1, 2]),
        "values": array("d", [1, 2, 3]),
        "rows": 2,
        "out_indptr": array("q", bytes(24)),
        "out_keys": array("Q", bytes(24)),
        "out_values": array("d", bytes(24)),
    }


def reworked(kernel: Callable[..., int], call: dict[str, Any]) -> int:
    """What a kernel says of rows, room for others, and its own arguments."""
    values = [*call.values()]
    try:
        rows = KeyRows(*values[:4])
    except AssertionError:
        return hashing.CAPACITY
    return kernel(rows, NewRows(*values[4:7]), *values[7:])


def fold(rows: KeyRows, out: NewRows, bits: int, seen: array[int], held: array[int]) -> int:
    return hashing.fold(rows, bits, out, seen, held)


def drop(rows: KeyRows, out: NewRows, dropped: array[int], by_key: bool) -> int:
    return patterns.drop(rows, dropped, by_key, out)


def test_fold_refuses() -> None:
    marks = {"bits": 4, "seen": array("q", bytes(64)), "held": array("q", bytes(64))}
    must_refuse(fold, call() | marks, [*BUFFERS, "seen", "held"], hashing.CAPACITY, reworked)
    for change in ({"bits": 0}, {"bits": 31}, {"indptr": array("q", [0, 2, 1])}, {"out_keys": array("I", [0] * 3)}):
        assert reworked(fold, call() | marks | change) == hashing.CAPACITY
    assert reworked(fold, call() | marks) == 2


def test_drop_refuses() -> None:
    for by_key in (True, False):
        own = {"dropped": array("B", [0, 1, 0]), "by_key": by_key}
        must_refuse(drop, call() | own, [*BUFFERS, "dropped"], patterns.CAPACITY, reworked)
        assert reworked(drop, call() | own) == 2


def test_the_others_refuse() -> None:
    three = array("Q", [0, 1, 2])
    must_refuse(hashing.of_ids, {"keys": three, "entries": 3, "out": three[:]}, ["keys", "out"], hashing.CAPACITY)
    names = {"blob": array("B", b"abc"), "ends": array("q", [0, 1, 2, 3]), "count": 3, "out": array("Q", bytes(24))}
    must_refuse(hashing.of_names, names, ["blob", "ends", "out"], hashing.CAPACITY)
    program = {"program": array("i", [1, 97]), "out": array("B", bytes(3))}
    without = {name: value for name, value in names.items() if name != "out"}
    must_refuse(patterns.match_names, without | program, ["blob", "ends", "program", "out"], patterns.CAPACITY)
    ids = {"keys": three, "entries": 3, "program": program["program"], "digits": array("B", bytes(20))}
    must_refuse(patterns.match_ids, ids | {"out": program["out"]}, ["keys", "program", "digits", "out"], -1)
    table = {"table": array("Q", [5, 6, 7]), "keys": three, "entries": 3, "out": array("Q", bytes(24))}
    must_refuse(hashing.gather, table, ["table", "keys", "out"], hashing.CAPACITY)
    claim = {"prints": three, "entries": 3, "bits": 2, "owners": array("Q", bytes(32)), "state": array("q", bytes(24))}
    must_refuse(hashing.claim, claim, ["prints", "owners", "state"], hashing.CAPACITY)
    assert KeyRows(array("q", [0, 2, 7]), array("Q", bytes(56)), array("d"), 2).widest == 5
