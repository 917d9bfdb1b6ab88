"""`auto`, the default, through every way in and every life: the same as one row at a time in memory.

To it a 0 of a dense row is a value, so the reference has the zeros where the way in has them.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.ledger import Ledger
from seams.test_seams import FORMS, LIVES, NAMES, ROWS, Row, by_file, learn, live, stream


def reference(rows: list[Row], told: list[Any], labels: int) -> tuple[list[Any], Any]:
    made: Any = mb.Auto() if labels == 2 else mb.OneVsAll("auto")
    return [made.learn_one(row, y) for row, y in zip(rows, told, strict=True)], made


@pytest.mark.some(12)
@pytest.mark.parametrize("labels", [2, 4])
@pytest.mark.parametrize(("form", "life"), [*product(FORMS, LIVES)])
def test_every_way_in_and_every_life(form: str, life: str, labels: int, tmp_path: Path) -> None:
    rows, told = stream(form != "sets", labels)
    dense = form in ("array", "frame")
    full = [{name: row.get(name, 0.0) for name in NAMES} for row in rows] if dense else rows
    want, other = reference(full, told, labels)
    made: Any = mb.Auto() if labels == 2 else mb.OneVsAll("auto")
    if form in ("json lines", "libsvm"):
        found, ledger = by_file(made, form, life, rows, told, tmp_path)
        count = Ledger(found.learner.labels)
        for y, said in zip(told, want, strict=True):
            count.record(y, said)
        assert (ledger.trials, ledger.confusion) == (ROWS, count.confusion)
        return
    ledger, half, said = Ledger(made.labels), ROWS // 2, []
    for part in (slice(0, half), slice(half, ROWS)):
        said += learn(made, form, rows[part], told[part], ledger)
        made = live(made, life, tmp_path)
        ledger.labels = made.labels
    if labels == 2:
        want = [0 if one is None else one for one in want]
        said = [0 if one is None else one for one in said]
        asked = full[0]
        assert made.score_one(asked) == other.score_one(asked)
    assert said == want
