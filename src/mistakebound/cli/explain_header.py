"""`explain --header`: what is in a model file, who learned it, from what, and how far."""

from __future__ import annotations

import json

from mistakebound.cli.commands import say
from mistakebound.model.model import describe
from mistakebound.report.ledger_text import false_in_words
from mistakebound.report.table import columns, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def explain_header(path: str, *, as_data: bool) -> None:
    """Print what the file holds, as text or as one JSON object."""
    facts = describe(path)
    if as_data:
        print(json.dumps(facts))
    else:
        say(*as_text(facts))


def as_text(facts: dict[str, Any]) -> list[str]:
    said = [("file", f"{facts['bytes']:,} bytes, format {facts['format']}, checksum good")]
    inside = facts
    while inside.get("state") and "inner" in inside["state"]:  # it is a transform of the instances of another learner
        said.append(("transform", ": ".join(filter(None, [inside["learner"], _listed(inside["parameters"])]))))
        inside = inside["state"]["inner"]
    said += [("learner", inside["learner"]), ("parameters", _listed(inside["parameters"]))]
    if "labels" in facts:
        said.append(("labels", _pair(facts["labels"])))
    if "classes" in facts:
        said.append(("classes", ", ".join(map(str, facts["classes"]))))
    if "columns" in facts:
        said.append(("columns", ", ".join(f"{name} ({kind})" for name, kind, _ in facts["columns"])))
    ledger = facts.get("ledger")
    if ledger:
        said.append(("trials", f"{ledger['trials']:,}"))
        said.append(("mistakes", _mistakes(ledger)))
    said += [(name, _listed(facts.get(name) or {})) for name in ("assumptions", "reader")]
    place = facts.get("position") or {}  # with the record of the run, which is for --resume
    said.append(("position", _listed({name: value for name, value in place.items() if name != "run"})))
    said.append(("state", _listed(inside.get("state") or {})))
    rows = [("array", "type", "count", "bytes")]
    rows += [(a["name"], a["type"], f"{a['count']:,}", f"{a['bytes']:,}") for a in facts["arrays"]]
    return [facts["model"], *fields(said), "", *columns(rows, "<<>>")]


def _mistakes(ledger: dict[str, Any]) -> str:
    _, positives, negatives, _ = ledger["counts"]
    others = sum(count for label, guess, count in ledger["pairs"] if guess is not None and guess != label)
    if others:
        return f"{positives + negatives + others:,}"
    return f"{positives + negatives:,}: {false_in_words(positives, negatives)}"


def _pair(labels: dict[str, Any]) -> str:
    if "values" in labels:  # any number of them
        names = [str(text or value) for text, value in zip(labels["spelling"], labels["values"], strict=True)]
        return (", ".join(names) or "none seen yet") + (" (declared)" if labels["declared"] else "")
    written = [
        text or value for text, value in zip(labels["spelling"], (labels["negative"], labels["positive"]), strict=True)
    ]
    names = ["not seen yet" if name is None else str(name) for name in written]
    return f"negative {names[0]}, positive {names[1]}{' (declared)' if labels['declared'] else ''}"


def _listed(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {'none' if value is None else value}" for name, value in values.items()) or "none"
