"""What every stage of a hunt is: a question, and the stage that follows its answer.

Sets of flags are bits of an integer.  Stages never change: with several jobs the stages after both answers are looked
at before there is one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Question:
    """Is it bad with these flags on?  `chance` is the probability of yes, `purpose` why it is asked."""

    __slots__ = ("chance", "on", "purpose")

    def __init__(self, on: int, chance: float, purpose: str) -> None:
        self.on = on
        self.chance = chance
        self.purpose = purpose


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
        """What is still open, by the prior; 0 where there is none."""
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


OTHER_SETS = 12  # tried in a row when the command cannot tell


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
