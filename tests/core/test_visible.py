"""Text from outside, safe to show, and labels that stay on their lines."""

from __future__ import annotations

import json
import sys
import unicodedata
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from mistakebound.core.names import is_visible, one_line, visible

ANY_TEXT = st.text(st.characters(codec=None))


def test_every_character_is_shown_or_written_out() -> None:
    for code in (*range(0x3100), *range(0xD700, 0x11000), *range(0x11000, sys.maxunicode + 1, 251), sys.maxunicode):
        character = chr(code)
        shown = visible(character)
        kind = unicodedata.category(character)
        if kind in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(character) in (
            "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
        ):  # fmt: skip
            assert shown.startswith("\\"), hex(code)
        if kind[0] in "LMNPS" or character in " \u00a0":
            assert shown == character, hex(code)
        assert is_visible(character) == (shown == character)
        assert shown.isascii() or shown == character


def test_what_is_kept() -> None:
    assert visible("a\n\tb\x1b", keep="\n") == "a\n\\tb\\x1b"


@given(ANY_TEXT)
def test_what_is_shown_can_stand_in_a_page(text: str) -> None:
    shown = visible(text)
    assert len(shown.splitlines()) <= 1
    assert ElementTree.fromstring(f"<t>{shown.replace('&', '&amp;').replace('<', '&lt;')}</t>").text in (shown, None)


@given(st.lists(st.one_of(ANY_TEXT, st.sampled_from(["a\nb", '"', "", '"a"', "\\n", "a\\", "\x85", "\u2028"]))))
def test_lines_can_be_read_back(texts: list[str]) -> None:
    written = "".join(one_line(text) + "\n" for text in texts)
    lines = written.splitlines()
    assert [json.loads(line) if line.startswith('"') else line for line in lines] == texts
