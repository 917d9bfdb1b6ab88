"""How many threads read, and whether somebody looks."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LARGE = 1 << 22  # bytes from which a second thread pays for its start


def threads_for(reader: Any, wanted: int | None) -> int:
    """As many as asked for; by default one for a small file, and the cores that we may use for a large one."""
    return threads_for_bytes(reader.progress()[1], wanted)


def threads_for_bytes(total: int | None, wanted: int | None) -> int:
    if wanted is not None:
        return wanted
    if total is not None and total < _LARGE:
        return 1
    return min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def progress_for(reader: Any, ledger: Any, **more: Any) -> Any:
    """A live bar on the terminal; nothing where nobody looks."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    from mistakebound.cli.progress import Progress

    return Progress(reader, ledger, **more)
