"""Files that are there whole or not at all: written beside their place, then renamed."""

from __future__ import annotations

import os

from mistakebound.core.errors import MistakeboundError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedWriter

_ENDING = ".tmp"


class WholeFile:
    """`with WholeFile(path) as file: file.write(...)`: the file takes its place when the block ends without an error.

    With `sync` the bytes and the rename have reached the disk by then.  What a killed process left beside the place is
    removed by the next one that writes there: a lock tells the dead from the living.
    """

    __slots__ = ("_file", "_sync", "_target", "_temporary")

    def __init__(self, path: str | os.PathLike[str], *, sync: bool) -> None:
        self._target = os.path.realpath(path)  # a link stays a link
        self._sync = sync
        self._temporary = ""
        self._file: BufferedWriter | None = None

    def __enter__(self) -> BufferedWriter:
        check_place(self._target)
        try:
            _remove_leftovers(self._target)
            while self._file is None:
                # Process ids come again in containers, so the name has chance in it.
                self._temporary = f"{self._target}.{os.getpid()}-{os.urandom(4).hex()}{_ENDING}"
                self._file = _open_locked(self._temporary)
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
                if self._sync:
                    _sync_folder(os.path.dirname(self._target))
        except OSError as failure:
            error = failure
        finally:
            _close(self._file)
            if os.path.exists(self._temporary):
                os.unlink(self._temporary)
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
        raise MistakeboundError(f"cannot write {os.fspath(path)}: it is there and not a plain file")
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise MistakeboundError(f"cannot write {os.fspath(path)}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise MistakeboundError(f"cannot write {os.fspath(path)}: no permission to write in {folder}")


def _open_locked(name: str) -> BufferedWriter | None:
    """The new file, held by a lock; None when somebody took it for a leftover before it had one."""
    file = open(name, "xb")  # noqa: SIM115 - closed by __exit__
    if _lock(file.fileno()) is not False and os.path.exists(name):
        return file
    file.close()
    return None


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
    except OSError:  # a file system without them
        return None
    return True


def _remove_leftovers(target: str) -> None:
    folder, name = os.path.split(target)
    for found in os.listdir(folder):
        if (
            found.startswith(name + ".")
            and found.endswith(_ENDING)
            and _made_here(found[len(name) + 1 : -len(_ENDING)])
        ):
            leftover = os.path.join(folder, found)
            try:
                handle = os.open(leftover, os.O_RDONLY)
            except OSError:
                continue
            try:
                if _lock(handle):
                    os.unlink(leftover)
            except OSError:
                pass
            finally:
                os.close(handle)


def _made_here(middle: str) -> bool:
    """Whether the middle of a name is one that we give: a process id and eight hexadecimal digits."""
    process, _, chance = middle.partition("-")
    return process.isdigit() and len(chance) == 8 and all(digit in "0123456789abcdef" for digit in chance)


def _close(file: BufferedWriter) -> None:
    try:  # noqa: SIM105 - contextlib takes longer to import than all this
        file.close()
    except OSError:  # a full disk: what is in the buffer cannot be written, and what is wrong has been said
        pass


def _sync_folder(folder: str) -> None:
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
