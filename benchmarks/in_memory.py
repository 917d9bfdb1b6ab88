"""In memory: learn_many against scikit-learn and a bare gather loop, one instance at a time against river.

And a nonzero of a file with ids up to 2^34 against one with ids up to 2^16.  Processor time of all threads, taken in
turns, the best of --rounds counts.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _gather import NoCompiler, gather
from _processes import timed, verdict
from _streams import ROWS, SHAPES, stream
from scipy.sparse import csr_matrix

import mistakebound as mb
from mistakebound.io import open_stream

LEARNERS: dict[str, Callable[[], Any]] = {"winnow2": mb.Winnow2, "perceptron": mb.Perceptron}
# A learner is compared with a gather of what it could at best keep: Winnow no doubles, the perceptron nothing less.
WIDTHS = {"winnow2": "float32", "perceptron": "float64"}
SGD_TARGET, GATHER_TARGET = 1.5, 1.5
RIVER_TARGETS = {60: 2.5, 10: 4.0}  # names in an instance
ENCODED_TARGET = 15.0
FAR_TARGET = 4.0
RIVER = "river Perceptron"
SMALL = 2000  # instances of a round against river


def in_turns(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The best processor time of each, seconds."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - start)
    return best


def matrix(path: Path, n: int) -> tuple[Any, Any]:
    """The rows of a stream whose values are all 1; SGDClassifier wants 32-bit columns and doubles."""
    starts, columns, labels = [np.zeros(1, np.int64)], [], []
    entries = 0
    with open_stream(path) as reader:
        for block in reader:
            indptr = np.asarray(block.indptr[: block.rows + 1], np.int64)
            signs = np.array([1 if token == b"+1" else -1 for token in block.label_tokens], np.int64)
            starts.append(indptr[1:] - indptr[0] + entries)
            columns.append((np.asarray(block.keys)[indptr[0] : indptr[-1]] - 1).astype(np.int32))
            labels.append(signs[np.asarray(block.tokens[: block.rows])])
            entries += int(indptr[-1] - indptr[0])
    y = np.concatenate(labels)
    parts = np.ones(entries), np.concatenate(columns), np.concatenate(starts).astype(np.int32)
    return csr_matrix(parts, (len(y), n)), y


def array_runs(X: Any, y: Any) -> dict[str, Callable[[], object]]:
    runs: dict[str, Callable[[], object]] = {
        who: lambda make=make: make().learn_many(X, y) for who, make in LEARNERS.items()
    }
    for who, make in LEARNERS.items():
        learner = make()
        learner.learn_many(X, y)
        runs[f"{who}, going on"] = lambda learner=learner: learner.learn_many(X, y)
    if importlib.util.find_spec("sklearn"):
        from sklearn.linear_model import SGDClassifier

        runs["SGDClassifier"] = lambda: SGDClassifier(
            loss="perceptron", alpha=0.0, learning_rate="constant", eta0=1.0, shuffle=False
        ).partial_fit(X, y, classes=[-1, 1])
    else:
        print("scikit-learn is left out: it is not installed here (`make bench` installs it)")
    try:
        runs |= {f"gather {width}": gather(X, width) for width in sorted({*WIDTHS.values()})}
    except NoCompiler as error:
        print(f"the gather loop is left out, X @ w stands in: {error}")
        weights = {width: np.ones(X.shape[1], width) for width in sorted({*WIDTHS.values()})}
        runs |= {f"gather {width}": lambda w=w: X @ w for width, w in weights.items()}
    return runs


def arrays(folder: Path, rows: int, rounds: int) -> list[str]:
    said = []
    print(f"{'rows of':8} {'who':24} {'seconds':>8} {'ns a nonzero':>13}")
    for name in ("a", "b", "wide"):
        X, y = matrix(stream(folder, name, rows), SHAPES[name][0])
        best = in_turns(array_runs(X, y), rounds)
        for who, seconds in best.items():
            print(f"{name:8} {who:24} {seconds:8.3f} {1e9 * seconds / X.nnz:13.2f}")
        for who in LEARNERS:
            if "SGDClassifier" in best:
                ratio = best["SGDClassifier"] / best[who]
                said.append(verdict(f"{name}, {who}, against SGDClassifier", SGD_TARGET, ratio))
            # The loop's weights are there before it starts: so are those of a learner that goes on.
            ratio = best[f"{who}, going on"] / best[f"gather {WIDTHS[who]}"]
            said.append(verdict(f"{name}, {who} going on, against a gather loop", GATHER_TARGET, ratio, at_most=True))
    return said


def instances(width: int) -> list[tuple[dict[str, int], bool]]:
    draw = random.Random(1)
    names = [f"word{number}" for number in range(5000)]
    relevant = set(names[: 2500 // width])  # four of ten instances have one of them
    chosen = [draw.sample(names, width) for _ in range(SMALL)]
    return [(dict.fromkeys(some, 1), not relevant.isdisjoint(some)) for some in chosen]


def play(model: Any, examples: list[tuple[Any, bool]]) -> int:
    mistakes = 0
    for x, y in examples:
        mistakes += model.predict_one(x) != y
        model.learn_one(x, y)
    return mistakes


def instance_runs(examples: list[tuple[dict[str, int], bool]]) -> dict[str, Callable[[], object]]:
    """New models on mapping after mapping; and models that go on with the same instances, ours with encoded ones."""
    from river.linear_model import Perceptron

    old = Perceptron()
    runs: dict[str, Callable[[], object]] = {
        RIVER: lambda: play(Perceptron(), examples),
        f"{RIVER}, going on": lambda: play(old, examples),
    }
    for who, make in LEARNERS.items():
        runs[who] = lambda make=make: play(make(labels=(False, True)), examples)
        learner = make(labels=(False, True))
        encoded = [(learner.encode(x), y) for x, y in examples]
        runs[f"{who}, encoded"] = lambda learner=learner, encoded=encoded: play(learner, encoded)
    return runs


def one_at_a_time(rounds: int) -> list[str]:
    if not importlib.util.find_spec("river"):
        print("river is left out: it is not installed here (`make bench` installs it)")
        return []
    said = []
    print(f"\n{'names':8} {'who':24} {'µs an instance, predict_one + learn_one':>40}")
    for width, target in RIVER_TARGETS.items():
        best = in_turns(instance_runs(instances(width)), 3 * rounds)
        for who, seconds in best.items():
            print(f"{width:<8} {who:24} {1e6 * seconds / SMALL:40.2f}")
        for who in LEARNERS:
            said.append(verdict(f"{width} names, {who}, against river", target, best[RIVER] / best[who]))
            ratio = best[f"{RIVER}, going on"] / best[f"{who}, encoded"]
            said.append(verdict(f"{width} names, {who} encoded once, against river", ENCODED_TARGET, ratio))
    return said


def far_ids(folder: Path, rows: int, rounds: int) -> list[str]:
    """`seconds` of `learn --json`: reading, parsing and learning without the start of the process."""
    said = []
    print(f"\n{'ids':14} {'who':24} {'ns a nonzero, from file':>24}")
    names = ("2^16", "2^16 of 2^34", "2^34")
    files = {name: stream(folder, name, rows) for name in names}
    for who in LEARNERS:
        best = dict.fromkeys(names, float("inf"))
        for _ in range(rounds):
            for name, file in files.items():
                command = [sys.executable, "-m", "mistakebound", "learn", str(file), "--learner", who, "--json"]
                run = json.loads(timed([*command, "--threads", "1"], folder).out)
                if run["trials"] != rows:
                    sys.exit(f"{file.name}: {run['trials']} rows, wanted {rows}")
                best[name] = min(best[name], run["seconds"])
        for name in names:
            print(f"{name:14} {who:24} {1e9 * best[name] / (rows * 60):24.2f}")
        ratio = best["2^16 of 2^34"] / best["2^16"]
        said.append(verdict(f"{who}, 65,536 ids spread over 2^34 against 2^16", FAR_TARGET, ratio, at_most=True))
        times = best["2^34"] / best["2^16"]
        print(
            f"{who}: ids uniform over 2^34 ({rows * 60:,} entries, nearly all new) take {times:.1f} times that of 2^16"
        )
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=ROWS, help="of a stream (default: %(default)s)")
    parser.add_argument("--dir", type=Path, help="keep the files here and use those that are there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder: Path = (options.dir or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        said = arrays(folder, options.rows, options.rounds)
        said += one_at_a_time(options.rounds)
        said += far_ids(folder, options.rows, options.rounds)
    print("", *said, sep="\n")


if __name__ == "__main__":
    main()
