"""All hypotheses vote on a label with their posterior; or one of them is drawn by it (row Y5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

    from mistakebound.theory.bayes.likelihood import Likelihood

_BITS = 117  # of a random number: 64 more than a double has


def votes(beliefs: Iterable[tuple[Any, Any]], likelihood: Likelihood, x: Any) -> dict[Any, Any]:
    """P(t | x, D) of every label, for (h, P(h | D)): the labels in order, or as they come where they have none."""
    found: dict[Any, Any] = {}
    for h, p in beliefs:
        if p:
            for t, chance in likelihood.chances(h, x).items():
                found[t] = found.get(t, 0) + p * chance
    try:
        return {t: found[t] for t in sorted(found)}
    except TypeError:
        return found


def drawn(things: Sequence[Any], chances: Sequence[Any], chance: Random) -> Any:
    """One of the things, each with its chance: the same on every machine.

    >>> from random import Random
    >>> [drawn("ab", [0.9, 0.1], Random(seed)) for seed in range(8)].count("b")
    0
    """
    left = Fraction(chance.getrandbits(_BITS), 1 << _BITS)
    possible = [(thing, share) for thing, share in zip(things, chances, strict=True) if share]
    for thing, share in possible:
        left -= Fraction(share)
        if left < 0:
            return thing
    return possible[-1][0]  # floats may sum to a little less than 1
