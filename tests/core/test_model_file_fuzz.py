"""Mutated model files: our own error or a learner that works, in bounded memory.  The child says what it did."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import mistakebound as mb
from fuzz.mutations import mutate, parts, whole

CHILD = Path(__file__).parent.parent / "fuzz" / "model_file_child.py"


@pytest.mark.parametrize(
    ("count", "seed"),
    [(120, 1), *(pytest.param(25_000, seed, marks=pytest.mark.long) for seed in (3, 4, 5, 6))],
)
def test_mutated_models_are_refused_or_work(count: int, seed: int) -> None:
    command = [sys.executable, str(CHILD), str(count), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-5000:]
    assert f"{count} mutations" in done.stdout
    print(done.stdout)


def test_the_mutations_change_files_and_nothing_else(tmp_path: Path) -> None:
    """A file taken apart and put together is the same; the same seed makes the same mutations."""
    path = tmp_path / "m.mb"
    learner = mb.Perceptron()
    learner.learn_one({"a": 1, "7": 2}, 1)
    learner.save(path)
    data = path.read_bytes()
    path.write_bytes(whole(data, *parts(data)))
    assert mb.load(path).learner.hypothesis == learner.hypothesis
    first, second = (mutations(data, 5) for _ in range(2))
    assert first == second
    assert sum(changed != data for _, changed in first) > 90
    assert len({way for way, _ in first}) == 6


def mutations(data: bytes, seed: int) -> list[tuple[str, bytes]]:
    draw = random.Random(seed)
    return [mutate(data, data, draw) for _ in range(100)]
