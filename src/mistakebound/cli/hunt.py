"""Find the few flags that make a command fail, in as few runs as possible.

  mistakebound hunt --flags options.txt -- ./build.sh {}
  mistakebound hunt --flags tests.txt --log hunt.log -- pytest -q @{file}
  mistakebound hunt --env FAST,CACHE,TRACE=2 --confidence 0.99 -- make check

A lone {} is replaced by the flags that are on, one argument each; {file} by
the name of a file with one flag per line.  Exit status 0 is good, 1-124 bad
(a timeout is 124), 125 cannot tell; 126 and above, or a signal, stops the hunt.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from mistakebound.cli.commands import note, say
from mistakebound.cli.options import add, whole
from mistakebound.cli.outputs import FOLDER
from mistakebound.core.errors import (
    AnotherHunt,
    AssumptionRefuted,
    BadData,
    BadParameter,
    CannotTell,
    HuntError,
    MistakeboundError,
)
from mistakebound.core.params import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator
    from types import FrameType
    from typing import Any

    from mistakebound.hunting.course import Course
    from mistakebound.hunting.result import Run
    from mistakebound.teachers.command import CommandOracle


_INTERRUPTED, _TERMINATED = 130, 143
_EXIT_CODES = """0 found, 2 usage, 5 --kind or --culprits refuted (the result is printed),
10 no flags, 11 a flag given twice, 12 no such command, 13 good with all
flags on, 14 bad with all flags off, 15 log of another hunt, 16 the command
stopped the hunt, 17 the command cannot tell, 130 interrupted."""


INPUTS = ("flags",)
OUTPUTS = {"log": "hunt log"}


def more_outputs(options: Namespace) -> Iterator[tuple[str, str, str]]:
    """The folder of what bad runs print."""
    if options.log is not None:
        yield "log", _folder_of(options.log), FOLDER


def _folder_of(log: str) -> str:
    return f"{log}.output"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="command to run, after --")
    parser.add_argument("--flags", metavar="FILE", help="file with one flag per line; - is standard input")
    parser.add_argument("--env", metavar="NAMES", help="environment variables as flags: A,B,C=2")
    parser.add_argument("--jobs", type=whole, default=1, metavar="N", help="parallel runs (default: 1)")
    parser.add_argument("--log", metavar="FILE", help="log of all runs; the same hunt continues from it")
    parser.add_argument(
        "--confidence", type=number, metavar="P", help="for flaky commands: repeat runs until P is reached"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the plan without running anything")
    add(parser, "json", "quiet")
    group = parser.add_argument_group("assumptions")
    group.add_argument(
        "--kind", choices=("auto", "any", "all"), default="auto",
        help="any one culprit, or all together (default: auto)",
    )  # fmt: skip
    group.add_argument("--culprits", type=whole, metavar="K", help="number of culprits, if known")
    group.add_argument(
        "--false-alarms", type=number, metavar="RATE", help="maximum failure rate of good sets (default: 0.1)"
    )
    group.add_argument("--misses", type=number, metavar="RATE", help="maximum pass rate of bad sets (default: 0.1)")
    group = parser.add_argument_group("runs", "A run that takes longer than --timeout counts as bad.")
    add(group, "timeout")
    group.add_argument("--setup", metavar="CMD", help="shell command to run before each run")
    group.add_argument("--no-verify", action="store_true", help="skip the runs that verify the result")
    parser.add_argument_group("exit codes", _EXIT_CODES)


def run(options: Namespace) -> int:
    from mistakebound.cli.hunt_report import as_text, dry_run
    from mistakebound.hunting.hunt import check_flags, check_settings, hunt

    _set_rates(options)
    flags, env = _flags(options)
    check_flags(flags)
    check_settings(options.kind, options.culprits, len(flags), options.jobs)
    keep = None if options.log is None else _folder_of(options.log)
    oracle = _oracle(options, flags, env, keep)
    if options.dry_run:
        say(*dry_run(options, flags, oracle))
        return 0
    if keep is None:
        import tempfile

        oracle.keep = tempfile.mkdtemp(prefix="mistakebound-hunt-")
    progress = Progress(options, len(flags))
    before = signal.signal(signal.SIGTERM, progress.terminated)
    try:
        found = hunt(
            oracle, flags, options.kind, options.confidence, k=options.culprits, false_alarms=options.false_alarms,
            misses=options.misses, verify=not options.no_verify, jobs=options.jobs, log=options.log,
            hunted=_hunted(options), watch=progress.show,
        )  # fmt: skip
    except KeyboardInterrupt:
        runs = "1 run" if progress.runs == 1 else f"{progress.runs} runs"
        kept = f"; run the same command to continue from {options.log}" if options.log else ""
        note(f"interrupted after {runs}{kept}")
        _say_where(oracle.keep)
        return _TERMINATED if progress.is_terminated else _INTERRUPTED
    except HuntError as error:
        note(*str(error).split("\n"))  # what the command printed last may be in it
        if not isinstance(error, AnotherHunt):
            _say_where(oracle.keep)
        return error.exit_code
    finally:
        signal.signal(signal.SIGTERM, before)
        if keep is None and oracle.keep is not None and not os.listdir(oracle.keep):
            os.rmdir(oracle.keep)
    if options.json:
        print(json.dumps(found.as_json()))
    else:
        say(*as_text(options, found, oracle.keep))
    return {"refuted": AssumptionRefuted.exit_code, "cannot tell": CannotTell.exit_code}.get(found.verdict.kind, 0)


def _say_where(keep: str | None) -> None:
    """There is no result that would say where the output of bad runs is."""
    kept = os.listdir(keep) if keep is not None and os.path.isdir(keep) else []
    if any(os.path.getsize(os.path.join(keep or "", name)) for name in kept):
        note(f"what bad runs printed is in {keep}")


def _set_rates(options: Namespace) -> None:
    for name in ("false_alarms", "misses"):
        if getattr(options, name) is None:
            setattr(options, name, 0.1)
        elif options.confidence is None:
            raise BadParameter(f"--{name.replace('_', '-')} needs --confidence")


def _flags(options: Namespace) -> tuple[list[str], dict[str, tuple[str, str]] | None]:
    if (options.flags is None) == (options.env is None):
        raise BadParameter("give either --flags FILE or --env NAMES")
    if options.flags is not None:
        return of_file(options.flags), None
    names = of_environment(options.env)
    return [name for name, _ in names], {name: (name, value) for name, value in names}


def _oracle(
    options: Namespace, flags: list[str], env: dict[str, tuple[str, str]] | None, keep: str | None
) -> CommandOracle:
    from mistakebound.teachers.command import CommandOracle

    first = 1
    if keep is not None and os.path.isdir(keep):  # what a killed hunt has begun may still be written
        numbers = [name.partition("-")[2].removesuffix(".txt") for name in os.listdir(keep)]
        first += max([0, *(int(number) for number in numbers if number.isdecimal())])
    return CommandOracle(
        options.command, flags, env=env, timeout=options.timeout, setup=options.setup, keep=keep, first=first
    )


def _hunted(options: Namespace) -> dict[str, Any]:
    """What makes another hunt of it."""
    return {"command": options.command, "env": options.env, "setup": options.setup}


class Progress:
    """A line for each run: what was on, what came of it, how much is still possible."""

    def __init__(self, options: Namespace, n: int) -> None:
        self.runs = 0
        self.is_terminated = False
        self._quiet = options.quiet
        self._log = options.log
        self._n = n
        self._first = True

    def terminated(self, number: int, frame: FrameType | None) -> None:
        """A signal to end is taken as Ctrl-C is: what is under way is ended first."""
        self.is_terminated = True
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    def show(self, run: Run, course: Course) -> None:
        self.runs = run.number
        if self._quiet:
            return
        if self._first and course.resumed:
            note(f"continuing from {self._log}: {course.resumed} runs are done")
        self._first = False
        spent = "" if run.seconds is None else f" ({run.seconds:.2g} s)"
        to_go = course.to_go()
        left = f"; {course.bits():.1f} bits left, about {to_go} to go" if to_go else ""
        note(f"run {run.number}: {len(run.on)} of {self._n} on: {run.answer}{spent}{left}")


def of_file(path: str) -> list[str]:
    """The lines that are not empty; what stands in one is one argument of the command, blanks and all."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        raise MistakeboundError(f"{path}: {error.strerror or error}") from error
    names = []
    for at, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), 1):
        name = line.removesuffix("\r")
        if "\0" in name:
            raise BadData("a flag has a zero byte in it", source=path, line=at)
        if name.strip():
            names.append(name)
    return names


def of_environment(text: str) -> list[tuple[str, str]]:
    """
    >>> of_environment("FAST, CACHE,TRACE=2")
    [('FAST', '1'), ('CACHE', '1'), ('TRACE', '2')]
    """
    found = []
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if not part.strip():
            continue
        if not name or "\0" in part:
            raise BadParameter(f"--env must be names or NAME=VALUE, separated by commas: {part!r}")
        found.append((name, value if equals else "1"))
    return found
