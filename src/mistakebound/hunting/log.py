"""The log of a hunt: a line of JSON for each run, on the disk before the next run starts.

The first line says what is hunted.  A hunt that is started again with the same log goes on from it; a last line that a
kill left torn is dropped.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress

from mistakebound.core.errors import AnotherHunt, BadData, MistakeboundError, cut, shown
from mistakebound.core.fields import MOST, Fields
from mistakebound.core.file_kinds import HUNT_BEGINS
from mistakebound.core.whole_file import sync_folder
from mistakebound.hunting.state import bits_of, numbers_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from io import BufferedRandom
    from typing import Any

VERSION = 1
ANSWERS: dict[str, bool | None] = {"bad": True, "good": False, "cannot tell": None}
CANCELLED = "cancelled"
_LONGEST_HEAD = 1 << 24
_HEAD_BEGINS = HUNT_BEGINS  # nothing but the first line of a log that a kill left torn is ever overwritten


class HuntLog:
    """`with HuntLog(path, flags, {"command": [...]}) as log`: `log.lines` are the runs that are there already."""

    def __init__(self, path: str | os.PathLike[str], flags: Sequence[str], hunted: dict[str, Any]) -> None:
        self.path = os.fspath(path)
        self.lines: list[dict[str, Any]] = []
        self._flags = flags
        self._numbers = {name: number for number, name in enumerate(flags)}
        digest = hashlib.sha256("\0".join(flags).encode("utf-8", "surrogateescape")).hexdigest()
        self._head = {"hunt": VERSION, **hunted, "flags": len(flags), "sha256": digest}
        self._file: BufferedRandom | None = None

    def __enter__(self) -> HuntLog:
        try:
            if os.path.exists(self.path) and not os.path.isfile(self.path) and not os.path.isdir(self.path):
                raise MistakeboundError(f"cannot write {self.path}: it is not an ordinary file")
            self._file = open(self.path, "a+b")
        except OSError as error:
            raise MistakeboundError(f"cannot write {self.path}: {error.strerror or error}") from error
        try:
            self._lock()
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._file is not None
        with suppress(OSError):  # what could not be written, once more: it has been said
            self._file.close()

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # Windows
            return
        assert self._file is not None
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise MistakeboundError(f"{self.path} is being written by another hunt") from None
        except OSError:  # a file system without locks
            pass

    def _read(self) -> None:
        assert self._file is not None
        self._file.seek(0)
        whole, torn = [], b""
        end = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                torn = line
                break
            whole.append(line)
            end += len(line)
        if not whole:
            if not _HEAD_BEGINS.startswith(torn[: len(_HEAD_BEGINS)]):
                raise BadData("this is not the log of a hunt", source=self.path, line=1)
            self._file.truncate(0)
            self._write(self._head)
            sync_folder(os.path.dirname(os.path.abspath(self.path)))
            return
        self._check_head(whole[0])
        for number, line in enumerate(whole[1:], 2):
            self.lines.append(self._checked(line, number))
        if torn:
            self._file.truncate(end)

    def _check_head(self, line: bytes) -> None:
        head = _object(line)
        if head is None or "hunt" not in head:
            raise BadData("this is not the log of a hunt", source=self.path, line=1)
        if head["hunt"] != VERSION:
            raise BadData(f"a log of version {shown(head['hunt'])}, not {VERSION}", source=self.path, line=1)
        if head == self._head:
            return
        if head.get("sha256") != self._head["sha256"]:
            raise AnotherHunt(f"{self.path} is the log of another hunt: of other flags")
        named = {**self._head, **head}
        other = next((name for name in named if head.get(name) != self._head.get(name)), None)
        if other is None:  # a field that is null there and missing here
            raise BadData("this is not the first line of a hunt", source=self.path, line=1, text=_start(line))
        was = cut(json.dumps(head.get(other)), 80)
        raise AnotherHunt(f"{self.path} is the log of another hunt: its {cut(other, 80)} was {was}")

    def _checked(self, line: bytes, number: int) -> dict[str, Any]:
        entry = _object(line)
        if entry is None or entry.get("answer") not in (*ANSWERS, CANCELLED):
            raise BadData("this is not the line of a run", source=self.path, line=number, text=_start(line))
        listed = entry.get("on", entry.get("off"))
        if not isinstance(listed, list) or any(name not in self._numbers for name in listed if isinstance(name, str)):
            raise BadData("this run has other flags", source=self.path, line=number, text=_start(line))
        if not all(isinstance(name, str) for name in listed):
            raise BadData("a flag must be a text", source=self.path, line=number, text=_start(line))
        fields = Fields(entry, "this run")
        try:
            fields.whole("exit", -MOST, none=True), fields.text("output", none=True), fields.text("tail", none=True)
            if entry.get("seconds") is not None:
                fields.number("seconds", 0)
        except ValueError as error:
            raise BadData(str(error), source=self.path, line=number, text=_start(line)) from None
        mask = bits_of((self._numbers[name] for name in listed), len(self._flags))
        entry["mask"] = mask if "on" in entry else ((1 << len(self._flags)) - 1) ^ mask
        return entry

    def append(self, on: int, run: int, answer: str, **more: Any) -> None:
        """One run; it is on the disk when this comes back.  Of flags on and flags off the shorter list is written."""
        n = len(self._flags)
        which, mask = ("on", on) if 2 * on.bit_count() <= n else ("off", ((1 << n) - 1) ^ on)
        said = {name: value for name, value in more.items() if value is not None}
        self._write({"run": run, "answer": answer, **said, which: [self._flags[i] for i in numbers_of(mask)]})

    def _write(self, entry: dict[str, Any]) -> None:
        assert self._file is not None
        try:
            self._file.write(json.dumps(entry).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise MistakeboundError(f"cannot write {self.path}: {error.strerror or error}") from error


def read_head(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The first line of a log, or nothing."""
    try:
        with open(path, "rb") as file:
            return _object(file.readline(_LONGEST_HEAD)) or {}
    except OSError:
        return {}


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _start(line: bytes) -> str:
    return line[:60].decode("utf-8", "replace").rstrip("\n")
