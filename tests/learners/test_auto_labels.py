"""More than two labels: lanes of `auto` over shared inputs, each the learner of two labels alone, bit for bit."""

from __future__ import annotations

import copy
from array import array
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from learners.test_auto import long_rows, mixed_rows
from mistakebound.kernels import _auto_fields as fields
from mistakebound.learners.auto import auto

Rows = list[tuple[dict[str, float], str]]


def labelled(count: int) -> Rows:
    """Four labels, of which one appears late."""
    return [
        (x, "late" if trial > count // 2 and x["number"] > 3 else f"{y}{'flag2' in x:d}")
        for trial, (x, y) in enumerate(mixed_rows(count))
    ]


def alone(rows: Rows, label: str, weights: list[float] | None = None) -> Any:
    """The learner of two labels on this label and the rest."""
    learner = mb.Auto(labels=(0, 1))
    for trial, (x, y) in enumerate(rows):
        learner.learn_one(x, int(y == label), weight=1.0 if weights is None else weights[trial])
    return learner


def said(learner: Any, rows: Rows) -> list[str]:
    """What two learners share that are the same where it counts, members that sleep aside."""
    return [*(learner.score_one(x).hex() for x, _ in rows), *map(float.hex, learner.shares().values())]


@pytest.mark.parametrize("weighted", [False, True])
def test_lanes_are_the_learner_alone(weighted: bool) -> None:
    rows, draw = labelled(400), Random(1)
    weights = [draw.choice([0.5, 1.0, 3.0]) if weighted else 1.0 for _ in rows]
    learner = mb.OneVsAll("auto")
    for (x, y), weight in zip(rows, weights, strict=True):
        learner.learn_one(x, y, weight=weight)
    assert len(learner.learned()) > 3
    for label in learner.learned():
        expected = alone(rows, label, weights)
        assert learner.base(label)._form() == expected._form()
        scores = {name: score for name, score, _ in learner.scores_of_labels(rows[0][0])}
        assert scores[label].hex() == expected.score_one(rows[0][0]).hex()
        assert learner.base(label).contributions(rows[3][0]) == expected.contributions(rows[3][0])


def test_the_first_row_may_be_empty() -> None:
    learner = mb.OneVsAll("auto")
    rows: Rows = [({}, "a"), ({"x": 1.0}, "b"), ({"y": 1.0}, "c"), ({}, "a")]
    for x, y in rows:
        learner.learn_one(x, y)
    for label in learner.learned():
        assert learner.base(label)._form() == alone(rows, label)._form()


def test_lanes_that_have_lost_a_race_are_the_learner_alone() -> None:
    """One lane may sleep where another goes on: pairs are numbered on, and nobody notices."""
    X, y = long_rows(fields.RACE + 300)
    X[fields.RACE + 100 :, 0] = 7.0  # a number, from here on
    labels = [f"{label}{x[2] > 0:d}" for x, label in zip(X, y, strict=True)]
    names = [f"f{k}" for k in range(14)]
    rows = [(dict(zip(names, map(float, x), strict=True)), label) for x, label in zip(X, labels, strict=True)]
    learner = mb.OneVsAll("auto")
    learner.learn_many(X, labels, names=names)
    asleep = {learner._bases[code]._lane.counts[fields.ASLEEP] for code in range(4)}
    assert len(asleep) > 1
    for label in learner.learned()[:2]:
        assert said(learner.base(label), rows[-5:]) == said(alone(rows, label), rows[-5:])


def many(labels: int, count: int) -> Rows:
    draw = Random(2)
    return [
        (
            {f"w{label % 7}": 1.0, f"v{label % 5}": 1.0, f"z{draw.randrange(6)}": 1.0, "n": draw.gauss(label, 1)},
            f"{label}",
        )
        for label in (draw.randrange(min(labels, 3 + trial // 4)) for trial in range(count))
    ]


def test_above_so_many_labels_costly_members_sleep() -> None:
    """From the row in which one label more appears, whatever the blocks."""
    rows = many(auto.LABELS + 4, 200)
    names = sorted({name for x, _ in rows for name in x})
    rows = [({name: x.get(name, 0.0) for name in names}, y) for x, y in rows]
    first = next(r for r in range(200) if len({y for _, y in rows[: r + 1]}) > auto.LABELS)
    learner, other = mb.OneVsAll("auto"), mb.OneVsAll("auto")
    for x, y in rows:
        learner.learn_one(x, y)
    for start in range(0, 200, 61):
        part = rows[start : start + 61]
        other.learn_many(np.array([[*x.values()] for x, _ in part]), [y for _, y in part], names=names)
    assert other._form() == learner._form()
    single = mb.Auto(labels=(0, 1))
    for trial, (x, y) in enumerate(rows):
        if trial == first:
            single._lane.sleep_where_many()
        single.learn_one(x, int(y == "2"))
    base = learner.base("2")
    assert base._form() == single._form()
    assert base.remarks == [f"more than {auto.LABELS} labels: no pairs, one full covariance"]
    assert {name for name, share in base.shares().items() if share == 0} == {
        "arow(r=0.1), triples", "coin-betting, pairs", "coin-betting, triples", "arow, products and waves full",
        "arow(r=1), plain full",
    }  # fmt: skip
    assert len(base._held("pairs")) == 0


def test_declared_labels_count_from_the_start() -> None:
    learner = mb.OneVsAll("auto", labels=[f"c{k}" for k in range(auto.LABELS + 1)])
    learner.learn_one({"a", "b"}, "c3")
    assert learner.base("c3").shares()["coin-betting, pairs"] == 0
    few = mb.OneVsAll("auto", labels=[f"c{k}" for k in range(auto.LABELS)])
    few.learn_one({"a", "b"}, "c3")
    assert few.base("c3").shares()["coin-betting, pairs"] > 0


@pytest.mark.parametrize("labels", [4, auto.LABELS + 5])
def test_models(tmp_path: Path, labels: int) -> None:
    """Probabilities, weights, model files and a run that goes on."""
    rows = many(labels, 240)
    told = [{**x, "y": y, "c": 1.0 + trial % 3} for trial, (x, y) in enumerate(rows)]
    whole = mb.learn(told, "y", learner="auto", weights="c")
    half = mb.learn(told[:117], "y", learner="auto", weights="c")
    half.save(tmp_path / "half.mb")
    resumed = mb.learn(told[117:], start=tmp_path / "half.mb")
    assert resumed.learner._form() == whole.learner._form()
    whole.save(tmp_path / "whole.mb")
    again = mb.load(tmp_path / "whole.mb")
    assert again.learner._form() == whole.learner._form() == copy.copy(whole.learner)._form()
    shares = [whole.predict_proba_one(row) for row in told[:20]]
    assert [sum(share.values()) for share in shares] == pytest.approx([1.0] * 20)
    assert np.allclose(again.predict_proba(told[:20]), [list(share.values()) for share in shares])
    assert [again.predict_one(row) for row in told[:9]] == list(whole.predict(told[:9]))
    assert len(whole.learner.top(5)) == 5


def test_damaged_lanes_are_refused() -> None:
    learner = mb.OneVsAll("auto")
    for x, y in labelled(60):
        learner.learn_one(x, y)
    whole = {name: array(memoryview(values).format, values) for name, values in learner._arrays().items()}
    state = learner._state()

    def restored(arrays: dict[str, array[Any]]) -> Any:
        other = mb.OneVsAll("auto", labels=learner.labels.values)
        for name in learner.attributes.names():
            other.attributes.add(name)
        other._restore_state(arrays, state)
        return other

    assert restored({name: values[:] for name, values in whole.items()})._form() == learner._form()
    for damaged in (
        whole | {"1.counts": whole["rest.counts"]}, whole | {"1.singles": whole["1.singles"][:-32]},
        whole | {"0.lane": whole["0.lane"][:-1]}, whole | {"0.mixture": array("d", whole["0.mixture"][::-1])},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"\w"):
            restored({name: values[:] for name, values in damaged.items()})
