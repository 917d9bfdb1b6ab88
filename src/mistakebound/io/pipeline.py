"""A stream played block by block, in one thread or several: the same order, the same result."""

from __future__ import annotations

import os

from mistakebound.core.atomic import Interrupt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.block import Block
    from mistakebound.io.reader import Reader


_LARGE = 1 << 22  # bytes from which a second thread pays for its start


def run(
    reader: Reader,
    handle: Callable[[Block], object],
    threads: int = 1,
    table: AttributeTable | None = None,
) -> None:
    """Call handle(block) for every block in file order, until it returns something true.

    With several threads each one reads and parses a chunk, then waits its turn to handle it: only one handles
    at a time.  An error surfaces when the rows before it have been handled.  Ctrl-C lets the block in hand be
    finished, then raises KeyboardInterrupt; while a read waits for input it raises at once.  With the table of the
    learner that handles the blocks, threads look attributes up there before their turn, where that can be done.
    """
    try:
        if threads <= 1:
            _run_alone(reader, handle)
        else:
            from mistakebound.io.ordered_threads import OrderedThreadPool

            OrderedThreadPool(reader, handle, threads, table).run()
    except BaseException:
        reader.close()  # only now: no other thread is reading any more
        raise


def _run_alone(reader: Reader, handle: Callable[[Block], object]) -> None:
    chunk = reader.chunk()
    with Interrupt() as interrupt:
        while reader.fill(chunk):
            if chunk.failure is None:
                chunk.parse()
            for block in reader.emit(chunk):
                interrupt.later = True
                stop = handle(block)
                interrupt.later = False
                if interrupt.pending:
                    raise KeyboardInterrupt
                if stop:
                    return


def threads_for(reader: Reader, wanted: int | None) -> int:
    """As many as asked for; by default one for a small file, and the cores that we may use for a large one."""
    return threads_for_bytes(reader.progress()[1], wanted)


def threads_for_bytes(total: int | None, wanted: int | None) -> int:
    if wanted is not None:
        return wanted
    if total is not None and total < _LARGE:
        return 1
    return min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
