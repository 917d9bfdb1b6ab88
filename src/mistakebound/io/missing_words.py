"""The words that stand in a cell of a table where nothing is known."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLANKS = " \t"  # around a cell they do not count
MARKS = frozenset({"", "?"})  # of a missing cell, in files that have other ways to say it
WORDS = MARKS | {"-", "na", "n/a", "nan", "null", "none"}  # and in text, in small letters


def missing_words(settings: dict[str, Any]) -> frozenset[str]:
    """The texts of missing cells, in lower case: those that were given, and the empty text."""
    asked = settings.get("missing")
    if asked is not None:
        return frozenset({"", *(word.lower() for word in asked)})
    return WORDS if settings["format"] in ("csv", "tsv") else MARKS


def longest_word(words: frozenset[str]) -> int:
    """No text that is one of these words in small letters has more bytes."""
    return max((len(word) if word.isascii() else 4 * len(word) for word in words), default=0)
