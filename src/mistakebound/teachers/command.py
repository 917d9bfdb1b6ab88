"""A command whose runs are answers: by its exit status, as for `git bisect run`, or by its output or its time."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedWriter
from time import monotonic

from mistakebound.core.errors import BadParameter, CannotTell, CommandMissing, CommandStopped, MistakeboundError
from mistakebound.teachers.oracles import Oracle
from mistakebound.teachers.processes import ORPHANS, end, how_it_ended
from mistakebound.teachers.run_rules import CANNOT_TELL, TIMED_OUT, RunRules, Stop, read_end

PLACE, FILE_PLACE, JOB_PLACE, FOLDER_PLACE = "{}", "{file}", "{job}", "{dir}"
_BEGUN = "begun"  # what output is called before its run has a number: runs may end in another order


Token = threading.Event  # of one run: set when it is no longer wanted


@dataclass(slots=True)
class Outcome:
    """One run: bad, good or None (cannot tell), and what is known of it."""

    bad: bool | None
    seconds: float
    exit_status: int | None = None
    output: str | None = None  # the file with what a bad run printed
    tail: str = ""  # the end of what the run printed
    value: float | None = None  # what was measured, where something was


@dataclass(slots=True)
class Place:
    """Where one run takes place: its number among those that run at the same time, and folders of its own."""

    job: int
    folder: str  # for the program that runs: {dir}
    listed: str  # the file of its flags: {file}
    cwd: str | None = None


class CommandOracle(Oracle):
    """Runs a command with some flags on and reads the answer off the run.

    `ask(flags)` returns 0 (good: status 0), 1 (bad: status 1 to 124) or None (cannot tell: status 125), unless `rules`
    say otherwise.

    Parameters
    ----------
    command : sequence of str
        The words of the command.  A lone "{}" becomes the flags that are on; "{file}" anywhere becomes the name of a
        file with one flag per line, "{dir}" that of an empty folder, and "{job}" a number that no other run has at the
        same time.
    flags : sequence of str
        All flags, in the order in which they are put in.
    env : mapping or None, default None
        Flag to (name, value if it is on, value if it is off) of an environment variable; None is unset.
    forms : mapping or None, default None
        Flag to (arguments if it is on, arguments if it is off), where that is not the flag and nothing.
    always : sequence of str, default ()
        Flags that are on in every run.
    timeout : float or None, default None
        Seconds for one run; > 0.  A run that takes longer is bad.
    rules : RunRules or None, default None
        What makes a run bad.
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
        env: Mapping[str, tuple[str, str | None, str | None]] | None = None,
        forms: Mapping[str, tuple[Sequence[str], Sequence[str]]] | None = None,
        always: Sequence[str] = (),
        timeout: float | None = None,
        rules: RunRules | None = None,
        setup: str | None = None,
        keep: str | None = None,
        first: int = 1,
    ) -> None:
        if not command:
            raise BadParameter("there must be a command to run")
        self.command = list(command)
        self.env = env
        self._check_places()
        if timeout is not None and not 0 < timeout < float("inf"):
            raise BadParameter(f"timeout must be > 0: {timeout!r}")
        if shutil.which(command[0]) is None:
            raise CommandMissing(f"there is no command {command[0]!r} that can be run")
        self.flags = list(flags)
        self.forms = forms or {}
        self.always = frozenset(always)
        self.rules = rules or RunRules()
        self.timeout = timeout
        self.setup = setup
        self.keep = keep
        self._number = first - 1
        self._lock = threading.Lock()
        self._running: dict[Token, subprocess.Popen[bytes]] = {}
        self._jobs: set[int] = set()
        ORPHANS.start()

    def _check_places(self) -> None:
        if self.env is None and not any(word == PLACE or FILE_PLACE in word for word in self.command):
            raise BadParameter(
                f"the command must say where its flags go, by a word {PLACE} or by {FILE_PLACE}: "
                f"{' '.join(self.command)}"
            )

    def close(self) -> None:
        """After the last run: there is nothing to put away here."""

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
        names = self.on(on)
        with (
            self._job() as job,
            tempfile.TemporaryDirectory(prefix="mistakebound-hunt-", ignore_cleanup_errors=True) as folder,
            ORPHANS.folder(folder),
        ):
            place = Place(job, os.path.join(folder, "dir"), self.write(names, folder))
            os.mkdir(place.folder)
            if self.keep:
                os.makedirs(self.keep, exist_ok=True)
            with self._new_output(self.keep or folder) as sink:
                output = sink.name
                start = monotonic()
                try:
                    status = self._whole_run(names, place, sink, token)
                except CommandStopped as error:
                    error.output = output if self.keep else None
                    raise
                seconds = monotonic() - start
            timed_out = status is None
            code = TIMED_OUT if status is None else status
            try:
                printed = read_end(output) if self.rules.reads_output else b""
                bad = self.rules.answer(code, printed=printed, seconds=seconds, timed_out=timed_out)
            except Stop:
                stopped = CommandStopped(self._stopped(code, names) + _shown(output))
                stopped.output = output if self.keep else None
                raise stopped from None
            if token.is_set():
                bad = None
            tail = _shown(output).removeprefix("\n")
            if self.keep and not bad:
                os.unlink(output)
            kept = output if self.keep and bad else None
            value = self.rules.value(printed, seconds) if self.rules.measure is not None and bad is not None else None
            return Outcome(bad, seconds=seconds, exit_status=code, output=kept, tail=tail, value=value)

    def measured(self, flags: Collection[str]) -> float:
        """What is measured in one run."""
        outcome = self.outcome(frozenset(flags))
        if outcome.bad is None or outcome.value is None:
            raise CannotTell(f"nothing could be measured with {len(flags)} flags on\n{outcome.tail}")
        return outcome.value

    def on(self, flags: Collection[str]) -> list[str]:
        """The flags that are on in a run, in their order."""
        return [flag for flag in self.flags if flag in flags or flag in self.always]

    def write(self, names: Sequence[str], folder: str) -> str:
        """The file of the flags that are on."""
        listed = os.path.join(folder, "flags.txt")
        with open(listed, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(f"{word}\n" for word in self.arguments(names))
        return listed

    def prepare(self, names: Sequence[str], place: Place, sink: BufferedWriter, token: Token) -> bool:
        """What comes before a run; whether it can be made at all."""
        return True

    def _whole_run(self, names: Sequence[str], place: Place, sink: BufferedWriter, token: Token) -> int | None:
        """The exit status; None: it took too long."""
        if not self.prepare(names, place, sink, token):
            return CANNOT_TELL
        if self.setup is not None:
            line = self.put_in(self.setup, place)
            status = self.run(["/bin/sh", "-c", line], names, place, sink, token, self.timeout, stays=True)
            if status == CANNOT_TELL:
                return CANNOT_TELL
            if status != 0:
                raise CommandStopped(self.how_it_failed("the setup", self.setup, status, sink))
        return self.run(self.words(names, place), names, place, sink, token, self.timeout)

    @contextmanager
    def _job(self) -> Iterator[int]:
        with self._lock:
            job = next(number for number in range(len(self._jobs) + 1) if number not in self._jobs)
            self._jobs.add(job)
        try:
            yield job
        finally:
            with self._lock:
                self._jobs.remove(job)

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

    def arguments(self, names: Collection[str]) -> list[str]:
        """What the flags that are on, and those that are off, come to."""
        found: list[str] = []
        for flag in self.flags:
            on, off = self.forms.get(flag, ((flag,), ()))
            found.extend(on if flag in names else off)
        return found

    def words(self, names: Collection[str], place: Place | None = None) -> list[str]:
        """The command with these flags on.

        >>> CommandOracle(["echo", "{}", "--list={file}"], ["a", "b"]).words(["a", "b"])
        ['echo', 'a', 'b', '--list={file}']
        """
        found: list[str] = []
        for word in self.command:
            found.extend(self.arguments(names) if word == PLACE else [self.put_in(word, place)])
        return found

    @staticmethod
    def put_in(word: str, place: Place | None) -> str:
        """A word of the command at a place."""
        if place is not None:
            for what, value in ((FILE_PLACE, place.listed), (FOLDER_PLACE, place.folder), (JOB_PLACE, str(place.job))):
                word = word.replace(what, value)
        return word

    def environment(self, names: Collection[str]) -> dict[str, str]:
        environment = dict(os.environ)
        for flag, (name, on, off) in (self.env or {}).items():
            value = on if flag in names else off
            environment.pop(name, None)
            if value is not None:
                environment[name] = value
        return environment

    def run(
        self,
        words: list[str],
        names: Collection[str],
        place: Place,
        sink: object,
        token: Token,
        timeout: float | None,
        stays: bool = False,
    ) -> int | None:
        """The exit status; None if it took too long.  All that it started is ended then, but for what `stays`."""
        try:
            process = subprocess.Popen(  # a group of its own, so that all of it can be ended
                words, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT,  # type: ignore[call-overload]
                env=self.environment(names), cwd=place.cwd, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            hint = f"; {FILE_PLACE} takes any number of flags" if len(words) > len(self.command) + 100 else ""
            raise CommandMissing(f"cannot run {words[0]!r}: {error.strerror or error}{hint}") from error
        ORPHANS.begun(process.pid)
        with self._lock:
            self._running[token] = process
        status: int | None
        try:
            if token.is_set():  # it was cancelled before it began
                end(process)
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            end(process)
            status = None
        finally:
            if process.poll() is None or not stays:  # also what it left in the background
                end(process)
            with self._lock:
                del self._running[token]
            ORPHANS.ended(process.pid)
        return CANNOT_TELL if token.is_set() else status

    def cancel(self, token: Token) -> None:
        token.set()
        with self._lock:
            process = self._running.get(token)
        if process is not None:
            end(process)

    def how_it_failed(self, what: str, line: str, status: int | None, sink: BufferedWriter) -> str:
        """What is said of something that comes before a run; what it printed is the end of the run's output."""
        sink.flush()
        said = f"it took more than {self.timeout:g} s" if status is None else how_it_ended(status)
        return f"{what} failed ({said}): {line}{_shown(sink.name)}"

    def _stopped(self, status: int, names: Sequence[str]) -> str:
        few = " ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        hint = ""
        if status < 0:
            hint = "; to hunt this failure, say --crash-is-bad"
        return f"the command stopped the hunt: {how_it_ended(status)}, with {few or 'no flag'} on{hint}"


def _shown(output: str, most: int = 400) -> str:
    """The end of what was printed."""
    try:
        text = read_end(output, most).decode("utf-8", "replace").strip()
    except OSError as error:
        raise MistakeboundError(f"cannot read {output}: {error.strerror or error}") from error
    return f"\n{text}" if text else ""
