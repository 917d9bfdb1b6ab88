"""Bytes, frames and arrays to blocks of rows."""

from __future__ import annotations

import os

from mistakebound.core.errors import BadParameter
from mistakebound.core.file_kinds import CACHE_MAGIC as CACHE_MAGIC
from mistakebound.io.formats import FORMATS as FORMATS
from mistakebound.io.formats import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.io.multi_file import Paths, Stream
    from mistakebound.io.source import InMemory

__all__ = ["open_stream"]


def __dir__() -> list[str]:
    return __all__


def open_stream(
    paths: Paths,
    settings: dict[str, Any] | None = None,
    *,
    unlabelled_ok: bool = False,
    on_error: str = "fail",
    block_bytes: int = 1 << 20,
) -> Stream:
    """Opens files as one stream of rows.

    Parameters
    ----------
    paths : path or sequence of paths
        Files that follow each other; "-" is standard input.  One cache, told by its first bytes, stands for what it was
        made from.
    settings : mapping or None, default None
        How the files are read: "format" (one of FORMATS; default: by name and content), "ignore" (patterns of attribute
        names), "hash" (bits); for tables and JSON lines "label", "weights", "nominal", "numeric" and "bins"; for
        text "ngrams" (a number), "case" and "punctuation" ("keep").
    unlabelled_ok : bool, default False
        Whether rows may have no label.
    on_error : {"fail", "skip"}, default "fail"
        Whether an invalid row ends the reading or is skipped.
    block_bytes : int, default 1048576
        Bytes that are read at once; >= 1.

    Returns
    -------
    Stream
        Iterates over blocks of rows; a context manager.  Its own `settings`, complete when its first block is there,
        read another stream the same way.

    Notes
    -----
    A format that is given is that of the file, whatever it begins with; with "remembered" it is only what a file, or
    the
    file that a cache was made from, is expected to be.

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.svm")
    >>> with open(path, "w") as file:
    ...     _ = file.write("+1 3:1 7:1\\n-1 2:1\\n")
    >>> with open_stream(path) as stream:
    ...     print([block.rows for block in stream])
    [2]
    """
    given = {"format": "auto"} | (settings or {})
    check(given)
    if on_error not in ("fail", "skip"):
        raise BadParameter(f"on_error must be 'fail' or 'skip': {on_error!r}")
    if block_bytes < 1:
        raise BadParameter(f"block_bytes must be >= 1: {block_bytes}")
    from mistakebound.io.multi_file import Stream, listed

    names = listed(paths)
    if is_cache(names, given):
        from mistakebound.io.cache import CacheReader

        return CacheReader(names[0], given, on_error=on_error)  # type: ignore[return-value] # it has the same face
    options = {"unlabelled_ok": unlabelled_ok, "on_error": on_error, "block_bytes": block_bytes}
    return Stream(names, given, options)


def is_cache(names: Sequence[str | InMemory], settings: dict[str, Any]) -> bool:
    """Whether a stream is read from a cache of it."""
    stated = settings["format"] != "auto" and not settings.get("remembered")
    return not stated and len(names) == 1 and isinstance(names[0], str) and names[0] != "-" and cached(names[0])


def cached(path: str) -> bool:
    """Whether a file is a cache of parsed rows; what is looked at in a pipe would be lost to whoever reads it."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(8) == CACHE_MAGIC
    except (OSError, ValueError):  # said by whoever reads it
        return False
