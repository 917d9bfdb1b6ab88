"""The least regret that any randomized learner can promise when no concept need be right, for small classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.concept import check_integer
from mistakebound.core.errors import BadParameter
from mistakebound.theory.interval import Deadline

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass

Errors: TypeAlias = tuple[int, ...]  # of each concept
State: TypeAlias = tuple[Errors, int]  # errors above those of the best concept, and the trials that are left

_MOST_CONCEPTS = 16


@dataclass(frozen=True)
class AgnosticRegret:
    """`value`, the optimal regret, with a proof of each side.

    `plays` has for every state (the errors of the concepts above those of the best one, and the trials that are left)
    the regret to come and the instance that the adversary shows there.  The adversary's labels are fair coins.
    """

    value: Fraction
    trials: int
    plays: dict[State, tuple[Fraction, int]] = field(repr=False, compare=False)
    finite: FiniteClass = field(repr=False, compare=False)

    def probability(self, history: Iterable[tuple[Any, int]], x: Any) -> Fraction:
        """The chance with which an optimal learner predicts 1 for x, after the examples (instance, label) so far."""
        errors: Errors = (0,) * self.finite.size
        left = self.trials
        for seen, label in history:
            errors, left = _after(errors, _line(self.finite, self.finite.position(seen)), label), left - 1
        if left < 1:
            raise BadParameter(f"the history must leave a trial of the {self.trials} to play")
        return self._chance(errors, _line(self.finite, self.finite.position(x)), left)

    def _to_come(self, errors: Errors, left: int) -> Fraction:
        best = min(errors)
        key = tuple(min(e - best, left) for e in errors), left
        return (self.plays[key][0] if left else Fraction(0)) - best

    def _chance(self, errors: Errors, line: Errors, left: int) -> Fraction:
        """p with p + (what label 0 leaves) = 1 - p + (what label 1 leaves), or the end of [0, 1] next to it."""
        zero, one = (self._to_come(_after(errors, line, label), left - 1) for label in (0, 1))
        return min(max((1 + one - zero) / 2, Fraction(0)), Fraction(1))

    def verify(self) -> bool:
        """Both proofs by the definition, played out to the end.

        No learner does better: against fair coins every one errs in half of the trials, and the best concept in so many
        fewer.  No labels do worse to the optimal learner: whatever comes, what it has lost and may lose never grows.
        """
        return self._adversary_gets() == self.value and self._learner_keeps()

    def _adversary_gets(self) -> Fraction:
        """Half of the trials less the average of the errors of the best concept, over all labels."""
        paths: dict[Errors, int] = {(0,) * self.finite.size: 1}
        for left in range(self.trials, 0, -1):
            further: dict[Errors, int] = {}
            for errors, count in paths.items():
                best = min(errors)
                line = _line(self.finite, self.plays[tuple(min(e - best, left) for e in errors), left][1])
                for label in (0, 1):
                    now = _after(errors, line, label)
                    further[now] = further.get(now, 0) + count
            paths = further
        best_errors = sum(count * min(errors) for errors, count in paths.items())
        return Fraction(self.trials, 2) - Fraction(best_errors, 2**self.trials)

    def _learner_keeps(self) -> bool:
        """Whether for every state, instance and label the expected loss and the regret to come are within what was."""
        lines = {_line(self.finite, j) for j in range(len(self.finite.columns))}
        reached = {(0,) * self.finite.size}
        for left in range(self.trials, 0, -1):
            further = set()
            for errors in reached:
                for line in lines:
                    p = self._chance(errors, line, left)
                    for label, loss in ((0, p), (1, 1 - p)):
                        now = _after(errors, line, label)
                        if loss + self._to_come(now, left - 1) > self._to_come(errors, left):
                            return False
                        further.add(now)
            reached = further
        return self._to_come((0,) * self.finite.size, self.trials) == self.value

    def __str__(self) -> str:
        return str(self.value)


def agnostic_regret(concept_class: ConceptClass | str, trials: int, timeout: float | None = None) -> AgnosticRegret:
    """The optimal regret of a class: expected mistakes above those of the best concept, in a number of trials.

    Parameters
    ----------
    concept_class : ConceptClass or str
        A finite class of at most 16 concepts, or its text.
    trials : int
        How many; >= 0.
    timeout : float or None, default None
        Seconds, >= 0; OutOfTime when they have passed.  None: as long as it takes.

    Returns
    -------
    AgnosticRegret
        `value`, a fraction: the value of the game in which any labels may come and the learner predicts by a coin of
        its choice.  `probability(history, x)` is that coin of an optimal learner.  `verify()` plays out the proofs of
        both sides.

    Notes
    -----
    Algorithm, e(c) the errors of concept c so far::

        R(e, 0) = -min over c of e(c)
        R(e, t) = max over instances x of min over p in [0, 1] of
                  max(p + R(e after label 0, t - 1), 1 - p + R(e after label 1, t - 1))

    where p is the probability of predicting 1.  The two labels leave regrets that differ by at most 1, so the best p
    makes both terms equal, and labels by a fair coin are the adversary's best.

    References
    ----------
    Ben-David, Pal and Shalev-Shwartz 2009, Agnostic online learning.  Cesa-Bianchi and Lugosi 2006, Prediction,
    learning, and games, chapter 8.

    Examples
    --------
    >>> found = agnostic_regret("finite rows=0,1", 3)
    >>> str(found), found.verify()
    ('3/4', True)
    >>> str(found.probability([(0, 1)], 0))  # the only instance, 0, was labelled 1 once
    '3/4'
    """
    finite = class_given(concept_class).finite()
    if not 1 <= finite.size <= _MOST_CONCEPTS:
        raise BadParameter(f"a class must have 1 to {_MOST_CONCEPTS} concepts for its regret: {finite.size}")
    trials = check_integer("trials", trials, 0)
    deadline = Deadline(timeout)
    lines: dict[Errors, int] = {}
    for j in range(len(finite.columns)):
        lines.setdefault(_line(finite, j), j)
    plays: dict[State, tuple[Fraction, int]] = {}

    def value(errors: Errors, left: int) -> Fraction:
        """With the errors above those of the best concept; what that one has is added by whoever asks."""
        if not left:
            return Fraction(0)
        # A concept that is behind by all trials that are left, or more, cannot come to be better.
        key = tuple(min(e, left) for e in errors), left
        if key not in plays:
            deadline.check()
            best = Fraction(-1), -1
            for line, j in lines.items():
                zero, one = (after(key[0], line, label, left) for label in (0, 1))
                if (1 + zero + one) / 2 > best[0]:
                    best = (1 + zero + one) / 2, j
            plays[key] = best
        return plays[key][0]

    def after(errors: Errors, line: Errors, label: int, left: int) -> Fraction:
        now = _after(errors, line, label)
        best = min(now)
        return value(tuple(e - best for e in now), left - 1) - best

    return AgnosticRegret(value((0,) * finite.size, trials), trials, plays, finite)


def _line(finite: FiniteClass, j: int) -> Errors:
    """What each concept says of an instance."""
    return tuple(finite.columns[j] >> c & 1 for c in range(finite.size))


def _after(errors: Errors, line: Errors, label: int) -> Errors:
    return tuple(e + (said != label) for e, said in zip(errors, line, strict=True))
