"""`mb.learn` for learners that take a whole table at once."""

from __future__ import annotations

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.io.table_file import read_table_file
from mistakebound.model.model import Model
from mistakebound.model.schema import RowSchema
from mistakebound.model.sources import frame_in_memory, is_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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
