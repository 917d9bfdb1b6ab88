"""What happens whole or not at all: calls on a learner, one at a time; trials; what Ctrl-C must not break into.

A trial happens whole whatever exception arrives in the middle of it: the rule, and its one tool.

CPython looks for signals, whose handlers may raise, when a function begins, after a call, and when a loop turns; and
memory may run out at any allocation.  A straight line of assignments to attributes that are there is not interrupted,
nor is a call of compiled code that calls back no Python.  Hence, for whatever changes a learner, a table or a ledger:

1. Read instance and label, and work everything out, changing nothing.
2. Enter new names; each step of that is whole, and can be taken back (`AttributeTable.truncate`).
3. Change the learner in one step: one call of a kernel, or `commit`.  `_row[0]`, how many rows of those in hand are
   learned, changes in that same step.
4. What follows from it (labels, the ledger) can be done again: each part of it looks whether it was done.

An exception before 3 takes back what 2 entered; one after 3 goes through 4 once more.  Then it is raised again.

Uncompiled kernels, and a `commit` that calls one, are not interrupted either: kernels/_in_one_step.py.
"""

from __future__ import annotations

import signal
from collections import deque
from functools import partial, wraps
from itertools import starmap
from operator import call

from mistakebound.core.errors import LearnerBusy, NoConsistentHypothesis
from mistakebound.kernels import in_one_step, lock_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType
    from typing import Any, TypeVar

    from mistakebound.core.ledger import Ledger
    from mistakebound.kernels.call_lock import CallLock

    Change = tuple[Any, ...]  # a function of compiled code, and what it is called with
    M = TypeVar("M", bound=Callable[..., Any])
else:
    CallLock = lock_class()

new_lock = partial(CallLock, LearnerBusy)


def is_lock(thing: object) -> bool:
    return isinstance(thing, CallLock)


def exclusive(method: M) -> M:
    """A method during which no other call on the same learner takes place."""

    @wraps(method)
    def call(self: Any, /, *args: Any, **options: Any) -> Any:
        with self._lock:
            return method(self, *args, **options)

    return call  # type: ignore[return-value]


def reading(method: M) -> M:
    """The same for a method that changes nothing and needs no buffer of the learner's: it may call others like it."""

    @wraps(method)
    def call(self: Any, /, *args: Any, **options: Any) -> Any:
        with self._lock.reading():
            return method(self, *args, **options)

    return call  # type: ignore[return-value]


@in_one_step
def commit(changes: Sequence[Change]) -> None:
    """Call (function, arguments...) one after the other, in one step that nothing interrupts.

    The functions are of compiled code: setattr, setitem, a kernel.  Only the first may fail, for want of memory.

    >>> class Pair:
    ...     one = two = 0
    >>> pair = Pair()
    >>> commit([(setattr, pair, "one", 1), (setattr, pair, "two", 2)])
    >>> pair.one, pair.two
    (1, 2)
    """
    deque(starmap(call, changes), maxlen=0)


def learn_and_record(learner: Any, ledger: Ledger, x: Any, label: Any, prediction: Any, weight: float = 1.0) -> None:
    """A trial of one instance, counted: it is learned and stands in the ledger, or neither.

    A label that no hypothesis fits is counted too.  Of a learner of another make it is not known whether it has learned
    when an exception comes out of it: then that is not counted.
    """
    counted, learned = ledger.trials, False
    if learner.costs:
        from mistakebound.core.weights import importance_of_one

        counts = importance_of_one(learner, label, weight)
    else:
        counts = weight
    learner.trial_begins()
    try:
        if weight == 1.0:
            learner.learn_one(x, label)
        else:
            learner.learn_one(x, label, weight=weight)
        learned = True
        ledger.record(label, prediction, counts)
    except BaseException as error:
        try:
            if ledger.trials == counted and (learned or learner.trial_taken() or _heard(error)):
                ledger.record(label, prediction, counts)
        except BaseException:
            if ledger.trials == counted and (learned or learner.trial_taken() or _heard(error)):
                ledger.record(label, prediction, counts)
            raise
        raise


def _heard(error: BaseException) -> bool:
    return isinstance(error, NoConsistentHypothesis)


_where_ignored: list[Interrupt] = []  # the outermost first: as elsewhere, that one hears of the signal


class Interrupt:
    """While `later` is true Ctrl-C only makes `pending` true.

    The second one does not wait, unless `patient`: then none gets through.  Where Ctrl-C is ignored, as in a script's
    `command &`, it stays ignored; a `Termination` does the same to it as elsewhere.
    """

    __slots__ = ("_old", "_patient", "later", "pending")

    def __init__(self, *, later: bool = False, patient: bool = False) -> None:
        self._old: Any = None
        self._patient = patient
        self.later = later
        self.pending = False

    def _handler(self, number: int, frame: FrameType | None) -> None:
        self.interrupt()

    def interrupt(self) -> None:
        if not self.later or (self.pending and not self._patient):
            raise KeyboardInterrupt
        self.pending = True

    def __enter__(self) -> Interrupt:
        handler = signal.getsignal(signal.SIGINT)
        try:
            if handler is signal.default_int_handler:
                self._old = signal.signal(signal.SIGINT, self._handler)
            elif handler is signal.SIG_IGN:
                signal.signal(signal.SIGINT, handler)  # changes nothing, and finds out whether it could
                _where_ignored.append(self)
        except ValueError:  # not the main thread: no signal comes here
            pass
        return self

    def __exit__(self, *exc: object) -> None:
        self.later = False
        if self in _where_ignored:
            _where_ignored.remove(self)
        if self._old is not None:
            signal.signal(signal.SIGINT, self._old)


class Termination:
    """Within it SIGTERM and SIGHUP do what Ctrl-C does; `number` is the signal that ended the work.

    A signal that is ignored, as SIGHUP is under nohup, stays ignored.  Where Ctrl-C is, they do what it would do.
    """

    __slots__ = ("_old", "number")

    def __init__(self) -> None:
        self._old: dict[int, Any] = {}
        self.number = int(signal.SIGINT)

    def _handler(self, number: int, frame: FrameType | None) -> None:
        self.number = number
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.raise_signal(signal.SIGINT)
        elif _where_ignored:
            _where_ignored[0].interrupt()
        else:
            raise KeyboardInterrupt

    def __enter__(self) -> Termination:
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                try:
                    self._old[number] = signal.signal(number, self._handler)
                except ValueError:  # not the main thread: no signal comes here
                    break
        return self

    def __exit__(self, *exc: object) -> None:
        for number, old in self._old.items():
            signal.signal(number, old)
