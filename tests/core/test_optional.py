"""SciPy is an extra: the usual features do without it, and those that need it say so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT = "import sys; sys.modules['scipy'] = None\n"
USUAL = """
import mistakebound as mb
rows = [{"words": ["free"], "kind": "spam"}, {"words": ["lunch"], "kind": "ham"}] * 20
model = mb.learn(rows, "kind")
model.save("mails.mb")
assert mb.load("mails.mb").predict_one({"words": ["free"]}) == "spam"
assert mb.opt(mb.concepts.MonotoneDisjunctions(6, k=2)).value == 4
assert mb.hunt(lambda on: {"b", "c"} <= on, ["a", "b", "c", "d"]).culprits == ("b", "c")
assert len(mb.Perceptron().learn_many([[1.0, 0.0], [0.0, 1.0]], [1, 0])) == 2
tree = mb.DecisionTree(prune="pessimistic").fit({"a": ["x", "y"] * 9}, ["no", "yes"] * 9)
assert tree.predict_many({"a": ["y"]})[0] == "yes"
from mistakebound.cli import main
assert main(["learn", "rows.svm", "--model", "rows.mb", "--quiet"]) == 0
assert main(["predict", "rows.mb", "rows.svm"]) == 0
"""
REFUSED = {
    "the chi-squared test of decision trees": 'mb.DecisionTree(stop="chi2").fit({"a": ["x", "y"] * 9}, [0, 1] * 9)',
    "pruning by code length": 'mb.DecisionTree(prune="mdl").fit({"a": ["x", "y"] * 9}, [0, 1] * 9)',
    "an interval for an error": "mb.theory.error_interval(3, 100)",
    "linear separability": "mb.theory.linearly_separable([[0.0], [1.0], [2.0]], [0, 1, 0])",
}


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", WITHOUT + code], cwd=folder, capture_output=True, text=True)


def test_the_usual_work_needs_no_scipy(tmp_path: Path) -> None:
    (tmp_path / "rows.svm").write_text("1 3:1 4:1\n0 4:1\n" * 5)
    done = run(USUAL, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("what", REFUSED)
def test_what_needs_it_says_so(what: str, tmp_path: Path) -> None:
    done = run(f"import mistakebound as mb\n{REFUSED[what]}", tmp_path)
    assert done.stderr.endswith(f"{what} needs SciPy: pip install 'mistakebound[scipy]'\n")
