"""The code blocks of the pages: how they are found, and how their commands are run and compared."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from mistakebound.cli import main

ROOT = Path(__file__).parents[1]
SOURCES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md"]
SOURCES += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
_BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^>]+) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_SHELL = set("|&;<>$`*?~#\n")  # signs that only a shell understands
_TIMES = (  # how long something took differs from run to run: a line of a report, a run of a hunt, columns of seconds
    (r"^(  time +).*$", r"\1"),
    (r"\([\d.e-]+ s\)", "(... s)"),
    (r"[\d.]+ s with reading", "... s with reading"),
    (r" +[\d.e-]+ s  (?=[a-z])", "  "),
    (r"^(  [a-z0-9-]+ +\d[\d,]* +\d+\.\d\d +\d+\.\d\d +[\d,a-z-]+ +)\d+\.\d{3}", r"\1"),
)


class Block(NamedTuple):
    """A fenced block: its page and line there, its language, its text, and why it is not run, if a comment says so."""

    page: str
    line: int
    language: str
    text: str
    reason: str | None


def blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text("utf-8")
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, found["language"], found["text"], found["reason"])
        for found in _BLOCK.finditer(text)
    ]


def consoles(page: str) -> list[Block]:
    """The blocks of commands that are run."""
    return [block for block in blocks(page) if block.language == "console" and not block.reason]


def steps(block: Block) -> list[tuple[str, str]]:
    """(command, what it prints) of a block of commands; a line that ends in a backslash goes on."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not parts[0], f"{block.page}:{block.line}: a command begins with $"
    found = []
    for part in parts[1:]:
        command = re.match(r"(?:[^\n]*\\\n)*[^\n]*\n", part)
        assert command is not None
        found.append((command[0].rstrip("\n"), part[command.end() :]))
    return found


def comparable(printed: str) -> str:
    """What was printed, without how long it took."""
    for pattern, instead in _TIMES:
        printed = re.sub(pattern, instead, printed, flags=re.MULTILINE)
    return printed


def agrees(printed: str, promised: str) -> bool:
    """Whether the page says what was printed; a line `...` on the page stands for any lines."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", comparable(promised), flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*?".join(parts), comparable(printed)) is not None


def environment(folder: Path) -> dict[str, str]:
    """Ours, with the commands of this interpreter first, git without the user's settings and pytest with one plugin."""
    tools = folder / ".bin"
    tools.mkdir(exist_ok=True)
    plugin = "-p mistakebound.hunting.pytest_polluter"
    for name, words in (("mistakebound", "-m mistakebound"), ("python", ""), ("pytest", f"-m pytest {plugin}")):
        (tools / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n')
        (tools / name).chmod(0o755)
    names = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {
        **os.environ, **names, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80",
        "GIT_CONFIG_GLOBAL": os.devnull, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip


def follow(page: str, folder: Path) -> None:
    """Run the commands of a page in a folder, and compare what they print."""
    for block in consoles(page):
        follow_block(block, folder)


def follow_block(block: Block, folder: Path) -> None:
    variables = environment(folder)
    for command, promised in steps(block):
        printed = ran(command, folder, variables)
        assert agrees(printed, promised), f"{block.page}:{block.line}: {command}\nprints\n{printed}"


def ran(command: str, folder: Path, variables: dict[str, str]) -> str:
    """Both outputs of a command; one of ours that needs no shell runs in this process, which is faster."""
    if command.startswith("mistakebound ") and not _SHELL & set(re.sub(r"'[^']*'", "", command)):
        return ran_here(shlex.split(command)[1:], folder, variables)
    done = subprocess.run(
        command, shell=True, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", timeout=300,
    )  # fmt: skip
    return done.stdout


def ran_here(words: list[str], folder: Path, variables: dict[str, str]) -> str:
    said = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    settings = patch.dict(os.environ, variables)
    with chdir(folder), settings, redirect_stdout(said), redirect_stderr(said), suppress(SystemExit):
        main(words)
    said.seek(0)
    return said.read()
