"""The README's commands, run as they stand there: what they print is what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def steps(text: str) -> list[tuple[str, str]]:
    """(command, what it prints) of every console block."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL):
        for part in block.split("$ ")[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed))
    return found


def test_the_tour_prints_what_the_readme_says(tmp_path: Path) -> None:
    tour = steps(README.read_text())
    assert len(tour) >= 6
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, printed in tour:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path, "COLUMNS": "80"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert done.stdout == printed, command
