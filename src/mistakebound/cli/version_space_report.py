"""`version-space`: the boundaries after each row, what came of it, and the comparison of learners."""

from __future__ import annotations

from itertools import islice

from mistakebound.cli.commands import say
from mistakebound.concepts.attribute_values import parse_attributes, quoted, text_of
from mistakebound.concepts.counts import number_as_json, written
from mistakebound.core.ledger import Ledger
from mistakebound.core.table import CodedLabels
from mistakebound.report.inductive_bias import LEARNERS, InductiveBias
from mistakebound.report.lattice import draw_lattice
from mistakebound.report.table import columns, fields, fitted, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from mistakebound.concepts.version_space import Collapse, VersionSpace
    from mistakebound.core.table import Table
    from mistakebound.learners.version_space.candidate_elimination import CandidateElimination

_SHOWN = 6  # members of G that are written out,
_LISTED = 1000  # and in JSON
_COMPARED = 2000  # examples that are given to other learners too
_DRAWN = 16  # hypotheses of a lattice that is drawn unasked


class Report:
    """Says on the way what happens, and keeps the same as data."""

    def __init__(self, options: Namespace, learner: CandidateElimination) -> None:
        self._options = options
        self._learner = learner
        self.ledger = Ledger(learner.labels)
        space = learner.space
        self.data: dict[str, Any] = {
            "attributes": {name: list(values) for name, values in zip(space.names, space.values, strict=True)},
            "hypotheses": number_as_json(space.count()),
            "instances": number_as_json(space.domain_size()),
            "steps": [],
        }

    def say(self, *lines: str) -> None:
        if not self._options.json:
            say(*fitted(lines), flush=True)

    def _alone(self, names: list[str]) -> str:
        """Of attributes with one value; how to declare more of one that the table gave."""
        listed = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        have = "has" if len(names) == 1 else "have"
        said = f"{listed} {have} one value only, so requiring it changes nothing (it is written ?)"
        told = parse_attributes(" ".join(self._options.values)) if self._options.values else {}
        first = next((name for name in names if name not in told), None)
        if first is None:
            return said
        value = self._learner.space.values[self._learner.space.names.index(first)][0]
        return f"{said}; --values {quoted(first)}={quoted(value)},... declares others"

    # Row by row.

    def learn(self, table: Table, labels: CodedLabels) -> None:
        """Learn the rows and show them; of many rows only those that change S, or what may be in G."""
        self.data |= {"files": self._options.files, "rows": table.rows}
        space, most = self._learner.space, self._options.steps
        sizes = f"{written(space.domain_size())} instances, {written(space.count())} hypotheses"
        self.say(f"{', '.join(self._options.files)}: {table.rows:,} rows, {space.n} attributes, {sizes}")
        alone = [name for name, values in zip(space.names, space.values, strict=True) if len(values) == 1]
        if alone:
            self.say(*wrap(self._alone(alone)))
        if not most:
            self._learner.learn_many(table, labels, ledger=self.ledger)
            return
        self._step("start", {"row": 0})
        if table.rows <= most:
            for row in range(table.rows):
                part = CodedLabels(labels.values, labels.codes[row : row + 1])
                answers = self._learner.learn_many(table.take(slice(row, row + 1)), part, ledger=self.ledger)
                self._show(table, labels, row, answers[0])
                if self.ledger.inconsistency is not None:
                    return
            return
        shown = 0

        def watch(row: int, said: Any) -> None:
            nonlocal shown
            shown += 1
            if shown <= most:
                self._show(table, labels, row, said)

        self._learner.learn_many(table, labels, ledger=self.ledger, watch=watch)
        self.say("", f"Showing the first {min(shown, most)} of {shown:,} rows that changed something (--steps N).")

    def _show(self, table: Table, labels: CodedLabels, row: int, said: Any) -> None:
        label = labels.values[labels.codes[row]]
        facts = {
            "row": row + 1,
            "line": _line(table, row),
            "instance": table.row(row),
            "label": label,
            "prediction": said,
        }
        answer = "don't know" if said is None else said
        self._step(f"row {row + 1}", facts, f"{label}  ({_cells(table, row)})  predicted: {answer}")

    def _step(self, title: str, facts: dict[str, Any], example: str | None = None) -> None:
        space = self._learner.version_space
        self.data["steps"].append(facts | boundaries(space))
        named = f"{title:<8}"
        lines = wrap(example, f"{named}  ", " " * 10) if example is not None else []
        for name, text in _boundary_lines(space):
            lines += wrap(text, f"{named if not lines else '':<8}  {name:<4}  ", " " * 16)
        self.say("", *lines)

    # At the end.

    def finish(self, table: Table, labels: CodedLabels, tested: list[Any]) -> None:
        space, ledger = self._learner.version_space, self.ledger
        collapse = space.collapsed_by
        self.data |= boundaries(space) | {
            "trials": ledger.trials, "mistakes": ledger.mistakes, "abstentions": ledger.abstentions,
            "verdict": {"kind": ledger.verdict.kind, "text": str(ledger.verdict)},
            "collapsed_by": None if collapse is None else _collapse_data(collapse, table, labels),
        }  # fmt: skip
        answered = ledger.trials - ledger.abstentions
        said = [
            ("trials", f'{ledger.trials:,}: {answered:,} answered, {ledger.abstentions:,} times "don\'t know"'),
            ("mistakes", f"{ledger.mistakes:,} of those answered"),
            *((name, text) for name, text in _boundary_lines(space)),
        ]
        self.say("", *fields(said, least=8))
        if collapse is not None:
            self.say("", *_collapse_lines(collapse, table, labels))
        elif space.size.exact and 1 < int(space.size) <= _DRAWN and not self._options.lattice:
            self.say("", "The hypotheses, each with the next more general ones:", "", *draw_lattice(space).split("\n"))
        self._compare(table, labels, tested)

    def _compare(self, table: Table, labels: CodedLabels, tested: list[Any]) -> None:
        """The same examples, four learners: their inductive bias."""
        learned = min(self._learner.trials + (self._learner.version_space.collapsed_by is not None), _COMPARED)
        if self._learner.trials > _COMPARED:
            self.say("", f"The comparison of learners is made for up to {_COMPARED:,} rows.")
            return
        code = self._learner.labels.code
        examples = [
            (self._learner.complete(table.row(row)), code(labels.values[labels.codes[row]])) for row in range(learned)
        ]
        bias = InductiveBias(self._learner.space, examples)
        counts = bias.answered()
        total = self._learner.space.domain_size()
        rows = [("learner", "answers", "refuses", "assumes")]
        for name, assumed in LEARNERS.items():
            count = counts[name]
            numbers = ("?", "?") if count is None else (written(count), written(total - count))
            rows.append((name, *numbers, assumed))
        asked = tested or bias.telling()
        answered = [(x, bias.answers(x)) for x in asked]
        self.data["bias"] = {
            "answers": {name: None if count is None else number_as_json(count) for name, count in counts.items()},
            "assumes": LEARNERS,
            "instances": [
                {"instance": list(x),
                 "answers": {name: {"label": answer.label, "vote": answer.vote_as_json()}
                             for name, answer in found.items()}}
                for x, found in answered
            ],
        }  # fmt: skip
        self.say("", f"What each learner predicts for the {written(total)} instances:", "", *columns(rows, "<>><"))
        if not answered:
            return
        names = dict(zip(LEARNERS, ("rote", "unbiased", "candidate el.", "Find-S"), strict=True))
        said = [("instance", *names.values())]
        for x, found in answered:
            said.append((", ".join(x), *(str(found[name]) for name in names)))
        what = "The instances of --test" if tested else "Instances that were not among the rows"
        self.say("", f"{what} (? refused; the vote beside it):", "", *columns(said, "<<<<<"))


def boundaries(space: VersionSpace) -> dict[str, Any]:
    """S, G and the size as data; a long G is cut, and says so."""
    general = [] if space.many else [str(member) for member in islice(space.general(), _LISTED + 1)]
    return {
        "S": [str(member) for member in space.S],
        "G": sorted(general) if space.many or len(general) > _LISTED else [str(member) for member in space.G],
        "G_complete": len(general) <= _LISTED and not space.many,
        "size": space.size.as_json(),
    }


def _boundary_lines(space: VersionSpace) -> list[tuple[str, str]]:
    if not space:
        return [("left", "no hypothesis")]
    if space.many:
        return [("S", "  ".join(map(str, space.S))), ("G", "not computed"), ("left", hypotheses(space))]
    some = list(islice(space.general(), _LISTED + 1))
    if len(some) <= _LISTED:
        some = list(space.G)
        more = f"and {len(some) - _SHOWN:,} more" if len(some) > _SHOWN else ""
    else:
        more = f"and more than {_LISTED - _SHOWN:,} more"
    general = [("G" if not k else "", str(member)) for k, member in enumerate(some[:_SHOWN])]
    general += [("", more)] if more else []
    return [("S", "  ".join(map(str, space.S))), *general, ("left", hypotheses(space))]


def hypotheses(space: VersionSpace) -> str:
    return f"{space.size.text()} {'hypothesis' if space.size == 1 else 'hypotheses'}"


def _cells(table: Table, row: int) -> str:
    return ", ".join(text_of(cell) or "(missing)" for cell in table.row(row).values())


def _line(table: Table, row: int) -> int | None:
    return None if table.lines is None else int(table.lines[row])


def _collapse_data(collapse: Collapse, table: Table, labels: CodedLabels) -> dict[str, Any]:
    return {
        "row": collapse.trial,
        "line": _line(table, collapse.trial - 1),
        "label": labels.values[labels.codes[collapse.trial - 1]],
        "instance": list(collapse.example),
        "before": boundaries(collapse.before),
        "rows": list(collapse.rows),
    }


def _collapse_lines(collapse: Collapse, table: Table, labels: CodedLabels) -> list[str]:
    lines = [f"Row {collapse.trial} leaves no hypothesis.  Before it:", ""]
    lines += fields(_boundary_lines(collapse.before), least=8)
    lines += ["", "No conjunction of attribute values agrees with these rows:", ""]
    for trial in collapse.rows:
        at = _line(table, trial - 1)
        where = f"row {trial}" + (f", line {at}" if at is not None else "")
        lines += wrap(
            f"{labels.values[labels.codes[trial - 1]]}  ({_cells(table, trial - 1)})", f"  {where}: ", " " * 6
        )
    return lines
