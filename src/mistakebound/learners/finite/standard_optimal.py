"""The standard optimal algorithm: Littlestone 1988, section 3 (Algorithm 2)."""

from __future__ import annotations

from functools import lru_cache
from threading import RLock
from typing import TYPE_CHECKING, Any

from mistakebound.core.theorem import Lemma, Theorem
from mistakebound.learners.finite.version_space_learner import ClassParameter, VersionSpaceLearner
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
    """The standard optimal algorithm: no algorithm has a smaller mistake bound for a finite class.

    It predicts the label after which, were it wrong, fewer mistakes could still be forced.

    Parameters
    ----------
    concepts : ConceptClass or str
        The class of the target, or its text, such as "monotone-disjunctions n=8 k=2".  It must be small: every trial
        computes opt of two parts of it.
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.

    Notes
    -----
    K(S) is the number of levels of the largest complete mistake tree of a set S of concepts (`mistakebound.opt`); K of
    no
    concepts is -1.

    Algorithm::

        CONSIST = C
        for each trial (x, y):
            ones, zeros = the concepts c in CONSIST with c(x) = 1, with c(x) = 0
            predict 1 if K(ones) > K(zeros), else 0
            CONSIST = ones if y = 1, else zeros                        (none left: NoConsistentHypothesis)

    Theorem.  If the target is in the class C, mistakes <= K(C) = opt(C), the Littlestone dimension of C; and an
    adversary can force K(C) mistakes on any deterministic algorithm.

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, section 3, Algorithm 2, Lemma 2 and Theorem 3.

    Examples
    --------
    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> learner = StandardOptimalAlgorithm(MonotoneDisjunctions(4, 2))
    >>> learner.bound().mistakes
    3
    >>> learner.learn_one([1, 1, 0, 0], 0), learner.size, learner.opt()
    (0, 4, 2)
    """

    name = "standard-optimal"
    summary = "any small finite class: as few mistakes as any algorithm can promise, no noise"
    hypothesis_class = "functions of a finite class's domain"
    search_order = "strikes out what an example contradicts"
    inductive_bias = "the target is in the class"
    noise_effect = "empties the version space"
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
