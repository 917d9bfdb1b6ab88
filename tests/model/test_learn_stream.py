"""A stream played in blocks: what must make no difference."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from mistakebound.core.errors import BadData
from mistakebound.core.ledger import new_ledger
from mistakebound.io import open_stream
from mistakebound.learners import find
from mistakebound.model.trainer import learn_stream

pytestmark = pytest.mark.kernel


def test_the_order_of_the_ids_of_a_row_makes_no_difference(tmp_path: Path) -> None:
    """Not to a model file, of either learner, nor to its mistakes; a row with an id twice is refused in either."""
    draw = random.Random(5)
    ids = [*range(1, 400), *(7_000_000_000 + 3 * k for k in range(50))]
    lines = [(draw.choice("+-"), draw.sample(ids, draw.choice([3, 20, 300]))) for _ in range(200)]
    lines.insert(150, ("+", [8, 5, 8]))
    models: dict[tuple[str, bool], bytes] = {}
    for name in ("winnow2", "perceptron"):
        for shuffled in (False, True):
            path, model = tmp_path / "x.svm", tmp_path / "m.mb"
            rows = [(sign, row if shuffled else sorted(row)) for sign, row in lines]
            path.write_text("".join(f"{sign}1 {' '.join(f'{i}:1' for i in row)}\n" for sign, row in rows))
            learner = find(name)()
            ledger = new_ledger(learner)
            skipped: list[BadData] = []
            with open_stream(path, on_error="skip", block_bytes=5000) as stream:
                learn_stream(learner, stream, ledger, threads=2, skip=skipped.append)
            learner.save(model, ledger=ledger)
            models[name, shuffled] = model.read_bytes()
            assert [(error.line, "8" in str(error), "twice" in str(error)) for error in skipped] == [(151, True, True)]
        assert models[name, False] == models[name, True]
