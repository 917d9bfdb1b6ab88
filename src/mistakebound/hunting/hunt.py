"""Hunt: which few of many flags make it bad?  Found with about as few yes/no answers as information theory allows."""

from __future__ import annotations

from contextlib import ExitStack
from numbers import Integral, Real
from time import monotonic

from mistakebound.core.atomic import Interrupt
from mistakebound.core.errors import BadParameter, CommandStopped, DuplicateFlag, HuntError, NoFlags, shown
from mistakebound.hunting.course import Course
from mistakebound.hunting.decisions import Decisions
from mistakebound.hunting.flaky_course import FlakyCourse
from mistakebound.hunting.log import CANCELLED, HuntLog
from mistakebound.hunting.preferences import Preferences
from mistakebound.hunting.reduction import Structure
from mistakebound.hunting.result import Hunt as Hunt
from mistakebound.hunting.runner import ManyRunner, OneRunner, forget, maker
from mistakebound.hunting.state import bits_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from mistakebound.hunting.result import Run
    from mistakebound.teachers.command import Outcome

KINDS = ("auto", "any", "all")
_MOST_JOBS = 1000
_RATE = 0.1  # of errors, where one is stated and the other is not


def hunt(
    oracle: Any,
    flags: Iterable[str],
    kind: str = "auto",
    confidence: float | None = None,
    *,
    k: int | None = None,
    false_alarms: float | None = None,
    misses: float | None = None,
    verify: bool = True,
    one: bool = False,
    requires: Mapping[str, Iterable[str]] | None = None,
    structure: Structure | None = None,
    prior: Mapping[str, float] | None = None,
    run_costs: Mapping[str, float] | None = None,
    max_runs: int | None = None,
    budget: float | None = None,
    jobs: int = 1,
    log: str | os.PathLike[str] | None = None,
    hunted: dict[str, Any] | None = None,
    watch: Callable[[Run, Course], None] | None = None,
) -> Hunt:
    """Finds the few of many flags that make it bad, with about as few yes/no answers as information theory allows.

    Parameters
    ----------
    oracle : function or object with `ask`
        Says of a set of flags whether it is bad; None: cannot tell.  `mb.teachers.CommandOracle` asks a command.
    flags : iterable of str
        All flags, each with its own name.
    kind : {"auto", "any", "all"}, default "auto"
        Whether one culprit suffices ("any"), it takes all of them together ("all"), or this is to be found out.
    confidence : float or None, default None
        For answers that may be wrong by chance: every set is run until a sequential test decides, and all answers are
        right with at least this probability.  None: every answer is believed.
    k : int or None, default None
        Number of culprits, if known; between 1 and the number of flags.
    false_alarms, misses : float or None, default None
        With a confidence: good sets are bad by chance in at most this share of their runs, bad sets good.  None: 0.1
        if the other one is given, else both are estimated.
    verify : bool, default True
        Run every claim of the result that has not been seen in a run, at the end.
    one : bool, default False
        Stop at the first failing set from which no flag can be taken away.
    requires : mapping or None, default None
        Flag to the flags without which it cannot be on: sets that lack one are not run.  It implies `one`.
    structure : Structure or None, default None
        Which flags stand within which, as the lines of a text do.  It implies `one`.
    prior : mapping or None, default None
        Flag to how likely it is to be a culprit beside the others, each of which counts as 1.
    run_costs : mapping or None, default None
        Flag to what a run costs more with it on, beside a run without flags, which costs 1; others cost nothing.
    max_runs : int or None, default None
        End after so many runs, those of the log counted, with the smallest failing set so far.
    budget : float or None, default None
        End after so many seconds, with the smallest failing set so far.
    jobs : int, default 1
        Runs at the same time, in threads; between 1 and 1,000.
    log : path or None, default None
        Written as it goes, and gone on from when it is there.
    hunted : mapping or None, default None
        Says in the log what is hunted.
    watch : function of (run, course) or None, default None
        Called after every run.

    Returns
    -------
    Hunt
        `culprits`, `kind`, `sets`, `verdict`, `runs`, `bits` and the history.

    Notes
    -----
    Algorithm::

        run all flags on, which must be bad, and all flags off, which must be good
        while a flag is neither cleared nor found:
            run the next flags in order, so many that under the prior the answer is as open as can be
                (they are on for "any"; for "all" they are off and the others on)
            the answer clears them, or says that one of them is a culprit; fewer are tried until it is found
        run what the result claims and no run has shown                (verify)
        if the answers fit neither kind: look for minimal failing sets by delta debugging
        if they cannot be told, or one set is enough: look for one such set, and take "cannot tell" for "not bad"

    Theorem.  Predicting each answer by the weight, mistakes <= log2 C(n, k) + log2(k^2 pi^2 / 6), without the second
    term if k is known, and 1 more if the kind is not.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, Theorem 1 (halving).
    Zeller and Hildebrandt 2002, Simplifying and isolating failure-inducing input.  Wald 1945 (the sequential test).

    Examples
    --------
    >>> import mistakebound as mb
    >>> names = [f"f{i}" for i in range(40)]
    >>> found = mb.hunt(lambda on: {"f7", "f31"} <= on, names)
    >>> found, found.verdict.kind, round(found.bits, 1)
    (<Hunt: the culprits are f7 and f31, together; 19 runs>, 'confirmed', 9.6)
    """
    if not callable(oracle) and not hasattr(oracle, "ask"):
        raise BadParameter(f"the oracle must be a function of a set of names, or have a method ask: {oracle!r}")
    names = check_flags(flags)
    check_settings(kind, k, len(names), jobs)
    check_limits(max_runs, budget)
    if requires is not None:
        structure = Structure(needs=_needs(requires, names))
    one = one or structure is not None
    known = None
    if prior or run_costs:
        known = Preferences(names, prior, run_costs)
        if one:
            raise BadParameter(
                "prior and run_costs are for hunts for all culprits, without one, requires and structure"
            )
    rates = [_RATE if rate is None else rate for rate in (false_alarms, misses)]

    def with_rates(decisions: Decisions) -> Course:
        return Course(names, kind, k, verify, decisions, confidence, one, structure, known)

    course = with_rates(Decisions(len(names), confidence, *rates))
    if confidence is not None and false_alarms is None and misses is None:
        shares = None if known is None else known.shares
        course = FlakyCourse(names, confidence, with_rates, shares, kind=kind, k=k, one=one, structure=structure)
    return _hunted(oracle, course, jobs, log, hunted, watch, max_runs, budget)


def _hunted(
    oracle: Any,
    course: Course,
    jobs: int,
    log: str | os.PathLike[str] | None,
    hunted: dict[str, Any] | None,
    watch: Callable[[Run, Course], None] | None,
    max_runs: int | None,
    budget: float | None,
) -> Hunt:
    """The loop: what is wanted is run and noted, until the course knows all, or a limit is reached."""
    start, ended_by = monotonic(), None
    with ExitStack() as stack:
        book = None if log is None else stack.enter_context(HuntLog(log, course.flags, hunted or {}))
        _go_on_from(book, course)
        make = maker(oracle, course.names)
        stop, name_output = getattr(oracle, "cancel", None), getattr(oracle, "name_output", None)
        runner: Any = OneRunner(make) if jobs == 1 and stop is None else ManyRunner(make, stop)
        stack.callback(runner.close)
        interrupt = stack.enter_context(Interrupt(later=True))  # Ctrl-C is for when it waits: no run is half noted
        stopped: dict[int, CommandStopped] = {}  # of runs ahead of their time, which may never be needed
        while wanted := course.wanted(jobs):
            if wanted[0] in stopped:
                raise stopped[wanted[0]]
            if max_runs is not None and len(course.history) >= max_runs:
                ended_by = "1 run" if max_runs == 1 else f"{max_runs} runs"
                break
            left = None if budget is None else budget - (monotonic() - start)
            finished = None
            if left is None or left > 0:
                _plan(runner, [on for on in wanted if on not in stopped], jobs, course, book, max_runs)
                if not runner.running():  # what was ended has used up the limit
                    continue
                interrupt.later = False
                if interrupt.pending:
                    raise KeyboardInterrupt
                finished = runner.wait(left)
                interrupt.later = True
            if finished is None:
                ended_by = f"{budget:g} seconds"
                break
            if isinstance(finished.error, CommandStopped) and finished.on != wanted[0]:
                stopped[finished.on] = finished.error
                forget(finished.error)
                _note_cancelled(finished.on, course, book)
                continue
            if finished.error is not None:
                raise finished.error
            if name_output is not None:
                name_output(finished.outcome, len(course.history) + 1)
            run = course.record(finished.on, finished.outcome)
            if book is not None:
                outcome = finished.outcome
                book.append(
                    finished.on, run.number, run.answer, exit=outcome.exit_status, seconds=round(outcome.seconds, 3),
                    output=outcome.output, tail=course.tail(finished.on),
                )  # fmt: skip
            _advance(course)
            if watch is not None:
                watch(run, course)
        _end(runner, course, book)
        found = course.result(ended_by)
        if jobs > 1 and found.confidence is None and found.smallest and ended_by is None:
            interrupt.later = False
            _run_alone(make, course, found)
    return found


def _run_alone(make: Callable[..., Outcome], course: Course, found: Hunt) -> None:
    """Runs at the same time may disturb each other: the smallest failing set once more, with no other beside it."""
    on = bits_of((course.flags.index(name) for name in found.smallest), len(course.flags))
    outcome = make(on)
    forget(outcome)  # it has no number among the runs
    if outcome.bad is not True:
        found.notes += (
            "run once more, alone, the smallest failing set was not bad: runs at the same time disturb each other"
            " ({dir} and {job} keep them apart), or the command is flaky (--confidence)",
        )


def _plan(
    runner: Any, wanted: list[int], jobs: int, course: Course, book: HuntLog | None, max_runs: int | None
) -> None:
    """Start what is wanted and not under way, within the limit; end what is under way and no longer wanted."""
    missing = list(wanted)
    for on in runner.running():
        if on in missing:
            missing.remove(on)
        elif on not in wanted and runner.cancel(on):
            _note_cancelled(on, course, book)
    most = jobs if max_runs is None else min(jobs, max_runs - len(course.history))
    for on in missing[: max(0, most - len(runner.running()))]:
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
        if entry["answer"] != CANCELLED:  # step by step, as it went: what was estimated on the way is estimated again
            _advance(course)
    _advance(course)


def _advance(course: Course) -> None:
    try:
        course.advance()
    except HuntError as error:
        error.runs = len(course.history)
        raise


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
            raise DuplicateFlag(f"flags must have different names: {name!r} appears twice")
        seen.add(name)
    return names


def _needs(requires: Mapping[str, Iterable[str]], names: list[str]) -> dict[int, int]:
    numbers = {name: number for number, name in enumerate(names)}
    needs: dict[int, int] = {}
    for name, needed in requires.items():
        for one in (name, *needed):
            if one not in numbers:
                raise BadParameter(f"requires names an unknown flag: {shown(one)}")
        needs[numbers[name]] = bits_of((numbers[one] for one in needed), len(names))
    return needs


def check_limits(max_runs: int | None, budget: float | None) -> None:
    limits: dict[str, tuple[Any, Any]] = {"max_runs": (max_runs, Integral), "budget": (budget, Real)}
    for name, (value, kind) in limits.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, kind) or not value > 0):
            raise BadParameter(f"{name} must be > 0: {shown(value)}")


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
