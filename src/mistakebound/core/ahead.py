"""The next items of an iterator, made by another thread while the present one is worked on."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import Any, TypeVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
_MOST = 2  # items that wait to be taken


def ahead(items: Iterable[T]) -> Iterator[T]:
    """The same items in the same order, and the error at their end; at most two are made before they are taken.

    Worth a thread only where making an item takes long and lets other threads run.

    >>> list(ahead(range(5)))
    [0, 1, 2, 3, 4]
    """
    made: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
    room = Semaphore(_MOST)
    left = False

    def make() -> None:
        try:
            for item in items:
                made.put((True, item))
                room.acquire()
                if left:
                    return
            made.put((False, None))
        except BaseException as error:
            made.put((False, error))

    maker = Thread(target=make, daemon=True)
    try:
        maker.start()
    except RuntimeError:  # there is no room for another thread
        yield from items
        return
    try:
        while True:
            more, found = made.get()
            if not more:
                if found is not None:
                    raise found
                return
            yield found
            room.release()
    finally:
        left = True
        room.release()
        maker.join()
