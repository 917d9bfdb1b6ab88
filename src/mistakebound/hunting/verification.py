"""The runs that prove a result, of which some have been made: every culprit is one, and nothing else is.

For a monotone command the first k + 1 of these answers leave no other disjunction (or conjunction): its teaching set
(row T5).  One more looks whether the command is monotone where it matters: that the first culprit found is one was seen
with other flags on than those that are left at the end.
"""

from __future__ import annotations

from mistakebound.hunting.state import Question, Stage, bits_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Verification(Stage):
    """Asks for the runs of the proof; `wrong` came out otherwise, `untold` counts those that could not be told."""

    def __init__(
        self,
        kind: str,
        found: Sequence[int],
        n: int,
        claims: tuple[tuple[int, bool], ...] | None = None,
        wrong: tuple[tuple[int, bool], ...] = (),
        untold: int = 0,
        *,
        k_known: bool = False,
    ) -> None:
        self.kind = kind
        self.found = tuple(found)
        self.n = n
        self.claims = _claims(kind, self.found, n) if claims is None else claims  # still to be asked: (flags on, bad)
        self.wrong = wrong
        self.untold = untold
        self.k_known = k_known  # the search believed a number of culprits that it was told

    @property
    def question(self) -> Question | None:
        if not self.claims or self.wrong:
            return None
        on, bad = self.claims[0]
        return Question(on, 0.95 if bad else 0.05, "verification")

    def after(self, bad: bool | None) -> Verification:
        (on, expected), *others = self.claims
        wrong = self.wrong if bad is None or bad == expected else (*self.wrong, (on, expected))
        untold = self.untold + (bad is None)
        return Verification(self.kind, self.found, self.n, tuple(others), wrong, untold, k_known=self.k_known)

    def expected(self) -> float:
        return float(len(self.claims))


def _claims(kind: str, found: tuple[int, ...], n: int) -> tuple[tuple[int, bool], ...]:
    """
    >>> [(bin(on), bad) for on, bad in _claims("any", (0, 2), 3)]
    [('0b10', False), ('0b1', True), ('0b100', True), ('0b11', True)]
    >>> [(bin(on), bad) for on, bad in _claims("all", (0, 2), 3)]
    [('0b101', True), ('0b110', False), ('0b11', False), ('0b100', False)]
    """
    full, culprits, first = (1 << n) - 1, bits_of(found, n), 1 << found[0]
    if kind == "any":
        return ((full ^ culprits, False), *((1 << flag, True) for flag in found), (full ^ culprits ^ first, True))
    return ((culprits, True), *((full ^ (1 << flag), False) for flag in found), (culprits ^ first, False))
