"""Learning and prediction by learners of whole tables: trees, naive Bayes, networks, version spaces."""

from __future__ import annotations

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.table import label_codes
from mistakebound.io.frame import table_of
from mistakebound.io.table_file import read_table_file
from mistakebound.io.table_row import table_row
from mistakebound.model.model import Model
from mistakebound.model.schema import RowSchema
from mistakebound.model.sources import frame_in_memory, is_frame
from mistakebound.report.confusion import Confusion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.table import Table
    from mistakebound.io.table_file import TableFile


def read_table(
    model: Model,
    files: Any,
    settings: dict[str, Any] | None = None,
    *,
    unlabelled_ok: bool = True,
    read: Callable[..., TableFile] = read_table_file,
) -> tuple[Table, TableFile]:
    """The rows of files as the model's columns: by the settings that it remembers, or by the names of its columns."""
    learner = model.learner
    given = dict(settings if settings is not None else model.settings or {"format": "auto"})
    if model.schema is None:
        kinds = {name: kind for name, kind, _ in learner.schema.columns}
        given |= {
            kind: sorted({*given.get(kind, ()), *(name for name, own in kinds.items() if own == kind)})
            for kind in ("nominal", "numeric")
        }
        given.setdefault("label", learner.label)
    found = read(files, given, unlabelled_ok=unlabelled_ok)
    spare = () if learner.label is None else (learner.label,)
    return table_of(found.table, like=learner.schema, spare=spare), found


def one_row(model: Model, row: Any) -> Table:
    """A raw row as a table of one row."""
    learner = model.learner
    if model.schema is None:
        names = learner.schema.names
        cells = row if hasattr(row, "keys") else _by_name(row, names)
        return learner.table([{name: cells.get(name) for name in names}])  # type: ignore[no-any-return]
    source, settings = table_row(row, model.schema.settings)
    try:
        table, _ = read_table(model, source, settings)
    except BadData as error:  # there is no file in which it stands
        raise BadData(error.message, text=error.text) from None
    if table.rows != 1:
        raise BadData(f"one row is expected, and there are {table.rows}", text=row if isinstance(row, str) else None)
    return table


def _by_name(row: Any, names: tuple[str, ...]) -> dict[str, Any]:
    if isinstance(row, (str, bytes)):
        raise BadData("a model that was learned in Python takes a mapping of columns or their cells", text=str(row))
    cells = list(row)
    if len(cells) != len(names):
        raise BadData(f"the row has {len(cells)} cells, expected are {len(names)}: {', '.join(names)}")
    return dict(zip(names, cells, strict=True))


def predict_row(model: Model, row: Any) -> Any:
    return _labels(model.learner, one_row(model, row))[0]


def score_row(model: Model, row: Any) -> float:
    table = one_row(model, row)
    share: float = model.learner.proba_table(table)[0, model.learner.predict_table(table)[0]]
    return float(share)


def predict_all(model: Model, source: Any, files: list[Any] | None) -> list[Any]:
    """The labels of the rows of files, of a frame, or of raw rows."""
    if files is not None:
        return _labels(model.learner, read_table(model, files)[0])
    if model.schema is not None and is_frame(source):
        return _labels(
            model.learner, read_table(model, frame_in_memory(source), model.schema.settings | {"format": "arrow"})[0]
        )
    if model.schema is not None or not hasattr(source, "__len__"):
        return [model.predict_one(row) for row in source]
    return _labels(model.learner, model.learner.table(source))


def evaluate_table(
    model: Model, files: Any, settings: dict[str, Any], read: Callable[..., TableFile] = read_table_file
) -> Confusion:
    """How often each class was taken for each other."""
    table, found = read_table(model, files, settings, unlabelled_ok=False, read=read)
    learner = model.learner
    if found.labels is None:
        raise BadData("the rows have no labels", source=found.table.source)
    _, codes = label_codes(found.labels, learner.classes, table)
    unknown = learner.unknown_class
    return Confusion(learner.classes, codes, learner.predict_table(table), unknown)


def _labels(learner: Any, table: Table) -> list[Any]:
    """The label of each row; None for "don't know"."""
    unknown = learner.unknown_class
    classes = learner.classes
    return [None if code == unknown else classes[code] for code in learner.predict_table(table).tolist()]


def learn_table(
    learner: Any, source: Any, files: list[Any] | None, label: str | None, reading: dict[str, Any]
) -> Model:
    """Fit a learner of tables to files, a frame, or rows in memory."""
    if learner.takes != "table":
        raise BadParameter(f"learner must be one that takes rows or a table, {learner.name} is used from Python")
    if files is None and not is_frame(source):
        return Model(learner.fit(source, label))
    place = frame_in_memory(source) if files is None else files
    read = read_table_file(place, reading | ({"format": "arrow"} if files is None else {}))
    if read.labels is None:
        raise BadData("there are no rows to learn from", source=read.table.source)
    learner.fit_table(read.table, read.labels)
    learner.label = label
    return Model(learner, RowSchema(read.settings))
