"""What a file looks like from outside, so that a change of it is noticed without reading it all."""

from __future__ import annotations

import os
import stat
from zlib import crc32

from mistakebound.core.errors import FileChanged, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # gzip, zstd: offsets in the text are not offsets in the file
_WINDOW = 1 << 16  # bytes at the head, at the tail, and before a position


def fingerprint(path: str) -> dict[str, Any]:
    """Name, size, time of the last change and a CRC-32 of head and tail; of standard input and pipes only the name."""
    try:
        if path == "-" or not stat.S_ISREG(os.stat(path).st_mode):  # to open a pipe again would wait for ever
            return {"name": path}
        with open(path, "rb", buffering=0) as file:
            found = os.fstat(file.fileno())
            check = crc32(_read(file, 0, _WINDOW))
            check = crc32(_read(file, max(0, found.st_size - _WINDOW), _WINDOW), check)
            return {"name": path, "size": found.st_size, "mtime_ns": found.st_mtime_ns, "crc": check}
    except (OSError, ValueError):
        return {"name": path}


def window_crc(path: str, offset: int) -> int | None:
    """The CRC-32 of what stands before an offset of a plain file; None for what cannot be looked at again."""
    try:
        if path == "-" or not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb", buffering=0) as file:
            if _read(file, 0, 4).startswith(_PACKED):
                return None
            start = max(0, offset - _WINDOW)
            return crc32(_read(file, start, offset - start))
    except (OSError, ValueError):
        return None


class SameFiles:
    """Files that are read more than once: `check` raises FileChanged for one that is not as it was at first.

    What the file system says is compared: which file it is, its size, the time of its last change.  Standard input and
    pipes are not looked at.
    """

    __slots__ = ("_found", "_paths")

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = [path for path in paths if path != "-"]
        self._found = [_identity(path) for path in self._paths]

    def check(self, when: str = "between two passes over it") -> None:
        for path, then in zip(self._paths, self._found, strict=True):
            now = _identity(path)
            if then is None or now == then:
                continue
            if now is None:
                how = "it is gone"
            elif now[0] != then[0]:
                how = f"it had {then[0]} bytes and has {now[0]}"
            else:
                how = "it was written to" if now[2] == then[2] else "it is another file now"
            raise FileChanged(f"the file changed {when}: {how}", source=path)


def _identity(path: str) -> tuple[int, int, tuple[int, int]] | None:
    """Size, time of the last change and number of a file; None for what is no plain one."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_size, found.st_mtime_ns, (found.st_dev, found.st_ino)


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
