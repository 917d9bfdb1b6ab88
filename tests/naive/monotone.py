"""All monotone functions of a few flags, by their minimal failing sets, and whether answers fit a disjunction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations


def antichains(n: int) -> Iterator[tuple[int, ...]]:
    """All families of nonempty sets (bits of an integer) of which none contains another, but not the empty family."""
    sets = range(1, 1 << n)

    def grow(chosen: tuple[int, ...], start: int) -> Iterator[tuple[int, ...]]:
        if chosen:
            yield chosen
        for i in range(start, len(sets)):
            if all(sets[i] & other not in (other, sets[i]) for other in chosen):
                yield from grow((*chosen, sets[i]), i + 1)

    return grow((), 0)


def fails_with(family: Sequence[int]) -> Callable[[int], bool]:
    return lambda on: any(on & failing == failing for failing in family)


def fits(kind: str, answers: Sequence[tuple[int, bool]], n: int) -> bool:
    """Whether some set of culprits (the empty one, too) gives all these answers."""
    for size in range(n + 1):
        for chosen in combinations(range(n), size):
            culprits = sum(1 << flag for flag in chosen)
            if kind == "any":
                right = all(bool(on & culprits) == bad for on, bad in answers)
            else:
                right = all((on & culprits == culprits) == bad for on, bad in answers)
            if right:
                return True
    return False
