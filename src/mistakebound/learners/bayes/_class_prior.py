"""P(class): as observed, all alike, or as given."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from mistakebound.core.errors import BadParameter
from mistakebound.core.plain_sum import plain_sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OBSERVED, UNIFORM = "observed", "uniform"
_SLACK = 1e-9


def check_class_prior(given: Any) -> dict[Any, float] | None:
    """Class to probability, if they are given so; BadParameter unless these are probabilities that sum to 1.

    >>> check_class_prior({"spam": 0.2, "ham": 0.9})
    Traceback (most recent call last):
    mistakebound.core.errors.BadParameter: class_prior must sum to 1: 1.1
    """
    if isinstance(given, str) and given in (OBSERVED, UNIFORM):
        return None
    if not isinstance(given, Mapping):
        words = f"{OBSERVED!r}, {UNIFORM!r} or a mapping from labels to probabilities"
        raise BadParameter(f"class_prior must be {words}: {given!r}")
    prior: dict[Any, float] = {}
    for label, share in given.items():
        if isinstance(share, (bool, str)) or not isinstance(label, (str, bool, int, float)) or label != label:
            raise BadParameter(f"class_prior must map labels to probabilities: {label!r} to {share!r}")
        try:
            prior[label] = float(share)
        except (TypeError, ValueError):
            raise BadParameter(f"class_prior must map labels to probabilities: {label!r} to {share!r}") from None
        if not isfinite(prior[label]) or prior[label] < 0:
            raise BadParameter(f"class_prior must have a probability >= 0 for {label!r}: {share!r}")
    total = plain_sum(prior.values())
    if abs(total - 1) > _SLACK:
        raise BadParameter(f"class_prior must sum to 1: {total:.6g}")
    return prior
