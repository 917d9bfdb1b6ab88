"""What a release says of itself: one version, everywhere."""

from __future__ import annotations

import re
import runpy
import tomllib
import zipfile
from pathlib import Path

import mistakebound
from mistakebound.kernels._selection import SHARED

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


def test_a_wheel_with_files_of_another_day_is_noticed(tmp_path: Path) -> None:
    """setuptools packs what an earlier build left in build/lib."""
    stale = runpy.run_path(str(ROOT / "tools" / "release"))["stale"]
    path = tmp_path / "mistakebound-1-py3-none-any.whl"
    names = [
        "mistakebound/__init__.py",
        "mistakebound/kernels/tally.cpython-311-x86_64-linux-gnu.so",
        f"mistakebound/kernels/{SHARED}.cpython-311-x86_64-linux-gnu.so",
        "x.dist-info/WHEEL",
    ]
    gone = ["mistakebound/gone.py", "mistakebound/kernels/gone.cpython-311-x86_64-linux-gnu.so"]
    with zipfile.ZipFile(path, "w") as wheel:
        for name in [*names, *gone]:
            wheel.writestr(name, "")
    assert stale(path) == gone
