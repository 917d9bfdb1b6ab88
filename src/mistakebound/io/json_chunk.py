"""What the members of JSON objects become: numbers are values, texts `name=text`; lists and objects are taken apart."""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_left
from fnmatch import fnmatchcase
from math import isfinite

from mistakebound.core.block import ANY, BlockNames
from mistakebound.core.buffers import zeros
from mistakebound.core.errors import BadData
from mistakebound.io.bins import bin_names
from mistakebound.io.ignore import program_of
from mistakebound.io.moments import MOMENT, part_of_cell, parts_of
from mistakebound.io.rows import RowChunk
from mistakebound.kernels import _json_fields as fields
from mistakebound.kernels import json_lines as kernel
from mistakebound.kernels import libsvm as state_of  # the places of `state`

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.block import Block

_MISSING = ("", "?")
_LONGEST_SHOWN = 40  # characters of a value in a message
_LONGEST_INTEGER = 400  # digits; doubles end after 309
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_KNOWN_NAMES = 1 << 16  # of members, of which it is remembered whether they are ignored
LEFT_OUT = "left out"  # kinds that the first rows give members
NUMERIC = "numeric"
_TRUTH = {True: "true", False: "false"}


class JsonChunk(RowChunk):
    """The kernel takes the usual lines apart; `_read_line` takes all others, and says what is wrong with a line."""

    __slots__ = (
        "_bins", "_fault", "_ignore", "_label", "_left_out", "_moments", "_nominal", "_numeric", "_roles_taken",
        "_rows", "_seen", "_weight", "matched", "name_ends", "names", "weights",
    )  # fmt: skip

    shortest = 2  # "1,"
    longest = 1 << 24  # bytes of a line: as objects of Python its members may take thirty times as many

    def __init__(self, size: int, unlabelled_ok: bool, skip: bool, settings: dict[str, Any]) -> None:
        self._weight = settings.get("weights")
        self._nominal = frozenset(settings.get("nominal") or ())
        self._ignore = list(settings.get("ignore") or ())
        self._seen: dict[str, bool] = {}  # names of members, and whether they are ignored
        self.matched: set[str] = set()
        self._fault = ""
        self._roles_taken: tuple[Any, ...] = ()
        self._take_roles(settings)
        super().__init__(size, unlabelled_ok, skip)

    def settle(self, settings: dict[str, Any]) -> None:
        """What was found from the first rows, after the chunk was made: label, kinds of members, cuts of numbers."""
        if self._take_roles(settings):
            self._set_roles()

    def _take_roles(self, settings: dict[str, Any]) -> bool:
        """Whether something is other than before."""
        members = settings.get("members") or {}
        bins = settings.get("bins") or {}
        cuts = bins.items() if isinstance(bins, dict) else ()
        numeric = {name for name, kind in members.items() if kind == NUMERIC}
        found: tuple[Any, ...] = (
            settings.get("label"),
            frozenset(settings.get("numeric") or ()) | numeric,
            frozenset(name for name, kind in members.items() if kind == LEFT_OUT),
            {name: kind.partition(":")[2] for name, kind in members.items() if kind.startswith(MOMENT)},
            {name: (at, bin_names(name, at)) for name, at in cuts if isinstance(at, list)},
        )
        if found == self._roles_taken:
            return False
        self._roles_taken = found
        self._label, self._numeric, self._left_out, self._moments, self._bins = found
        return True

    def _set_roles(self) -> None:
        """Tell the kernel which names make something else of a member than its value does, and what."""
        roles = {
            fields.LABEL: [self._label], fields.WEIGHT: [self._weight],
            fields.NOMINAL: self._nominal, fields.NUMERIC: self._numeric, fields.IGNORED: self._left_out,
            fields.DATE: [name for name, order in self._moments.items() if order == "ymd"],
            fields.OTHER: [name for name, order in self._moments.items() if order != "ymd"],
        }  # fmt: skip
        given = [(name, role) for role, names in roles.items() for name in names if name is not None]
        cuts, ends, words = array("d"), array("q", [0]), []
        for number, (name, (at, names)) in enumerate(self._bins.items(), 1):
            # The name of a number with "=" in it may be that of a text too, which only Python notices.
            given.append((name, fields.OTHER if "=" in name else number << fields.BIN_SHIFT))
            cuts.extend(at)
            ends.append(len(cuts))
            words += names
        self._rows.set_roles(
            (*_blob([name for name, _ in given]), array("q", [role for _, role in given])), (cuts, ends, *_blob(words)),
            program_of(self._ignore),
        )  # fmt: skip

    def _make_room(self) -> None:
        super()._make_room()
        entries = len(self.keys)
        self.weights: memoryview[float] = zeros("d", len(self.tokens), sparse=True)
        self.names: memoryview[int] = zeros("B", 2 * self.size + 64)
        self.name_ends: memoryview[int] = zeros("q", entries + 1, sparse=True)
        self._rows = kernel.JsonRows(
            (self.indptr, self.keys, self.values, self.weights, self.tokens, self.lines),
            (self.labels, self.ends, self.slots),
            (self.names, self.name_ends, zeros("B", 2 * self.size + 64, sparse=True)),
            (
                zeros("Q", 2 << (4 * entries).bit_length()),
                zeros("q", fields.PATH_WIDTH * (self.size // 4 + 8), sparse=True),
                zeros("q", fields.PAIR_WIDTH * entries, sparse=True),
                zeros("q", fields.NAME_WIDTH * entries, sparse=True),
            ),
            self.state,
        )
        self._set_roles()

    def _more(self) -> None:
        if not self._rows.clear():
            self._make_room()
            if not self._rows.clear():
                raise AssertionError("the buffers of a chunk do not fit together")
        super()._more()
        if len(self.matched) < len(self._ignore):
            for name in self._rows.ignored_names():
                self._is_ignored(name.decode(errors=ANY))

    def _is_ignored(self, name: str) -> bool:
        """Whether a pattern fits the name of a member; `matched` are those that have fitted one."""
        found = self._seen.get(name)
        if found is None:
            fitting = [pattern for pattern in self._ignore if fnmatchcase(name, pattern)]
            self.matched.update(fitting)
            found = bool(fitting)
            if len(self._seen) < _KNOWN_NAMES:
                self._seen[name] = found
        return found

    def _run_kernel(self) -> int:
        state = self.state
        while status := self._rows.parse(self.text, self.end, self._unlabelled_ok):
            if status == kernel.CAPACITY:
                raise AssertionError("the buffers of a chunk do not fit together")
            if self._is_full(status):
                return status
            start = state[state_of.POS]
            stop = self.text.index(b"\n", start)
            state[state_of.OFFSET] = 0
            try:
                row = self._read_line(self.text[start:stop].decode().rstrip("\r"))
            except UnicodeDecodeError as error:
                state[state_of.OFFSET] = error.start
                self._fault = "the line is not UTF-8"
                return kernel.HARD
            except BadData as error:
                self._fault = error.message
                return kernel.HARD
            state[state_of.LINE] += 1
            status = kernel.OK if row is None else self._add(*row)
            if status:
                state[state_of.LINE] -= 1
                return status
            state[state_of.POS] = stop + 1
        return kernel.OK

    def _add(self, label: str | None, weight: float, attributes: dict[str, float]) -> int:
        token = None if label is None else label.encode(errors=ANY)
        names = [name.encode(errors=ANY) for name in attributes]
        while True:
            status = self._rows.add(token, weight, names, list(attributes.values()))
            if status == kernel.CAPACITY:
                raise AssertionError("a line has more members than bytes")
            if status != kernel.NAMES_FULL or self.state[kernel.NAMES]:
                return status
            self.names = zeros("B", 2 * len(self.names))  # one row has more than there was room for
            self._rows.more_names(self.names)

    def _is_full(self, status: int) -> bool:
        full = status in (kernel.LABELS_FULL, kernel.NAMES_FULL)
        return full and self.state[state_of.ROWS] > 0

    def _describe(self, status: int, line: bytes | bytearray, offset: int) -> str:
        return self._fault

    def block(self, source: str, first: int = 0) -> Block:
        block = super().block(source, first)
        block.columns = BlockNames(self.names, self.name_ends, self.state[kernel.NAMES])
        block.dense = True  # a number that is written is a value
        if self.state[kernel.WEIGHTED]:
            block.weights = self.weights
        return block

    def object_of(self, line: bytes) -> dict[str, Any] | None:
        """The object of a line without its label and weight; None for a line without one."""
        try:
            row = _parsed(line.decode()) if line.strip() else None
        except (BadData, UnicodeDecodeError):
            return None
        for name in (self._label, self._weight):
            if row is not None and name is not None:
                _pop(row, name)
        return row

    def is_dropped(self, name: str) -> bool:
        """Whether nothing is made of a member."""
        return name in self._left_out or (bool(self._ignore) and self._is_ignored(name))

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
        row = _parsed(line)
        label, weight = self._pop_label(row), self._pop_weight(row)
        attributes: dict[str, float] = {}
        numbers: set[str] = set()
        try:
            self._take(row, "", attributes, numbers)
        except RecursionError:
            raise BadData("the line is not JSON (nested too deeply)") from None
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
                raise BadData(f"the row has no label {self._label!r}" if self._label else "the row has no label")
            return None
        return text

    def _pop_weight(self, row: dict[str, Any]) -> float:
        if self._weight is None:
            return 1.0
        found = _pop(row, self._weight)
        if found is None and self._unlabelled_ok:
            return 1.0
        weight = number_of(found)
        if weight is None or weight <= 0:
            raise BadData(f"the weight {shown(found)} is not a finite decimal number > 0")
        return weight

    def _take(self, row: dict[str, Any], outer: str, attributes: dict[str, float], numbers: set[str]) -> None:
        for key, value in row.items():
            name = outer + key
            if self.is_dropped(name):
                if len(self.matched) < len(self._ignore):
                    self._note_names(name, value)
            elif isinstance(value, dict):
                self._take(value, f"{name}.", attributes, numbers)
            elif isinstance(value, list):
                self._take_list(name, value, attributes, numbers)
            elif value is not None:
                self._take_value(name, value, attributes, numbers)

    def _note_names(self, outer: str, value: Any) -> None:
        """The names of what is in a member that is ignored: a pattern may fit them too."""
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                for key, inner in item.items():
                    self._is_ignored(f"{outer}.{key}")
                    self._note_names(f"{outer}.{key}", inner)

    def _take_list(self, name: str, items: list[Any], attributes: dict[str, float], numbers: set[str]) -> None:
        """A set of values; of objects their members by name: texts are sets, numbers are added up."""
        found: dict[str, float] = {}
        added: set[str] = set()
        for item in items:
            if isinstance(item, list):
                raise BadData(f"a list inside a list is not supported: {shown(name)}")
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
            number = number_of(value)
            if number is None:
                raise BadData(f"{shown(value)} in the numeric column {shown(name)} is not a finite decimal number")
            self._enter(name, number, attributes)
            numbers.add(name)
        elif name in self._moments and isinstance(value, str):
            self._take_moment(name, text, attributes)
        else:
            self._enter(f"{name}={text}", 1.0, attributes)

    def _take_moment(self, name: str, text: str, attributes: dict[str, float]) -> None:
        order = self._moments[name]
        for part in parts_of(order):
            found = part_of_cell(text, order, part)
            if found is None:
                raise BadData(f"{shown(text)} in the member {shown(name)} is not a date as in the first rows")
            if found:
                self._enter(f"{name} {part}={found}", 1.0, attributes)

    def _enter(self, name: str, value: float, attributes: dict[str, float]) -> None:
        if not name:
            raise BadData("a member of the object has no name")
        if name in attributes:
            raise BadData(f"two members of the object make the attribute {shown(name)}")
        attributes[name] = value


def _blob(names: list[str]) -> tuple[bytes, Any]:
    """For the kernel, which reads eight bytes at a time."""
    found = BlockNames.of(names)
    return bytes(found.blob) + bytes(8), found.ends


def _parsed(line: str) -> dict[str, Any]:
    try:
        row = json.loads(
            line, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite, parse_int=_whole
        )
    except BadData:
        raise
    except (ValueError, RecursionError) as error:
        raise BadData(f"the line is not JSON ({getattr(error, 'msg', 'nested too deeply').lower()})") from None
    if not isinstance(row, dict):
        raise BadData("the line is not a JSON object")
    return row


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
        raise BadData(f"the member {shown(twice)} appears twice in an object")
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


def number_of(value: Any) -> float | None:
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


def shown(value: Any) -> str:
    """For a message, shortened."""
    if isinstance(value, bool) or not isinstance(value, str):
        text = _text(value)
        return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."
    return repr(value if len(value) <= _LONGEST_SHOWN else value[:_LONGEST_SHOWN] + "...")
