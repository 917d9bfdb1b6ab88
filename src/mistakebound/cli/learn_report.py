"""What `learn` prints: for people, or as one JSON object."""

from __future__ import annotations

import json
import sys

from mistakebound.cli.commands import say
from mistakebound.core.errors import cut
from mistakebound.report.ledger_text import (
    attributes_in_words,
    ledger_facts,
    mistakes_and_error,
    recent_in_words,
    threshold_as_json,
    threshold_in_words,
)

_FEW = 5  # attributes that are listed
_NAME = 50  # characters of the name of an attribute, at most

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable
    from typing import Any

    from mistakebound.model.training import Training


def print_report(options: Namespace, work: Training, seconds: float, size: int | None) -> None:
    """On standard output, or behind predictions that go there on standard error."""
    if options.predictions == "-":
        from contextlib import redirect_stdout

        with redirect_stdout(sys.stderr):
            _print_report(options, work, seconds, size)
    else:
        _print_report(options, work, seconds, size)


def _print_report(options: Namespace, work: Training, seconds: float, size: int | None) -> None:
    if options.json:
        print(json.dumps(as_json(options, work, seconds)))
    else:
        from mistakebound.report.table import fitted

        say(*fitted(as_text(options, work, seconds, size)))


def as_json(options: Namespace, work: Training, seconds: float) -> dict[str, Any]:
    passes, holdout = work.passes, work.passes.holdout
    more = {
        "passes": len(passes.mistakes_by_pass),
        "mistakes_by_pass": passes.mistakes_by_pass,
        "converged": passes.converged,
        "holdout": None if holdout is None else [_held(*counts) for counts in holdout.passes],
        "collisions": work.collisions,
        "columns": (work.reader_settings or {}).get("kinds"),
        "labels_found": work.labels_found,
        "memory": work.pass_source.memory,
        "resumed": work.resumed,
        "skipped": work.skipped,
        "seconds": seconds,
        "threshold": threshold_as_json(work.ledger),
        "model": options.model,
    }
    if options.iid:
        risk = work.model().risk()
        more["risk"] = None if risk is None else risk.as_json()
    if work.cluster is not None:
        more["cluster"] = work.cluster
    return ledger_facts(work.learner, work.ledger, options.window) | more


def _held(rows: int, mistakes: int) -> dict[str, Any]:
    return {"rows": rows, "mistakes": mistakes, "error_rate": mistakes / rows if rows else None}


def as_text(options: Namespace, work: Training, seconds: float, size: int | None) -> list[str]:
    from mistakebound.report.effects import largest_effects
    from mistakebound.report.table import fields

    ledger, learner, files = work.ledger, work.learner, options.files
    rows = ledger.trials - work.first_trial
    risk = work.model().risk() if options.iid else None
    said = [
        ("trials", f"{ledger.trials:,}" + (f" ({rows:,} of them now)" if work.first_trial else "")),
        *mistakes_and_error(ledger),
        *([] if risk is None else risk.in_words()),
        *threshold_in_words(ledger),
        *([] if work.cluster is not None else [("recent", recent_in_words(ledger, options.window))]),
        *_passes(work),
        *_cluster(work),
        ("verdict", str(ledger.verdict)),
        *columns_in_words(work.reader_settings),
        ("attributes", attributes_in_words(learner)),
    ]
    what, largest = largest_effects(learner, ledger.spread, _FEW)
    if largest:
        said.append((what, ", ".join(f"{cut(name, _NAME)} ({size:g})" for name, size in largest)))
    if work.collisions is not None:
        said.append(("collisions", _collisions(**work.collisions)))
    if work.skipped:
        said.append(("skipped", f"{work.skipped:,} bad rows"))
    if work.pass_source.memory is not None:
        said.append(("memory", f"{work.pass_source.memory:,} bytes for the rows"))
    said.append(("time", f"{seconds:.2f} s, {rows / max(seconds, 1e-9):,.0f} rows a second"))
    if size is not None:
        said.append(("model", f"{options.model} ({size:,} bytes)"))
    return [f"{learner!r} on {', '.join(map(str, files))}", *fields(said)]


def columns_in_words(settings: dict[str, Any] | None) -> list[tuple[str, str]]:
    """What each column of a table was taken for.

    >>> columns_in_words({"kinds": {"age": "numeric", "job": "nominal", "at": "moment:ymd", "pay": "numeric:."}})
    [('columns', 'numeric: age, pay; nominal: job; dates and times: at')]
    """
    found: dict[str, list[str]] = {"numeric": [], "nominal": [], "moment": []}
    for name, kind in ((settings or {}).get("kinds") or {}).items():
        found[kind.partition(":")[0]].append(name)
    words = {"moment": "dates and times"}
    said = "; ".join(f"{words.get(kind, kind)}: {_some(names)}" for kind, names in found.items() if names)
    return [("columns", said)] if said else []


def _passes(work: Training) -> list[tuple[str, str]]:
    passes, said = work.passes, []
    if passes.passes > 1:
        done = passes.mistakes_by_pass
        text = f"{len(done)} of {passes.passes}, mistakes in each: {_some(f'{count:,}' for count in done)}"
        said.append(
            ("passes", text + ("; the last had none, so another would change nothing" if passes.converged else ""))
        )
    if passes.holdout is not None:
        rates = [f"{100 * mistakes / rows:.2f} %" if rows else "no rows" for rows, mistakes in passes.holdout.passes]
        rows = passes.holdout.passes[-1][0] if rates else 0
        said.append(("held out", f"{rows:,} rows, error in each pass: {_some(rates)}"))
    return said


def _cluster(work: Training) -> list[tuple[str, str]]:
    """Who learned, where that was not this process."""
    about = work.cluster
    if about is None or about["shards"] is None:
        return []
    sent = _some(f"{size:,}" for size in about["bytes_sent"])
    again = f"; {about['repeated']:,} tasks done again" if about["repeated"] else ""
    who = ", ".join(f"{about[what]:,} {what[:-1] if about[what] == 1 else what}" for what in ("workers", "shards"))
    return [("cluster", f"{who}, bytes in each pass: {sent}{again}")]


def _collisions(bits: int, buckets: int, shared_buckets: int, foreign_entries: int, first_row: int = 1) -> str:
    since = f" (counted from row {first_row:,} on, where the work was resumed)" if first_row > 1 else ""
    return (
        f"{buckets:,} of {1 << bits:,} buckets in use, {shared_buckets:,} by several names; "
        f"{foreign_entries:,} entries met another name's bucket{since}"
    )


def _some(words: Iterable[str]) -> str:
    """The first and the last of many."""
    listed = list(words)
    return ", ".join(listed if len(listed) <= 8 else [*listed[:3], "...", *listed[-4:]])
