"""Where the rows of each pass come from: the files again, a cache of them, or memory in another order."""

from __future__ import annotations

import os
from bisect import bisect_left

from mistakebound.core.block_labels import next_rows
from mistakebound.core.errors import BadParameter, FileChanged, MistakeboundError
from mistakebound.core.file_kinds import check_kind
from mistakebound.io import is_cache, open_stream
from mistakebound.io.fingerprint import SameFiles
from mistakebound.io.reader import run, threads_for
from mistakebound.io.source import InMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from mistakebound.io.row_store import RowStore

LISTED = 10  # bad rows that are written out; all are counted
_LOOK = 1 << 17  # bytes that are read at once of what is only looked at, and in small blocks
_ENTRIES = 1 << 22  # of the rows that are looked at: what was read of a pipe is kept in memory


class PassSource:
    """Opens a reader for every pass.

    `watch` is given each stream that is read before the passes, with what is done to it, and gives back what to call
    after a block and at the end (or None).  `say` takes a line about the cache.
    """

    __slots__ = (
        "_again",
        "_cache",
        "_cached",
        "_collisions",
        "_files",
        "_identity",
        "_on_error",
        "_same",
        "_say",
        "_seed",
        "_skipped",
        "_store",
        "_threads",
        "_watch",
        "settings",
    )

    def __init__(
        self,
        files: list[Any],
        settings: dict[str, Any],
        on_error: str,
        *,
        cache: str | None = None,
        seed: int | None = None,
        threads: int | None,
        watch: Callable[[Any, str], Any],
        say: Callable[[str], None],
    ) -> None:
        self.settings = settings  # complete when a pass has begun
        self._files = files
        self._on_error = on_error
        self._cache = cache
        self._cached = cache is None and is_cache(files, settings)  # the one file is a cache
        self._seed = seed  # None: in the order of the files
        self._threads = threads
        self._watch = watch
        self._say = say
        self._same: SameFiles | None = None  # the files as they were when they were opened first
        self._again = False  # they were opened once more
        self._identity: int | None = None  # of the cache
        self._store: RowStore | None = None
        self._collisions: dict[str, int] | None = None
        self._skipped: tuple[int, list[tuple[str, int, str]]] = (0, [])

    @property
    def memory(self) -> int | None:
        """Bytes of the rows that are kept in memory; None when none are."""
        return None if self._store is None else self._store.size

    def open_pass(self, pass_number: int, small: bool = False) -> Any:
        """A reader of the rows for pass number `pass_number`, the first of which is 1; of text in `small` blocks."""
        if self._seed is None:
            return self._open(block_bytes=_LOOK) if small else self._open()
        from mistakebound.io.shuffled import ShuffledReader

        if self._store is None:
            self._store = self._load()
        return ShuffledReader(self._store, self.settings, self._seed, pass_number, self._skipped, self._collisions)

    def first_labels(self, rows: int) -> tuple[list[str], Any]:
        """The labels of the first so many rows of the first pass, and the reader that found them, closed."""
        if self._seed is None and self._cache is None and not self._cached:
            self._files = readable_twice(self._files)
        with self._open(block_bytes=_LOOK) if self._seed is None else self.open_pass(1) as reader:
            found = labels_in(reader, rows)
        looked(self._files)
        self._same = None  # what was only looked at was not learned
        return found, reader

    def _open(self, **sizes: Any) -> Any:
        if self._cache is not None:
            self._identity = self._prepare(self._cache)  # another process may replace the cache before it is opened
            self._files, self._cache, self._cached = [self._cache], None, True  # compared once, read from now on
        if self._cached:
            return self._open_cache()
        if self._same is None:
            self._same = SameFiles([file for file in self._files if isinstance(file, str)])
        else:
            self._same.check()
            self._again = True
        return open_stream(self._files, self.settings, on_error=self._on_error, **sizes)

    def _open_cache(self) -> Any:
        from mistakebound.io.cache import CacheReader

        reader = CacheReader(self._files[0], self.settings, on_error=self._on_error)
        if self._identity not in (None, reader.identity):
            reader.close()
            raise FileChanged("another cache took the place of the one in use", source=self._files[0])
        self._identity = reader.identity
        return reader

    def close(self) -> None:
        """Let go of a pipe that was looked at."""
        for file in self._files:
            if isinstance(file, InMemory):
                file.close()

    def check_same(self) -> None:
        """FileChanged when a file was read for several passes and is not any more what it was at first."""
        if self._same is not None and self._again:
            self._same.check("while it was learned")

    def _prepare(self, cache: str) -> int:
        """Make the cache unless it is one of the files; its identity."""
        from mistakebound.io import cache_maker
        from mistakebound.io.cache_file import NotUsable

        if os.path.exists(cache):
            check_kind(cache, "cache")
            try:
                return cache_maker.identity_of(cache, self._files, self.settings)
            except NotUsable as reason:
                self._say(f"{reason}; it is being rebuilt")
        with open_stream(self._files, self.settings, on_error=self._on_error) as stream:
            show = self._watch(stream, "caching")
            try:
                after = None if show is None else show.update
                return cache_maker.make_cache(
                    cache, self._files, self.settings, stream, threads_for(stream, self._threads), after
                )
            finally:
                if show is not None:
                    show.close()

    def _load(self) -> RowStore:
        from mistakebound.io.row_store import RowStore

        store = RowStore()
        with self._open() as stream:
            show = self._watch(stream, "loading")
            after = None if show is None else show.update

            def keep(block: Any) -> None:
                store.add(block)
                if after is not None:
                    after()

            try:
                run(stream, keep, threads_for(stream, self._threads))
            finally:
                if show is not None:
                    show.close()
            self._skipped, self._collisions = stream.skipped_before(None), stream.collisions()
            self.settings = stream.settings
        return store


def cache_name(given: str | bool | None, files: list[str], settings: dict[str, Any]) -> str | None:
    """The file of --cache: as it was named, or beside the first file; None when there is to be none."""
    if given is None or is_cache(files, settings):
        return None
    if isinstance(given, str):
        if given in files:
            raise BadParameter(f"--cache must be another file than the stream: {given!r}")
        return given
    from mistakebound.io.cache_maker import default_name

    return default_name(files)


def read_again(place: str | InMemory) -> bool:
    """Whether it can be opened twice: a pipe, and rows that are made as they are read, cannot.

    A folder, and what is not there, are no rows at all: opening them says so.
    """
    if isinstance(place, InMemory):
        return place.again
    return place != "-" and (os.path.isfile(place) or os.path.isdir(place) or not os.path.exists(place))


def readable_twice(files: list[Any]) -> list[Any]:
    """The files, with a pipe kept in memory as far as it is looked at."""
    if all(map(read_again, files)):
        return files
    from mistakebound.io.kept_pipe import KeptPipe

    return [file if read_again(file) else KeptPipe(file) for file in files]


def looked(files: Iterable[Any]) -> None:
    """Nothing more is kept of pipes from here on."""
    for file in files:
        if isinstance(file, InMemory):
            file.looked()


def labels_in(reader: Any, rows: int) -> list[str]:
    """The texts of the labels in the first so many rows of a reader, in the order of their appearance.

    They are the same whatever the size of the blocks.  Where rows are so long that they would fill the memory, they
    are those of fewer rows.  An error ends the look: it is raised when the rows before it have been learned.  So does
    Ctrl-C in a pipe, which could not be read again; elsewhere it is raised at once.
    """
    found: dict[bytes, None] = {}
    entries = _ENTRIES
    try:
        for block in reader:
            seen = min(rows, bisect_left(block.indptr, block.indptr[0] + entries, 1, block.rows))
            if block.tokens is not None:
                for row in next_rows(block.tokens, len(block.label_tokens), 0, seen):
                    found[block.label_tokens[block.tokens[row]]] = None
            rows -= seen
            entries -= block.indptr[seen] - block.indptr[0]
            if rows <= 0 or entries <= 0:
                break
    except MistakeboundError:
        pass
    except KeyboardInterrupt:
        if reader.progress()[1] is not None:
            raise
    finally:
        reader.close()
    texts = []
    for token in found:
        try:
            texts.append(token.decode())
        except UnicodeDecodeError:  # said when its row is learned
            continue
    return texts
