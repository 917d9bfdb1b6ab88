"""Rows of words in Vowpal Wabbit's text: 200,000 distinct ones, the usual ones often, 40 a row; from a seed."""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path

SEED = 1
ROWS = 150_000
WORDS = 200_000
WIDE = 40
RELEVANT = 20


def word_stream(path: Path, rows: int = ROWS) -> Path:
    if path.exists():
        return path
    draw = random.Random(SEED)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    words: list[str] = []
    seen: set[str] = set()
    while len(words) < WORDS:
        word = "".join(draw.choices(letters, weights=range(26, 0, -1), k=draw.randint(3, 11)))
        if word not in seen:
            seen.add(word)
            words.append(word)
    weights = list(accumulate(1 / (place + 50) for place in range(WORDS)))
    relevant = set(words[100 : 100 + RELEVANT])
    with path.open("w") as file:
        for _ in range(rows):
            row = dict.fromkeys(draw.choices(words, cum_weights=weights, k=WIDE))
            print("1" if relevant & row.keys() else "-1", "|", *row, file=file)
    return path
