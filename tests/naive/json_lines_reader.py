"""JSON lines read the plain way: the json module gives pairs, and everything else is looked at afterwards."""

from __future__ import annotations

import json
import math
from typing import Any

from naive.table_reader import Row, number


class BadRow(Exception):
    pass


class Number:
    """As it is written."""

    def __init__(self, text: str) -> None:
        self.text = text


def refuse(text: str) -> Any:
    raise BadRow(text)


def value_of(written: Number) -> float:
    if "." not in written.text and "e" not in written.text.lower() and len(written.text) > 400:
        raise BadRow("too long")
    value = float(written.text)
    if not math.isfinite(value):
        raise BadRow("a number is too large")
    return value


def text_of(value: Any) -> str:
    """As the name of an attribute has it."""
    if isinstance(value, Number):
        whole = not set(value.text) & set(".eE")
        return str(int(value.text)) if whole else str(float(value.text))
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value).strip()


def pairs_of(line: str) -> list[tuple[str, Any]]:
    """The members of the object, inner objects as tuples of pairs; every number in it is in range."""
    try:
        row = json.loads(line, object_pairs_hook=tuple, parse_float=Number, parse_int=Number, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise BadRow("no JSON") from None
    if not isinstance(row, tuple) or not line.strip().startswith("{"):
        raise BadRow("no object")
    look(row)
    return list(row)


def look(value: Any) -> None:
    if isinstance(value, Number):
        if set(value.text) & set(".eE"):
            value_of(value)
        elif len(value.text) > 400:
            raise BadRow("too long")
    elif isinstance(value, tuple):
        names = [name for name, _ in value]
        if len(set(names)) < len(names):
            raise BadRow("twice")
        for _, inner in value:
            look(inner)
    elif isinstance(value, list):
        for inner in value:
            look(inner)


def flat(pairs: Any, outer: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in pairs:
        found += flat(value, f"{outer}{name}.") if isinstance(value, tuple) else [(outer + name, value)]
    return found


def entries_of(name: str, value: Any, settings: dict[str, Any]) -> list[tuple[str, float]]:
    if value is None:
        return []
    if isinstance(value, list):
        if any(isinstance(item, (list, tuple)) for item in value):
            raise BadRow("a list in a list")
        texts = {text_of(item) for item in value if item is not None} - {"", "?"}
        return [(f"{name}={text}", 1.0) for text in texts]
    if isinstance(value, Number) and name not in settings.get("nominal", ()):
        return [(name, value_of(value))]
    text = text_of(value)
    if text in ("", "?"):
        return []
    if name in settings.get("numeric", ()):
        found = (
            number(value.strip()) if isinstance(value, str) else value_of(value) if isinstance(value, Number) else None
        )
        if found is None:
            raise BadRow("no number")
        return [(name, found)]
    return [(f"{name}={text}", 1.0)]


def one_row(line: str, settings: dict[str, Any], unlabelled_ok: bool) -> tuple[bytes | None, float, dict[str, float]]:
    members = dict(pairs_of(line))
    label, weight = members.pop(settings["label"], None), 1.0
    if isinstance(label, (list, tuple)):
        raise BadRow("no single label")
    token = None if label is None or text_of(label) in ("", "?") else text_of(label)
    if token is None and not unlabelled_ok:
        raise BadRow("no label")
    if "weights" in settings and (settings["weights"] in members or not unlabelled_ok):
        given = members.pop(settings["weights"], None)
        if given is not None or not unlabelled_ok:
            found = value_of(given) if isinstance(given, Number) else None
            found = number(given.strip()) if isinstance(given, str) else found
            if found is None or found <= 0:
                raise BadRow("no weight")
            weight = found
    entries = [entry for name, value in flat(members.items(), "") for entry in entries_of(name, value, settings)]
    if len(dict(entries)) < len(entries) or any(not name for name, _ in entries):
        raise BadRow("an attribute twice, or without a name")
    return None if token is None else token.encode(errors="surrogatepass"), weight, dict(entries)


def read(text: bytes, settings: dict[str, Any], unlabelled_ok: bool) -> tuple[list[Row], list[int]]:
    rows: list[Row] = []
    bad: list[int] = []
    text = text.removeprefix(b"\xef\xbb\xbf")
    for line, data in enumerate(text.split(b"\n"), 1):
        try:
            written = data.decode().rstrip("\r")
            if written.strip():
                token, weight, entries = one_row(written, settings, unlabelled_ok)
                rows.append((line, token, weight, entries))
        except (BadRow, UnicodeDecodeError):
            bad.append(line)
    return rows, bad
