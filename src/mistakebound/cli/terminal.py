"""Whether somebody looks, and what is shown then: how far a reader is, or how many steps are done."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def progress_for(reader: Any, ledger: Any, **more: Any) -> Any:
    """A live bar on the terminal; nothing where nobody looks."""
    if not watched():
        return None
    from mistakebound.cli.progress import Progress

    return Progress(reader, ledger, **more)


class Steps:
    """A bar for work in steps: `with Steps("training") as watch` gives watch(done, of, text), None if nobody looks."""

    def __init__(self, title: str, *, quiet: bool = False) -> None:
        self._title = title
        self._quiet = quiet
        self._bar: Any = None

    def __enter__(self) -> Callable[[int, int, str], None] | None:
        return self._watch if watched() and not self._quiet else None

    def _watch(self, done: int, of: int, text: str = "") -> None:
        if self._bar is None:
            from mistakebound.cli.progress import Count

            self._bar = Count(self._title, of)
        self._bar.update(done, text)

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()
