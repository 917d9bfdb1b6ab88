"""Made-up mails: spam by three words, unless a fourth is there, with some labels wrong."""

from __future__ import annotations

import random
from pathlib import Path

WORDS = [f"w{k}" for k in range(60)]


def mails(count: int, seed: int = 1, noise: float = 0.02) -> list[tuple[str, list[str]]]:
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        words = draw.sample(WORDS, 6)
        spam = bool({"w1", "w2", "w3"} & {*words}) and "w9" not in words
        rows.append((("ham", "spam")[spam != (draw.random() < noise)], words))
    return rows


def write(path: Path, rows: list[tuple[str, list[str]]]) -> Path:
    path.write_text("".join(f"{label}\t{' '.join(words)}\n" for label, words in rows))
    return path
