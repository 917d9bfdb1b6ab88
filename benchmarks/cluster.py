"""A Dask cluster of two local processes beside one, and mixed passes beside sequential ones.

    python benchmarks/cluster.py                        4 GB of each kind of rows, which it makes
    python benchmarks/cluster.py --size 400             megabytes instead
    python benchmarks/cluster.py --data FOLDER          also the errors on a1a and SMSSpamCollection, which are there
    python benchmarks/cluster.py --no-speed             errors only

Speed: the wall time of a counting pass (naive Bayes) and of a mixed pass (Winnow2, AROW), with one worker process and
with two, each the best of some rounds in turns.  Error: on a quarter of the rows that was not learned, over twelve
splits for the small sets, after three passes; sequential is `mb.learn` without a client.
"""

from __future__ import annotations

import argparse
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


def seconds(work: Any, client: Any) -> float:
    start = time.perf_counter()
    work(client)
    return time.perf_counter() - start


def speed(folder: Path, size: int, rounds: int) -> None:
    rows, files = str(table(folder, size)), events(folder, size)
    works = {
        "counting (naive-bayes)": lambda client: mb.learn(rows, "label", learner="naive-bayes", client=client),
        "mixing (winnow2)": lambda client: mb.learn(files, learner="winnow2", shards=SHARDS, client=client),
        "mixing (arow)": lambda client: mb.learn(files, learner="arow", shards=SHARDS, client=client),
    }
    best: dict[tuple[str, int], float] = {}
    with connected("local:1") as one, connected("local:2") as two:
        for _ in range(rounds):
            for name, work in works.items():
                for count, client in ((1, one), (2, two)):
                    best[name, count] = min(best.get((name, count), float("inf")), seconds(work, client))
    for name in works:
        alone, both = best[name, 1], best[name, 2]
        print(f"{name}, {size >> 20} MB: one worker {alone:.1f} s, two {both:.1f} s")
        print(verdict(f"{name}, {size >> 20} MB: two local workers over one", 1.7, alone / both))
    print(f"bytes sent in a pass of stream b, {SHARDS} shards, two workers: {SENT[-1][0]:,}")


def splits(name: str, data: Path | None, folder: Path) -> Iterator[Split]:
    """Rows to learn, rows to measure on, and their format."""
    if name == "stream b":
        lines = stream(folder, "b", 100_000).read_bytes().splitlines(keepends=True)
        yield lines[:75_000], lines[75_000:], "libsvm"
        return
    assert data is not None
    file, format = {"a1a": ("a1a", "libsvm"), "SMS": ("SMSSpamCollection", "text")}[name]
    lines = [line.rstrip(b"\n") + b"\n" for line in (data / file).read_bytes().split(b"\n") if line]
    for seed in range(3):
        random.Random(seed).shuffle(lines)
        for fold in range(4):
            kept = [line for k, line in enumerate(lines) if k % 4 != fold]
            yield kept, lines[fold::4], format


def errors(client: Any, data: Path | None, folder: Path, learners: list[str]) -> None:
    for name in ("a1a", "SMS", "stream b") if data is not None else ("stream b",):
        for learner in learners:
            wrong: dict[int, int] = {}
            for kept, held, format in splits(name, data, folder):
                train, test = folder / "train", folder / "test"
                train.write_bytes(b"".join(kept))
                test.write_bytes(b"".join(held))
                for shards in (1, 2, 4, 8):
                    where: dict[str, Any] = {} if shards == 1 else {"client": client, "shards": shards}
                    model = mb.learn(str(train), learner=learner, format=format, passes=3, **where)
                    wrong[shards] = wrong.get(shards, 0) + model.evaluate(str(test)).mistakes
            print(f"{name}, {learner}: mistakes on new rows after three passes, by shards: {wrong}; bytes {SENT[-1]}")
            ratio = wrong[2] / wrong[1] if wrong[1] else 1.0 + wrong[2]
            print(verdict(f"{name}, {learner}: error of two mixed shards over sequential", 1.02, ratio, at_most=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=4096, help="megabytes of rows (default: 4096)")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--data", type=Path, help="folder with a1a and SMSSpamCollection")
    parser.add_argument("--learners", nargs="+", default=["arow", "perceptron", "winnow2"])
    parser.add_argument("--no-speed", action="store_true")
    parser.add_argument("--folder", type=Path, help="where rows are made and kept")
    options = parser.parse_args()
    remember_bytes()
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or Path(made)
        with connected("local:2") as client:
            errors(client, options.data, folder, options.learners)
        if not options.no_speed:
            speed(folder, options.size << 20, options.rounds)


if __name__ == "__main__":
    main()
