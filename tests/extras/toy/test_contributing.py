"""CONTRIBUTING.md, followed: a toy learner in one file and a few lines appears everywhere a learner should."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mistakebound

ROOT = Path(__file__).parents[3]
PACKAGE = Path(mistakebound.__file__).parent
TOY = Path(__file__).with_name("votes.py")
LINES = {  # file: (the line that it stands before, the line)
    "learners/registry.py": ('    "weighted-majority":', '    "votes": "Votes",\n'),
    "learners/__init__.py": ('        "learners.linear.winnow1":', '        "learners.linear.votes": "Votes",\n'),
    "learners/__init__.pyi": (
        "from mistakebound.learners.linear.winnow1 ",
        "from mistakebound.learners.linear.votes import Votes as Votes\n",
    ),
}
DOCS = """
import sys
sys.path.insert(0, sys.argv[1])
import reference_pages, theorem_pages
page = reference_pages.learners_page()
assert "## votes" in page and "| `votes` | votes that an attribute casts |" in page
assert "votes" in theorem_pages.all_theorems()["The perceptron theorem"].learners
assert "VotesClassifier" in reference_pages.module_page(__import__("mistakebound.sklearn").sklearn)
"""
SKLEARN = """
from mistakebound.sklearn import VotesClassifier
model = VotesClassifier(votes=2).fit([[1, 0], [0, 1]] * 20, ["a", "b"] * 20)
assert list(model.predict([[1, 0], [0, 1]])) == ["a", "b"]
assert model.get_params()["votes"] == 2
"""
RIVER = """
from mistakebound.river import Votes
model = Votes()
for _ in range(5):
    model.learn_one({"free": 1, "now": 1}, True)
    model.learn_one({"lunch": 1}, False)
assert model.predict_one({"free": 1}) is True
"""
CHECKS = """
import mistakebound as mb
from mistakebound.checks import check_learner
check_learner(mb.learners.Votes)
assert mb.learners.find("votes") is mb.learners.Votes
ledger = mb.play(mb.learners.Votes(), [({str(j)}, 1) for j in range(9)], assume={"margin": 1 / 3})
assert ledger.mistakes == ledger.bound.mistakes == 9
"""
LAB = """
from mistakebound.lab import catalogue
assert "votes" in catalogue.SUBJECTS[0].learners
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the toy in it."""
    folder = tmp_path_factory.mktemp("tree")
    made = folder / "mistakebound"
    shutil.copytree(PACKAGE, made, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TOY, made / "learners" / "linear" / "votes.py")
    for name, (before, line) in LINES.items():
        text = (made / name).read_text("utf-8")
        assert text.count(before) == 1, name
        (made / name).write_text(text.replace(before, line + before), "utf-8")
    catalogue = made / "lab" / "catalogue.py"
    text = catalogue.read_text("utf-8")
    assert text.count("_LINEAR = (") == 1
    catalogue.write_text(text.replace("_LINEAR = (", '_LINEAR = ("votes", '), "utf-8")
    return folder


def run(tree: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_one_short_file() -> None:
    assert len(TOY.read_text("utf-8").splitlines()) <= 100


def test_the_command_line_learns_it(tree: Path) -> None:
    (tree / "rows.svm").write_text("1 1:1 2:1\n0 3:1\n" * 5)
    assert "votes that an attribute casts" in run(tree, "-m", "mistakebound", "learners", "votes")
    words = (
        "learn",
        "rows.svm",
        "--learner",
        "votes",
        "--set",
        "votes=3",
        "--model",
        "rows.mb",
        "--assume",
        "margin=0.5",
    )
    assert "Votes(votes=3) on rows.svm" in run(tree, "-m", "mistakebound", *words)
    assert run(tree, "-m", "mistakebound", "predict", "rows.mb", "rows.svm").split() == ["1", "0"] * 5
    assert "predicts 1" in run(tree, "-m", "mistakebound", "explain", "rows.mb", "rows.svm", "--row", "1")


@pytest.mark.parametrize("code", [SKLEARN, RIVER, CHECKS, LAB], ids=["sklearn", "river", "checks", "lab"])
def test_it_is_there(tree: Path, code: str) -> None:
    run(tree, "-c", code)


def test_the_site_has_it(tree: Path) -> None:
    run(tree, "-c", DOCS, str(ROOT / "tools" / "site"))
