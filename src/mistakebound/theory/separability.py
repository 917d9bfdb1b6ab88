"""Whether a line (a plane, a hyperplane) has the examples of one class on one side and those of the other on the other.

Ma 2019, section 4: "not all functions are linearly separable and therefore not all functions can be represented by 1
perceptron".  There is one, or the convex hulls of the two classes have a point in common, never both (Farkas): so
either answer has a witness, and both kinds are checked in fractions, without rounding.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from mistakebound.core.errors import BadData
from mistakebound.core.optional import scipy_module
from mistakebound.core.table import label_codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

_LINEAR = "linear separability"  # what needs SciPy
_NOTHING = 1e-9  # a share or a margin below it is one that the solver means to be 0


class Separability:
    """The answer with its witness: `weights` (of the constant 1 first), or `shares` of the rows that meet in `point`.

    The second class is where the weighted sum is above 0, the first where it is below.  A class that is alone is on
    the positive side, but 0, -1 and False on the negative one: constants are threshold functions too.

    `shares` has a fraction for some rows: those of one class sum to 1, those of the other too, and both averages of the
    rows are `point`.
    """

    __slots__ = ("_X", "_codes", "classes", "point", "shares", "weights")

    def __init__(
        self,
        X: Floats,
        codes: npt.NDArray[Any],
        classes: tuple[Any, ...],
        weights: list[float] | None,
        shares: dict[int, Fraction] | None,
    ) -> None:
        self._X = X
        self._codes = codes
        self.classes = classes
        self.weights = weights
        self.shares = shares
        self.point: tuple[Fraction, ...] | None = None if shares is None else self._average(shares, 1)

    @property
    def separable(self) -> bool:
        return self.weights is not None

    def __bool__(self) -> bool:
        return self.separable

    def _average(self, shares: dict[int, Fraction], code: int) -> tuple[Fraction, ...]:
        own = [(share, self._X[row]) for row, share in shares.items() if self._codes[row] == code]
        return tuple(
            sum((share * Fraction(float(x[j])) for share, x in own), Fraction(0)) for j in range(self._X.shape[1])
        )

    def verify(self) -> bool:
        """Check the witness against the definition, in fractions."""
        if self.weights is not None:
            w = [Fraction(weight) for weight in self.weights]
            for x, code in zip(self._X, self._codes, strict=True):
                total = w[0] + sum((a * Fraction(float(b)) for a, b in zip(w[1:], x, strict=True)), Fraction(0))
                if total == 0 or (total > 0) != (code == 1):
                    return False
            return True
        assert self.shares is not None
        sums = [sum((s for row, s in self.shares.items() if self._codes[row] == code), Fraction(0)) for code in (0, 1)]
        good = all(share >= 0 for share in self.shares.values()) and sums == [1, 1]
        return good and self._average(self.shares, 0) == self._average(self.shares, 1)

    def __str__(self) -> str:
        if self.weights is not None and len(self.classes) < 2:
            side = f"{self.weights[0]:.4g} {'>' if self.weights[0] > 0 else '<'} 0"
            return f"{self.classes[0]!r} is everywhere: {side}" if self.classes else f"there are no rows: {side}"
        if self.weights is not None:
            terms = [f"{w:.4g}*x{j}" for j, w in enumerate(self.weights[1:], 1) if w]
            return f"{self.classes[1]!r} is where {' + '.join([f'{self.weights[0]:.4g}', *terms])} > 0"
        assert self.shares is not None
        assert self.point is not None
        sides = []
        for code in (0, 1):
            own = [(row, s) for row, s in sorted(self.shares.items()) if self._codes[row] == code]
            sides.append(" + ".join(f"{share}*{_row(self._X[row])}" for row, share in own))
        point = f"({', '.join(map(str, self.point))})"
        return f"no: {point} = {sides[0]} of class {self.classes[0]!r} = {sides[1]} of class {self.classes[1]!r}"

    def __repr__(self) -> str:
        return f"<Separability {self}>"


def linearly_separable(X: Any, y: Any) -> Separability:
    """Whether a hyperplane separates two classes strictly, with the proof of either answer.

    Parameters
    ----------
    X : sequence of sequences of numbers
        Rows of the same length, taken as doubles.
    y : sequence
        A label for each row; at most two different ones.  Rows of one class, and no rows, are separable.

    Returns
    -------
    Separability
        True or false by `bool`; `weights` of a separating hyperplane, the constant first, or `shares` of the rows whose
        averages meet in `point`; `verify()` checks either in fractions.

    Notes
    -----
    Theorem (Farkas).  Either a hyperplane separates the two classes strictly, or their convex hulls have a point in
    common, never both.

    References
    ----------
    Minsky and Papert 1969, Perceptrons.  Ma 2019, CS3244 notes, section 4.

    Examples
    --------
    >>> print(linearly_separable([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]))
    no: (1/2, 1/2) = 1/2*(0, 0) + 1/2*(1, 1) of class 0 = 1/2*(0, 1) + 1/2*(1, 0) of class 1
    >>> found = linearly_separable([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> found.separable, found.verify()
    (True, True)
    >>> print(linearly_separable([[0, 0], [0, 1]], [1, 1]))
    1 is everywhere: 1 > 0
    """
    try:
        points = np.array(X, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise BadData("X must be rows of the same number of numbers") from None
    if points.shape == (0,):  # no rows
        points = points.reshape(0, 0)
    if points.ndim != 2 or not np.isfinite(points).all():
        raise BadData("X must be rows of the same number of finite numbers")
    classes, codes = label_codes(y)
    if len(codes) != len(points):
        raise BadData(f"y must have a label for each of the {len(points)} rows of X: {len(codes)}")
    if len(classes) > 2:
        few = ", ".join([*map(repr, classes[:5]), *["..."] * (len(classes) > 5)])
        raise BadData(f"y must have at most two classes: {few}")
    if len(classes) < 2:
        positive = classes not in ((0,), (-1,))  # False is 0
        constant = [1.0 if positive else -1.0] + [0.0] * points.shape[1]
        return Separability(points, np.full(len(codes), int(positive), np.int32), classes, constant, None)
    weights = _plane(points, codes)
    if weights is not None:
        found = Separability(points, codes, classes, weights, None)
        if found.verify():
            return found
    shares = _common_point(points, codes)
    if shares is not None:
        return Separability(points, codes, classes, None, shares)
    raise BadData("the classes are so near each other that rounding hides whether they can be separated")


def _plane(X: Floats, codes: npt.NDArray[Any]) -> list[float] | None:
    """The widest margin that weights between -1 and 1 give, or None."""
    linprog = scipy_module("optimize", _LINEAR).linprog
    rows, width = X.shape
    signs = np.where(codes == 1, 1.0, -1.0)[:, None]
    scale = float(np.abs(X).max(initial=0.0)) or 1.0
    # Variables w0, ..., wn, t: sign * (w0 + w.x) >= t, t as large as it can be.
    least = np.hstack([-signs * np.hstack([np.ones((rows, 1)), X / scale]), np.ones((rows, 1))])
    bounds = [(-1.0, 1.0)] * (width + 1) + [(None, 1.0)]
    found = linprog([0.0] * (width + 1) + [-1.0], A_ub=least, b_ub=np.zeros(rows), bounds=bounds, method="highs")
    if found.status != 0 or found.x[-1] <= _NOTHING:
        return None
    # Any multiple will do; where the scale is extreme, one that keeps both parts among the doubles.
    share = 1.0 if 1e-290 < scale < 1e290 else math.sqrt(scale)
    weights: list[float] = [found.x[0] * share, *(found.x[1:-1] / (scale / share))]
    return [float(weight) for weight in weights]


def _common_point(X: Floats, codes: npt.NDArray[Any]) -> dict[int, Fraction] | None:
    """Shares of rows whose averages in both classes are one point: the solver says which rows, fractions how much."""
    linprog = scipy_module("optimize", _LINEAR).linprog
    rows, width = X.shape
    signs = np.where(codes == 1, 1.0, -1.0)
    scale = float(np.abs(X).max(initial=0.0)) or 1.0
    equal = np.vstack([(signs[:, None] * X / scale).T, codes == 0, codes == 1]).astype(np.float64)
    wanted = np.array([0.0] * width + [1.0, 1.0])
    # A vertex of what is feasible uses few rows; the simplex method ends at one.
    found = linprog(np.zeros(rows), A_eq=equal, b_eq=wanted, bounds=(0, None), method="highs-ds")
    if found.status != 0:
        return None
    used = np.flatnonzero(found.x > _NOTHING).tolist()
    system = [[Fraction(int(signs[row])) * Fraction(float(X[row, j])) for row in used] for j in range(width)]
    system += [[Fraction(int(codes[row] == code)) for row in used] for code in (0, 1)]
    solution = _solve(system, [Fraction(0)] * width + [Fraction(1), Fraction(1)])
    if solution is None or any(share < 0 for share in solution):
        return None
    return dict(zip(used, solution, strict=True))


def _solve(system: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """A solution of linear equations in fractions (free unknowns are 0), or None."""
    rows = [[*left, b] for left, b in zip(system, right, strict=True)]
    unknowns = len(system[0])
    pivots: list[int] = []
    for column in range(unknowns):
        k = len(pivots)
        lead = next((r for r in range(k, len(rows)) if rows[r][column]), None)
        if lead is None:
            continue
        rows[k], rows[lead] = rows[lead], rows[k]
        rows[k] = [entry / rows[k][column] for entry in rows[k]]
        for r in range(len(rows)):
            if r != k and rows[r][column]:
                factor = rows[r][column]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[k], strict=True)]
        pivots.append(column)
    if any(row[-1] and not any(row[:-1]) for row in rows):
        return None
    solution = [Fraction(0)] * unknowns
    for k, column in enumerate(pivots):
        solution[column] = rows[k][-1]
    return solution


def _row(x: Floats) -> str:
    return f"({', '.join(f'{value:g}' for value in x)})"
