"""Bandit feedback: the learner hears whether it was right, and nothing else."""

from __future__ import annotations

from math import fsum, sqrt
from random import Random

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.external import ExternalLearner, hears_one
from mistakebound.core.params import Parameter, check_all
from mistakebound.core.theorem import Bound, Condition, Theorem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

BANDITRON = Theorem(
    "the Banditron's bound",
    source="docs/feedback.md, after Kakade, Shalev-Shwartz and Tewari 2008",
    statement="expected mistakes <= gamma*T + (R/margin)^2*(k/gamma + sqrt((k/gamma)^2 + 2*gamma*T*(margin/R)^2))",
    assumes="some weights of length 1 give the right label a score that is larger by {margin} than every other",
    needs=("margin", "classes", "gamma", "_trials", "_radius"),
    conditions=(Condition("gamma <= 1/2", ("gamma",), lambda f: f["gamma"] <= 0.5),),
    formula=lambda f: (
        f["gamma"] * f["_trials"]
        + (f["_radius"] / f["margin"]) ** 2
        * (
            f["classes"] / f["gamma"]
            + sqrt((f["classes"] / f["gamma"]) ** 2 + 2 * f["gamma"] * f["_trials"] * (f["margin"] / f["_radius"]) ** 2)
        )
    ),
    expected=True,
    hindsight=True,
)


class Banditron:
    """The Banditron: a multiclass perceptron that hears only whether its label was right.

    Parameters
    ----------
    classes : sequence
        The labels; two at least.
    gamma : float, default 0.1
        Share of the trials in which it explores, with a label drawn at random; > 0 and <= 1.
    random_state : int, default 0
        Seed of the draws; a draw depends on it and on the number of trials heard, on nothing else.

    Notes
    -----
    Algorithm, x with one row of weights W_r per label::

        best = the label with the largest W_r . x                    (the first of equal ones)
        p_r = gamma/k for every label r, and 1 - gamma more for best
        predict a label drawn from p
        W_best = W_best - x
        if the prediction was right, for label r:  W_r = W_r + x / p_r

    Theorem.  Some W* of length 1 gives the right label a score larger by `margin` than any other, |x| <= R, and
    gamma <= 1/2.  Then the expected number of mistakes in T trials is at most ::

        gamma * T + (R / margin) ^ 2 * (k / gamma + sqrt((k / gamma) ^ 2 + 2 * gamma * T * (margin / R) ^ 2))

    docs/feedback.md has the proof.

    References
    ----------
    Kakade, Shalev-Shwartz and Tewari 2008, Efficient bandit algorithms for online multiclass prediction.

    Examples
    --------
    >>> learner = Banditron(["a", "b"], random_state=1)
    >>> said = learner.predict_one([1, 0])
    >>> learner.hear_one([1, 0], said, said == "a")
    >>> learner.trials, learner.bound(margin=1).theorem.name
    (1, "the Banditron's bound")
    """

    name = "banditron"
    parameters = (
        Parameter("gamma", "number", 0.1, above=0, at_most=1, help="share of trials that explore"),
        Parameter("random_state", "integer", 0, at_least=0, help="random seed of the draws"),
    )
    assumable = {"margin": "by how much the right label's score is larger, for weights of length 1"}  # noqa: RUF012

    def __init__(self, classes: Sequence[Any], gamma: float = 0.1, random_state: int = 0) -> None:
        self.classes = tuple(dict.fromkeys(classes))
        if len(self.classes) < 2:
            raise BadParameter(f"classes must be two labels at least: {classes!r}")
        self.settings = check_all(self.parameters, {"gamma": gamma, "random_state": random_state})
        self.weights: list[dict[str, float]] = [{} for _ in self.classes]
        self.trials = 0
        self.radius = 0.0

    def scores_one(self, x: Any) -> list[float]:
        """W_r . x for every label."""
        given = _pairs(x)
        return [fsum(row.get(name, 0.0) * value for name, value in given) for row in self.weights]

    def probabilities_one(self, x: Any) -> list[float]:
        """The probability with which each label would be predicted now."""
        scores, gamma, k = self.scores_one(x), self.settings["gamma"], len(self.classes)
        best = scores.index(max(scores))
        return [gamma / k + (1 - gamma) * (r == best) for r in range(k)]

    def predict_one(self, x: Any) -> Any:
        """A label drawn for this trial: the same until the trial is heard."""
        chances = self.probabilities_one(x)
        draw = Random(f"{self.settings['random_state']} {self.trials}")
        return self.classes[draw.choices(range(len(chances)), chances)[0]]

    def hear_one(self, x: Any, prediction: Any, right: bool) -> None:
        """Learns from whether the prediction for x was right."""
        given = _pairs(x)
        chances = self.probabilities_one(x)
        best, said = chances.index(max(chances)), self.classes.index(prediction)
        changes = [(best, -1.0)] + ([(said, 1 / chances[said])] if right else [])
        for row, factor in changes:
            for name, value in given:
                self.weights[row][name] = self.weights[row].get(name, 0.0) + factor * value
        self.radius = max(self.radius, sqrt(fsum(value * value for _, value in given)))
        self.trials += 1

    def learn_one(self, x: Any, y: Any) -> Any:
        """A trial of ordinary play: of the label it uses only whether the prediction was right."""
        prediction = self.predict_one(x)
        self.hear_one(x, prediction, prediction == y)
        return prediction

    def bound(self, **facts: Any) -> Bound:
        """What the theorem allows in the trials heard so far; `margin` must be told."""
        return self.bound_since({}, facts)

    def bound_since(self, start: dict[str, Any], told: dict[str, Any]) -> Bound:
        known = {
            "classes": len(self.classes), "gamma": self.settings["gamma"], "_trials": self.trials,
            "_radius": self.radius or None, **told,
        }  # fmt: skip
        return BANDITRON.bound(known)


def _pairs(x: Any) -> list[tuple[str, float]]:
    """The attributes of an instance that are not 0, in one order: of a mapping, a row, or a set of names."""
    if isinstance(x, dict):
        pairs = [(str(name), float(value)) for name, value in x.items()]
    elif isinstance(x, (set, frozenset)):
        pairs = [(str(name), 1.0) for name in x]
    elif hasattr(x, "__len__") and not isinstance(x, (str, bytes)):
        pairs = [(str(j), float(value)) for j, value in enumerate(x, 1)]
    else:
        raise BadData(f"an instance must be a mapping, a set of names or a row: {x!r}")
    return sorted((name, value) for name, value in pairs if value)


class OnlyRightOrWrong(ExternalLearner):
    """A learner that is told no label: what it hears of a trial is whether its prediction was right."""

    def __init__(self, given: Any) -> None:
        if not hears_one(given):
            name = type(given).__name__
            raise BadParameter(f"feedback='bandit' needs a learner with hear_one, such as mb.arena.Banditron: {name}")
        self.given = given
        self.predict_one, self.learn_one = given.predict_one, self._learn_one

    def _learn_one(self, x: Any, y: Any) -> Any:
        prediction = self.predict_one(x)
        self.given.hear_one(x, prediction, prediction == y)
        return prediction

    def copy(self) -> OnlyRightOrWrong:
        return OnlyRightOrWrong(super().copy().given)
