"""The least regret that any randomized learner can promise when no concept need be right, for small classes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from mistakebound.concepts.class_text import class_given
from mistakebound.core.errors import BadParameter
from mistakebound.theory.interval import Deadline

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass

_MOST_CONCEPTS = 16


def agnostic_regret(concept_class: ConceptClass | str, trials: int, timeout: float | None = None) -> Fraction:
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
    Fraction
        Exact: the value of the game in which any labels may come and the learner predicts by a coin of its choice.

    Notes
    -----
    Algorithm, e(c) the errors of concept c so far::

        R(e, 0) = -min over c of e(c)
        R(e, t) = max over instances x of min over p in [0, 1] of
                  max(p + R(e after label 0, t - 1), 1 - p + R(e after label 1, t - 1))

    where p is the probability of predicting 1.

    References
    ----------
    Ben-David, Pal and Shalev-Shwartz 2009, Agnostic online learning.  Cesa-Bianchi and Lugosi 2006, Prediction,
    learning, and games, chapter 8.

    Examples
    --------
    >>> str(agnostic_regret("finite rows=0,1", 1)), str(agnostic_regret("finite rows=0,1", 3))
    ('1/2', '3/4')
    """
    finite = class_given(concept_class).finite()
    if not 1 <= finite.size <= _MOST_CONCEPTS:
        raise BadParameter(f"a class must have 1 to {_MOST_CONCEPTS} concepts for its regret: {finite.size}")
    if trials < 0:
        raise BadParameter(f"trials must be >= 0: {trials!r}")
    deadline = Deadline(timeout)
    lines = list(dict.fromkeys(tuple(column >> c & 1 for c in range(finite.size)) for column in finite.columns))
    known: dict[tuple[tuple[int, ...], int], Fraction] = {}

    def value(errors: tuple[int, ...], left: int) -> Fraction:
        """With the errors above those of the best concept; what that one has is added by whoever asks."""
        if not left:
            return Fraction(0)
        # A concept that is behind by all trials that are left, or more, cannot come to be better.
        key = tuple(min(e, left) for e in errors), left
        if key not in known:
            deadline.check()
            known[key] = max(_coin(*(after(key[0], line, label, left) for label in (0, 1))) for line in lines)
        return known[key]

    def after(errors: tuple[int, ...], line: tuple[int, ...], label: int, left: int) -> Fraction:
        now = [e + (said != label) for e, said in zip(errors, line, strict=True)]
        best = min(now)
        return value(tuple(e - best for e in now), left - 1) - best

    return value((0,) * finite.size, trials)


def _coin(zero: Fraction, one: Fraction) -> Fraction:
    """min over p of max(p + zero, 1 - p + one): equal where |zero - one| <= 1."""
    return max((1 + zero + one) / 2, zero, one)
