"""Why a model predicts one row as it does: a raw row, or the N-th row of a file."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.core.protocol import counted
from mistakebound.io import is_cache, open_stream
from mistakebound.io.one_row import as_read, row_of
from mistakebound.model.model import of_table, refuse_without_rows
from mistakebound.report.comparison import LISTED, LISTED_JSON, answers_of_members
from mistakebound.report.explanation import explain_one
from mistakebound.report.table import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from mistakebound.core.instance import Instance
    from mistakebound.core.table import Table
    from mistakebound.model.model import Model
    from mistakebound.report.explanation import Explanation


class MembersExplanation:
    """What each member of an ensemble says of one row, and what they say together."""

    def __init__(self, learner: Any, x: Any) -> None:
        self.prediction = counted(learner, x, learner.predict_one(x))
        self.members = answers_of_members(learner, x)

    def as_json(self, top: int | None = None) -> dict[str, Any]:
        more = {"members_left_out": len(self.members) - LISTED_JSON} if len(self.members) > LISTED_JSON else {}
        return {"prediction": self.prediction, "members": self.members[:LISTED_JSON]} | more

    def draw(self, path: str, top: int = 20) -> None:
        raise BadParameter(f"one row of an ensemble cannot be drawn: {path!r}")

    def lines(self, top: int | None = None) -> list[str]:
        head = list(self.members[0]) if self.members else ["member"]
        rows = [tuple(head)] + [tuple(_cell(answer[name]) for name in head) for answer in self.members[:LISTED]]
        more = [f"  and {len(self.members) - LISTED:,} more"] if len(self.members) > LISTED else []
        return [f"predicts {self.prediction}", *columns(rows, "<" + ">" * (len(head) - 1)), *more]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _cell(value: Any) -> str:
    return f"{value + 0.0:.7g}" if isinstance(value, float) else str(value)


class TableExplanation:
    """Why a learner of whole tables gives a row its label, in its own words."""

    def __init__(self, learner: Any, table: Table, row: int) -> None:
        self.learner: str = learner.name
        self._place = learner, table, row
        self.row = table.row(row)
        self.prediction = learner.classes[int(learner.predict_table(table.take(slice(row, row + 1)))[0])]
        self._lines: list[str] = learner.explain_row(table, row)

    def as_json(self, top: int | None = None) -> dict[str, Any]:
        return {"learner": self.learner, "row": self.row, "label": self.prediction, "explanation": self._lines}

    def lines(self, top: int | None = None) -> list[str]:
        return self._lines

    def draw(self, path: str, top: int = 20) -> None:
        """A decision tree with the path of the row, as SVG or DOT."""
        from mistakebound.model.table_training import draw_tree

        learner, table, row = self._place
        draw_tree(path, learner, learner.shown, table, row)

    def __str__(self) -> str:
        return "\n".join(self._lines)


if TYPE_CHECKING:
    Explained = Explanation | MembersExplanation | TableExplanation


def explain_raw(model: Model, row: Any) -> Explained:
    """Why a raw row, as `predict_one` takes it, gets its label."""
    learner = model.learner
    if of_table(learner):
        from mistakebound.model.table_rows import one_row

        return TableExplanation(learner, one_row(model, row), 0)
    refuse_without_rows(learner, repr(row))
    if model.schema is None:
        return _explained(learner, row)
    return _explained(learner, *model.schema.named_instance(row))


def explain_numbered(
    model: Model, file: str, number: int, settings: dict[str, Any], *, table: Table | None = None, option: str = "row"
) -> Explained:
    """Why the N-th row of a file, from 1, gets its label; `settings` say how the file is read.

    `table` is the whole file, where somebody has read it; `option` is how errors call the number.
    """
    if number < 1:
        raise BadParameter(f"{option} must be >= 1: {number}")
    learner = model.learner
    if of_table(learner):
        from mistakebound.model.table_rows import read_table

        rows = read_table(model, [file], settings)[0] if table is None else table
        if number > rows.rows:
            raise _too_large(option, number, rows.rows, file)
        return TableExplanation(learner, rows, number - 1)
    if settings.get("hash") and is_cache([file], settings):  # whose rows have no names any more
        return _explained(learner, _numbered(file, number, settings, option), {})
    plain = {name: value for name, value in settings.items() if name != "hash"}  # with the names
    x = _numbered(file, number, plain, option)
    if not settings.get("ignore") and not settings.get("hash"):
        return _explained(learner, x)
    from mistakebound.core.instance import read_instance

    return _explained(learner, *as_read(read_instance(x), settings))


def _explained(
    learner: Any, x: Instance | Any, buckets: Mapping[str, Sequence[str]] | None = None, dropped: Sequence[str] = ()
) -> Explained:
    if learner.ensemble:
        return MembersExplanation(learner, x)
    found = explain_one(learner, x, buckets=buckets)
    if dropped:
        found.add_remark(f"ignored, as in the stream: {', '.join(dropped)}")
    return found


def _numbered(file: str, number: int, settings: dict[str, Any], option: str) -> dict[str, float]:
    left = number
    with open_stream(file, settings, unlabelled_ok=True) as reader:
        for block in reader:
            if left <= block.rows:
                return row_of(block, left - 1)
            left -= block.rows
    raise _too_large(option, number, number - left, file)


def _too_large(option: str, number: int, rows: int, file: str) -> BadParameter:
    return BadParameter(f"{option} must be at most {rows:,}, the rows of {file}: {number:,}")
