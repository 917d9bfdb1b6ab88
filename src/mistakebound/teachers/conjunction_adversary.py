"""Balcan's adversary for conjunctions (lecture 4, Conjunctions, lower bound): forces n mistakes on any learner."""

from __future__ import annotations

from mistakebound.concepts.concept import ConceptClass
from mistakebound.concepts.conjunctions import Conjunction, MonotoneConjunctions
from mistakebound.concepts.literals import Literal
from mistakebound.teachers.adversary import Adversary


class ConjunctionAdversary(Adversary):
    """Instance i is all ones but bit i.  Predicted true, it is false, because x_i is in the target; and the opposite.

    >>> import mistakebound as mb
    >>> adversary = ConjunctionAdversary(3)
    >>> mb.play(mb.Winnow1(n=3), adversary).mistakes, str(adversary.target)
    (3, 'all of (x3)')
    """

    def __init__(self, n: int, concepts: ConceptClass | None = None) -> None:
        super().__init__()
        self.concepts = MonotoneConjunctions(n) if concepts is None else concepts  # any with all monotone ones
        self.forces = n
        self._kept: list[Literal] = []

    def _choose(self) -> tuple[int, ...] | None:
        i = len(self.said)
        return None if i == self.forces else tuple(int(j != i) for j in range(self.forces))

    def _commit(self, label: int) -> None:
        if label == 0:
            self._kept.append(Literal(str(len(self.said) + 1)))

    @property
    def target(self) -> Conjunction:
        return Conjunction(self._kept)
