"""ARFF, the format of Weka: its header says what the columns are, its rows are read as those of a CSV table.

The text is turned into CSV as it is read, a line for a line, so that a row means the same as in a table.  The line
`@data` becomes the header, those before it become empty lines, and a row that is to be skipped becomes one that no
CSV has.  Where a cell has a line break in it, which ARFF writes as `\\n`, the CSV has a line more: `breaks` remembers
where.
"""

from __future__ import annotations

from collections import deque
from fnmatch import fnmatchcase

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io.arff_cells import TOKEN, as_csv, cells_of, sparse_cells, unescaped
from mistakebound.io.table_settings import label_column

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.io.source import Source

_UNIT = 1 << 16
_LONGEST = 1 << 24  # bytes of a line
_SHOWN = 40  # characters of a cell in a message
_NUMBERS = ("numeric", "real", "integer")
_NO_ROW = b"\0"  # bad data in every table
_BOM = b"\xef\xbb\xbf"


class Attribute:
    """A declared column: numeric, or nominal with its values (None: any text)."""

    __slots__ = ("name", "numeric", "values")

    def __init__(self, name: str, numeric: bool, values: list[str] | None) -> None:
        self.name = name
        self.numeric = numeric
        self.values = values


def declared(source: ArffSource, settings: dict[str, Any], unlabelled_ok: bool = False) -> dict[str, Any]:
    """The settings with the kinds of columns that the header declares, where nothing else is asked for."""
    if settings.get("columns") is not None:
        return settings
    label, names = settings.get("label"), [attribute.name for attribute in source.attributes]
    if names and (label is not None or not unlabelled_ok):
        label = label_column(names, label)[0]
    told = {*(settings.get("nominal") or ()), *(settings.get("numeric") or ())}
    roles = {label, settings.get("weights")}
    ignored = settings.get("ignore") or ()
    kinds: dict[str, list[str]] = {
        "nominal": list(settings.get("nominal") or ()), "numeric": list(settings.get("numeric") or ())
    }  # fmt: skip
    for attribute in source.attributes:
        name = attribute.name
        if name not in told and name not in roles and not any(fnmatchcase(name, pattern) for pattern in ignored):
            kinds["numeric" if attribute.numeric else "nominal"].append(name)
    return settings | kinds


class ArffSource:
    """The text of an ARFF file as CSV, with the face of `Source`.

    With `skip` a row that is no row of ARFF is `refused` in place of raising: its line in the CSV, and why.
    """

    def __init__(self, source: Source, skip: bool = False) -> None:
        self._source = source
        self._skip = skip
        self.refused: deque[tuple[int, str]] = deque()
        self.breaks: list[int] = []  # lines of the CSV that end within a cell
        self.name = source.name
        self._ready = bytearray()
        self._tail = bytearray()  # the start of a line
        self._line = 0
        self._ended = False
        self._trouble: MistakeboundError | None = None  # that stands behind what is ready
        self._data = False
        self.attributes: list[Attribute] = []
        self._allowed: list[frozenset[str] | None] = []
        self._default: list[str] = []  # cells of an empty sparse row
        while not self._data and not self._ended:
            self._take()
        if not self._data and self._trouble is not None:
            raise self._trouble
        if not self._data:
            raise BadData("there is no @data line: the file is not ARFF", source=self.name, line=self._line or 1)

    @property
    def position(self) -> int:
        return self._source.position

    @property
    def total(self) -> int | None:
        return self._source.total

    def can_jump(self) -> bool:
        return False

    def close(self) -> None:
        self._source.close()

    def skip_to(self, offset: int) -> None:
        while offset > 0:
            got = self.read_into(memoryview(bytearray(min(offset, _UNIT))))
            if not got:
                raise BadData("the text ends before the position to resume from", source=self.name)
            offset -= got

    def read_into(self, into: memoryview) -> int:
        while not self._ready and not self._ended:
            self._take()
        if not self._ready and self._trouble is not None:
            raise self._trouble
        got = min(len(self._ready), len(into))
        into[:got] = self._ready[:got]
        del self._ready[:got]
        return got

    def _take(self) -> None:
        """Read some text and turn its whole lines into CSV, those before any trouble."""
        try:
            self._turn_lines()
        except MistakeboundError as error:
            self._trouble, self._ended = error, True

    def _turn_lines(self) -> None:
        part = bytearray(_UNIT)
        got = self._source.read_into(memoryview(part))
        if not got:
            self._ended = True
            if self._tail:
                got, part = 1, bytearray(b"\n")
        end = part.rfind(b"\n", 0, got) + 1
        text = b""
        if end:
            text, self._tail = bytes(self._tail + part[:end]), bytearray()
        self._tail += part[end:got]
        if len(self._tail) > _LONGEST:
            raise BadData(f"the line is longer than {_LONGEST} bytes", source=self.name, line=self._line + 1)
        for line in text.split(b"\n")[:-1]:
            self._line += 1
            turned = self._turned(line.removeprefix(_BOM) if self._line == 1 else line)
            for _ in range(turned.count(b"\n")):
                self.breaks.append(self._line + len(self.breaks))
            self._ready += turned + b"\n"

    def _turned(self, line: bytes) -> bytes:
        plain = line.strip()
        if not plain or plain.startswith(b"%"):
            return b""
        if self._data:
            return self._row(line)
        try:
            text = plain.decode()
        except UnicodeDecodeError:
            raise self._bad("the line is not UTF-8", "") from None
        word = text.split(None, 1)[0].lower()
        if word == "@attribute":
            self._declare(text)
            return b""
        if word == "@data":
            self._data = True
            self._allowed = [None if a.values is None else frozenset(a.values) for a in self.attributes]
            self._default = ["0" if a.numeric else (a.values or ["?"])[0] for a in self.attributes]
            if not self.attributes:
                raise self._bad("no attribute is declared before @data", text)
            return as_csv([a.name for a in self.attributes])
        if word != "@relation":
            raise self._bad("a line of the header must begin with @relation, @attribute or @data", text)
        return b""

    def _declare(self, text: str) -> None:
        at = len("@attribute")
        named = TOKEN.match(text, at)
        if named is None:
            raise self._bad("@attribute must have a name and a type", text)
        name, rest = unescaped(named).strip(), text[named.end() :].strip()
        if rest.startswith("{"):
            if not rest.endswith("}"):
                raise self._bad("the list of values is not closed", text)
            try:
                values = cells_of(rest[1:-1])
            except BadData as error:
                raise self._bad(error.message, text) from None
            self.attributes.append(Attribute(name, False, values))
            return
        kind = rest.split(None, 1)[0].lower() if rest else ""
        if kind in _NUMBERS:
            self.attributes.append(Attribute(name, True, None))
        elif kind in ("string", "date"):
            self.attributes.append(Attribute(name, False, None))
        else:
            raise self._bad("the type must be numeric, real, integer, string, date or a list of values", text)

    def _row(self, line: bytes) -> bytes:
        text = ""
        try:
            text = line.decode().strip()
            cells = sparse_cells(text, self._default) if text.startswith("{") else cells_of(text)
            for cell, allowed, attribute in zip(cells, self._allowed, self.attributes, strict=False):
                if allowed is not None and cell not in allowed and cell not in ("?", ""):
                    shown = cell if len(cell) <= _SHOWN else cell[:_SHOWN] + "..."
                    raise BadData(f"{shown!r} is not a declared value of {attribute.name!r}")
            return as_csv(cells)
        except (BadData, UnicodeDecodeError) as error:
            message = error.message if isinstance(error, BadData) else "the line is not UTF-8"
            if not self._skip:
                raise self._bad(message, text) from None
            self.refused.append((self._line + len(self.breaks), message))
            return _NO_ROW

    def _bad(self, message: str, text: str) -> BadData:
        return BadData(message, source=self.name, line=self._line, text=text[:80] or None)
