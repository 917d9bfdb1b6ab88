"""Own data: several learners on one table, and why one of them labels a row as it does."""

from __future__ import annotations

import csv
import io
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow.csv  # noqa: F401 - what tables are read by: not in the time of a message

from mistakebound.arena.compare import compare
from mistakebound.core.errors import BadParameter, MistakeboundError, shown
from mistakebound.lab.request import finite
from mistakebound.lab.session import Session
from mistakebound.model.learning import learn

if TYPE_CHECKING:
    from mistakebound.lab.request import Request
    from mistakebound.model.model import Model

LEARNERS = ("arow", "auto", "perceptron", "passive-aggressive", "averaged-perceptron", "balanced-winnow")
_LARGEST = 1 << 20  # characters of a table
_POINTS = 240  # of a curve
_TERMS = 12  # of a waterfall
_SHOWN = 200  # rows that can be chosen


def sample() -> str:
    """Parcels that come late when they are heavy and go far, on Fridays more often; a made-up table."""
    draw = random.Random(7)
    lines = ["weight,distance,day,carrier,late"]
    for _ in range(600):
        weight, distance = round(draw.uniform(0.2, 30), 1), draw.randrange(5, 900)
        day, carrier = draw.choice(["Mon", "Tue", "Wed", "Thu", "Fri"]), draw.choice(["Acorn", "Birch", "Cedar"])
        score = weight / 12 + distance / 400 + (day == "Fri") + 0.8 * (carrier == "Cedar") + draw.gauss(0, 0.35)
        lines.append(f"{weight},{distance},{day},{carrier},{'yes' if score > 2.9 else 'no'}")
    return "\n".join(lines) + "\n"


class OwnData(Session):
    """A table that somebody has dropped on the page; it stays in memory, and in a private file while it is read."""

    actions: ClassVar[tuple[str, ...]] = ("explain",)
    weight: ClassVar[int] = 8

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        given = request.given("text")
        self.text = request.text("text", _LARGEST) if given else sample()
        self.name = Path(request.text("name", 200, "table.csv") if given else "parcels.csv").name or "table.csv"
        self.label = request.text("label", 200, "") or (None if given else "late")
        names = [str(name) for name in request.listed("learners", len(LEARNERS), list(LEARNERS[:4]))]
        if not names or len({*names}) < len(names) or not {*names} <= {*LEARNERS}:
            raise BadParameter(f"learners must be different ones of {', '.join(LEARNERS)}: {shown(names)}")
        self.learners = names
        self._models: dict[str, Model] = {}

    @contextmanager
    def _file(self) -> Iterator[str]:
        """The table as a file that only we can read."""
        with tempfile.TemporaryDirectory(prefix="mistakebound-lab-") as folder:
            suffix = Path(self.name).suffix
            path = Path(folder) / ("table" + (suffix if suffix[1:].isalnum() and suffix.isascii() else ".csv"))
            path.write_bytes(self.text.encode("utf-8", "replace"))
            try:
                yield str(path)
            except MistakeboundError as error:
                raise BadParameter(str(error).replace(str(path), self.name)) from None

    def opening(self, request: Request) -> dict[str, Any]:
        with self._file() as path:
            self._models[self.learners[0]] = model = learn(path, self.label, learner=self.learners[0])
            settings = dict(model.settings or {})
            self.label = self.label or settings.get("label")
            request.check_time()
            found = compare(path, self.learners, reader=None if self.label is None else {"label": self.label})
        request.check_time()
        columns, rows = _shown_rows(self.text, settings)
        return {
            "name": self.name,
            "label": self.label,
            "labels": [str(label) for label in model.labels],
            "columns": columns,
            "rows": rows[:_SHOWN],
            "count": max(entry.ledger.trials for entry in found.entries),
            "learners": list(LEARNERS),
            "ranked": [self._entry(entry) for entry in found.ranked],
            "command": f"mistakebound compare {quote(self.name)} --label {quote(str(self.label))} "
            f"--learners {','.join(self.learners)}",
            "python": f"import mistakebound as mb\n\nprint(mb.compare({self.name!r}, {self.learners!r}, "
            f"reader={{'label': {self.label!r}}}))\n",
        }

    def _entry(self, entry: Any) -> dict[str, Any]:
        ledger = entry.ledger
        certificate = ledger.certificate()
        wrong = list(ledger.mistake_trials)
        step = max(1, ledger.trials // _POINTS)
        curve, made = [], 0
        for trial in range(step, ledger.trials + 1, step):
            while made < len(wrong) and wrong[made] <= trial:
                made += 1
            curve.append(made)
        return {
            "learner": entry.name,
            "refused": None if entry.refused is None else str(entry.refused).rpartition(": ")[2],
            "trials": ledger.trials,
            "mistakes": ledger.mistakes,
            "error": ledger.error_rate,
            "certificate": None if certificate is None else [certificate.low, certificate.high],
            "curve": curve,
            "step": step,
        }

    def explain(self, request: Request) -> dict[str, Any]:
        """Why a learner that has learned the table labels one of its rows as it does."""
        name = request.choice("learner", LEARNERS, self.learners[0])
        row = request.whole("row", 1, 1_000_000)
        with self._file() as path:
            if name not in self._models:
                self._models[name] = learn(path, self.label, learner=name)
            request.check_time()
            found = self._models[name].explain(row, file=path).as_json(_TERMS)
        if found.get("members"):  # of many labels the one that is predicted
            best = next(
                (one for one in found["members"] if one.get("label") == found["prediction"]), found["members"][0]
            )
            found = found | {"terms": best.get("terms", []), "bias": best.get("bias"), "total": best.get("score")}
        return {
            "learner": name,
            "row": row,
            "prediction": str(found["prediction"]),
            "terms": [{"name": term["name"], "value": finite(term["value"]), "amount": finite(term["amount"])}
                      for term in found.get("terms", [])],
            "more": found.get("more", 0),
            "bias": found.get("bias"),
            "total": found.get("total"),
            "threshold": found.get("threshold"),
        }  # fmt: skip


def _shown_rows(text: str, settings: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Columns and rows as the reader takes them: empty lines, and what is above the header, are no rows."""
    columns = [str(name) for name in settings.get("columns", [])]
    delimiter = settings.get("delimiter") or ("\t" if settings.get("format") == "tsv" else ",")
    try:
        lines = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(map(str.strip, row))]
    except (csv.Error, TypeError):  # a cell, or a delimiter, that only the reader can take
        return columns, []
    if "names" in settings:  # there is no header
        return columns, lines
    for place, row in enumerate(lines):
        if [cell.strip() for cell in row] == columns:
            return columns, lines[place + 1 :]
    return columns, []
