"""A whole table learned at once: rows to learn, rows to validate by, rows held out, and the model that comes of it."""

from __future__ import annotations

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.table import label_codes
from mistakebound.io.frame import table_of
from mistakebound.io.table_file import read_table_file
from mistakebound.model.model import Model
from mistakebound.model.schema import RowSchema
from mistakebound.model.sources import frame_in_memory, is_frame
from mistakebound.model.table_rows import set_aside
from mistakebound.report.confusion import Confusion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy as np
    import numpy.typing as npt

    from mistakebound.core.table import Table
    from mistakebound.io.table_file import TableFile
    from mistakebound.model.table_rows import Labelled

    Watch = Callable[[int, int, str], None]

_THIRD = 3  # one row of so many is for validation where a learner needs some and none are given


class TableTraining:
    """What is learned from one table.

    Parameters
    ----------
    learner : one that takes a "table" or "points"
    files : paths, "-" for standard input, or what lies in memory in their place
    settings : how they are read, as of `open_stream`
    label : the column of labels, for the learner to remember
    options : keywords of the learner's `fit`
    validation, holdout : every so many rows, or a path (None: none); those to prune or stop by, and those that are
        measured only.  The rows of `holdout` are set aside first.
    read : what reads tables in place of `read_table_file`
    """

    def __init__(
        self,
        learner: Any,
        files: Any,
        settings: dict[str, Any],
        *,
        label: str | None = None,
        options: dict[str, Any] | None = None,
        validation: int | str | None = None,
        holdout: int | str | None = None,
        read: Callable[..., TableFile] = read_table_file,
    ) -> None:
        self.learner = learner
        self.label = label
        self.options = options or {}
        self._read = read
        points = learner.takes == "points"
        if validation is not None and not learner.validates:
            raise BadParameter(f"validation must be left out, {learner.name} has no use for it: {validation!r}")
        if points and holdout is not None:
            raise BadParameter(f"holdout must be left out, {learner.name} has no labels to be measured by: {holdout!r}")
        found = read(files, settings, unlabelled_ok=points)
        self.settings: dict[str, Any] = found.settings
        self.table: Table = found.table
        self.remarks: list[str] = learner.remarks(self.table)
        self.parts: dict[str, Labelled] = {}  # "training", and where there are such rows "validation" and "holdout"
        self.classes: tuple[Any, ...] = ()
        if points:
            return
        if found.labels is None:
            raise BadData("there are no rows to learn from", source=self.table.source)
        self.classes, codes = label_codes(found.labels, table=self.table)
        self.parts["training"] = self.table, codes
        if holdout is not None:
            set_aside(self.parts, "holdout", holdout, self._read_labelled)
        if validation is None and learner.needs_validation:
            validation = _THIRD
            self.remarks.append("every third row is kept for validation")
        if validation is not None:
            set_aside(self.parts, "validation", validation, self._read_labelled)

    def _read_labelled(self, path: str) -> Labelled:
        """The rows of another file, read as those of the table."""
        found = self._read([path], self.settings | {"remembered": True}, unlabelled_ok=False)
        if found.labels is None:
            raise BadData("the rows have no labels", source=path)
        own = table_of(found.table, like=self.table.schema)
        return own, label_codes(found.labels, self.classes, own)[1]

    def learn(self, watch: Watch | None = None) -> None:
        """Learn; `watch(done, of, text)` hears how far it is, where that can be said."""
        more = dict(self.options)
        if watch is not None:
            more |= self.learner.fit_progress(watch, self.options)
        if not self.parts:
            self.learner.fit_table(self.table, **more)
            return
        self.learner.label = self.label
        self.fit(self.learner, *self.parts["training"], **more)

    def fit(self, learner: Any, table: Table, codes: npt.NDArray[np.int32], **more: Any) -> Any:
        """Another learner of these rows, validated as this one."""
        validation = self.parts.get("validation") if learner.validates else None
        learner.fit_codes(table, codes, self.classes, validation, **more)
        return learner

    def measure(self, name: str) -> Confusion | None:
        """How good the learner is on one of the parts; None where there is none."""
        if name not in self.parts:
            return None
        table, codes = self.parts[name]
        return Confusion(self.classes, codes, self.learner.predict_table(table), self.learner.unknown_class)

    def model(self) -> Model:
        return Model(self.learner, RowSchema(self.settings))


def learn_table(
    learner: Any, source: Any, files: list[Any] | None, label: str | None, reading: dict[str, Any], **how: Any
) -> Model:
    """Fit a learner of tables to files, a frame, or rows in memory; `how` as of `TableTraining`."""
    if learner.takes not in ("table", "points"):
        raise BadParameter(f"learner must be one that takes rows or a table, {learner.name} is used from Python")
    if files is None and not is_frame(source):
        for name in ("validation", "holdout"):
            if how.get(name) is not None:
                raise BadParameter(f"{name} must be left out, the source is no file: {how[name]!r}")
        return Model(learner.fit(source, label, **how.get("options") or {}))
    if files is None:
        files, reading = [frame_in_memory(source)], reading | {"format": "arrow"}
    training = TableTraining(learner, files, reading, label=label, **how)
    training.learn()
    return training.model()
