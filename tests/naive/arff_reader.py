"""ARFF read the plain way: character by character, a dictionary a row."""

from __future__ import annotations

from typing import Any

from naive.table_reader import Row, number

_WAYS_OUT = {"n": "\n", "t": "\t", "r": "\r"}


class BadRow(Exception):
    pass


def header_of(text: bytes) -> tuple[list[tuple[str, list[str] | None, bool]], int]:
    """(name, declared values or None, whether it is numeric) of each column, and the number of the line `@data`.

    The header is a good one, with bare names.
    """
    columns: list[tuple[str, list[str] | None, bool]] = []
    for at, line in enumerate(text.split(b"\n"), 1):
        words = line.decode(errors="replace").split(None, 2)
        if words and words[0].lower() == "@data":
            return columns, at
        if words and words[0].lower() == "@attribute":
            if words[2].strip().startswith("{"):
                columns.append((words[1], cells(words[2].strip()[1:-1]), False))
            else:
                columns.append((words[1], None, words[2].strip().lower() in ("numeric", "real", "integer")))
    raise AssertionError("no @data")


def cells(text: str) -> list[str]:
    found, at = [], 0
    while True:
        cell, at = one_cell(text, at)
        found.append(cell)
        if at >= len(text) or text[at] == "%":
            return found
        if text[at] != ",":
            raise BadRow("something behind a quote")
        at += 1


def one_cell(text: str, at: int) -> tuple[str, int]:
    """A cell, and where the comma, the remark or the end behind it is."""
    while at < len(text) and text[at].isspace():
        at += 1
    if at < len(text) and text[at] in "'\"":
        quote, cell, at = text[at], "", at + 1
        while True:
            if at >= len(text):
                raise BadRow("no closing quote")
            if text[at] == quote:
                break
            if text[at] == "\\":
                at += 1
                if at >= len(text):
                    raise BadRow("nothing behind a backslash")
                cell += _WAYS_OUT.get(text[at], text[at])
            else:
                cell += text[at]
            at += 1
        at += 1
        while at < len(text) and text[at].isspace():
            at += 1
        return cell, at
    cell = ""
    while at < len(text) and text[at] not in ",%":
        if text[at] in "'\"{}":
            raise BadRow("a quote or a brace in a bare cell")
        cell += text[at]
        at += 1
    return cell.strip(), at


def sparse(text: str, default: list[str]) -> list[str]:
    at, quote = 1, ""
    while True:
        if at >= len(text):
            raise BadRow("not closed")
        if quote and text[at] == "\\":
            at += 1
        elif quote and text[at] == quote:
            quote = ""
        elif not quote and text[at] in "'\"":
            quote = text[at]
        elif not quote and text[at] == "}":
            break
        at += 1
    behind = text[at + 1 :].strip()
    if behind and behind[0] != "%":
        raise BadRow("text behind the brace")
    inner, given, at = text[1:at], dict(enumerate(default)), 0
    seen = set()
    while inner.strip():
        while at < len(inner) and inner[at].isspace():
            at += 1
        digits = ""
        while at < len(inner) and inner[at] in "0123456789":
            digits += inner[at]
            at += 1
        gap = at
        while at < len(inner) and inner[at].isspace():
            at += 1
        if not digits or len(digits) > 18 or gap == at or at >= len(inner) or inner[at] in ",%":
            raise BadRow("no place and value")
        if int(digits) >= len(default) or int(digits) in seen:
            raise BadRow("a place that is not there, or twice")
        seen.add(int(digits))
        given[int(digits)], at = one_cell(inner, at)
        if at >= len(inner) or inner[at] == "%":
            break
        if inner[at] != ",":
            raise BadRow("something behind a quote")
        at += 1
    return [given[place] for place in range(len(default))]


def read(text: bytes, label: str, unlabelled_ok: bool) -> tuple[list[Row], list[int]]:
    """The rows behind a good header, and the lines of the bad ones."""
    columns, first = header_of(text)
    default = ["0" if numeric else (values or ["?"])[0] for _, values, numeric in columns]
    rows: list[Row] = []
    bad: list[int] = []
    for line, data in enumerate(text.split(b"\n"), 1):
        if line <= first or not data.strip() or data.strip().startswith(b"%"):
            continue
        try:
            rows.append(one_row(data, columns, default, label, unlabelled_ok, line))
        except (BadRow, UnicodeDecodeError):
            bad.append(line)
    return rows, bad


def one_row(data: bytes, columns: Any, default: list[str], label: str, unlabelled_ok: bool, line: int) -> Row:
    text = data.decode().strip()
    found = sparse(text, default) if text.startswith("{") else cells(text)
    if len(found) != len(columns) or any("\0" in cell for cell in found):
        raise BadRow("the number of cells, or NUL")
    token, entries = None, {}
    for cell, (name, values, numeric) in zip(found, columns, strict=True):
        if values is not None and cell not in values and cell not in ("", "?"):
            raise BadRow("not declared")
        cell = cell.strip(" \t")
        if cell in ("", "?"):
            continue
        if name == label:
            token = cell.encode()
        elif numeric:
            value = number(cell)
            if value is None:
                raise BadRow("not a number")
            entries[name] = value
        else:
            entries[f"{name}={cell}"] = 1.0
    if token is None and not unlabelled_ok:
        raise BadRow("no label")
    return line, token, 1.0, entries
