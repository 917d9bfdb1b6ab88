"""A verdict of "refuted" is a proof: it never comes from rounding, from an earlier life, or from a half-told fact."""

from __future__ import annotations

from pathlib import Path

import pytest

import mistakebound as mb


def target(formula: str, seed: int, n: int = 20) -> mb.teachers.RandomTarget:
    return mb.teachers.RandomTarget(formula, n=n, trials=300, density=0.3, seed=seed)


@pytest.mark.parametrize("make", [lambda: mb.Winnow1(n=20), mb.Winnow1, lambda: mb.Winnow2(n=20), mb.Winnow2])
def test_what_was_learned_before_the_count_refutes_nothing(make: type[mb.Winnow1]) -> None:
    learner = make()
    assert mb.play(learner, target("x1", 1)).verdict.kind == "within"
    ledger = mb.play(learner, target("x2", 2), lemmas=True)
    assert ledger.verdict.kind == "no bound"
    assert "had learned before" in ledger.verdict


def test_a_ledger_that_goes_on_keeps_its_bound() -> None:
    learner = mb.Winnow1(n=20)
    ledger = mb.play(learner, target("x1", 1))
    mb.play(learner, target("x1", 2), ledger=ledger)
    assert (ledger.trials, ledger.verdict.kind) == (600, "within")


def test_a_warm_perceptron_counts_from_its_weights() -> None:
    learner = mb.Perceptron(bias=False)
    mb.play(learner, [({"1": 3.0, "2": 4.0}, 1)])
    ledger = mb.play(learner, [({"1": 3.0, "2": 4.0}, 1)], assume={"margin": 1.0, "radius": 5.0})
    assert ledger.start == {"start_norm": 5.0}
    assert ledger.bound is not None
    assert ledger.bound.value == pytest.approx(25 + 2 * 5)


def test_tight_bounds_are_not_passed_by_rounding() -> None:
    # Three orthogonal rows of length sqrt(3), separated with margin 1 by their own sum over 3: exactly 3 mistakes.
    rows = [({"1", "2", "3"}, 1), ({"4", "5", "6"}, 1), ({"7", "8", "9"}, 1)]
    ledger = mb.play(mb.Perceptron(bias=False), rows, assume={"margin": 1})
    assert (ledger.mistakes, ledger.verdict.kind) == (3, "within")
    assert mb.Winnow1(alpha=3, theta=243, n=243).bound(k=1).mistakes == 3 * (5 + 1) + 1
    assert mb.Winnow1(alpha=10, theta=1000, n=1000).bound(k=1).mistakes == 10 * (3 + 1) + 1


def test_r_of_k_is_no_disjunction() -> None:
    ledger = mb.play(mb.Winnow1(n=20), target("2 of x1, x5, x9", 1))
    assert ledger.verdict.kind == "no bound"
    assert mb.play(mb.Winnow2(n=20, delta=0.5), target("2 of x1, x5, x9", 1)).verdict.kind == "within"


def test_a_model_without_a_ledger_is_a_warm_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mistakebound.cli import main

    stream, model = tmp_path / "rows.svm", tmp_path / "warm.mb"
    stream.write_text("1 1:1\n0 2:1\n")
    learner = mb.Winnow1(n=5)
    mb.play(learner, stream)
    learner.save(model)
    assert main(["learn", str(stream), "--from", str(model), "--assume", "k=1"]) == 0
    assert "had learned before" in " ".join(capsys.readouterr().out.split())
