"""What workers do: plain functions of plain arguments, so that any worker gives the same result at any time."""

from __future__ import annotations

import sys

from mistakebound.core.errors import MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.io.ranges import FileRange

_UNIT = 1 << 20


def versions() -> dict[str, str]:
    """What must be the same here and on the client."""
    import distributed
    import numpy as np

    from mistakebound import __version__

    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return {"mistakebound": __version__, "Python": python, "numpy": np.__version__, "dask": distributed.__version__}


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function gives, or the error of our own that it raises: that is an answer, and no fault of a worker."""
    try:
        return function(*arguments)
    except MistakeboundError as error:
        return error.with_traceback(None)


def scan(part: FileRange, delimiter: str | None) -> tuple[int, bool]:
    """Newlines of a range of text; with the delimiter of a table also whether its last byte stands in quotes."""
    from mistakebound.io.source import Chunk, LineCutter
    from mistakebound.io.table_records import RecordCutter

    cutter = LineCutter(part.open(), _UNIT) if delimiter is None else RecordCutter(part.open(), _UNIT, delimiter)
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
    return newlines, isinstance(cutter, RecordCutter) and cutter.in_quotes


def begun(part: FileRange, settings: dict[str, Any], **options: Any) -> Any:
    """The stream of one range, at its first row."""
    from mistakebound.io import open_stream

    stream = open_stream([part], settings, **options)
    if part.position is not None:
        stream.seek(part.position)
    return stream
