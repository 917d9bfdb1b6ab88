"""This tree against another commit of it: the same work in both, turn and turn about, as a ratio of times.

    python benchmarks/against.py 96a1787
    python benchmarks/against.py HEAD~20 --only learn_one --rounds 9

The other commit is built in build/against-COMMIT.  A ratio above 1 says that this tree is faster; the last line is the
geometric mean.  Start-up and files are whole processes (processor seconds); calls and matrices are timed within one.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from math import exp, log
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHILD = r"""
import json, os, random, resource, subprocess, sys, tempfile
from time import perf_counter
import numpy as np
from scipy.sparse import random as sparse_random
import mistakebound as mb
from mistakebound import learners

LEARNERS = ("winnow2", "perceptron", "averaged-perceptron", "passive-aggressive", "arow", "balanced-winnow",
            "weighted-majority", "one-vs-all", "naive-bayes")
wanted = sys.argv[1]
draw = random.Random(1)
names = [f"name{k}" for k in range(2000)]
rows = [dict.fromkeys(draw.sample(names, 12), 1) for _ in range(1000)]
labels = [int("name3" in x or "name7" in x or draw.random() < 0.1) for x in rows]
times = {}

def timed(name, call, repeat=3):
    if wanted not in name:
        return
    best = min(_once(call) for _ in range(repeat))
    times[name] = best

def _once(call):
    start = perf_counter()
    call()
    return perf_counter() - start

def make(name):
    kind = learners.find(name)
    if name == "naive-bayes":
        return kind(attributes="flags")
    return kind(labels=(0, 1)) if name != "one-vs-all" else kind()

for name in LEARNERS:
    learner = make(name)
    def learn(learner=learner):
        for x, y in zip(rows, labels):
            learner.learn_one(x, y)
    def predict(learner=learner):
        for x in rows:
            learner.predict_one(x)
    learn()
    timed(f"learn_one, {name}", learn)
    timed(f"predict_one, {name}", predict)
X = sparse_random(20_000, 5_000, 0.004, "csr", random_state=1)
X.data[:] = 1.0
y = np.asarray((X[:, :40].sum(axis=1) > 0), dtype=np.int64).ravel()
for name in LEARNERS[:-1]:
    learner = make(name)
    learner.learn_many(X, y)
    timed(f"learn_many, {name}", lambda: learner.learn_many(X, y))
    timed(f"predict_many, {name}", lambda: learner.predict_many(X))
for width in (20, 100, 400):
    dense = np.random.default_rng(1).normal(size=(500, width))
    side = (dense[:, :3].sum(axis=1) > 0).astype(int)
    full = learners.find("arow")(labels=(0, 1), covariance="full")
    timed(f"learn_many, full arow of {width}", lambda: full.learn_many(dense, side))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "rows.svm")
    with open(path, "w") as file:
        for _ in range(60_000):
            ids = sorted(draw.sample(range(1, 20_000), 20))
            file.write(f"{int(ids[0] < 900)} " + " ".join(f"{k}:1" for k in ids) + "\n")
    def command(*words):
        def call():
            subprocess.run([sys.executable, "-m", "mistakebound", *words], check=True, stdout=subprocess.DEVNULL)
        return call
    def processor(name, call, repeat=3):
        if wanted not in name:
            return
        best = 1e9
        for _ in range(repeat):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            call()
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        times[name] = best
    processor("start-up, --help", command("--help"))
    for name in ("winnow2", "arow"):
        model = os.path.join(folder, "m.mb")
        words = ("learn", path, "--learner", name, "--model", model, "--quiet", "--threads", "1")
        processor(f"file, learn {name}", command(*words))
        processor(f"file, predict {name}", command("predict", model, path, "--threads", "1"))
print(json.dumps(times))
"""


def built(commit: str) -> Path:
    """The tree of a commit with its kernels compiled."""
    name = subprocess.run(
        ["git", "rev-parse", "--short", commit], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    tree = ROOT / "build" / f"against-{name}"
    if not (tree / "done").exists():
        tree.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", name], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-xf", "-", "-C", str(tree)], input=archive, check=True)
        print(f"building {name} (some minutes)", file=sys.stderr)
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        subprocess.run(build, cwd=tree, check=True, capture_output=True)
        (tree / "done").touch()
    return tree


def measure(tree: Path, only: str) -> dict[str, float]:
    environment = os.environ | {"PYTHONPATH": str(tree / "src"), "MISTAKEBOUND_KERNELS": "compiled"}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, only], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{tree}: {done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="what the name of a row must have in it")
    options = parser.parse_args()
    old, new = built(options.commit), ROOT
    best: dict[Path, dict[str, float]] = {old: {}, new: {}}
    for round_number in range(options.rounds):
        for tree in (old, new) if round_number % 2 == 0 else (new, old):
            for name, seconds in measure(tree, options.only).items():
                best[tree][name] = min(seconds, best[tree].get(name, seconds))
    ratios = []
    for name, seconds in best[new].items():
        ratio = best[old][name] / seconds
        ratios.append(ratio)
        print(f"{name:38} {best[old][name] * 1e3:9.2f} ms {seconds * 1e3:9.2f} ms   {ratio:5.2f}")
    print(f"{'geometric mean':38} {'':25}   {exp(sum(map(log, ratios)) / len(ratios)):5.2f}")


if __name__ == "__main__":
    main()
