"""What can go wrong, and the exit code that each kind has on the command line."""

from __future__ import annotations

_SHOWN = 80  # characters of a value in a message
_LONGEST = 1000  # characters of a message, whatever is in it


def shown(value: object) -> str:
    """A value as a message quotes it, cut where it is long.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ... aaaaaaaaaaaaaaaaaaaaaaaa'"
    >>> shown({"eta": 0.5}), shown(10**5000)
    ("{'eta': 0.5}", 'a number of 16610 bits')
    """
    try:
        return cut(repr(value), _SHOWN)
    except ValueError:  # a whole number of more digits than Python writes
        return f"a number of {value.bit_length()} bits" if isinstance(value, int) else f"a {type(value).__name__}"
    except RecursionError:
        return f"a {type(value).__name__}"


def named(name: str) -> str:
    """The name of a file that another file holds: as it is where it can be written so, else quoted.

    >>> named("rows.svm"), named("two\\nlines")
    ('rows.svm', "'two\\\\nlines'")
    """
    return cut(name, 200) if name.isprintable() else shown(name)


def cut(text: str, most: int) -> str:
    """A text of at most so many characters: its start and its end, where it is longer.

    >>> cut("from the start to the end", 20)
    'from the s ... e end'
    """
    if len(text) <= most:
        return text
    end = (most - 5) // 3
    return f"{text[: most - 5 - end]} ... {text[len(text) - end :]}"


class MistakeboundError(Exception):
    """The base class of everything that this package raises on purpose.

    Its message is one sentence and never long; `exit_code` is what the command line ends with.

    Examples
    --------
    >>> import mistakebound as mb
    >>> try:
    ...     mb.Winnow1(alpha=0.5)
    ... except mb.MistakeboundError as error:
    ...     print(type(error).__name__, error.exit_code)
    BadParameter 2
    """

    exit_code = 1

    def __str__(self) -> str:
        return cut(super().__str__(), _LONGEST)


class BadParameter(MistakeboundError, ValueError):
    """A parameter outside its declared range: the name, the rule, the value.

    Examples
    --------
    >>> raise BadParameter("alpha must be > 1: 0.5")
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: alpha must be > 1: 0.5
    """

    exit_code = 2


class BadData(MistakeboundError, ValueError):
    """An instance or a label that means nothing here: where it stands, what was wrong, the text.

    Parameters
    ----------
    message : str
        What was wrong.
    source : str or None, default None
        The file.
    line : int or None, default None
        The line of the file, from 1.
    text : str or None, default None
        What stands there.
    row : int or None, default None
        The row of an array, from 0.

    Examples
    --------
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
        message = cut(message, _LONGEST // 2)  # a label or a name in it may be as long as the file
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
        return where + self.message + (f": {cut(repr(self.text), _LONGEST // 2)}" if self.text is not None else "")


class FileChanged(BadData):
    """A file that is read more than once was not the same the second time."""


class BadModel(MistakeboundError, ValueError):
    """A model file that is truncated, altered, foreign or newer than this program.

    Examples
    --------
    >>> import mistakebound as mb
    >>> try:
    ...     mb.load(__file__)
    ... except BadModel as error:
    ...     print(error.exit_code)
    4
    """

    exit_code = 4


class AssumptionRefuted(MistakeboundError):
    """More mistakes than a theorem allows: one of the things assumed is false (`learn --strict`)."""

    exit_code = 5


class NoConsistentHypothesis(MistakeboundError):
    """The labels seen so far fit no concept of the learner's class; the learner's state is as before the trial.

    Parameters
    ----------
    message : str
        Which class it is.
    trial : int or None, default None
        The trial whose label did not fit, from 1.

    Examples
    --------
    >>> import mistakebound as mb
    >>> learner = mb.learners.DisjunctionElimination(2)
    >>> _ = learner.learn_one({"1"}, 0)
    >>> learner.learn_one({"1"}, 1)
    Traceback (most recent call last):
    mistakebound.core.errors.NoConsistentHypothesis: no consistent monotone disjunction
    """

    def __init__(self, message: str, *, trial: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.trial = trial
        self.line: int | None = None  # of the row, where it came from a stream

    def __str__(self) -> str:
        return self.message if self.trial is None else f"trial {self.trial}: {self.message}"


class Diverged(MistakeboundError):
    """A weight or the loss of a training is no longer finite; the learner has the last weights that were good.

    Examples
    --------
    >>> import mistakebound as mb
    >>> try:
    ...     mb.learners.LinearUnit("gradient", eta=10).fit([[1.0], [2.0]], [1.0, 2.0], epochs=1000)
    ... except Diverged:
    ...     print("try a smaller eta")
    try a smaller eta
    """


class LearnerBusy(MistakeboundError, RuntimeError):
    """A call on a learner by a thread that is in the middle of another one on it; nothing was done.

    Parameters
    ----------
    message : str
        What was refused; the default says it in general.

    Examples
    --------
    >>> issubclass(LearnerBusy, RuntimeError)
    True
    """

    def __init__(
        self,
        message: str = "this thread is in the middle of another call on the same learner, which must end first: "
        "a signal handler, an instance or a label cannot call the learner that is at work on it",
    ) -> None:
        super().__init__(message)


class HuntError(MistakeboundError):
    """A hunt ended without a result; `exit_code` says why.

    Examples
    --------
    >>> import mistakebound as mb
    >>> try:
    ...     mb.hunt(lambda flags: True, [])
    ... except HuntError as error:
    ...     print(type(error).__name__, error.exit_code)
    NoFlags 10
    """

    runs = 0  # that were made before

    def __init_subclass__(cls, *, exit_code: int) -> None:
        cls.exit_code = exit_code


class NoFlags(HuntError, exit_code=10):
    """Nothing to choose from."""


class DuplicateFlag(HuntError, exit_code=11):
    """Two flags of one name could not be told apart."""


class CommandMissing(HuntError, exit_code=12):
    """There is no such command, or it cannot be started."""


class NothingToHunt(HuntError, exit_code=13):
    """It is good with all flags on."""


class FailsWithoutFlags(HuntError, exit_code=14):
    """It is bad with all flags off."""


class AnotherHunt(HuntError, exit_code=15):
    """The log is of other flags or of another command."""


class CommandStopped(HuntError, exit_code=16):
    """The command said stop (126 and above), or a signal ended it."""

    output: str | None = None  # the file of what it printed, if that is kept


class CannotTell(HuntError, exit_code=17):
    """The command cannot tell (125) where nothing else can be run instead."""
