"""EM for the means of Gaussians, point by point, as Mitchell (1997, section 6.12) has it."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, fsum, log, pi


def naive_responsibilities(
    points: Sequence[Sequence[float]], means: Sequence[Sequence[float]], variance: float
) -> list[list[float]]:
    found = []
    for x in points:
        logs = [-fsum((a - b) ** 2 for a, b in zip(x, mean, strict=True)) / (2 * variance) for mean in means]
        top = max(logs)
        parts = [exp(value - top) for value in logs]
        found.append([part / fsum(parts) for part in parts])
    return found


def naive_log_likelihood(points: Sequence[Sequence[float]], means: Sequence[Sequence[float]], variance: float) -> float:
    terms = []
    for x in points:
        logs = [
            -fsum((a - b) ** 2 for a, b in zip(x, mean, strict=True)) / (2 * variance)
            - len(x) / 2 * log(2 * pi * variance)
            - log(len(means))
            for mean in means
        ]
        top = max(logs)
        terms.append(top + log(fsum(exp(value - top) for value in logs)))
    return fsum(terms)


def naive_step(
    points: Sequence[Sequence[float]], means: Sequence[Sequence[float]], variance: float
) -> list[list[float]]:
    """The next means; one that has no responsibility stays."""
    shares = naive_responsibilities(points, means, variance)
    moved = []
    for m, mean in enumerate(means):
        weight = fsum(share[m] for share in shares)
        if weight == 0:
            moved.append(list(mean))
            continue
        moved.append(
            [fsum(share[m] * x[j] for share, x in zip(shares, points, strict=True)) / weight for j in range(len(mean))]
        )
    return moved
