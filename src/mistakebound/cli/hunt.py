"""Find the few flags that make a command fail, in as few runs as possible.

  mistakebound hunt flags options.txt -- ./build.sh {}
  mistakebound hunt reduce crash.c --match 'internal error' -- gcc -c {}
  mistakebound hunt git v1.0..main -- make check
  mistakebound hunt flags tests.txt -- pytest -q @{file} test_victim.py
{} becomes the flags that are on (reduce: the file), {file} a file of them.
Exit status 0 is good, 1-124 bad, 125 cannot tell, 126 and above stop it.
"""

from __future__ import annotations

import json
import os
import signal
from contextlib import ExitStack

from mistakebound.cli.commands import note, say
from mistakebound.cli.hunt_modes import MODES, seconds
from mistakebound.cli.options import add, whole
from mistakebound.cli.outputs import FOLDER
from mistakebound.core.errors import (
    AnotherHunt,
    AssumptionRefuted,
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
    from mistakebound.hunting.reduction import Structure
    from mistakebound.hunting.result import Hunt, Run
    from mistakebound.teachers.command import CommandOracle


_ENDED, _INTERRUPTED, _TERMINATED = 18, 130, 143
_EXIT_CODES = """0 found, 2 usage, 5 --kind or --culprits refuted (the result is printed),
10 no flags, 11 a flag given twice, 12 no such command, 13 good with all
flags on, 14 bad with all flags off, 15 log of another hunt, 16 the command
stopped the hunt, 17 the command cannot tell, 18 ended by --max-runs or
--budget (the smallest failing set is printed), 130 interrupted."""
_MODES = """flags FILE: one flag per line (-: standard input); env A,B,C=2: variables;
reduce FILE: the lines, then the characters of a file; git BASE..HEAD:
commits; compiler 'gcc -O2': what it turns on and -O0 does not."""


INPUTS = ("what", "requires", "known_bad", "known_good", "prior", "run_costs")
OUTPUTS = {"log": "hunt log"}


def more_outputs(options: Namespace) -> Iterator[tuple[str, str, str | None]]:
    """The folder of what bad runs print, and the reduced file."""
    if options.mode == "reduce":
        yield "what", out_of(options), None
    if options.log is not None:
        yield "log", _folder_of(options.log), FOLDER
        if options.mode == "reduce":
            yield "log", log_of_characters(options.log), "hunt log"


def _folder_of(log: str) -> str:
    return f"{log}.output"


def log_of_characters(log: str) -> str:
    return f"{log}.characters"


def out_of(options: Namespace) -> str:
    """The name of the reduced file."""
    stem, extension = os.path.splitext(options.what)
    return f"{stem}.reduced{extension}"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("mode", choices=MODES, metavar="MODE", help="flags, env, reduce, git or compiler (--help-all)")
    parser.add_argument("what", metavar="WHAT", help="file, variables, range of commits, or compiler")
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="command to run, after --")
    parser.add_argument("--jobs", type=whole, default=1, metavar="N", help="parallel runs (default: 1)")
    parser.add_argument("--log", metavar="FILE", help="log of all runs; the same hunt continues from it")
    parser.add_argument("--one", action="store_true", help="stop at the first minimal failing set")
    parser.add_argument(
        "--confidence", type=number, metavar="P", help="for flaky commands: repeat runs until P is reached"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the plan without running anything")
    add(parser, "json", "quiet")
    parser.add_argument_group("modes", _MODES)
    group = parser.add_argument_group("assumptions")
    group.add_argument(
        "--kind", choices=("auto", "any", "all"), default="auto",
        help="any one culprit, or all together (default: auto)",
    )  # fmt: skip
    group.add_argument("--culprits", type=whole, metavar="K", help="number of culprits, if known")
    group.add_argument(
        "--false-alarms", type=number, metavar="RATE", help="maximum failure rate of good sets (default: estimate)"
    )
    group.add_argument(
        "--misses", type=number, metavar="RATE", help="maximum pass rate of bad sets (default: estimate)"
    )
    group.add_argument("--requires", metavar="FILE", help="lines FLAG<tab>NEEDED...: which flags need which")
    group.add_argument("--known-bad", metavar="FILE", help="flags of a bad set: hunt among these only")
    group.add_argument("--known-good", metavar="FILE", help="flags of a good set: on in every run")
    group.add_argument("--prior", metavar="FILE", help="lines FLAG<tab>NUMBER: how likely it is, others being 1")
    group.add_argument(
        "--run-costs", metavar="FILE", help="lines FLAG<tab>NUMBER: what it adds to a run, which costs 1"
    )
    group = parser.add_argument_group("runs", "{dir} is an empty folder of each run, {job} its number of --jobs.")
    add(group, "timeout")
    group.add_argument("--setup", metavar="CMD", help="shell command to run before each run")
    group.add_argument("--max-runs", type=whole, metavar="N", help="end after N runs")
    group.add_argument("--budget", type=seconds, metavar="TIME", help="end after TIME: seconds, or as 10m, 2h")
    group.add_argument("--no-verify", action="store_true", help="skip the runs that verify the result")
    group = parser.add_argument_group("verdict of a run")
    group.add_argument("--match", metavar="REGEX", help="bad if the output matches; other failures cannot tell")
    group.add_argument("--bad-codes", metavar="LIST", help="bad exit codes, as 1,3-5; other failures cannot tell")
    group.add_argument("--skip-codes", metavar="LIST", help="exit codes that cannot tell, beside 125")
    group.add_argument("--crash-is-bad", action="store_true", help="count runs that a signal ends as bad")
    group.add_argument(
        "--on-timeout", choices=("bad", "skip"), default="bad", help="runs beyond --timeout: bad, or cannot tell"
    )
    group.add_argument("--invert", action="store_true", help="exchange good and bad")
    group.add_argument(
        "--measure", choices=("seconds", "output"), help="bad if time or last number printed exceeds --threshold"
    )
    group.add_argument("--threshold", metavar="X", help="for --measure: a number, or auto from all on and off")
    group = parser.add_argument_group("reduce", "The reduced file is NAME.reduced.EXT.")
    group.add_argument(
        "--by", choices=("lines", "characters"), default="characters", help="smallest unit (default: characters)"
    )
    parser.add_argument_group("exit codes", _EXIT_CODES)


def run(options: Namespace) -> int:
    progress = HuntProgress(options)
    try:
        return _run(options, progress)
    except KeyboardInterrupt:
        runs = "1 run" if progress.runs == 1 else f"{progress.runs} runs"
        kept = f"; run the same command to continue from {options.log}" if options.log else ""
        note(f"interrupted after {runs}{kept}")
        code = _TERMINATED if progress.is_terminated else _INTERRUPTED
        _say_error(options, progress, "interrupted", f"interrupted after {runs}", code)
        return code
    except HuntError as error:
        note(*str(error).split("\n"))  # what the command printed last may be in it
        progress.runs = max(progress.runs, error.runs)
        _say_error(options, progress, type(error).__name__, str(error), error.exit_code)
        if not isinstance(error, AnotherHunt):
            _say_where(progress.keep)
        return error.exit_code
    except MistakeboundError as error:
        _say_error(options, progress, type(error).__name__, str(error), error.exit_code)
        raise


def _say_error(options: Namespace, progress: HuntProgress, kind: str, text: str, code: int) -> None:
    if options.json:
        print(json.dumps({"error": kind, "text": text, "exit_code": code, "runs": progress.runs}))


def _say_where(keep: str | None) -> None:
    """There is no result that would say where the output of bad runs is."""
    kept = os.listdir(keep) if keep is not None and os.path.isdir(keep) else []
    if any(os.path.getsize(os.path.join(keep or "", name)) for name in kept):
        note(f"the output of bad runs is in {keep}")


def _run(options: Namespace, progress: HuntProgress) -> int:
    from mistakebound.cli.hunt_modes import hunted_flags, oracle_of, rules_of
    from mistakebound.cli.hunt_report import as_text, dry_run, save_script
    from mistakebound.hunting.hunt import check_flags, check_settings

    _check_rates(options)
    _check_modes(options)
    rules = rules_of(options)
    progress.keep = None if options.log is None else _folder_of(options.log)
    if options.mode == "reduce":
        from mistakebound.cli.hunt_reduce import reduce

        return reduce(options, rules, progress)
    with ExitStack() as stack:
        oracle = oracle_of(options, rules, progress.keep)
        stack.callback(oracle.close)
        flags = hunted_flags(options, oracle)
        check_flags(flags)
        check_settings(options.kind, options.culprits, len(flags), options.jobs)
        if options.dry_run:
            say(*dry_run(options, flags, oracle))
            return 0
        found = hunt_once(options, oracle, flags, progress, options.log)
        script = save_script(oracle, found, progress.keep)
        if options.json:
            said = found.as_json()
            if progress.keep is None:  # what bad runs printed is removed at the end
                said["failed"] = [{"run": run["run"], "output": None} for run in said["failed"]]
            print(json.dumps(said | {"command": oracle.words(oracle.on(found.smallest)), "script": script}))
        else:
            say(*as_text(options, found, oracle, script, progress.keep))
    return exit_code(found)


def exit_code(found: Hunt) -> int:
    codes = {"refuted": AssumptionRefuted.exit_code, "cannot tell": CannotTell.exit_code, "ended": _ENDED}
    return codes.get(found.verdict.kind, 0)


def hunt_once(
    options: Namespace,
    oracle: CommandOracle,
    flags: list[str],
    progress: HuntProgress,
    log: str | None,
    structure: Structure | None = None,
) -> Hunt:
    """One hunt: Ctrl-C and a signal to end are taken in order, and no folder is left behind."""
    from tempfile import TemporaryDirectory

    from mistakebound.cli.hunt_modes import head_of, numbers, requires_of
    from mistakebound.cli.hunt_report import calibrate
    from mistakebound.hunting.hunt import hunt
    from mistakebound.teachers.processes import ORPHANS

    before = signal.signal(signal.SIGTERM, progress.terminated)
    with ExitStack() as stack:
        stack.callback(signal.signal, signal.SIGTERM, before)
        if oracle.keep is None:
            oracle.keep = stack.enter_context(TemporaryDirectory(prefix="mistakebound-hunt-"))
            stack.enter_context(ORPHANS.folder(oracle.keep))
        head = head_of(options, oracle.rules)
        if options.threshold == "auto":
            calibrate(oracle, flags, log, head)
        progress.begin(len(flags), log)
        return hunt(
            oracle, flags, options.kind, options.confidence, k=options.culprits, false_alarms=options.false_alarms,
            misses=options.misses, verify=not options.no_verify, one=options.one, structure=structure,
            requires=requires_of(options, oracle), prior=numbers(options.prior), run_costs=numbers(options.run_costs),
            max_runs=options.max_runs,
            budget=options.budget, jobs=options.jobs, log=log, hunted=head, watch=progress.show,
        )  # fmt: skip


def _check_rates(options: Namespace) -> None:
    for name in ("false_alarms", "misses"):
        if getattr(options, name) is not None and options.confidence is None:
            raise BadParameter(f"--{name.replace('_', '-')} needs --confidence")


def _check_modes(options: Namespace) -> None:
    only: dict[str, tuple[Any, tuple[str, ...]]] = {
        "--requires": (options.requires, ("flags", "env", "git", "compiler")),
        "--known-good": (options.known_good, ("flags",)), "--known-bad": (options.known_bad, ("flags",)),
        "--prior": (options.prior, ("flags", "env", "git", "compiler")),
        "--run-costs": (options.run_costs, ("flags", "env", "git", "compiler")),
    }  # fmt: skip
    for name, (value, modes) in only.items():
        if value is not None and options.mode not in modes:
            raise BadParameter(f"{name} is for {' and '.join(modes)}, not for {options.mode}")


class HuntProgress:
    """A line for each run: what was on, what came of it, how much is still possible."""

    def __init__(self, options: Namespace) -> None:
        self.runs = 0
        self.is_terminated = False
        self.keep: str | None = None
        self._quiet = options.quiet
        self._log: str | None = None
        self._n = 0
        self._first = True

    def begin(self, n: int, log: str | None) -> None:
        self._n, self._log, self._first = n, log, True

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
