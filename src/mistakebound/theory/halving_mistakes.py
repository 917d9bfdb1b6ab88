"""The most mistakes that halving can be made to make on a class, with the sequence that forces them.

Halving predicts with the majority of the concepts that fit what it was told.  Littlestone: a tie predicts 0, and every
trial prunes the set.  Chandola: a tie predicts 1, and only mistakes prune it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.class_text import class_given
from mistakebound.core.errors import BadParameter
from mistakebound.theory.interval import Deadline, Interval, OutOfTime, deep_recursion
from mistakebound.theory.opt_search import OptSearch
from mistakebound.theory.states import Known, States, distinct_columns

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass


@dataclass(frozen=True)
class HalvingWorstCase(Interval):
    """The worst case between `lower` and `upper`; `sequence` holds instances with labels that force `lower` mistakes,
    `target` a concept that gives them these labels.
    """

    sequence: tuple[tuple[Any, int], ...]
    target: Any
    tie: int
    prune: str
    finite: FiniteClass = field(repr=False, compare=False)

    def verify(self) -> bool:
        """Play the sequence by the definition of halving: the target fits it, and the mistakes are as many."""
        if self.lower < 0:
            return not self.sequence
        left = set(range(self.finite.size))
        fits = set(left)
        mistakes = 0
        for x, label in self.sequence:
            j = self.finite.position(x)
            ones = {c for c in left if self.finite.label(c, j)}
            zeros = left - ones
            prediction = int(len(ones) > len(zeros) or (self.tie == 1 and len(ones) == len(zeros)))
            fits &= {c for c in fits if self.finite.label(c, j) == label}
            mistakes += prediction != label
            if prediction != label or self.prune == "always":
                left = ones if label else zeros
        return mistakes == self.lower and self.finite.concepts.index(self.target) in fits


def halving_worst_case(
    concept_class: ConceptClass | str, timeout: float | None = None, *, tie: int = 0, prune: str = "always"
) -> HalvingWorstCase:
    """The exact worst case of the halving algorithm over all targets of a class and all sequences of instances.

    Parameters
    ----------
    concept_class, timeout
        As of `opt`.
    tie : {0, 1}, default 0
        What halving predicts at a tie: 0 as in Littlestone, 1 as in Chandola.
    prune : {"always", "mistakes"}, default "always"
        Which labels remove concepts: all (Littlestone), or only those that were predicted wrongly (Chandola).

    Returns
    -------
    HalvingWorstCase
        `lower` and `upper`, both proven; `value` where they are equal, else None; `sequence`, instances with labels
        that force `lower` mistakes, and `target`, a concept with these labels.  -1 for the empty class.

    Notes
    -----
    It is at least opt(C) and at most floor(log2 |C|).

    References
    ----------
    Littlestone 1988, Learning quickly when irrelevant attributes abound, section 3, Algorithm 1.
    Chandola 2015, CSE474/574 lecture 6, section 1.1.

    Examples
    --------
    >>> from mistakebound.concepts import Intervals
    >>> found = halving_worst_case(Intervals(5))
    >>> found.value, found.verify(), len(found.sequence)
    (4, True, 4)
    """
    if tie not in (0, 1) or isinstance(tie, bool):
        raise BadParameter(f"tie must be 0 or 1: {tie!r}")
    if prune not in ("always", "mistakes"):
        raise BadParameter(f'prune must be "always" or "mistakes": {prune!r}')
    deadline = Deadline(timeout)
    finite = class_given(concept_class).finite()
    search = _Search(finite, deadline, tie, prune == "always")
    low, high = min(finite.size, 1) - 1, finite.size.bit_length() - 1
    with deep_recursion(len(finite.columns)):
        try:
            while low < high:
                if search.at_least(finite.everyone, low + 1):
                    low += 1
                else:
                    high = low
        except OutOfTime:
            pass
        search.deadline = Deadline()
        search.lower_bound.deadline(Deadline())
        forced = search.sequence(low)
    left = finite.everyone
    for j, label in forced:
        left = finite.consistent(left, j, label)
    target = finite.concepts[(left & -left).bit_length() - 1] if finite.size else None
    sequence = tuple((finite.instances[j], label) for j, label in forced)
    return HalvingWorstCase(low, high, sequence, target, tie, prune, finite)


class _Search:
    def __init__(self, finite: FiniteClass, deadline: Deadline, tie: int, always: bool) -> None:
        self.columns, self.everyone = finite.columns, finite.everyone
        self.active = distinct_columns(finite.columns, finite.everyone) if finite.size else []
        self.deadline, self.tie, self.always = deadline, tie, always
        self.known = States(finite, Known, labels_swap=False)  # a tie knows the labels apart
        self.lower_bound = OptSearch(finite, deadline)

    def moves(self, members: int, path: tuple[int, ...]) -> list[tuple[int, int, int, int]]:
        """For each way to split the set: the size of the side that errs, it, the other side, the column.

        Of instances that symmetries exchange, without moving those of the path to the set, one is enough.
        """
        size = members.bit_count()
        orbits = self.known.orbits(path)
        seen: set[int] = set()
        found = []
        for j in self.active:
            ones = self.columns[j] & members
            count = ones.bit_count()
            if 0 < count < size:
                predicts_one = 2 * count > size or (2 * count == size and self.tie == 1)
                wrong = members ^ ones if predicts_one else ones
                alike = wrong if orbits is None else orbits[j]
                if alike not in seen:
                    seen.add(alike)
                    found.append((wrong.bit_count(), wrong, members ^ wrong, j))
        found.sort(key=lambda move: (-move[0], move[3]))
        return found

    def at_least(self, members: int, d: int, path: tuple[int, ...] = ()) -> bool:
        """Whether d mistakes can be forced from here."""
        size = members.bit_count()
        if size < 1 << d or d <= 1:
            return size >= 1 << d
        known = self.known.of(members)
        if d <= known.low or d > known.high:
            return d <= known.low
        self.deadline.check()
        # Nobody does better than opt: where that is d, halving can be made to err as often.
        answer = self.lower_bound.at_least(d, members) or self.move(members, d, path) is not None
        if answer:
            known.low = d
        else:
            known.high = d - 1
        return answer

    def move(self, members: int, d: int, path: tuple[int, ...]) -> tuple[int, int, int] | None:
        """A column, the side of the set that its label leaves, and the mistakes (of d) that are then still to come."""
        moves = self.moves(members, path)
        if moves[0][0] < 1 << (d - 1):  # the side that errs never becomes larger than it is now
            return None
        for count, wrong, _, j in moves:
            if count >= 1 << (d - 1) and self.at_least(wrong, d - 1, (*path, j)):
                return j, wrong, d - 1
        if self.always:
            for count, _, right, j in moves:
                if members.bit_count() - count >= 1 << d and self.at_least(right, d, (*path, j)):
                    return j, right, d
        return None

    def sequence(self, d: int) -> list[tuple[int, int]]:
        """Instances and labels that force d mistakes on the whole class."""
        members = self.everyone
        forced: list[tuple[int, int]] = []
        while d > 0:
            found = self.move(members, d, tuple(j for j, _ in forced))
            assert found is not None, "d mistakes can be forced"
            j, members, d = found
            forced.append((j, int(self.columns[j] & members != 0)))
        return forced
