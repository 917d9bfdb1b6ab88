"""Files changed by their structure, in a process of its own, used by every command; and each finding as a test."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from fuzz import samples, structures

CHILD = Path(__file__).parent / "structure_child.py"
SHORT = {"models": 90, "checkpoints": 60, "caches": 50, "logs": 60, "rows": 50}
LONG = {"models": 4_000, "checkpoints": 2_000, "caches": 2_000, "logs": 1_000, "rows": 1_000}


def cases() -> list[object]:
    short = [(kind, count, 1) for kind, count in SHORT.items()]
    return [*short, *(pytest.param(kind, count, 2, marks=pytest.mark.long) for kind, count in LONG.items())]


@pytest.mark.parametrize(("kind", "count", "seed"), cases())
def test_a_changed_file_is_used_or_refused_in_a_few_words(kind: str, count: int, seed: int, tmp_path: Path) -> None:
    command = [sys.executable, str(CHILD), kind, str(count), str(seed), "--keep", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000, check=False)
    said = "\n".join(line for line in done.stdout.splitlines() if not line[5:].isdecimal())
    crashed = f"it died in {done.stdout.splitlines()[-1]} of seed {seed}" if done.returncode not in (0, 1) else ""
    assert done.returncode == 0, f"{crashed}\n{said[-5000:]}\n{done.stderr[-3000:]}"
    assert f"{count} files changed" in said
    print(said)


def test_the_same_seed_makes_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a file that is taken apart and put together is the same file."""
    made = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        samples.files(Path())
        one_of_each = [next(make(Path())) for make in samples.KINDS.values()]
        draw = random.Random(5)
        made.append([structures.changed(s.kind, s.data, s.data, draw) for s in one_of_each for _ in range(40)])
        cache = next(s.data for s in one_of_each if s.kind == "caches")
        assert structures.Cache(cache).whole() == cache
    assert made[0] == made[1]
    assert len({data for _, data in made[0]}) > 140
