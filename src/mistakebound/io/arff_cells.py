"""The cells of a row of ARFF, and how they are written as CSV."""

from __future__ import annotations

import re

from mistakebound.core.errors import BadData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

TOKEN = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,{}%'"]+))""")
_CELL = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,'"{}%]*))\s*(,|$|%)""")
_PLACE = re.compile(r"\s*([0-9]{1,18})\s+(?=[^\s,%])")
_ESCAPE = re.compile(r"\\(.)")
_WAYS_OUT = {"n": "\n", "t": "\t", "r": "\r"}


def cells_of(text: str) -> list[str]:
    """
    >>> cells_of("a, 'it\\\\'s, so', ? % a remark")
    ['a', "it's, so", '?']
    """
    if "'" not in text and '"' not in text and "{" not in text and "}" not in text:
        return [cell.strip() for cell in text.partition("%")[0].split(",")]
    cells: list[str] = []
    at = 0
    while True:
        cell, at, more = _cell_at(text, at)
        cells.append(cell)
        if not more:
            return cells


def sparse_cells(text: str, default: Sequence[str]) -> list[str]:
    """`{2 red, 5 1.5}`: cells by place from 0, those left out as in `default`.

    >>> sparse_cells("{1 'a b', 2 7}", ["x", "y", "0"])
    ['x', 'a b', '7']
    """
    inner, closed, behind = _inside(text)
    if not closed or (behind.strip() and not behind.lstrip().startswith("%")):
        raise BadData("a sparse row is not closed, or text follows it")
    cells, given, at, more = list(default), set(), 0, bool(inner.strip())
    while more:
        found = _PLACE.match(inner, at)
        place = int(found[1]) if found is not None else len(cells)
        if found is None or place >= len(cells):
            raise BadData(f"{inner[at : at + 40].strip()!r} is not a column number below {len(cells)} and a value")
        if place in given:
            raise BadData(f"column {place} appears twice in a sparse row")
        given.add(place)
        cells[place], at, more = _cell_at(inner, found.end())
    return cells


def _inside(text: str) -> tuple[str, bool, str]:
    """The text between the braces, whether there is a closing one outside quotes, and what stands behind it."""
    at, quote = 1, ""
    while at < len(text):
        character = text[at]
        if quote:
            if character == "\\":
                at += 1
            elif character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character == "}":
            return text[1:at], True, text[at + 1 :]
        at += 1
    return text[1:], False, ""


def _cell_at(text: str, at: int) -> tuple[str, int, bool]:
    """A cell, where the next one starts, and whether there is one."""
    found = _CELL.match(text, at)
    if found is None:
        raise BadData("a quote is not closed, or text follows one")
    return unescaped(found), found.end(), found[4] == ","


def unescaped(found: re.Match[str]) -> str:
    quoted = found[1] if found[1] is not None else found[2]
    if quoted is None:
        return found[3].strip()
    return _ESCAPE.sub(lambda m: _WAYS_OUT.get(m[1], m[1]), quoted)


def as_csv(cells: Sequence[str]) -> bytes:
    '''
    >>> print(as_csv(["a", 'say "no"', ""]).decode(), as_csv([""]).decode())
    a,"say ""no""", ""
    '''
    if len(cells) == 1 and not cells[0]:
        return b'""'  # an empty line would be no row
    return ",".join(map(_quoted, cells)).encode()


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(c in cell for c in ',"\n\r') else cell
