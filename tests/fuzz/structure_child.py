"""Uses files that were changed by their structure, by every command that takes them.

    structure_child.py KIND COUNT SEED [--first N] [--no-limit] [--keep FOLDER]

KIND is models, checkpoints, caches, logs or rows (the text of a stream or a table).  Case N of a seed is the same in
every run: `--first N` with a COUNT of 1 is that one alone.  A file is well treated when each command ends with 0 or
with one of our own errors: an exit code of ours, a line or a few that are not long, and no more than so much time and
memory.  Ends with 0 when all were; else it says which were not.  Before each case its number goes to stdout, so that
whoever started this knows it after a crash.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import samples
from structures import changed

from mistakebound.core.errors import BadModel, MistakeboundError

MORE_MEMORY = 1 << 30
HANGS = 20  # seconds
LONGEST = 700  # characters of a line that says what is wrong, without the names of files
MOST_LINES = 15  # at most ten bad rows are listed
CODES = {0, 1, 2, 3, 4, 5}
HUNT_CODES = CODES | set(range(10, 18))


def verdict(command: samples.Command, words: list[str]) -> tuple[int, str]:
    """(exit code, what is wrong with how it ended; nothing: \"\")."""
    if command[0] == samples.IN_PYTHON:
        try:
            samples.use_in_python(Path(words[1]))
        except MistakeboundError as error:
            code, err = error.exit_code, f"mistakebound: {error}\n"
        else:
            code, err = 0, ""
    else:
        code, out, err = samples.quietly(*words)
        if command[0] == "hunt" and code in (5, 17) and out:  # a result, with what it refutes
            err = err or f"mistakebound: {out[:100]!r}"
    return code, complaint(command, code, err, words)


def complaint(command: samples.Command, code: int, err: str, words: list[str]) -> str:
    lines = err.splitlines()
    names = sum(len(word) for word in words)
    if code not in (HUNT_CODES if command[0] == "hunt" else CODES):
        return f"exit code {code}: {err[:500]}"
    if code and not lines:
        return f"exit code {code} without a word"
    if any(not line.startswith("mistakebound: ") for line in lines):
        return f"it said what is none of our errors: {err[:500]!r}"
    if max(map(len, lines), default=0) > LONGEST + names:
        return f"a line of {max(map(len, lines))} characters: {err[:300]!r} ... {err[-100:]!r}"
    if len(lines) > MOST_LINES and command[0] != "hunt":
        return f"{len(lines)} lines: {err[:500]!r}"
    if "memory" in err:
        return f"it ran out of memory: {err[:500]!r}"
    return ""


def stuck(*_: Any) -> None:
    raise TimeoutError(f"no end after {HANGS} s")


class Fuzzer:
    def __init__(self, kind: str, seed: int, folder: Path, keep: Path) -> None:
        self.kind = kind
        self.seed = seed
        self.folder = folder
        self.keep = keep
        self.codes: Counter[int] = Counter()
        self.bad = 0
        self.runs = 0
        self.slowest = (0.0, "")
        samples.files(folder)
        self.originals = list(samples.KINDS[kind](folder))

    def case(self, number: int) -> None:
        draw = random.Random(f"{self.kind} {self.seed} {number}")
        sample, other = draw.choice(self.originals), draw.choice(self.originals)
        way, data = changed(self.kind, sample.data, other.data, draw)
        commands = list(sample.commands)
        draw.shuffle(commands)
        refused = 0
        for command in commands:
            if refused >= 3:  # at the door: the other commands go through the same one
                break
            name = f"case {number} ({way} of {sample}): {' '.join(command)}"
            found, code = self._try(command, data)
            self.codes[code] += 1
            refused += code == BadModel.exit_code
            if found:
                self.bad += 1
                kept = self.keep / f"{self.kind}-{self.seed}-{number}"
                kept.write_bytes(data)
                print(f"{name}\n  kept as {kept}\n  {found}", flush=True)

    def _try(self, command: samples.Command, data: bytes) -> tuple[str, int]:
        path = self.folder / "changed.file"
        path.write_bytes(data)
        shutil.rmtree(f"{path}.output", ignore_errors=True)
        (self.folder / "out.mb").unlink(missing_ok=True)
        words = [samples.placed(word, path, self.folder) for word in command]
        self.runs += 1
        begun = time.perf_counter()
        signal.alarm(HANGS)
        try:
            code, found = verdict(command, words)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            code, found = -1, traceback.format_exc(limit=-12)
        finally:
            signal.alarm(0)
        self.slowest = max(self.slowest, (time.perf_counter() - begun, " ".join(command)))
        return found, code


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=list(samples.KINDS))
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--no-limit", action="store_true", help="on memory: an address sanitiser maps terabytes")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()), help="where findings are kept")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, stuck)
    warnings.simplefilter("always")  # a warning is none of our errors
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):  # relative names: the same in every run
        fuzzer = Fuzzer(options.kind, options.seed, Path(), options.keep.absolute())
        if not options.no_limit:
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + MORE_MEMORY, resource.RLIM_INFINITY))
        for number in range(options.first, options.first + options.count):
            print(f"case {number}", flush=True)
            fuzzer.case(number)
            if fuzzer.bad >= 60:
                break
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(fuzzer.codes.items()))
    print(f"{options.count} files changed, {fuzzer.runs} commands, {fuzzer.bad} findings; exit codes {codes}")
    print(f"the slowest took {fuzzer.slowest[0]:.2f} s: {fuzzer.slowest[1]}")
    return 1 if fuzzer.bad else 0


if __name__ == "__main__":
    sys.exit(main())
