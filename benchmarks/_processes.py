"""Whole processes, timed: wall time, processor time, and what they printed."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Finished:
    wall: float  # seconds
    processor: float  # seconds, user and system
    out: str
    err: str


@dataclass
class Best:
    """The best of several rounds, wall and processor time each for itself."""

    wall: float = float("inf")
    processor: float = float("inf")
    rounds: int = field(default=0)

    def take(self, run: Finished) -> None:
        self.wall, self.processor = min(self.wall, run.wall), min(self.processor, run.processor)
        self.rounds += 1


@contextlib.contextmanager
def one_core(wanted: bool) -> Iterator[None]:
    """Processes that are started within run on one core (children inherit the set of cores)."""
    if not wanted or not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def timed(command: Sequence[str], folder: Path, *, pinned: bool = False) -> Finished:
    """Run it; a command that fails ends the benchmark with what it said."""
    # With bytecode files for everybody: without them the peer, which imports more, looks slower than it is.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with one_core(pinned):
            start = time.perf_counter()
            child = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            _, status, usage = os.wait4(child.pid, 0)
            wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)  # it is waited for: Popen need not look
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    if child.returncode:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}: {texts[1].strip()[-500:]}")
    return Finished(wall, usage.ru_utime + usage.ru_stime, *texts)


def verdict(what: str, target: float, got: float, *, at_most: bool = False) -> str:
    """`what: target 5.0, got 6.1: met`."""
    met = got <= target if at_most else got >= target
    sign = "<=" if at_most else ">="
    return f"{what}: target {sign} {target:g}, got {got:.2f}: {'met' if met else 'MISSED'}"
