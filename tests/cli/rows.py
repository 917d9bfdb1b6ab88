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


def write_table(path: Path, rows: int, seed: int = 1) -> Path:
    """A table with nominal and numeric columns, missing cells and weights: yes for red or a large n."""
    chance = random.Random(seed)
    lines = ["colour,degrees,n,user,label,w\n"]
    for _ in range(rows):
        colour, n = chance.choice(["red", "green", "blue", "?", ""]), chance.randrange(50)
        degrees = f"{chance.gauss(0, 10):.3f}" if chance.random() < 0.95 else "?"
        label = "yes" if colour == "red" or n > 40 else "no"
        lines.append(f"{colour},{degrees},{n},u{chance.randrange(400)},{label},{chance.choice(['1', '2', '0.5'])}\n")
    path.write_text("".join(lines))
    return path
