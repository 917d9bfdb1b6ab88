from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import mistakebound as mb


def fitted(d: int) -> mb.learners.GaussianMeans:
    draw = np.random.default_rng(2)
    X = np.concatenate([draw.normal(centre, 1, size=(150, d)) for centre in (0, 6)])
    return mb.learners.GaussianMeans(2, 1.0).fit(X, start=X[[0, 10]])


@pytest.mark.some(1)
@pytest.mark.parametrize(("d", "ending"), [(1, "svg"), (2, "svg"), (2, "png")])
def test_the_same_run_is_the_same_picture(d: int, ending: str, tmp_path: Path) -> None:
    pictures = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.{ending}"
        mb.plot.draw_means(path, fitted(d), title="two heaps")
        pictures.append(path.read_bytes())
    assert pictures[0] == pictures[1]
    if ending == "svg":
        text = pictures[0].decode()
        assert "two heaps" in text
        assert "log-likelihood" in text


def test_every_point_of_the_plane_is_drawn(tmp_path: Path) -> None:
    learner = fitted(2)
    mb.plot.draw_means(tmp_path / "m.svg", learner)
    text = (tmp_path / "m.svg").read_text()
    assert "2 Gaussians, 300 points" in text
    heaps = re.findall(r'id="PathCollection_\d+".*?</g>\n   </g>', text, re.DOTALL)
    assert sum(heap.count("<use ") for heap in heaps) == 300
    mb.plot.draw_means(tmp_path / "few.svg", learner, [[0.0, 0.0], [6.0, 6.0]])
    assert "2 Gaussians, 2 points" in (tmp_path / "few.svg").read_text()


def test_what_cannot_be_drawn_is_said(tmp_path: Path) -> None:
    with pytest.raises(mb.BadParameter, match="points must have 1 or 2 numbers to be drawn: 3"):
        mb.plot.draw_means(tmp_path / "m.svg", fitted(3))
    with pytest.raises(mb.BadParameter, match=r"must end in \.png or \.svg"):
        mb.plot.draw_means(tmp_path / "m.gif", fitted(1))
    with pytest.raises(mb.BadParameter, match="has learned nothing yet"):
        mb.plot.draw_means(tmp_path / "m.svg", mb.learners.GaussianMeans(2, 1.0))
    assert not list(tmp_path.iterdir())
