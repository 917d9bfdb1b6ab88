"""A table read whole from one file or several: the rules and errors of docs/tables.md, the cells as columns."""

from __future__ import annotations

import numpy as np

from mistakebound.core.errors import BadParameter
from mistakebound.core.labels import value_of_text
from mistakebound.core.schema import NOMINAL, NUMERIC
from mistakebound.core.table import CodedLabels, Column, Table
from mistakebound.io.formats import TABLES, check, settled_format, table_reader
from mistakebound.io.multi_file import listed
from mistakebound.io.ranges import FileRange
from mistakebound.io.reader import run
from mistakebound.io.source import open_source, size_of
from mistakebound.io.table_columns import Columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy.typing as npt

    from mistakebound.io.dense_rows import DenseRows
    from mistakebound.io.multi_file import Paths
    from mistakebound.io.source import Source


class TableFile:
    """What a file holds: the table, the labels (None: it has none) and the settings that read another the same way."""

    __slots__ = ("assumed", "labels", "settings", "table")

    def __init__(
        self, table: Table, labels: CodedLabels | None, settings: dict[str, Any], assumed: list[str] | None = None
    ) -> None:
        self.assumed = assumed or []  # what was guessed from the first rows, in words
        self.table = table
        self.labels = labels
        self.settings = settings


def read_table_file(
    paths: Paths,
    settings: dict[str, Any] | None = None,
    *,
    unlabelled_ok: bool = False,
    threads: int = 1,
    watch: Callable[[Any, int], None] | None = None,
) -> TableFile:
    """Read a table.  `settings` as for `open_stream`; `watch(reader, rows)` is called as rows come in."""
    given = {"format": "auto"} | (settings or {})
    check(given)
    if given.get("hash"):
        raise BadParameter(f"hash is not supported for tables that are learned as a whole: {given['hash']!r}")
    names = listed(paths)
    if not names:
        raise BadParameter("a table needs at least one file")
    for name in names:
        size_of(name)  # an unknown name is refused before anything is read
    gathered, assumed = _Gathered(), []
    for name in names:
        reader = _open(open_source(name), given, unlabelled_ok)

        def handle(rows: DenseRows, reader: Any = reader) -> None:
            gathered.add(rows)
            if watch is not None:
                watch(reader, gathered.rows)

        with reader:
            if isinstance(name, FileRange) and name.position is not None:
                reader.seek(name.position)
            run(reader, handle, threads)  # type: ignore[arg-type] # its blocks are columns, not sparse rows
        given = reader.settings | {"remembered": True}
        assumed += [line for line in reader.assumed if line not in assumed]
    found = {name: value for name, value in given.items() if name != "remembered"}
    known = len(names) == 1 and isinstance(names[0], str | FileRange)
    result = gathered.finish(found, str(names[0]) if known else None)
    result.assumed = assumed
    return result


def first_settings(
    path: Any, settings: dict[str, Any], *, unlabelled_ok: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """The settings that the first rows of a file make of those that are given, and what was guessed."""
    given = {"format": "auto"} | settings
    check(given)
    (name,) = listed(path)
    with _open(open_source(name), given, unlabelled_ok) as reader:
        for _ in reader:
            break
        return dict(reader.settings), list(reader.assumed)


def _open(source: Source, settings: dict[str, Any], unlabelled_ok: bool) -> Any:
    try:
        format = settled_format(source, settings)
        if format not in TABLES:
            raise BadParameter(f"the learner needs a table ({', '.join(TABLES)}); {source.name} is {format}")
        return table_reader(source, settings | {"format": format}, dense=True, unlabelled_ok=unlabelled_ok)
    except BaseException:
        source.close()
        raise


class _Gathered:
    """The columns of the rows so far, in parts; texts get their places in the order of their first appearance."""

    def __init__(self) -> None:
        self.rows = 0
        self._parts: list[list[npt.NDArray[Any]]] = []
        self._values: list[dict[str, int] | None] = []
        self._label_values: dict[str, int] = {}
        self._labels: list[npt.NDArray[np.int32]] = []
        self._lines: list[npt.NDArray[np.int64]] = []
        self._weights: list[npt.NDArray[np.float64]] = []

    def add(self, rows: DenseRows) -> None:
        if not self._parts:
            self._parts = [[] for _ in rows.cells]
            self._values = [None if texts is None else {} for _, texts in rows.cells]
        for parts, values, (data, texts) in zip(self._parts, self._values, rows.cells, strict=True):
            parts.append(data if texts is None or values is None else _placed(data, texts, values))
        self._labels.append(_placed(rows.tokens, rows.label_texts, self._label_values))
        self._lines.append(rows.lines)
        if rows.weights is not None:
            self._weights.append(rows.weights)
        self.rows += len(rows.tokens)

    def finish(self, settings: dict[str, Any], source: str | None) -> TableFile:
        columns = []
        for k, found in enumerate(Columns(settings["columns"], settings).attributes):
            kind = NOMINAL if found.nominal or found.cuts else NUMERIC
            parts = self._parts[k] if self._parts else []
            data = np.concatenate(parts) if parts else np.zeros(0)
            values = tuple(self._values[k] or ()) if parts and kind != NUMERIC else ()
            columns.append(Column(found.name, kind, values, data))
        lines = np.concatenate(self._lines) if self._lines and source is not None else None
        weights = np.concatenate(self._weights) if self._weights else None
        table = Table(columns, rows=self.rows, source=source, lines=lines, weights=weights)
        return TableFile(table, self._coded() if self._label_values else None, settings)

    def _coded(self) -> CodedLabels:
        """Texts that mean the same label ("1" and "1.0") are one."""
        values: list[Any] = []
        places = []
        for text in self._label_values:
            value = value_of_text(text)
            same = next((k for k, other in enumerate(values) if type(other) is type(value) and other == value), -1)
            places.append(len(values) if same < 0 else same)
            if same < 0:
                values.append(value)
        table = np.array([*places, -1], np.int32)
        return CodedLabels(values, table[np.concatenate(self._labels)])


def _placed(codes: npt.NDArray[np.int32], texts: list[str], values: dict[str, int]) -> npt.NDArray[np.int32]:
    """Codes of a list of texts as codes of `values`, to which new texts are added."""
    moved = np.full(len(texts) + 1, -1, np.int32)  # the last for a cell that is missing
    first = np.full(len(texts) + 1, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of what is assigned to one place the last remains
    for code in np.argsort(first[:-1])[: np.count_nonzero(first[:-1] < len(codes))].tolist():
        moved[code] = values.setdefault(texts[code], len(values))
    placed: npt.NDArray[np.int32] = moved[codes]
    return placed
