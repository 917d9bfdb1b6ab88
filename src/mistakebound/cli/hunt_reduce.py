"""`mistakebound hunt reduce FILE`: a small part of a file that still fails, by its lines and then by its characters."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import ExitStack

from mistakebound.cli.commands import note, say
from mistakebound.cli.hunt import HuntProgress, exit_code, hunt_once, log_of_characters, out_of
from mistakebound.cli.hunt_modes import file_oracle, read_file
from mistakebound.core.errors import BadParameter, NoFlags
from mistakebound.core.whole_file import WholeFile
from mistakebound.hunting.reduction import Structure
from mistakebound.hunting.text_blocks import bracket_pairs, characters_of, is_part, line_parents, lines_of
from mistakebound.report.table import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from mistakebound.hunting.result import Hunt
    from mistakebound.teachers.run_rules import RunRules


def reduce(options: Namespace, rules: RunRules, progress: HuntProgress) -> int:
    whole = read_file(options.what)
    options.one = True
    lines = lines_of(whole)
    if not lines:
        raise NoFlags(f"{options.what} is empty")
    if options.dry_run:
        say(f"{options.what}: {len(lines)} lines, {len(whole):,} bytes; nothing was run")
        return 0
    out = out_of(options)
    if os.path.exists(out) and not is_part(read_file(out), whole):
        raise BadParameter(f"refusing to overwrite {out}: it is not a part of {options.what}")
    text, hunts = whole, []
    for by, log in (("lines", options.log), ("characters", options.log and log_of_characters(options.log))):
        parts = lines_of(text) if by == "lines" else characters_of(text)
        with ExitStack() as stack:
            oracle = file_oracle(options, rules, progress.keep, parts)
            stack.callback(oracle.close)
            structure = Structure(line_parents(parts) if by == "lines" else (), pairs=bracket_pairs(parts))
            found = hunt_once(options, oracle, oracle.flags, progress, log, structure)
        text = oracle.text(found.smallest)  # type: ignore[attr-defined]
        hunts.append(found)
        with WholeFile(out, sync=False, kind=None) as file:
            file.write(text)
        if not options.quiet:
            note(f"by {by}: {len(parts):,} to {len(found.smallest):,}, {found.runs} runs; written to {out}")
        if by == options.by or found.verdict.kind == "ended":
            break
    _report(options, whole, text, hunts, out)
    return exit_code(hunts[-1])


def _report(options: Namespace, whole: bytes, text: bytes, hunts: list[Hunt], out: str) -> None:
    runs = sum(found.runs for found in hunts)
    if options.json:
        print(json.dumps({
            "out": out, "bytes": [len(whole), len(text)], "lines": [len(lines_of(whole)), len(lines_of(text))],
            "runs": runs, "verdict": {"kind": hunts[-1].verdict.kind, "text": str(hunts[-1].verdict)},
            "hunts": [found.as_json() for found in hunts],
        }))  # fmt: skip
        return
    command = " ".join(shlex.quote(word.replace("{}", out)) for word in options.command)
    lines, after = len(lines_of(whole)), len(lines_of(text))
    say(
        f"{options.what}: {lines:,} lines to {after:,}, {len(whole):,} bytes to {len(text):,}",
        *fields([
            ("written", out), ("verdict", str(hunts[-1].verdict)), ("runs", str(runs)), ("assumes", "nothing"),
            ("command", command),
        ]),
    )  # fmt: skip
