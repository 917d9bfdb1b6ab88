"""Whether somebody looks."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def progress_for(reader: Any, ledger: Any, **more: Any) -> Any:
    """A live bar on the terminal; nothing where nobody looks."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    from mistakebound.cli.progress import Progress

    return Progress(reader, ledger, **more)
