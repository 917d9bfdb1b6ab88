"""What `demo` prints."""

from __future__ import annotations

import os
import shlex
import sys

from mistakebound.core.names import write_name
from mistakebound.report.ledger_text import bound_in_words, found_among_heaviest, ledger_facts
from mistakebound.report.table import columns, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any


def as_json(stream: str, relevant: list[str], runs: list[Any], picture: str | None) -> dict[str, Any]:
    return {
        "stream": stream,
        "relevant": relevant,
        "learners": [
            ledger_facts(run.learner, run.ledger)
            | {
                "found": found_among_heaviest(run.learner, relevant),
                "seconds": run.seconds,
                "model": run.model,
            }
            for run in runs
        ],
        "picture": picture,
    }


def as_text(options: Namespace, stream: str, relevant: list[str], runs: list[Any], picture: str | None) -> list[str]:
    winnow = runs[0]
    found = found_among_heaviest(winnow.learner, relevant)
    lines = [
        f"Which of {options.n:,} attributes matter?",
        f"{options.rows:,} rows, about {options.active:,} of them on in each; {options.relevant:,} decide the label.",
        "",
        *columns([("", *(type(run.learner).__name__ for run in runs)), *_rows(runs, relevant)], "<" + ">" * len(runs)),
        "",
        *fields(
            [
                *(
                    ("bound", f"{type(run.learner).__name__}: {bound_in_words(run.ledger.bound, run.ledger)}")
                    for run in runs
                ),
                ("target", " | ".join(map(write_name, relevant))),
                ("found", " ".join(map(write_name, found)) or "none yet"),
                ("stream", f"{stream} ({os.path.getsize(stream):,} bytes)"),
                *(("model", f"{run.model} ({run.size:,} bytes)") for run in runs),
                *([("picture", picture)] if picture else []),
            ]
        ),
        "",
    ]
    return lines


def _rows(runs: list[Any], relevant: list[str]) -> list[tuple[str, ...]]:
    def row(name: str, *values: str) -> tuple[str, ...]:
        return (name, *values)

    ledgers = [run.ledger for run in runs]
    return [
        row("trials", *(f"{ledger.trials:,}" for ledger in ledgers)),
        row("mistakes", *(f"{ledger.mistakes:,}" for ledger in ledgers)),
        row("its theorem allows", *map(_allowed, ledgers)),
        row(
            "relevant attributes found",
            *(f"{len(found_among_heaviest(run.learner, relevant))} of {len(relevant)}" for run in runs),
        ),
        row("rows a second", *(f"{run.ledger.trials / max(run.seconds, 1e-9):,.0f}" for run in runs)),
    ]


def _allowed(ledger: Any) -> str:
    return "vacuous" if ledger.vacuous else f"{ledger.bound.mistakes:,}"


def next_steps(stream: str, runs: list[Any]) -> list[str]:
    """Commands that work as they stand."""
    program, model, file = program_name(), shlex.quote(runs[0].model), shlex.quote(stream)
    events = shlex.quote(os.path.join(os.path.dirname(stream), "events.mb"))
    return [
        f"{program} explain {events}",
        f"{program} explain {model}",
        f"{program} eval {model} {file}",
        f"{program} predict {model} {file} --scores | head",
        f"{program} learn {file} --from {model}",
        f'{program} play --learner winnow1 --target "x3 | x17" --n 1000',
        f"{program} --help",
    ]


def program_name() -> str:
    """How to call this program from here."""
    from shutil import which

    called = sys.argv[0]
    if os.path.basename(called) != "mistakebound":
        return "mistakebound"
    found = which("mistakebound")
    if found is not None and os.path.realpath(found) == os.path.realpath(called):
        return "mistakebound"
    near = os.path.relpath(called)
    return shlex.quote(called if near.startswith(os.pardir) else near)
