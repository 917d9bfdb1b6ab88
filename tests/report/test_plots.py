from __future__ import annotations

from pathlib import Path

import pytest

import mistakebound as mb
from mistakebound.core.errors import BadParameter, MistakeboundError
from mistakebound.core.ledger import Ledger
from mistakebound.report.plots import Curve, check_picture, draw_mistakes


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return mb.play(mb.Winnow1(n=50), mb.teachers.RandomTarget("x3 | x17", n=50, trials=200, seed=1))


def test_a_curve_has_one_step_a_mistake(ledger):
    trials, mistakes = Curve("Winnow1", ledger).steps()
    assert (trials[0], mistakes[0]) == (0, 0)
    assert (trials[-1], mistakes[-1]) == (200, ledger.mistakes)
    assert trials[1:-1] == list(ledger.mistake_trials)
    assert mistakes[1:-1] == list(range(1, ledger.mistakes + 1))


def test_the_bound_is_drawn_in_by_name(ledger, tmp_path: Path):
    draw_mistakes(str(tmp_path / "m.svg"), [Curve("Winnow1", ledger)], title="x3 | x17")
    text = (tmp_path / "m.svg").read_text()
    assert f"Theorem 7 allows Winnow1 {ledger.bound.mistakes} mistakes" in text
    assert f"Winnow1: {ledger.mistakes}" in text
    draw_mistakes(str(tmp_path / "bare.svg"), [Curve("Winnow1", ledger, show_bound=False)], title="x3 | x17")
    assert "Theorem" not in (tmp_path / "bare.svg").read_text()


@pytest.mark.some(1)
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_same_run_is_the_same_picture(ledger, tmp_path: Path, ending):
    pictures = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.{ending}"
        draw_mistakes(str(path), [Curve("Winnow1", ledger), Curve("again", ledger)], title="twice")
        pictures.append(path.read_bytes())
    assert pictures[0] == pictures[1]


def test_an_empty_ledger_can_be_drawn(tmp_path: Path):
    draw_mistakes(str(tmp_path / "empty.PNG"), [Curve("nobody", Ledger())], title="nothing yet")
    assert (tmp_path / "empty.PNG").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn_is_said(ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(BadParameter, match=r"must end in \.png or \.svg: 'm\.gif'"):
        check_picture("m.gif")
    with pytest.raises(MistakeboundError, match=r"cannot write .*: there is no folder"):
        draw_mistakes(str(tmp_path / "nowhere" / "m.png"), [Curve("Winnow1", ledger)], title="")
    monkeypatch.setattr("mistakebound.report.plots.find_spec", lambda name: None)
    with pytest.raises(MistakeboundError, match="needs matplotlib, which is not installed"):
        check_picture("m.png")
