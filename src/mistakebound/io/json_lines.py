"""JSON lines: an object a line, an array of objects, or objects over several lines."""

from __future__ import annotations

import json
import os
from collections import deque

from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.io.bins import CELLS, MOST_BYTES, MOST_ROWS, check_all_bins, cut_points
from mistakebound.io.formats import LABELS, first_line
from mistakebound.io.json_chunk import JsonChunk, shown
from mistakebound.io.json_members import ROWS, MemberEvidence, check_members
from mistakebound.io.json_values import as_lines
from mistakebound.io.rows import RowReader
from mistakebound.io.source import Chunk, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class JsonLinesReader(RowReader):
    """The rows of a JSON text: an object a line, an array of objects, or objects over several lines.

    Unless the settings are complete, the first `fill` reads so many rows ahead that the label, the kinds of members and
    the cuts of numbers are known; `settings` are complete then.
    """

    __slots__ = ("_ahead", "_begun", "_looked")

    format = "jsonl"

    def __init__(self, path: Any, settings: dict[str, Any], *, unlabelled_ok: bool = False, **options: Any) -> None:
        source, assumed = as_lines(Source(path) if isinstance(path, (str, os.PathLike)) else path), []
        if settings.get("label") is None and not unlabelled_ok:
            members = _first_members(source)
            label = _label_among(members)
            if label is None and first_line(source) and settings.get("members") is not None:
                raise _unnamed(source.name, members)
            if label is not None:
                settings, assumed = settings | {"label": label}, [f"label: member {label!r}"]
        if settings.get("label") is not None and settings["label"] == settings.get("weights"):
            raise BadParameter(f"label and weights must be two members: {settings['label']!r}")
        if settings.get("bins"):
            check_all_bins(settings["bins"])
        super().__init__(source, settings, unlabelled_ok=unlabelled_ok, **options)
        self.assumed = assumed
        kept = ("label", "weights", "nominal", "numeric", "bins", "ignore", "keep")
        self.settings |= {name: settings[name] for name in kept if settings.get(name)}
        self._looked = settings.get("members") is not None or unlabelled_ok
        if settings.get("members") is not None:
            self.settings["members"] = check_members(settings["members"])
        self._begun = self._looked and _are_cut(settings.get("bins") or {})
        self._ahead: deque[Chunk] = deque()  # read for its first rows, not yet given out

    def chunk(self) -> JsonChunk:
        return JsonChunk(self._cutter.block_bytes, self._unlabelled_ok, self._skip, self.settings)

    def fill(self, chunk: JsonChunk) -> bool:  # type: ignore[override] # its own
        if not self._begun:
            self._begun = True
            try:
                if not self._looked:
                    self._look()
                if not _are_cut(self.settings.get("bins") or {}):
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
        chunk.settle(self.settings)
        return True

    def _look(self) -> None:
        """Find out from the first rows which member is the label, and which are dates, ids or numbers in quotes."""
        probe = self.chunk()
        found = MemberEvidence(probe.is_dropped)
        last: str | None = None
        for line in self._first_lines():
            if found.rows == ROWS:
                break
            row = probe.object_of(line)
            if row is not None:
                if not found.rows:
                    last = next((name for name in reversed(row) if not probe.is_dropped(name)), None)
                try:
                    found.add(row)
                except RecursionError:  # said when the row is read
                    continue
        self._looked = True
        if self.settings.get("label") is None and found.rows:
            named = _label_among(found.names())  # the first row may be without it
            label = found.label(last) if named is None else named
            if label is None:
                raise _unnamed(self.name, found.names())
            self.settings["label"] = label
            self.assumed.append(f"label: member {label!r}" + ", the last one" * (named is None))
        decided = {self.settings.get("label"), self.settings.get("weights")}
        for name in ("nominal", "numeric", "keep"):
            decided |= {*(self.settings.get(name) or ())}
        bins = self.settings.get("bins")
        decided |= {*bins} if isinstance(bins, dict) else set()
        self.settings["members"], said = found.kinds(decided)
        self.assumed += said

    def _cut(self) -> None:
        """Look at the numbers of the first rows and cut them into bins."""
        asked = self.settings.pop("bins")
        some = asked if isinstance(asked, dict) else None
        found: dict[str, list[float]] = {name: [] for name, bins in (some or {}).items() if not isinstance(bins, list)}
        probe = self.chunk()
        rows = 0
        for line in self._first_lines():
            numbers = probe.numbers_of(line)
            if numbers is None:
                continue
            rows += 1
            for name, value in numbers:
                cells = found.setdefault(name, []) if some is None else found.get(name)
                if cells is not None and len(cells) < CELLS:
                    cells.append(value)
            if rows == MOST_ROWS or (rows >= CELLS and all(len(cells) == CELLS for cells in found.values())):
                break
        wanted = dict.fromkeys(found, asked) if some is None else some
        for name, cells in found.items():
            if not cells:
                raise BadParameter(f"bins need a member with numbers in its first rows: {name!r} has none")
        cuts = {
            name: bins if isinstance(bins, list) else cut_points(found[name], bins) for name, bins in wanted.items()
        }
        self.settings |= {"bins": cuts} if cuts else {}

    def _first_lines(self) -> Iterator[bytes]:
        """The lines from the first on; what is read for them is given out later."""
        at = 0
        while True:
            if at == len(self._ahead):
                made = _Ahead(self._cutter.block_bytes)
                if not self._cutter.fill(made):
                    return
                self._ahead.append(made)
            chunk, at, start = self._ahead[at], at + 1, 0
            if chunk.failure is not None:
                return
            while start < chunk.end:
                if chunk.offset + start >= MOST_BYTES:
                    return
                stop = chunk.text.index(b"\n", start)
                yield bytes(chunk.text[start:stop])
                start = stop + 1


class _Ahead(Chunk):
    """Lines that are looked at before they are given out."""

    __slots__ = ()

    longest = JsonChunk.longest


def _unnamed(source: str, members: list[str]) -> BadParameter:
    known = f", one of {', '.join(map(shown, members[:20]))}" if members else ""
    return BadParameter(f"{source}: --label must name the member with the label{known}")


def _are_cut(bins: Any) -> bool:
    return isinstance(bins, dict) and all(isinstance(cuts, list) for cuts in bins.values())


def _first_members(source: Source) -> list[str]:
    """The names in the first object, as far as they can be read."""
    try:
        row = json.loads(first_line(source))
        return _members(row) if isinstance(row, dict) else []
    except (ValueError, RecursionError):  # said when the row is read
        return []


def _members(row: dict[str, Any]) -> list[str]:
    """The names of the members that are not objects, and then those of the objects in it, with dots."""
    found = [name for name, value in row.items() if not isinstance(value, dict)]
    for name, value in row.items():
        if isinstance(value, dict):
            found += [f"{name}.{inner}" for inner in _members(value)]
    return found


def _label_among(members: list[str]) -> str | None:
    """The member that is called as labels are; an inner one where no outer one is."""
    for names in ([name for name in members if "." not in name], members):
        for usual in LABELS:
            for name in names:
                if name.lower().rpartition(".")[2] == usual:
                    return name
    return None
