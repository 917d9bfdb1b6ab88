"""A Dask cluster of two local processes beside one, and mixed passes beside sequential ones.

    python benchmarks/cluster.py                        4 GB of each kind of rows, which it makes
    python benchmarks/cluster.py --size 400             megabytes instead
    python benchmarks/cluster.py --only mixing          counting or mixing only
    python benchmarks/cluster.py --data FOLDER          also the errors on a1a and SMSSpamCollection, which are there
    python benchmarks/cluster.py --no-speed, --no-error

Speed: the wall time of a counting pass (naive Bayes) and of a mixed pass (Winnow2, AROW), with one worker process and
with two, each the best of some rounds in turns.  Beside them what two plain processes without Dask gain over one, on
150 to 200 MB each: more than that the machine does not have to give at the moment.  Error: on a quarter of the rows
that was not learned, over four splits of each of some shuffles for the small sets, after three passes; sequential is
`mb.learn` without a client.  Ratios have a standard error, which is that of the splits.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _processes import verdict
from _streams import stream

import mistakebound as mb
from mistakebound.cluster.engine import connected
from mistakebound.cluster.training import MixedTraining

SHARDS = 8
PLAIN = 200 << 20  # bytes of a table for one process without Dask
SENT: list[list[int]] = []  # bytes in each pass of every training
Split = tuple[list[bytes], list[bytes], str]


def remember_bytes() -> None:
    """`MixedTraining` says what it has sent; `mb.learn` gives only the model."""
    learn = MixedTraining.learn

    def and_note(self: Any) -> None:
        learn(self)
        SENT.append(self.cluster["bytes_sent"])

    MixedTraining.learn = and_note  # type: ignore[method-assign]


def table(folder: Path, size: int) -> Path:
    """A table of nominal columns, so many bytes: one part of it again and again."""
    path = folder / f"table-{size}.csv"
    if path.exists():
        return path
    draw = random.Random(1)
    rows = [
        ",".join([*(f"v{draw.randrange(20)}" for _ in range(12)), draw.choice(("no", "yes"))]) for _ in range(200_000)
    ]
    part = ("\n".join(rows) + "\n").encode()
    with open(path, "wb") as file:
        file.write(",".join([*(f"c{k}" for k in range(12)), "label"]).encode() + b"\n")
        file.writelines(part for _ in range(max(1, size // len(part))))
    return path


def events(folder: Path, size: int) -> list[str]:
    """Files of stream b, so many bytes together."""
    one = stream(folder, "b", 200_000)
    return [str(one)] * max(1, size // one.stat().st_size)


def seconds(work: Any, *arguments: Any) -> float:
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def learn_alone(files: list[str], learner: str) -> None:
    """Without Dask, by one thread."""
    mb.learn(files, "label" if learner == "naive-bayes" else None, learner=learner, threads=1)


def speed(folder: Path, size: int, rounds: int, only: str | None) -> None:
    files = events(folder, size)
    works: dict[str, tuple[Any, list[str]]] = {}
    if only != "mixing":
        rows, few = str(table(folder, size)), str(table(folder, PLAIN))
        works["naive-bayes"] = (lambda client: mb.learn(rows, "label", learner="naive-bayes", client=client), [few])
    if only != "counting":
        for name in ("winnow2", "arow"):
            works[name] = (
                lambda client, name=name: mb.learn(files, learner=name, shards=SHARDS, client=client),
                files[:1],
            )
    best: dict[tuple[str, str], float] = {}

    def note(name: str, how: str, taken: float) -> None:
        best[name, how] = min(best.get((name, how), float("inf")), taken)

    with (
        connected("local:1") as one,
        connected("local:2") as two,
        multiprocessing.get_context("spawn").Pool(2) as pool,
    ):
        for _ in range(rounds):
            for name, (work, alone) in works.items():
                note(name, "one", seconds(work, one))
                note(name, "two", seconds(work, two))
                plain = [(alone, name)] * 2
                note(name, "plain", sum(seconds(pool.apply, learn_alone, each) for each in plain))
                note(name, "plain pair", seconds(pool.starmap, learn_alone, plain, 1))
    for name in works:
        told = f"{'counting' if name == 'naive-bayes' else 'mixing'} ({name}), {size >> 20} MB"
        alone, pair = best[name, "one"], best[name, "two"]
        plain_ratio = best[name, "plain"] / best[name, "plain pair"]
        print(f"{told}: one worker {alone:.1f} s, two {pair:.1f} s")
        print(f"{told}: two plain processes over one, on this machine now: {plain_ratio:.2f}")
        print(verdict(f"{told}: two local workers over one", 1.7, alone / pair))
    if SENT:
        print(f"bytes sent in a pass of stream b, {SHARDS} shards, two workers: {SENT[-1][0]:,}")


def splits(name: str, data: Path | None, folder: Path, rows: int, shuffles: int) -> Iterator[Split]:
    """Rows to learn, rows to measure on, and their format."""
    if name == "stream b":
        lines = stream(folder, "b", 100_000).read_bytes().splitlines(keepends=True)
        yield lines[:rows], lines[75_000:], "libsvm"
        return
    assert data is not None
    file, format = {"a1a": ("a1a", "libsvm"), "SMS": ("SMSSpamCollection", "text")}[name]
    lines = [line.rstrip(b"\n") + b"\n" for line in (data / file).read_bytes().split(b"\n") if line]
    for seed in range(shuffles):
        random.Random(seed).shuffle(lines)
        for fold in range(4):
            kept = [line for k, line in enumerate(lines) if k % 4 != fold]
            yield kept, lines[fold::4], format


def errors(client: Any, data: Path | None, folder: Path, learners: list[str], rows: int, shuffles: int) -> None:
    for name in ("a1a", "SMS", "stream b") if data is not None else ("stream b",):
        for learner in learners:
            wrong: dict[int, list[int]] = {1: [], 2: [], 4: [], 8: []}
            tested = 0
            for kept, held, format in splits(name, data, folder, rows, shuffles):
                train, test = folder / "train", folder / "test"
                train.write_bytes(b"".join(kept))
                test.write_bytes(b"".join(held))
                tested += len(held)
                for shards, counts in wrong.items():
                    where: dict[str, Any] = {} if shards == 1 else {"client": client, "shards": shards}
                    model = mb.learn(str(train), learner=learner, format=format, passes=3, **where)
                    counts.append(model.evaluate(str(test)).mistakes)
            alone = wrong.pop(1)
            ratios = {shards: ratio(counts, alone) for shards, counts in wrong.items()}
            print(f"{name}, {learner}: {sum(alone):,} mistakes on {tested:,} new rows after three sequential passes")
            for shards, (found, error) in ratios.items():
                print(f"{name}, {learner}: {shards} mixed shards over sequential: {found:.3f} +- {error:.3f}")
            print(f"{name}, {learner}: bytes in each of three passes of 8 shards: {SENT[-1]}")
            told = f"{name}, {learner}: error of two mixed shards over sequential"
            print(verdict(told, 1.02, ratios[2][0], at_most=True), flush=True)


def ratio(counts: list[int], alone: list[int]) -> tuple[float, float]:
    """Of the sums, and its standard error (that of a ratio of two means of pairs)."""
    total = sum(alone)
    if not total:
        return 1.0 + sum(counts), 0.0
    found, n = sum(counts) / total, len(alone)
    spread = sum((own - found * other) ** 2 for own, other in zip(counts, alone, strict=True))
    return found, (spread * n / (n - 1)) ** 0.5 / total if n > 1 else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=4096, help="megabytes of rows (default: 4096)")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--data", type=Path, help="folder with a1a and SMSSpamCollection")
    parser.add_argument("--learners", nargs="+", default=["arow", "perceptron", "winnow2"])
    parser.add_argument(
        "--rows", type=int, default=75_000, help="of stream b that are learned (default: 75000, at most)"
    )
    parser.add_argument("--shuffles", type=int, default=8, help="of a1a and SMS, four splits each (default: 8)")
    parser.add_argument("--only", choices=("counting", "mixing"), help="of the speeds")
    parser.add_argument("--no-speed", action="store_true")
    parser.add_argument("--no-error", action="store_true")
    parser.add_argument("--folder", type=Path, help="where rows are made and kept")
    options = parser.parse_args()
    remember_bytes()
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        if not options.no_error:
            with connected("local:2") as client:
                errors(client, options.data, folder, options.learners, options.rows, options.shuffles)
        if not options.no_speed:
            speed(folder, options.size << 20, options.rounds, options.only)


if __name__ == "__main__":
    main()
