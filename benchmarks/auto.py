"""The time of `auto` beside Vowpal Wabbit: rows like those of a9a (14 of 123 flags on), and wide text.

Whole processes on one stream each, taken in turns; the best of --rounds counts.  Targets: at most 4 times VW `-q ::` on
the flags, at most 2 times VW's default on text, where pairs are off.  With --labels it prints instead what labels cost:
`auto` of many labels beside so many `auto`s of two labels, and beside one-vs-all over AROW.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
import tempfile
from pathlib import Path

from _processes import Best, timed, verdict

FLAGS_TARGET, TEXT_TARGET = 4.0, 2.0


def flags(path: Path, rows: int) -> None:
    draw = random.Random(0)
    with open(path, "w") as file:
        for _ in range(rows):
            on = sorted(draw.sample(range(1, 124), 14))
            label = 1 if (5 in on) + (17 in on) * (60 not in on) + draw.random() * 0.6 > 0.8 else -1
            file.write(f"{label} | {' '.join(map(str, on))}\n")


def text(path: Path, rows: int) -> None:
    """Words by Zipf's law out of 50,000, 80 a row."""
    draw = random.Random(1)
    with open(path, "w") as file:
        for _ in range(rows):
            words = sorted({int(50_000 ** draw.random()) for _ in range(80)})
            label = 1 if sum(word % 7 == 3 for word in words) > len(words) / 7 else -1
            file.write(f"{label} | {' '.join(f'w{word}' for word in words)}\n")


# Learns a file; prints the processor seconds of that, and the largest size of the process in kB.
_LEARN = """
import resource, sys, time
import mistakebound as mb
mb.learn([{"a": 1, "y": 0}, {"a": 0, "y": 1}], "y", learner=sys.argv[2])
start = time.process_time()
mb.learn(sys.argv[1], learner=sys.argv[2], threads=1)
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def classes(path: Path, rows: int, labels: int, only: bool = False) -> None:
    """Some 14 of 123 flags, up to four of which belong to the label; `only`: the first label against the rest."""
    draw = random.Random(2)
    own = [draw.sample(range(1, 124), 4) for _ in range(labels)]
    with open(path, "w") as file:
        for _ in range(rows):
            label = draw.randrange(labels)
            on = {*draw.sample(range(1, 124), 11), *(flag for flag in own[label] if draw.random() < 0.8)}
            said = ("rest", "first")[label == 0] if only else f"c{label}"
            file.write(f"{said} {' '.join(f'{flag}:1' for flag in sorted(on))}\n")


def labels_cost(folder: Path, rounds: int) -> None:
    for labels, some in ((5, 8000), (20, 8000), (100, 4000), (1000, 2000)):
        many, two = folder / "many.svm", folder / "two.svm"
        classes(many, some, labels)
        classes(two, some, labels, only=True)
        print(f"{labels:,} labels, {some:,} rows: processor time, and memory beyond that of two labels")
        runs = {"auto, two labels": (two, "auto"), "auto": (many, "auto"), "arow": (many, "arow")}
        seconds, size = dict.fromkeys(runs, float("inf")), dict.fromkeys(runs, 0.0)
        for _ in range(rounds):
            for name, (path, learner) in runs.items():
                told = timed([sys.executable, "-c", _LEARN, str(path), learner], folder).out.split()
                seconds[name], size[name] = min(seconds[name], float(told[0])), float(told[1])
        for name in ("auto", "arow"):
            each, more = 1e6 * seconds[name] / some / labels, (size[name] - size["auto, two labels"]) / labels
            print(f"  {name:6} {each:7.2f} µs a row and label, {more:9.0f} kB a label")
        ratio = seconds["auto"] / (labels * seconds["auto, two labels"])
        print(f"  time of auto over that of {labels:,} autos of two labels: {ratio:.2f}")


def compare(path: Path, commands: dict[str, list[str]], rounds: int) -> dict[str, Best]:
    best = {name: Best() for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            best[name].take(timed(command, path.parent))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=130_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--labels", action="store_true", help="what many labels cost, without Vowpal Wabbit")
    options = parser.parse_args()
    if options.labels:
        with tempfile.TemporaryDirectory() as scratch:
            labels_cost(Path(scratch), options.rounds)
        return
    if not importlib.util.find_spec("vowpalwabbit"):
        print("left out: vowpalwabbit is not installed here (`make bench` installs it)")
        return
    vw = [sys.executable, "-m", "vowpalwabbit", "--quiet"]
    ours = [sys.executable, "-m", "mistakebound", "learn"]
    with tempfile.TemporaryDirectory() as scratch:
        for name, make, rows, peer, target in (
            ("flags", flags, options.rows, ["-q", "::"], FLAGS_TARGET),
            ("text", text, options.rows // 10, [], TEXT_TARGET),
        ):
            path = Path(scratch, f"{name}.vw")
            make(path, rows)
            called = f"VW {' '.join(peer)}".strip()
            commands = {
                called: [*vw, *peer, "-d", str(path)],
                "arow": [*ours, str(path), "--learner", "arow"],
                "auto": [*ours, str(path), "--learner", "auto"],
            }
            best = compare(path, commands, options.rounds)
            print(f"{name}: {rows:,} rows")
            for who, times in best.items():
                print(
                    f"  {who:10} {times.wall:7.2f} s wall, {times.processor:7.2f} s processor, "
                    f"{1e6 * times.wall / rows:7.2f} µs a row"
                )
            ratio = best["auto"].wall / best[called].wall
            print(verdict(f"{name}: wall time of auto, times {called}", target, ratio, at_most=True))


if __name__ == "__main__":
    main()
