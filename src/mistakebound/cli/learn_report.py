"""What `learn` prints: for people, or as one JSON object."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def print_report(work: Any, seconds: float, size: int | None) -> None:
    if work.options.json:
        print(json.dumps(as_json(work, seconds)))
    else:
        print("\n".join(as_text(work, seconds, size)))


def as_json(work: Any, seconds: float) -> dict[str, Any]:
    ledger, learner = work.ledger, work.learner
    bound = ledger.bound
    return {
        "learner": learner.name,
        "parameters": learner.settings,
        "trials": ledger.trials,
        "mistakes": ledger.mistakes,
        "false_positives": ledger.false_positives,
        "false_negatives": ledger.false_negatives,
        "error_rate": ledger.error_rate,
        "bound": None if bound is None else bound.value,
        "theorem": None if bound is None else bound.as_json(),
        "verdict": {"kind": ledger.verdict.kind, "text": str(ledger.verdict)},
        "attributes": len(learner.attributes),
        "labels": list(learner.labels.values),
        "skipped": work.skipped,
        "seconds": seconds,
        "model": work.options.model,
    }


def as_text(work: Any, seconds: float, size: int | None) -> list[str]:
    ledger, learner, files = work.ledger, work.learner, work.options.files
    rows = ledger.trials - work.first_trial
    lines = [
        f"{learner!r} on {', '.join(files)}",
        f"  trials      {ledger.trials:,}" + (f" ({rows:,} of them now)" if work.first_trial else ""),
        f"  mistakes    {ledger.mistakes:,} ({100 * ledger.error_rate:.2f} %): {ledger.false_positives:,} false "
        f"positives, {ledger.false_negatives:,} false negatives",
        f"  verdict     {ledger.verdict}",
        f"  attributes  {len(learner.attributes):,} seen",
    ]
    largest = ", ".join(f"{name} ({weight:g})" for name, weight in learner.top(5))
    if largest:
        lines.append(f"  largest     {largest}")
    if work.skipped:
        lines.append(f"  skipped     {work.skipped:,} bad rows")
    lines.append(f"  time        {seconds:.2f} s, {rows / max(seconds, 1e-9):,.0f} rows a second")
    if size is not None:
        lines.append(f"  model       {work.options.model} ({size:,} bytes)")
    return lines
