"""A row of a table from what people have in hand: a line, mappings of columns, cells in the order of the columns."""

from __future__ import annotations

import pyarrow as pa

from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.core.fields import is_not_available
from mistakebound.io.arff_cells import cells_of
from mistakebound.io.memory import FrameInMemory, TextInMemory
from mistakebound.io.missing_words import missing_words
from mistakebound.io.rewritten import plain_record
from mistakebound.io.source import SLACK
from mistakebound.io.table_records import Records
from mistakebound.io.table_settings import DELIMITERS, check_settings, is_complete
from mistakebound.kernels import records as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.io.source import InMemory

OF_TEXT = ("delimiter", "dialect", "names", "no_header")  # settings of tables that are written as text


def table_row(row: Any, settings: dict[str, Any]) -> tuple[InMemory, dict[str, Any]]:
    """A raw row as a table of one row, with the settings that read it.

    Columns that a mapping lacks are missing, others than those of the settings are ignored.
    """
    check_settings(settings)  # a model file may hold anything
    if not is_complete(settings):
        raise BadParameter("the model must know the columns of its table to take a single row")
    if isinstance(row, bytes):
        row = row.decode((settings.get("dialect") or {}).get("encoding", "utf-8"), errors="surrogateescape")
    if isinstance(row, str) and settings["format"] == "arff":
        row = _arff_cells(row)
    if isinstance(row, str):
        return _from_line(row, settings)
    check_row(row)
    cells = row if hasattr(row, "keys") else _by_name(list(row), settings)
    return FrameInMemory(_frame(cells, settings)), _of_frame(settings)


def table_rows(rows: Sequence[Any], settings: dict[str, Any]) -> tuple[InMemory, dict[str, Any]] | None:
    """Mappings of columns as a table of many rows; None where a column does not have one type, or a row no column."""
    check_settings(settings)
    if not is_complete(settings) or not all(any(name in row for name in settings["columns"]) for row in rows):
        return None
    columns = {}
    for name in settings["kinds"]:
        cells = [None if _is_nan(value) else value for value in (row.get(name) for row in rows)]
        types = {type(cell) for cell in cells} - {type(None)}
        if len(types) > 1 or not types <= {str, int, float}:
            return None
        try:
            columns[name] = pa.array(cells)
        except (pa.ArrowInvalid, OverflowError, UnicodeEncodeError):
            return None
    return FrameInMemory(pa.table(columns)), _of_frame(settings)


def _is_nan(value: Any) -> bool:
    return type(value) is float and value != value


def _of_frame(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a file of text for a frame in its place."""
    own = {name: value for name, value in settings.items() if name not in OF_TEXT}
    return own | {"format": "arrow", "missing": sorted(missing_words(settings))}


def check_row(row: Any) -> None:
    """BadData for what cannot be a row of a table."""
    if not hasattr(row, "__iter__"):
        raise BadData(f"a row must be a line, a mapping of columns or a list of cells, not {type(row).__name__}")


def _from_line(line: str, settings: dict[str, Any]) -> tuple[InMemory, dict[str, Any]]:
    format = settings["format"] if settings["format"] in ("csv", "tsv") else "csv"
    delimiter = settings.get("delimiter") or DELIMITERS[format]
    if settings.get("dialect"):  # the line is written as the file was; in memory it is plain
        line = plain_record(line, settings["dialect"] | {"delimiter": delimiter})
        settings = {name: value for name, value in settings.items() if name != "dialect"}
    text = line.encode(errors="surrogateescape") + b"\n"
    header = delimiter.join(_quoted(name) for name in _header(_width(text, delimiter), settings))
    return TextInMemory(header.encode() + b"\n" + text), settings | {"format": format}


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def _width(text: bytes, delimiter: str) -> int:
    """How many cells the first record has; 0 for an invalid one: its reader says why."""
    records = Records()
    records.scan(bytearray(text + bytes(SLACK)), 0, len(text), delimiter, 0)
    return max(0, int(records.faults[0]) - kernel.COUNT) if records.count else 0


def _header(width: int, settings: dict[str, Any]) -> list[str]:
    """The columns of a row with so many cells: all of the file, or those without the label and the weight."""
    header: list[str] = settings.get("header") or settings["columns"]
    roles = settings.get("label"), settings.get("weights")
    bare = [name for name in header if name not in roles]
    return bare if width == len(bare) else header


def _by_name(cells: Sequence[Any], settings: dict[str, Any]) -> dict[str, Any]:
    header = _header(len(cells), settings)
    if len(header) != len(cells):
        many = len(header)
        few = many - sum(settings.get(role) in header for role in ("label", "weights"))
        expected = f"{many} are expected" if few == many else f"{few} are expected, or {many} with the label"
        raise BadData(f"the row has {len(cells)} cells, but {expected}: {', '.join(map(shown, header))}")
    return dict(zip(header, cells, strict=True))


def _arff_cells(line: str) -> list[str]:
    if line.lstrip().startswith("{"):
        raise BadData("a sparse row needs the header of its file", text=line)
    return cells_of(line)


def _frame(row: Any, settings: dict[str, Any]) -> Any:
    """The one row as a table of Arrow, every attribute of the settings a column."""
    columns = settings["kinds"]
    if len(row) and not any(name in row for name in settings["columns"]):
        known = ", ".join(map(shown, list(columns)[:10]))
        raise BadData(f"the row has none of the columns {known}: {', '.join(map(shown, list(row)[:10]))}")
    return pa.table({name: _cell(name, row.get(name)) for name in columns})


def _cell(name: str, value: Any) -> Any:
    if is_not_available(value):
        value = None
    elif hasattr(value, "isoformat"):  # a date or a time of day, as the cells of a text have them
        value = value.isoformat()
    try:
        return pa.array([value])
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError, UnicodeEncodeError):
        raise BadData(f"the value of column {name!r} is neither a text nor a number: {shown(value)}") from None
