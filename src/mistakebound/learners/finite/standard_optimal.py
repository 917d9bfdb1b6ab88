"""The standard optimal algorithm: Littlestone 1988, section 3 (Algorithm 2; row H2)."""

from __future__ import annotations

from functools import lru_cache
from threading import RLock
from typing import TYPE_CHECKING, Any

from mistakebound.core.theorem import Lemma, Theorem
from mistakebound.learners.finite.class_parameter import ClassParameter
from mistakebound.learners.finite.version_space_learner import VersionSpaceLearner
from mistakebound.learners.finite.voters import TableVoters
from mistakebound.theory.opt_search import OptSearch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass

THEOREM_3 = Theorem(
    "Theorem 3",
    source="Littlestone 1988, Theorem 3",
    statement="mistakes <= K(C) = opt(C)",
    assumes="the target is a concept of: {concepts}",
    needs=("opt",),
    formula=lambda f: f["opt"],
)
LEMMA_2 = Lemma(
    "Lemma 2",
    source="Littlestone 1988, Lemma 2",
    statement="after m mistakes K(CONSIST) <= K(C) - m",
    holds=lambda learner, u, v, f: learner.opt() <= f["opt"] - u - v,
    needs=("opt",),
)


@lru_cache(maxsize=8)
def k_of(finite: FiniteClass) -> Callable[[int], int]:
    """K of a set of a class's concepts.  What is found out of one serves for others, and for the next learner.

    Learners in several threads may share it.
    """
    search, one_at_a_time = OptSearch(finite), RLock()

    @lru_cache(maxsize=1 << 18)
    def k(members: int) -> int:
        with one_at_a_time:
            return search.value(members)

    return k


class StandardOptimalAlgorithm(VersionSpaceLearner):
    """Predicts the label after which more mistakes could still be forced; no algorithm has a smaller mistake bound.

    1 where K(those that say 1) > K(those that say 0), a tie is 0, K of no concepts is -1.

    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> learner = StandardOptimalAlgorithm(MonotoneDisjunctions(4, 2))
    >>> learner.bound().mistakes
    3
    >>> learner.learn_one([1, 1, 0, 0], 0), learner.size, learner.opt()
    (0, 4, 2)
    """

    name = "standard-optimal"
    summary = "any small finite class: as few mistakes as any algorithm can promise, no noise"
    parameters = (ClassParameter("concepts", grid=("monotone-disjunctions n=11 k=1",), help="the class of the target"),)
    theorems = (THEOREM_3,)
    lemmas = (LEMMA_2,)
    _by = "the optimal vote"

    def __init__(self, concepts: ConceptClass | str, labels: Any = None) -> None:
        super().__init__(labels, concepts=concepts)

    def _make_voters(self) -> TableVoters:
        voters = TableVoters(self.concepts)
        self._k = k_of(voters.finite)
        return voters

    def opt(self) -> int:
        """K of the concepts that are left: how many mistakes can still be forced."""
        return self._k(self._alive)

    def facts(self) -> dict[str, Any]:
        return super().facts() | {"opt": self._k(self._voters.everyone)}

    def start(self) -> dict[str, Any]:
        return {"opt": self.opt()}

    def _say(self, active: Sequence[int]) -> tuple[int, float, int]:
        yes = self._votes(active)
        after_one, after_zero = self._k(yes), self._k(self._alive ^ yes)
        return int(after_one > after_zero), float(after_one - after_zero), yes
