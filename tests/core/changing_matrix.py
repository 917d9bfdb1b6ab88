"""Run by test_changing_matrix.py, in a process of its own: what it looks for is a crash.

One thread changes the arrays of a matrix while another learns it and predicts it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

import mistakebound as mb
from mistakebound.core.errors import MistakeboundError

LEARNERS: dict[str, Callable[[], Any]] = {
    "perceptron": mb.Perceptron,
    "winnow2": mb.Winnow2,
    "arow": mb.AROW,
    "passive-aggressive": mb.PassiveAggressive,
    "disjunction-elimination": mb.learners.DisjunctionElimination,
    "one-vs-all": lambda: mb.OneVsAll("winnow2"),
    "weighted-majority": mb.WeightedMajority,
    "standardised": lambda: mb.transforms.standardize(mb.Perceptron()),
    "conjunctions": lambda: mb.transforms.expand(mb.Winnow2(), cross=2),
    "naive-bayes": lambda: mb.NaiveBayes(attributes="words"),
}
WILD = (-1, 1 << 30, (1 << 31) - 1, -(1 << 31))


def main(name: str, kind: str, seconds: float) -> None:
    draw = np.random.default_rng(1)
    rows, width = 20_000, 64
    columns = np.sort(draw.integers(0, 8, (rows, 8)) + np.arange(0, 64, 8), axis=1).reshape(-1).astype(np.int32)
    values = np.ones(8 * rows)
    X = csr_matrix((values, columns, np.arange(0, 8 * rows + 1, 8, dtype=np.int64)), (rows, width))
    if kind == "wide indices":
        X.indices = X.indices.astype(np.int64)
        X.indptr = X.indptr.astype(np.int64)
    changed = {"indices": X.indices, "wide indices": X.indices, "indptr": X.indptr, "data": X.data}[kind]
    kept = changed.copy()
    y = draw.integers(0, 2, rows)
    over = threading.Event()

    def change() -> None:
        number = 0
        while not over.is_set():
            at = (number * 7919) % (len(changed) - 1000)
            wild = float("nan") if kind == "data" and number % 2 else WILD[number % 4]
            changed[at : at + 1000] = wild
            changed[at : at + 1000] = kept[at : at + 1000]
            number += 1

    thread = threading.Thread(target=change)
    thread.start()
    sys.setswitchinterval(1e-5)
    learner, refused, played = LEARNERS[name](), 0, 0
    learn = learner.partial_fit if name == "naive-bayes" else learner.learn_many
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for call in (lambda: learn(X, y), lambda: learner.predict_many(X)):
            try:
                call()
                played += 1
            except MistakeboundError:
                refused += 1
    over.set()
    thread.join()
    changed[:] = kept
    print(f"{played} calls, {refused} refused")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
