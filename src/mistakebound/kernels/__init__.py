"""Compiled loops: buffers in, buffers out.

One .py source each, which also runs uncompiled: all kernels run compiled, or all from source.

MISTAKEBOUND_KERNELS=source    run the .py files (tests, coverage, debugger) even where compiled ones exist
MISTAKEBOUND_KERNELS=compiled  fail instead of falling back (tests, benchmarks)

Kernels are imported by whoever needs one, never here: start-up.
"""

from __future__ import annotations

import os
import sys

from mistakebound.kernels._selection import Selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from mistakebound.kernels._buffers import Floats as Floats  # what kernels take, for all who call them
    from mistakebound.kernels._buffers import Ints as Ints

    F = TypeVar("F", bound=Callable[..., Any])

_selection = Selection(__path__[0], os.environ.get("MISTAKEBOUND_KERNELS", ""))
sys.path_importer_cache[__path__[0]] = _selection


compiled = _selection.compiled
names = _selection.names


def build_kind() -> str:
    """How the compiled kernels were built: "plain", "bounds-checked", or "none" without compiled kernels."""
    return _selection.recorded().get("build", "none")


def missing_message() -> str | None:
    """One line when the compiled kernels ought to run and cannot, else None.

    Whoever asks shows it: no warning follows at the first import of a kernel.
    """
    if _selection.want == "source":
        return None
    _selection.told = True
    return _selection.problem()


def lock_class() -> Any:
    """The kernel `call_lock`, or what stands in for it where kernels run uncompiled: there threads change anywhere."""
    if compiled():
        from mistakebound.kernels.call_lock import CallLock
    else:
        from mistakebound.kernels._call_lock import CallLock  # type: ignore[assignment]
    return CallLock


def in_one_step(function: F) -> F:
    """A function of calls of kernels that no signal handler interrupts, as none interrupts a compiled kernel."""
    if compiled():
        return function
    from mistakebound.kernels import _in_one_step

    return _in_one_step.in_one_step(function)  # type: ignore[return-value]
