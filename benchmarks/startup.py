"""Start-up: `mistakebound learn` on a file of one row, and on a short CSV, against `python -m vowpalwabbit` on one row.

Wall time of whole processes, best of --rounds, taken in turns so that a busy moment hits every command alike.
Target: at most 1.5 times Vowpal Wabbit's.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _processes import verdict

TARGET = 1.5


def commands(folder: Path) -> dict[str, list[str]]:
    (folder / "one-row.svm").write_text("1 3:1 7:1\n")
    (folder / "one-row.vw").write_text("1 | 3:1 7:1\n")
    (folder / "short.csv").write_text("sky,degrees,play\nsunny,21.5,yes\nrainy,9,no\n")
    script = Path(sys.executable).with_name("mistakebound")
    ours = [str(script)] if script.exists() else [sys.executable, "-m", "mistakebound"]
    found = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "mistakebound learn": [*ours, "learn", "one-row.svm"],
        "mistakebound learn, CSV": [*ours, "learn", "short.csv"],
    }
    if importlib.util.find_spec("vowpalwabbit"):
        found["python -m vowpalwabbit"] = [sys.executable, "-m", "vowpalwabbit", "-d", "one-row.vw"]
    return found


def seconds(command: list[str], folder: Path) -> float:
    # With bytecode files for everybody: without them the peer, which imports more, looks slower than it is.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    elapsed = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return elapsed


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    rounds: int = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = commands(folder)
        for command in runs.values():  # bytecode and disk caches
            seconds(command, folder)
        taken: dict[str, list[float]] = {label: [] for label in runs}
        for _ in range(rounds):
            for label, command in runs.items():
                taken[label].append(seconds(command, folder))
    for label, times in taken.items():
        print(f"{label:<24}{1e3 * min(times):8.1f} ms")
    if "python -m vowpalwabbit" in taken:
        peer = min(taken["python -m vowpalwabbit"])
        for label, what in (("mistakebound learn", "learn"), ("mistakebound learn, CSV", "learn on a short CSV")):
            print(verdict(f"start-up of {what}, times Vowpal Wabbit's", TARGET, min(taken[label]) / peer, at_most=True))
    else:
        print("Vowpal Wabbit is left out: it is not installed here (`make bench` installs it)")


if __name__ == "__main__":
    main()
