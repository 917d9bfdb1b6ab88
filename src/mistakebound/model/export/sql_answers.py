"""Scores as labels and probabilities in SQL."""

from __future__ import annotations

from mistakebound.model.export.sql_cells import SqlCells, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.model.export.form import Curve

Steps = list[tuple[str, list[str]]]  # tables of the query: name, columns over the table before
Parts = tuple[SqlCells, Steps, str, list[str]]  # cells, steps, the label, the probability of each label (or none)
_MOST_ARGUMENTS = 100  # of a function of SQLite


def pair(curves: tuple[Curve, ...] | None) -> list[str]:
    if curves is None:
        return []
    share = curve_of(curves[0], "s0")
    return [f"1.0 - {share}", share]


def curve_of(curve: Curve, score: str) -> str:
    """The probability of a score: linear between the middles of 33 cells."""
    if not curve.mean > 0:
        return number(curve.cells[16])
    far = f"({score} - {number(curve.theta)})"
    place = f"(16.0 + 16.0 * ({far} / ({number(curve.mean)} + ABS({far}))))"
    cells = curve.cells
    each = " ".join(
        f"WHEN {cell} THEN {number(cells[cell])} + ({place} - {cell}) * {number(cells[cell + 1] - cells[cell])}"
        for cell in range(32)
    )
    return f"(CASE CAST({place} AS INTEGER) {each} ELSE {number(cells[32])} END)"


def largest(names: list[str]) -> str:
    while len(names) > 1:
        names = [
            f"MAX({', '.join(names[k : k + _MOST_ARGUMENTS])})" if len(names[k : k + _MOST_ARGUMENTS]) > 1 else names[k]
            for k in range(0, len(names), _MOST_ARGUMENTS)
        ]
    return names[0]
