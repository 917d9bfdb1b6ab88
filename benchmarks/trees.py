"""Decision trees: growing, pruning and predicting against scikit-learn and Weka's J48; errors on data that people know.

Speed: 1,000,000 rows of 20 nominal columns of 3-10 values, the label a DNF of six terms of which one in twenty is
wrong; and 48,842 rows of 8 nominal and 6 numeric columns, the size of UCI's adult.  scikit-learn takes codes as if
they were numbers, or a column a value.  J48 is Weka's C4.5 (Debian's package weka, with java); its time is what it
says it took to build the model.  Taken in turns, the best of --rounds counts; the slow peers run once.

--data FOLDER: errors in stratified ten-fold cross-validation, and sizes of the trees, before and after each pruning.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _processes import verdict
from _tree_data import SETS, read_set, show_errors

import mistakebound as mb
from mistakebound.core.table import Column, Table

WEKA = Path("/usr/share/java/weka.jar")
C45 = {"criterion": "gain_ratio", "missing": "fractions", "prune": "pessimistic"}


def noisy_dnf(rows: int, seed: int = 0) -> tuple[Table, np.ndarray]:
    draw = np.random.default_rng(seed)
    sizes = [3 + j % 8 for j in range(20)]
    cells = [draw.integers(0, size, rows).astype(np.int32) for size in sizes]
    label = np.zeros(rows, dtype=bool)
    for _ in range(6):
        term = np.ones(rows, dtype=bool)
        for j in draw.choice(20, 3, replace=False):
            term &= np.isin(cells[j], draw.choice(sizes[j], sizes[j] // 2, replace=False))
        label |= term
    label ^= draw.random(rows) < 0.05
    columns = [Column(f"a{j}", "nominal", [f"v{v}" for v in range(size)], cells[j]) for j, size in enumerate(sizes)]
    return Table(columns), label.astype(np.int32)


def like_adult(rows: int = 48_842, seed: int = 0) -> tuple[Table, np.ndarray]:
    """Nominal columns of 2 to 42 values; numbers with 73, 27,000, 16, 119, 96 and 94 different values."""
    draw = np.random.default_rng(seed)
    columns, signal = [], np.zeros(rows)
    for j, size in enumerate((9, 16, 7, 15, 6, 5, 2, 42)):
        codes = np.minimum(draw.geometric(2.5 / (size + 2), rows) - 1, size - 1).astype(np.int32)
        signal += draw.normal(0, 0.5, size)[codes]
        columns.append(Column(f"n{j}", "nominal", [f"v{v}" for v in range(size)], codes))
    for j, size in enumerate((73, 27_000, 16, 119, 96, 94)):
        numbers = np.floor(np.abs(draw.normal(0, 0.3, rows)) * size)
        if j in (3, 4):
            numbers[draw.random(rows) < 0.92] = 0
        signal += (0.0 if j == 1 else 0.6) * np.log1p(numbers)
        columns.append(Column(f"x{j}", "numeric", (), numbers))
    label = signal + draw.normal(0, 0.8, rows) > np.quantile(signal, 0.76)
    return Table(columns), label.astype(np.int32)


def codes_of(table: Table) -> np.ndarray:
    return np.stack([column.data for column in table.columns], axis=1).astype(np.float32)


def one_hot(table: Table) -> np.ndarray:
    return np.concatenate(
        [np.eye(len(c.values), dtype=np.float32)[c.data] for c in table.columns], axis=1, dtype=np.float32
    )


def best_of(rounds: int, runs: dict[str, Callable[[], Any]]) -> tuple[dict[str, float], dict[str, Any]]:
    """Seconds and what came of it; those whose name has a * run once."""
    seconds, results = dict.fromkeys(runs, float("inf")), {}
    for turn in range(rounds):
        for name, run in runs.items():
            if turn and "*" in name:
                continue
            start = time.perf_counter()
            results[name] = run()
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    return seconds, results


def write_arff(table: Table, label: np.ndarray, path: Path) -> None:
    with path.open("w") as file:
        file.write("@relation trees\n")
        for column in table.columns:
            kind = f"{{{','.join(column.values)}}}" if column.nominal else "numeric"
            file.write(f"@attribute {column.name} {kind}\n")
        file.write("@attribute class {no,yes}\n@data\n")
        texts = [
            np.array(column.values, dtype=object)[column.data] if column.nominal else column.data.astype(str)
            for column in table.columns
        ]
        texts.append(np.array(["no", "yes"], dtype=object)[label])
        for start in range(0, table.rows, 100_000):
            part = [text[start : start + 100_000].tolist() for text in texts]
            file.writelines(",".join(map(str, row)) + "\n" for row in zip(*part, strict=True))


def j48(table: Table, label: np.ndarray) -> tuple[float, int] | None:
    """Seconds to build the model, and the size of its tree; None where it cannot run."""
    java = shutil.which("java")
    if java is None or not WEKA.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "trees.arff")
        write_arff(table, label, path)
        command = [java, "-Xmx8g", "-cp", str(WEKA), "weka.classifiers.trees.J48", "-t", str(path), "-no-cv"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = re.search(r"Time taken to build model: ([\d.]+) seconds", ran.stdout)
    size = re.search(r"Size of the tree :\s+(\d+)", ran.stdout)
    if seconds is None or size is None:
        print(f"J48 said: {ran.stderr.strip()[-300:]}")
        return None
    return float(seconds.group(1)), int(size.group(1))


def sklearn_tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(criterion="entropy", random_state=0)


def speed(rows: int, rounds: int, *, slow: bool) -> list[str]:
    said = []
    peers = importlib.util.find_spec("sklearn") is not None
    for what, (table, label) in (("nominal", noisy_dnf(rows)), ("mixed", like_adult())):
        nominal = what == "nominal"
        codes = codes_of(table)
        grown = mb.DecisionTree(**C45).fit(table, label)
        runs: dict[str, Callable[[], Any]] = {
            "ours, grown and pruned": lambda table=table, label=label: mb.DecisionTree(**C45).fit(table, label),
            "ours, grown": lambda table=table, label=label: mb.DecisionTree().fit(table, label),
            "ours, predict": lambda table=table, grown=grown: grown.predict_many(table),
        }
        if peers:
            peer = sklearn_tree().fit(codes, label)
            star = " *" if nominal else ""
            runs[f"scikit-learn, codes{star}"] = lambda c=codes, label=label: sklearn_tree().fit(c, label)
            runs["scikit-learn, predict"] = lambda c=codes, peer=peer: peer.predict(c)
            if slow and nominal:
                hot = one_hot(table)
                runs["scikit-learn, one-hot *"] = lambda hot=hot, label=label: sklearn_tree().fit(hot, label)
        seconds, results = best_of(rounds, runs)
        weka = j48(table, label) if nominal else None
        print(f"\n{what}: {table.rows:,} rows, {len(table.columns)} columns")
        for name, took in seconds.items():
            nodes = ""
            if hasattr(results[name], "tree"):
                nodes = f"{results[name].tree.size:>12,} nodes"
            elif hasattr(results[name], "tree_"):
                nodes = f"{results[name].tree_.node_count:>12,} nodes"
            print(f"  {name:<28}{took:>9.3f} s{nodes}")
        ours = seconds["ours, grown and pruned"]
        if weka is not None:
            print(f"  {'J48':<28}{weka[0]:>9.3f} s{weka[1]:>12,} nodes")
            said.append(verdict("grown and pruned, times J48", 7.0, weka[0] / ours))
        elif nominal:
            said.append("J48 is not here (java and Debian's weka): its figure is left out")
        if peers:
            target = 8.0 if nominal else 1.0
            peer_took = next(took for name, took in seconds.items() if name.startswith("scikit-learn, codes"))
            said.append(verdict(f"{what}, grown and pruned, times scikit-learn's codes", target, peer_took / ours))
            if nominal:
                ratio = seconds["scikit-learn, predict"] / seconds["ours, predict"]
                said.append(verdict("prediction, times scikit-learn's rows a second", 6.0, ratio))
        if nominal:
            said.append(verdict("memory, copies of the codes", 4.0, memory(table, label), at_most=True))
    return said


def memory(table: Table, label: np.ndarray) -> float:
    """The most that is held while a tree is grown and pruned, by the size of the table's codes."""
    tracemalloc.start()
    mb.DecisionTree(**C45).fit(table, label)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / sum(column.data.nbytes for column in table.columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slow", action="store_true", help="also scikit-learn on a column a value (minutes)")
    parser.add_argument("--data", type=Path, help="a folder of UCI's files: errors instead of speed")
    options = parser.parse_args()
    if options.data is not None:
        said = [line for name in SETS for line in show_errors(name, read_set(options.data, name))]
    else:
        said = speed(options.rows, options.rounds, slow=options.slow)
    print()
    for line in said:
        print(line)


if __name__ == "__main__":
    main()
