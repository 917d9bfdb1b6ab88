"""docs/hunt.md, its commands run as they stand there: what they print is what it says, but for the seconds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "hunt.md"


def without_seconds(text: str) -> str:
    return re.sub(r"\([\d.e-]+ s\)", "(... s)", text)


def test_the_tutorial_prints_what_it_says(tmp_path: Path) -> None:
    text = PAGE.read_text()
    script = re.search(r"```sh\n(.*?)```", text, flags=re.DOTALL)
    block = re.search(r"```console\n(.*?)```", text, flags=re.DOTALL)
    assert script is not None
    assert block is not None
    (tmp_path / "build.sh").write_text(script[1])
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    steps = [part.partition("\n") for part in block[1].split("$ ")[1:]]
    assert len(steps) == 3
    for command, _, printed in steps:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert without_seconds(done.stdout) == without_seconds(printed), command
