"""How the text of a table is written, found from its first rows: encoding, delimiter, quotes, preamble, header."""

from __future__ import annotations

import csv
import re
from collections import Counter
from copy import copy
from functools import lru_cache
from io import StringIO
from itertools import islice, product

from mistakebound.core.block_labels import ROWS
from mistakebound.io.missing_words import WORDS
from mistakebound.io.table_settings import is_complete

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.io.source import Source

SAMPLE_BYTES = 1 << 20  # looked at, at most
_DELIMITERS = ",\t;| "  # in the order in which they are believed
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?%?|[-+]?\d{1,3}([,.]\d{3})+|[$€£]\s?\d+([.,]\d+)*")
_DATE, _CLOCK = r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}", r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"
_MOMENT = re.compile(rf"{_DATE}([ T]{_CLOCK}(Z|[-+]\d{{2}}:?\d{{2}})?)?|{_CLOCK}")
_WORD = re.compile(r"[\w.@/+-]+([ :][\w.@/+-]+)*")
_EXCEL = re.compile(r'"?sep=([,;|\t])"?[ ,;]*\r?\n', re.IGNORECASE)  # a first line that is for Excel alone
_BOM = b"\xef\xbb\xbf"
_WESTERN = re.compile(rb"[\x80-\xff]|[\xc0-\xff]{2,3}")  # a character, or letters in a row: none of it is UTF-8
_MARKS = {"\t": "a tab", " ": "a blank"}
_PREAMBLE = 20  # lines in which the names of a model are looked for
_LOOKED_AT = 300  # rows, and columns, by which a header is told
_COMPARED = 100  # lines by which ways to cut a text are compared
_MOST_HEADERS = 4  # rows of names, one below the other
_CLASSES = 20  # of a label, at most, where it stands first
_NARROW = 4  # columns, below which a row of several cells is one of a table
_FEW_ROWS = 10  # below which what is rare cannot be told from what is new
BARE = "none"  # how quotes in quoted cells are escaped: a quote closes a cell before a delimiter or the line's end
_SEVERAL = 2  # rows that damage of one row does not explain
_FEW = 0.25  # a row in which at most this share of the cells is filled belongs to no table


class Dialect:
    """What has to be known to cut a text into records and cells."""

    __slots__ = (
        "blank", "delimiter", "encoding", "escape", "header", "label", "marked", "names", "newline", "padded",
        "preamble", "quote",
    )  # fmt: skip

    def __init__(self, encoding: str = "utf-8", newline: str = "\n") -> None:
        self.encoding = encoding
        self.newline = newline
        self.delimiter = ","
        self.quote = '"'  # or "'", or "" for no quotes
        self.escape = ""  # a quote in a cell is doubled; or a backslash, or BARE
        self.blank = False  # a blank behind each delimiter belongs to it
        self.preamble = 0  # lines before the header, or before the first row
        self.header = 1  # lines of it; 0: no header
        self.label = -1  # the place of the label, where nothing else tells it
        self.names: list[str] = []  # of the columns, or where there is no header the first row
        self.padded = False  # there are more cells in the rows than names in the header
        self.marked = False  # it begins with a byte order mark

    @classmethod
    def of(cls, values: dict[str, Any]) -> Dialect:
        """A plain dialect but for these values, as `state` gives them."""
        dialect = cls()
        for name, value in values.items():
            setattr(dialect, name, value)
        return dialect

    @property
    def plain(self) -> bool:
        """Whether the records are those that the record cutter knows, whatever stands before them."""
        usual = self.encoding == "utf-8" and self.newline == "\n" and not self.escape and not self.blank
        return usual and self.quote == '"'

    def is_direct(self) -> bool:
        """Whether the text can be read as it is: nothing but names, in one line, stands before its rows."""
        return (
            self.plain
            and not self.preamble
            and not self.padded
            and (self.header == 1 or (self.header == 0 and not self.marked))
        )

    def options(self) -> dict[str, Any]:
        """For the csv module."""
        return {
            "delimiter": self.delimiter, "quotechar": self.quote or None, "skipinitialspace": self.blank,
            "quoting": csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE,
        }  # fmt: skip

    def state(self) -> dict[str, Any]:
        """What a model remembers of a dialect that is not plain, for pipes."""
        own = {name: getattr(self, name) for name in ("encoding", "newline", "quote", "escape", "blank")}
        return {name: value for name, value in own.items() if value != getattr(Dialect(), name)}

    def in_words(self, header: Sequence[str], usual: str) -> list[str]:
        """What had to be assumed about a text whose `usual` delimiter its format tells, a line each."""
        said = []
        if self.encoding != "utf-8":
            said.append(f"encoding: {self.encoding.upper()}")
        if self.delimiter != "," and self.delimiter != usual:
            said.append(f"delimiter: {_MARKS.get(self.delimiter, self.delimiter)}")
        if self.quote == "'":
            said.append("quotes: '")
        if self.escape == BARE:
            said.append("quotes: those within cells are not doubled")
        if self.padded and self.header == 1 and self.names[-1:] == [""]:
            fewer = f"{len(self.names) - 1} names for {len(self.names)} cells"
            said.append(f"header: {fewer}, of which the last is always empty (--columns names them)")
        if self.preamble:
            above = "1 line that is" if self.preamble == 1 else f"{self.preamble} lines that are"
            said.append(f"header: after {above} not part of the table")
        if self.header == 0:
            some = ", ".join([*header[:3], *(["..."] if len(header) > 4 else []), *header[3:][-1:]])
            said.append(f"header: none, so the columns are called {some}")
        elif self.header > 1:
            said.append(f"header: {self.header} lines, joined")
        return said

    def unescaped(self, text: str) -> str:
        """The text with quotes doubled where a backslash stood before them, or where an apostrophe is no quote."""
        if self.escape == BARE:
            return self._with_doubled_quotes(text, "")
        if self.escape == '"':  # of cells in apostrophes
            text = text.replace('""', '"')
        if self.escape != "\\":
            return text if self.quote != "'" else self._with_doubled_quotes(text, "''|")
        return re.sub(rf"\\([\\{self.quote}])", lambda found: "\\" if found[1] == "\\" else 2 * self.quote, text)

    def _with_doubled_quotes(self, text: str, doubled: str) -> str:
        """Of a cell in quotes, those in its words (`won't`): one that closes it stands before a delimiter."""
        mark = re.escape(self.delimiter)
        end, start = rf"(?=[ \t\r]*(?:{mark}|$))", rf"(^|{mark}{' ?' if self.blank else ''})"
        quote = self.quote
        cell = rf"{start}{quote}((?:[^{quote}\n]|{doubled}{quote}(?!{end}))*){quote}{end}"

        def whole(found: re.Match[str]) -> str:
            inside = found[2].replace(2 * quote, quote) if doubled else found[2]
            return f"{found[1]}{quote}{inside.replace(quote, 2 * quote)}{quote}"

        return re.sub(cell, whole, text, flags=re.MULTILINE)

    def __repr__(self) -> str:
        return f"Dialect({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"


def sample_of(source: Source) -> tuple[bytes, bool]:
    """The first rows of a text, and whether that is all of it; nothing is waited for that is not needed."""
    text, have = source.look_on(), -1
    while len(text) > have and len(text) < SAMPLE_BYTES and text.count(b"\n") <= ROWS:
        have = len(text)
        text = source.look_on()
    return text, len(text) == have


def detect(sample: bytes, whole: bool = True, delimiter: str | None = None) -> Dialect:
    r"""The dialect of a text that begins so; `whole`: that is all of it.

    >>> found = detect(b"a;b\n1,5;x\n2,5;y\n")
    >>> found.delimiter, found.names
    (';', ['a', 'b'])
    >>> detect(b"5.1,3.5,yes\n4.9,3.0,no\n").header
    0
    """
    return copy(_detected(sample, whole, delimiter))


@lru_cache(maxsize=1)  # a table is opened twice, to look at its labels and to learn it
def _detected(sample: bytes, whole: bool, delimiter: str | None) -> Dialect:
    dialect, text = _decoded(sample)
    text = _first_lines(text, whole)
    excel = _EXCEL.match(text)
    if excel is not None:
        delimiter = delimiter or excel[1]
    head, best, even = _head(text), -1.0, False
    for candidate in _candidates(dialect, text, delimiter):
        rows = [row for _, row in _parsed(head, candidate)]
        if candidate.delimiter == " " and even and not _is_even(rows):
            continue  # the words of texts in cells, as many in each
        even, score = even or _is_even(rows), _score(rows, candidate)
        if score > best:
            best, dialect = score, candidate
    if dialect.quote == '"' and not dialect.escape and (bare := _with_bare_quotes(dialect, text)) is not None:
        dialect = bare
    above = int(excel is not None)  # lines that are no row whatever they look like
    _find_table(dialect, [(line, row) for line, row in _parsed(text, dialect) if row and line >= above], above)
    return dialect


def is_even(dialect: Dialect, sample: bytes, whole: bool) -> bool:
    """Whether nearly all rows of a text that begins so are as wide as its header, and there are some."""
    rows = [row for _, row in _parsed(_first_lines(_decoded(sample)[1], whole), dialect) if row]
    return len(rows) > 2 and sum(len(row) == len(dialect.names) for row in rows) >= 0.9 * len(rows)


def _is_even(rows: list[list[str]]) -> bool:
    """Whether all rows, the first one too, are of one width and have several cells."""
    widths = {len(row) for row in rows if any(map(str.strip, row))}
    return len(widths) == 1 and widths != {1}


def _decoded(sample: bytes) -> tuple[Dialect, str]:
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif sample[1:200:2].count(0) > sample[:200:2].count(0) + len(sample[:200]) // 4:
        encoding = "utf-16-le"
    elif sample[:200:2].count(0) > sample[1:200:2].count(0) + len(sample[:200]) // 4:
        encoding = "utf-16-be"
    else:
        encoding = "utf-8"
        try:
            sample.decode()
        except UnicodeDecodeError as error:
            if error.start < len(sample) - 4 and _is_western(sample):  # not a character that was cut
                encoding = "cp1252"
    text = sample.decode(encoding, errors="replace").removeprefix("\ufeff")
    newline = "\r" if "\r" in text and "\n" not in text else "\r\r\n" if "\r\r\n" in text else "\n"
    dialect = Dialect(encoding, newline)
    dialect.marked = sample.startswith(_BOM)
    return dialect, text if newline == "\n" else text.replace(newline, "\n")


def _is_western(sample: bytes) -> bool:
    """Whether bytes that are not UTF-8 are letters in words of a western language, or signs, rather than damage."""
    found = list(re.finditer(rb"[\x80-\xff]+", sample))
    words = [high for high in found if _WESTERN.fullmatch(high[0]) and _is_in_word(sample, high)]
    return 2 * len(words) > len(found)


def _is_in_word(sample: bytes, high: re.Match[bytes]) -> bool:
    """Whether a letter stands beside it, or, of a sign such as a currency's, a digit or a blank."""
    beside = sample[max(0, high.start() - 1) : high.start()] + sample[high.end() :][:1]
    return re.search(rb"[A-Za-z]" if high[0] >= b"\xc0" else rb"[A-Za-z0-9 ]", beside) is not None


def _first_lines(text: str, whole: bool) -> str:
    """Whole lines, of the first rows at most; the same text however much of the rest was looked at."""
    end = 0
    for _ in range(ROWS):
        at = text.find("\n", end)
        if at < 0:
            return text if whole or not end else text[:end]
        end = at + 1
    return text[:end]


def _head(text: str) -> str:
    """As much of it as is compared."""
    return "".join(islice(StringIO(text, newline=""), _COMPARED))


def _candidates(found: Dialect, text: str, delimiter: str | None) -> list[Dialect]:
    delimiters = [delimiter] if delimiter else [mark for mark in _DELIMITERS if mark in text] or [","]
    made = []
    for mark, quote in product(delimiters, ('"', "'", "")):
        single = quote == "'" and (_opens(text, mark, '"') or not _opens(text, mark, quote))
        if single or (not quote and (mark != "\t" or _is_quoted(text))):
            continue
        escapes = ["", *(["\\"] if quote and f"\\{quote}" in text else [])]
        if quote == "'" and _stand_in_pairs(text):
            escapes = ['"']
        follows = "" if mark == " " else quote  # several blanks in a row are one delimiter
        blanks = [False, *([True] if quote and f"{mark} {follows}" in text else [])]
        for escape, blank in product(escapes, blanks):
            one = Dialect(found.encoding, found.newline)
            one.marked = found.marked
            one.delimiter, one.quote, one.escape, one.blank = mark, quote, escape, blank
            made.append(one)
    return made


def _with_bare_quotes(dialect: Dialect, text: str) -> Dialect | None:
    """The dialect in which quotes in cells are not doubled, if several rows are none otherwise, and all are then."""
    mark = re.escape(dialect.delimiter)
    broken = re.compile(rf'(?:^|{mark})"(?:[^"\n]|"")*"(?=[ \t]*[^" \t\r\n{mark}])', re.MULTILINE)
    lines = {text.count("\n", 0, found.start()) for found in islice(broken.finditer(text), _COMPARED)}
    if len(lines) < _SEVERAL:
        return None
    bare = copy(dialect)
    bare.escape = BARE
    return bare if _is_even([row for _, row in _parsed(text, bare)]) else None


def _stand_in_pairs(text: str) -> bool:
    """Whether quotes that quote nothing stand in pairs only, several times: whoever wrote them doubled them."""
    runs = re.findall('"+', text)
    return len(runs) >= _SEVERAL and all(len(run) % 2 == 0 for run in runs)


def _opens(text: str, mark: str, quote: str) -> bool:
    """Whether a cell begins with a quote."""
    return text.startswith(quote) or any(start + quote in text for start in (mark, mark + " ", "\n"))


def _is_quoted(text: str) -> bool:
    """Whether the quotes of a text with tabs are those of cells: one begins and ends with them, or no cell has any."""
    return '"' not in text or re.search(r'(^|\t)"(?:[^"\t\n]|"")*"(\t|\r?$)', text, re.MULTILINE) is not None


def _parsed(text: str, dialect: Dialect) -> list[tuple[int, list[str]]]:
    """The records, each with its first line (from 0); those before an error of the csv module."""
    reader = csv.reader(StringIO(dialect.unescaped(text), newline=""), **dialect.options())
    found, line = [], 0
    try:
        for row in islice(reader, ROWS):
            found.append((line, row))
            line = reader.line_num
    except csv.Error:
        pass
    return found


def _score(rows: list[list[str]], dialect: Dialect) -> float:
    """How much the records look like a table: as wide as each other, with cells that mean something."""
    full = [row for row in rows if any(cell.strip() for cell in row)]
    if not full:
        return 0.0
    width, count = Counter(map(len, full)).most_common(1)[0]
    cells = [cell.strip() for row in full for cell in row[:_LOOKED_AT]]
    told = [cell for cell in cells if cell] if dialect.delimiter == " " else cells  # between two blanks is no cell
    typed = sum(map(_worth, told)) / len(cells)
    if width == 1:
        return 0.001 * typed
    lone = sum(cell.count(dialect.quote) % 2 for cell in cells if dialect.quote) / len(cells)
    return (count / len(full)) ** 2 * (1 - 1 / width) * typed * (1 - lone)


def _worth(cell: str) -> float:
    if cell.lower() in WORDS or kind_of(cell) != "text":
        return 1.0
    if cell[0] in "\"'" or cell[-1] in '"\\':
        return 0.05
    if any(mark in cell for mark in "\t;|"):
        return 0.2
    return 0.9 if _WORD.fullmatch(cell) else 0.5


def kind_of(cell: str) -> str:
    """What a cell looks like.

    >>> [kind_of(cell) for cell in ("-3.5e2", "1,250", "2018-01-28", "00:30", "N/A", "green")]
    ['number', 'number', 'moment', 'moment', 'missing', 'text']
    """
    cell = cell.strip()
    if cell.lower() in WORDS:
        return "missing"
    return "number" if _NUMBER.fullmatch(cell) else "moment" if _MOMENT.fullmatch(cell) else "text"


def _find_table(dialect: Dialect, rows: list[tuple[int, list[str]]], above: int = 0) -> None:
    """Where the table begins, and whether with names; `above` lines stand before the first of the rows."""
    if not rows:
        return
    width = Counter(len(row) for _, row in rows).most_common(1)[0][0]
    first = 0
    while first < len(rows) - 1 and (_is_comment(rows[first][1], width) or not _belongs(rows[first][1], width)):
        first += 1
    if first > len(rows) // 2 or not _belongs(rows[first][1], width):
        first = 0
    _pad_header(dialect, rows, first, width)
    if len(rows[first][1]) != width:  # the reader says so, of whichever row is not as wide as this one
        dialect.preamble, dialect.names = (
            rows[first][0] if first or above else 0,
            [cell.strip() for cell in rows[first][1]],
        )
        return
    table = [row for _, row in rows[first:] if len(row) == width]
    few = [row[:_LOOKED_AT] for row in table[:_LOOKED_AT]]
    dialect.header = _header_rows(few[: _MOST_HEADERS + 1], few[1:])
    if not dialect.header:
        if first and (found := _names_apart(rows[first - 1][1], width)):
            dialect.names, dialect.padded = found, True
            dialect.preamble, dialect.header = rows[first - 1][0], rows[first][0] - rows[first - 1][0]
            return
        dialect.label = _label_place(table)
    names = table[: max(1, dialect.header)] or [rows[first][1]]
    dialect.names = [" ".join(part for cell in column if (part := cell.strip())) for column in zip(*names, strict=True)]
    dialect.preamble = rows[first][0] if first or above else 0  # empty lines do not count
    if dialect.header > 1:  # as lines
        dialect.header = rows[first + dialect.header][0] - rows[first][0] if len(table) > dialect.header else 1


def _pad_header(dialect: Dialect, rows: list[tuple[int, list[str]]], first: int, width: int) -> None:
    """A name for the cells behind a delimiter at the end of each row, or for row names before the first column."""
    line, names = rows[first]
    others = [row for _, row in rows[first + 1 :] if len(row) == width]
    if len(names) != width - 1 or len(others) < 2 or any(kind_of(name) != "text" for name in names):
        return
    if dialect.quote and any(name.count(dialect.quote) % 2 for name in names):  # a lone quote made one name of two
        return
    if not any(row[-1].strip() for row in others):
        rows[first], dialect.padded = (line, [*names, ""]), True
    elif [row[0] for row in others[:2]] in (["0", "1"], ["1", "2"]):  # as R and pandas number rows
        rows[first], dialect.padded = (line, ["", *names]), True


def _names_apart(row: list[str], width: int) -> list[str]:
    """The names in a line that is parted by another delimiter than the rows below it, as many as they have cells."""
    for mark in _DELIMITERS if len(row) == 1 else "":
        names = [name.strip() for name in next(csv.reader(row, delimiter=mark), [])]
        if len(names) == len(set(names)) == width and all(kind_of(name) == "text" for name in names):
            return names
    return []


def _label_place(table: list[list[str]]) -> int:
    """The last column that is not empty; or the first, where that has gaps and the first is one of a few words."""
    end = next((place for place in range(-1, -len(table[0]), -1) if any(row[place].strip() for row in table)), -1)
    first, last = ([row[place].strip().lower() for row in table] for place in (0, end))
    gaps = any(cell in WORDS for cell in last) and not any(cell in WORDS for cell in first)
    return 0 if gaps and 2 <= len(set(first)) <= _CLASSES else end


def _belongs(row: Sequence[str], width: int) -> bool:
    """Whether it may be the first row of a table, a damaged one too: nearly empty or much shorter ones come before."""
    if width < _NARROW:
        return len(row) == width or len(row) > 1
    filled = sum(1 for cell in row if cell.strip())
    short = 2 * len(row) <= width and not any('"' in cell for cell in row)  # a lone quote makes one cell of several
    return len(row) > 1 and not short and filled > _FEW * width


def _is_comment(row: Sequence[str], width: int) -> bool:
    """Whether a first row is a comment in which delimiters are part of the text."""
    return row[0].lstrip().startswith("#") and len(row) != width


def _header_rows(head: list[list[str]], body: list[list[str]]) -> int:
    """How many of the first rows are names: none of their cells is of the kind that its column has."""
    if not body:
        return 1
    kinds = [_kind_of_column([row[place] for row in body]) for place in range(len(body[0]))]
    count = 0
    for row in head:
        typed = [(kind_of(cell), kind) for cell, kind in zip(row, kinds, strict=True) if kind != "text"]
        like = sum(own == kind for own, kind in typed)
        unlike = sum(own == "text" for own, _ in typed)
        if count == 0:
            new, old = _votes(row, body, kinds)
            if not unlike and not like and not new and not old:
                return int(_are_names(row, body))
            if like + old >= max(1, unlike + new):
                break
        elif not (_are_units(row, unlike) or _completes(head[count - 1], row, unlike, len(typed))) and (
            like >= max(1, unlike) or unlike < max(2, len(typed))
        ):
            break
        count += 1
    return min(count, max(1, len(body) - 1))


def _are_units(row: list[str], unlike: int) -> bool:
    """Whether a row has nothing but texts above columns of numbers or dates, and gaps, as a row of units has."""
    filled = sum(1 for cell in row if kind_of(cell) != "missing")
    return 0 < unlike == filled < len(row)


def _completes(above: list[str], row: list[str], unlike: int, typed: int) -> bool:
    """Whether a row is one of names below a row of groups: that one has gaps, and this one none."""
    return 0 < unlike == typed and all(cell.strip() for cell in row) and not all(cell.strip() for cell in above)


def _votes(row: list[str], body: list[list[str]], kinds: list[str]) -> tuple[int, int]:
    """Of the columns with few different texts: in how many a cell is another text, and in how many one of them."""
    new = old = 0
    for place, kind in enumerate(kinds):
        texts = Counter(other[place].strip() for other in body)
        if kind == "text" and row[place].strip() and len(body) >= _FEW_ROWS and len(texts) <= 0.2 * len(body):
            found = texts[row[place].strip()] > 0
            new, old = new + (not found), old + found
    return new, old


def _kind_of_column(cells: list[str]) -> str:
    kinds = Counter(kind for cell in cells if (kind := kind_of(cell)) != "missing")
    if not kinds:
        return "text"
    kind, count = kinds.most_common(1)[0]
    return kind if count >= 0.8 * sum(kinds.values()) else "text"


def _are_names(row: list[str], body: list[list[str]]) -> bool:
    """Where all columns are texts: names differ from each other, and do not stand below themselves."""
    cells = [cell.strip() for cell in row]
    if len(set(cells)) < len(cells) or len(body) < 2:
        return len(set(cells)) == len(cells)
    below = [{other[place].strip() for other in body} for place in range(len(cells))]
    repeated = sum(cell in found for cell, found in zip(cells, below, strict=True))
    return repeated <= 0.1 * len(cells)


def settled_dialect(source: Source, settings: dict[str, Any]) -> Dialect:
    """The dialect of a file: as the settings say, which may come from a model, and as its first rows look.

    Of a pipe that a model reads only the first line is waited for: the rest is as it was in learning.
    """
    delimiter = settings.get("delimiter") or ("\t" if settings["format"] == "tsv" else None)
    names, headless = settings.get("names"), settings.get("no_header")
    if headless is False and delimiter is not None:  # nothing is left to be guessed
        return Dialect.of({"delimiter": delimiter})
    if is_complete(settings) and source.total is None:
        return _remembered(source, settings, delimiter or ",")
    sample = sample_of(source)
    dialect = detect(*sample, delimiter=delimiter)
    if is_complete(settings):
        known = {*(settings.get("header") or ()), *settings["columns"]}
        if not known & set(dialect.names) and not names:
            dialect = detect(*sample)
        dialect.header = 0 if names and not known & set(dialect.names) else max(1, dialect.header)
    if headless is False:
        dialect.preamble, dialect.header = 0, 1
    if headless or (names and not set(dialect.names) & set(names)):
        dialect.header = 0
    return dialect


def _remembered(source: Source, settings: dict[str, Any], delimiter: str) -> Dialect:
    dialect = Dialect.of({"delimiter": delimiter} | (settings.get("dialect") or {}))
    start, have, end = source.looked_at() or source.look_on(), -1, b"\r" if dialect.newline == "\r" else b"\n"
    while end not in start and have < len(start) < SAMPLE_BYTES:
        have = len(start)
        start = source.look_on()
    dialect.marked = start.startswith(_BOM)
    text = start.decode(dialect.encoding, errors="replace").removeprefix("\ufeff").replace(dialect.newline, "\n")
    known = {*(settings.get("header") or ()), *settings["columns"]}
    whole = text.rpartition("\n")[0] or text  # lines
    rows = [(line, [cell.strip() for cell in row]) for line, row in _parsed(whole, dialect) if row]
    first = next((k for k, (_, row) in enumerate(rows[:_PREAMBLE]) if known & set(row)), None)
    if first is None and settings.get("names"):
        dialect.header = 0
    if rows:
        line, dialect.names = rows[first or 0]
        dialect.preamble = line if first else 0
    return dialect
