"""The blocks of a text by its indentation: which line stands within which.

A line stands within the nearest line above it that is indented less.  A line that only closes something, or opens the
body of the line above, goes with that line.  That is enough for most languages; what needs tokens or a grammar is the
work of C-Reduce and Perses.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_GO_ALONG = (b"{", b"}", b")", b"]")
_TAB = 8


def line_parents(lines: Sequence[bytes]) -> list[int]:
    """The number of the line around each line, or -1.

    >>> line_parents([b"int f()", b"{", b"  if (x) {", b"    y();", b"  }", b"}", b"int g;"])
    [-1, 0, 0, 2, 2, 0, -1]
    """
    parents: list[int] = []
    around: list[tuple[int, int]] = []  # indentation and number of the lines that the next one may stand within
    for number, line in enumerate(lines):
        text = line.strip()
        if not text:
            parents.append(around[-1][1] if around else -1)
            continue
        indentation = len(line.expandtabs(_TAB)) - len(line.expandtabs(_TAB).lstrip())
        goes_along = text[:1] in _GO_ALONG
        while around and around[-1][0] >= indentation + goes_along:
            around.pop()
        parents.append(around[-1][1] if around else -1)
        if not (goes_along and around and around[-1][0] == indentation):
            around.append((indentation, number))
    return parents


def bracket_pairs(parts: Sequence[bytes]) -> list[tuple[int, int]]:
    """The parts with a bracket and the one that closes it, where these are two.

    >>> bracket_pairs([b"f(", b"x[0],", b"{", b")}"]), bracket_pairs([b"f(x)", b")"])
    ([(0, 3), (2, 3)], [])
    """
    opened: dict[int, list[int]] = {bracket: [] for bracket in b"({["}
    closes = dict(zip(b")}]", b"({[", strict=True))
    found = set()
    for number, part in enumerate(parts):
        for letter in part:
            if letter in opened:
                opened[letter].append(number)
            elif letter in closes and opened[closes[letter]]:
                first = opened[closes[letter]].pop()
                if first != number:
                    found.add((first, number))
    return sorted(found)


def lines_of(text: bytes) -> list[bytes]:
    """
    >>> lines_of(b"a\\r\\n\\nb")
    [b'a\\r\\n', b'\\n', b'b']
    """
    return [line for line in re.split(rb"(?<=\n)", text) if line]


def characters_of(text: bytes) -> list[bytes]:
    """The characters of UTF-8; bytes that are not valid UTF-8 stand alone.

    >>> characters_of("aé".encode() + b"\\xff")
    [b'a', b'\\xc3\\xa9', b'\\xff']
    """
    return [letter.encode("utf-8", "surrogateescape") for letter in text.decode("utf-8", "surrogateescape")]


def is_part(part: bytes, whole: bytes) -> bool:
    """Whether something can be taken away from the whole so that the part is left.

    >>> is_part(b"ace", b"abcde"), is_part(b"ca", b"abcde")
    (True, False)
    """
    place = 0
    for letter in part:
        place = whole.find(letter, place) + 1
        if not place:
            return False
    return True
