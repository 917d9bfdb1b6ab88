"""Plain labelled text: `label<TAB>text`, one row per line.  Words and runs of words are the attributes."""

from __future__ import annotations

import re

from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.io.interpreted import InterpretedChunk
from mistakebound.io.rows import RowReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST_RUN = 8
_WORDS = re.compile(r"\w+(?:['’]\w+)*")
_WORDS_AND_MARKS = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


def words_of(text: str, settings: dict[str, Any]) -> dict[str, float]:
    """The attributes of a text: words, and with `ngrams` = N runs of up to N words, each once.

    >>> list(words_of("Free entry, don't miss it!", {}))
    ['free', 'entry', "don't", 'miss', 'it']
    >>> list(words_of("Call NOW!", {"ngrams": 2, "case": "keep", "punctuation": "keep"}))
    ['Call', 'NOW', '!', 'Call NOW', 'NOW !']
    """
    pattern = _WORDS_AND_MARKS if settings.get("punctuation") == "keep" else _WORDS
    words = pattern.findall(text if settings.get("case") == "keep" else text.lower())
    found = dict.fromkeys(words, 1.0)
    for length in range(2, (settings.get("ngrams") or 1) + 1):
        found.update(dict.fromkeys(map(" ".join, zip(*(words[k:] for k in range(length)), strict=False)), 1.0))
    return found


def check_text_settings(settings: dict[str, Any]) -> None:
    """BadParameter for what no reading of words is; the settings may come from a model file."""
    ngrams = settings.get("ngrams")
    if ngrams is not None and not (type(ngrams) is int and 1 <= ngrams <= LONGEST_RUN):
        raise BadParameter(f"ngrams must be a whole number, 1 .. {LONGEST_RUN}: {shown(ngrams)}")
    for name in ("case", "punctuation"):
        if settings.get(name) not in (None, "keep"):
            raise BadParameter(f"{name} must be 'keep' or left out: {shown(settings[name])}")


class TextChunk(InterpretedChunk):
    __slots__ = ("_settings",)

    def __init__(self, size: int, unlabelled_ok: bool, skip: bool, settings: dict[str, Any]) -> None:
        super().__init__(size, unlabelled_ok, skip)
        self._settings = settings

    def _read_line(self, line: str) -> tuple[str | None, float, dict[str, float]] | None:
        if not line.strip():  # a text without words; in a file of labels it is no row
            return (None, 1.0, {}) if self._unlabelled_ok else None
        label, tab, text = line.partition("\t")
        if not tab:
            if not self._unlabelled_ok:
                raise BadData("the line has no tab between its label and its text")
            return None, 1.0, words_of(line, self._settings)
        label = label.strip()
        if not label and not self._unlabelled_ok:
            raise BadData("the row has no label")
        return label or None, 1.0, words_of(text, self._settings)


class TextReader(RowReader):
    """The rows of a file of labelled texts."""

    __slots__ = ()

    format = "text"

    def __init__(self, path: Any, settings: dict[str, Any], **options: Any) -> None:
        check_text_settings(settings)
        super().__init__(path, settings, **options)
        kept = ("ngrams", "case", "punctuation")
        self.settings |= {name: settings[name] for name in kept if settings.get(name)}

    def chunk(self) -> TextChunk:
        return TextChunk(self._cutter.block_bytes, self._unlabelled_ok, self._skip, self.settings)
