from __future__ import annotations

from pathlib import Path

import pytest

import mistakebound as mb
from mistakebound.core.errors import MistakeboundError
from mistakebound.report.bars import MOST, draw_explanation, draw_weights
from mistakebound.report.explanation import explain_one


def learner() -> mb.Perceptron:
    made = mb.Perceptron(labels=("ham", "spam"))
    made.learn_one({"free money": 2, "$now$": 1}, "spam")
    made.learn_one({"lunch": 3}, "ham")
    return made


def test_every_term_has_its_bar(tmp_path: Path):
    draw_explanation(
        str(tmp_path / "x.svg"), explain_one(learner(), {"free money": 1, "$now$": 0.5, "lunch": 1, "new": 1})
    )
    text = (tmp_path / "x.svg").read_text()
    for wanted in (
        "free money<",
        "$now$ = 0.5",
        "lunch",
        "the bias",
        "1 more",
        "total",
        "threshold 0",
        "predicts ham",
    ):
        assert wanted in text, wanted


def test_weights(tmp_path: Path):
    draw_weights(str(tmp_path / "w.svg"), learner(), 2)
    text = (tmp_path / "w.svg").read_text()
    assert "lunch" in text
    assert "-3<" in text
    assert "$now$" not in text
    draw_weights(str(tmp_path / "none.png"), mb.Winnow2())
    assert (tmp_path / "none.png").read_bytes().startswith(b"\x89PNG")


def test_many_terms_are_one_bar(tmp_path: Path):
    made = mb.Perceptron()
    x = {f"name{number}": 1 for number in range(MOST + 60)}
    made.learn_one(x, 1)
    draw_explanation(str(tmp_path / "x.svg"), explain_one(made, x), 1000)
    assert "60 more" in (tmp_path / "x.svg").read_text()


def test_the_same_explanation_is_the_same_picture(tmp_path: Path):
    for name in ("one.png", "two.png"):
        draw_explanation(str(tmp_path / name), explain_one(learner(), {"lunch"}))
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.png", "two.png"]


def test_what_is_beyond_the_doubles_cannot_be_drawn(tmp_path: Path):
    made = mb.Winnow1(n=4, alpha=1e200, theta=1e300)
    for _ in range(2):
        made.learn_one({"a"}, 1)
    with pytest.raises(MistakeboundError, match="a number is too large"):
        draw_explanation(str(tmp_path / "x.png"), explain_one(made, {"a"}))
