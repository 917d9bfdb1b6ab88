"""Standard output, which whoever starts a program may have closed."""

from __future__ import annotations

import sys

from mistakebound.core.errors import MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def standard_output() -> TextIO:
    """Where data goes; MistakeboundError when it is closed: Python has None there, which print takes for silence."""
    if sys.stdout is None:
        raise MistakeboundError("there is no standard output")
    return sys.stdout
