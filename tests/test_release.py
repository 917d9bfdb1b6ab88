"""What a release says of itself: one version, everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import mistakebound

ROOT = Path(__file__).parents[1]


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "mistakebound.__version__"}


def test_the_citation_and_the_changelog_are_of_this_version() -> None:
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"^version: (.+)$", cited, flags=re.MULTILINE) == [mistakebound.__version__]
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## (\S+)", changes, flags=re.MULTILINE)[0] == mistakebound.__version__


def test_the_usual_install_is_small() -> None:
    """SciPy, matplotlib and the like come with extras."""
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert {re.split(r"[>=;]", need)[0] for need in needs} == {"numpy", "pyarrow", "rich", "shtab", "backports.zstd"}
