"""Killed at any moment and resumed: the same model, bit for bit, as of a run that was left alone."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.rows import write_rows

# Blocks are small here, so that there is something to go on from; number 1 is the call at which it kills itself.
CHILD = """
import functools, os, signal, sys
from mistakebound import streams
from mistakebound.streams import shuffled
streams.open_stream = functools.partial(streams.open_stream, block_bytes=20_000)
shuffled.BLOCK = 3_000
from mistakebound.cli import main

calls = int(sys.argv[1])
def fatal(function):
    def call(*words):
        global calls
        for _ in range(2):  # once before it and once after it
            calls -= 1
            if calls == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            if _ == 0:
                result = function(*words)
        return result
    return call
os.fsync, os.replace = fatal(os.fsync), fatal(os.replace)
print("ready", flush=True)
sys.exit(main(sys.argv[2:]))
"""
NEVER = 10**9

CASES: list[tuple[str, tuple[object, ...]]] = [
    ("plain", ("--passes", 3, "--learner", "perceptron")),
    ("several", ("--passes", 2, "--holdout", "1/7")),
    ("gzip", ("--learner", "winnow1", "--threads", 2)),
    ("plain", ("--passes", 3, "--cache", "--holdout", "1/10", "--threads", 3)),
    ("several", ("--passes", 3, "--shuffle", "--seed", 5, "--learner", "perceptron", "--holdout", "1/5")),
    ("gzip", ("--passes", 2, "--shuffle", "--cache", "--threads", 3)),
    ("several", ("--cache", "--passes", 2, "--on-error", "skip")),
    ("plain", ("--threads", 1, "--assume", "k=2")),
]


def files(folder: Path, kind: str, rows: int = 6000) -> list[Path]:
    """A stream as one file, as several, or packed."""
    whole = write_rows(folder / "rows.svm", rows)
    text = whole.read_bytes()
    if kind == "gzip":
        packed = folder / "rows.svm.gz"
        packed.write_bytes(gzip.compress(text, 1))
        return [packed]
    if kind == "plain":
        return [whole]
    lines = text.splitlines(keepends=True)
    lines[rows // 2] = b"+1 1:1 1:1\n-1 x:1\n" if rows == 4000 else lines[rows // 2]
    several = [folder / f"part{k}.svm" for k in range(3)]
    for k, path in enumerate(several):
        path.write_bytes(b"".join(lines[k * rows // 3 : (k + 1) * rows // 3]).rstrip(b"\n"))
    return several


def start(model: Path, calls: int, *words: object) -> subprocess.Popen[bytes]:
    learn = ("learn", *words, "--model", model, "--quiet")
    line = [sys.executable, "-c", CHILD, str(calls), *map(str, learn)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def until_it_ends(model: Path, words: tuple[object, ...], chance: random.Random) -> int:
    """Start the command again and again, killed after a while or in the middle of a save; how often it was killed."""
    for kills in range(100):
        calls = NEVER if kills > 12 else chance.choice([NEVER, chance.randrange(1, 12)])
        with start(model, calls, *words) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            child.stdout.readline()
            try:
                child.wait(60 if kills > 12 else chance.uniform(0.0, 0.3))
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
            error = child.stderr.read().decode()
            if child.wait() == 0:
                return kills
            assert child.returncode == -signal.SIGKILL, error
    raise AssertionError("it never ends")


def killed_as_undisturbed(folder: Path, case: int, seed: int) -> None:
    kind, words = CASES[case % len(CASES)]
    chance = random.Random(seed)
    streams = files(folder, kind, 4000 if "skip" in words else 6000)
    whole, torn = folder / "whole.mb", folder / "torn" / "m.mb"
    torn.parent.mkdir()
    with start(whole, NEVER, *streams, *words) as child:
        assert child.wait() == 0
    for cache in folder.glob("*.mbcache"):
        cache.unlink()
    every = chance.choice([1, 700, 2500])
    until_it_ends(torn, (*streams, *words, "--checkpoint", every, "--resume"), chance)
    assert torn.read_bytes() == whole.read_bytes()
    assert os.listdir(torn.parent) == ["m.mb"], "nothing is left behind"
    assert not list(folder.glob("*.tmp"))


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
@pytest.mark.parametrize("case", range(6))
def test_killed_and_resumed(tmp_path: Path, case: int) -> None:
    killed_as_undisturbed(tmp_path, case, case)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
@pytest.mark.parametrize("seed", range(100, 200))
def test_killed_and_resumed_a_hundred_times(tmp_path: Path, seed: int) -> None:
    killed_as_undisturbed(tmp_path, seed, seed)
