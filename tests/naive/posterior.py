"""Bayes' theorem by definition, with examples (x, t): lists, loops, fractions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any


def naive_posterior(
    hypotheses: Sequence[Any],
    prior: Sequence[Fraction],
    chance: Callable[[Any, Any, Any], Any],
    data: Sequence[tuple[Any, Any]],
) -> tuple[list[Any], Any]:
    """P(h | D) of each hypothesis and P(D); `chance(t, h, x)` is P(t | h, x)."""
    joint = []
    for h, p in zip(hypotheses, prior, strict=True):
        for x, t in data:
            p = p * chance(t, h, x)
        joint.append(p)
    evidence = sum(joint)
    return [p / evidence for p in joint], evidence


def naive_votes(
    hypotheses: Sequence[Any],
    posterior: Sequence[Any],
    chance: Callable[[Any, Any, Any], Any],
    labels: Sequence[Any],
    x: Any,
) -> list[Any]:
    """P(t | x, D) of each label."""
    return [sum(p * chance(t, h, x) for h, p in zip(hypotheses, posterior, strict=True)) for t in labels]
