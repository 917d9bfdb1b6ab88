"""Threads that are started while Ctrl-C may come."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Thread


def start_thread(thread: Thread) -> None:
    """Start a thread; RuntimeError when the system has no room for another one, KeyboardInterrupt after Ctrl-C.

    Thread.start waits until the thread runs.  Ctrl-C in that wait may leave a lock released that is released once more
    on the way out: then a RuntimeError takes the place of KeyboardInterrupt, although the thread has started.
    """
    try:
        thread.start()
    except RuntimeError as error:
        if isinstance(error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise
