"""EM for cells that were not observed: the joint distribution of a table's columns, and Q(h', h) as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import inf, log
from typing import Any, TypeAlias

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.plain_sum import plain_sum
from mistakebound.learners.em_loop import EMRun, em

Joint: TypeAlias = Mapping[tuple[Any, ...], float]


def fit_joint(
    rows: Sequence[Sequence[Any]],
    *,
    values: Sequence[Sequence[Any]] | None = None,
    start: Joint | None = None,
    max_iter: int = 1000,
    tol: float = 1e-9,
    keep: bool = False,
) -> EMRun:
    """The most likely joint distribution of a table's columns, where some cells were not observed (None), by EM.

    Parameters
    ----------
    rows : sequence of sequences
        One value per column; None where it was not observed.
    values : sequence of sequences or None, default None
        The values of each column.  None: those that appear.
    start : mapping or None, default None
        The first hypothesis, from rows of values to probabilities > 0.  None: all equally likely.
    max_iter : int, default 1000
        Steps at most, as for `em`.
    tol : float, default 1e-9
        A step that gains less ends the loop.
    keep : bool, default False
        Keep all hypotheses, as run.hypotheses.

    Returns
    -------
    EMRun
        `hypothesis` is the distribution, from complete rows to probabilities.

    Notes
    -----
    Algorithm::

        E step:  give every row to all its completions, in proportion to their probability under h
        M step:  h' = the shares of the completions

    The M step maximises Q(h', h), the expected log-likelihood of the complete rows (`q_value`).  What is missing must
    not depend on what it would have been.

    References
    ----------
    Dempster, Laird and Rubin 1977, Maximum likelihood from incomplete data via the EM algorithm.
    Ma 2019, CS3244 notes, Theorem 5.6.

    Examples
    --------
    >>> run = fit_joint([(0, 0), (0, 0), (1, 1), (1, None)], values=[(0, 1), (0, 1)])
    >>> {row: round(p, 3) for row, p in run.hypothesis.items() if p > 0.001}
    {(0, 0): 0.5, (1, 1): 0.5}
    """
    table = [tuple(row) for row in rows]
    widths = {len(row) for row in table}
    if len(widths) != 1:
        raise BadData("rows must have one value per column, and there must be one row at least")
    known = values or [list(dict.fromkeys(row[j] for row in table if row[j] is not None)) for j in range(widths.pop())]
    cells = list(product(*known))
    given = {cell: 1 / len(cells) for cell in cells} if start is None else dict(start)
    if set(given) != set(cells) or not all(p > 0 for p in given.values()):
        raise BadParameter("start must give every row of values a probability > 0")
    data = [completions(row, cells) for row in table]
    if not all(data):
        raise BadData(f"a value must be one of its column's: {table[[bool(of) for of in data].index(False)]!r}")
    return em(_expected_counts, _shares, given, data, max_iter=max_iter, tol=tol, keep=keep)


def completions(row: Sequence[Any], cells: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The complete rows that agree with one in which cells may be missing."""
    return [c for c in cells if all(a is None or a == b for a, b in zip(row, c, strict=True))]


def _expected_counts(h: Joint, data: list[list[tuple[Any, ...]]]) -> tuple[dict[tuple[Any, ...], float], float]:
    counts, likelihood = dict.fromkeys(h, 0.0), []
    for cells in data:
        total = plain_sum(h[cell] for cell in cells)
        for cell in cells:
            counts[cell] += h[cell] / total
        likelihood.append(log(total))
    return counts, plain_sum(likelihood)


def _shares(counts: Joint, data: list[list[tuple[Any, ...]]]) -> dict[tuple[Any, ...], float]:
    return {cell: count / len(data) for cell, count in counts.items()}


def q_value(new: Joint, old: Joint, rows: Sequence[Sequence[Any]]) -> float:
    """Q(h', h): the expected log-likelihood of the complete rows under h', with missing cells distributed as h says.

    Parameters
    ----------
    new, old : mapping
        h' and h, from complete rows to probabilities.
    rows : sequence of sequences
        As observed; None where a cell is missing.

    Returns
    -------
    float
        -inf where h' rules out what h does not.

    Notes
    -----
    Theorem.  If Q(h', h) >= Q(h, h), then h' is at least as likely as h.  EM takes the h' with the largest Q.

    References
    ----------
    Dempster, Laird and Rubin 1977, Theorem 1.  Mitchell 1997, Machine Learning, section 6.12.2.

    Examples
    --------
    >>> old = {(0,): 0.5, (1,): 0.5}
    >>> q_value({(0,): 0.75, (1,): 0.25}, old, [(0,), (None,)]) > q_value(old, old, [(0,), (None,)])
    True
    """
    cells = list(old)
    counts, _ = _expected_counts(old, [completions(row, cells) for row in rows])
    if any(count and not new[cell] for cell, count in counts.items()):
        return -inf
    return float(plain_sum(count * log(new[cell]) for cell, count in counts.items() if count))
