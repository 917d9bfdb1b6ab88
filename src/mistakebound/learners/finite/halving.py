"""The halving algorithm: Littlestone 1988, section 3 (Algorithm 1), and as Chandola has it (row H1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mistakebound.core.params import Parameter
from mistakebound.core.theorem import Lemma, Theorem
from mistakebound.learners.finite.class_parameter import ClassParameter
from mistakebound.learners.finite.version_space_learner import VersionSpaceLearner

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
    """Predicts as the majority of the concepts that are left; a label removes those that it contradicts.

    tie=0 predicts 0 when both sides are equal (L), tie=1 predicts 1 (V).  prune="always" looks at every label (L),
    prune="mistakes" only at those that were predicted wrongly (V).

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
    parameters = (
        ClassParameter("concepts", grid=("monotone-disjunctions n=11 k=3",), help="the class of the target"),
        Parameter("tie", "integer", 0, at_least=0, at_most=1, grid=(0, 1), help="what is predicted at a tie"),
        Parameter("prune", "word", "always", words=("always", "mistakes"), help="which labels remove concepts"),
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
