"""Compiled loops: buffers in, buffers out.

One .py source each, which also runs uncompiled: all kernels run compiled, or all from source.

MISTAKEBOUND_KERNELS=source    run the .py files (tests, coverage, debugger) even where compiled ones exist
MISTAKEBOUND_KERNELS=compiled  fail instead of falling back (tests, benchmarks)

Kernels are imported by whoever needs one, never here: start-up.
"""

from __future__ import annotations

from mistakebound.kernels._selection import install

_selection = install(__path__[0])


def compiled() -> bool:
    """Whether the kernels run compiled (all do, or none)."""
    return _selection.compiled()


def names() -> list[str]:
    """Every kernel, by module name."""
    return _selection.names()


def build_kind() -> str:
    """How the compiled kernels were built: "plain", "bounds-checked", or "none" where there are none."""
    return _selection.recorded().get("build", "none")


def missing_message() -> str | None:
    """One line when the compiled kernels ought to run and cannot, else None.

    Whoever asks shows it: no warning follows at the first import of a kernel.
    """
    if _selection.want == "source":
        return None
    _selection.told = True
    return _selection.problem()


def __getattr__(name: str) -> bool:
    if name == "COMPILED":
        return compiled()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
