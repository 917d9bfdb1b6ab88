"""Models learned from names in VW text: the same for any blocks and threads."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.block_labels import no_codes
from mistakebound.core.ledger import new_ledger
from mistakebound.io import vw
from mistakebound.io.reader import run

LONG = "a_name_of_more_than_sixteen_bytes_"


def text(rows: int = 400) -> bytes:
    """Names of all lengths in some namespaces, ids among them; some stand twice in a row, and new ones always come."""
    draw = random.Random(7)
    names = (
        [f"{'n' * draw.randrange(12)}{k}" for k in range(150)] + [f"{LONG}{k}" for k in range(60)] + ["7", "70000000"]
    )
    lines = []
    for row in range(rows):
        chosen = draw.choices(names[: 20 + row], k=draw.randrange(9))
        more = [f"{name}:{draw.randrange(1, 4)}" for name in draw.choices(names[: 20 + row], k=3)]
        lines.append(
            f"{draw.choice(('1', '-1'))} | {' '.join(chosen)} é{row // 9} |{draw.choice('ab')}x {' '.join(more)}"
        )
    return "\n".join(lines).encode() + b"\n"


def learned(path: Path, learner: Any, block_bytes: int, threads: int = 1) -> tuple[bytes, list[int]]:
    ledger = new_ledger(learner, for_model=True)
    said: list[int] = []

    def handle(block: Any) -> None:
        predictions = no_codes(learner.labels, block.rows)
        learner.learn_block(block, ledger, predictions)
        said.extend(predictions)

    run(vw.VwReader(str(path), block_bytes=block_bytes), handle, threads)
    return learner.to_bytes(ledger=ledger), said


@pytest.mark.parametrize("few", [0, vw.FEW_NAMES])
@pytest.mark.parametrize(
    "learner", [mb.learners.AROW, mb.learners.Perceptron, lambda: mb.learners.OneVsAll("perceptron")]
)
def test_blocks_and_threads_do_not_matter(
    learner: Any, few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long: bool
) -> None:
    monkeypatch.setattr(vw, "FEW_NAMES", few)
    path = tmp_path / "rows.vw"
    path.write_bytes(text())
    whole = learned(path, learner(), 1 << 20)
    for block_bytes, threads in ((1, 1), (300, 2), (2000, 3), (300, 1), (2000, 1))[: 5 if long else 3]:
        assert learned(path, learner(), block_bytes, threads) == whole


@pytest.mark.parametrize("threads", [1, 3])
def test_chunks_share_their_names_when_there_are_many(
    threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.vw"
    path.write_bytes(text(2000))
    for few, shared in ((1, True), (1 << 20, False)):
        monkeypatch.setattr(vw, "FEW_NAMES", few)
        learner, found = mb.learners.Perceptron(), []

        def handle(block: Any, learner: Any = learner, found: Any = found) -> None:
            found.append(block.columns)
            learner.learn_block(block, None, no_codes(learner.labels, block.rows))

        run(vw.VwReader(str(path), block_bytes=1 << 14), handle, threads)
        assert len(found) > 6
        assert (len({*map(id, found)}) == 1) == shared


def test_the_table_of_known_names_grows(tmp_path: Path) -> None:
    path = tmp_path / "rows.vw"
    names = [f"{LONG * (k % 3 > 0)}{k * 7}x" for k in range(4000)]
    rows = [f"1 | {' '.join(names[first : first + 40])}" for first in range(0, 4000, 25)]
    path.write_text("\n".join(rows + rows[::-1]) + "\n")
    whole = learned(path, mb.learners.Perceptron(), 1 << 20)
    for threads in (1, 2):
        assert learned(path, mb.learners.Perceptron(), 500, threads) == whole


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("block_bytes", [1, 64, 1 << 20])
def test_the_first_row_may_have_many_names(tmp_path: Path, block_bytes: int, threads: int) -> None:
    path = tmp_path / "wide.vw"
    names = [f"n{k}" for k in range(3000)]
    path.write_text(f"1 | {' '.join(names)}\n-1 | a b n7\n")
    learner = mb.Perceptron()

    def handle(block: Any) -> None:
        learner.learn_block(block, None, no_codes(learner.labels, block.rows))

    run(vw.VwReader(path, block_bytes=block_bytes), handle, threads)
    assert sorted(learner.attributes.names()) == sorted([*names, "a", "b"])


def test_a_row_alone_may_have_many_names(tmp_path: Path) -> None:
    path = tmp_path / "rows.vw"
    path.write_text("1 | a b\n-1 | c\n1 | a\n-1 | c d\n" * 5)
    model = mb.learn(path, learner="perceptron")
    row = "| a " + " ".join(f"w{k}" for k in range(3000))
    assert str(model.predict_one(row)) == str(model.predict(iter([row]))[0]) == "1"
