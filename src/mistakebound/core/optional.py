"""Libraries that only some features need: imported there, and named in a sentence where they are missing."""

from __future__ import annotations

from importlib import import_module

from mistakebound.core.errors import MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def scipy_module(name: str, what: str) -> Any:
    """A module of SciPy, or an error that says what needs it.

    Parameters
    ----------
    name : str
        Its name within SciPy, such as "special".
    what : str
        The feature that needs it, as the subject of a sentence ("the chi-squared test of decision trees").

    Examples
    --------
    >>> round(float(scipy_module("special", "this example").gammaln(5.0)), 4)
    3.1781
    """
    try:
        return import_module(f"scipy.{name}")
    except ModuleNotFoundError:
        raise MistakeboundError(f"{what} needs SciPy: pip install 'mistakebound[scipy]'") from None
