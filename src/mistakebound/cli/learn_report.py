"""What `learn` prints: for people, or as one JSON object."""

from __future__ import annotations

import json

from mistakebound.report.account import account, count_of_mistakes
from mistakebound.report.table import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def print_report(work: Any, seconds: float, size: int | None) -> None:
    if work.options.json:
        print(json.dumps(as_json(work, seconds)))
    else:
        print("\n".join(as_text(work, seconds, size)))


def as_json(work: Any, seconds: float) -> dict[str, Any]:
    more = {"skipped": work.skipped, "seconds": seconds, "model": work.options.model}
    return account(work.learner, work.ledger) | more


def as_text(work: Any, seconds: float, size: int | None) -> list[str]:
    ledger, learner, files = work.ledger, work.learner, work.options.files
    rows = ledger.trials - work.first_trial
    said = [
        ("trials", f"{ledger.trials:,}" + (f" ({rows:,} of them now)" if work.first_trial else "")),
        ("mistakes", count_of_mistakes(ledger)),
        ("verdict", str(ledger.verdict)),
        ("attributes", f"{len(learner.attributes):,} seen"),
    ]
    largest = ", ".join(f"{name} ({weight:g})" for name, weight in learner.top(5))
    if largest:
        said.append(("largest", largest))
    if work.skipped:
        said.append(("skipped", f"{work.skipped:,} bad rows"))
    said.append(("time", f"{seconds:.2f} s, {rows / max(seconds, 1e-9):,.0f} rows a second"))
    if size is not None:
        said.append(("model", f"{work.options.model} ({size:,} bytes)"))
    return [f"{learner!r} on {', '.join(files)}", *fields(said)]
