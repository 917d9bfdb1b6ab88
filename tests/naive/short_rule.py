"""Rules grown the plain way: rows are sets of names, everything is counted again for each rule."""

from __future__ import annotations

from collections.abc import Sequence

Row = tuple[frozenset[str], bool]  # the names that are on, whether the model says yes
Form = tuple[tuple[str, ...], int, tuple[str, ...], bool]  # names, how many of them, none of these, says yes


def says_yes(form: Form, on: frozenset[str]) -> bool:
    names, least, unless, positive = form
    return (len(on.intersection(names)) >= least and not on.intersection(unless)) == positive


def agreement(form: Form, rows: Sequence[Row]) -> int:
    return sum(says_yes(form, on) == yes for on, yes in rows)


def grown(pool: Sequence[tuple[str, float]], rows: Sequence[Row], positive: bool, least: int, terms: int) -> list[Form]:
    found: list[Form] = []
    names: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    while len(names) + len(unless) < terms:
        longer: list[Form] = []
        for name, weight in pool:
            if name in names + unless:
                continue
            if (weight > 0) == positive:
                longer.append(((*names, name), min(least, len(names) + 1), unless, positive))
            elif len(names) >= least:
                longer.append((names, least, (*unless, name), positive))
        if not longer:
            break
        best = max(longer, key=lambda form: agreement(form, rows))  # of equal ones the first
        if len(names) >= least and agreement(best, rows) <= agreement(found[-1], rows):
            break
        names, unless = best[0], best[2]
        found.append(best)
    return found


def best_rule(pool: Sequence[tuple[str, float]], rows: Sequence[Row], terms: int) -> Form:
    yes = sum(yes for _, yes in rows)
    fewer = min(yes, len(rows) - yes)
    found: list[Form] = [((), 0, (), 2 * yes >= len(rows))]
    for positive in (True, False):
        for least in (1, 2, 3, 4):
            found += grown(pool, rows, positive, least, terms)

    def cost(form: Form) -> tuple[float, int]:
        size = len(form[0]) + len(form[2])
        return len(rows) - agreement(form, rows) + 0.01 * fewer * size, size

    return min(found, key=cost)
