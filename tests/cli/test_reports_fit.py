"""Every report fits a terminal of 80 columns, however long names and labels are."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.cli.conftest import Run

LABELS = [f"a_rather_long_label_{number}" for number in range(9)]
EXPERTS = "experts=winnow2,perceptron,arow,passive-aggressive,averaged-perceptron"


@pytest.fixture(autouse=True)
def short_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long path is never broken."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def table() -> Path:
    random = Random(3)
    lines = ["some_numeric_column,another_numeric_column,a_third_quite_long_column,y"]
    for _ in range(200):
        code = random.randrange(len(LABELS))
        lines.append(f"{random.gauss(code, 1):.3f},{random.random():.4f},{random.choice('abc') * 9},{LABELS[code]}")
    path = Path("rows.csv")
    path.write_text("\n".join(lines) + "\n")
    return path


def fits(run: Run, *words: object) -> str:
    result = run(*words)
    assert result.code == 0, result.err
    assert max(map(len, result.out.splitlines())) <= 80, result.out
    return result.out


@pytest.mark.parametrize(
    ("learner", "more"),
    [
        ("network", ["--set", "epochs=2"]), ("one-vs-all", []), ("decision-tree", []), ("naive-bayes", ["--bins", "4"]),
    ],
)  # fmt: skip
def test_many_long_labels(run: Run, table: Path, learner: str, more: list[str]) -> None:
    model = Path("m.mb")
    fits(run, "learn", table, "--label", "y", "--learner", learner, *more, "--model", model)
    fits(run, "explain", model)
    fits(run, "explain", model, table, "--row", 3)
    measured = fits(run, "eval", model, table)
    assert "precision" in measured
    assert "a_rather_long_label_8" in measured


def test_means_of_many_columns(run: Run) -> None:
    random = Random(5)
    path = Path("points.csv")
    rows = [",".join(f"{random.random():.3f}" for _ in range(12)) for _ in range(40)]
    path.write_text("\n".join([",".join(f"coordinate_{k}" for k in range(12)), *rows]) + "\n")
    words = ("--learner", "gaussian-means", "--set", "k=2", "--set", "variance=1")
    assert "coordinate_11" in fits(run, "learn", path, *words)


def test_learners_beside_each_other_and_experts(run: Run) -> None:
    random = Random(4)
    path, model = Path("rows.svm"), Path("m.mb")
    rows = [" ".join(f"{k}:1" for k in sorted(random.sample(range(1, 2**40), 4))) for _ in range(1500)]
    path.write_text("".join(f"{random.choice(['+1', '-1'])} {row}\n" for row in rows))
    assert "randomized-weighted-majority" in fits(run, "compare", path)
    fits(run, "learn", path, "--learner", "weighted-majority", "--set", EXPERTS, "--model", model)
    fits(run, "explain", model)
    fits(run, "explain", model, path, "--row", 3)
    fits(run, "eval", model, path)


def test_a_small_matrix_of_short_labels_stays_whole(run: Run) -> None:
    path, model = Path("rows.csv"), Path("m.mb")
    path.write_text("x,y\n" + "".join(f"{k % 3},{'abc'[k % 3]}\n" for k in range(30)))
    run("learn", path, "--label", "y", "--learner", "decision-tree", "--model", model)
    assert "label  said a  said b  said c  precision  recall" in run("eval", model, path).out
