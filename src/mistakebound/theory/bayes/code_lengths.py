"""Minimum description length (row Y4): bits for a hypothesis, and bits for the data once it is known; M section 5.1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf, log
from typing import Any

from mistakebound.theory.bayes.likelihood import Likelihood, log_of
from mistakebound.theory.bayes.posterior import Posterior, posterior


class CodeLengths:
    """One row a hypothesis: (h, -log2 P(h), -log2 P(D | h)), under the codes that are optimal for both."""

    def __init__(self, found: Posterior) -> None:
        bits = log(2)
        self.rows: list[tuple[Any, float, float]] = [
            (h, _bits(log_of(p) / bits), _bits(log_likelihood / bits))
            for h, p, log_likelihood in zip(found.hypotheses, found.prior, found.log_likelihoods, strict=True)
        ]
        self._best = found.map_place

    @property
    def best(self) -> Any:
        """The hypothesis with the shortest description of both: decided exactly where the posterior is exact."""
        return self.rows[self._best][0]

    @property
    def shortest(self) -> tuple[float, float]:
        """Its two code lengths, in bits."""
        return self.rows[self._best][1:]

    def __iter__(self) -> Iterator[tuple[Any, float, float]]:
        return iter(self.rows)

    def __str__(self) -> str:
        lines = [f"{'h':>10} {'D given h':>10} {'both':>10}  bits"]
        order = sorted(range(len(self.rows)), key=lambda place: (place != self._best, sum(self.rows[place][1:])))
        for place in order:
            h, first, second = self.rows[place]
            lines.append(f"{first:10.3f} {second:10.3f} {first + second:10.3f}  {h}")
        return "\n".join(lines)


def _bits(logarithm: float) -> float:
    return inf if logarithm == -inf else abs(logarithm) if abs(logarithm) < 1e-12 else -logarithm


def code_lengths(
    hypotheses: Iterable[Any],
    prior: Any = None,
    likelihood: Likelihood | Callable[[Any, Any], Any] | None = None,
    data: Iterable[Any] = (),
) -> CodeLengths:
    """The two code lengths of every hypothesis; `best` minimises their sum, and so is the MAP hypothesis.

    >>> from mistakebound.theory.bayes import LabelNoise
    >>> import mistakebound as mb
    >>> H, shown = mb.concepts.MonotoneConjunctions(2), [((1, 1), 1), ((1, 0), 1), ((0, 1), 0), ((1, 1), 1)]
    >>> print(code_lengths(H, [0.5, 0.2, 0.2, 0.1], LabelNoise(0.1), shown))
             h  D given h       both  bits
         2.322      0.608      2.930  all of (x1)
         1.000      3.778      4.778  true
         3.322      3.778      7.100  x1 & x2
         2.322      6.948      9.270  all of (x2)
    """
    return CodeLengths(posterior(hypotheses, prior, likelihood, data))
