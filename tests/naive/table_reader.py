"""CSV and TSV read the plain way: the csv module, float(), dictionaries."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass, field
from typing import Any

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

Row = tuple[int, bytes | None, float, dict[str, float]]  # line, label, weight, attributes


@dataclass
class Table:
    rows: list[Row] = field(default_factory=list)
    bad: list[int] = field(default_factory=list)  # lines
    kinds: dict[str, str] = field(default_factory=dict)
    bins: dict[str, list[float]] = field(default_factory=dict)


def missing(name: str, cell: str, settings: dict) -> bool:
    """Words for a gap, in a label only the two marks."""
    words = {"", "?"} if name == settings.get("label") else {"", "?", "-", "na", "n/a", "nan", "null", "none"}
    return cell.lower() in words


def records(text: bytes, delimiter: str) -> list[tuple[int, list[str] | None, int]]:
    """(line, cells or None when it is bad, offset) of every record; empty lines are none."""
    start = 3 if text.startswith(b"\xef\xbb\xbf") else 0
    if not text.endswith(b"\n"):
        text += b"\n"
    lines = text[start:].decode("latin-1").split("\n")[:-1]
    harmless = [line.replace("\r", "r").replace("\0", "0") + "\n" for line in lines]
    found, at, offset = [], 0, start
    while at < len(lines):
        size = 1
        if lines[at] not in ("", "\r"):
            reader = csv.reader(iter(harmless[at:]), delimiter=delimiter)
            next(reader)  # it takes as many lines as the record has
            size = reader.line_num
            found.append((at + 1, _cells("\n".join(lines[at : at + size]), delimiter), offset))
        offset += sum(len(line) + 1 for line in lines[at : at + size])
        at += size
    return found


def _cells(record: str, delimiter: str) -> list[str] | None:
    record = record.removesuffix("\r")
    if "\0" in record or record.endswith("\r"):
        return None
    try:
        text = record.encode("latin-1").decode()
        return None if _torn(text, delimiter) else next(csv.reader([text], delimiter=delimiter, strict=True))
    except (UnicodeDecodeError, csv.Error):
        return None


def _torn(record: str, delimiter: str) -> bool:
    """Whether a quote stands alone in the middle of a cell, and one at the end of a later cell."""
    mark = re.escape(delimiter)
    written = re.findall(rf'("(?:[^"]|"")*"|[^{mark}]*)(?:{mark}|\Z)', record)
    alone = [cell for cell in written if not cell.startswith('"') and cell.count('"') % 2]
    opening = next((place for place, cell in enumerate(alone) if not cell.endswith('"')), len(alone))
    return any(cell.endswith('"') for cell in alone[opening:])


def number(cell: str) -> float | None:
    return float(cell) if _NUMBER.fullmatch(cell) and math.isfinite(float(cell)) else None


def cuts(numbers: list[float], bins: int) -> list[float]:
    def at_most(x: float) -> int:
        return sum(y <= x for y in numbers)

    found = {min(x for x in numbers if at_most(x) * bins >= j * len(numbers)) for j in range(1, bins)}
    return [round_up(x, numbers) for x in sorted(found - {max(numbers)}) or [max(numbers)]]


def round_up(x: float, numbers: list[float]) -> float:
    """With as few digits as it takes to stay between x and the next number."""
    digits = 1
    while not x <= float(f"{x:.{digits}g}") < min([y for y in numbers if y > x], default=math.inf):
        digits += 1
    return float(f"{x:.{digits}g}") + 0.0


def attribute(column: str, cell: str, kind: str, cut: list[float] | None) -> tuple[str, float]:
    if kind == "nominal":
        return f"{column}={cell}", 1.0
    value = number(cell)
    if value is None:
        raise ValueError("not a number")
    if cut is None:
        return column, value
    texts = [repr(c + 0.0).removesuffix(".0") for c in cut]
    if value <= cut[0]:
        return f"{column}<={texts[0]}", 1.0
    for k in range(1, len(cut)):
        if value <= cut[k]:
            return f"{column} in ({texts[k - 1]},{texts[k]}]", 1.0
    return f"{column}>{texts[-1]}", 1.0


def read(
    text: bytes, settings: dict[str, Any], unlabelled_ok: bool, cells: int, most_rows: int, most_bytes: int
) -> Table:
    """The rows of a table whose header is good."""
    delimiter = {"csv": ",", "tsv": "\t"}[settings["format"]]
    (_, head, _), *body = records(text, delimiter)
    assert head is not None
    header = [name.strip(" \t") for name in head]
    label, weights = settings.get("label"), settings.get("weights")
    table = Table()
    good = []
    for line, row, offset in body:
        if row is None or len(row) != len(header):
            table.bad.append(line)
        else:
            trimmed = {name: cell.strip(" \t") for name, cell in zip(header, row, strict=True)}
            good.append(
                (line, {name: cell for name, cell in trimmed.items() if not missing(name, cell, settings)}, offset)
            )
    window = [row for _, row, offset in good[:most_rows] if offset < most_bytes]
    for name in header:
        if name not in (label, weights):
            first = [row[name] for row in window if name in row][:cells]
            numbers = [value for value in map(number, first) if value is not None]
            codes = any(re.match(r"[-+]?0[0-9]", cell) for cell in first)
            numeric = name in settings.get("numeric", []) or (len(numbers) == len(first) > 0 and not codes)
            table.kinds[name] = "numeric" if numeric and name not in settings.get("nominal", []) else "nominal"
            bins = settings.get("bins")
            wish = bins.get(name) if isinstance(bins, dict) else bins if table.kinds[name] == "numeric" else None
            if wish is not None:
                table.bins[name] = cuts(numbers, wish)
    lines = text.split(b"\n")
    for line, row, _ in good:
        if not unlabelled_ok and not lines[line - 1].strip(f"{delimiter} \t\r".encode()):
            continue  # as spreadsheets leave below a table
        try:
            if not unlabelled_ok and label not in row:
                raise ValueError("no label")
            weight = number(row.get(weights, "")) if weights else 1.0
            if weight is None or weight <= 0:
                raise ValueError("no weight")
            names = [name for name in header if name in row and name in table.kinds]
            entries = [attribute(name, row[name], table.kinds[name], table.bins.get(name)) for name in names]
        except ValueError:
            table.bad.append(line)
        else:
            table.rows.append((line, row[label].encode() if label in row else None, weight, dict(entries)))
    table.bad.sort()
    return table
