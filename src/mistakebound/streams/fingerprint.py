"""What a file looks like from outside, so that a change of it is noticed without reading it all."""

from __future__ import annotations

import os
import stat
from zlib import crc32

from mistakebound.core.errors import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # gzip, zstd: offsets in the text are none in the file
_WINDOW = 1 << 16  # bytes at the head, at the tail, and before a position


def fingerprint(path: str) -> dict[str, Any]:
    """Name, size, time of the last change and a CRC-32 of head and tail; of standard input and pipes only the name."""
    try:
        with open(path, "rb", buffering=0) if path != "-" else _nothing() as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return {"name": path}
            check = crc32(_read(file, 0, _WINDOW))
            check = crc32(_read(file, max(0, found.st_size - _WINDOW), _WINDOW), check)
            return {"name": path, "size": found.st_size, "mtime_ns": found.st_mtime_ns, "crc": check}
    except (OSError, ValueError):
        return {"name": path}


def _nothing() -> Any:
    return open(os.devnull, "rb", buffering=0)


def window_crc(path: str, offset: int) -> int | None:
    """The CRC-32 of what stands before an offset of a plain file; None for what cannot be looked at again."""
    if path == "-":
        return None
    try:
        with open(path, "rb", buffering=0) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            if _read(file, 0, 4).startswith(_PACKED):
                return None
            start = max(0, offset - _WINDOW)
            return crc32(_read(file, start, offset - start))
    except (OSError, ValueError):
        return None


def difference(then: dict[str, Any], now: dict[str, Any], *, times: bool) -> str | None:
    """What tells two fingerprints apart, in words; None when nothing does.  `times`: the time of change counts too."""
    if then["name"] != now["name"]:
        return f"it was {named(then['name'])}"
    if then.get("size") != now.get("size"):
        return f"it had {then.get('size')} bytes and has {now.get('size')}"
    if then.get("crc") != now.get("crc") or (times and then.get("mtime_ns") != now.get("mtime_ns")):
        return "it has changed since"
    return None


def _read(file: Any, offset: int, size: int) -> bytes:
    file.seek(offset)
    found = b""
    while len(found) < size and (more := file.read(size - len(found))):
        found += more
    return found
