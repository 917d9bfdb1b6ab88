"""Rows that are predicted and never learned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from cli.rows import write_rows
from mistakebound.core.errors import BadData
from mistakebound.core.ledger import new_ledger
from mistakebound.io import open_stream
from mistakebound.io.row_store import RowStore
from mistakebound.io.shuffled import ShuffledReader
from mistakebound.model import holdout as module
from mistakebound.model.holdout import EveryKth, OwnFile
from mistakebound.model.trainer import learn_stream


def learned(reader: Any, every: int, threads: int = 1, learner: Any = None) -> tuple[Any, Any, Any]:
    learner = learner or mb.Perceptron()
    ledger, held = new_ledger(learner), EveryKth(learner, every)
    learn_stream(learner, reader, ledger, threads=threads, holdout=held)
    held.measure(learner, 1, None)
    held.end_pass(learner)
    return learner, ledger, held


def naive(lines: list[str], every: int, size: int) -> tuple[Any, int, list[int]]:
    """Row by row, rounds of `size` rows: those held out are predicted at the end of their round."""
    learner, mistakes, counts = mb.Perceptron(), 0, [0, 0]
    for start in range(0, len(lines), size):
        held = []
        for number, line in enumerate(lines[start : start + size], start + 1):
            label, *words = line.split()
            x, y = {word.partition(":")[0] for word in words}, int(label)
            if number % every == 0:
                held.append((x, y))
            else:
                mistakes += learner.learn_one(x, y) != y
        counts[0] += len(held)
        counts[1] += sum(learner.predict_one(x) != y for x, y in held)
    return learner, mistakes, counts


@pytest.mark.parametrize("every", [2, 3, 10])
def test_as_the_naive_way_for_any_block_size_and_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    monkeypatch.setattr(module, "ROUND", 64)
    path = write_rows(tmp_path / "x.svm", 500)
    twin, mistakes, counts = naive(path.read_text().splitlines(), every, 64)
    for size, threads in ((100, 1), (1000, 2), (3333, 3), (1 << 20, 1)):
        learner, ledger, held = learned(open_stream(path, block_bytes=size), every, threads)
        assert learner.hypothesis == twin.hypothesis
        assert (ledger.trials, ledger.mistakes) == (500 - 500 // every, mistakes)
        assert held.passes == [counts]
        assert held.error_rate == counts[1] / counts[0]


def test_names_of_rows_held_out_are_not_learned(tmp_path: Path) -> None:
    path = tmp_path / "x.vw"
    path.write_text("1 | a b\n-1 | c secret\n" * 30)
    for size in (30, 1 << 20):
        learner, ledger, held = learned(open_stream(path, block_bytes=size), 2)
        assert set(learner.attributes.names()) == {"a", "b"}
        assert (ledger.trials, held.passes) == (30, [[30, 30]])  # it has only ever seen 1


def test_a_state_is_taken_up_in_the_middle_of_a_round(tmp_path: Path) -> None:
    path = tmp_path / "x.vw"
    path.write_text("".join(f"{2 * (k % 2) - 1} {1 + k % 3} | w{k % 7}:0.5 v{k}\n" for k in range(300)))
    whole = learned(open_stream(path), 3)[2]
    learner = mb.Perceptron()
    held, reader = EveryKth(learner, 3), open_stream(path, block_bytes=500)
    for block in reader:
        held.play(learner, block, reader.rows - block.rows, False, new_ledger(learner), None)
        state = held.state()
        assert state["pending"]
        held = EveryKth(learner, 3)
        held.restore(state, learner)
    held.measure(learner, 1, None)
    held.end_pass(learner)
    assert held.passes == whole.passes


def test_the_same_rows_are_held_out_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("".join(f"{k % 2} {k}:1\n" for k in range(1, 100)))
    store = RowStore()
    for block in open_stream(path):
        store.add(block)
    for turn in (1, 2):
        learner, _, held = learned(ShuffledReader(store, {}, 1, turn), 5)
        assert sorted(map(int, learner.attributes.names())) == [k for k in range(1, 100) if k % 5]
        assert held.passes[0][0] == 19


def test_bad_rows_that_are_held_out(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("1 1:1\n0 2:7\n1 1:1\nmaybe 2:1\n1 1:1\n0 2:1\n")
    learner = mb.Winnow2()
    with pytest.raises(BadData, match=r"x\.svm:2: "):
        learned(open_stream(path), 2, learner=learner)
    passed: list[str] = []
    held, ledger = EveryKth(learner, 2), new_ledger(learner)
    learn_stream(learner, open_stream(path), ledger, holdout=held, skip=lambda error: passed.append(str(error)))
    held.measure(learner, 1, lambda error: passed.append(str(error)))
    assert [text.partition(": ")[0] for text in passed] == [f"{path}:2", f"{path}:4"]
    assert (ledger.trials, held.ledger.trials) == (3, 1)


def test_own_file(tmp_path: Path) -> None:
    path, other = write_rows(tmp_path / "x.svm", 400), write_rows(tmp_path / "y.svm", 100, seed=9)
    learner = mb.Winnow2()
    held = OwnFile(learner, lambda: open_stream(other, block_bytes=1000))
    learn_stream(learner, open_stream(path), new_ledger(learner))
    before = learner.hypothesis
    for _ in range(2):
        held.measure(learner, 2, None)
        held.end_pass(learner)
    assert learner.hypothesis == before
    rows = [line.split() for line in other.read_text().splitlines()]
    wrong = sum(learner.predict_one({w.partition(":")[0] for w in words}) != int(label) for label, *words in rows)
    assert held.passes == [[100, wrong], [100, wrong]]
