"""docs/hunt.md, its commands and recipes run as they stand there: they print what it says, but for the seconds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "hunt.md"


def without_seconds(text: str) -> str:
    return re.sub(r"\([\d.e-]+ s\)", "(... s)", text)


BLOCKS = re.findall(r"```console\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)


def play(block: str, folder: Path) -> None:
    tools = folder / "bin"
    tools.mkdir()
    plugin = "-p mistakebound.hunting.pytest_polluter"
    for name, words in (("mistakebound", "-m mistakebound"), ("pytest", f"-m pytest {plugin}")):
        (tools / name).write_text(f'#!/bin/sh\nexec {sys.executable} {words} "$@"\n')
        (tools / name).chmod(0o755)
    names = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {
        **os.environ, **names, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "GIT_CONFIG_GLOBAL": os.devnull,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    for command, _, printed in [part.partition("\n") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]:
        done = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert without_seconds(done.stdout) == without_seconds(printed), command


def test_the_tutorial_prints_what_it_says(tmp_path: Path) -> None:
    script = re.search(r"```sh\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    assert script is not None
    (tmp_path / "build.sh").write_text(script[1])
    play(BLOCKS[0], tmp_path)


@pytest.mark.parametrize("recipe", range(1, len(BLOCKS)))
def test_every_recipe_prints_what_it_says(tmp_path: Path, recipe: int) -> None:
    for tool in ("gcc", "git"):
        if re.search(rf"\b{tool}\b", BLOCKS[recipe]) and shutil.which(tool) is None:
            pytest.skip(f"no {tool}")
    play(BLOCKS[recipe], tmp_path)


def test_there_are_seven_recipes() -> None:
    assert len(BLOCKS) == 1 + 7
