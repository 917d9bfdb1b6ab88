"""Kernels that rework rows, called with buffers that do not fit together."""

from __future__ import annotations

from array import array
from typing import Any

from kernels.misuse import must_refuse
from mistakebound.kernels import hashing, patterns


def rows() -> dict[str, Any]:
    return {"indptr": array("q", [0, 2, 3]), "values": array("d", [1, 2, 3])}


def outputs() -> dict[str, Any]:
    return {
        "out_indptr": array("q", bytes(24)),
        "out_keys": array("Q", bytes(24)),
        "out_values": array("d", bytes(24)),
    }


def test_fold_refuses() -> None:
    marks = {"seen": array("q", bytes(64)), "held": array("q", bytes(64))}
    call = rows() | {"rows": 2, "prints": array("Q", [1, 2, 3]), "bits": 4} | outputs() | marks
    names = ["indptr", "values", "prints", "out_indptr", "out_keys", "out_values", "seen", "held"]
    must_refuse(hashing.fold, call, names, hashing.CAPACITY)
    assert hashing.fold(*(call | {"bits": 0}).values()) == hashing.CAPACITY
    assert hashing.fold(*(call | {"bits": 31}).values()) == hashing.CAPACITY
    assert hashing.fold(*(call | {"indptr": array("q", [0, 2, 1])}).values()) == hashing.CAPACITY
    assert hashing.fold(*call.values()) == 2


def test_drop_refuses() -> None:
    call = {"indptr": array("q", [0, 2, 3]), "keys": array("Q", [0, 1, 2]), "values": array("d", [1, 2, 3]), "rows": 2}
    call |= {"dropped": array("B", [0, 1, 0]), "by_key": True} | outputs()
    names = ["indptr", "keys", "values", "dropped", "out_indptr", "out_keys", "out_values"]
    must_refuse(patterns.drop, call, names, patterns.CAPACITY)
    must_refuse(patterns.drop, call | {"by_key": False}, names, patterns.CAPACITY)
    assert patterns.drop(*call.values()) == 2


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
    assert hashing.widest(array("q", [0, 2, 7]), 2) == 5
    assert hashing.widest(array("q", [0, 2, 7]), 3) == 0
