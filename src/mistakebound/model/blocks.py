"""A stream run through a function, block by block, with somebody looking on."""

from __future__ import annotations

from mistakebound.io import open_stream
from mistakebound.io.pipeline import run, threads_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block


def run_stream(
    files: list[Any],
    settings: dict[str, Any],
    handle: Callable[[Block], object],
    *,
    counted: Any = None,
    unlabelled_ok: bool = False,
    threads: int | None = None,
    watch: Callable[[Any, Any], Any] | None = None,
) -> None:
    """Call `handle` for every block of the files, in their order.

    `watch` is given the reader and what counts the rows (`counted`); what it gives back, unless that is None, has
    `update`, called after every block, and `close`.
    """
    with open_stream(files, settings, unlabelled_ok=unlabelled_ok) as reader:
        show = None if watch is None else watch(reader, counted)

        def handle_and_show(block: Block) -> None:
            handle(block)
            if show is not None:
                show.update()

        try:
            run(reader, handle_and_show, threads_for(reader, threads))
        finally:
            if show is not None:
                show.close()
