"""Adversaries: teachers who choose instances and labels so that every prediction is a mistake.

What they say fits some concept of their class all the same; at the end they name it, and the game's ledger checks it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Set as AbstractSet
from typing import Any

from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.concept import ConceptClass, check_integer
from mistakebound.concepts.literal_sets import (
    Conjunction,
    Conjunctions,
    Disjunction,
    MonotoneConjunctions,
    MonotoneDisjunctions,
)
from mistakebound.concepts.literals import Literal, MonotoneSets
from mistakebound.core.errors import BadParameter
from mistakebound.core.protocol import Teacher, Trial
from mistakebound.theory.littlestone import opt


class Adversary(Teacher):
    """Every label contradicts the prediction, for as long as `forces` trials."""

    codes = True
    concepts: ConceptClass
    forces: int  # mistakes of any deterministic learner

    def __init__(self) -> None:
        self.said: list[tuple[Any, int]] = []

    @abstractmethod
    def _choose(self) -> Any:
        """The next instance, or None when nothing more can be forced."""

    @abstractmethod
    def _commit(self, label: int) -> None:
        """The label that the instance just chosen has from now on."""

    @property
    @abstractmethod
    def target(self) -> Any:
        """A concept of the class that agrees with everything said so far."""

    def target_label(self, x: Any) -> int:
        """The label that the target gives an instance."""
        return int(self.target(x))

    def next_trial(self) -> Trial | None:
        x = self._choose()
        return None if x is None else Trial(x)

    def label(self, trial: Trial, prediction: Any) -> int:
        label = 0 if prediction == 1 else 1
        self._commit(label)
        self.said.append((trial.x, label))
        return label

    def facts(self) -> dict[str, Any]:
        """What is true of the target whatever it turns out to be, for the theorems."""
        n = getattr(self.concepts, "n", None)
        return {} if n is None else {"n": n}

    def in_class(self) -> bool:
        """Whether the target is a concept of the class."""
        return self.target in self.concepts

    def broken_word(self) -> str | None:
        """What of the things said the target does not agree with, in words; None: all is well."""
        if not self.in_class():
            return f"the adversary's target is not in its class {self.concepts}: {self.target}"
        for number, (x, label) in enumerate(self.said, 1):
            if self.target_label(x) != label:
                return f"the adversary said {label} in trial {number}, but its target {self.target} says otherwise"
        return None


class ConjunctionAdversary(Adversary):
    """An adversary for conjunctions: forces n mistakes on any deterministic learner.

    Parameters
    ----------
    n : int
        Number of attributes; it forces n mistakes.
    concepts : ConceptClass or None, default None
        A class with all monotone conjunctions of n attributes.  None: just these.

    Notes
    -----
    Algorithm::

        for i = 1, ..., n:
            show the instance in which every attribute is 1 but x_i
            if the learner predicts 1:  the label is 0, and x_i is in the target
            if the learner predicts 0:  the label is 1, and x_i is not in the target

    Examples
    --------
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


class DisjunctionAdversary(Adversary):
    """An adversary for monotone disjunctions: forces k*floor(log2(n/k)) mistakes on any deterministic learner.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1.
    k : int
        Literals of the target; between 1 and n.
    concepts : ConceptClass or None, default None
        A class with all monotone disjunctions of exactly k of n attributes.  None: just these.

    Notes
    -----
    Algorithm::

        make k blocks of 2^floor(log2(n/k)) attributes; all of a block are candidates for its one target attribute
        while a block has more than one candidate:
            show half of its candidates, all other attributes being 0
            if the learner predicts 1:  the label is 0, and these are no candidates any more
            if the learner predicts 0:  the label is 1, and only these remain candidates

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, Theorem 8.

    Examples
    --------
    >>> import mistakebound as mb
    >>> adversary = DisjunctionAdversary(16, 2)
    >>> mb.play(mb.learners.DisjunctionElimination(16), adversary).mistakes, str(adversary.target)
    (6, 'x8 | x16')
    """

    def __init__(self, n: int, k: int, concepts: ConceptClass | None = None) -> None:
        super().__init__()
        n = check_integer("n", n, 1)
        k = check_integer("k", k, 1, n, "n")
        self.concepts = MonotoneDisjunctions(n, k, exactly=True) if concepts is None else concepts  # any with all these
        self._n, self._k = n, k
        halvings = (n // k).bit_length() - 1  # floor(log2(n/k)): n/k and its whole part have the same
        self.forces = k * halvings
        width = 1 << halvings
        self._candidates = [list(range(1 + block * width, 1 + (block + 1) * width)) for block in range(k)]
        self._shown: list[int] = []

    def _block(self) -> list[int] | None:
        """The first block that more than one candidate is left of."""
        return next((candidates for candidates in self._candidates if len(candidates) > 1), None)

    def _choose(self) -> AbstractSet[str] | None:
        block = self._block()
        if block is None:
            return None
        self._shown = block[: len(block) // 2]
        return frozenset(map(str, self._shown))

    def _commit(self, label: int) -> None:
        block = self._block()
        assert block is not None
        block[:] = self._shown if label else block[len(block) // 2 :]

    @property
    def target(self) -> Disjunction:
        return Disjunction(str(candidates[-1]) for candidates in self._candidates)

    def facts(self) -> dict[str, Any]:
        return {"n": self._n, "k": self._k, "r": 1}


class MistakeTreeAdversary(Adversary):
    """An adversary for any finite class: walks a complete mistake tree and forces opt(C) mistakes on any learner.

    Parameters
    ----------
    concepts : ConceptClass or str
        A finite class with at least one concept, or its text.
    timeout : float or None, default None
        Seconds for opt(C).  Where it is not found by then, the tree is as tall as was proven.

    Notes
    -----
    Algorithm::

        node = the root of the tree
        until node is a leaf:
            show the instance at node
            the label is the one that the learner does not predict; node = the child that it leads to
        the target is the concept at the leaf

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, section 3.

    Examples
    --------
    >>> import mistakebound as mb
    >>> C = mb.concepts.MonotoneDisjunctions(5, 2)
    >>> adversary = MistakeTreeAdversary(C)
    >>> mb.play(mb.learners.StandardOptimalAlgorithm(C), adversary).mistakes, adversary.forces, adversary.target in C
    (3, 3, True)
    """

    def __init__(self, concepts: ConceptClass | str, timeout: float | None = None) -> None:
        super().__init__()
        concepts = self.concepts = class_given(concepts, "concepts")
        tree = opt(concepts, timeout).tree
        if tree is None:
            raise BadParameter(f"concepts must be a class with at least one concept: {concepts}")
        self.tree = tree
        self.forces = tree.depth
        self._node = 0

    def _choose(self) -> Any:
        return None if self.tree.is_leaf(self._node) else self.tree.instance(self._node)

    def _commit(self, label: int) -> None:
        self._node = self.tree.child(self._node, label)

    @property
    def _leaf(self) -> int:
        """The leaf below, to the left of where the walk has come to."""
        node = self._node
        while not self.tree.is_leaf(node):
            node = self.tree.child(node, 0)
        return node - len(self.tree.nodes)

    @property
    def target(self) -> Any:
        finite = self.tree.finite
        return finite.concepts[self.tree.leaves[self._leaf]]

    def target_label(self, x: Any) -> int:
        finite = self.tree.finite
        return finite.label(self.tree.leaves[self._leaf], finite.position(x))

    def in_class(self) -> bool:
        return self.tree.finite.labels(self.tree.leaves[self._leaf]) in self.concepts.finite(self.tree.finite.instances)

    def facts(self) -> dict[str, Any]:
        known = super().facts()
        if isinstance(self.concepts, MonotoneDisjunctions):
            known |= {"k": self.concepts.n if self.concepts.k is None else self.concepts.k, "r": 1}
        return known


def adversary_for(concepts: ConceptClass | str) -> Adversary:
    """The adversary for a class: the textbooks' where they have one, else the one that walks its mistake tree.

    Parameters
    ----------
    concepts : ConceptClass or str
        A class, or its text.

    Returns
    -------
    Adversary
        ConjunctionAdversary for all (monotone) conjunctions, DisjunctionAdversary for monotone disjunctions of k
        literals, MistakeTreeAdversary for every other class.  `forces` says how many mistakes it forces.

    Examples
    --------
    >>> from mistakebound.concepts import Conjunctions, MonotoneDisjunctions, Thresholds
    >>> for C in (Conjunctions(9), MonotoneDisjunctions(64, 2), Thresholds(7)):
    ...     print(type(adversary_for(C)).__name__, adversary_for(C).forces)
    ConjunctionAdversary 9
    DisjunctionAdversary 10
    MistakeTreeAdversary 3
    """
    concepts = class_given(concepts, "concepts")
    everything = not isinstance(concepts, MonotoneSets) or concepts.k is None
    if isinstance(concepts, (Conjunctions, MonotoneConjunctions)) and everything:
        return ConjunctionAdversary(concepts.n, concepts)
    if isinstance(concepts, MonotoneDisjunctions) and concepts.k:
        return DisjunctionAdversary(concepts.n, concepts.k, concepts)
    return MistakeTreeAdversary(concepts)
