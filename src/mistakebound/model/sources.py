"""What a caller may give as a source of rows: paths, a data frame, an array, an iterable of raw rows.

Arrays are learned where they lie.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import chain, islice

from mistakebound.arena.stream_labels import asks_labels, first_labels, one_vs_all, with_labels
from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.core.fields import plain_value, plain_values
from mistakebound.core.ledger import bound_of, new_ledger
from mistakebound.core.names import attribute_order, frame_names
from mistakebound.core.threshold import new_threshold
from mistakebound.io.memory import FrameInMemory, TextInMemory
from mistakebound.io.source import InMemory
from mistakebound.model.model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from mistakebound.core.ledger import Ledger


def files_of(source: Any) -> list[Any] | None:
    """A path or a list of paths as a list; None for rows in memory, BadParameter for what has no rows."""
    if isinstance(source, (str, os.PathLike, InMemory)):
        return [source]
    if isinstance(source, (list, tuple)) and source and all(isinstance(item, (str, os.PathLike)) for item in source):
        return list(source)
    if type(source).__name__ == "LazyFrame":
        raise BadParameter("source must be rows, and a LazyFrame has no rows yet: collect it first")
    if not hasattr(source, "__iter__") and not is_frame(source):
        raise BadParameter(f"source must be paths, a data frame, an array or rows: {type(source).__name__}")
    if isinstance(source, Mapping):
        raise BadParameter("source must be rows, and a mapping is one: give a list of mappings, or a data frame")
    return None


def is_frame(source: Any) -> bool:
    """Whether it has named columns: a frame of pandas or polars, a table or a batch of Arrow."""
    return hasattr(source, "__arrow_c_stream__") or frame_names(source) is not None


def check_known(learner: Any, source: Any) -> None:
    """BadData for a frame none of whose columns is an attribute of a learner, such as one that has learned arrays."""
    names, known = frame_names(source), learner.attributes
    if names and len(known) and not known.derived and not any(name in known for name in names):
        from mistakebound.io.frame import shown_names

        lacks, has = shown_names(sorted(known.names(), key=attribute_order)), shown_names(names)
        raise BadData(f"the frame has other columns than expected: it lacks {lacks} and has {has}")


_PLAIN = {"format": "csv", "delimiter": ",", "no_header": False}


def is_matrix(source: Any) -> bool:
    """Whether it is an array of NumPy or a sparse matrix of SciPy."""
    return hasattr(source, "shape") and hasattr(source, "dtype") and not is_frame(source)


def frame_in_memory(frame: Any) -> FrameInMemory:
    """A frame in place of a file of Arrow."""
    from mistakebound.io.frame import arrow_table

    return FrameInMemory(arrow_table(frame))


def frame_with_labels(frame: Any, labels: Any, name: str) -> tuple[Any, str]:
    """A frame with one column more, the labels, and its name."""
    from mistakebound.io.frame import arrow_table

    table, column = arrow_table(frame), list(plain_values(labels))
    if len(column) != table.num_rows:
        raise BadData(f"X has {table.num_rows} rows and y {len(column)} labels")
    return _appended(table, column, name)


def frame_with_weights(table: Any, weights: Any) -> tuple[Any, str]:
    """A table of Arrow with one column more, the weights of its rows, and its name."""
    column = list(plain_values(weights))
    if len(column) != table.num_rows:
        raise BadData(f"X has {table.num_rows} rows, and there are {len(column)} weights")
    return _appended(table, column, "weight")


def _appended(table: Any, column: list[Any], name: str) -> tuple[Any, str]:
    import pyarrow as pa

    while name in table.column_names:
        name += "_"
    return table.append_column(name, pa.array(column)), name


def texts_of(source: Any) -> list[str] | None:
    """The texts of a list, a column or an array of nothing but texts; None for anything else."""
    if type(source).__name__ == "Series" or (is_matrix(source) and len(source.shape) == 1):
        source = source.to_list() if hasattr(source, "to_list") else source.tolist()
    if not isinstance(source, (list, tuple)) or not source or not all(isinstance(text, str) for text in source):
        return None
    return list(source)


def texts_for(model: Model, source: Any) -> list[str] | None:
    """The rows of a source of texts, for a model that has learned texts; None where they are names of files.

    In a list of names some would be there, or have no blank.
    """
    if model.schema is None or model.schema.format != "text":
        return None
    texts = texts_of(source)
    if texts is None or not isinstance(source, (list, tuple)):
        return texts
    lines = any(" " in text for text in texts) and not any(text == "-" or os.path.exists(text) for text in texts)
    return texts if lines else None


def texts_in_memory(texts: list[str], labels: Any) -> TextInMemory:
    """Texts with their labels in place of a file of labelled text."""
    names = [str(label) for label in plain_values(labels)]
    if len(names) != len(texts):
        raise BadData(f"X has {len(texts)} texts and y {len(names)} labels")
    for name in names:
        if not name.strip() or not name.isprintable():
            raise BadData(f"a label of a text must have a name that can be printed: {shown(name)}")
    lines = (f"{name}\t{' '.join(text.splitlines())}\n" for name, text in zip(names, texts, strict=True))
    return TextInMemory("".join(lines).encode(errors="surrogatepass"), "<texts>")


def mappings_in_memory(rows: Iterable[Any]) -> tuple[TextInMemory, dict[str, Any]]:
    """Mappings in place of a file, made as they are read, and how it is read: objects of JSON.

    Where all of the first 1,000 have the same keys and nothing but texts, as those of csv.DictReader, they are a table.
    """
    from mistakebound.io.json_members import ROWS
    from mistakebound.io.one_row import json_line
    from mistakebound.io.text_mappings import csv_lines, text_columns

    left = iter(rows)
    head = [*islice(left, ROWS)]
    names = text_columns(head)

    def lines() -> Iterable[bytes]:
        own = rows if left is not rows else chain(head, left)
        return map(json_line, map(_mapping, own)) if names is None else csv_lines(own, names)

    return TextInMemory(lines, "<rows>"), {"format": "jsonl"} if names is None else _PLAIN


def texts_as_table(rows: Any) -> tuple[Any, list[Any] | None, dict[str, Any]]:
    """Mappings of nothing but texts as a file, and how it is read; else the rows as they are, and no file."""
    from mistakebound.io.text_mappings import csv_lines, text_columns

    if is_matrix(rows) or not hasattr(rows, "__iter__") or hasattr(rows, "keys"):
        return rows, None, {}
    rows = [*rows]
    names = text_columns(rows)
    if names is None:
        return rows, None, {}
    text = b"".join(csv_lines(rows, names))
    return rows, [TextInMemory(text, "<rows>")], _PLAIN


def json_in_memory(rows: Iterable[Any]) -> TextInMemory:
    """Mappings in place of a file of JSON lines, made as they are read."""
    from mistakebound.io.one_row import json_line

    return TextInMemory(lambda: map(json_line, map(_mapping, rows)), "<rows>")


def _mapping(row: Any) -> Any:
    if not hasattr(row, "keys"):
        raise BadParameter(f"a row must be a mapping: {type(row).__name__}")
    return row


def settings_of(model: Model, files: list[Any]) -> dict[str, Any]:
    """How files are read without any word about it: as the model remembers, frames in memory as files of Arrow."""
    if model.schema is None:
        return {"format": "auto"}
    if isinstance(files[0], FrameInMemory):
        from mistakebound.io.table_row import OF_TEXT

        return {name: value for name, value in model.schema.settings.items() if name not in OF_TEXT} | {
            "format": "arrow"
        }
    return model.schema.settings | {"remembered": True}


def labelled_in_memory(model: Model, source: Any) -> tuple[list[Any], dict[str, Any]]:
    """Labelled rows as files, with the settings that read them."""
    if isinstance(source, tuple) and len(source) == 2 and model.schema is not None and model.schema.format == "text":
        texts = texts_of(source[0])
        source = source if texts is None else texts_in_memory(texts, source[1])
    if isinstance(source, tuple) and len(source) == 2 and is_frame(source[0]):
        source = _with_known_label(model, *source)
    files = files_of(source)
    if files is None:
        table = None if model.schema is None else model.schema.settings.get("columns")
        if is_frame(source):
            files = [frame_in_memory(source)]
        elif table is not None:
            import pyarrow as pa

            from mistakebound.io.missing_words import missing_words

            rows = [_mapping(row) for row in source]
            files = [FrameInMemory(pa.table({name: [row.get(name) for row in rows] for name in table}))]
            own = settings_of(model, files)
            return files, own | {"missing": sorted(missing_words(model.settings or own))}
        else:
            files = [json_in_memory(source)]
    own = settings_of(model, files)
    if isinstance(files[0], InMemory):
        own.pop("remembered", None)
    return files, own


def _with_known_label(model: Model, frame: Any, labels: Any) -> Any:
    """A frame with the labels in the column in which the model expects them."""
    known = (model.settings or {}).get("label")
    table, name = frame_with_labels(frame, labels, known or "label")
    if known is not None and name != known:
        raise BadParameter(f"X has the label column {known!r}: give the frame alone")
    weights = (model.settings or {}).get("weights")
    if weights is None or weights in table.column_names:
        return table
    return _appended(table, [1.0] * table.num_rows, weights)[0]


def learn_arrays(
    learner: Any,
    X: Any,
    y: Any,
    weights: Any,
    passes: int,
    facts: dict[str, Any],
    *,
    keep: bool = False,
    threshold: Any = None,
    maximize: str | None = None,
    lighter: tuple[int, Callable[[], Any]] | None = None,
) -> Model:
    """The model of so many passes over (X, y); with `keep` no learner of more labels may take the place of this one."""
    if learner.takes != "rows":
        return Model(learner.fit(X, y))
    if asks_labels(learner):
        learner = with_labels(learner, first_labels(y), in_file=False, keep=keep, lighter=lighter)
    ledger = new_ledger(learner, for_model=True)
    ledger.threshold = new_threshold(learner, threshold, maximize)
    learner.bound(**facts)
    for number in range(1, passes + 1):
        before, ledger.passes = ledger.mistakes, number
        learner = _learn_pass(learner, X, y, weights, ledger, keep)
        if ledger.mistakes == before or ledger.inconsistency is not None:
            break
    ledger.bound = bound_of(learner, ledger, facts)
    return Model(learner, None, ledger, facts)


def _learn_pass(learner: Any, X: Any, y: Any, weights: Any, ledger: Ledger, keep: bool) -> Any:
    """Learn all rows; from a third label on another learner does, which comes back."""
    labels, matrix = learner.labels, X.tocsr() if hasattr(X, "tocsr") else X
    try:
        learner.learn_many(matrix, y, weights=weights, ledger=ledger)
        return learner
    except BadData as error:
        row = error.row
        if (
            keep
            or ledger.threshold is not None
            or learner.many_classes
            or labels.declared
            or not labels.settled
            or row is None
        ):
            raise
        told = list(y)[row:]
        if not told or labels.known(plain_value(told[0])) >= 0:
            raise
    wider, left = one_vs_all(learner, None, labels), None if weights is None else list(weights)[row:]
    ledger.widen(wider.labels, wider.start(), calibrate=wider.calibrated)
    try:
        wider.learn_many(matrix[row:], told, weights=left, ledger=ledger)
    except BadData as error:
        error.row = None if error.row is None else row + error.row
        raise
    return wider
