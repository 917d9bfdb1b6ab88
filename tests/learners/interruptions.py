"""Exceptions that arrive in the middle of a call, at every place where one can: for the tests of whole trials.

CPython looks for signals when a function begins (RESUME), when a loop turns (JUMP_BACKWARD) and after a call; memory
may run out at any allocation.  A moment is one of these places, by its number in the order in which a call passes them.
"""

from __future__ import annotations

import dis
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import mistakebound as mb
from mistakebound.core import attributes
from mistakebound.core.errors import BadData, BadParameter, NoConsistentHypothesis
from mistakebound.core.ledger import Ledger

try:
    import _testcapi
except ImportError:  # some builds of Python have none
    _testcapi = None  # type: ignore[assignment]

CAN_RUN_OUT_OF_MEMORY = _testcapi is not None
Call = Callable[[], Any]
Arrive = Callable[[Call, int], str]
_where: list[str] = []  # the last exception arrived
_FOLDER = tempfile.TemporaryDirectory()
_ENOUGH = 100  # allocations that may fail without a word, one after the other, before we think that there are no more
_SMALL = {"FIRST_DENSE": 128, "FIRST_PLACES": 16, "FIRST_TEXTS": 8}


RAISED, SWALLOWED, NOT_REACHED = "raised", "swallowed", "not reached"


class Arrived(KeyboardInterrupt):
    """What a signal handler raised."""


def small_tables(monkeypatch: Any) -> None:
    """A few names are enough to change the layout of a table, and arrays are short."""
    for name, value in _SMALL.items():
        monkeypatch.setattr(attributes, name, value)


def at_events(call: Call, moment: int, again: int = 0) -> str:
    """Raise at the given call or return of a function (and once more, so many later)."""
    seen, due = 0, [moment, moment + again] if again else [moment]

    def watch(frame: Any, event: str, arg: Any) -> None:
        nonlocal seen
        if event in ("call", "return", "c_return") and not _in_lock(frame, event):
            seen += 1
            if seen == due[0]:
                due.pop(0)
                if due:
                    _rearm(watch)
                raise Arrived

    came = _came(call, lambda: sys.setprofile(watch), lambda: sys.setprofile(None))
    return came if came == RAISED or seen >= moment else NOT_REACHED


def _in_lock(frame: Any, event: str) -> bool:
    """No signal arrives when a function of Python returns: a lock that it has acquired stands in a `with` then."""
    return event == "return" and frame.f_code.co_filename.endswith("_call_lock.py")


def _rearm(watch: Any) -> None:
    """A profile function that raises is taken away: whoever is told of the exception first puts it back."""
    signal.signal(signal.SIGALRM, lambda *_: sys.setprofile(watch))
    signal.raise_signal(signal.SIGALRM)


@cache
def _turns(code: Any) -> frozenset[int]:
    """The offsets of instructions that turn a loop."""
    return frozenset(step.offset for step in dis.get_instructions(code) if "JUMP_BACKWARD" in step.opname)


def at_turns(call: Call, moment: int) -> str:
    """Raise where a loop turns for the moment-th time."""
    seen = 0

    def local(frame: Any, event: str, arg: Any) -> Any:
        nonlocal seen
        if event == "opcode" and frame.f_lasti in _turns(frame.f_code):
            seen += 1
            if seen == moment:
                raise Arrived
        return local

    def begin(frame: Any, event: str, arg: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return local

    came = _came(call, lambda: sys.settrace(begin), lambda: sys.settrace(None))
    return came if came == RAISED or seen >= moment else NOT_REACHED


def at_allocations(call: Call, moment: int) -> str:
    """Let the moment-th allocation fail."""
    return _came(call, lambda: _testcapi.set_nomemory(moment, moment + 1), _testcapi.remove_mem_hooks)


def _came(call: Call, begin: Callable[[], None], end: Callable[[], None]) -> str:
    try:
        try:
            begin()
            call()
        finally:
            end()
    except (Arrived, Exception) as error:  # want of memory has many names: MemoryError, "can't allocate lock", ...
        end()
        frames = traceback.extract_tb(error.__traceback__)
        _where[:] = [f"{Path(frame.filename).stem}:{frame.lineno}" for frame in frames[-7:]]
        return RAISED
    return SWALLOWED


# What a learner is, as a model file has it, and what it does from there.


def model(learner: Any) -> bytes:
    """The model file, or what it has learned where it cannot be saved (yet)."""
    path = Path(_FOLDER.name) / "model"
    try:
        learner.save(path)
    except BadParameter:
        return repr(learner._form()).encode()
    mb.load(path)
    return path.read_bytes()


def played(learner: Any, trials: Sequence[Any]) -> list[Any]:
    """What it says in these trials; an error of ours by its text."""
    said: list[Any] = []
    for x, y in trials:
        try:
            said.append(learner.predict_one(x))
            said.append(learner.learn_one(x, y))
        except (BadData, NoConsistentHypothesis) as error:
            said.append(repr(error))
    return said


def future(learner: Any, trials: Sequence[Any]) -> tuple[list[Any], bytes]:
    said = played(learner, trials)
    return said, model(learner)


class Subject:
    """A learner, the trials before, and those that it is interrupted in."""

    def __init__(self, make: Callable[[], Any], trials: Sequence[Any], before: Sequence[Any] = ()) -> None:
        self.make = make
        self.trials = trials
        self.before = before

    def prepared(self, trial: int) -> Any:
        learner = self.make()
        for x, y in self.before:
            learner.learn_one(x, y)
        played(learner, self.trials[:trial])
        return learner

    def sweep(self, trial: int, arrive: Arrive, moments: Iterable[int]) -> int:
        """How many exceptions came out of the trial.  It ends where there are no moments any more."""
        x, y = self.trials[trial]
        rest = self.trials[trial + 1 :]
        without, with_it = self.prepared(trial), self.prepared(trial)
        _learn(with_it, x, y)
        ends = [(model(learner), future(learner, rest)) for learner in (without, with_it)]
        _learn(self.prepared(trial), x, y)  # what is imported or made once is there now
        count = in_vain = 0
        for moment in moments:
            learner = self.prepared(trial)
            came = arrive(partial(_learn, learner, x, y), moment)
            now, where = model(learner), f"trial {trial}, moment {moment}, {came} at {' '.join(_where)}"
            assert now in (ends[0][0], ends[1][0]), f"{where}: half a trial"
            assert came == RAISED or now == ends[1][0], f"{where}: the trial is missing"
            later = future(learner, rest)
            assert later in [end[1] for end in ends if end[0] == now], f"{where}: another learner from then on"
            count, in_vain = count + (came == RAISED), 0 if came == RAISED else in_vain + 1
            if came == NOT_REACHED or in_vain == _ENOUGH:
                break
        return count


def _learn(learner: Any, x: Any, y: Any) -> None:
    with suppress(BadData, NoConsistentHypothesis):
        learner.learn_one(x, y)


class Stream:
    """Many trials in one call, which counts them in a ledger."""

    def __init__(self, make: Callable[[], Any], trials: Sequence[Any], learn: Callable[[Any, Sequence[Any], Any], Any]):
        self.make = make
        self.trials = trials
        self.learn = learn

    def after(self, count: int) -> tuple[bytes, dict[str, Any]]:
        """The learner and the ledger after the first trials."""
        learner = self.make()
        ledger = Ledger(getattr(learner, "labels", None))
        with suppress(BadData, NoConsistentHypothesis):
            self.learn(learner, self.trials[:count], ledger)
        return model(learner), ledger.state()

    def sweep(self, arrive: Arrive, moments: Iterable[int]) -> int:
        """How many exceptions came: what was learned is counted, and the rest of the trials leads to the same end."""
        ends = {count: self.after(count) for count in range(len(self.trials) + 1)}
        raised = in_vain = 0
        for moment in moments:
            learner = self.make()
            ledger = Ledger(getattr(learner, "labels", None))

            def call(learner: Any = learner, ledger: Ledger = ledger) -> None:
                with suppress(BadData, NoConsistentHypothesis):
                    self.learn(learner, self.trials, ledger)

            came = arrive(call, moment)
            where = f"moment {moment}, {came} at {' '.join(_where)}"
            state = ledger.state() | {"inconsistency": None}
            expected = ends[ledger.trials]
            assert (model(learner), state) == (expected[0], expected[1] | {"inconsistency": None}), where
            if came == RAISED and state["trials"] < len(self.trials):
                with suppress(BadData, NoConsistentHypothesis):
                    self.learn(learner, self.trials[ledger.trials :], ledger)
                last = ends[len(self.trials)]
                assert (model(learner), ledger.state()) == last, f"{where}: another end"
            raised, in_vain = raised + (came == RAISED), 0 if came == RAISED else in_vain + 1
            if came == NOT_REACHED or in_vain == _ENOUGH:
                break
        return raised
