"""What a caller may give as a source of rows: paths, a data frame, an array, an iterable of raw rows."""

from __future__ import annotations

import os

from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.io.memory import FrameInMemory, InMemory, TextInMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def files_of(source: Any) -> list[Any] | None:
    """A path or a list of paths as a list; None for anything else."""
    if isinstance(source, (str, os.PathLike, InMemory)):
        return [source]
    if isinstance(source, (list, tuple)) and source and all(isinstance(item, (str, os.PathLike)) for item in source):
        return list(source)
    return None


def is_frame(source: Any) -> bool:
    """Whether it has named columns: a frame of pandas or polars, a table or a batch of Arrow."""
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "column_names")


def is_matrix(source: Any) -> bool:
    """Whether it is an array of NumPy or a sparse matrix of SciPy."""
    return hasattr(source, "shape") and hasattr(source, "dtype") and not is_frame(source)


def frame_in_memory(frame: Any) -> FrameInMemory:
    """A frame in place of a file of Arrow."""
    return FrameInMemory(arrow_table(frame))


def arrow_table(frame: Any) -> Any:
    import pyarrow as pa

    try:
        if type(frame).__module__.startswith("pandas"):
            return pa.Table.from_pandas(frame.rename(columns=str), preserve_index=False)  # an index is no column
        return pa.table(frame)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise BadData(f"a column has cells of several kinds: {shown(str(error))}") from None


def frame_with_labels(frame: Any, labels: Any, name: str) -> tuple[Any, str]:
    """A frame with one column more, the labels, and its name."""
    import pyarrow as pa

    table = arrow_table(frame)
    while name in table.column_names:
        name += "_"
    column = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    if len(column) != table.num_rows:
        raise BadData(f"X has {table.num_rows} rows and y {len(column)} labels")
    return table.append_column(name, pa.array(column)), name


def mappings_in_memory(rows: Iterable[Any]) -> TextInMemory:
    """Mappings in place of a file of JSON lines, made as they are read."""
    from mistakebound.io.one_row import json_line

    def lines() -> Iterable[bytes]:
        for row in rows:
            if not hasattr(row, "keys"):
                raise BadParameter(f"a row must be a mapping: {type(row).__name__}")
            yield json_line(row)

    return TextInMemory(lines, "<rows>")
