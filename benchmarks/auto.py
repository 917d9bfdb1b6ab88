"""The time of `auto` beside Vowpal Wabbit: rows like those of a9a (14 of 123 flags on), and wide text.

Whole processes on one stream each, taken in turns; the best of --rounds counts.  Targets: at most 4 times VW `-q ::` on
the flags, at most 1.6 times where its members with full covariance sleep (here from the start), at most 2 times VW's
default on text, where pairs are off; and at most 3 µs a row for AROW with full covariance, where most rows change it.
With --labels it prints instead what labels cost: `auto` of many labels beside so many `auto`s of two labels, and beside
one-vs-all over AROW.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
import tempfile
from pathlib import Path

from _processes import Best, timed, verdict

FLAGS_TARGET, ASLEEP_TARGET, TEXT_TARGET, FULL_TARGET = 4.0, 1.6, 2.0, 3.0


def flags(path: Path, rows: int, noise: float = 0.0) -> None:
    """14 of 123 flags on; `noise` is the part of labels that are drawn."""
    draw = random.Random(0)
    with open(path, "w") as file:
        for _ in range(rows):
            on = sorted(draw.sample(range(1, 124), 14))
            label = 1 if (5 in on) + (17 in on) * (60 not in on) + draw.random() * 0.6 > 0.8 else -1
            if noise and draw.random() < noise:
                label = draw.choice((-1, 1))
            file.write(f"{label} | {' '.join(map(str, on))}\n")


def text(path: Path, rows: int) -> None:
    """Words by Zipf's law out of 50,000, 80 a row."""
    draw = random.Random(1)
    with open(path, "w") as file:
        for _ in range(rows):
            words = sorted({int(50_000 ** draw.random()) for _ in range(80)})
            label = 1 if sum(word % 7 == 3 for word in words) > len(words) / 7 else -1
            file.write(f"{label} | {' '.join(f'w{word}' for word in words)}\n")


# `auto` whose members with full covariance sleep from the start.
_ASLEEP = """
import runpy, sys
from mistakebound.kernels import _auto_fields as fields
from mistakebound.learners.auto._lane import Lane
made = Lane.__init__
def asleep(lane):
    made(lane)
    lane.engine.send_to_sleep(fields.FULL_BITS, fields.LOST)
Lane.__init__ = asleep
sys.argv[:] = ["mistakebound", "learn", sys.argv[1], "--learner", "auto"]
runpy.run_module("mistakebound", run_name="__main__")
"""

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


def full_cost(folder: Path, rows: int, rounds: int) -> None:
    """Processor time of a row for AROW with full covariance, over that of a process with AROW alone."""
    path = folder / "noisy.vw"
    flags(path, rows, noise=0.3)
    words = [sys.executable, "-m", "mistakebound", "learn", str(path), "--learner", "arow", "--threads", "1"]
    best = compare(path, {"arow": words, "full": [*words, "--set", "covariance=full"]}, rounds)
    each = 1e6 * (best["full"].processor - best["arow"].processor) / rows
    print(verdict("AROW with full covariance, 123 flags: µs a row beyond AROW", FULL_TARGET, each, at_most=True))


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
        for name, make, rows, peer, targets in (
            ("flags", flags, options.rows, ["-q", "::"], {"auto": FLAGS_TARGET, "auto, no full": ASLEEP_TARGET}),
            ("text", text, options.rows // 10, [], {"auto": TEXT_TARGET}),
        ):
            path = Path(scratch, f"{name}.vw")
            make(path, rows)
            called = f"VW {' '.join(peer)}".strip()
            commands = {
                called: [*vw, *peer, "-d", str(path)],
                "arow": [*ours, str(path), "--learner", "arow"],
                "auto": [*ours, str(path), "--learner", "auto"],
            }
            if "auto, no full" in targets:
                commands["auto, no full"] = [sys.executable, "-c", _ASLEEP, str(path)]
            best = compare(path, commands, options.rounds)
            print(f"{name}: {rows:,} rows")
            for who, times in best.items():
                print(
                    f"  {who:13} {times.wall:7.2f} s wall, {times.processor:7.2f} s processor, "
                    f"{1e6 * times.wall / rows:7.2f} µs a row"
                )
            for who, target in targets.items():
                ratio = best[who].wall / best[called].wall
                print(verdict(f"{name}: wall time of {who}, times {called}", target, ratio, at_most=True))
                print(f"  {best[who].processor / best[called].processor:.2f} times its processor time")
        full_cost(Path(scratch), options.rows // 4, options.rounds)


if __name__ == "__main__":
    main()
