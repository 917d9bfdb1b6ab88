"""The spread of attributes in a stream: as worked out row by row, whatever the blocks, saved, resumed, widened."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.spread import Spread
from naive import spread as naive

LEARNERS = ("perceptron", "arow", "winnow2", "weighted-majority", "one-vs-all")


def stream(size: int, seed: int, *, ones: bool = False) -> list[tuple[int, dict[str, float]]]:
    draw = random.Random(seed)
    rows = []
    for _ in range(size):
        x = {str(draw.randrange(1, 30)): 1.0 if ones else draw.choice((1.0, 1.0, 2.5, -7.0)) for _ in range(4)}
        rows.append((int("3" in x), dict(sorted(x.items(), key=lambda entry: int(entry[0])))))
    return rows


def write(path: Path, rows: list[tuple[int, dict[str, float]]]) -> Path:
    path.write_text("".join(f"{y} {' '.join(f'{k}:{v:g}' for k, v in x.items())}\n" for y, x in rows))
    return path


def spread_of(model: Any) -> Spread:
    found = model.ledger.spread
    assert isinstance(found, Spread)
    return found


@pytest.mark.parametrize("name", LEARNERS)
def test_agrees_with_the_naive_count(name: str, tmp_path: Path) -> None:
    rows = stream(1500, 3, ones=name == "winnow2")
    model = mb.learn(write(tmp_path / "rows.svm", rows), learner=name)
    found, names = spread_of(model), model.learner.attributes.names()
    assert found.rows == 1500
    assert (found.shares(), found.deviations()) == naive.spreads([x for _, x in rows], names)


def test_does_not_depend_on_blocks_or_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = stream(3000, 5)
    file = write(tmp_path / "rows.svm", rows)
    parts = [write(tmp_path / f"{k}.svm", rows[k : k + 370]) for k in range(0, 3000, 370)]
    found = [spread_of(mb.learn(what, learner="perceptron", threads=threads)) for what, threads in (
        (file, 1), (file, 2), (parts, 1), (parts, 2)
    )]  # fmt: skip
    assert len({pickle.dumps(one) for one in found}) == 1
    X = [[x.get(str(k), 0.0) for k in range(1, 30)] for _, x in rows]
    for entries in (7, 1000, 10**6):
        monkeypatch.setattr("mistakebound.core.matrix._ENTRIES_A_BLOCK", entries)
        model = mb.learn((X, [y for y, _ in rows]), learner="perceptron")
        assert spread_of(model).deviations() == found[0].deviations()


def test_saved_copied_and_counted_once(tmp_path: Path) -> None:
    file = write(tmp_path / "rows.svm", stream(200, 7))
    model = mb.learn(file, learner="perceptron", passes=3, model=tmp_path / "rows.mb")
    found = spread_of(model)
    assert found.rows == 200, "rows of later passes are known"
    for other in (mb.load(tmp_path / "rows.mb").ledger.spread, copy.copy(found), pickle.loads(pickle.dumps(found))):
        assert (other.rows, other.deviations()) == (found.rows, found.deviations())
    mb.learn(file, start=tmp_path / "rows.mb", model=tmp_path / "more.mb")
    assert spread_of(mb.load(tmp_path / "more.mb")).rows == 200, "the passes of a model go on"


def test_a_row_that_is_interrupted_counts_once() -> None:
    learner, ledger = mb.Perceptron(labels=(0, 1)), mb.Ledger()
    ledger.spread = Spread()
    learner.learn_many([[1.0, 0.0]], [1], ledger=ledger)
    from mistakebound.core.instance import read_instance

    rows = read_instance({"1": 1.0}, None).rows(learner.attributes, add=False)
    ledger.spread.add(rows, 1, 0)  # the trial that has been counted
    assert ledger.spread.rows == 1
    ledger.spread.add(rows, 1, 1)
    assert ledger.spread.rows == 2


def test_a_third_label_begins_anew(tmp_path: Path) -> None:
    rows = [{"word": "a", "label": "x"}, {"word": "b", "label": "y"}] * 600 + [{"word": "c", "label": "z"}] * 5
    model = mb.learn(rows)
    assert model.learner.name == "one-vs-all"
    found = spread_of(model)
    assert len(found.shares()) == len(model.learner.attributes)


def test_damaged_files(tmp_path: Path) -> None:
    from mistakebound.core import model_file

    model = mb.learn(write(tmp_path / "rows.svm", stream(50, 1)), learner="perceptron", model=tmp_path / "rows.mb")
    assert spread_of(model).rows == 50
    header, arrays = model_file.read(tmp_path / "rows.mb")
    for name in ("spread.counts", "spread.rows", "spread.moments"):
        broken = dict(arrays) | {name: arrays[name][:-1]}
        if name == "spread.counts":
            broken |= {name: arrays[name] + arrays[name]}
        model_file.write(tmp_path / "broken.mb", header, broken)
        with pytest.raises(mb.errors.BadModel):
            mb.load(tmp_path / "broken.mb")
