"""Whether linear equations have a solution without negative numbers, in fractions, with the proof of either answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def solve_or_refute(
    columns: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
) -> tuple[list[Fraction] | None, list[Fraction] | None]:
    """(x, None) with x >= 0 and sum of x_j * columns[j] = right; or (None, y), y . column <= 0 for all, y . right > 0.

    Exactly one of the two exists (Farkas 1902).  The simplex method with Bland's rule, which always ends: the sum of
    one artificial unknown an equation is made as small as it can be.

    >>> solve_or_refute([[Fraction(1)], [Fraction(-2)]], [Fraction(3)])
    ([Fraction(3, 1), Fraction(0, 1)], None)
    >>> solve_or_refute([[Fraction(1)]], [Fraction(-3)])
    (None, [Fraction(-1, 1)])
    """
    signs = [-1 if b < 0 else 1 for b in right]
    height, width = len(right), len(columns)
    table = [
        [sign * column[i] for column in columns] + [Fraction(int(i == k)) for k in range(height)] + [sign * right[i]]
        for i, sign in enumerate(signs)
    ]
    basis = list(range(width, width + height))
    while True:
        artificial = [i for i, j in enumerate(basis) if j >= width]
        entering = next((j for j in range(width) if sum((table[i][j] for i in artificial), Fraction(0)) > 0), None)
        if entering is None:
            break
        _, _, leaving = min(
            (table[i][-1] / table[i][entering], basis[i], i) for i in range(height) if table[i][entering] > 0
        )
        _pivot(table, leaving, entering)
        basis[leaving] = entering
    if any(table[i][-1] for i in artificial):
        return None, [signs[k] * sum((table[i][width + k] for i in artificial), Fraction(0)) for k in range(height)]
    solution = [Fraction(0)] * width
    for i, j in enumerate(basis):
        if j < width:
            solution[j] = table[i][-1]
    return solution, None


def _pivot(table: list[list[Fraction]], row: int, column: int) -> None:
    lead = table[row][column]
    table[row] = [entry / lead for entry in table[row]]
    for i, line in enumerate(table):
        if i != row and line[column]:
            factor = line[column]
            table[i] = [a - factor * b if b else a for a, b in zip(line, table[row], strict=True)]
