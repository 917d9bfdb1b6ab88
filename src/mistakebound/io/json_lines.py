"""JSON lines: an object a line.  Numbers are values, texts become `name=text`; lists and objects are taken apart."""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_left
from collections import deque
from math import isfinite

from mistakebound.core.errors import BadData, BadParameter, MistakeboundError
from mistakebound.io.bins import bin_names, check_all_bins, cut_points
from mistakebound.io.formats import LABELS, first_line
from mistakebound.io.interpreted import InterpretedChunk
from mistakebound.io.json_values import as_lines
from mistakebound.io.rows import RowReader
from mistakebound.io.source import Chunk, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_MISSING = ("", "?")
_LONGEST_SHOWN = 40  # characters of a value in a message
_LONGEST_INTEGER = 400  # digits; doubles end after 309
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FIRST_ROWS = 1000  # by which bins are cut, but
_FIRST_BYTES = 1 << 24  # lines that start behind so many bytes are not looked at
_TRUTH = {True: "true", False: "false"}


class JsonChunk(InterpretedChunk):
    __slots__ = ("_bins", "_label", "_nominal", "_numeric", "_weight")

    def __init__(self, size: int, unlabelled_ok: bool, skip: bool, settings: dict[str, Any]) -> None:
        super().__init__(size, unlabelled_ok, skip)
        self.cut(settings.get("bins") or {})
        self._label = settings.get("label")
        self._weight = settings.get("weights")
        self._nominal = frozenset(settings.get("nominal") or ())
        self._numeric = frozenset(settings.get("numeric") or ())

    def cut(self, bins: Any) -> None:
        """Numbers become bins, as far as the cuts are known."""
        cuts = bins.items() if isinstance(bins, dict) else ()
        self._bins = {name: (at, bin_names(name, at)) for name, at in cuts if isinstance(at, list)}

    def numbers_of(self, line: bytes) -> list[tuple[str, float]] | None:
        """The numbers of a row by their names; None for a line without a row that can be taken."""
        try:
            row = self._members(line.decode()) if line.strip() else None
        except (BadData, UnicodeDecodeError):
            return None
        return None if row is None else [(name, value) for name, value in row[2].items() if name in row[3]]

    def _read_line(self, line: str) -> tuple[str | None, float, dict[str, float]] | None:
        if not line.strip():
            return None
        label, weight, attributes, numbers = self._members(line)
        return label, weight, self._in_bins(attributes, numbers) if self._bins else attributes

    def _members(self, line: str) -> tuple[str | None, float, dict[str, float], set[str]]:
        """Label, weight, attributes, and which of them are numbers."""
        try:
            row = json.loads(
                line, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite, parse_int=_whole
            )
        except BadData:
            raise
        except (ValueError, RecursionError) as error:
            raise BadData(f"the line is not JSON, {getattr(error, 'msg', 'too deep')}") from None
        if not isinstance(row, dict):
            raise BadData("the line is not a JSON object")
        label, weight = self._pop_label(row), self._pop_weight(row)
        attributes: dict[str, float] = {}
        numbers: set[str] = set()
        try:
            self._take(row, "", attributes, numbers)
        except RecursionError:
            raise BadData("the line is not JSON, too deep") from None
        return label, weight, attributes, numbers

    def _in_bins(self, attributes: dict[str, float], numbers: set[str]) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, value in attributes.items():
            if name in numbers and name in self._bins:
                cuts, names = self._bins[name]
                self._enter(names[bisect_left(cuts, value)], 1.0, found)
            else:
                self._enter(name, value, found)
        return found

    def _pop_label(self, row: dict[str, Any]) -> str | None:
        found = None if self._label is None else _pop(row, self._label)
        if isinstance(found, (dict, list)):
            raise BadData(f"the label {self._label!r} is not a single value")
        text = None if found is None else _TRUTH[found] if isinstance(found, bool) else str(found).strip()
        if text is None or text in _MISSING:
            if not self._unlabelled_ok:
                raise BadData("the row has no label")
            return None
        return text

    def _pop_weight(self, row: dict[str, Any]) -> float:
        if self._weight is None:
            return 1.0
        found = _pop(row, self._weight)
        if found is None and self._unlabelled_ok:
            return 1.0
        weight = _number(found)
        if weight is None or weight <= 0:
            raise BadData(f"the weight {_shown(found)} is not a finite decimal number > 0")
        return weight

    def _take(self, row: dict[str, Any], outer: str, attributes: dict[str, float], numbers: set[str]) -> None:
        for key, value in row.items():
            name = outer + key
            if isinstance(value, dict):
                self._take(value, f"{name}.", attributes, numbers)
            elif isinstance(value, list):
                self._take_list(name, value, attributes, numbers)
            elif value is not None:
                self._take_value(name, value, attributes, numbers)

    def _take_list(self, name: str, items: list[Any], attributes: dict[str, float], numbers: set[str]) -> None:
        """A set of values; of objects their members by name: texts are sets, numbers are added up."""
        found: dict[str, float] = {}
        added: set[str] = set()
        for item in items:
            if isinstance(item, list):
                raise BadData(f"a list in a list has no meaning: {_shown(name)}")
            if isinstance(item, dict):
                own: dict[str, float] = {}
                self._take(item, f"{name}.", own, added)
                for member, value in own.items():
                    found[member] = found.get(member, 0.0) + value if member in added else value
            elif item is not None and (text := _text(item)) not in _MISSING:
                found[f"{name}={text}"] = 1.0
        for member, value in found.items():
            self._enter(member, value, attributes)
        numbers |= added

    def _take_value(self, name: str, value: Any, attributes: dict[str, float], numbers: set[str]) -> None:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and name not in self._nominal:
            self._enter(name, _double(value), attributes)
            numbers.add(name)
        elif (text := _text(value)) in _MISSING:
            return
        elif name in self._numeric:
            number = _number(value)
            if number is None:
                raise BadData(f"{_shown(value)} in the numeric column {_shown(name)} is not a finite decimal number")
            self._enter(name, number, attributes)
            numbers.add(name)
        else:
            self._enter(f"{name}={text}", 1.0, attributes)

    def _enter(self, name: str, value: float, attributes: dict[str, float]) -> None:
        if not name:
            raise BadData("a member of the object has no name")
        if name in attributes:
            raise BadData(f"two members of the object make the attribute {_shown(name)}")
        attributes[name] = value


class JsonLinesReader(RowReader):
    """The rows of a JSON text: an object a line, an array of objects, or objects over several lines.

    Where bins are asked for and not cut yet, the first `fill` reads so many rows ahead; `settings` are complete then.
    """

    __slots__ = ("_ahead", "_begun")

    format = "jsonl"

    def __init__(self, path: Any, settings: dict[str, Any], *, unlabelled_ok: bool = False, **options: Any) -> None:
        source, assumed = as_lines(Source(path) if isinstance(path, (str, os.PathLike)) else path), []
        if settings.get("label") is None and not unlabelled_ok:
            members = _first_members(source)
            label = next((name for usual in LABELS for name in members if name.lower() == usual), None)
            if label is None:
                known = f": {', '.join(map(_shown, members[:20]))}" if members else ""
                raise BadParameter(f"--label must name the member of {source.name} that is the label{known}")
            settings, assumed = settings | {"label": label}, [f"label: member {label!r}"]
        if settings.get("label") is not None and settings["label"] == settings.get("weights"):
            raise BadParameter(f"label and weights must be two members: {settings['label']!r}")
        if settings.get("bins"):
            check_all_bins(settings["bins"])
        super().__init__(source, settings, unlabelled_ok=unlabelled_ok, **options)
        self.assumed = assumed
        kept = ("label", "weights", "nominal", "numeric", "bins")
        self.settings |= {name: settings[name] for name in kept if settings.get(name)}
        self._begun = _are_cut(settings.get("bins") or {})
        self._ahead: deque[Chunk] = deque()  # read for its first rows, not yet given out

    def chunk(self) -> JsonChunk:
        return JsonChunk(self._cutter.block_bytes, self._unlabelled_ok, self._skip, self.settings)

    def fill(self, chunk: JsonChunk) -> bool:  # type: ignore[override] # its own
        if not self._begun:
            self._begun = True
            try:
                self._cut()
            except MistakeboundError as error:  # whoever emits the chunks in their order raises it in its turn
                self.close()
                self._ahead.clear()
                chunk.failure = error
                return True
        if self._ahead:
            chunk.take(self._ahead.popleft())
        elif not super().fill(chunk):
            return False
        chunk.cut(self.settings.get("bins") or {})
        return True

    def _cut(self) -> None:
        """Look at the numbers of the first rows and cut them into bins."""
        asked = self.settings.pop("bins")
        found: dict[str, list[float]] = {}
        for numbers in self._first_rows():
            for name, value in numbers:
                found.setdefault(name, []).append(value)
        wanted = asked if isinstance(asked, dict) else dict.fromkeys(found, asked)
        for name in wanted:
            if name not in found and not isinstance(wanted[name], list):
                raise BadParameter(f"bins need a member with numbers in its first rows: {name!r} has none")
        cuts = {
            name: bins if isinstance(bins, list) else cut_points(found[name], bins) for name, bins in wanted.items()
        }
        self.settings |= {"bins": cuts} if cuts else {}

    def _first_rows(self) -> Iterator[list[tuple[str, float]]]:
        rows, probe = 0, self.chunk()
        while rows < _FIRST_ROWS:
            chunk = Chunk(self._cutter.block_bytes)
            if not self._cutter.fill(chunk):
                return
            self._ahead.append(chunk)
            start = 0
            while chunk.failure is None and start < chunk.end and rows < _FIRST_ROWS:
                if chunk.offset + start >= _FIRST_BYTES:
                    return
                stop = chunk.text.index(b"\n", start)
                row = probe.numbers_of(bytes(chunk.text[start:stop]))
                if row is not None:
                    rows += 1
                    yield row
                start = stop + 1
            if chunk.failure is not None:
                return


def _are_cut(bins: Any) -> bool:
    return isinstance(bins, dict) and all(isinstance(cuts, list) for cuts in bins.values())


def _first_members(source: Source) -> list[str]:
    """The names in the first object, as far as they can be read."""
    try:
        row = json.loads(first_line(source))
    except (ValueError, RecursionError):  # said when the row is read
        return []
    return list(row) if isinstance(row, dict) else []


def _pop(row: dict[str, Any], name: str) -> Any:
    """A member that is taken out of an object: one of that name, or of an inner object with dots between the names."""
    if name in row or "." not in name:
        return row.pop(name, None)
    outer, _, inner = name.partition(".")
    return _pop(row[outer], inner) if isinstance(row.get(outer), dict) else None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadData(f"the member {_shown(twice)} appears twice in an object")
    return row


def _no_number(text: str) -> float:
    raise BadData(f"{text[:_LONGEST_SHOWN]} is not a finite number")


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _whole(text: str) -> int:
    if len(text) > _LONGEST_INTEGER:
        raise BadData("a whole number is too large for a double")
    return int(text)


def _number(value: Any) -> float | None:
    """A number, or a text that is a finite decimal one as in a table; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()) is None:
        return None
    number = _double(value) if isinstance(value, (int, float)) else float(value)
    return number if isfinite(number) else None


def _double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        raise BadData("a whole number is too large for a double") from None


def _text(value: Any) -> str:
    return _TRUTH[value] if isinstance(value, bool) else str(value).strip()


def _shown(value: Any) -> str:
    """For a message, shortened."""
    if isinstance(value, bool) or not isinstance(value, str):
        text = _text(value)
        return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."
    return repr(value if len(value) <= _LONGEST_SHOWN else value[:_LONGEST_SHOWN] + "...")
