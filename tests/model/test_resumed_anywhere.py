"""A training that was begun by the command goes on by `mb.learn`, and the other way round, to the same file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from cli.rows import write_rows, write_table
from mistakebound.cli import main

CASES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "usual": ([], {}),
    "parameters": (["--learner", "winnow2", "--set", "alpha=3"], {"learner": "winnow2", "parameters": {"alpha": 3}}),
    "fractions": (
        ["--learner", "passive-aggressive", "--set", "C=1/2", "--set", "bias=no"],
        {"learner": "passive-aggressive", "parameters": {"C": 0.5, "bias": False}},
    ),
    "costs": (["--learner", "perceptron", "--cost", "1=3"], {"learner": "perceptron", "cost": {"1": 3}}),
    "facts": (["--learner", "winnow2", "--assume", "k=3"], {"learner": "winnow2", "assume": {"k": 3}}),
    "order": (["--shuffle", "--seed", "7"], {"shuffle": True, "seed": 7}),
    "usual order": (["--shuffle"], {"shuffle": True}),
    "held out": (["--holdout", "1/5"], {"holdout": 5}),
    "labels": (["--labels=-1,1"], {"labels": ("-1", "1")}),
    "transforms": (["--cross", "2"], {"cross": 2}),
    "reading": (
        ["--format", "libsvm", "--ignore", "9*", "--hash", "6"], {"format": "libsvm", "ignore": ["9*"], "hash": 6},
    ),
    "table": (
        ["--label", "label", "--labels", "no,yes", "--nominal", "n,user", "--bins", "degrees=3", "--ignore", "w"],
        {"label": "label", "labels": ("no", "yes"), "nominal": ["n", "user"], "bins": {"degrees": 3}, "ignore": ["w"]},
    ),
}  # fmt: skip


class Stopped(KeyboardInterrupt):
    """As by Ctrl-C."""


def begun(rows: Path, model: Path, keywords: dict[str, Any]) -> None:
    """A training that is interrupted in its second pass."""
    seen: list[int] = []

    def stop(ledger: Any) -> None:
        seen.append(ledger.trials)
        if len(seen) > 1 and seen[-1] > seen[0]:
            raise Stopped

    with pytest.raises(KeyboardInterrupt):
        mb.learn(str(rows), passes=2, model=model, progress=stop, **keywords)


@pytest.mark.some(5)
@pytest.mark.parametrize("case", CASES)
def test_either_goes_on_from_the_other(tmp_path: Path, case: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, keywords = CASES[case]
    rows = write_table(tmp_path / "t.csv", 300) if case == "table" else write_rows(tmp_path / "rows.svm", 300)
    whole, half, other = (tmp_path / name for name in ("whole.mb", "half.mb", "other.mb"))
    asked = ["learn", str(rows), *words, "--quiet"]
    assert main([*asked, "--passes", "2", "--model", str(whole)]) == 0
    begun(rows, half, keywords)
    other.write_bytes(half.read_bytes())
    assert main([*asked, "--passes", "2", "--model", str(half), "--resume"]) == 0
    mb.learn(str(rows), passes=2, model=other, resume=True, **keywords)
    assert half.read_bytes() == other.read_bytes() == whole.read_bytes()
    mb.learn(str(rows), passes=2, model=whole, resume=True, **keywords)  # the command's own, which is finished
    with pytest.raises(mb.BadParameter, match="passes must be the same as in the run to resume, 2: 3"):
        mb.learn(str(rows), passes=3, model=whole, resume=True, **keywords)
    capsys.readouterr()
    assert main([*asked, "--passes", "3", "--model", str(other), "--resume"]) == 2
    assert "--passes must be the same as in the run to resume, 2: 3" in capsys.readouterr().err


def test_another_parameter_is_refused_by_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, model = write_rows(tmp_path / "rows.svm", 60), tmp_path / "m.mb"
    mb.learn(str(rows), learner="winnow2", parameters={"alpha": 3}, model=model)
    with pytest.raises(mb.BadParameter, match="parameters must be the same as in the run to resume"):
        mb.learn(str(rows), learner="winnow2", parameters={"alpha": 2}, model=model, resume=True)
    words = ["learn", str(rows), "--learner", "winnow2", "--set", "alpha=2", "--model", str(model), "--resume"]
    assert main(words) == 2
    assert "--set must be the same as in the run to resume" in capsys.readouterr().err
