"""VW text read the plain way, from the description of the format: split at bars, then at blanks."""

from __future__ import annotations

import math
import re

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

Row = tuple[int, bytes | None, float, list[tuple[str, float]]]


def decimal(text: str) -> float:
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise ValueError("not a number")
    return float(text)


def words_of(text: str) -> list[str]:
    return [word for word in text.replace("\t", " ").split(" ") if word]


def read_head(head: str, unlabelled_ok: bool) -> tuple[bytes | None, float]:
    words = words_of(head)
    touching = bool(words) and head[-1] not in " \t"
    if words and (touching or words[-1].startswith("'")):
        words.pop()  # the tag
    for word in words:
        if word.startswith("'") or ":" in word or "," in word:
            raise ValueError("no plain label")
    if len(words) > 2:
        raise ValueError("too many words")
    weight = decimal(words[1]) if len(words) == 2 else 1.0
    if not weight > 0:
        raise ValueError("weight")
    if not words and not unlabelled_ok:
        raise ValueError("no label")
    return words[0].encode() if words else None, weight


def read_space(text: str) -> list[tuple[str, float]]:
    """What stands between two bars: a namespace, unless a blank comes first, then attributes."""
    words = words_of(text)
    prefix, scale = "", 1.0
    if words and text[0] not in " \t":
        name, colon, number = words.pop(0).partition(":")
        if not name and colon:
            raise ValueError("a scale without a name")
        prefix, scale = name + "^", decimal(number) if colon else 1.0
    entries = []
    for word in words:
        name, colon, number = word.partition(":")
        value = (decimal(number) if colon else 1.0) * scale
        if not name or not math.isfinite(value):
            raise ValueError("not an attribute")
        entries.append((prefix + name, value))
    return entries


def read_line(line: bytes, unlabelled_ok: bool = False) -> tuple[bytes | None, float, list[tuple[str, float]]] | None:
    """Label, weight and entries of a line without its newline; None when it is empty; ValueError when it is bad."""
    if line.endswith(b"\r"):
        line = line[:-1]
    if not line.strip(b" \t"):
        return None
    if any(c < 32 and c != 9 for c in line):
        raise ValueError("control character")
    head, *spaces = line.split(b"|")
    if not spaces:
        raise ValueError("no bar")
    # A tag is passed over, whatever its bytes.
    label, weight = read_head(head.decode("latin-1"), unlabelled_ok)
    if label is not None:
        label = label.decode().encode("latin-1")
        label.decode()
    found: dict[str, float] = {}
    for name, value in [entry for space in spaces for entry in read_space(space.decode())]:
        found[name] = found[name] + value if name in found else value
        if not math.isfinite(found[name]):
            raise ValueError("no finite sum")
    return label, weight, list(found.items())


def read(text: bytes, unlabelled_ok: bool = False) -> tuple[list[Row], list[int]]:
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
                rows.append((number, *row))
    return rows, bad
