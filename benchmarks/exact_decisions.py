"""What exactness costs: the share of Winnow's predictions that doubles could not decide and integers had to.

One stream from a seed, and settings of both learners that could make ties.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import mistakebound as mb
from mistakebound.io import open_stream
from mistakebound.io.synthetic import write_stream
from mistakebound.model.trainer import learn_stream

SETTINGS = (
    ("winnow1", {}),
    ("winnow1", {"n": 100_000}),
    ("winnow1", {"n": 100_000, "alpha": 1.5}),
    ("winnow2", {}),
    ("winnow2", {"alpha": 2.0}),
    ("winnow2", {"n": 100_000}),
    ("winnow2", {"n": 100_000, "alpha": 10.0, "theta": 1.0}),
    ("winnow2", {"alpha": 1.1}),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=50_000)
    options = parser.parse_args()
    print(f"{'learner':48} {'trials':>8} {'mistakes':>8} {'in integers':>11} {'share':>9}")
    with tempfile.TemporaryDirectory() as folder:
        stream = Path(folder, "stream.svm")
        write_stream(stream, n=100_000, active=60, relevant=10, rows=options.rows, seed=1)
        for name, settings in SETTINGS:
            learner = mb.learners.find(name)(**settings)
            ledger = mb.Ledger(learner.labels)
            with open_stream(stream) as reader:
                learn_stream(learner, reader, ledger)
            slow = learner.slow_decisions
            print(f"{learner!r:48} {ledger.trials:8,} {ledger.mistakes:8,} {slow:11,} {slow / ledger.trials:9.2e}")


if __name__ == "__main__":
    main()
