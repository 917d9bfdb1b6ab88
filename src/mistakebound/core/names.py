"""How attributes are ordered, how their names are written in a formula, and how any text from outside is shown.

The canonical decimal names "0", "1", ... below 2^63 are ids; every other name is text. Ids come first, in
numerical order, then text names in code-point order. In a formula the id "3" is written `x3`; a text name is
written bare where it is an identifier that cannot be taken for something else, and quoted otherwise.  Names, labels
and file names may hold anything; a terminal or a page may not: `visible` writes control characters out.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


IDS = 1 << 63
# Words of the formula language, in any case; an attribute that has such a name is quoted.
RESERVED = frozenset({"all", "and", "any", "else", "false", "if", "not", "of", "or", "then", "true"})
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


def is_numbered(name: str) -> bool:
    """Whether a name looks like an id in a formula: x and decimal digits.

    >>> [is_numbered(name) for name in ("x17", "x", "17", "x\u0663")]
    [True, False, False, False]
    """
    return name[:1] == "x" and name[1:].isdecimal() and name.isascii()


def is_bare(name: str) -> bool:
    """Whether a text name stands in a formula without quotes."""
    return name.isidentifier() and not is_numbered(name) and name.lower() not in RESERVED


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


def sql_name(name: str) -> str:
    """A name in SQL.

    >>> print(sql_name('the "old" age'))
    "the ""old"" age"
    """
    return '"' + name.replace('"', '""') + '"'


def sql_value(value: Any) -> str:
    """A text, a number or a truth value in SQL.

    >>> sql_value("it's"), sql_value(True), sql_value(2.5)
    ("'it''s'", 'TRUE', '2.5')
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"


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


# Marks that change the direction of the text behind them: what is read is then not what stands there.
_DIRECTIONS = frozenset((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def visible(text: str, keep: str = "") -> str:
    r"""The text with every control character written out; those of `keep` stay.

    Control characters here are also separators of lines and paragraphs, marks of direction, halves of surrogate
    pairs and the codes that are no characters: none of them can be seen, and XML has no place for most of them.

    >>> print(visible("a\x1b[31mb\nc"), visible("naïve: 5 µm"))
    a\x1b[31mb\nc naïve: 5 µm
    """
    if text.isprintable():
        return text
    return "".join([escaped(c) if _hidden(ord(c)) and c not in keep else c for c in text])


def is_visible(text: str) -> bool:
    """Whether the text has no control character."""
    return text.isprintable() or not any(_hidden(ord(c)) for c in text)


def one_line(text: str) -> str:
    r"""The text on a line of its own, so that a program can read it back: as it is, or as a JSON string.

    A text that has control characters or begins with a quotation mark is written as JSON; a line that begins with a
    quotation mark is JSON, any other line is the text itself.

    >>> print(one_line("spam"), one_line("two\nlines"), one_line('"quoted"'), one_line("C:\\new"), sep="\n")
    spam
    "two\nlines"
    "\"quoted\""
    C:\new
    """
    if is_visible(text) and not text.startswith('"'):
        return text
    import json

    return json.dumps(text)


def _hidden(code: int) -> bool:
    return (
        code < 0x20
        or 0x7F <= code < 0xA0
        or code in (0x2028, 0x2029)
        or code in _DIRECTIONS
        or 0xD800 <= code < 0xE000
        or 0xFDD0 <= code < 0xFDF0
        or code & 0xFFFE == 0xFFFE
    )
