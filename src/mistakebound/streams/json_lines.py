"""JSON lines: an object a line.  Numbers are values, texts become `name=text`; lists and objects are taken apart."""

from __future__ import annotations

import json
from math import isfinite

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.streams.interpreted import InterpretedPiece
from mistakebound.streams.rows import RowReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MISSING = ("", "?")
_TRUTH = {True: "true", False: "false"}


class JsonPiece(InterpretedPiece):
    __slots__ = ("_label", "_nominal", "_numeric", "_weight")

    def __init__(self, size: int, unlabelled_ok: bool, skip: bool, settings: dict[str, Any]) -> None:
        super().__init__(size, unlabelled_ok, skip)
        self._label = settings.get("label")
        self._weight = settings.get("weights")
        self._nominal = frozenset(settings.get("nominal") or ())
        self._numeric = frozenset(settings.get("numeric") or ())

    def _read_line(self, line: str) -> tuple[str | None, float, dict[str, float]] | None:
        if not line.strip():
            return None
        try:
            row = json.loads(line, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite)
        except BadData:
            raise
        except (ValueError, RecursionError) as error:
            raise BadData(f"the line is not JSON, {getattr(error, 'msg', 'too deep')}") from None
        if not isinstance(row, dict):
            raise BadData("the line is not a JSON object")
        label, weight = self._pop_label(row), self._pop_weight(row)
        attributes: dict[str, float] = {}
        try:
            self._take(row, "", attributes)
        except RecursionError:
            raise BadData("the line is not JSON, too deep") from None
        return label, weight, attributes

    def _pop_label(self, row: dict[str, Any]) -> str | None:
        found = row.pop(self._label, None) if self._label is not None else None
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
        found = row.pop(self._weight, None)
        if found is None and self._unlabelled_ok:
            return 1.0
        try:
            weight = float(found)
        except (TypeError, ValueError):
            weight = 0.0
        if isinstance(found, bool) or not weight > 0:
            raise BadData(f"the weight {found!r} is not a finite decimal number > 0")
        return weight

    def _take(self, row: dict[str, Any], outer: str, attributes: dict[str, float]) -> None:
        for key, value in row.items():
            name = outer + key
            if isinstance(value, dict):
                self._take(value, f"{name}.", attributes)
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, (dict, list)):
                        raise BadData(f"a list in a list, or an object in one, means nothing here: {name!r}")
                    if item is not None:
                        self._enter(f"{name}={_text(item)}", 1.0, attributes, once=False)
            elif value is not None:
                self._take_value(name, value, attributes)

    def _take_value(self, name: str, value: Any, attributes: dict[str, float]) -> None:
        numeric = name in self._numeric
        if isinstance(value, (int, float)) and not isinstance(value, bool) and name not in self._nominal:
            self._enter(name, _double(value), attributes)
        elif numeric and not isinstance(value, bool) and _text(value) not in _MISSING:
            try:
                self._enter(name, _double(float(value)), attributes)
            except ValueError:
                raise BadData(f"{value!r} in the numeric column {name!r} is not a finite decimal number") from None
        elif numeric and isinstance(value, bool):
            raise BadData(f"{_TRUTH[value]} in the numeric column {name!r} is not a finite decimal number")
        elif (text := _text(value)) not in _MISSING:
            self._enter(f"{name}={text}", 1.0, attributes)

    def _enter(self, name: str, value: float, attributes: dict[str, float], once: bool = True) -> None:
        if once and name in attributes:
            raise BadData(f"two members of the object make the attribute {name!r}")
        attributes[name] = value


class JsonLinesReader(RowReader):
    """The rows of a file of JSON lines."""

    __slots__ = ()

    format = "jsonl"

    def __init__(self, path: Any, settings: dict[str, Any], *, unlabelled_ok: bool = False, **options: Any) -> None:
        if settings.get("label") is None and not unlabelled_ok:
            raise BadParameter("label must name the member of each object that is its label")
        if settings.get("label") is not None and settings["label"] == settings.get("weights"):
            raise BadParameter(f"label and weights must be two members: {settings['label']!r}")
        super().__init__(path, settings, unlabelled_ok=unlabelled_ok, **options)
        kept = ("label", "weights", "nominal", "numeric")
        self.settings |= {name: settings[name] for name in kept if settings.get(name)}

    def piece(self) -> JsonPiece:
        return JsonPiece(self._cutter.block_bytes, self._unlabelled_ok, self._skip, self.settings)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadData(f"the member {twice!r} stands twice in an object")
    return row


def _no_number(text: str) -> float:
    raise BadData(f"{text} is not a finite number")


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        raise BadData("a whole number is too large for a double") from None


def _text(value: Any) -> str:
    return _TRUTH[value] if isinstance(value, bool) else str(value).strip()
