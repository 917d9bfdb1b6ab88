"""Pictures of theory: that they are drawn, the same each time, and say what is true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb

pytest.importorskip("matplotlib")
SQUARE = [(0, 0), (1, 0), (0, 1), (1, 1)]
PICTURES: dict[str, Any] = {
    "shattering": lambda path: mb.plot.draw_shattering(path, "circles", SQUARE[:3]),
    "interval": lambda path: mb.plot.draw_shattering(path, "rectangles d=1", [(0,), (1,), (2,)]),
    "entropy": mb.plot.draw_entropy_curve,
    "unit": lambda path: mb.plot.draw_unit(path, [-1.5, 1, -1], names=["free <b>", "cash"], output="> 0", title="AND"),
    "line": mb.plot.draw_weights_and_threshold,
}


@pytest.mark.some(1)
@pytest.mark.parametrize("name", PICTURES)
def test_the_same_picture_each_time(name: str, tmp_path: Path) -> None:
    first, second = str(tmp_path / "a.svg"), str(tmp_path / "b.svg")
    PICTURES[name](first)
    PICTURES[name](second)
    text = Path(first).read_text()
    assert text == Path(second).read_text()
    assert text.startswith("<?xml")


def test_what_the_pictures_say(tmp_path: Path, long: bool) -> None:
    path = tmp_path / "a.svg"
    mb.plot.draw_shattering(str(path), "half-spaces d=2", SQUARE)
    text = path.read_text()
    assert "half-spaces d=2: 14 of the 16 subsets" in text
    assert text.count(">none<") == 2  # the two diagonals
    count = 3 if long else 2
    mb.plot.draw_shattering(str(path), "half-spaces d=2", SQUARE[:count])
    assert f"{2**count} of the {2**count} subsets, shattered" in path.read_text()
    PICTURES["unit"](str(path))
    assert all(word in path.read_text() for word in ("free &lt;b&gt;", "cash", "-1.5", "AND"))


def test_what_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "a.svg")
    with pytest.raises(mb.BadParameter, match="a class of regions of the line or the plane"):
        mb.plot.draw_shattering(path, "half-spaces d=3", [(0, 0, 0)])
    with pytest.raises(mb.BadParameter, match="points must be 1 to 5: 6"):
        mb.plot.draw_shattering(path, "circles", [(j, j * j) for j in range(6)])
    with pytest.raises(mb.BadParameter, match="weights must be those of 0 to 20 inputs"):
        mb.plot.draw_unit(path, [0.0] * 22)
