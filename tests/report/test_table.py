from __future__ import annotations

from mistakebound.report.table import columns, fields, wrap


def test_long_texts_wrap_beside_their_names():
    lines = fields([("verdict", "word " * 40), ("a rather long name", "short")])
    assert max(map(len, lines)) <= 79
    assert lines[0].startswith("  verdict             word")
    assert lines[1].startswith(" " * 22 + "word")
    assert lines[-1] == "  a rather long name  short"


def test_an_empty_text_keeps_its_name():
    assert fields([("state", "")]) == ["  state"]
    assert wrap("") == [""]


def test_a_word_too_long_for_the_line_is_left_whole():
    path = "/" + "x" * 100
    assert fields([("model", path)])[-1].strip().endswith(path)


def test_columns_have_no_trailing_blanks():
    assert columns([("a", "1"), ("long", "")], "<>") == ["  a     1", "  long"]
