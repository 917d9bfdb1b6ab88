"""`learn --cross 2` against Vowpal Wabbit's `-q ::`: whole processes, from text to model, on the same rows.

Taken in turns, the best of --rounds counts; rows and mistakes are checked in every round.  n is not declared.  Vowpal
Wabbit gets bits enough for all pairs and its shortest text.  Both see every attribute and every pair of attributes of a
row.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import re
import sys
import tempfile
from pathlib import Path

from _processes import Best, Finished, timed, verdict
from _streams import as_vw

TARGET = 3.0
LEARNERS = ("winnow2", "perceptron")
ATTRIBUTES, SEED = 1_000, 1
ROWS = {30: 50_000, 60: 20_000}  # by attributes that are on in a row: 23 and 37 million conjunctions
TERMS = ((1, 2), (3, 4), (5, 6), (7, 8))  # the target: a 2-DNF of attributes that are on more often than others
OFTEN = 0.25


def stream(folder: Path, rows: int, active: int) -> Path:
    path = folder / f"cross-{rows}-{active}.svm"
    if path.exists():
        return path
    draw = random.Random(SEED)
    often = [j for term in TERMS for j in term]
    with open(path, "w", encoding="ascii") as file:
        for _ in range(rows):
            on = {j for j in often if draw.random() < OFTEN}
            on |= {*draw.sample(range(len(often) + 1, ATTRIBUTES + 1), active - len(on))}
            label = "+1" if any(on.issuperset(term) for term in TERMS) else "-1"
            file.write(f"{label} {' '.join(f'{j}:1' for j in sorted(on))}\n")
    return path


def ours(file: Path, learner: str, threads: int) -> list[str]:
    return [
        sys.executable, "-m", "mistakebound", "learn", str(file), "--learner", learner, "--cross", "2", "--model",
        str(file.with_suffix(f".{learner}.mb")), "--threads", str(threads), "--quiet", "--json",
    ]  # fmt: skip


def vw(file: Path) -> list[str]:
    return [
        sys.executable, "-m", "vowpalwabbit", "-d", str(as_vw(file)), "-q", "::", "-b", "20", "--binary",
        "--loss_function", "hinge", "-f", str(file.with_suffix(".vwmodel")),
    ]  # fmt: skip


def check_ours(run: Finished, rows: int, known: dict[str, int], who: str) -> None:
    said = json.loads(run.out)
    if said["trials"] != rows or known.setdefault(who, said["mistakes"]) != said["mistakes"]:
        sys.exit(f"{who}: {said['trials']} rows, {said['mistakes']} mistakes; wanted {rows} and {known[who]}")


def check_vw(run: Finished, rows: int) -> float:
    said = run.err + run.out
    found = re.search(r"number of examples\s*=\s*(\d+)", said)
    if found is None or int(found.group(1)) != rows:
        sys.exit(f"Vowpal Wabbit learned {found and found.group(1)} rows, wanted {rows}")
    loss = re.search(r"average loss\s*=\s*([\d.]+)", said)
    return float(loss.group(1)) if loss else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--rows", type=int, help="of every stream (default: 50,000 with 30 attributes on, 20,000 with 60)"
    )
    parser.add_argument("--dir", type=Path, help="keep the files here and use those that are there")
    options = parser.parse_args()
    if not importlib.util.find_spec("vowpalwabbit"):
        sys.exit("vowpalwabbit is not installed here (`make bench` installs it)")
    best: dict[tuple[int, str, str], Best] = {}
    mistakes: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.dir or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        cases = []
        rows = {active: options.rows or many for active, many in ROWS.items()}
        for active, many in rows.items():
            file = stream(folder, many, active)
            for cores, threads in (("two", 2), ("one", 1)):
                cases += [(active, learner, cores, ours(file, learner, threads)) for learner in LEARNERS]
                cases.append((active, "vw", cores, vw(file)))
        for number in range(options.rounds + 1):  # the first is for disk caches and bytecode
            for active, who, cores, command in cases:
                done = timed(command, folder, pinned=cores == "one")
                if who == "vw":
                    loss = check_vw(done, rows[active])
                    mistakes[f"vw with {active} active"] = round(loss * rows[active])
                else:
                    check_ours(done, rows[active], mistakes, f"{who} with {active} active")
                if number:
                    best.setdefault((active, who, cores), Best()).take(done)
    print(f"{'active':>6} {'who':12} {'cores':5} {'wall s':>8} {'cpu s':>8} {'times vw':>9}")
    for (active, who, cores), found in best.items():
        ratio = f"{best[active, 'vw', cores].wall / found.wall:9.2f}" if who != "vw" else ""
        print(f"{active:6} {who:12} {cores:5} {found.wall:8.3f} {found.processor:8.3f} {ratio}".rstrip())
    print()
    for who, count in mistakes.items():
        print(f"{who}: {count:,} mistakes in every round")
    print()
    for (active, who, cores), found in best.items():
        if who != "vw":
            what = f"--cross 2, {active} active, {who}, {cores} core{'s' * (cores == 'two')}, against vw -q ::"
            print(verdict(what, TARGET, best[active, "vw", cores].wall / found.wall))


if __name__ == "__main__":
    main()
