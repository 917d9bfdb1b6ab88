"""Backpropagation one example at a time: examples a second, against NumPy, scikit-learn, PyTorch and a loop in C.

All take the same step: sigmoid units, squared error (scikit-learn has only the likelihood for classes), one update an
example.  Rounds are interleaved and the best of each counts.  Then the error on scikit-learn's digits.

python benchmarks/networks.py [--rounds N]
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from _processes import one_core, verdict

import mistakebound as mb

ETA = 0.3
# As one writes it down: the weights of a unit side by side, that of the constant 1 last.
C_LOOP = r"""
#include <math.h>
#include <stdlib.h>
void backprop(long n, long h, long k, double *v, double *w, const double *X, const double *T, long rows, long steps,
              double eta) {
  double *hid = malloc(sizeof(double) * 2 * (h + k)), *dh = hid + h, *o = dh + h, *d = o + k;
  for (long s = 0; s < steps; s++) {
    const double *x = X + s % rows * n, *t = T + s % rows * k;
    for (long j = 0; j < h; j++) {
      double sum = v[j * (n + 1) + n];
      for (long i = 0; i < n; i++) sum += v[j * (n + 1) + i] * x[i];
      hid[j] = 1 / (1 + exp(-sum));
    }
    for (long j = 0; j < k; j++) {
      double sum = w[j * (h + 1) + h];
      for (long i = 0; i < h; i++) sum += w[j * (h + 1) + i] * hid[i];
      o[j] = 1 / (1 + exp(-sum));
      d[j] = o[j] * (1 - o[j]) * (t[j] - o[j]);
    }
    for (long i = 0; i < h; i++) {
      double sum = 0;
      for (long j = 0; j < k; j++) sum += w[j * (h + 1) + i] * d[j];
      dh[i] = hid[i] * (1 - hid[i]) * sum;
    }
    for (long j = 0; j < k; j++) {
      for (long i = 0; i < h; i++) w[j * (h + 1) + i] += eta * d[j] * hid[i];
      w[j * (h + 1) + h] += eta * d[j];
    }
    for (long j = 0; j < h; j++) {
      for (long i = 0; i < n; i++) v[j * (n + 1) + i] += eta * dh[j] * x[i];
      v[j * (n + 1) + n] += eta * dh[j];
    }
  }
  free(hid);
}
"""


def ours(shape: list[int], X: Any, T: Any, epochs: int) -> int:
    mb.learners.Network(shape, eta=ETA, shuffle=False).fit(X, T, epochs=epochs)
    return epochs * len(X)


def with_numpy(shape: list[int], X: Any, T: Any, epochs: int) -> int:
    n, h, k = shape
    draw = np.random.default_rng(0)
    V, a = draw.uniform(-0.05, 0.05, (h, n)), np.zeros(h)
    W, b = draw.uniform(-0.05, 0.05, (k, h)), np.zeros(k)
    for _ in range(epochs):
        for x, t in zip(X, T, strict=True):
            hidden = 1 / (1 + np.exp(-(V @ x + a)))
            o = 1 / (1 + np.exp(-(W @ hidden + b)))
            d = o * (1 - o) * (t - o)
            back = hidden * (1 - hidden) * (d @ W)
            W += ETA * np.outer(d, hidden)
            b += ETA * d
            V += ETA * np.outer(back, x)
            a += ETA * back
    return epochs * len(X)


def with_sklearn(shape: list[int], X: Any, T: Any, epochs: int) -> int:
    from sklearn.neural_network import MLPClassifier

    network = MLPClassifier(
        shape[1:-1], activation="logistic", solver="sgd", batch_size=1, learning_rate_init=ETA, momentum=0.0, alpha=0.0,
        max_iter=epochs, n_iter_no_change=epochs + 1, shuffle=False, random_state=0,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network.fit(X, T.argmax(axis=1))
    return epochs * len(X)


def with_torch(shape: list[int], X: Any, T: Any, epochs: int) -> int:
    import torch

    torch.set_num_threads(1)
    layers: list[Any] = []
    for n, m in pairwise(shape):
        layers += [torch.nn.Linear(n, m, dtype=torch.float64), torch.nn.Sigmoid()]
    model = torch.nn.Sequential(*layers)
    step = torch.optim.SGD(model.parameters(), lr=ETA)
    inputs, targets = torch.from_numpy(X), torch.from_numpy(T)
    for _ in range(epochs):
        for x, t in zip(inputs, targets, strict=True):
            step.zero_grad()
            (0.5 * (t - model(x)).square().sum()).backward()
            step.step()
    return epochs * len(X)


def c_loop(folder: str) -> Callable[[list[int], Any, Any, int], int] | None:
    """The loop compiled for this very processor, sums in any order (-ffast-math): more than we allow ourselves."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    source, library = Path(folder, "loop.c"), Path(folder, "loop.so")
    source.write_text(C_LOOP)
    flags = ["-O3", "-march=native", "-ffast-math", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, str(source), "-o", str(library), "-lm"], check=True)
    call = ctypes.CDLL(str(library)).backprop

    def run(shape: list[int], X: Any, T: Any, epochs: int) -> int:
        n, h, k = shape
        draw = np.random.default_rng(0)
        weights = [draw.uniform(-0.05, 0.05, (h, n + 1)), draw.uniform(-0.05, 0.05, (k, h + 1))]
        sizes = [ctypes.c_long(size) for size in shape]
        places = [ctypes.c_void_p(array.ctypes.data) for array in (*weights, X, T)]
        call(*sizes, *places, ctypes.c_long(len(X)), ctypes.c_long(epochs * len(X)), ctypes.c_double(ETA))
        return epochs * len(X)

    return run


def installed(name: str) -> bool:
    try:
        __import__(name)
    except ImportError:
        return False
    return True


def rates(shape: list[int], X: Any, T: Any, peers: dict[str, tuple[Any, int]], rounds: int) -> dict[str, float]:
    """Examples a second, the best of the rounds."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, (work, epochs) in peers.items():
            start = perf_counter()
            examples = work(shape, X, T, epochs)
            best[name] = max(best.get(name, 0.0), examples / (perf_counter() - start))
    print(f"\n{'-'.join(map(str, shape))}, {len(X)} examples{'':<14}{'examples a second':>18}{'we are faster by':>18}")
    for name, rate in best.items():
        print(f"  {name:<32}{rate:>18,.0f}{best['mistakebound'] / rate:>18.1f}")
    return best


def digits_error() -> float | None:
    """Median over five seeds of the error on the other half of scikit-learn's digits, in %.

    How hard a half is differs more than the seeds do: other ways to draw one with seed 0 are shown beside it.
    """
    if not installed("sklearn"):
        return None
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    digits = load_digits()
    X, y = digits.data / 16, digits.target
    half, orders = (
        len(X) // 2,
        (np.random.RandomState(0).permutation(len(X)), np.random.default_rng(0).permutation(len(X))),
    )
    halves = {
        "RandomState(0).permutation": (orders[0][:half], orders[0][half:]),
        "default_rng(0).permutation": (orders[1][:half], orders[1][half:]),
        "train_test_split(random_state=0)": train_test_split(np.arange(len(X)), test_size=0.5, random_state=0),
    }
    medians = []
    print("\ndigits, error on the half not learned, %, for five seeds")
    for name, (learn, test) in halves.items():
        errors = []
        for seed in range(5):
            network = mb.learners.Network([64, 30, 10], eta=0.3, momentum=0.3, random_state=seed)
            said = network.fit(X[learn], y[learn], epochs=30).predict_many(X[test])
            errors.append(100 * float(np.mean(said != y[test])))
        medians.append(float(np.median(errors)))
        print(f"  {name:<34}{', '.join(f'{error:.2f}' for error in errors)}; median {medians[-1]:.2f}")
    return medians[0]


def images() -> tuple[Any, Any]:
    """Half of the digits as 64 numbers from 0 to 1; where scikit-learn is missing, numbers like them."""
    if installed("sklearn"):
        from sklearn.datasets import load_digits

        digits = load_digits()
        return np.ascontiguousarray(digits.data[:898] / 16), np.eye(10)[digits.target[:898]]
    draw = np.random.default_rng(0)
    X = draw.integers(0, 17, (898, 64)) / 16 * (draw.random((898, 64)) < 0.5)
    return X, np.eye(10)[draw.integers(0, 10, 898)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder, one_core(True):
        loop = c_loop(folder)
        peers: dict[str, tuple[Any, int]] = {"mistakebound": (ours, 30), "numpy": (with_numpy, 1)}
        small: dict[str, tuple[Any, int]] = {"mistakebound": (ours, 5000), "numpy": (with_numpy, 100)}
        if installed("sklearn"):
            peers["scikit-learn, batch_size=1"] = (with_sklearn, 1)
        if installed("torch"):
            peers["torch, batch 1"] = (with_torch, 1)
            small["torch, batch 1"] = (with_torch, 25)
        if loop is not None:
            peers["C loop, -O3 and -ffast-math"] = (loop, 30)
            small["C loop, -O3 and -ffast-math"] = (loop, 5000)
        large = rates([64, 30, 10], *images(), peers, rounds)
        tiny = rates([8, 3, 8], np.eye(8), np.eye(8), small, rounds)
        error = digits_error()
    print()
    print(verdict("64-30-10, times numpy", 10, large["mistakebound"] / large["numpy"]))
    for name, rate in large.items():
        if name.startswith("scikit"):
            print(verdict("64-30-10, times scikit-learn with batch_size=1", 40, large["mistakebound"] / rate))
    print(verdict("8-3-8, times numpy", 60, tiny["mistakebound"] / tiny["numpy"]))
    for what, found in (("64-30-10", large), ("8-3-8", tiny)):
        for name, rate in found.items():
            if name.startswith("C loop"):
                print(
                    verdict(f"{what}, our time over that of a C loop", 2.5, rate / found["mistakebound"], at_most=True)
                )
    if error is not None:
        print(verdict("digits, first half above, median error in %", 3.0, error, at_most=True))


if __name__ == "__main__":
    main()
