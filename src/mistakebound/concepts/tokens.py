"""The words of the formula language."""

from __future__ import annotations

import re
from typing import NamedTuple

from mistakebound.core.errors import BadParameter
from mistakebound.core.names import IDS, RESERVED, is_numbered

_SIGNS = {
    sign: sign for sign in ("|", "&", "^", "~", "(", ")", ",", "+", "-", "*", "/", ">", ">=", "<=", "{", "}", "∅")
} | {
    "||": "|",
    "∨": "|",
    "&&": "&",
    "∧": "&",
    "!": "~",
    "¬": "~",
    "⊕": "^",
    "≥": ">=",
    "≤": "<=",
    "−": "-",
}
_WORDS = {"or": "|", "and": "&", "not": "~"}
_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 4000  # digits; Python refuses to read much longer ones
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_CHARACTERS = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"'}


class Token(NamedTuple):
    """kind: "name", "number", "end", a sign in its first spelling, or a reserved word."""

    kind: str
    value: str  # the attribute's name, or the text as written
    start: int
    end: int


def syntax_error(text: str, at: Token, expected: str) -> BadParameter:
    """The one shape of a syntax error."""
    found = repr(text[at.start : at.end]) if at.kind != "end" else "the end"
    return BadParameter(f"position {at.start + 1}: expected {expected}, found {found}: {text!r}")


def tokens(text: str) -> list[Token]:
    """The text as tokens, the last of them the end."""
    if not isinstance(text, str):
        raise BadParameter(f"a formula must be text: {text!r}")
    found = []
    at = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        token = _token(text, at)
        found.append(token)
        if token.kind == "end":
            return found
        at = token.end


def _token(text: str, at: int) -> Token:
    if at == len(text):
        return Token("end", "", at, at)
    for length in (2, 1):
        sign = text[at : at + length]
        if sign in _SIGNS:
            return Token(_SIGNS[sign], sign, at, at + len(sign))
    if text[at] in "'\"":
        return _quoted(text, at)
    if number := _NUMBER.match(text, at):
        token = Token("number", number[0], at, number.end())
        if len(number[0]) > _LONGEST_NUMBER:
            raise syntax_error(text, token, f"at most {_LONGEST_NUMBER} digits")
        return token
    end = at
    while end < len(text) and ("x" * (end > at) + text[end]).isidentifier():
        end += 1
    if end == at:
        raise syntax_error(text, Token("?", "", at, at + 1), "a formula")
    return _word(text, at, end)


def _word(text: str, at: int, end: int) -> Token:
    word = text[at:end]
    if word.lower() in RESERVED:
        return Token(_WORDS.get(word.lower(), word.lower()), word, at, end)
    token = Token("name", word, at, end)
    if not is_numbered(word):
        return token
    digits = word[1:]
    if (digits[0] == "0" and digits != "0") or len(digits) > 19 or int(digits) >= IDS:
        raise syntax_error(text, token, "x and a number below 2^63 without leading zeros")
    return token._replace(value=digits)


def _quoted(text: str, at: int) -> Token:
    quote = text[at]
    end = at + 1
    while end < len(text) and text[end] != quote:
        end += 2 if text[end] == "\\" else 1
    if end >= len(text):
        raise syntax_error(text, Token("end", "", len(text), len(text)), f"the closing {quote}")

    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2] or match[3]
        value = chr(int(code, 16)) if code and int(code, 16) < 0x110000 else _CHARACTERS.get(match[4] or "")
        if value is None:
            start = at + 1 + match.start()
            escape = Token("?", "", start, start + len(match[0]))
            raise syntax_error(text, escape, r"an escape such as \' \\ \n \x00 \u0000")
        return value

    return Token("name", _ESCAPE.sub(character, text[at + 1 : end]), at, end + 1)
