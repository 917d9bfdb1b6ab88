"""Several learners: after the same examples, as a table or objects; and those of an ensemble, member by member."""

from __future__ import annotations

from mistakebound.core.errors import BadData
from mistakebound.core.protocol import adapted
from mistakebound.report.effects import label_effects, label_lines
from mistakebound.report.ledger_text import ledger_facts
from mistakebound.report.table import columns, fields, short_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.spread import Spread

_HEAD = ("learner", "mistakes", "error %", "recent", "bound", "sec", "bytes")


def as_text(entries: Sequence[Any], window: int | None) -> list[str]:
    """The table in the order given, and below it what is to be said of a learner in a sentence."""
    weighted = any(entry.ledger.weighted for entry in entries)
    head = ["by weight %" if weighted and name == "error %" else name for name in _HEAD]
    table = columns([head, *(_row(entry, window) for entry in entries)], "<>>>>>>")
    said = [(entry.name, text) for entry in entries if (text := _sentence(entry))]
    longest = max(entries, key=lambda entry: entry.ledger.trials)
    trials, _ = longest.ledger.recent(window)
    known = [f"  {_examples(longest.ledger)}; recent: error % of the last {trials:,}"] if longest.ledger.trials else []
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
    trials, errors = ledger.recent(window)
    stopped = ledger.inconsistency is not None
    return (
        entry.name,
        f"{ledger.mistakes:,}",
        "-" if stopped else f"{100 * ledger.weighted_error_rate:.2f}",
        "-" if stopped else f"{100 * errors / max(1, trials):.2f}",
        _allowed(ledger),
        f"{entry.seconds:.3f}",
        "-" if entry.size is None else short_count(entry.size),
    )


def _allowed(ledger: Any) -> str:
    if ledger.bound is None or ledger.bound.mistakes is None:
        return "-"
    return "all" if ledger.vacuous else f"{max(0, ledger.bound.mistakes):,}"


def _sentence(entry: Any) -> str:
    """Why a learner did not go on, what its bound says, how many rows it skipped."""
    said = []
    if entry.refused is not None:
        said.append(f"cannot take these rows: {_place_and_reason(entry.refused)}")
    elif entry.ledger.verdict.kind != "no bound" or entry.facts:
        said.append(str(entry.ledger.verdict))
    if entry.skipped:
        said.append(f"rows that it cannot take and skipped: {entry.skipped:,}")
    return "; ".join(said)


def _place_and_reason(error: BadData) -> str:
    """Without the text of the row: of several learners all may have stopped there."""
    return str(BadData(error.message, source=error.source, line=error.line, row=error.row))


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


LISTED = 20  # labels for people,
LISTED_JSON = 1000  # and for machines


def members_as_json(learner: Any, top: int, spread: Spread | None = None) -> dict[str, Any]:
    """For machines: each member with what it stands for and its hypothesis; of very many labels the first."""
    if learner.ensemble == "experts":
        found = []
        for k, (text, mistakes, share) in enumerate(learner.experts()):
            words = adapted(learner.expert(k)).hypothesis
            told = None if words is None else words.text(top)
            found.append({"expert": text, "mistakes": mistakes, "weight": share, "hypothesis": told})
        return {"members": found}
    found, labels = [], learner.learned()
    for label in labels[:LISTED_JSON]:
        base = learner.base(label)
        largest = [one.as_json() for one in label_effects(learner, label, spread, top)]
        found.append({"label": label, "hypothesis": base.hypothesis.text(top), "attributes": largest})
    more = {"members_left_out": len(labels) - LISTED_JSON} if len(labels) > LISTED_JSON else {}
    return {"members": found} | more


def member_lines(learner: Any, top: int, spread: Spread | None = None) -> list[str]:
    """For people."""
    if learner.ensemble == "experts":
        experts = learner.experts()
        rows = [("expert", "mistakes", "weight"), *((t, f"{m:,}", f"{share:.4g}") for t, m, share in experts)]
        best = max(range(len(experts)), key=lambda k: (experts[k][2], -k))
        words = adapted(learner.expert(best)).hypothesis
        said = [] if words is None else ["", *fields([("best", f"{learner.labels.text(1)} when {words.text(top)}")])]
        return [*columns(rows, "<>>"), *said]
    labels = learner.learned()
    more = [f"  and {len(labels) - LISTED:,} more labels"] if len(labels) > LISTED else []
    return [*label_lines(learner, labels[:LISTED], spread, top), *more]


def answers_of_members(learner: Any, x: Any) -> list[dict[str, Any]]:
    """What each member says to one instance, with its score."""
    if learner.ensemble == "experts":
        return [
            {"expert": text, "says": learner.expert_says(k, x), "weight": share, "mistakes": mistakes}
            for k, (text, mistakes, share) in enumerate(learner.experts())
        ]
    found = [
        {"label": label, "score": score, "threshold": threshold, "margin": score - threshold}
        for label, score, threshold in learner.scores_of_labels(x)
    ]
    return sorted(found, key=lambda answer: -answer["margin"])
