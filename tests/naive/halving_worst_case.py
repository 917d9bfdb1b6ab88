"""The worst case of halving by searching all of its states, by the definition."""

from __future__ import annotations


def halving_worst_case(rows, tie=0, prune="always"):
    """A state: what halving has kept, and the concepts that fit all the labels so far."""
    start = frozenset(rows)
    if not start:
        return -1
    return _most(start, start, tie, prune, {})


def _most(kept, fitting, tie, prune, known):
    if (kept, fitting) not in known:
        best = 0
        for j in range(len(next(iter(kept)))):
            ones = frozenset(f for f in kept if f[j])
            zeros = kept - ones
            prediction = int(len(ones) > len(zeros) or (tie == 1 and len(ones) == len(zeros)))
            for label in (0, 1):
                fit = frozenset(f for f in fitting if f[j] == label)
                mistake = prediction != label
                then = (ones if label else zeros) if mistake or prune == "always" else kept
                if fit and (mistake or (then, fit) != (kept, fitting)):
                    best = max(best, mistake + _most(then, fit, tie, prune, known))
        known[kept, fitting] = best
    return known[kept, fitting]
