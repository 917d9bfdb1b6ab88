"""Lines: points in the plane, the perceptron's line after every update, and a line that you move yourself."""

from __future__ import annotations

from fractions import Fraction
from math import hypot, nextafter
from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.arena.play import play
from mistakebound.concepts.regions.half_spaces import HalfSpace
from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.ledger import new_ledger
from mistakebound.lab.parting import part
from mistakebound.lab.session import Session
from mistakebound.learners.linear.perceptron import Perceptron

if TYPE_CHECKING:
    from mistakebound.lab.request import Request

_POINTS = 40
_PASSES = 100
_UPDATES = 400


def read_points(request: Request, most: int = _POINTS, *, labelled: bool = True) -> list[tuple[float, ...]]:
    """Points of a message: two numbers each, and a label."""
    found = []
    for given in request.listed("points", most):
        width = 3 if labelled else 2
        if not isinstance(given, list) or len(given) != width or not all(type(v) in (int, float) for v in given):
            raise BadParameter(f"a point must be {width} numbers: {shown(given)}")
        if not all(abs(value) <= 100 for value in given[:2]) or (labelled and given[2] not in (0, 1)):
            raise BadParameter(f"a point must lie between -100 and 100 and have a label 0 or 1: {shown(given)}")
        found.append(tuple(given))
    return found


class Plane(Session):
    """The perceptron on points that you place."""

    actions: ClassVar[tuple[str, ...]] = ("learn", "line")

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.points: list[tuple[float, ...]] = []

    def opening(self, request: Request) -> dict[str, Any]:
        return self.learn(request)

    def learn(self, request: Request) -> dict[str, Any]:
        """Passes over the points until one has no mistake; a frame an update."""
        self.points = read_points(request)
        examples = [([x, y], int(label)) for x, y, label in self.points]
        apart = self._separability()
        facts = {"margin": apart["margin"]} if apart["margin"] else {}
        learner = Perceptron(labels=(0, 1))
        ledger = new_ledger(learner)
        frames: list[dict[str, Any]] = []
        place = 0

        def watch(trial: Any, label: Any, prediction: Any, ledger: Any) -> None:
            nonlocal place
            request.check_time()
            if prediction != label and len(frames) < _UPDATES:
                w = learner.weights()
                frames.append(
                    {"point": place % len(examples), "pass": ledger.passes, "mistakes": ledger.mistakes,
                     "w": [w.get("1", 0.0), w.get("2", 0.0)], "b": learner.bias}
                )  # fmt: skip
            place += 1

        clean = False
        for number in range(1, _PASSES + 1 if examples else 1):
            before, ledger.passes = ledger.mistakes, number
            play(learner, examples, assume=facts, ledger=ledger, watch=watch)
            clean = ledger.mistakes == before
            if clean or len(frames) >= _UPDATES:
                break
        bound = ledger.bound
        return {
            "frames": frames,
            "clean": clean or not examples,
            "passes": ledger.passes,
            "mistakes": ledger.mistakes,
            "bound": None if bound is None else bound.mistakes,
            "verdict": str(ledger.verdict),
            "separable": apart,
        }

    def _separability(self) -> dict[str, Any]:
        """Whether a line separates the classes; the margin of one that does, or a point that both hulls hold."""
        nothing = {"separable": None, "margin": None, "line": None, "point": None}
        if not self.points:
            return nothing
        inside, outside = ([(x, y) for x, y, label in self.points if label == wanted] for wanted in (1, 0))
        if not inside or not outside:
            return nothing | {"separable": True, "margin": 1.0}  # a constant: w is 0, b alone decides
        found = part(inside, outside)
        if len(found) == 2:
            return nothing | {"separable": False, "point": list(found)}
        w, b = (found[0], found[1]), found[2]
        margin = min(abs(w[0] * x + w[1] * y + b) for x, y, _ in self.points) / hypot(*w, b)
        # Rounded down, so that the bound stays a bound.
        margin = max(0.0, nextafter(margin * (1 - 1e-12), 0))
        return nothing | {"separable": True, "margin": margin or None, "line": {"w": [*w], "b": b}}

    def line(self, request: Request) -> dict[str, Any]:
        """Which points a line of your own has on the wrong side: 1 is where w.x >= theta."""
        w = request.listed("w", 2)
        if len(w) != 2 or not all(type(v) in (int, float) and abs(v) <= 1e6 for v in w):
            raise BadParameter(f"w must be two numbers: {shown(w)}")
        theta = request.number("theta", -1e6, 1e6)
        own = HalfSpace((Fraction(w[0]), Fraction(w[1])), Fraction(theta))
        return {"wrong": [place for place, (x, y, label) in enumerate(self.points) if own([x, y]) != int(label)]}
