"""Shattering: you place points; every way to label them, with a region that does it, or none."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from mistakebound.concepts import Circles, HalfSpaces, Rectangles
from mistakebound.core.errors import BadParameter
from mistakebound.lab.plane import read_points

if TYPE_CHECKING:
    from mistakebound.lab.request import Request

CLASSES: dict[str, Any] = {"lines": HalfSpaces(2), "rectangles": Rectangles(2), "circles": Circles()}
_POINTS = 5


def shatter(request: Request) -> dict[str, Any]:
    """All dichotomies of at most five points."""
    kind = request.choice("class", CLASSES, "lines")
    points = [(Fraction(x), Fraction(y)) for x, y in read_points(request, _POINTS, labelled=False)]
    if len({*points}) < len(points):
        raise BadParameter("points must be different from each other")
    found = []
    for labels in product((0, 1), repeat=len(points)):
        request.check_time()
        inside = [point for point, label in zip(points, labels, strict=True) if label]
        outside = [point for point, label in zip(points, labels, strict=True) if not label]
        region = CLASSES[kind].region(inside, outside)
        found.append(
            {
                "labels": list(labels),
                "words": None if region is None else str(region),
                "shape": None if region is None else _shape(kind, region),
            }
        )
    return {
        "dichotomies": found,
        "made": sum(one["words"] is not None for one in found),
        "shattered": all(one["words"] is not None for one in found),
        "vc": CLASSES[kind].vc,
    }


def _shape(kind: str, region: Any) -> dict[str, Any]:
    """What is to be drawn."""
    if kind == "lines":
        return {"w": [float(v) for v in region.weights], "theta": float(region.threshold)}
    if kind == "circles":
        return {"centre": [float(v) for v in region.centre], "square": float(region.square)}
    return {"low": [float(v) for v in region.low], "high": [float(v) for v in region.high]}
