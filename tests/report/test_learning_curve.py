from __future__ import annotations

from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core.ledger import Ledger
from mistakebound.report.learning_curve import LearningRun, draw_learning


def ledger_of(wrong: list[bool], since: int = 0, before: int = 0) -> Ledger:
    """A ledger that went on after `since` trials, `before` of them mistakes."""
    ledger = Ledger.restore(
        Ledger().state() | {"trials": since, "counts": [since - before, before, 0, 0]}, Ledger().labels
    )
    ledger.record_codes(array("b", wrong), array("b", bytes(len(wrong))), 0, len(wrong))
    return ledger


@given(st.lists(st.booleans(), max_size=300), st.integers(0, 50), st.integers(0, 50))
def test_the_curve_ends_where_the_ledger_does(wrong, since, before):
    before = min(before, since)
    ledger = ledger_of(wrong, since, before)
    run = LearningRun(ledger, since)
    trials, mistakes = run.steps()
    assert mistakes[0] == before
    assert (trials[-1], mistakes[-1]) == (ledger.trials, ledger.mistakes)
    assert trials == sorted(trials)
    assert mistakes == sorted(mistakes)
    assert sum(count for _, _, count in run.windows()) == sum(wrong)
    assert sum(last - first for first, last, _ in run.windows()) == len(wrong)


def test_windows_count_what_lies_in_them():
    assert LearningRun(ledger_of([True, False, True])).windows() == [(0, 1, 1), (1, 2, 0), (2, 3, 1)]
    early = LearningRun(ledger_of([True] * 20 + [False] * 980))
    assert early.early
    assert early.windows()[:4] == [(0, 2, 2), (2, 3, 1), (3, 6, 3), (6, 10, 4)]
    assert not LearningRun(ledger_of([True] * 20 + [False] * 980, 5), 5).early
    assert not LearningRun(ledger_of([True, False] * 500)).early


def test_a_long_curve_is_thinned_and_keeps_its_heights():
    ledger = ledger_of([place % 3 == 0 for place in range(30_000)])
    trials, mistakes = LearningRun(ledger).steps()
    assert 1000 < len(trials) < 2100
    marks = ledger.mistake_trials
    assert all(marks[count - 1] == trial for trial, count in zip(trials[1:-1], mistakes[1:-1], strict=True))


BOUNDS, SHAPES = (None, 30.0, 1e9, 1.0, 32.0), ("early", "late", "going on")


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("bound", "shape"),
    [  # in the short run three bounds, each with another shape
        pytest.param(bound, shape, marks=[] if BOUNDS.index(bound) == SHAPES.index(shape) else pytest.mark.long)
        for bound in BOUNDS
        for shape in SHAPES
    ],
)
def test_pictures(tmp_path: Path, bound, shape):
    wrong = [place < 30 if shape == "early" else place % 30 == 0 for place in range(900)]
    ledger = ledger_of(wrong, 1000 if shape == "going on" else 0)
    if bound is not None:
        ledger.bound = mb.Perceptron().bound(margin=1 / bound**0.5, radius=1)
    path = tmp_path / "run.svg"
    draw_learning(str(path), ledger, title="Perceptron() on rows.svm", since=1000 if shape == "going on" else 0)
    text = path.read_text()
    assert "Perceptron() on rows.svm" in text
    assert "30 mistakes" in text
    assert (f"the perceptron theorem allows {ledger.bound.mistakes:,}" in text) if bound else ("allows" not in text)
    assert ("vacuous" in text) == (bound == 1e9)


def test_nothing_yet_can_be_drawn(tmp_path: Path):
    draw_learning(str(tmp_path / "a.png"), Ledger(), title="nothing yet")
    draw_learning(str(tmp_path / "b.png"), ledger_of([True]), title="one trial")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
