"""The adversary of Littlestone's Theorem 8, for monotone disjunctions of exactly k of n attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mistakebound.concepts.concept import ConceptClass, check_integer
from mistakebound.concepts.disjunctions import Disjunction, MonotoneDisjunctions
from mistakebound.teachers.adversary import Adversary

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


class DisjunctionAdversary(Adversary):
    """k blocks of 2^floor(log2(n/k)) attributes; one of each block is in the target, and all of it are candidates.

    Half of a block's candidates are shown, all other attributes are 0.  Predicted 1, it is 0, and these are dropped;
    predicted 0, it is 1, and only these are kept: k floor(log2(n/k)) mistakes of any learner.

    >>> import mistakebound as mb
    >>> adversary = DisjunctionAdversary(16, 2)
    >>> mb.play(mb.DisjunctionElimination(16), adversary).mistakes, str(adversary.target)
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
