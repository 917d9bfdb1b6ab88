"""Pictures of units and networks."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.report import perceptron_strip
from mistakebound.report.network_pictures import square
from mistakebound.report.perceptron_strip import unit_circle

XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
_TEXT = "{http://www.w3.org/2000/svg}text"


def texts(path: Path) -> list[str]:
    return ["".join(element.itertext()) for element in ElementTree.parse(path).iter(_TEXT)]


def test_training_with_a_validation_set(tmp_path: Path) -> None:
    network = mb.learners.Network([2, 3, 1]).fit(*XOR, epochs=30, validation=XOR)
    mb.plot.draw_training(str(tmp_path / "a.svg"), network.curve, title="how it went")
    said = texts(tmp_path / "a.svg")
    assert {"how it went", "training", "validation", "epochs", "loss an example"} <= set(said)
    best = min(network.curve, key=lambda epoch: epoch.validation or 0)
    assert f"kept: epoch {best.number}" in said
    mb.plot.draw_training(str(tmp_path / "b.svg"), network.curve, title="how it went")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_the_code_of_8_3_8(tmp_path: Path) -> None:
    eye = np.eye(8)
    network = mb.learners.Network([8, 3, 8]).fit(eye, eye, epochs=200)
    mb.plot.draw_code(str(tmp_path / "code.svg"), eye, network.hidden(eye)[0], network.outputs(eye), title="a code")
    said = texts(tmp_path / "code.svg")
    assert {"a code", "input", "hidden values", "output"} <= set(said)
    assert len(said) == 4 + 8 * 19


def test_hidden_weights_as_images_and_as_a_table(tmp_path: Path) -> None:
    weights = np.random.default_rng(0).normal(size=(5, 17))
    mb.plot.draw_hidden_weights(str(tmp_path / "images.svg"), weights, shape=(4, 4))
    assert {"1", "2", "3", "4", "5"} <= set(texts(tmp_path / "images.svg"))
    names = [f"column {k}" for k in range(16)]
    mb.plot.draw_hidden_weights(str(tmp_path / "table.svg"), weights, names=names)
    assert {"constant", *names} <= set(texts(tmp_path / "table.svg"))
    with pytest.raises(mb.BadParameter, match=r"shape must be rows and columns of 16 inputs: \(4, 5\)"):
        mb.plot.draw_hidden_weights(str(tmp_path / "bad.svg"), weights, shape=(4, 5))
    assert square(16) == (4, 4)


def test_a_boundary_in_the_plane(tmp_path: Path) -> None:
    network = mb.learners.Network.for_function([0, 1, 1, 0])
    mb.plot.draw_boundary(str(tmp_path / "xor.svg"), network, *XOR, title="XOR")
    assert {"XOR", "x1", "x2", "0", "1"} <= set(texts(tmp_path / "xor.svg"))
    unit = mb.learners.LinearUnit("perceptron").fit([[0, 0], [1, 1]], ["no", "yes"])
    mb.plot.draw_boundary(str(tmp_path / "line.svg"), unit, [[0, 0], [1, 1]], ["no", "yes"], title="a line")
    assert {"no", "yes"} <= set(texts(tmp_path / "line.svg"))
    with pytest.raises(mb.BadData, match="a boundary is drawn for two inputs"):
        mb.plot.draw_boundary(str(tmp_path / "bad.svg"), unit, [[0, 0, 1]], ["no"], title="")


@pytest.mark.parametrize("most", [5, pytest.param(100, marks=pytest.mark.long)])
def test_the_perceptrons_line_mistake_by_mistake(tmp_path: Path, most: int) -> None:
    X, y = unit_circle(24)
    path = tmp_path / "strip.svg"
    count = mb.plot.draw_perceptron_strip(str(path), X, y, most=most, title="the line")
    learner = mb.Perceptron(labels=(-1, 1))
    mistakes = _mistakes(learner, X, y)
    assert count == mistakes > 5
    said = texts(path)
    assert f"the line: {count} mistakes" in said
    assert f"mistake {count}, the last" in said
    assert sum(text.startswith("mistake ") for text in said) == min(most, count)


def test_the_strip_looks_at_the_points_wherever_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points far from the origin fill the window, and the line has the same side of each of them."""
    seen: list[Any] = []
    monkeypatch.setattr(perceptron_strip, "_half_plane", lambda _, weights, end: seen.append((weights, end)))
    X, y = unit_circle(12)
    far = X + np.array([100.0, -7.0])
    mb.plot.draw_perceptron_strip(str(tmp_path / "far.png"), far, y, max_passes=1, most=2, title="far")
    weights, end = seen[0]
    assert end == pytest.approx(1.25, abs=0.05)
    unit = mb.learners.LinearUnit("perceptron", eta=0.5)
    row = next(k for k, label in enumerate(y) if unit.learn_one(far[k], label) != label)
    assert row <= 11
    w0, *w = unit.weights[0][0]
    middle = (far.min(axis=0) + far.max(axis=0)) / 2
    assert weights[0] + (far - middle) @ weights[1:] == pytest.approx(w0 + far @ w, abs=1e-9)


def test_examples_that_cannot_be_drawn(tmp_path: Path) -> None:
    path = str(tmp_path / "bad.png")
    unit = mb.learners.LinearUnit("perceptron").fit([[0, 0], [1, 1]], [0, 1])
    for X, y in (([[0, 0], [1, 1]], [0]), (np.zeros((0, 2)), [])):
        with pytest.raises(mb.BadData, match=f"one label per example: X has {len(X)} rows and y {len(y)} labels"):
            mb.plot.draw_boundary(path, unit, X, y, title="")
        with pytest.raises(mb.BadData, match=f"one label per example: X has {len(X)} rows and y {len(y)} labels"):
            mb.plot.draw_perceptron_strip(path, X, y, title="")
    assert mb.plot.draw_perceptron_strip(path, [[0, 0], [1, 1]], [1, "one"], title="labels of two kinds") > 0


def _mistakes(learner: Any, X: Any, y: Any) -> int:
    """Chandola's perceptron, pass by pass until one has no mistake."""
    total = 0
    while True:
        wrong = sum(learner.learn_one(x, label) != label for x, label in zip(X, y, strict=True))
        total += wrong
        if not wrong:
            return total
