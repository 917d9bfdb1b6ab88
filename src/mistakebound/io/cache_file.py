"""A cache of parsed rows: blocks as learners take them, and a footer that says what they were made from.

offset 0   8 bytes  89 4D 42 43 43 48 0D 0A
offset 8   uint32   format version
offset 12  uint32   01020304 in the byte order of the machine, in which all numbers here are
offset 16  uint64   where the footer starts, and
offset 24  uint64   its length
offset 32  uint32   CRC-32 of the footer
offset 36  uint32   CRC-32 of the 36 bytes before
offset 40           the blocks (cache_block.py), one after the other
last                the footer, JSON

A file that was not written to its end keeps its temporary name, and a cache is never the only copy of anything: it is
not synced to the disk.  Damage shows by the checksums.
"""

from __future__ import annotations

import json
import os
from array import array
from zlib import crc32

from mistakebound.core.errors import BadData, MistakeboundError, cut, shown
from mistakebound.core.fields import MOST, Fields
from mistakebound.io import CACHE_MAGIC
from mistakebound.io.formats import MOST_BITS, TABLES, check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO
    from typing import Any

VERSION = 2
START = 40
ENDING = ".mbcache"
_ORDER = 0x01020304
_MOST_FOOTER = 1 << 28
COLLISIONS = ("bits", "buckets", "shared_buckets", "foreign_entries")  # what is counted of hashed names


def header(footer_at: int, footer: bytes) -> bytes:
    fields = array("I", [VERSION, _ORDER]).tobytes() + array("Q", [footer_at, len(footer)]).tobytes()
    start = CACHE_MAGIC + fields + array("I", [crc32(footer)]).tobytes()
    return start + array("I", [crc32(start)]).tobytes()


class NotUsable(MistakeboundError):
    """A cache that is damaged, foreign, or not that of these files and settings: `str` says why."""


def open_cache(path: str) -> tuple[FileIO, dict[str, Any], int]:
    """The open file, its footer, and where the blocks end; NotUsable when they are not there."""
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115 - the reader closes it
    except (OSError, ValueError) as error:
        raise NotUsable(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        return file, *_footer(file, path)
    except BaseException:
        file.close()
        raise


def _footer(file: FileIO, path: str) -> tuple[dict[str, Any], int]:
    start = file.read(START)
    if start[:8] != CACHE_MAGIC:
        raise NotUsable(f"{path} is not a cache of mistakebound")
    if len(start) < START or _uint(start[12:16]) != _ORDER or _uint(start[36:40]) != crc32(start[:36]):
        raise NotUsable(f"{path} is damaged, or was written on another kind of machine")
    if _uint(start[8:12]) != VERSION:
        raise NotUsable(f"{path} has format {_uint(start[8:12])}, this mistakebound reads {VERSION}")
    at, length = memoryview(start)[16:32].cast("Q")
    if os.fstat(file.fileno()).st_size != at + length or length > _MOST_FOOTER:
        raise NotUsable(f"{path} is damaged: its length has changed")
    file.seek(at)
    text = file.read(length)
    if crc32(text) != _uint(start[32:36]):
        raise NotUsable(f"{path} is damaged at its end")
    try:
        footer: dict[str, Any] = json.loads(text)
        _check_footer(Fields(footer, "its end"))
    except (ValueError, RecursionError) as error:
        raise NotUsable(f"{path} is not a cache that this program could have written: {cut(str(error), 300)}") from None
    return footer, at


def _check_footer(footer: Fields) -> None:
    """ValueError unless it has every field that a reader asks for, each of its kind."""
    settings, format = footer.record("settings"), footer.fields("settings").text("format")
    check(settings)
    if format in TABLES:
        from mistakebound.io.table_settings import check_settings

        check_settings(settings)
    check(footer.record("asked"))
    for source in footer.values("sources"):
        file = Fields(source, "a file of the cache")
        file.text("name")
        for name in ("size", "crc", "mtime_ns"):
            file.whole(name, -MOST, none=True)
    footer.whole("rows"), footer.whole("identity")
    skipped, lines = footer.whole("skipped"), footer.values("skipped_lines")
    for line in lines:
        if not isinstance(line, list) or tuple(map(type, line)) != (str, int, str):
            raise ValueError(f"a skipped line is not [file, line, message]: {shown(line)}")
    if len(lines) > skipped or bool(lines) != bool(skipped):
        raise ValueError(f"{len(lines)} skipped lines are listed, and {skipped} were skipped")
    if footer.record("collisions", none=True) is not None:
        counts = footer.fields("collisions")
        counts.whole("bits", 1, MOST_BITS)
        for name in COLLISIONS[1:]:
            counts.whole(name)


def _uint(data: bytes) -> int:
    return memoryview(data).cast("I")[0]


def damaged(path: str, block: int) -> BadData:
    return BadData(f"block {block + 1} of the cache is damaged: delete the cache to rebuild it", source=path)
