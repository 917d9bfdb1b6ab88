"""The errors of Gibbs and of the optimum by going through everything: targets, labels, hypotheses drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from naive.posterior import naive_posterior, naive_votes


def naive_gibbs_errors(
    hypotheses: Sequence[Any],
    prior: Sequence[Fraction],
    chance: Callable[[Any, Any, Any], Any],
    labels: Sequence[Any],
    shown: Sequence[Any],
    asked: Sequence[Any],
) -> list[tuple[Any, Any]]:
    """(optimum, Gibbs) of each target."""
    found = []
    for target in hypotheses:
        optimum = gibbs = Fraction(0)
        for told in product(labels, repeat=len(shown)):
            weight = Fraction(1)
            for x, t in zip(shown, told, strict=True):
                weight *= chance(t, target, x)
            if not weight:
                continue
            posterior, _ = naive_posterior(hypotheses, prior, chance, list(zip(shown, told, strict=True)))
            for x in asked:
                votes = naive_votes(hypotheses, posterior, chance, labels, x)
                best = labels[votes.index(max(votes))]
                for truth in labels:
                    here = weight * chance(truth, target, x) / len(asked)
                    optimum += here * (best != truth)
                    for h, p in zip(hypotheses, posterior, strict=True):
                        for t in labels:
                            gibbs += here * p * chance(t, h, x) * (t != truth)
        found.append((optimum, gibbs))
    return found
