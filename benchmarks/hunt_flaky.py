"""Runs and wrong claims of hunts whose command is flaky, beside the least that information theory allows.

    python benchmarks/hunt_flaky.py [--hunts 200] [--seed TEXT] [--worlds TEXT]

Some of n flags are culprits: any of them suffices, or it takes all; bad sets fail at one rate, others at another;
neither rate is told.  The limit is that of a search which has to prove its rates too: log2 n / C runs to find one
culprit, C being the channel's capacity, and ln(1 / error) / C (in nats) to prove its pair of sets; for several culprits
none is known.  "told" is the limit if both rates are told (Burnashev 1976).  A claim is wrong if it is printed as
proved and names other culprits, or another kind.  Every hunt has a seed of its own; another --seed gives other hunts;
--worlds 'any 1' leaves only rows with this in their name.
"""

from __future__ import annotations

import argparse
import random
from math import log, log2

import mistakebound as mb
from mistakebound.core.errors import CannotTell, FailsWithoutFlags, NothingToHunt
from mistakebound.theory.noisy_search import capacity

CONFIDENCE = 0.99
WORLDS = (
    (100, "any", 1, 0.3, 0.02), (100, "any", 1, 0.5, 0.0), (100, "any", 1, 0.9, 0.1), (30, "all", 2, 0.3, 0.02),
    (30, "all", 3, 0.3, 0.02), (20, "any", 5, 0.3, 0.02), (10, "any", 10, 0.3, 0.02), (10, "all", 10, 0.3, 0.02),
    (20, "none", 0, 0.3, 0.3),
)  # fmt: skip


def limits(n: int, bad: float, good: float) -> tuple[float, float]:
    """Runs at least for one culprit, with both rates unknown and with both told."""
    good, sure = max(good, 1e-4), log(1 / (1 - CONFIDENCE))
    divergence = bad * log(bad / good) + (1 - bad) * log((1 - bad) / (1 - good))
    channel = capacity(good, bad)
    search = log2(n) / channel
    return search + sure / (channel * log(2)), search + sure / divergence


def hunted(n: int, kind: str, k: int, bad: float, good: float, seed: str) -> tuple[int, str]:
    """The runs of one hunt, and what came of it: right, wrong, or no claim."""
    draw = random.Random(seed)
    flags = [f"f{number}" for number in range(n)]
    culprits = set(draw.sample(flags, k))
    runs = 0

    def fails(on: frozenset[str]) -> bool:
        nonlocal runs
        runs += 1
        is_bad = bool(culprits & on) if kind == "any" else bool(culprits) and culprits <= on
        return draw.random() < (bad if is_bad else good)

    try:
        found = mb.hunt(fails, flags, confidence=CONFIDENCE)
    except (CannotTell, FailsWithoutFlags, NothingToHunt):
        return runs, "no claim"
    if found.verdict.kind == "unverified":
        return runs, "no claim"
    return runs, "right" if set(found.culprits) == culprits and (k == 1 or found.kind == kind) else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hunts", type=int, default=200)
    parser.add_argument("--seed", default="benchmark")
    parser.add_argument("--worlds", default="")
    options = parser.parse_args()
    print(f"{options.hunts} hunts of each row at confidence {CONFIDENCE}, seed {options.seed!r}")
    print("flags  culprits  bad rate  good rate   mean runs    max   wrong  no claim   limit   told")
    for n, kind, k, bad, good in WORLDS:
        if options.worlds not in f"{kind} {k}":
            continue
        hunts = [
            hunted(n, kind, k, bad, good, f"{options.seed} {n} {kind} {number}") for number in range(options.hunts)
        ]
        mean, most = sum(runs for runs, _ in hunts) / len(hunts), max(runs for runs, _ in hunts)
        wrong, none = (sum(came == what for _, came in hunts) for what in ("wrong", "no claim"))
        least, told = limits(n, bad, good) if k == 1 else (0.0, 0.0)
        said = f"{least:7.1f} {told:6.1f}" if k == 1 else ""
        row = f"{n:5}  {kind:>4} {k:3}  {bad:8}  {good:9}   {mean:9.1f}  {most:5}   {wrong:5}  {none:8} {said}"
        print(row, flush=True)


if __name__ == "__main__":
    main()
