"""The largest class of each kind whose opt(C) is known exactly within 60 seconds, by this tree and by another commit.

    python benchmarks/opt_reach.py [--before COMMIT] [--only KIND] [--seconds 60]

Every class is a process of its own with a limit on its processor time, so that other work on the machine does not
count; to make the class counts.  `--before` takes the source of a commit of this repository and runs it beside the
present one.  The result is the table of docs/exact_theory.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHILD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]), int(sys.argv[2])))
import mistakebound as mb
found = mb.opt(sys.argv[1])
assert found.exact
print(found.value)
"""
# The text of a class with {n} in it, and the sizes that are tried one after the other until one is not solved.
NUMBERS = list(range(2, 41))
POINTS = [2**j - 1 for j in range(3, 16)]
KINDS = {
    "monotone-disjunctions n={n} k=1": [2, 4, 8, 12, 16, 20, 24, 32, 64, 128, 256, 1024],
    "monotone-disjunctions n={n} k=2": [
        4,
        6,
        8,
        9,
        10,
        11,
        12,
        13,
        14,
        15,
        16,
        17,
        18,
        19,
        20,
        24,
        28,
        32,
        40,
        48,
        64,
        80,
        100,
        128,
    ],
    "monotone-disjunctions n={n} k=3": [4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 24, 28, 32, 40, 48],
    "monotone-disjunctions n={n}": [4, 6, 8, 10, 12, 13, 14, 16, 20, 64, 1000],
    "conjunctions n={n}": [3, 5, 7, 8, 9, 10, 11, 12, 20, 64, 1000],
    "decision-lists n={n}": NUMBERS,
    "linear-thresholds n={n}": NUMBERS,
    "r-of-k n={n} r=2 k=3": NUMBERS[2:],
    "dnf n={n} terms=2 literals=2": NUMBERS[2:],
    "parities n={n}": [4, 6, 8, 10, 12, 13, 14, 15, 16, 20, 64, 1000],
    "all-functions n={n}": NUMBERS,
    "juntas n={n} k=2": NUMBERS[1:],
    "decision-trees n={n} depth=2": NUMBERS[1:],
    "thresholds m={n}": POINTS,
    "intervals m={n}": POINTS,
    "singletons m={n} empty": POINTS,
}


def solved(source: Path, text: str, seconds: int) -> str | None:
    """opt of the class, or None where the time was not enough or the class is too large."""
    environment = os.environ | {"PYTHONPATH": str(source), "MISTAKEBOUND_KERNELS": "source"}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, text, str(seconds)], env=environment, cwd=source, capture_output=True, text=True
    )
    return done.stdout.strip() if done.returncode == 0 else None


def reach(source: Path, kind: str, sizes: list[int], seconds: int) -> str:
    """The largest size before the first that is not solved, with its opt."""
    best = "none"
    for n in sizes:
        value = solved(source, kind.format(n=n), seconds)
        if value is None:
            return best
        best = f"{n:,} ({value})"
    return f"{best}, the largest tried"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", metavar="COMMIT", help="commit to compare with")
    parser.add_argument("--only", action="append", metavar="KIND", help="kinds of classes that begin so")
    parser.add_argument("--seconds", type=int, default=60, help="processor seconds for each class (default: 60)")
    options = parser.parse_args()
    kinds = {k: sizes for k, sizes in KINDS.items() if not options.only or k.startswith(tuple(options.only))}
    with tempfile.TemporaryDirectory() as folder:
        sources = {"now": ROOT / "src"}
        if options.before:
            archive = subprocess.run(
                ["git", "archive", options.before, "src"], cwd=ROOT, check=True, capture_output=True
            ).stdout
            subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
            sources = {f"before ({options.before})": Path(folder) / "src", **sources}
        print(f"| class | {' | '.join(sources)} |")
        print("|---" * (len(sources) + 1) + "|")
        for kind, sizes in kinds.items():
            found = [reach(source, kind, sizes, options.seconds) for source in sources.values()]
            print(f"| `{kind.format(n='N')}` | {' | '.join(found)} |", flush=True)


if __name__ == "__main__":
    main()
