"""Hunt: which few of many flags make it bad?  Found with about as few yes/no answers as information theory allows."""

from __future__ import annotations

from contextlib import ExitStack
from numbers import Integral

from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.hunt_errors import DuplicateFlag, NoFlags
from mistakebound.core.interrupt import Interrupt
from mistakebound.hunting.course import Course
from mistakebound.hunting.decisions import Decisions
from mistakebound.hunting.log import CANCELLED, HuntLog
from mistakebound.hunting.result import Hunt as Hunt
from mistakebound.hunting.runner import ManyRunner, OneRunner, maker

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from typing import Any

    from mistakebound.hunting.result import Run

KINDS = ("auto", "any", "all")
_MOST_JOBS = 1000


def hunt(
    oracle: Any,
    flags: Iterable[str],
    kind: str = "auto",
    confidence: float | None = None,
    *,
    k: int | None = None,
    false_alarms: float = 0.1,
    misses: float = 0.1,
    verify: bool = True,
    jobs: int = 1,
    log: str | os.PathLike[str] | None = None,
    hunted: dict[str, Any] | None = None,
    watch: Callable[[Run, Course], None] | None = None,
) -> Hunt:
    """Find the culprits among the flags.

    The oracle is a function of a set of names that says whether it is bad (None: cannot tell), or anything with such a
    method `ask`.  `kind` is "any" (one culprit suffices), "all" (it takes all of them together) or "auto".

    With a `confidence` every set is run until a sequential test decides.  All answers are then right with that
    probability at least, if good sets are bad by chance in at most `false_alarms` of their runs and bad sets good in at
    most `misses`, each run for itself.  `k` is the number of culprits, where it is known.  With `verify` every claim of
    the result that has not been seen in a run is run at the end.  `jobs` runs are made at the same time, in threads.  A
    `log` is written as it goes, and gone on from when it is there; `hunted` says in it what is hunted.  `watch` is
    called after every run.

    >>> import mistakebound as mb
    >>> names = [f"f{i}" for i in range(40)]
    >>> found = mb.hunt(lambda on: {"f7", "f31"} <= on, names)
    >>> found, found.verdict.kind, round(found.bits, 1)
    (<Hunt: it takes all of f7, f31; 19 runs>, 'confirmed', 9.6)
    """
    if not callable(oracle) and not hasattr(oracle, "ask"):
        raise BadParameter(f"the oracle must be a function of a set of names, or have a method ask: {oracle!r}")
    names = check_flags(flags)
    check_settings(kind, k, len(names), jobs)
    course = Course(names, kind, k, verify, Decisions(len(names), confidence, false_alarms, misses), confidence)
    with ExitStack() as stack:
        book = None if log is None else stack.enter_context(HuntLog(log, names, hunted or {}))
        _go_on_from(book, course)
        make = maker(oracle, course.names)
        stop, name_output = getattr(oracle, "cancel", None), getattr(oracle, "name_output", None)
        runner: Any = OneRunner(make) if jobs == 1 and stop is None else ManyRunner(make, stop)
        stack.callback(runner.close)
        interrupt = stack.enter_context(Interrupt(later=True))  # Ctrl-C is for when it waits: no run is half noted
        while wanted := course.wanted(jobs):
            _plan(runner, wanted, jobs, course, book)
            interrupt.later = False
            if interrupt.pending:
                raise KeyboardInterrupt
            finished = runner.wait()
            interrupt.later = True
            if name_output is not None:
                name_output(finished.outcome, len(course.history) + 1)
            run = course.record(finished.on, finished.outcome)
            if book is not None:
                outcome = finished.outcome
                book.append(
                    finished.on, run.number, run.answer, exit=outcome.exit_status, seconds=round(outcome.seconds, 3),
                    output=outcome.output,
                )  # fmt: skip
            course.advance()
            if watch is not None:
                watch(run, course)
        _end(runner, course, book)
    return course.result()


def _plan(runner: Any, wanted: list[int], jobs: int, course: Course, book: HuntLog | None) -> None:
    """Start what is wanted and not under way; end what is under way and no longer wanted."""
    missing = list(wanted)
    for on in runner.running():
        if on in missing:
            missing.remove(on)
        elif on not in wanted and runner.cancel(on):
            _note_cancelled(on, course, book)
    for on in missing[: jobs - len(runner.running())]:
        runner.start(on)


def _end(runner: Any, course: Course, book: HuntLog | None) -> None:
    """Runs that were begun ahead of their time, and are under way when all is known, are executions too."""
    for on in runner.running():
        runner.cancel(on)
        _note_cancelled(on, course, book)


def _note_cancelled(on: int, course: Course, book: HuntLog | None) -> None:
    run = course.cancelled(on)
    if book is not None:
        book.append(on, run.number, CANCELLED)


def _go_on_from(book: HuntLog | None, course: Course) -> None:
    for entry in [] if book is None else book.lines:
        course.replay(entry)
    course.advance()


def check_flags(flags: Iterable[str]) -> list[str]:
    """The names, each of them once."""
    if isinstance(flags, str):
        raise BadParameter(f"flags must be a list of names: {flags!r}")
    names = list(flags)
    for name in names:
        if not isinstance(name, str):
            raise BadParameter(f"flags must be texts, as the oracle is asked about sets of texts: {name!r}")
    if not names:
        raise NoFlags("there are no flags to hunt among")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DuplicateFlag(f"every flag must have its own name: {name!r} stands there twice")
        seen.add(name)
    return names


def check_settings(kind: str, k: int | None, n: int, jobs: int) -> None:
    if kind not in KINDS:
        raise BadParameter(f"kind must be one of {', '.join(KINDS)}: {kind!r}")
    numbers: dict[str, Any] = {"k": k, "jobs": jobs}
    for name, value in numbers.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, Integral)):
            raise BadParameter(f"{name} must be a whole number: {value!r}")
    if k is not None and not 1 <= k <= n:
        raise BadParameter(f"k must be >= 1 and at most the number of flags, {n}: {k!r}")
    if jobs < 1:
        raise BadParameter(f"jobs must be >= 1: {jobs!r}")
    if jobs > _MOST_JOBS:
        raise BadParameter(f"jobs must be <= {_MOST_JOBS}: {shown(jobs)}")
