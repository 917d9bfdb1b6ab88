"""How attributes are ordered and how their names are written in a formula.

The canonical decimal names "0", "1", ... below 2^63 are ids; every other name is text. Ids come first, in
numerical order, then text names in code-point order. In a formula the id "3" is written `x3`; a text name is
written bare where it is an identifier that cannot be taken for something else, and quoted otherwise.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

IDS = 1 << 63
# Words of the formula language, in any case; an attribute that has such a name is quoted.
RESERVED = frozenset({"all", "and", "any", "else", "false", "if", "not", "of", "or", "then", "true"})
NUMBERED = re.compile(r"x[0-9]+")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Formula(str):
    """A name that is a formula over other attributes already, such as `x3 & ~free`: it is written as it is."""

    __slots__ = ()


def id_of(name: str) -> int:
    """The id that a name is, or -1 for a text name: ids have no sign and no leading zero, and are below 2^63.

    >>> id_of("17"), id_of("017"), id_of("x17"), id_of(str(2**63))
    (17, -1, -1, -1)
    """
    if name.isdecimal() and name.isascii() and (name[0] != "0" or name == "0") and len(name) < 20:
        number = int(name)
        return number if number < IDS else -1
    return -1


def is_id(name: str) -> bool:
    return id_of(name) >= 0


def attribute_order(name: str) -> tuple[int, int, str]:
    """The sort key of the canonical order of attributes.

    >>> sorted(["b", "10", "007", "9"], key=attribute_order)
    ['9', '10', '007', 'b']
    """
    number = id_of(name)
    return (0, number, "") if number >= 0 else (1, 0, name)


def is_bare(name: str) -> bool:
    """Whether a text name stands in a formula without quotes."""
    return name.isidentifier() and not NUMBERED.fullmatch(name) and name.lower() not in RESERVED


def write_name(name: str) -> str:
    r"""The name as a formula has it.

    >>> [write_name(name) for name in ("3", "ham", "x3", "not", "free money", "it's")]
    ['x3', 'ham', "'x3'", "'not'", "'free money'", "'it\\'s'"]
    """
    if isinstance(name, Formula):
        return f"({name})" if " & " in name else name
    if is_id(name):
        return "x" + name
    return name if is_bare(name) else quote_name(name)


def quote_name(name: str) -> str:
    r"""The name in quotes, on one line.

    >>> print(quote_name("free"), quote_name("it's\n"))
    'free' 'it\'s\n'
    """
    return "'" + "".join(escaped(character) for character in name) + "'"


def escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def frame_names(X: Any) -> list[str] | None:
    """The names of the columns of a data frame (pandas, polars, Arrow); None where they are not texts.

    >>> frame_names([[1, 0]]) is None
    True
    """
    found = getattr(X, "column_names", None)  # of Arrow; `columns` are the cells there
    if found is None:
        found = getattr(X, "columns", None)
    if found is None or callable(found):
        return None
    names = list(found)
    return names if names and all(isinstance(name, str) for name in names) else None
