"""Plain labelled text: words, runs of words, and lines that are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.io import open_stream


def read(folder: Path, text: bytes, ok: bool = False, **settings: Any) -> list[tuple[str | None, list[str]]]:
    path = folder / "t.txt"
    path.write_bytes(text)
    found = []
    with open_stream(path, {"format": "text", **settings}, unlabelled_ok=ok) as stream:
        for block in stream:
            assert block.values is None
            assert block.tokens is not None
            for row in range(block.rows):
                names = [block.name(k) for k in range(block.indptr[row], block.indptr[row + 1])]
                label = block.label_tokens[block.tokens[row]].decode() if block.tokens[row] >= 0 else None
                found.append((label, names))
    return found


def test_words_in_lower_case_each_once(tmp_path: Path) -> None:
    text = "ham\tÉté, don't! Don't go\r\n\nspam\tWIN 100€ now\n".encode()
    assert read(tmp_path, text) == [("ham", ["été", "don't", "go"]), ("spam", ["win", "100", "now"])]


def test_runs_of_words_case_and_marks(tmp_path: Path) -> None:
    ((_, names),) = read(tmp_path, b"1\tGo on. Go on", ngrams=3, case="keep", punctuation="keep")
    assert names == ["Go", "on", ".", "Go on", "on .", ". Go", "Go on .", "on . Go", ". Go on"]


def test_a_text_may_have_tabs_and_no_words(tmp_path: Path) -> None:
    assert read(tmp_path, b"1\ta\tb\n0\t...\n0\t\n") == [("1", ["a", "b"]), ("0", []), ("0", [])]


def test_bad_lines(tmp_path: Path) -> None:
    for line, what in (
        (b"no tab here", "has no tab"),
        (b"\ttext", "the row has no label"),
        (b"1\t\xff", "UTF-8"),
    ):
        with pytest.raises(BadData, match=what) as error:
            read(tmp_path, b"1\tfine\n" + line + b"\n")
        assert error.value.line == 2


def test_without_labels(tmp_path: Path) -> None:
    assert read(tmp_path, b"just words\n\tand more\n", ok=True) == [(None, ["just", "words"]), (None, ["and", "more"])]


def test_settings_that_mean_nothing(tmp_path: Path) -> None:
    for settings in ({"ngrams": 0}, {"ngrams": 9}, {"ngrams": True}, {"case": "drop"}, {"punctuation": "x"}):
        with pytest.raises(BadParameter, match=next(iter(settings))):
            read(tmp_path, b"1\ta\n", **settings)
    with pytest.raises(BadParameter, match="label is only for"):
        read(tmp_path, b"1\ta\n", label="y")
