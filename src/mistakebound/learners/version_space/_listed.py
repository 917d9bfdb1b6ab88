"""The version space of any finite class: a list of concepts, as bits."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.counts import Count, Vote
from mistakebound.concepts.finite import check_cells, line_of
from mistakebound.concepts.version_space import Query, VersionSpace
from mistakebound.core.errors import MistakeboundError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from mistakebound.learners.finite.voters import Voters

_CELLS = 1 << 26  # concepts times instances that are compared for S and G, or asked for the best question


class ListedVersionSpace(VersionSpace):
    """The concepts `alive` of a class.  S and G are the least and the greatest as sets of instances."""

    def __init__(self, voters: Voters, alive: int, read: Callable[[Any], Any]) -> None:
        self._voters = voters
        self._alive = alive
        self._read = read

    @cached_property
    def _members(self) -> list[Any]:
        return self._voters.some(self._alive, self._alive.bit_count())

    @cached_property
    def _lines(self) -> list[int]:
        """For each member the instances that it labels 1, as bits."""
        concepts = self._voters.concepts
        check_cells(len(self._members), concepts.domain_size(), _CELLS)
        domain = list(concepts.domain())
        if all(callable(member) for member in self._members):
            return [line_of(member, domain) for member in self._members]
        finite = concepts.finite()
        place = {name: c for c, name in enumerate(finite.concepts)}
        return [finite.rows[place[member]] for member in self._members]

    @cached_property
    def _known_lines(self) -> frozenset[int]:
        return frozenset(self._lines)

    def _extreme(self, above: bool) -> list[Any]:
        ordered = sorted(range(len(self._lines)), key=lambda c: (-1 if above else 1) * self._lines[c].bit_count())
        kept: list[int] = []
        for c in ordered:
            line = self._lines[c]
            others = [self._lines[other] for other in kept]
            if not any(line & other == (line if above else other) for other in others):
                kept.append(c)
        return [self._members[c] for c in sorted(kept)]

    @property
    def S(self) -> tuple[Any, ...]:  # noqa: N802
        return tuple(self._extreme(above=False))

    def general(self) -> Iterator[Any]:
        return iter(self._extreme(above=True))

    @property
    def size(self) -> Count:
        count = self._alive.bit_count()
        return Count(count, count)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._members)

    def __contains__(self, hypothesis: object) -> bool:
        if not callable(hypothesis):
            return any(hypothesis == member for member in self._members)
        return line_of(hypothesis, list(self._voters.concepts.domain())) in self._known_lines

    def domain(self) -> Iterator[Any]:
        """The instances of the class."""
        return iter(self._voters.concepts.domain())

    def _yes(self, x: Any) -> int:
        return self._voters.yes(self._read(x), self._alive)

    def label(self, x: Any) -> int | None:
        yes = self._yes(x)
        return 1 if yes == self._alive else None if yes else 0

    def vote(self, x: Any) -> Vote:
        yes = self._yes(x).bit_count()
        return Vote(Count(yes, yes), self.size)

    def best_query(self, avoid: Collection[Any] = ()) -> Query | None:
        total, best, found = self._alive.bit_count(), self._alive.bit_count(), None
        domain = self._voters.concepts.domain_size()
        if total * domain > _CELLS:
            raise MistakeboundError(f"the best of {domain:,} questions to {total:,} concepts is not looked for")
        avoided = list(avoid)
        for x in self._voters.concepts.domain():
            yes = self._voters.yes(x, self._alive).bit_count()
            if abs(2 * yes - total) < best and x not in avoided:
                best, found = abs(2 * yes - total), (x, yes)
        if found is None:
            return None
        x, yes = found
        return Query.of(x if isinstance(x, tuple) else (x,), Vote(Count(yes, yes), self.size))
