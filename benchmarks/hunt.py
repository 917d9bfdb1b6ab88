"""Hunt: answers that it takes, as a ratio to log2 C(n, k), and runs against a plain ddmin and picire.

A simulated command, the mean of --draws random sets of culprits.  Counted are the answers of the search; the runs that
test assumptions and prove the result are in a column of their own.  ddmin and picire find one minimal failing set, and
take what they assume for granted; where any culprit suffices they are run again on what is left until it is good.  Both
with a cache; checks of picire that only repeat a run are not counted.  The last lines compare with the targets; exit
code 1 when one is missed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from statistics import fmean
from time import thread_time

from _hunt_peers import Bad, Found, ddmin, have_picire, picire
from _processes import verdict

import mistakebound as mb
from mistakebound.hunting.search import FirstSearch, Search
from mistakebound.hunting.state import Stage, Verification, bits_of
from mistakebound.theory.group_testing import CulpritPrior, culprit_prior, log2_choose

KS = (1, 2, 3, 5, 10)
KNOWN_TARGET = 1.03
UNKNOWN_TARGETS = {100: 1.25, 1000: 1.15, 10_000: 1.12}
AUTO_TARGET = 3.0
DDMIN_TARGET = 3.0
CHOICE_TARGET = 5.0  # milliseconds


def played(stage: Stage, bad: Callable[[int], bool]) -> tuple[Search, set[int]]:
    """Where the stages end, and the sets that they asked about."""
    asked = set()
    while (question := stage.question) is not None:
        asked.add(question.on)
        stage = stage.after(bad(question.on))
    return stage, asked


def ours(n: int, k: int, kind: str, draws: int) -> dict[str, float]:
    """Mean answers of the search with k known, with k unknown, and by auto; mean runs that test assumptions."""
    counts: dict[str, list[int]] = {"known": [], "unknown": [], "auto": [], "apart": []}
    draw = random.Random(f"{n} {k}")
    for number in range(draws):
        drawn = draw.sample(range(n), k)
        culprits = bits_of(drawn, n)
        any_of, all_of = (lambda on, c=culprits: on & c != 0), (lambda on, c=culprits: on & c == c)
        bad = any_of if kind == "any" else all_of
        unknown = culprit_prior(n, None)
        starts = {
            "known": Search(culprit_prior(n, k), kind),
            "unknown": Search(unknown, kind),
            "auto": FirstSearch(unknown),
        }
        for name, start in starts.items():
            stage, asked = played(start, bad)
            if bits_of(stage.found, n) != culprits:
                sys.exit(f"a wrong result: {stage.found} for {drawn}")
            counts[name].append(len(asked))
        _, proof = played(Verification(stage.kind, stage.found, n), bad)
        counts["apart"].append(2 + len(proof - asked - {0, (1 << n) - 1}))
        if number == 0:  # the whole way, once
            whole = mb.hunt(lambda on, bad=bad: bad(bits_of(map(int, on), n)), map(str, range(n)))
            if whole.runs != counts["auto"][0] + counts["apart"][0] or whole.verdict.kind != "confirmed":
                sys.exit(f"{whole!r} takes other runs than its stages")
    return {name: fmean(numbers) for name, numbers in counts.items()}


def peer(runs: Callable[[list[int], Bad], Found], n: int, k: int, kind: str, draws: int) -> float:
    counts = []
    draw = random.Random(f"{n} {k}")
    for _ in range(draws):
        culprits = set(draw.sample(range(n), k))
        bad = (lambda on, c=culprits: not c.isdisjoint(on)) if kind == "any" else culprits.issubset
        flags, found, count = list(range(n)), set(), 0
        while flags:
            failing, more = runs(flags, bad)
            found.update(failing)
            count += more
            if kind == "all":
                break
            flags = [flag for flag in flags if flag not in found]
            count += 1  # whether what is left is good
            if not bad(tuple(flags)):
                break
        if found != culprits:
            sys.exit(f"a peer found {sorted(found)} for {sorted(culprits)}")
        counts.append(count)
    return fmean(counts)


def slowest_choice(n: int) -> float:
    """Milliseconds of the processor for the next choice: the slowest of each hunt, the best of several for each."""
    best = []
    for k in (1, 3, 10, 100):
        culprits = 0
        for i in random.Random(k).sample(range(n), k):
            culprits |= 1 << i
        for kind in ("any", "all", "auto"):
            times: list[list[float]] = []
            for _ in range(3):
                prior = CulpritPrior(n)
                stage = FirstSearch(prior) if kind == "auto" else Search(prior, kind)
                spent = []
                while (question := stage.question) is not None:
                    bad = question.on & culprits == culprits if kind == "all" else bool(question.on & culprits)
                    start = thread_time()
                    stage = stage.after(bad)
                    _ = stage.question
                    spent.append(1000 * (thread_time() - start))
                times.append(spent)
            best.append(max(min(each) for each in zip(*times, strict=True)))
    return max(best)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--peer-draws", type=int, default=20, help="for n = 10,000; ten times as many for fewer")
    options = parser.parse_args()
    installed = have_picire()
    if not installed:
        print("picire is not installed: its figures are left out")
    print("answers as a ratio to the bits; auto: answers more than with the kind known; apart, ddmin, picire: runs")
    print("     n   k kind    bits   known  unknown    auto  apart    ddmin   picire")
    known, auto, fewer, in_all = [], [], [], []
    unknown: dict[int, list[float]] = {n: [] for n in UNKNOWN_TARGETS}
    for n in UNKNOWN_TARGETS:
        for k in KS:
            for kind in ("any", "all"):
                bits = log2_choose(n, k)
                mean = ours(n, k, kind, options.draws)
                draws = min(options.draws, options.peer_draws * (1 if n == 10_000 else 10))
                peers = [peer(ddmin, n, k, kind, draws)]
                if installed:
                    peers.append(peer(picire, n, k, kind, draws))
                known.append(mean["known"] / bits)
                unknown[n].append(mean["unknown"] / bits)
                auto.append(mean["auto"] - mean["unknown"])
                if kind == "all" and k >= 3:
                    fewer.append(peers[0] / mean["auto"])
                    in_all.append(peers[0] / (mean["auto"] + mean["apart"]))
                print(
                    f"{n:>6,} {k:>3} {kind:<5}{bits:>7.1f}{known[-1]:>8.3f}{unknown[n][-1]:>9.3f}{auto[-1]:>8.2f}"
                    f"{mean['apart']:>7.1f}" + "".join(f"{runs:>9.1f}" for runs in peers),
                    flush=True,
                )
    lines = [verdict("answers with k known, ratio to the bits, worst", KNOWN_TARGET, max(known), at_most=True)]
    lines += [
        verdict(f"answers with k unknown, n = {n:,}, worst", target, max(unknown[n]), at_most=True)
        for n, target in UNKNOWN_TARGETS.items()
    ]
    lines.append(verdict("answers of auto more than with the kind known, worst", AUTO_TARGET, max(auto), at_most=True))
    lines.append(verdict("runs of ddmin to answers of auto, kind all, k >= 3, worst", DDMIN_TARGET, min(fewer)))
    print(f"with our runs that test and prove counted too, which ddmin does not make: {min(in_all):.2f} at worst")
    lines.append(
        verdict(
            "milliseconds of the processor for a choice, n = 10,000, worst",
            CHOICE_TARGET,
            slowest_choice(10_000),
            at_most=True,
        )
    )
    print("\n".join(lines))
    sys.exit(any(line.endswith("MISSED") for line in lines))


if __name__ == "__main__":
    main()
