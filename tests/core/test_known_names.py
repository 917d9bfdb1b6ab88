"""Names that are looked up as they are read: the same rows, models and errors for any blocks and threads."""

from __future__ import annotations

import random
from array import array
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from inputs.vw_texts import rows_of
from mistakebound.core.block_labels import no_codes
from mistakebound.core.known_names import KnownNames
from mistakebound.core.ledger import new_ledger
from mistakebound.io import vw
from mistakebound.io.reader import run
from naive.vw_reader import read

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


@pytest.mark.parametrize(
    "learner", [mb.learners.AROW, mb.learners.Perceptron, lambda: mb.learners.OneVsAll("perceptron")]
)
def test_blocks_and_threads_do_not_matter(learner: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.vw"
    path.write_bytes(text())
    whole = learned(path, learner(), 1 << 20)
    for block_bytes, threads in ((1, 1), (300, 1), (300, 2), (2000, 3)):
        assert learned(path, learner(), block_bytes, threads) == whole


def test_the_table_of_known_names_grows(tmp_path: Path) -> None:
    path = tmp_path / "rows.vw"
    names = [f"{LONG * (k % 3 > 0)}{k * 7}x" for k in range(4000)]
    rows = [f"1 | {' '.join(names[first : first + 40])}" for first in range(0, 4000, 25)]
    path.write_text("\n".join(rows + rows[::-1]) + "\n")
    assert learned(path, mb.learners.Perceptron(), 500) == learned(path, mb.learners.Perceptron(), 1 << 20)


@pytest.mark.parametrize("block_bytes", [100, 700])
def test_who_is_not_the_learner_gets_names(block_bytes: int, tmp_path: Path) -> None:
    path = tmp_path / "rows.vw"
    path.write_bytes(text(60))
    first, second, found, keyed = mb.learners.Perceptron(), mb.learners.Perceptron(), [], 0
    for number, block in enumerate(vw.VwReader(str(path), block_bytes=block_bytes)):
        keyed += block.keyed is not None
        learner = second if number == 5 else first
        learner.learn_block(block, None, array("b", bytes(block.rows)))
        found += rows_of(block)
    assert found == read(path.read_bytes())[0]
    assert keyed == 1  # whoever asks for names is given them from then on


def test_an_entry_that_cannot_be_taken_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.vw"
    path.write_text(f"1 | a {LONG}\n-1 | b 7\n1 | {LONG} b:2\n1 | a 7:3\n1 | new:4\n")
    learner, said = mb.Winnow2(), []
    for block in vw.VwReader(str(path), block_bytes=12):
        learner.learn_block(block, None, array("b", bytes(block.rows)), said.append)
    assert [(error.line, error.message.split()[1]) for error in said] == [(3, "'b'"), (4, "'7'"), (5, "'new'")]


def test_names_of_another_table_are_not_kept() -> None:
    known = KnownNames()
    chunk = vw.VwChunk(1 << 10, False, False, known)
    for learner in (mb.learners.Perceptron(), mb.learners.Perceptron()):
        chunk.text[:8] = b"1 | a b\n"
        chunk.end = 8
        chunk.parse()
        learner.learn_block(chunk.block(""), None, array("b", bytes(1)))
        chunk.tell_names()
    assert known.names is None
