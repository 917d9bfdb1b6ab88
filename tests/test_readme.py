"""The commands of the README and of the pages for beginners, run as they stand: what they print is what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ELSEWHERE = {"docs/howto/serve.md"}  # needs an extra: tests/extras/docs/test_pages.py
SLOW = {"docs/howto/flaky_test.md"}  # starts pytest again and again
PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in (
        ROOT / "README.md",
        *sorted((ROOT / "docs").glob("start/*.md")),
        *sorted((ROOT / "docs").glob("howto/*.md")),
    )
    if "```console\n$ " in path.read_text("utf-8") and path.relative_to(ROOT).as_posix() not in ELSEWHERE
]


def steps(text: str) -> list[tuple[str, str]]:
    """(command, what it prints) of every console block."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed))
    return found


def timeless(printed: str) -> str:
    """What was printed, without how long it took."""
    return re.sub(r"^(  time +).*$", r"\1", printed, flags=re.MULTILINE)


def test_the_pages_are_there() -> None:
    assert len(PAGES) >= 12


@pytest.mark.parametrize("page", [pytest.param(name, marks=[pytest.mark.long] * (name in SLOW)) for name in PAGES])
def test_commands_print_what_the_page_says(tmp_path: Path, page: str) -> None:
    follow(page, tmp_path)


def follow(page: str, folder: Path) -> None:
    """Run the commands of a page in a folder, and compare."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, printed in steps((ROOT / page).read_text("utf-8")):
        done = subprocess.run(
            command, shell=True, cwd=folder, env={**os.environ, "PATH": path, "COLUMNS": "80"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
        )  # fmt: skip
        assert timeless(done.stdout) == timeless(printed), command


@pytest.mark.long
def test_the_demo_says_what_the_readme_says() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "readme_figures", "--check"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")
