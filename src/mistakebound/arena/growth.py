"""How mistakes and time grow with n and with the size of the target: measured, fitted, beside the bound."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, log2
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from mistakebound.arena.play import play
from mistakebound.core.errors import BadParameter
from mistakebound.core.plain_sum import plain_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any


class GrowthPoint(NamedTuple):
    """One game: n attributes, a target of `size`, the mistakes, what the bound allows, seconds per trial."""

    n: int
    size: int
    mistakes: int
    bound: float | None
    seconds: float


@dataclass(frozen=True)
class Fit:
    """mistakes = a + b*log2(n), or a*n^b, whichever leaves less: `error` is the root of the mean square."""

    law: str
    a: float
    b: float
    error: float

    def at(self, n: float) -> float:
        return self.a + self.b * log2(n) if self.law == "log n" else self.a * n**self.b

    def __str__(self) -> str:
        return f"{self.a:.3g} + {self.b:.3g}*log2(n)" if self.law == "log n" else f"{self.a:.3g}*n^{self.b:.3g}"


@dataclass(frozen=True)
class Growth:
    """The games that were played, and the laws that fit them best.

    `polynomial` says whether no game had more mistakes than its bound allows; the bound itself is the proof.
    """

    points: tuple[GrowthPoint, ...]

    def fit(self, size: int | None = None, what: str = "mistakes") -> Fit:
        """The law of mistakes (or "seconds") in n, for targets of one size; None: the first."""
        size = self.points[0].size if size is None else size
        chosen = [(p.n, float(getattr(p, what))) for p in self.points if p.size == size]
        if len({n for n, _ in chosen}) < 2:
            raise BadParameter(f"a fit needs two values of n for size {size}")
        found = [_line("log n", [(log2(n), y) for n, y in chosen], chosen)]
        if all(y > 0 for _, y in chosen):
            found.append(_line("power of n", [(log(n), log(y)) for n, y in chosen], chosen))
        return min(found, key=lambda fit: fit.error)

    @property
    def within_bounds(self) -> bool:
        """Whether every game kept its bound."""
        return all(p.bound is None or p.mistakes <= p.bound + 1e-9 for p in self.points)

    def __str__(self) -> str:
        lines = ["n      size   mistakes   bound   us per trial"]
        for p in self.points:
            bound = "" if p.bound is None else f"{p.bound:.0f}"
            lines.append(f"{p.n:<6} {p.size:<6} {p.mistakes:>8}   {bound:>5}   {1e6 * p.seconds:>12.1f}")
        return "\n".join(lines)


def measure_growth(
    make: Callable[[int, int], Any],
    teacher: Callable[[int, int], Any],
    ns: Iterable[int],
    sizes: Iterable[int] = (1,),
    *,
    trials: int | None = None,
) -> Growth:
    """Plays games of growing n and target size, and measures mistakes and time per trial.

    Parameters
    ----------
    make : function of (n, size)
        Returns a new learner.
    teacher : function of (n, size)
        Returns a teacher, such as an adversary; it has the facts for the bound.
    ns : iterable of int
        Numbers of attributes.
    sizes : iterable of int, default (1,)
        Sizes of the target.
    trials : int or None, default None
        Trials of a game at most.  None: as many as the teacher has.

    Returns
    -------
    Growth
        `points` (n, size, mistakes, bound, seconds per trial), `fit(size)`, `within_bounds`.

    Notes
    -----
    Definition.  An algorithm learns a class in the mistake bound model if its mistakes are at most a polynomial in n
    and in the size of the target, and its time per trial too.

    References
    ----------
    Balcan 2011, 8803 Machine Learning Theory, lecture 4.

    Examples
    --------
    >>> import mistakebound as mb
    >>> found = measure_growth(
    ...     lambda n, k: mb.learners.ConjunctionElimination(n),
    ...     lambda n, k: mb.teachers.ConjunctionAdversary(n),
    ...     [4, 8, 16],
    ... )
    >>> [p.mistakes for p in found.points], str(found.fit()), found.within_bounds
    ([4, 8, 16], '1*n^1', True)
    """
    ns = list(ns)
    points = []
    for size in sizes:
        for n in ns:
            learner, taught = make(n, size), teacher(n, size)
            before = perf_counter()
            ledger = play(learner, taught, trials)
            seconds = (perf_counter() - before) / max(1, ledger.trials)
            bound = None if ledger.bound is None else ledger.bound.value
            points.append(GrowthPoint(n, size, ledger.mistakes, bound, seconds))
    if not points:
        raise BadParameter("ns and sizes must name one game at least")
    return Growth(tuple(points))


def _line(law: str, pairs: Sequence[tuple[float, float]], seen: Sequence[tuple[int, float]]) -> Fit:
    """Least squares of y = a + b*x, and how far the law is from what was seen."""
    mean_x, mean_y = (plain_sum(pair[k] for pair in pairs) / len(pairs) for k in (0, 1))
    spread = plain_sum((x - mean_x) ** 2 for x, _ in pairs)
    b = plain_sum((x - mean_x) * (y - mean_y) for x, y in pairs) / spread
    a = mean_y - b * mean_x
    fit = Fit(law, a if law == "log n" else exp(a), b, 0.0)
    error = (plain_sum((fit.at(n) - y) ** 2 for n, y in seen) / len(seen)) ** 0.5
    return Fit(fit.law, fit.a, fit.b, error)
