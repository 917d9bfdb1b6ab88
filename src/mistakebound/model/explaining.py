"""Why a model predicts one row as it does: a raw row, or the N-th row of a file."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.core.protocol import behind_transforms, counted
from mistakebound.io import is_cache, open_stream
from mistakebound.io.one_row import as_read, row_of
from mistakebound.model.model import of_table, refuse_without_rows
from mistakebound.report.comparison import LISTED, LISTED_JSON, answers_of_members
from mistakebound.report.explanation import Explanation, explain_one
from mistakebound.report.table import columns, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from mistakebound.core.instance import Instance
    from mistakebound.core.table import Table
    from mistakebound.model.model import Model

_EXPLAINED = 20  # labels with what each attribute adds,
_SHOWN = 3  # and of these in the table for people


class MembersExplanation:
    """What each expert of an ensemble predicts for one row, and what they predict together."""

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


class LabelsExplanation(MembersExplanation):
    """The score of each label for one row, and what each attribute adds to those of the best labels."""

    def __init__(self, learner: Any, x: Any, buckets: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__(learner, x)
        self.terms = {}
        if behind_transforms(learner.base_learner)[0].readable == "weights":
            for answer in self.members[:_EXPLAINED]:
                found = explain_one(learner.base(answer["label"]), x, buckets=buckets)
                self.terms[answer["label"]] = found
        self.names = {label: learner.labels.text(learner.labels.known(label)) for label in self.terms}
        self.remark = ""

    def add_remark(self, text: str) -> None:
        self.remark = f"{self.remark}; {text}" if self.remark else text

    def as_json(self, top: int | None = None) -> dict[str, Any]:
        found = super().as_json(top)
        for answer in found["members"]:
            if answer["label"] in self.terms:
                part = self.terms[answer["label"]].as_json(top)
                answer |= {"bias": part["bias"], "terms": part["terms"]}
        return found | {"remark": self.remark or None}

    def lines(self, top: int | None = None) -> list[str]:
        lines = super().lines(top) + (wrap(self.remark, "  ", "  ") if self.remark else [])
        if not self.terms:
            return lines
        shown = list(self.terms)[:_SHOWN]
        adds = [{term.name: term for term in self.terms[label].terms} for label in shown]
        names = {name: None for terms in adds for name in terms}
        order = sorted(names, key=lambda name: -max(abs(terms[name].amount) for terms in adds if name in terms))
        head = ("attribute", "value", *(f"adds to {self.names[label]}" for label in shown), "")
        rows = [head]
        for name in order[:top]:
            one = next(terms[name] for terms in adds if name in terms)
            parts = (_added(terms[name].amount if name in terms else 0.0) for terms in adds)
            rows.append((name, _cell(one.value), *parts, one.note))
        biases = [self.terms[label].bias for label in shown]
        if any(bias is not None for bias in biases):
            rows.append(("the bias", "", *(_added(bias or 0.0) for bias in biases), ""))
        more = [f"  and {len(order) - top:,} more"] if top is not None and len(order) > top else []
        return [*lines, "", *columns(rows, "<" + ">" * (len(head) - 2) + "<"), *more]


def _added(amount: float) -> str:
    return f"{amount:+.4g}" if amount else "0"


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
    if of_table(learner) and (model.schema is not None or learner.takes != "points"):
        from mistakebound.model.table_rows import one_row

        return TableExplanation(learner, one_row(model, row), 0)
    refuse_without_rows(learner, repr(row))
    if model.schema is None:
        return _explained(model, row)
    return _explained(model, *model.schema.named_instance(row))


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
        return _explained(model, _numbered(file, number, settings, option), {})
    plain = {name: value for name, value in settings.items() if name != "hash"}  # with the names
    x = _numbered(file, number, plain, option)
    if not settings.get("ignore") and not settings.get("hash"):
        return _explained(model, x)
    from mistakebound.core.instance import read_instance

    return _explained(model, *as_read(read_instance(x), settings))


def _explained(
    model: Model, x: Instance | Any, buckets: Mapping[str, Sequence[str]] | None = None, dropped: Sequence[str] = ()
) -> Explained:
    learner, threshold = model.learner, model.threshold
    if learner.ensemble == "experts":
        found_members = MembersExplanation(learner, x)
        if threshold is not None:
            found_members.prediction = learner.labels.name(int(learner.score_one(x) > threshold))
        return found_members
    explained: Any = LabelsExplanation if learner.ensemble else explain_one
    found: Explanation | LabelsExplanation = explained(learner, x, buckets=buckets)
    if threshold is not None and isinstance(found, Explanation):
        found.decide(threshold, learner.labels)
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
