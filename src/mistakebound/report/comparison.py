"""Several learners after the same examples: a table for people, objects for machines."""

from __future__ import annotations

from mistakebound.core.errors import BadData
from mistakebound.report.ledger_text import ledger_facts
from mistakebound.report.table import columns, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_HEAD = ("learner", "mistakes", "error %", "recent %", "bound", "seconds", "bytes")


def as_text(entries: Sequence[Any], window: int | None) -> list[str]:
    """The table in the order given, and below it what is to be said of a learner in a sentence."""
    table = columns([_HEAD, *(_row(entry, window) for entry in entries)], "<>>>>>>")
    said = [(entry.name, text) for entry in entries if (text := _sentence(entry))]
    longest = max(entries, key=lambda entry: entry.ledger.trials)
    trials, _ = longest.ledger.recent(window)
    known = [f"  {_examples(longest.ledger)}; recent: the last {trials:,}"] if longest.ledger.trials else []
    return [*known, *table, *([""] if said else []), *fields(said)]


def _examples(ledger: Any) -> str:
    """`5,574 trials, 747 of them spam`; labels of more than two classes are only counted."""
    negative = ledger.counts()[0] + ledger.counts()[1]
    positive = ledger.counts()[2] + ledger.counts()[3]
    if negative + positive != ledger.trials:
        return f"{ledger.trials:,} trials"
    return f"{ledger.trials:,} trials, {positive:,} of them {ledger.labels.text(1)}"


def _row(entry: Any, window: int | None) -> tuple[str, ...]:
    ledger = entry.ledger
    if entry.refused is not None:
        return (entry.name, *["-"] * (len(_HEAD) - 1))
    trials, mistakes = ledger.recent(window)
    stopped = ledger.inconsistency is not None
    return (
        entry.name,
        f"{ledger.mistakes:,}",
        "-" if stopped else f"{100 * ledger.error_rate:.2f}",
        "-" if stopped else f"{100 * mistakes / max(1, trials):.2f}",
        _allowed(ledger),
        f"{entry.seconds:.3f}",
        "-" if entry.size is None else short_count(entry.size),
    )


def _allowed(ledger: Any) -> str:
    if ledger.bound is None or ledger.bound.mistakes is None:
        return "-"
    return "all" if ledger.empty_bound else f"{max(0, ledger.bound.mistakes):,}"


def _sentence(entry: Any) -> str:
    """Why a learner did not go on, what its bound says, how many rows it passed over."""
    said = []
    if entry.refused is not None:
        said.append(f"cannot take these rows: {_place_and_reason(entry.refused)}")
    elif entry.ledger.verdict.kind != "no bound" or entry.facts:
        said.append(str(entry.ledger.verdict))
    if entry.skipped:
        said.append(f"rows that it cannot take and passed over: {entry.skipped:,}")
    return "; ".join(said)


def _place_and_reason(error: BadData) -> str:
    """Without the text of the row: of several learners all may have stopped there."""
    return str(BadData(error.message, source=error.source, line=error.line, row=error.row))


def short_count(number: int) -> str:
    """At most five characters for what is ever stored.

    >>> [short_count(n) for n in (0, 999, 12_345, 999_700, 123_456_789)]
    ['0', '999', '12.3k', '1M', '123M']
    """
    if number < 1000:
        return str(number)
    for letter, size in (("k", 10**3), ("M", 10**6), ("G", 10**9)):
        if number < 999.5 * size:
            return f"{number / size:.3g}{letter}"
    return f"{number / 10**12:.3g}T"


def as_json(entry: Any, window: int | None) -> dict[str, Any]:
    refused = entry.refused
    return {
        "name": entry.name,
        **ledger_facts(entry.learner, entry.ledger, window),
        "seconds": entry.seconds,
        "bytes": entry.size,
        "skipped": entry.skipped,
        "refused": None if refused is None else {
            "text": str(refused), "source": refused.source, "line": refused.line, "row": refused.row
        },
    }  # fmt: skip
