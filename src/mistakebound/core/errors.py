"""What can go wrong, and the exit code that each kind has on the command line."""

from __future__ import annotations


class MistakeboundError(Exception):
    """Anything that this package raises on purpose."""

    exit_code = 1


class BadParameter(MistakeboundError, ValueError):
    """A parameter outside its declared range: the name, the rule, the value.

    >>> raise BadParameter("alpha must be > 1: 0.5")
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: alpha must be > 1: 0.5
    """

    exit_code = 2


class BadData(MistakeboundError, ValueError):
    """An instance or a label that means nothing here: where it stands, what was wrong, the text.

    >>> str(BadData("attribute 'x' is not a number", source="events.svm", line=17, text="1 x:1"))
    "events.svm:17: attribute 'x' is not a number: '1 x:1'"
    """

    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        text: str | None = None,
        row: int | None = None,
    ) -> None:
        message = _shortened(message)
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.text = text
        self.row = row

    def __str__(self) -> str:
        where = ""
        if self.source is not None:
            where = f"{self.source}:{self.line}: " if self.line is not None else f"{self.source}: "
        elif self.row is not None:
            where = f"row {self.row}: "
        return where + self.message + (f": {self.text!r}" if self.text is not None else "")


def _shortened(message: str) -> str:
    """A label or a name in the message may be as long as the file."""
    return message if len(message) <= 500 else f"{message[:300]} ... {message[-100:]}"


class BadModel(MistakeboundError, ValueError):
    """A model file that is truncated, altered, foreign or newer than this program."""

    exit_code = 4


class AssumptionRefuted(MistakeboundError):
    """More mistakes than a theorem allows: one of the things assumed is false (`learn --strict`)."""

    exit_code = 5


class NoConsistentHypothesis(MistakeboundError):
    """The labels seen so far fit no concept of the learner's class; the learner's state is as before the trial."""

    def __init__(self, message: str, *, trial: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.trial = trial
        self.line: int | None = None  # of the row, where it came from a stream

    def __str__(self) -> str:
        return self.message if self.trial is None else f"trial {self.trial}: {self.message}"


class Diverged(MistakeboundError):
    """Training left the finite numbers; the learner has the last weights that were good."""


class LearnerBusy(MistakeboundError, RuntimeError):
    """A call on a learner by a thread that is in the middle of another one on it; nothing was done."""

    def __init__(
        self,
        message: str = "this thread is in the middle of another call on the same learner, which must end first: "
        "a signal handler, an instance or a label cannot call the learner that is at work on it",
    ) -> None:
        super().__init__(message)
