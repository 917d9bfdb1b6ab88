"""The kernel of `auto` against its twin, and with buffers that do not fit."""

from __future__ import annotations

import re
from array import array
from pathlib import Path

import numpy as np
import pytest

import mistakebound as mb
from kernels.misuse import played, shortened
from learners.test_auto import engine_scores, mixed_rows
from mistakebound.kernels import _auto_fields as fields
from mistakebound.kernels import auto as kernel
from mistakebound.learners.auto._lane import engine_of
from naive.auto import Auto as Twin


@pytest.mark.parametrize("weights", [(1.0,), (0.25, 1.0, 6.0)])
def test_twin_agrees(weights: tuple[float, ...], long: bool) -> None:
    learner, twin = mb.Auto(labels=(0, 1)), Twin()
    for trial, (x, label) in enumerate(mixed_rows(40 if long else 24)):
        weight = weights[trial % len(weights)]
        said = learner.score_one(x)
        learner.learn_one(x, label, weight=weight)
        expected = twin.learn(x, label, weight)
        assert engine_scores(learner) == pytest.approx(twin.scores, rel=1e-6, abs=1e-7), trial
        assert said == pytest.approx(expected, rel=1e-6, abs=1e-7), trial
    assert list(learner.shares().values()) == pytest.approx(twin.shares[:14], rel=1e-6)


def test_a_sample_is_thinned_and_cut_anew() -> None:
    learner, twin = mb.Auto(labels=(0, 1)), Twin()
    for k in range(1100):
        x = {"n": float((k * 37) % (101 + k // 8))}
        twin.features.note(x)
        learner.learn_one(x, k % 2)
        if k % 50 != 49:
            continue
        number, samples = twin.features.numbers["n"], learner._held("samples")
        assert samples[fields.S_KEPT] == len(number.sample or ())
        assert samples[fields.S_STRIDE] == number.stride
        cuts = int(samples[fields.S_SIXTEEN])
        assert list(samples[fields.S_SIXTEEN + 1 : fields.S_SIXTEEN + 1 + cuts]) == number.cuts.get(16, []), k
    assert number.stride == 8


def test_the_compiler_has_the_same_fields() -> None:
    told = Path(fields.__file__).with_suffix(".pxd").read_text()
    found = {name: int(value) for name, value in re.findall(r"^    (\w+) = (\d+)$", told, re.MULTILINE)}
    assert found == {name: value for name, value in vars(fields).items() if name.isupper()}


def test_misuse() -> None:
    learner = mb.Auto(labels=(0, 1))
    learner.learn_one({"a": 1.0, "b": 2.0}, 1)
    slots, values, indptr = array("I", [0, 1]), array("d", [1.0, 2.0]), array("q", [0, 2])
    given = {
        "slots": slots, "values": values, "indptr": indptr, "rows": 1, "labels": array("b", [1]),
        "importance": array("d"), "predictions": array("b", [0]), "scores": array("d", [0.0]),
        "state": array("q", [0]), "first": 0, "last": 1, "numbers": array("I", [1, 2]), "slot": 0,
    }  # fmt: skip
    before = learner._form()
    for wrong in (
        {"slots": slots[:1]},
        {"values": values[:1]},
        {"indptr": indptr[:1]},
        {"numbers": array("I", [1])},
        {"slot": 1},
        {"last": 2},
        {"last": 2, "rows": 1, "indptr": array("q", [0, 2, 2])},
        {"first": 1, "last": 0},
        {"predictions": array("b")},
        {"rows": 2, "indptr": array("q", [0, 1, 2]), "labels": array("b", [1, 1]), "importance": array("d", [1.0])},
    ):
        assert played(learner._engine.run, given | wrong) == kernel.CAPACITY, wrong
    assert played(learner._engine.run, given | {"numbers": array("I", [1, 99])}) == kernel.GROW
    assert learner._form() == before


def test_every_lane_has_its_own_labels_and_answers() -> None:
    learner = mb.OneVsAll("auto", labels=("a", "b", "c"))
    learner.learn_one({"a": 1.0, "b": 2.0}, "a")
    lanes = [learner.base(label) for label in "abc"]
    engine = engine_of(lanes[0]._inputs, [lane._lane for lane in lanes])
    given = {
        "slots": array("I", [0, 1]), "values": array("d", [1.0, 2.0]), "indptr": array("q", [0, 2]), "rows": 1,
        "labels": array("b", [1, 0, 0]), "importance": array("d"), "predictions": array("b", [0, 0, 0]),
        "scores": array("d", [0.0] * 3), "state": array("q", [0]), "first": 0, "last": 1,
        "numbers": array("I", [1, 2]), "slot": 0,
    }  # fmt: skip
    for name in ("labels", "predictions", "scores"):
        assert played(engine.run, shortened(given, name)) == kernel.CAPACITY, name
    assert played(engine.run, given) == kernel.GROW  # they fit: the lanes are asked for more room


def test_lanes_share_what_they_read() -> None:
    """Each is the learner of two labels alone, though rows are read before any of them has played."""
    rows = [(x, (y + ("flag2" in x)) % 3) for x, y in mixed_rows(12)]
    learner = mb.OneVsAll("auto")
    learner.learn_many(
        np.array([[x.get(name, 0.0) for name in ("flag0", "flag2", "number")] for x, _ in rows]),
        [y for _, y in rows],
        names=["flag0", "flag2", "number"],
    )
    for label in range(3):
        alone = mb.Auto(labels=(0, 1))
        for x, y in rows:
            alone.learn_one({name: x.get(name, 0.0) for name in ("flag0", "flag2", "number")}, int(y == label))
        assert learner.base(label)._form() == alone._form()
