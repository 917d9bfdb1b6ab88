"""A table to a model: CSV like the census rows of "adult", against pandas, one-hot columns and SGDClassifier.

The peer reads chunks of 100,000 rows, learns its columns of words from the first and calls partial_fit.  The same rows
as Parquet are to take no longer than as CSV.  Processor time, one thread, best of --rounds, taken in turns.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
from pathlib import Path

from _adult import COPIES, ROWS, as_csv
from _processes import Best, timed, verdict

TARGET = 6.0
PEER = """
import sys
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import OneHotEncoder
model, columns = SGDClassifier(), None
for part in pd.read_csv(sys.argv[1], chunksize=100_000, na_values=["?"]):
    labels = part.pop("income")
    if columns is None:
        words = part.select_dtypes(exclude="number").columns.tolist()
        one_hot = ("words", OneHotEncoder(handle_unknown="ignore"), words)
        columns = ColumnTransformer([one_hot], remainder="passthrough").fit(part)
    model.partial_fit(columns.transform(part), labels, classes=["<=50K", ">50K"])
"""


def learn(file: Path) -> list[str]:
    return [
        sys.executable, "-m", "mistakebound", "learn", str(file), "--label", "income", "--learner", "arow",
        "--threads", "1", "--model", str(file.with_suffix(".mb")), "--quiet", "--json",
    ]  # fmt: skip


def as_parquet(file: Path) -> Path:
    from pyarrow import csv, parquet

    parquet.write_table(csv.read_csv(file), file.with_suffix(".parquet"))
    return file.with_suffix(".parquet")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--copies", type=int, default=COPIES, help=f"of {ROWS:,} rows (default: %(default)s)")
    options = parser.parse_args()
    if not all(map(importlib.util.find_spec, ("pandas", "sklearn"))):
        sys.exit("pandas and scikit-learn are not installed here")
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        file = as_csv(folder / "adult.csv", options.copies)
        size = file.stat().st_size / 1e6
        commands = {
            "arow": learn(file), "arow, Parquet": learn(as_parquet(file)),
            "pandas, one-hot, SGDClassifier": [sys.executable, "-c", PEER, str(file)],
        }  # fmt: skip
        best = {name: Best() for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                best[name].take(timed(command, folder))
    print(f"{options.copies * ROWS:,} rows, {size:.0f} MB; processor time, best of {options.rounds}")
    for name, found in best.items():
        print(f"{name:32} {found.processor:7.2f} s {size / found.processor:7.0f} MB/s")
    ours, parquet, peer = (found.processor for found in best.values())
    print(verdict("a table to a model, against pandas and SGDClassifier", TARGET, peer / ours))
    print(verdict("Parquet, times as fast as CSV", 1.0, ours / parquet))


if __name__ == "__main__":
    main()
