"""What workers do: plain functions of plain arguments, so that any worker gives the same result at any time."""

from __future__ import annotations

import operator
import sys

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io.ranges import FileRange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.table import Table

_UNIT = 1 << 20


def versions() -> dict[str, str]:
    """What must be the same here and on the client."""
    import distributed
    import numpy as np

    from mistakebound import __version__

    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return {"mistakebound": __version__, "Python": python, "numpy": np.__version__, "dask": distributed.__version__}


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function gives, or the error of our own that it raises: that is an answer, and no fault of a worker.

    Where a row is bad it is done again with the lines counted, which nobody needs otherwise.  An argument that is the
    error of another task is the answer.
    """
    if failed := [argument for argument in arguments if isinstance(argument, Exception)]:
        return failed[0]
    try:
        try:
            return function(*arguments)
        except BadData:
            counted = tuple(map(with_lines, arguments))
            if all(map(operator.is_, counted, arguments)):
                raise
            return function(*counted)
    except MistakeboundError as error:
        return error.with_traceback(None)


def with_lines(argument: Any) -> Any:
    """A range, or a list of ranges, with all lines counted; anything else as it is."""
    if isinstance(argument, FileRange):
        return argument.with_line()
    if isinstance(argument, list) and any(isinstance(part, FileRange) and part.line is None for part in argument):
        return [part.with_line() for part in argument]
    return argument


def scan(part: FileRange, delimiter: str) -> tuple[int, bool]:
    """Newlines of a range of a table, and whether its last byte stands in quotes."""
    from mistakebound.io.source import Chunk
    from mistakebound.io.table_records import RecordCutter

    cutter = RecordCutter(part.open(), _UNIT, delimiter)
    newlines, chunk = 0, Chunk(_UNIT)
    try:
        if part.start:
            cutter.seek(part.start)
        while cutter.fill(chunk):
            if chunk.failure is not None:
                raise chunk.failure
            newlines += chunk.text.count(b"\n", 0, chunk.end)
    except MistakeboundError:  # whoever reads the rows says it; no boundary behind it is certain
        return newlines, True
    finally:
        cutter.close()
    return newlines, cutter.in_quotes


def count_range(part: FileRange, settings: dict[str, Any], fresh: Any) -> tuple[Any, int, tuple[str, ...]]:
    """A learner that has counted the rows of a range (None: it has no rows), their number, and the columns."""
    table, classes, codes = labelled_range(part, settings)
    if not table.rows:
        return None, 0, table.names
    learner = fresh.copy()
    learner.fit_codes(table, codes, classes)
    return learner, table.rows, table.names


def labelled_range(part: FileRange, settings: dict[str, Any]) -> tuple[Table, tuple[Any, ...], Any]:
    """The rows of a range, their classes, and the codes of their labels."""
    from mistakebound.core.table import label_codes
    from mistakebound.io.table_file import read_table_file

    found = read_table_file([part], settings)
    if found.labels is None and found.table.rows:
        raise BadData("the rows have no labels", source=part.name)
    return found.table, *label_codes(found.labels or (), table=found.table)


def predict_ranges(parts: list[FileRange], model: Any) -> list[Any]:
    """The labels of the rows of some ranges."""
    return [label for part in parts for label in model.predict(part)]


def text_of_ranges(
    parts: list[FileRange], settings: dict[str, Any], model: Any, write: Callable[..., object]
) -> tuple[str, BadData | None]:
    """What is written of the rows of some ranges, up to a bad one, and its error."""
    said: list[str] = []
    try:
        write(model, parts, settings, said.append)
    except BadData as error:
        if any(part.line is None for part in parts):
            raise
        return "".join(said), error.with_traceback(None)
    return "".join(said), None


def measure_ranges(parts: list[FileRange], settings: dict[str, Any], model: Any) -> Any:
    """What is counted of a model on the rows of some ranges."""
    from mistakebound.model.model import of_table
    from mistakebound.model.prediction import count_stream
    from mistakebound.model.table_rows import evaluate_table

    if not of_table(model.learner):
        return count_stream(model, list(parts), settings, threads=1, say=_hush)
    total = evaluate_table(model, parts[0], settings, say=_hush)
    for part in parts[1:]:
        total.merge(evaluate_table(model, part, settings, say=_hush))
    return total


def _hush(line: str) -> None:
    """The client has said it."""
