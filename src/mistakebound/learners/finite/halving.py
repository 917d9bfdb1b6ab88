"""The halving algorithm: Littlestone 1988, section 3 (Algorithm 1); Chandola 2015, section 1.1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Lemma, Theorem
from mistakebound.learners.finite.version_space_learner import ClassParameter, VersionSpaceLearner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mistakebound.concepts.concept import ConceptClass

THEOREM_1 = Theorem(
    "Theorem 1",
    source="Littlestone 1988, Theorem 1",
    statement="mistakes <= floor(log2 |C|)",
    assumes="the target is one of {size} concepts: {concepts}",
    needs=("size",),
    formula=lambda f: f["size"].bit_length() - 1,
)
HALVED = Lemma(
    "halving",
    source="Littlestone 1988, proof of Theorem 1",
    statement="after m mistakes |CONSIST| <= |C| / 2^m",
    holds=lambda learner, u, v, f: learner.size << u + v <= f["size"],
    needs=("size",),
)


class Halving(VersionSpaceLearner):
    """The halving algorithm: predicts with the majority of the concepts that agree with all labels so far.

    Parameters
    ----------
    concepts : ConceptClass or str
        The class of the target, or its text, such as "monotone-disjunctions n=8 k=2".
    tie : {0, 1}, default 0
        What is predicted at a tie: 0 as in Littlestone, 1 as in Chandola.
    prune : {"always", "mistakes"}, default "always"
        Which labels remove concepts: all (Littlestone), or only those that were predicted wrongly (Chandola).
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.

    Notes
    -----
    Algorithm::

        CONSIST = C
        for each trial (x, y):
            ones = the concepts c in CONSIST with c(x) = 1
            predict 1 if |ones| > |CONSIST| - |ones|, 0 if it is smaller, `tie` if both are equal
            if prune = "always", or the prediction was wrong:
                CONSIST = the concepts c in CONSIST with c(x) = y      (none left: NoConsistentHypothesis)

    Theorem.  If the target is in the class C, mistakes <= floor(log2 |C|): a mistake removes at least half of CONSIST.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, section 3, Algorithm 1 and Theorem 1.
    Chandola 2015, CSE474/574 lecture 6, section 1.1.

    Examples
    --------
    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> learner = Halving(MonotoneDisjunctions(4, 2))
    >>> learner.size, learner.bound().mistakes
    (11, 3)
    >>> learner.learn_one([1, 1, 0, 0], 1), learner.size
    (1, 7)
    >>> print(learner.hypothesis)
    the majority of 7 concepts: x1; x2; x1 | x2; x1 | x3; x1 | x4; x2 | x3; x2 | x4
    """

    name = "halving"
    summary = "any finite class: the majority of the concepts that fit, no noise"
    hypothesis_class = "votes of a finite class"
    search_order = "strikes out what an example contradicts"
    inductive_bias = "the target is in the class"
    noise_effect = "empties the version space"
    parameters = (
        ClassParameter("concepts", grid=("monotone-disjunctions n=11 k=3",), help="the class of the target"),
        Parameter("tie", "integer", 0, at_least=0, at_most=1, grid=(0, 1), help="prediction at a tie"),
        Parameter(
            "prune",
            "word",
            "always",
            words=("always", "mistakes"),
            help="labels that remove concepts: always, or at mistakes",
        ),
    )
    theorems = (THEOREM_1,)
    lemmas = (HALVED,)
    _by = "the majority"

    def __init__(self, concepts: ConceptClass | str, tie: int = 0, prune: str = "always", labels: Any = None) -> None:
        super().__init__(labels, concepts=concepts, tie=tie, prune=prune)

    def facts(self) -> dict[str, Any]:
        return super().facts() | {"size": self._voters.size}

    def start(self) -> dict[str, Any]:
        return {"size": self.size}

    def _say(self, active: Sequence[int]) -> tuple[int, float, int]:
        yes = self._votes(active)
        for_one, for_zero = yes.bit_count(), (self._alive ^ yes).bit_count()
        prediction = int(for_one > for_zero or (for_one == for_zero and self.settings["tie"] == 1))
        return prediction, (for_one - for_zero) / (for_one + for_zero), yes

    @property
    def _prunes_always(self) -> bool:
        return bool(self.settings["prune"] == "always")

    def _manner(self) -> tuple[Any, ...]:
        return (self.settings["tie"],)
