"""How fast a table becomes rows, in one thread, beside pyarrow alone and Python's csv module; and in two threads.

pyarrow.csv parses the same text and infers types; the csv module makes lists of texts.  Neither checks rows for us,
names attributes or makes them sparse.
"""

from __future__ import annotations

import argparse
import csv
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from mistakebound.io import open_stream
from mistakebound.io.csv import CsvReader
from mistakebound.io.reader import run


def write(path: Path, rows: int, columns: int) -> None:
    """Half the columns are nominal, of 3 to 1,000 values, half of decimals; the last is the label."""
    draw = random.Random(1)
    kinds = [int(3 * 1.8 ** (k % 10)) + 2 for k in range(columns // 2)]
    real = columns - 1 - len(kinds)
    with path.open("w") as file:
        header = [*(f"nominal{k}" for k in range(len(kinds))), *(f"number{k}" for k in range(real)), "label"]
        print(*header, sep=",", file=file)
        for _ in range(rows):
            names = [f"value{draw.randrange(kind)}" for kind in kinds]
            numbers = [f"{draw.gauss(0, 10 ** (k % 4)):.4f}" for k in range(real)]
            print(*names, *numbers, draw.randrange(2), sep=",", file=file)


def ours(path: Path) -> int:
    with CsvReader(path, {"format": "csv", "label": "label"}) as reader:
        return sum(block.rows for block in reader)


def waited(path: Path, threads: int) -> float:
    """Seconds by the clock."""
    start = time.perf_counter()
    with open_stream(path, {"format": "csv", "label": "label"}) as stream:
        run(stream, lambda block: None, threads)
    return time.perf_counter() - start


def arrow(path: Path) -> int:
    from pyarrow.csv import ReadOptions, open_csv

    return sum(batch.num_rows for batch in open_csv(path, ReadOptions(use_threads=False)))


def module(path: Path) -> int:
    with path.open(newline="") as file:
        return sum(1 for _ in csv.reader(file)) - 1


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    readers: dict[str, Callable[[Path], int]] = {"ours": ours, "pyarrow": arrow, "csv module": module}
    best = dict.fromkeys(readers, float("inf"))
    clock = dict.fromkeys((1, 2), float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        write(path, options.rows, options.columns)
        size = path.stat().st_size / 1e6
        for _ in range(options.rounds):
            for name, read in readers.items():
                start = time.process_time()
                if read(path) != options.rows:
                    raise SystemExit(f"{name} did not read all rows")
                best[name] = min(best[name], time.process_time() - start)
            for threads in clock:
                clock[threads] = min(clock[threads], waited(path, threads))
    print(
        f"{options.rows:,} rows, {options.columns:,} columns, {size:.0f} MB; processor time, best of {options.rounds}"
    )
    for name, seconds in best.items():
        print(f"{name:12} {seconds:7.2f} s {size / seconds:7.0f} MB/s {seconds / best['ours']:7.2f} times ours")
    print(f"two threads: {clock[2]:.2f} s by the clock, {clock[1] / clock[2]:.2f} times as fast as one")


if __name__ == "__main__":
    main()
