"""What every stage of a hunt is, and the stages at its beginning and end: what it rests on, and the proof.

A stage is a question, and the stage that follows its answer.  Sets of flags are bits of an integer.  Stages never
change: with several jobs the stages after both answers are looked at before there is one.

For a monotone command the first k + 1 answers of the proof leave no other disjunction (or conjunction): its teaching
set.  One more looks whether the command is monotone where it matters: that the first culprit found is one was seen with
other flags on than those that are left at the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

OTHER_SETS = 12  # tried in a row when the command cannot tell


@dataclass(slots=True)
class Question:
    """Is it bad with these flags on?  `chance` is the probability of yes, `purpose` why it is asked."""

    on: int
    chance: float
    purpose: str


class Stage(ABC):
    """One step of a hunt; the last one has no question."""

    @property
    @abstractmethod
    def question(self) -> Question | None:
        """What to run next; None when this stage knows all that it can."""

    @abstractmethod
    def after(self, bad: bool | None) -> Stage:
        """The stage that follows the answer; None is "cannot tell"."""

    def bits(self) -> float:
        """What is still open, by the prior; 0 without a prior."""
        return 0.0

    def expected(self) -> float:
        """About how many answers are still needed."""
        return self.bits()


def bits_of(numbers: Iterable[int], n: int) -> int:
    """
    >>> bin(bits_of((0, 3), 4))
    '0b1001'
    """
    if isinstance(numbers, range) and abs(numbers.step) == 1:
        if not numbers:
            return 0
        low, high = min(numbers[0], numbers[-1]), max(numbers[0], numbers[-1])
        return (1 << (high + 1)) - (1 << low)
    octets = bytearray((n + 7) // 8)
    for number in numbers:
        octets[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(octets, "little")


def numbers_of(mask: int) -> list[int]:
    """
    >>> numbers_of(0b1001)
    [0, 3]
    """
    return [number for number, digit in enumerate(reversed(f"{mask:b}")) if digit == "1"]


def another_size(size: int, most: int, tries: int) -> int:
    """Another number in 1 .. most instead of `size`, after so many tries: near ones first, then ones far away.

    >>> [another_size(20, 40, tries) for tries in range(OTHER_SETS + 1)]
    [20, 20, 21, 19, 10, 30, 5, 35, 2, 38, 1, 40, 15]
    """
    room = most - size
    sizes = (
        size, size, size + 1, size - 1, size // 2, size + room // 2, size // 4, size + 3 * room // 4, size // 8,
        most - room // 8, 1, most, 3 * size // 4,
    )  # fmt: skip
    return max(1, min(most, sizes[tries]))


def turned(order: Sequence[int], start: int, end: int, by: int) -> Sequence[int]:
    """The order with order[start:end] turned by so many places: other flags come first."""
    region = tuple(order[start:end])
    return (*order[:start], *region[by:], *region[:by], *order[end:])


@dataclass(frozen=True)
class Assumptions(Stage):
    """All on, then all off; ends at the first answer that is not the one assumed."""

    n: int
    all_on: bool | None = True
    all_off: bool | None = False
    asked: int = 0

    @property
    def question(self) -> Question | None:
        if self.asked == 2 or self.all_on is not True:
            return None
        return Question((1 << self.n) - 1, 0.98, "assumption") if not self.asked else Question(0, 0.02, "assumption")

    def after(self, bad: bool | None) -> Assumptions:
        if not self.asked:
            return Assumptions(self.n, all_on=bad, asked=1)
        return Assumptions(self.n, all_off=bad, asked=2)


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
