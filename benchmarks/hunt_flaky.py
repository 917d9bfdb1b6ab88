"""Runs of a hunt whose command is flaky, beside the least that information theory allows.

    python benchmarks/hunt_flaky.py [--hunts 200] [--seed TEXT]

One of n flags is the culprit; sets with it fail at one rate, sets without it at another; neither rate is told.  The
limit is that of any search of the stated error, with both rates told (Burnashev 1976): log2 n / C runs to find it, C
being the channel's capacity, and ln(1 / error) / D to be sure, D the divergence of the two rates.  Every hunt has a
seed of its own; another --seed gives other hunts.
"""

from __future__ import annotations

import argparse
import random
from math import log, log2

import mistakebound as mb
from mistakebound.theory.noisy_search import capacity

CONFIDENCE = 0.99
CASES = ((100, 0.3, 0.02), (100, 0.5, 0.0), (100, 0.9, 0.1), (1000, 0.5, 0.02))


def limit(n: int, bad: float, good: float) -> float:
    good = max(good, 1e-4)
    divergence = bad * log(bad / good) + (1 - bad) * log((1 - bad) / (1 - good))
    return log2(n) / capacity(good, bad) + log(1 / (1 - CONFIDENCE)) / divergence


def hunted(n: int, bad: float, good: float, seed: str) -> tuple[int, bool]:
    """The runs of one hunt, and whether its result was wrong."""
    draw = random.Random(seed)
    flags = [f"f{number}" for number in range(n)]
    culprit = draw.choice(flags)
    found = mb.hunt(lambda on: draw.random() < (bad if culprit in on else good), flags, confidence=CONFIDENCE)
    return found.runs, found.culprits != (culprit,)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hunts", type=int, default=200)
    parser.add_argument("--seed", default="benchmark")
    options = parser.parse_args()
    print(f"{options.hunts} hunts of each row at confidence {CONFIDENCE}, seed {options.seed!r}")
    print("flags  bad rate  good rate   mean runs   max   wrong   least allowed   mean / least")
    for n, bad, good in CASES:
        hunts = [hunted(n, bad, good, f"{options.seed} {number}") for number in range(options.hunts)]
        mean, most = sum(runs for runs, _ in hunts) / len(hunts), max(runs for runs, _ in hunts)
        wrong, least = sum(is_wrong for _, is_wrong in hunts), limit(n, bad, good)
        print(
            f"{n:5}  {bad:8}  {good:9}   {mean:9.1f}   {most:3}   {wrong:5}   {least:13.1f}   {mean / least:12.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
