"""What ends a hunt before there is a result, each with its own exit code."""

from __future__ import annotations

from mistakebound.core.errors import MistakeboundError


class HuntError(MistakeboundError):
    """There is no result."""


class NoFlags(HuntError):
    """Nothing to choose from."""

    exit_code = 10


class DuplicateFlag(HuntError):
    """Two flags of one name could not be told apart."""

    exit_code = 11


class CommandMissing(HuntError):
    """There is no such command, or it cannot be started."""

    exit_code = 12


class NothingToHunt(HuntError):
    """It is good with all flags on."""

    exit_code = 13


class FailsWithoutFlags(HuntError):
    """It is bad with all flags off."""

    exit_code = 14


class AnotherHunt(HuntError):
    """The log is of other flags or of another command."""

    exit_code = 15


class CommandStopped(HuntError):
    """The command said stop (126 and above), or a signal ended it."""

    exit_code = 16


class CannotTell(HuntError):
    """The command cannot tell (125) where nothing else can be run instead."""

    exit_code = 17
