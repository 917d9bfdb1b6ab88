"""Model files: whole or refused; the old one survives whatever happens while the new one is written."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from array import array
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import mistakebound as mb
from mistakebound import learners
from mistakebound.core import model_file
from mistakebound.core.buffers import InOrder
from mistakebound.learners import RandomizedWeightedMajority

MAKE = {
    "winnow1": lambda: mb.Winnow1(), "winnow2": lambda: mb.Winnow2(n=9, alpha=3), "perceptron": lambda: mb.Perceptron(),
    "averaged-perceptron": lambda: mb.AveragedPerceptron(), "passive-aggressive": lambda: mb.PassiveAggressive("II"),
    "balanced-winnow": lambda: mb.BalancedWinnow(), "arow": lambda: mb.AROW(), "auto": lambda: mb.Auto(),
    "coin-betting": lambda: mb.learners.CoinBetting(),
    "conjunction-elimination": lambda: mb.learners.ConjunctionElimination(9),
    "disjunction-elimination": lambda: mb.learners.DisjunctionElimination(),
    "decision-list-learner": lambda: mb.learners.DecisionListLearner(9),
    "halving": lambda: mb.Halving("monotone-disjunctions n=9 k=1"),
    "bayes-optimal": lambda: mb.learners.BayesOptimal("monotone-disjunctions n=9 k=1", 0.1),
    "gibbs": lambda: mb.learners.Gibbs("monotone-disjunctions n=9 k=1", 0.1, random_state=3),
    "standard-optimal": lambda: mb.learners.StandardOptimalAlgorithm("monotone-disjunctions n=9 k=1"),
    "one-vs-all": lambda: mb.OneVsAll("winnow2"),
    "weighted-majority": lambda: mb.WeightedMajority("winnow2,perceptron"),
    "randomized-weighted-majority": lambda: RandomizedWeightedMajority("winnow1,perceptron", random_state=3),
}  # fmt: skip


def trained(name: str) -> Any:
    learner = MAKE[name]()
    draw = random.Random(3)
    for _ in range(30):
        names = ("1", "7", "é", "free", "8") if learner.named else ("1", "7", "8")
        x = {a for a in names if draw.random() < 0.5}
        try:
            learner.learn_one(x, int("7" in x) if name[0] != "c" else int({"7", "8"} <= x))
        except mb.NoConsistentHypothesis:
            break
    return learner


def test_every_learner_is_here() -> None:
    assert set(MAKE) == {name for name in learners.names() if learners.find(name).takes == "rows"}


@pytest.mark.parametrize("every", [37, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", MAKE)
def test_damage_is_always_a_bad_model(name: str, every: int, tmp_path: Path) -> None:
    """Truncated at every byte, every byte flipped: BadModel, and nothing else."""
    path, damaged = tmp_path / "m.mb", tmp_path / "d.mb"
    learner = trained(name)
    assert learner.save(path) == path.stat().st_size == learner.model_size()
    data = path.read_bytes()
    assert mb.load(path).learner.hypothesis == learner.hypothesis
    draw = random.Random(1)
    every = max(every, len(data) // 100) if every > 1 else 1  # a large file is changed as often as a small one
    for at in range(len(name) % every, len(data), every):
        for changed in (data[:at], data[:at] + bytes([data[at] ^ draw.randrange(1, 256)]) + data[at + 1 :]):
            damaged.write_bytes(changed)
            with pytest.raises(mb.errors.BadModel) as caught:
                mb.load(damaged)
            assert str(damaged) in str(caught.value)
            assert "\n" not in str(caught.value)
    damaged.write_bytes(data + b"x")
    with pytest.raises(mb.errors.BadModel, match="altered"):
        mb.load(damaged)


@pytest.mark.parametrize("count", [25, pytest.param(2_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", MAKE)
def test_a_forged_checksum_does_not_help(name: str, count: int, tmp_path: Path) -> None:
    """Bytes changed and the checksum made right again: it loads as some learner, or is a BadModel."""
    path = tmp_path / "m.mb"
    trained(name).save(path)
    data = path.read_bytes()
    draw = random.Random(count)
    for _ in range(count):
        body = bytearray(data[:-4])
        for _ in range(draw.choice([1, 1, 3])):
            body[draw.randrange(12, len(body))] = draw.choice([draw.randrange(256), ord("0"), ord('"'), 0, 255])
        path.write_bytes(bytes(body) + crc32(body).to_bytes(4, "little"))
        try:
            learner = mb.load(path).learner
        except mb.errors.BadModel:
            continue
        learner.predict_one({"1", "7"})
        str(learner.hypothesis)


def forge(path: Path, **changes: Any) -> None:
    header, arrays = model_file.read(path)
    model_file.write(path, header | changes, arrays)


@pytest.mark.parametrize(
    "changes",
    [
        {"learner": "nobody"}, {"learner": 5}, {"learner": None}, {"learner": []}, {"parameters": {"alpha": 0.5}},
        {"parameters": {"beta": 1}}, {"parameters": None}, {"parameters": {"n": 10**400}}, {"labels": {}},
        {"labels": None}, {"state": None, "labels": 3}, {"parameters": {"n": 1}}, {"learner": "perceptron"},
        {"learner": "conjunction-elimination", "parameters": {}},
        {"labels": {"declared": True, "negative": [1], "positive": 1, "spelling": [None, None]}},
        {"labels": {"declared": True, "negative": 0, "positive": 1, "spelling": 5}}, {"ledger": 5}, {"ledger": {}},
        {"ledger": {"trials": -1, "counts": [0] * 4, "seed": None, "start": {}, "inconsistency": None, "pairs": []}},
        {"ledger": {"trials": 1, "counts": [2**70] * 4, "seed": None, "start": {}, "inconsistency": None, "pairs": []}},
        {"reader": []}, {"reader": {}}, {"reader": {"format": 5}}, {"assumptions": []}, {"assumptions": {"kk": 1}},
        {"assumptions": {"k": "many"}},
    ],
)  # fmt: skip
def test_headers_that_mean_nothing(changes: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "m.mb"
    trained("winnow1").save(path)
    forge(path, **changes)
    with pytest.raises(mb.errors.BadModel, match="not a model that this program could have written"):
        mb.load(path)


def test_a_header_that_is_no_object(tmp_path: Path) -> None:
    path = tmp_path / "m.mb"
    body = model_file.MAGIC + (1).to_bytes(4, "little") + (2).to_bytes(4, "little") + b"[]" + bytes(6)
    path.write_bytes(body + crc32(body).to_bytes(4, "little"))
    with pytest.raises(mb.errors.BadModel, match="the header is not an object"):
        mb.load(path)


def test_bytes_that_belong_to_no_array(tmp_path: Path) -> None:
    path = tmp_path / "m.mb"
    trained("winnow1").save(path)
    body = path.read_bytes()[:-4] + bytes(8)
    path.write_bytes(body + crc32(body).to_bytes(4, "little"))
    with pytest.raises(mb.errors.BadModel, match="bytes are left over"):
        mb.load(path)


def test_newer_foreign_missing_and_empty(tmp_path: Path) -> None:
    path = tmp_path / "m.mb"
    trained("winnow1").save(path)
    data = path.read_bytes()
    path.write_bytes(data[:8] + (2).to_bytes(4, "little") + data[12:])
    with pytest.raises(mb.errors.BadModel, match="newer mistakebound: format 2"):
        mb.load(path)
    for foreign in (b"PK\x03\x04" + bytes(100), b"1 1:1\n" * 9, data.replace(b"\r\n", b"\n", 1)):
        path.write_bytes(foreign)
        with pytest.raises(mb.errors.BadModel, match="is not a model file of mistakebound"):
            mb.load(path)
    for missing in (tmp_path / "none", tmp_path):
        with pytest.raises(mb.errors.BadModel, match="cannot read"):
            mb.load(missing)
    path.write_bytes(b"")
    with pytest.raises(mb.errors.BadModel):
        mb.load(path)


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.mb"
    trained("winnow1").save(path)
    old = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(mb.MistakeboundError, match=r"cannot write .*m\.mb: No space left"):
        trained("perceptron").save(path)
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["m.mb"]
    monkeypatch.undo()
    with pytest.raises(mb.MistakeboundError, match="cannot write"):
        trained("perceptron").save(tmp_path / "no" / "folder.mb")
    with pytest.raises(TypeError):  # what JSON cannot hold is the caller's mistake, and harms nothing either
        trained("perceptron").save(path, reader={"format": object()})
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["m.mb"]


_CHILD = """
import sys, mistakebound as mb
learner = mb.Perceptron()
learner.learn_one({str(j) for j in range(50_000)}, 1)
print("ready", flush=True)
while True:
    learner.save(sys.argv[1])
    learner.learn_one({"1"}, 0)
    learner.learn_one({"1"}, 1)
"""


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "m.mb"
    trained("winnow1").save(path)
    old = path.read_bytes()
    script = f"ulimit -f 100; trap '' XFSZ; exec {sys.executable} -c '{_CHILD}' {path}"
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert "MistakeboundError: cannot write" in run.stderr
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["m.mb"]


def test_kill_during_save_leaves_a_whole_file(tmp_path: Path, long: bool) -> None:
    path = tmp_path / "m.mb"
    draw = random.Random(4)
    for _ in range(3 if long else 1):
        child = subprocess.Popen([sys.executable, "-c", _CHILD, str(path)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(draw.uniform(0.0, 0.1))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        if path.exists():
            assert len(mb.load(path).learner.attributes) == 50_000
    trained("winnow1").save(path)  # what a killed process left behind is in nobody's way
    assert mb.load(path).learner.name == "winnow1"


def test_what_travels_with_the_learner(tmp_path: Path) -> None:
    path = tmp_path / "m.mb"
    learner = trained("winnow2")
    learner.save(path, reader={"format": "libsvm"}, position={"line": 7}, assumptions={"k": 3})
    model = mb.load(path)
    assert (model.settings, model.position, model.assumptions) == ({"format": "libsvm"}, {"line": 7}, {"k": 3})
    again = tmp_path / "again.mb"
    assert model.save(again) == path.stat().st_size
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.some(3)
@pytest.mark.parametrize("code", ["B", "H", "I", "Q", "d"])
def test_arrays_of_many_parts(tmp_path: Path, code: str) -> None:
    """An array by slot is gathered part by part while it is written; the file is that of the whole array."""
    draw = random.Random(code)
    numbers = array(code, (draw.randrange(250) for _ in range(120_000)))
    slots = array("I", draw.sample(range(120_000), 100_001))
    whole = array(code, (numbers[slot] for slot in slots))
    parts = InOrder(numbers, slots)
    size = model_file.write(tmp_path / "parts.mb", {"a": 1}, {"x": parts, "y": array("b", [1, 2, 3])})
    assert size == model_file.write(tmp_path / "whole.mb", {"a": 1}, {"x": whole, "y": array("b", [1, 2, 3])})
    assert size == (tmp_path / "parts.mb").stat().st_size
    assert (tmp_path / "parts.mb").read_bytes() == (tmp_path / "whole.mb").read_bytes()
    header, arrays = model_file.read(tmp_path / "parts.mb")
    assert (header, arrays["x"], arrays["y"].tolist()) == ({"a": 1}, whole, [1, 2, 3])
    assert model_file.as_array(parts) == model_file.as_array(memoryview(whole)) == whole


def test_an_array_by_slot_that_is_too_short(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="one number per index"):
        model_file.write(tmp_path / "m.mb", {}, {"x": InOrder(array("d", [1.0]), array("I", [0, 1]))})
    assert list(tmp_path.iterdir()) == []
