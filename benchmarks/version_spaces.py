"""Candidate elimination on long tables: time against that of reading them, and the row of collapse on real data.

    python benchmarks/version_spaces.py [--rows N] [FOLDER]

FOLDER may hold UCI's agaricus-lepiota.data: there no conjunction fits, and the row at which that shows is compared with
the one that all prefixes of the rows give by hand.  Times are processor seconds, taken in turns, the best counts.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
from time import perf_counter, process_time

import numpy as np

import mistakebound as mb
from mistakebound.io.table_file import read_table_file

ATTRIBUTES = 100
TARGET = {3: 1, 50: 2, 77: 0}  # attribute -> value: three constraints out of a hundred


def write_table(path: str, rows: int) -> None:
    draw = np.random.default_rng(1)
    with open(path, "wb") as file:
        file.write((",".join(f"a{j}" for j in range(ATTRIBUTES)) + ",y\n").encode())
        for start in range(0, rows, 100_000):
            values = draw.integers(0, 4, (min(100_000, rows - start), ATTRIBUTES), dtype=np.uint8)
            labels = np.all([values[:, j] == value for j, value in TARGET.items()], axis=0)
            text = np.full((len(values), 2 * ATTRIBUTES + 2), ord(","), np.uint8)
            text[:, 0 : 2 * ATTRIBUTES : 2] = values + ord("a")
            text[:, -2], text[:, -1] = labels + ord("0"), ord("\n")
            file.write(text.tobytes())


def long_table(rows: int, rounds: int) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "long.csv")
        write_table(path, rows)
        reading, learning = [], []
        for _ in range(rounds):
            start = process_time()
            read = read_table_file(path, {"label": "y"})
            reading.append(process_time() - start)
            learner, ledger = mb.learners.CandidateElimination(), mb.Ledger()
            start = process_time()
            learner.learn_many(read.table, read.labels, ledger=ledger)
            learning.append(process_time() - start)
    found = learner.version_space
    print(f"{rows:,} rows of {ATTRIBUTES} attributes: {found.size} hypothesis, {ledger.mistakes} mistakes, "
          f"{ledger.abstentions:,} times don't know")  # fmt: skip
    print(f"  read   {min(reading):6.2f} s\n  learn  {min(learning):6.2f} s")
    ratio = min(learning) / min(reading)
    good = ratio <= 1 and found.size == 1
    print(f"learning against reading: target <= 1, got {ratio:.2f}: {'met' if good else 'MISSED'}")
    return good


def many_negatives() -> bool:
    """n negative examples that each contradict two attributes: G has 2^n members."""
    good = True
    for n in (20, 200):
        start = perf_counter()
        learner = mb.learners.CandidateElimination({f"a{j}": ["x", "y"] for j in range(2 * n)})
        learner.learn_one(["x"] * 2 * n, 1)
        for k in range(n):
            learner.learn_one(["y" if j // 2 == k else "x" for j in range(2 * n)], 0)
        learner.predict_one(["y"] * 2 * n)
        exact = learner.version_space.size == 3**n
        seconds = perf_counter() - start
        good &= exact and seconds < 1
        print(
            f"{n} negatives, 2^{n} members of G: target <= 1 s, got {seconds:.3f}: {'met' if seconds < 1 else 'MISSED'}"
        )
    return good


def by_hand(rows: list[list[str]], positive: str) -> int | None:
    """The first row after which the least conjunction over the positive rows covers a negative one."""
    for end in range(1, len(rows) + 1):
        inside = [row[1:] for row in rows[:end] if row[0] == positive]
        least = [column[0] if len({*column}) == 1 else None for column in zip(*inside, strict=True)]
        outside = [row[1:] for row in rows[:end] if row[0] != positive]
        if inside and any(all(c in (None, v) for c, v in zip(least, row, strict=True)) for row in outside):
            return end
    return None


def mushrooms(path: str) -> bool:
    with open(path) as file:
        rows = list(csv.reader(file))
    good = True
    for negative, positive in (("e", "p"), ("p", "e")):
        learner, ledger = mb.learners.CandidateElimination(missing="value", labels=(negative, positive)), mb.Ledger()
        table = {f"a{j}": [row[j] for row in rows] for j in range(1, len(rows[0]))}
        start = perf_counter()
        learner.learn_many(table, [row[0] for row in rows], ledger=ledger)
        seconds = perf_counter() - start
        collapse = learner.version_space.collapsed_by
        expected = by_hand(rows[: collapse.trial + 10], positive)
        same = collapse.trial == expected
        good &= same
        print(f"mushrooms, positive is {positive}: collapse in {seconds:.2f} s, by the rows {collapse.rows}")
        print(f"row of collapse: target {expected}, got {collapse.trial}: {'met' if same else 'MISSED'}")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    good = many_negatives()
    good &= long_table(options.rows, options.rounds)
    path = os.path.join(options.folder or "", "agaricus-lepiota.data")
    if options.folder and os.path.exists(path):
        good &= mushrooms(path)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
