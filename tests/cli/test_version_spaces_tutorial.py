"""docs/version_spaces.md, its command run as it stands there: what it prints is what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "version_spaces.md"


def test_the_page_prints_what_it_says(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE.read_text()
    table = re.search(r"```csv\n(.*?)```", text, flags=re.DOTALL)
    block = re.search(r"```console\n\$ mistakebound (.*?)\n(.*?)```", text, flags=re.DOTALL)
    assert table is not None
    assert block is not None
    monkeypatch.chdir(tmp_path)
    Path("enjoy.csv").write_text(table[1])
    done = run(*shlex.split(block[1]))
    assert done.code == 0
    first, _, last = block[2].partition("...\n")
    assert done.out.startswith(first)
    assert last in done.out
    assert "96 instances, 973 hypotheses" in first
    assert "left      6 hypotheses" in last
