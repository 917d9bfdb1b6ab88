"""Streams: bytes to blocks of rows."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

    from mistakebound.streams.libsvm import LibsvmReader

FORMATS = ("libsvm",)


def open_stream(
    path: str | os.PathLike[str],
    format: str = "auto",
    *,
    unlabelled_ok: bool = False,
    on_error: str = "fail",
    block_bytes: int = 1 << 20,
) -> LibsvmReader:
    """A reader of a file or of standard input ("-"); its `settings` say how to read another one like it."""
    if format not in ("auto", *FORMATS):
        raise BadParameter(f"format must be one of auto, {', '.join(FORMATS)}: {format!r}")
    from mistakebound.streams.libsvm import LibsvmReader

    return LibsvmReader(path, block_bytes=block_bytes, unlabelled_ok=unlabelled_ok, on_error=on_error)
