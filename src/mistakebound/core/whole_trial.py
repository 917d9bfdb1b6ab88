"""A trial happens whole or not at all, whatever exception arrives in the middle of it: the rule, and its one tool.

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

from collections import deque
from itertools import starmap
from operator import call

from mistakebound.core.errors import NoConsistentHypothesis
from mistakebound.kernels import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger

    Change = tuple[Any, ...]  # a function of compiled code, and what it is called with


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


if not compiled():
    from mistakebound.kernels._in_one_step import in_one_step

    commit = in_one_step(commit)


def learn_and_record(learner: Any, ledger: Ledger, x: Any, label: Any, prediction: Any, weight: float = 1.0) -> None:
    """A trial of one instance, counted: it is learned and stands in the ledger, or neither.

    A label that no hypothesis fits is counted too.  Of a learner of another make it is not known whether it has learned
    when an exception comes out of it: then that is not counted.
    """
    counted, learned = ledger.trials, False
    learner.trial_begins()
    try:
        if weight == 1.0:
            learner.learn_one(x, label)
        else:
            learner.learn_one(x, label, weight=weight)
        learned = True
        ledger.record(label, prediction)
    except BaseException as error:
        try:
            if ledger.trials == counted and (learned or learner.trial_taken() or _heard(error)):
                ledger.record(label, prediction)
        except BaseException:
            if ledger.trials == counted and (learned or learner.trial_taken() or _heard(error)):
                ledger.record(label, prediction)
            raise
        raise


def _heard(error: BaseException) -> bool:
    return isinstance(error, NoConsistentHypothesis)
