"""Gibbs' classifier (Mitchell 1997, section 6.8): one hypothesis drawn from the posterior decides."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.bits import ones
from mistakebound.core.params import Parameter
from mistakebound.learners.bayes._bayesian import HYPOTHESES, NOISE, PRIOR, BayesianLearner

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from mistakebound.core.atomic import Change
    from mistakebound.learners.bayes._belief import FunctionBelief


class Gibbs(BayesianLearner):
    """Gibbs' classifier: predicts with one hypothesis drawn from the posterior, another after every label learned.

    Parameters
    ----------
    concepts, noise, prior, labels
        As of `BayesOptimal`.
    likelihood : Likelihood, function or None, default None
        How a hypothesis makes labels, in place of `noise`: one of mb.bayes, or a function of ((x, t), h).
    random_state : int, default 0
        Seed of the draws; >= 0.  A draw depends on it and on the number of labels learned, on nothing else: predicting
        twice gives the same, and a game replays.

    Notes
    -----
    Algorithm::

        P(h | D) = P(h) for every hypothesis h
        for each trial (x, y):
            draw h from P(h | D), then a label t from P(t | h, x)
            predict t
            P(h | D) = P(y | h, x) * P(h | D) / (the sum of these over all h)

    Theorem.  Averaged over targets drawn from the prior, the expected error is at most twice that of `BayesOptimal`.
    For one fixed target it can be more (`mb.bayes.gibbs_against_optimum`).

    References
    ----------
    Mitchell 1997, Machine Learning, section 6.8.  Ma 2019, CS3244 notes, section 5.1.
    Haussler, Kearns and Schapire 1994, Bounds on the sample complexity of Bayesian learning (the factor of two).

    Examples
    --------
    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> learner = Gibbs(MonotoneDisjunctions(4, 2), random_state=1)
    >>> learner.learn_one([1, 1, 0, 0], 1), learner.size
    (1, 7)
    """

    name = "gibbs"
    summary = "any finite class or list of functions: one drawn from the posterior decides, another at each trial"
    hypothesis_class = "one of a finite class, drawn"
    search_order = "Bayes' theorem over the whole class"
    inductive_bias = "the prior"
    noise_effect = "is part of the likelihood"
    parameters = (
        HYPOTHESES, NOISE, PRIOR,
        Parameter("random_state", "integer", 0, at_least=0, help="random seed of the draws"),
    )  # fmt: skip
    _by = "one of"

    def __init__(
        self,
        concepts: Any,
        noise: float = 0.0,
        prior: Any = "uniform",
        likelihood: Any = None,
        random_state: int = 0,
        labels: Any = None,
    ) -> None:
        self._trials = 0
        self._drawn: tuple[int, Any, bool] | None = None
        super().__init__(concepts, noise, prior, likelihood, labels, random_state=random_state)

    def _chance(self) -> Random:
        return Random(f"{self.settings['random_state']} {self._trials}")

    def _draw(self) -> tuple[int, Any, bool]:
        """The concept drawn for this trial: as a set of one, its name, and whether its label is turned round."""
        if self._drawn is None:
            chance = self._chance()
            members, place = self._belief.draw(chance)
            noise = self._belief.noise
            turned = chance.randrange(noise.denominator) < noise.numerator
            one = _nth(members, place)
            self._drawn = one, self._voters.some(one, 1)[0], turned
        return self._drawn

    def _say(self, active: Sequence[int]) -> tuple[int, float, int]:
        yes = self._votes(active)
        one, _, turned = self._draw()
        return int(bool(yes & one) != turned), self._score(yes)[1], yes

    def _label_of(self, belief: FunctionBelief, x: Any) -> Any:
        chance = self._chance()
        return belief.label_drawn(belief.draw(chance), x, chance)

    def _heard(self) -> list[Change]:
        return [(setattr, self, "_trials", self._trials + 1), (setattr, self, "_drawn", None)]

    def _state(self) -> dict[str, Any]:
        return {"trials": self._trials}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        super()._restore_state(arrays, state)
        if type(state["trials"]) is not int or state["trials"] < 0:
            raise ValueError("the number of trials is not a whole number >= 0")
        self._trials = state["trials"]

    def _manner(self) -> tuple[Any, ...]:
        return self.settings["random_state"], self._trials

    def _in_words(self, terms: int) -> str:
        if self._functions is not None:
            drawn = self._functions.draw(self._chance())
            return f"{drawn}, drawn from {sum(map(bool, self._functions.posterior())):,}"
        _, concept, turned = self._draw()
        return f"{'the opposite of ' if turned else ''}{concept}, drawn from {self.size:,}"


def _nth(members: int, place: int) -> int:
    """The set of the one member at this place.

    >>> _nth(0b1101, 1), _nth(0b1101, 2)
    (4, 8)
    """
    low, width = 0, members.bit_length()
    while width > 64:  # the half that holds it
        half = width // 2
        first = (members & ((1 << half) - 1)).bit_count()
        if place < first:
            members &= (1 << half) - 1
            width = half
        else:
            place -= first
            members >>= half
            low += half
            width -= half
    return 1 << low + list(ones(members))[place]
