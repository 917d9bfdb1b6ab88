"""The threshold that would have been best so far, by trying every edge of the cells on every row again."""

from __future__ import annotations

EDGES = [2.0 ** (k // 8 - 24) * (1 + k % 8 / 8) for k in range(384)]
CUTS = [float("-inf"), *(-edge for edge in reversed(EDGES)), 0.0, *EDGES, float("inf")]  # a margin above says yes
CUTS = [CUTS[0], *CUTS[1:]]
OWN = CUTS.index(0.0)


def value(aim: str, rows: list[tuple[float, int, float]], cut: float) -> float:
    """(margin, label, weight) of each row."""
    hits = sum(weight for margin, label, weight in rows if label and margin > cut)
    false = sum(weight for margin, label, weight in rows if not label and margin > cut)
    positives = sum(weight for _, label, weight in rows if label)
    if aim == "f1":  # beforehand a row of either label, as near to the learner's own threshold as can be
        hits, false, positives = hits + (cut <= 0.0), false + (cut < 0.0), positives + 1
        return 2 * hits / (hits + false + positives)
    return hits - false


def best(aim: str, rows: list[tuple[float, int, float]]) -> int:
    """The place of the best cut; of equal ones the nearest to 0, of two such the higher."""
    values = [value(aim, rows, cut) for cut in CUTS]
    return min(range(len(CUTS)), key=lambda place: (-values[place], abs(place - OWN), -place))


def progressive(aim: str, rows: list[tuple[float, int, float]], first: int) -> list[float]:
    """What the rows come to, each by the cut of those before it that was chosen last."""
    counts, place, when = [0.0] * 4, OWN, first
    for number, (margin, label, weight) in enumerate(rows, 1):
        counts[2 * label + (margin > CUTS[place])] += weight
        if number == when:
            place = best(aim, rows[:number])
            when += when // 16
    return counts
