"""Files that are there whole or not at all: written beside their place, then renamed."""

from __future__ import annotations

import os
import stat

from mistakebound.core.errors import MistakeboundError
from mistakebound.core.file_kinds import check_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedWriter

_ENDING = ".tmp"
_LONGEST = 200  # bytes of a name that fits into that of its temporary file
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class WholeFile:
    """`with WholeFile(path) as file: file.write(...)`: the file takes its place when the block ends without an error.

    With `sync` the bytes and the rename have reached the disk by then.  What a killed process left beside the place is
    removed by the next one that writes there: a lock tells the dead from the living.  A file that is replaced must be
    of the same `kind` (core/file_kinds.py); its mode stays, and its owner and group where the system allows it.
    """

    __slots__ = ("_file", "_kind", "_sync", "_target", "_temporary")

    def __init__(self, path: str | os.PathLike[str], *, sync: bool, kind: str | None = None) -> None:
        self._target = os.path.realpath(path)  # a link stays a link
        self._sync = sync
        self._kind = kind
        self._temporary = ""
        self._file: BufferedWriter | None = None

    def __enter__(self) -> BufferedWriter:
        check_place(self._target)
        if self._kind is not None:
            check_kind(self._target, self._kind)
        try:
            start = _start_of(self._target)
            _remove_leftovers(start)
            while self._file is None:
                # Process ids repeat in containers, so the name also has random digits.
                self._temporary = f"{start}{os.getpid()}-{os.urandom(4).hex()}{_ENDING}"
                self._file = _open_locked(self._temporary, self._target)
        except OSError as error:
            raise self._failure(error) from error
        return self._file

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        assert self._file is not None
        try:
            if kind is None:
                self._file.flush()
                if self._sync:
                    os.fsync(self._file.fileno())
                if os.name == "nt":  # where an open file cannot be renamed
                    self._file.close()
                os.replace(self._temporary, self._target)
                self._temporary = ""
                if self._sync:
                    sync_folder(os.path.dirname(self._target))
        except OSError as failure:
            error = failure
        finally:
            _close(self._file)
            if self._temporary:
                _unlink(self._temporary)
        if isinstance(error, OSError):
            raise self._failure(error) from error

    def _failure(self, error: OSError) -> MistakeboundError:
        return MistakeboundError(f"cannot write {self._target}: {error.strerror or error}")


def begin_sync(file: BufferedWriter, start: int, end: int) -> None:
    """These bytes may go to the disk while more are made: the sync at the end has less to wait for.

    Pages that are still to be written stay in memory, whatever the name of the advice says: whoever reads the file next
    finds them there.  It is a hint, and nothing hangs on it.
    """
    if hasattr(os, "posix_fadvise"):
        file.flush()
        try:  # noqa: SIM105 - contextlib takes longer to import than all this
            os.posix_fadvise(file.fileno(), start, end - start, os.POSIX_FADV_DONTNEED)
        except OSError:
            pass


def check_place(path: str | os.PathLike[str]) -> None:
    """MistakeboundError when no file can be written there: said before hours of learning, not after."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise MistakeboundError(f"cannot write {os.fspath(path)}: it exists and is not a regular file")
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise MistakeboundError(f"cannot write {os.fspath(path)}: no permission to write to it")
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise MistakeboundError(f"cannot write {os.fspath(path)}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise MistakeboundError(f"cannot write {os.fspath(path)}: no permission to write in {folder}")


def _open_locked(name: str, target: str) -> BufferedWriter | None:
    """The new file, locked; None when another process took the file, or its name, first."""
    try:
        replaced: os.stat_result | None = os.stat(target)
    except FileNotFoundError:
        replaced = None
    mode = 0o666 if replaced is None else 0o600  # a private file is private from its first byte on
    try:
        file = open(name, "xb", opener=lambda path, flags: os.open(path, flags | _NO_LINK, mode))  # noqa: SIM115
    except FileExistsError:
        return None
    handle = file.fileno()
    try:
        if _lock(handle) is not False and os.path.exists(name):
            if replaced is not None:
                _take_over(handle, replaced)
            return file
    except BaseException:
        file.close()
        _unlink(name)
        raise
    file.close()
    return None


def _take_over(handle: int, replaced: os.stat_result) -> None:
    """Give a new file the mode of the one that it replaces, and its owner and group where we may."""
    if not hasattr(os, "fchown"):  # Windows
        return
    mode = stat.S_IMODE(replaced.st_mode) & 0o777
    own = os.fstat(handle)
    if (own.st_uid, own.st_gid) != (replaced.st_uid, replaced.st_gid) and not (
        _chown(handle, replaced.st_uid, replaced.st_gid) or _chown(handle, -1, replaced.st_gid)
    ):
        mode &= ~stat.S_IRWXG  # our group must not gain the rights of the old one
    try:  # noqa: SIM105 - contextlib takes longer to import than all this
        os.fchmod(handle, mode)
    except OSError:  # a file system without modes
        pass


def _chown(handle: int, owner: int, group: int) -> bool:
    try:
        os.fchown(handle, owner, group)
    except OSError:
        return False
    return True


def _start_of(target: str) -> str:
    """What the names of a place's temporary files begin with; there is room for the rest, however long the name is."""
    folder, name = os.path.split(target)
    if len(os.fsencode(name)) > _LONGEST:
        from zlib import crc32

        name = f"{os.fsencode(name)[: _LONGEST // 2].decode(errors='ignore')}~{crc32(os.fsencode(name)):08x}"
    return os.path.join(folder, f"{name}.")


def _lock(handle: int) -> bool | None:
    """Whether the lock is ours now; None where there are no locks."""
    try:
        import fcntl
    except ImportError:  # Windows, where others cannot remove an open file anyway
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return None
    return True


def _remove_leftovers(start: str) -> None:
    folder, begins = os.path.split(start)
    for found in os.listdir(folder):
        if found.startswith(begins) and found.endswith(_ENDING) and _made_here(found[len(begins) : -len(_ENDING)]):
            _remove_leftover(os.path.join(folder, found))


def _remove_leftover(leftover: str) -> None:
    """Unlink a file that a dead process of ours left; anything else of that name, a pipe or a link say, is not ours."""
    try:
        there = os.lstat(leftover)
        if not stat.S_ISREG(there.st_mode) or (hasattr(os, "geteuid") and there.st_uid != os.geteuid()):
            return
        handle = os.open(leftover, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _NO_LINK)
    except OSError:
        return
    try:
        if os.path.samestat(there, os.fstat(handle)) and _lock(handle):
            os.unlink(leftover)
    except OSError:
        pass
    finally:
        os.close(handle)


def _made_here(middle: str) -> bool:
    """Whether the middle of a name is one that we give: a process id and eight hexadecimal digits."""
    process, _, chance = middle.partition("-")
    return process.isdigit() and len(chance) == 8 and all(digit in "0123456789abcdef" for digit in chance)


def _unlink(name: str) -> None:
    try:  # noqa: SIM105 - contextlib takes longer to import than all this
        os.unlink(name)
    except OSError:
        pass


def _close(file: BufferedWriter) -> None:
    try:  # noqa: SIM105 - contextlib takes longer to import than all this
        file.close()
    except OSError:  # a full disk: the buffer cannot be written, and the error has been reported
        pass


def sync_folder(folder: str) -> None:
    """The rename itself must reach the disk too; some systems cannot sync a folder, and need not."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
