"""The end of processes: none outlives its hunt, not even one that is killed (kill -9), and no temporary folder does.

A watcher ends what was still running.  It is a shell that reads which process groups begin and end, and which folders
are made and removed.  When the hunt is gone, in whatever way, the pipe ends, and the watcher ends the groups and
removes the folders that are left.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_GRACE = 2.0  # seconds between asking a process to end and ending it
_SCRIPT = """running=" "
while read -r sign group; do
  case $sign in
    +) running="$running$group " ;;
    -) running="${running%% $group *} ${running#* $group }" ;;
    m) set -- "$@" "$group" ;;
    r) for one do shift; [ "$one" = "$group" ] || set -- "$@" "$one"; done ;;
  esac
done
for group in $running; do kill -KILL "-$group"; done 2>/dev/null
for again in 1 2 3 4 5 6 7 8 9; do  # a process that was killed may still write
  [ $# = 0 ] || rm -rf -- "$@" && break
  sleep 0.1
done 2>/dev/null
"""


class OrphanWatch:
    """`begun(pid)` and `ended(pid)` of process groups; there is one watcher for this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watcher: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._say("")

    def begun(self, group: int) -> None:
        self._say(f"+ {group}\n")

    def ended(self, group: int) -> None:
        self._say(f"- {group}\n")

    @contextmanager
    def folder(self, path: str) -> Iterator[None]:
        """A temporary folder that whoever made it removes."""
        known = "\n" not in path
        if known:
            self._say(f"m {path}\n")
        try:
            yield
        finally:
            if known:
                self._say(f"r {path}\n")

    def _say(self, line: str) -> None:
        with self._lock, suppress(OSError):  # without a shell, or with the watcher killed, there is just no watch
            if self._watcher is None:
                self._watcher = subprocess.Popen(
                    ["/bin/sh", "-c", _SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, start_new_session=True,
                )  # fmt: skip
                atexit.register(self.close)
            assert self._watcher.stdin is not None
            self._watcher.stdin.write(os.fsencode(line))
            self._watcher.stdin.flush()

    def close(self) -> None:
        with self._lock, suppress(OSError):
            if self._watcher is not None:
                assert self._watcher.stdin is not None
                self._watcher.stdin.close()
                self._watcher.wait()
                self._watcher = None


ORPHANS = OrphanWatch()


def end(process: subprocess.Popen[bytes]) -> None:
    """The process with all that it started: asked first, then made to."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            break
        try:
            process.wait(_GRACE if number == signal.SIGTERM else None)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def how_it_ended(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"
