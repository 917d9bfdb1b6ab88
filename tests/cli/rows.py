"""Streams for the tests of the command line."""

from __future__ import annotations

import random
from pathlib import Path


def write_rows(path: Path, rows: int, seed: int = 1) -> Path:
    """Random rows over 300 attributes, positive where 7 or 70 is on."""
    chance = random.Random(seed)
    lines = []
    for _ in range(rows):
        ids = chance.sample(range(1, 301), 12)
        lines.append(f"{'+1' if 7 in ids or 70 in ids else '-1'} {' '.join(f'{i}:1' for i in ids)}\n")
    path.write_text("".join(lines))
    return path
