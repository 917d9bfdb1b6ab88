"""Labelled text read the plain way: a word is put together character by character."""

from __future__ import annotations

from typing import Any

from naive.table_reader import Row


def words(text: str, marks: bool) -> list[str]:
    found, at = [], 0
    while at < len(text):
        if not in_word(text[at]):
            if marks and not text[at].isspace():
                found.append(text[at])
            at += 1
            continue
        word = ""
        while at < len(text) and (
            in_word(text[at]) or (text[at] in "'’" and at + 1 < len(text) and in_word(text[at + 1]))
        ):
            word += text[at]
            at += 1
        found.append(word)
    return found


def in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def read(text: bytes, settings: dict[str, Any], unlabelled_ok: bool) -> tuple[list[Row], list[int]]:
    rows: list[Row] = []
    bad: list[int] = []
    lines = text.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for line, data in enumerate(lines[:-1] if not lines[-1] else lines, 1):
        try:
            written = data.decode().rstrip("\r")
        except UnicodeDecodeError:
            bad.append(line)
            continue
        if not written.strip():
            if unlabelled_ok:  # a text without words
                rows.append((line, None, 1.0, {}))
            continue
        label, tab, said = written.partition("\t")
        if not tab:
            label, said = "", written
        if not label.strip() and not unlabelled_ok:
            bad.append(line)
            continue
        found = words(said if settings.get("case") else said.lower(), bool(settings.get("punctuation")))
        runs = [
            " ".join(found[at : at + length])
            for length in range(1, settings.get("ngrams", 1) + 1)
            for at in range(len(found) - length + 1)
        ]
        token = label.strip().encode() or None
        rows.append((line, token, 1.0, dict.fromkeys(runs, 1.0)))
    return rows, bad
