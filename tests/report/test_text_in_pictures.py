"""Whatever stands in a name, a label or a title stands in the picture, as text: no formula, nothing invalid."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.core.names import visible
from mistakebound.report.bars import draw_explanation, draw_weights
from mistakebound.report.decision_tree import draw_tree_curves
from mistakebound.report.explanation import explain_one
from mistakebound.report.learning_curve import draw_comparison, draw_learning
from mistakebound.report.network_pictures import draw_boundary, draw_code, draw_hidden_weights, draw_training
from mistakebound.report.perceptron_strip import draw_perceptron_strip, unit_circle
from mistakebound.report.plots import Curve, draw_mistakes

NAME = "_a$b^{c}\\e$\x1b<&\0\ufffe"


def finished(name: str = "a", rows: int = 40) -> tuple[Any, Any]:
    learner = mb.Perceptron(labels=("no", "yes"))
    ledger = mb.play(learner, mb.teachers.Replay([({name: 1.0, "b": 1.0}, "yes"), ({"b": 1.0}, "no")] * rows))
    return learner, ledger


class _Square:
    """A classifier of the plane."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def predict_many(self, X: Any) -> list[str]:
        return [self._names[int(x > 0)] for x in X[:, 0]]


class _Epoch:
    def __init__(self, number: int) -> None:
        self.number, self.loss, self.validation = number, 1 / number, 1.1 / number


def _comparison(path: str, name: str) -> None:
    comparison = mb.compare([({"a"}, 1), ({"b"}, 0)] * 30, {name: mb.Perceptron(), "other": mb.Winnow2()})
    draw_comparison(path, comparison.entries, title=name)


def _means(path: str, name: str) -> None:
    learner = mb.learners.GaussianMeans(k=1, variance=1.0)
    learner.fit([[0.0], [1.0], [2.0]])
    mb.plot.draw_means(path, learner, title=name)


def _boundary(path: str, name: str) -> None:
    X = np.array([[-1.0, 0.0], [1.0, 1.0], [1.0, -1.0]])
    y = [name, "other", "other"]
    draw_boundary(path, _Square([name, "other"]), X, y, names=(name, name), title="t")


def _curves(path: str, name: str) -> None:
    points = [(k, 0.9, 0.8) for k in range(1, 3000, 100)] + [(5000, 1.0, 0.9)]
    draw_tree_curves(path, points, points, title=name, pruned=("none", 10, 0.9))


def _tried(function: Callable[..., Any], *words: Any) -> Callable[[str, str], None]:
    return lambda path, name: function(path, *words, title=name)


def _bars(path: str, name: str) -> None:
    learner = finished(name)[0]
    draw_explanation(path, explain_one(learner, {name: 1.0, "b": 1.0}))


PICTURES: dict[str, Callable[[str, str], None]] = {
    "mistakes": lambda path, name: draw_mistakes(path, [Curve(name, finished()[1])], title="t"),
    "title": lambda path, name: draw_mistakes(path, [Curve("a", finished()[1])], title=name),
    "learning": lambda path, name: draw_learning(path, finished()[1], title=name),
    "comparison": _comparison,
    "weights": lambda path, name: draw_weights(path, finished(name)[0]),
    "explanation": _bars,
    "training": _tried(draw_training, [_Epoch(1), _Epoch(2)]),
    "hidden": lambda path, name: draw_hidden_weights(path, np.ones((2, 3)), names=[name, "b"], title="t"),
    "images": lambda path, name: draw_hidden_weights(path, np.ones((2, 5)), shape=(2, 2), title=name),
    "code": _tried(draw_code, np.eye(2), np.eye(2), np.eye(2)),
    "boundary": _boundary,
    "strip": lambda path, name: draw_perceptron_strip(path, *unit_circle(6), title=name),
    "means": _means,
    "tree": _curves,
}


LONG = ("title", "training", "images", "code", "strip", "means")  # nothing of theirs but the title is from outside


@pytest.mark.some(4)
@pytest.mark.parametrize("kind", [pytest.param(k, marks=[pytest.mark.long] * (k in LONG)) for k in PICTURES])
def test_names_stand_in_pictures_as_they_are(tmp_path: Path, kind: str) -> None:
    """Warnings are errors here: a character that the font has not, a name that a legend leaves out."""
    PICTURES[kind](str(tmp_path / "p.svg"), NAME)
    root = ElementTree.parse(tmp_path / "p.svg").getroot()
    found = "".join(root.itertext())
    assert visible(NAME) in found
    assert "mathdefault" not in found
    if kind in ("boundary", "comparison"):  # matplotlib leaves names that begin with _ out
        (legend,) = (node for node in root.iter() if node.get("id", "").startswith("legend"))
        assert visible(NAME) in "".join(legend.itertext())
    if kind == "tree":
        assert "1,000" in found, "logarithms are marked with numbers, not with formulas"


@pytest.mark.parametrize("name", ["$$", "$\\frac{1}{$", "\\$_"])
def test_names_alone(tmp_path: Path, name: str) -> None:
    PICTURES["weights"](str(tmp_path / "p.png"), name)
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_drawings_are_valid_whatever_the_names(tmp_path: Path) -> None:
    name, value, label = NAME + '\\"\n', "v\x0b" + NAME, "l\n" + NAME
    tree = mb.DecisionTree().fit([{name: value}, {name: "b"}] * 5, [label, "other"] * 5)
    learner = mb.learners.CandidateElimination({name: [value, "b"], "x": ["1", "2"]})
    learner.learn_one([value, "1"], 1)
    drawn = {
        "tree": lambda form: mb.plot.draw_decision_tree(tree, form),
        "lattice": lambda form: mb.plot.draw_lattice(learner.version_space, form),
        "game": lambda form: mb.plot.draw_game([(value, label, "0")], form, end=name),
    }
    for draw in drawn.values():
        svg = draw("svg")
        found = "".join(ElementTree.fromstring(svg).itertext())
        assert visible(value) in found or json.dumps(value) in found  # a version space quotes its values itself
        for text in (svg, draw("dot"), draw("text")):
            assert visible(text, keep="\n") == text
        lines = draw("dot").split("\n")
        assert all(line.endswith((";", "{", "}")) for line in lines), "a name never ends a line"
    page = tree._repr_html_()
    assert page is not None
    assert visible(page) == page
    assert str(tree).isprintable() or visible(str(tree), keep="\n") == str(tree)
