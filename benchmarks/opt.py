"""opt(C): the ratio to a textbook recursion in the same run, and the seconds for classes that it could not do.

The textbook recursion is the definition with a memory: K(S) = max over instances of 1 + min(K(S0), K(S1)), S0 and S1
being what the labels 0 and 1 leave of S. Times are the best of several; each class is made before the clock starts.
"""

from __future__ import annotations

import random
import sys
from itertools import combinations, product
from time import perf_counter

from mistakebound.concepts import (
    Conjunctions,
    DecisionLists,
    FiniteClass,
    LinearThresholds,
    MonotoneDisjunctions,
    Thresholds,
)
from mistakebound.theory.littlestone import opt


def textbook(rows: list[tuple[int, ...]]) -> int:
    known: dict[frozenset[tuple[int, ...]], int] = {}

    def k(concepts: frozenset[tuple[int, ...]]) -> int:
        if concepts not in known:
            best = 0
            for j in range(len(rows[0])):
                ones = frozenset(f for f in concepts if f[j])
                zeros = concepts - ones
                if ones and zeros:
                    best = max(best, 1 + min(k(ones), k(zeros)))
            known[concepts] = best
        return known[concepts]

    return k(frozenset(rows))


def best_of(times: int, work: object) -> tuple[float, int]:
    seconds, value = [], 0
    for _ in range(times):
        start = perf_counter()
        value = work()  # type: ignore[operator]
        seconds.append(perf_counter() - start)
    return min(seconds), value


def exactly_two(n: int) -> FiniteClass:
    points = [tuple(int(i in on) for i in range(n)) for size in range(3) for on in combinations(range(n), size)]
    return MonotoneDisjunctions(n, 2, exactly=True).finite(points)


def random_matrix(size: int) -> FiniteClass:
    draw = random.Random(1)
    return FiniteClass([[draw.getrandbits(1) for _ in range(size)] for _ in range(size)])


def main() -> None:
    print(f"{'class':<40}{'textbook':>12}{'ours':>12}{'ratio':>10}  opt")
    for name, finite in (
        ("thresholds over 127 points", Thresholds(127).finite()),
        ("all functions on 8 points", FiniteClass(product((0, 1), repeat=8))),
        ("C_2, n = 5", MonotoneDisjunctions(5, 2).finite()),
    ):
        rows = [finite.labels(c) for c in range(finite.size)]
        slow, expected = best_of(1 if "127" in name else 3, lambda rows=rows: textbook(rows))
        fast, value = best_of(20, lambda finite=finite: opt(finite).value)
        assert value == expected
        print(f"{name:<40}{slow:>10.3f} s{1000 * fast:>9.3f} ms{slow / fast:>10,.0f}  {value}")
    print(f"\n{'class':<40}{'size':>18}{'seconds':>9}{'tree':>9}  opt")
    for name, finite in (
        ("thresholds over 4,095 points", Thresholds(4095).finite()),
        ("random matrix", random_matrix(1000)),
        ("conjunctions n = 10", Conjunctions(10).finite()),
        ("exactly-2 disjunctions n = 64, weight <= 2", exactly_two(64)),
        ("1-decision lists n = 5", DecisionLists(5).finite()),
        ("all linear thresholds n = 5", LinearThresholds(5).finite()),
    ):
        start = perf_counter()
        found = opt(finite)
        seconds = perf_counter() - start
        start = perf_counter()
        if not found.verify():
            sys.exit(f"{name}: the mistake tree does not verify")
        size = f"{finite.size:,} x {len(finite.instances):,}"
        print(f"{name:<42}{size:>16}{seconds:>9.2f}{perf_counter() - start:>9.2f}  {found}")


if __name__ == "__main__":
    main()
