"""Many random classes: every theorem between two numbers holds, and the tables count right."""

from __future__ import annotations

from pathlib import Path

import pytest

import mistakebound as mb
from mistakebound.theory import survey_classes

ALL = ["vc", "opt", "halving", "queries", "teaching", "randomized", "recursive"]


@pytest.mark.parametrize(("concepts", "instances"), [(4, 3), (8, 5), (12, 4)])
def test_no_class_contradicts_a_theorem(concepts: int, instances: int) -> None:
    found = survey_classes(15, concepts, instances, names=ALL, seed=concepts)
    assert found.violations == []
    assert all(C.size == concepts and len(C.instances) == instances for C in found.classes)
    for row, C in zip(found.rows, found.classes, strict=True):
        assert row["opt"] == mb.opt(C).value
        assert 2 * row["randomized"] >= row["opt"]
        assert 2 ** row["queries"] >= concepts


def test_pairs_tables_and_gaps() -> None:
    found = survey_classes(40, 8, 5, names=["vc", "opt"], seed=1)
    assert sum(found.pairs("vc", "opt").values()) == 40
    table = found.table("vc", "opt").splitlines()
    assert sum(int(cell) for line in table[1:] for cell in line.split()[1:] if cell != ".") == 40
    gap, C = found.largest("opt", "vc")
    assert gap == mb.opt(C).value - mb.theory.vc_dimension(C).value
    assert survey_classes(40, 8, 5, names=["vc", "opt"], seed=1).rows == found.rows
    assert survey_classes(2, 3, 60, names=["vc"]).classes[0].size == 3


def test_a_violation_would_be_seen() -> None:
    found = survey_classes(3, 4, 3, names=["vc", "opt"])
    wrong = type(found)(found.names, ({"vc": 3, "opt": 1}, *found.rows[1:]), found.classes)
    assert [(low, high) for low, high, _ in wrong.violations] == [("vc", "opt")]


def test_what_is_refused() -> None:
    with pytest.raises(mb.BadParameter, match="a number must be one of"):
        survey_classes(1, 2, 2, names=["depth"])
    with pytest.raises(mb.BadParameter, match="concepts at most"):
        survey_classes(1, 5, 2)


def test_the_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "survey.svg"
    found = survey_classes(20, 6, 4, names=["vc", "opt"], seed=2)
    mb.plot.draw_survey(str(path), found, "vc", "opt")
    assert "20 classes" in path.read_text()
    mb.plot.draw_survey(str(path), found)
    assert "opt, the best mistake bound" in path.read_text()
    with pytest.raises(mb.BadParameter, match=r"one of the survey's \(vc, opt\): 'teaching'"):
        mb.plot.draw_survey(str(path), found, "vc", "teaching")
    with pytest.raises(mb.BadParameter, match="two names at least must be given: vc"):
        mb.plot.draw_survey(str(path), found, "vc")
