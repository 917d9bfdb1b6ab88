"""The same examples over and over, until a pass without a mistake: how perceptron training stops."""

from __future__ import annotations

import os

from mistakebound.arena.play import new_ledger, play
from mistakebound.core.errors import BadParameter
from mistakebound.core.foreign import is_path
from mistakebound.core.ledger import Ledger
from mistakebound.io.fingerprint import SameFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def play_passes(learner: Any, examples: Any, max_passes: int, *, assume: dict[str, Any] | None = None) -> Ledger:
    """Play examples (a pair (X, y), a list of (x, y), the name of a file) until a pass has no mistake, or max_passes.

    One ledger counts the trials of all passes; `ledger.passes` says how many there were.  A mistake-bounded learner
    makes no more mistakes over all passes than its bound, so on a fitting target it stops by itself.

    >>> import mistakebound as mb
    >>> conjunction = [([0, 0], -1), ([0, 1], -1), ([1, 0], -1), ([1, 1], 1)]
    >>> ledger = play_passes(mb.Perceptron(), conjunction, max_passes=100)
    >>> ledger.passes < 100, ledger.mistake_trials[-1] <= ledger.trials - 4
    (True, True)
    """
    if max_passes < 1:
        raise BadParameter(f"max_passes must be >= 1: {max_passes!r}")
    file = is_path(examples)
    if not file and not isinstance(examples, (tuple, list)):
        raise BadParameter(f"examples must be something that can be played again: {type(examples).__name__}")
    ledger = new_ledger(learner)
    same = SameFiles([os.fspath(examples)] if file else [])
    for number in range(1, max_passes + 1):
        if number > 1:
            same.check()
        before = ledger.mistakes
        play(learner, examples, assume=assume, ledger=ledger)
        ledger.passes = number
        if ledger.mistakes == before or ledger.inconsistency is not None:
            break
    return ledger
