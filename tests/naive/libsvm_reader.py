"""libsvm text read the plain way: split, a regular expression, float(), sorted()."""

from __future__ import annotations

import math
import re

_ENTRY = re.compile(rb"([0-9]+):([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_QID = re.compile(rb"qid:[0-9]+")

Row = tuple[int, bytes | None, list[tuple[int, float]]]


def read_line(line: bytes, unlabelled_ok: bool = False) -> tuple[bytes | None, list[tuple[int, float]]] | None:
    """Label and entries of a line without its newline; None when it is no row; ValueError when it is bad."""
    if line.endswith(b"\r"):
        line = line[:-1]
    line = line.partition(b"#")[0]
    words = [w for w in line.replace(b"\t", b" ").split(b" ") if w]
    if not words:
        return None
    if any(c < 32 and c != 9 for c in line):
        raise ValueError("control character")
    label = None
    if b":" not in words[0]:
        label = words.pop(0)
        label.decode()
    elif not unlabelled_ok:
        raise ValueError("no label")
    entries = []
    for word in words:
        if _QID.fullmatch(word):
            continue
        match = _ENTRY.fullmatch(word)
        if not match:
            raise ValueError("not an entry")
        key, value = int(match[1]), float(match[2])
        if key >= 2**63 or not math.isfinite(value):
            raise ValueError("out of range")
        entries.append((key, value))
    return label, entries


def in_order(entries: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """By id; a row with an id twice, which nobody can learn, stays as it is."""
    return sorted(entries) if len(dict(entries)) == len(entries) else entries


def read(text: bytes, unlabelled_ok: bool = False, *, as_written: bool = False) -> tuple[list[Row], list[int]]:
    """All good rows, with their lines, and the lines of the bad ones."""
    lines = text.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    rows: list[Row] = []
    bad = []
    for number, line in enumerate(lines, 1):
        try:
            row = read_line(line, unlabelled_ok)
        except ValueError:
            bad.append(number)
        else:
            if row is not None:
                rows.append((number, row[0], row[1] if as_written else in_order(row[1])))
    return rows, bad
