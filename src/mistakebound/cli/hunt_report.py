"""What came of a hunt, in words; and what would be run."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import replace
from math import log2
from textwrap import wrap

from mistakebound.core.errors import BadParameter
from mistakebound.hunting.result import shown
from mistakebound.report.table import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.hunting.result import Hunt
    from mistakebound.teachers.command import CommandOracle

_COLUMNS = 80
_MOST_WORDS = 60  # of a command that is printed
_CALIBRATIONS = 5  # runs with all flags on, and off
_PURPOSES = {
    "assumption": "to test assumptions", "search": "to search", "kind": "to tell any from all",
    "verification": "to verify", "delta debugging": "of delta debugging",
}  # fmt: skip


def as_text(options: Namespace, found: Hunt, oracle: CommandOracle, script: str | None, keep: str | None) -> list[str]:
    said = [
        ("kind", _kind(found)),
        ("verdict", str(found.verdict)),
        ("assumes", _assumed(found)),
        ("runs", _runs(found)),
    ]
    if found.kind != "one" and not options.prior:  # the minimum is less where some flags are likelier than others
        said.append(("bits", f"{found.bits:.1f}: information-theoretic minimum of yes/no answers, on average"))
    if found.confidence is not None:
        said.append(("confidence", _confidence(options, found)))
    elif found.contradiction:
        said.append(("note", "if the command is flaky, --confidence 0.99 repeats each run until the answer is sure"))
    said.extend(("note", text) for text in found.notes)
    said.extend((f"run {run.number}", f"{run.answer} with {_named(found, run.on)} on") for run in found.contradiction)
    if found.verdict.kind == "ended":
        how = "the same command with a higher limit" + (
            " goes on from the log" if options.log else " (--log keeps runs)"
        )
        said.append(("to go on", how))
    if found.smallest:
        said.append(("command", _line(oracle, oracle.on(found.smallest), most=_MOST_WORDS)))
    if script is not None:
        said.append(("script", script))
    failed = [run for run in found.history if run.output]
    if failed and keep is not None:
        last = failed[-1].output
        runs = "1 bad run" if len(failed) == 1 else f"{len(failed)} bad runs"
        said.append(("output", f"{runs}: {keep}; the last one: {last}"))
    return [*wrap(found.in_words(), _COLUMNS, break_long_words=False, break_on_hyphens=False), *fields(said)]


def _assumed(found: Hunt) -> str:
    if found.kind == "one" or not (found.complete or found.verdict.kind == "unverified"):
        return "nothing: more flags may make it better"
    return "more flags can only make it worse; no run contradicts that"


def _kind(found: Hunt) -> str:
    if found.kind == "one":
        return "one failing set; there may be others"
    if found.kind == "neither":
        number = "1 minimal failing set was" if len(found.sets) == 1 else f"{len(found.sets)} minimal failing sets were"
        return f"neither any nor all; {number} found" + ("" if found.complete else ", there may be more")
    if len(found.culprits) == 1:
        return "one culprit: it fails with it on, and not without it"
    if found.kind == "any":
        return "any: it fails with any of them on, and with nothing else"
    return "all: it fails with all of them on, and not if one is off"


def _runs(found: Hunt) -> str:
    parts = [f"{found.asked[purpose]} {words}" for purpose, words in _PURPOSES.items() if purpose in found.asked]
    answers = sum(found.asked.values())
    if answers == found.runs:
        return f"{found.runs}: {', '.join(parts)}"
    return f"{found.runs}, for {answers} answer{'' if answers == 1 else 's'}: {', '.join(parts)}"


def _confidence(options: Namespace, found: Hunt) -> str:
    if options.false_alarms is None and options.misses is None:
        if found.verdict.kind in ("unverified", "ended"):
            return f"{found.confidence:g} was asked for, and not reached"
        others = "" if found.complete else "; other sets may fail too"
        return (
            f"the result is right with probability {found.confidence:g} at least, if every set fails at one of two"
            f" rates, whatever they are, and each run for itself{others}"
        )
    good, bad = (0.1 if rate is None else rate for rate in (options.false_alarms, options.misses))
    return (
        f"all answers are right with probability {found.confidence:g} at least, if good sets fail in at most"
        f" {good:g} of their runs and bad ones pass in at most {bad:g}"
    )


def _named(found: Hunt, on: frozenset[str]) -> str:
    """The flags that are on, or those that are off, whichever are few."""
    if 2 * len(on) > len(found.flags):
        off = [flag for flag in found.flags if flag not in on]
        return f"all but {shown(off)}" if off else "all flags"
    return shown([flag for flag in found.flags if flag in on])


def dry_run(options: Namespace, flags: Sequence[str], oracle: CommandOracle) -> list[str]:
    """The first runs, and about how many there would be."""
    from mistakebound.theory.group_testing import log2_choose

    n = len(flags)
    half = list(flags[: (n + 1) // 2])
    runs = {
        k: round(4 + k + 1.06 * (log2_choose(n, k) + 2 * log2(k) + 0.72)) for k in (1, 2, 3, 5) if k <= n
    }  # all on, all off, the kind, the search, one more than the culprits to verify
    if options.json:
        commands = [oracle.words(names) for names in (flags, [], half)]
        return [json.dumps({"flags": n, "all_on": commands[0], "all_off": commands[1], "some_on": commands[2],
                            "expected_runs": {str(k): number for k, number in runs.items()}})]  # fmt: skip
    said = [("all on", _line(oracle, flags)), ("all off", _line(oracle, [])), ("some on", _line(oracle, half))]
    if options.setup:
        said.insert(0, ("before each", options.setup))
    each = ", ".join(f"{number} for {k} culprit{'s' if k > 1 else ''}" for k, number in runs.items())
    more = ", several times as many with --confidence" if options.confidence is not None else ""
    said.append(("runs", f"about {each}{more}"))
    return [f"{n} flags; nothing was run", *fields(said)]


def _line(oracle: CommandOracle, names: Sequence[str], most: int = 12) -> str:
    """As a shell would read it."""
    words = _quoted(oracle, names)
    return " ".join(words if len(words) <= most else [*words[: most - 1], f"... {len(words) - most + 1} more"])


def _quoted(oracle: CommandOracle, names: Sequence[str], listed: str = "{file}") -> list[str]:
    words = [_word(word, listed) for word in oracle.words(names)]
    for flag, (name, on, off) in (oracle.env or {}).items():
        value = on if flag in names else off
        words = [f"{name}={shlex.quote(value)}", *words] if value is not None else words
    unset = [name for flag, (name, on, off) in (oracle.env or {}).items() if (on if flag in names else off) is None]
    return [*(["env", *(f"--unset={name}" for name in unset)] if unset else []), *words]


def _word(word: str, listed: str) -> str:
    """A word of the command for a shell: a folder is made for {dir}, and the only job is number 0."""
    if word == "{file}":
        return listed
    parts = word.replace("{file}", listed).replace("{job}", "0").split("{dir}")
    return '"$(mktemp -d)"'.join(shlex.quote(part) if part or len(parts) == 1 else "" for part in parts)


def save_script(oracle: CommandOracle, found: Hunt, keep: str | None) -> str | None:
    """The command of the smallest failing set, beside the output of bad runs; None where that is not kept."""
    if keep is None or not found.smallest:
        return None
    os.makedirs(keep, exist_ok=True)
    names, listed = oracle.on(found.smallest), os.path.join(os.path.abspath(keep), "failing.txt")
    if any("{file}" in word for word in oracle.command):
        os.replace(oracle.write(names, keep), listed)
    path = os.path.join(keep, "failing.sh")
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(f"#!/bin/sh\n{' '.join(_quoted(oracle, names, listed))}\n")
    os.chmod(path, 0o755)
    return path


def calibrate(oracle: CommandOracle, flags: Sequence[str], log: str | None, head: dict[str, Any]) -> None:
    """`--threshold auto`: half way between what is measured with all flags on and with all off; the log keeps it."""
    from mistakebound.hunting.log import read_head

    known = read_head(log).get("threshold") if log is not None else None
    if not isinstance(known, (int, float)):
        on, off = ([oracle.measured(names) for _ in range(_CALIBRATIONS)] for names in (flags, ()))
        if max(off) >= min(on):
            raise BadParameter(
                f"--threshold auto needs numbers that are higher with all flags on than with all off: "
                f"{min(on):g} to {max(on):g}, and {min(off):g} to {max(off):g}"
            )
        known = (min(on) + max(off)) / 2
    oracle.rules = replace(oracle.rules, threshold=float(known))
    head["threshold"] = float(known)
