"""Prediction by learners of whole tables: trees, naive Bayes, networks, version spaces; and the rules of a tree.

Those are post-pruned and measured on the rows of files, and the shortest tree beside them.
"""

from __future__ import annotations

from warnings import warn

import numpy as np

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.table import label_codes
from mistakebound.io.frame import table_of
from mistakebound.io.table_file import read_table_file
from mistakebound.io.table_row import check_row, table_row
from mistakebound.model.model import Model
from mistakebound.model.sources import frame_in_memory, is_frame
from mistakebound.report.confusion import Confusion
from mistakebound.report.reliability import Reliability

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.table import Table
    from mistakebound.io.table_file import TableFile
    from mistakebound.learners.tree.rule_list import TreeRuleList
    from mistakebound.learners.tree.shortest import ShortestTree

    Labelled = tuple[Table, npt.NDArray[np.int32]]


def read_table(
    model: Model,
    files: Any,
    settings: dict[str, Any] | None = None,
    *,
    unlabelled_ok: bool = True,
    read: Callable[..., TableFile] = read_table_file,
    say: Callable[[str], object] = warn,
) -> tuple[Table, TableFile]:
    """The rows of files as the model's columns: by the settings that it remembers, or by the names of its columns.

    `say` takes a line about columns that are not those which were learned.
    """
    learner = model.learner
    given = dict(settings if settings is not None else model.settings or {"format": "auto"})
    if model.schema is None and learner.takes != "points":
        kinds = {name: kind for name, kind, _ in learner.schema.columns}
        given |= {
            kind: sorted({*given.get(kind, ()), *(name for name, own in kinds.items() if own == kind)})
            for kind in ("nominal", "numeric")
        }
        given.setdefault("label", learner.label)
    found = read(files, given, unlabelled_ok=unlabelled_ok)
    for line in found.assumed if model.schema is not None else ():
        say(line)
    if learner.takes == "points":
        return found.table, found
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
        table, _ = read_table(model, source, settings, say=lambda line: None)  # what a row lacks is missing
    except BadData as error:  # there is no file in which it stands
        raise BadData(error.message, text=error.text) from None
    if table.rows != 1:
        raise BadData(f"one row is expected, and there are {table.rows}", text=row if isinstance(row, str) else None)
    return table


def _by_name(row: Any, names: tuple[str, ...]) -> dict[str, Any]:
    if isinstance(row, (str, bytes)):
        raise BadData("a model that was learned in Python takes a mapping of columns or their cells", text=str(row))
    check_row(row)
    cells = list(row)
    if len(cells) != len(names):
        raise BadData(f"the row has {len(cells)} cells, but {len(names)} are expected: {', '.join(names)}")
    return dict(zip(names, cells, strict=True))


def predict_row(model: Model, row: Any) -> Any:
    return _labels(model.learner, one_row(model, row))[0]


def score_row(model: Model, row: Any) -> float:
    table = one_row(model, row)
    share: float = model.learner.proba_table(table)[0, model.learner.predict_table(table)[0]]
    return float(share)


def predict_all(model: Model, source: Any, files: list[Any] | None, say: Callable[[str], object] = warn) -> list[Any]:
    """The labels of the rows of files, of a frame, or of raw rows; `say` is as in `read_table`, for files."""
    return [label for table in _tables(model, source, files, say) for label in _labels(model.learner, table)]


def _tables(model: Model, source: Any, files: list[Any] | None, say: Callable[[str], object] = warn) -> Iterator[Table]:
    """The rows of files, of a frame or of an array at once, raw rows one by one."""
    if files is not None:
        yield read_table(model, files, say=say)[0]
    elif model.schema is not None and is_frame(source):
        yield read_table(model, frame_in_memory(source), model.schema.settings | {"format": "arrow"})[0]
    elif model.schema is not None or not hasattr(source, "__len__"):
        for row in source:
            yield one_row(model, row)
    else:
        yield model.learner.table(source)


def proba_all(model: Model, source: Any, files: list[Any] | None) -> npt.NDArray[np.float64]:
    """The probabilities of every label for the rows of files, of a frame, or of raw rows."""
    none = np.empty((0, len(model.labels)))
    return np.concatenate([none, *(model.learner.proba_table(table) for table in _tables(model, source, files))])


def evaluate_table(
    model: Model,
    files: Any,
    settings: dict[str, Any],
    read: Callable[..., TableFile] = read_table_file,
    say: Callable[[str], object] = warn,
) -> Confusion:
    """How often each class was taken for each other."""
    learner = model.learner
    if learner.takes == "points":
        raise BadParameter(f"eval does not support {learner.name}, which learns without labels")
    return _confusion(learner, *labelled_rows(model, files, settings, read, say))


def evaluate_arrays(model: Model, X: Any, y: Any) -> Confusion:
    """As `evaluate_table`, on an array of rows and their labels."""
    learner = model.learner
    table = learner.table(X)
    return _confusion(learner, table, label_codes(y, learner.classes, table)[1])


def _confusion(learner: Any, table: Table, codes: npt.NDArray[np.int32]) -> Confusion:
    found = Confusion(learner.classes, codes, learner.predict_table(table), learner.unknown_class)
    if learner.probabilities and table.rows:
        found.reliability = Reliability(len(learner.classes))
        found.reliability.add(np.ascontiguousarray(learner.proba_table(table), np.float64).ravel(), codes)
    return found


def labelled_rows(
    model: Model,
    files: Any,
    settings: dict[str, Any] | None = None,
    read: Callable[..., TableFile] = read_table_file,
    say: Callable[[str], object] = warn,
) -> Labelled:
    """The rows of files as the model's columns, and the number of each one's class."""
    table, found = read_table(model, files, settings, unlabelled_ok=False, read=read, say=say)
    if found.labels is None and table.rows:
        raise BadData("the rows have no labels", source=found.table.source)
    return table, label_codes(found.labels or (), model.learner.classes, table)[1]


def set_aside(parts: dict[str, Labelled], name: str, what: int | str, read: Callable[[str], Labelled]) -> None:
    """Another part: every so many of the training rows, which lose them, or the rows that `read` finds in a file."""
    if not isinstance(what, int):
        parts[name] = read(what)
        return
    table, codes = parts["training"]
    aside = np.arange(1, table.rows + 1) % what == 0
    parts[name] = table.take(aside), codes[aside]
    parts["training"] = table.take(~aside), codes[~aside]


def _labels(learner: Any, table: Table) -> list[Any]:
    """The label of each row; None for "don't know"."""
    unknown = learner.unknown_class
    classes = learner.classes
    return [None if code == unknown else classes[code] for code in learner.predict_table(table).tolist()]


class TreeOnRows:
    """What a tree makes of labelled rows: those that its rules are pruned on, and those to validate them by.

    Parameters
    ----------
    model : a model of a decision tree; its rules are made of the tree in its file, as pruning left it
    files, settings, read, say : as of `read_table`
    validation : every so many rows, or a path (None: the rules are pruned by the pessimistic estimate)
    """

    def __init__(
        self,
        model: Model,
        files: Any,
        settings: dict[str, Any] | None = None,
        *,
        validation: int | str | None = None,
        read: Callable[..., TableFile] = read_table_file,
        say: Callable[[str], object] = warn,
    ) -> None:
        if model.learner.name != "decision-tree":
            raise BadParameter(f"rules are made of a decision tree, not of {model.learner.name}")
        self.learner: Any = model.learner

        def rows_of(files: Any) -> Labelled:
            return labelled_rows(model, files, settings, read, say)

        self.parts: dict[str, Labelled] = {"training": rows_of(files)}
        if validation is not None:
            set_aside(self.parts, "validation", validation, lambda path: rows_of([path]))

    def rules(self, watch: Callable[[int, int, str], None] | None = None, *, every_path: bool = False) -> TreeRuleList:
        """The rules of the tree; `watch(done, of, text)` hears how far they are."""
        told = None if watch is None else lambda done, of: watch(done, of, "")
        parts = self.parts["training"], self.parts.get("validation")
        found: TreeRuleList = self.learner.rules_of(*parts, told, every_path=every_path)
        return found

    def measure(self, name: str, rules: TreeRuleList) -> Confusion | None:
        """How good rules are on one of the parts, or None without such a part."""
        if name not in self.parts:
            return None
        table, codes = self.parts[name]
        return Confusion(self.learner.classes, codes, np.asarray(rules.codes(table)))

    def shortest(self, timeout: float | None = None) -> ShortestTree:
        """The shortest tree that is consistent with all the rows."""
        from mistakebound.learners.tree.shortest import shortest_of
        from mistakebound.theory.interval import Deadline

        return shortest_of(*self.parts["training"], self.learner.classes, Deadline(timeout))
