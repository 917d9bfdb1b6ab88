"""A command whose exit status is the label: 0 good, 1-124 bad, 125 cannot tell, as for `git bisect run`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedWriter
from time import monotonic

from mistakebound.core.errors import BadParameter, CommandMissing, CommandStopped, MistakeboundError
from mistakebound.teachers.oracles import Oracle

PLACE, FILE_PLACE = "{}", "{file}"
CANNOT_TELL = 125
TIMED_OUT = 124  # as timeout(1) says it
_BEGUN = "begun"  # what output is called before its run has a number: runs may end in another order
_GRACE = 2.0  # seconds between asking a process to end and ending it


Token = threading.Event  # of one run: set when it is no longer wanted


@dataclass(slots=True)
class Outcome:
    """One run: bad, good or None (cannot tell), and what is known of it."""

    bad: bool | None
    seconds: float
    exit_status: int | None = None
    output: str | None = None  # the file with what a bad run printed


class CommandOracle(Oracle):
    """Runs a command with some flags on and reads the answer off its exit status.

    `ask(flags)` returns 0 (good: status 0), 1 (bad: status 1 to 124) or None (cannot tell: status 125).

    Parameters
    ----------
    command : sequence of str
        The words of the command.  A lone "{}" becomes the flags that are on; "{file}" anywhere becomes the name of a
        file with one flag per line.
    flags : sequence of str
        All flags, in the order in which they are put in.
    env : mapping or None, default None
        Flag to (name, value) of the environment variable that it sets; unset where the flag is off.
    timeout : float or None, default None
        Seconds for one run; > 0.  A run that takes longer is bad.
    setup : str or None, default None
        A line for the shell, run before each run.
    keep : str or None, default None
        Folder in which the output of bad runs is kept.
    first : int, default 1
        Number of the first run, in the names of these files.

    Examples
    --------
    >>> oracle = CommandOracle(["sh", "-c", 'test "$#" -lt 2', "sh", "{}"], ["a", "b", "c"])
    >>> oracle.ask({"a"}), oracle.ask({"a", "c"})
    (0, 1)
    """

    def __init__(
        self,
        command: Sequence[str],
        flags: Sequence[str],
        *,
        env: Mapping[str, tuple[str, str]] | None = None,
        timeout: float | None = None,
        setup: str | None = None,
        keep: str | None = None,
        first: int = 1,
    ) -> None:
        if not command:
            raise BadParameter("there must be a command to run")
        if env is None and not any(word == PLACE or FILE_PLACE in word for word in command):
            raise BadParameter(
                f"the command must say where its flags go, by a word {PLACE} or by {FILE_PLACE}: {' '.join(command)}"
            )
        if timeout is not None and not 0 < timeout < float("inf"):
            raise BadParameter(f"timeout must be > 0: {timeout!r}")
        if shutil.which(command[0]) is None:
            raise CommandMissing(f"there is no command {command[0]!r} that can be run")
        self.command = list(command)
        self.flags = list(flags)
        self.env = env
        self.timeout = timeout
        self.setup = setup
        self.keep = keep
        self._number = first - 1
        self._lock = threading.Lock()
        self._running: dict[Token, subprocess.Popen[bytes]] = {}

    def ask(self, question: Collection[str]) -> int | None:
        """1: bad; 0: good; None: cannot tell."""
        outcome = self.outcome(frozenset(question))
        self.name_output(outcome)
        return None if outcome.bad is None else int(outcome.bad)

    def name_output(self, outcome: Outcome, number: int | None = None) -> None:
        """What a bad run printed gets the number of the run (its own, in the order of beginning, unless given)."""
        if outcome.output is not None:
            folder, name = os.path.split(outcome.output)
            named = name.replace(_BEGUN, "run", 1) if number is None else f"run-{number:04}.txt"
            os.replace(outcome.output, os.path.join(folder, named))
            outcome.output = os.path.join(folder, named)

    def outcome(self, on: frozenset[str], token: Token | None = None) -> Outcome:
        """One run; `cancel(token)` ends it, and its outcome is that it cannot tell."""
        token = token or Token()
        names = [flag for flag in self.flags if flag in on]
        with tempfile.TemporaryDirectory(prefix="mistakebound-hunt-") as folder:
            listed = os.path.join(folder, "flags.txt")
            with open(listed, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.writelines(f"{name}\n" for name in names)
            start = monotonic()
            if self.keep:
                os.makedirs(self.keep, exist_ok=True)
            with self._new_output(self.keep or folder) as sink:
                output = sink.name
                status = 0
                if self.setup is not None:
                    status = self._run(["/bin/sh", "-c", self.setup], names, sink, token)
                    if status not in (0, CANNOT_TELL):
                        raise CommandStopped(f"the setup failed ({_said(status)}): {self.setup}{_shown(output)}")
                if status == 0:
                    status = self._run(self.words(names, listed), names, sink, token)
            seconds = monotonic() - start
            if status > CANNOT_TELL or status < 0:
                raise CommandStopped(self._stopped(status, names) + _shown(output))
            bad = None if status == CANNOT_TELL else status != 0
            if self.keep and not bad:
                os.unlink(output)
            return Outcome(bad, seconds=seconds, exit_status=status, output=output if self.keep and bad else None)

    def _new_output(self, folder: str) -> BufferedWriter:
        """A file of our own: one that is there already, whatever it is, keeps its name."""
        while True:
            with self._lock:
                self._number += 1
                number = self._number
            try:
                return open(os.path.join(folder, f"{_BEGUN}-{number:04}.txt"), "xb")
            except FileExistsError:
                continue

    def words(self, names: Sequence[str], listed: str = FILE_PLACE) -> list[str]:
        """The command with these flags on.

        >>> CommandOracle(["echo", "{}", "--list={file}"], ["a", "b"]).words(["a", "b"], "/tmp/flags.txt")
        ['echo', 'a', 'b', '--list=/tmp/flags.txt']
        """
        found: list[str] = []
        for word in self.command:
            if word == PLACE:
                found.extend(names)
            else:
                found.append(word.replace(FILE_PLACE, listed))
        return found

    def environment(self, names: Collection[str]) -> dict[str, str]:
        environment = dict(os.environ)
        for flag, (name, value) in (self.env or {}).items():
            environment.pop(name, None)
            if flag in names:
                environment[name] = value
        return environment

    def _run(self, words: list[str], names: Sequence[str], sink: object, token: Token) -> int:
        """The exit status; if it took too long, or we are stopped, the process and all that it started are ended."""
        try:
            process = subprocess.Popen(  # a group of its own, so that all of it can be ended
                words, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT,  # type: ignore[call-overload]
                env=self.environment(set(names)), start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            hint = f"; {FILE_PLACE} takes any number of flags" if len(words) > len(self.command) + 100 else ""
            raise CommandMissing(f"cannot run {words[0]!r}: {error.strerror or error}{hint}") from error
        with self._lock:
            self._running[token] = process
        try:
            if token.is_set():  # it was cancelled before it began
                end(process)
            status: int = process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            end(process)
            status = TIMED_OUT
        finally:
            if process.poll() is None:
                end(process)
            with self._lock:
                del self._running[token]
        return CANNOT_TELL if token.is_set() else status

    def cancel(self, token: Token) -> None:
        token.set()
        with self._lock:
            process = self._running.get(token)
        if process is not None:
            end(process)

    def _stopped(self, status: int, names: Sequence[str]) -> str:
        few = " ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        hint = ""
        if status < 0:
            hint = "; to hunt this failure, make it an exit status: sh -c '\"$@\" || exit 1' sh COMMAND"
        return f"the command stopped the hunt: {_said(status)}, with {few or 'no flag'} on{hint}"


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


def _said(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"


def _shown(output: str, most: int = 400) -> str:
    """The end of what was printed."""
    try:
        with open(output, "rb") as file:
            file.seek(max(0, os.path.getsize(output) - most))
            text = file.read().decode("utf-8", "replace").strip()
    except OSError as error:
        raise MistakeboundError(f"cannot read {output}: {error.strerror or error}") from error
    return f"\n{text}" if text else ""
