"""Proper learning: whether all hypotheses of a learner are concepts of the class, by going through its states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.bits import ones
from mistakebound.concepts.class_text import class_given
from mistakebound.core.protocol import adapted
from mistakebound.theory.learner_mistakes import LearnerStates, TooManyStates

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass


@dataclass(frozen=True)
class Properness:
    """`proper`: whether every reachable hypothesis is in the class; None past the limit on states.

    Where it is not, `examples` are trials that lead to a hypothesis whose `labels` (of all instances) no concept has.
    """

    proper: bool | None
    examples: tuple[tuple[Any, int], ...]
    labels: tuple[int | None, ...]
    states: int

    def __bool__(self) -> bool:
        return self.proper is True


def properness(learner: Any, concept_class: ConceptClass | str, *, limit: int = 100_000) -> Properness:
    """Whether a learner is proper for a finite class: predicts by concepts of the class, whatever the target.

    Parameters
    ----------
    learner : learner
        One of this package, or any object with predict_one and learn_one.  It is not changed.
    concept_class : ConceptClass or str
        A finite class, or its text.
    limit : int, default 100,000
        The most states of the learner that are gone through.

    Returns
    -------
    Properness
        `proper`; where it is false, `examples` that lead to a hypothesis outside of the class, and its `labels`.

    Notes
    -----
    Only examples that some concept of the class explains are shown.  A learner that is not proper is called improper;
    its mistake bound holds all the same.

    References
    ----------
    Balcan 2011, 8803 Machine Learning Theory, lecture 4 (the hypothesis need not be in C).

    Examples
    --------
    >>> import mistakebound as mb
    >>> bool(properness(mb.learners.DisjunctionElimination(3), "monotone-disjunctions n=3"))
    True
    >>> found = properness(mb.Winnow1(n=3, theta=1.5), "monotone-disjunctions n=3")
    >>> found.proper, found.examples, found.labels  # two attributes together are enough: at least 2 of 3
    (False, (), (0, 0, 0, 1, 0, 1, 1, 1))
    """
    finite = class_given(concept_class).finite()
    machine = LearnerStates(adapted(learner), finite, None, limit)
    lines = set(finite.rows)
    waiting: list[tuple[int, int, tuple[tuple[int, int], ...]]] = [(0, finite.everyone, ())]
    seen = {(0, finite.everyone)}
    try:
        for number, members, path in waiting:  # it grows while it is gone through
            no_zeros, no_ones = machine.mistaken(number)
            if no_zeros & no_ones or no_zeros not in lines:
                labels = tuple(
                    None if no_zeros & no_ones >> j & 1 else no_zeros >> j & 1 for j in range(len(finite.instances))
                )
                shown = tuple((finite.instances[j], label) for j, label in path)
                return Properness(False, shown, labels, len(machine))
            for j in ones(machine.every):
                for label in (0, 1):
                    left = finite.consistent(members, j, label)
                    if left:
                        after = machine.after(number, j, label), left
                        if after not in seen:
                            seen.add(after)
                            waiting.append((*after, (*path, (j, label))))
    except TooManyStates:
        return Properness(None, (), (), len(machine))
    return Properness(True, (), (), len(machine))
