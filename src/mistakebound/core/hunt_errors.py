"""What ends a hunt before there is a result, each with its own exit code."""

from __future__ import annotations

from mistakebound.core.errors import MistakeboundError


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


class CannotTell(HuntError, exit_code=17):
    """The command cannot tell (125) where nothing else can be run instead."""
