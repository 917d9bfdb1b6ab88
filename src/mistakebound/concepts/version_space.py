"""The version space as a value: all hypotheses that agree with the examples so far.

What it can be asked is here, for every way of keeping one; `attribute_versions.py` has that of conjunctions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mistakebound.concepts.counts import Count, Vote
from mistakebound.core.errors import MistakeboundError, NoConsistentHypothesis
from mistakebound.core.notebook import NotebookView

GENERAL = 100_000  # members of G that are listed at once
FEW = 128  # instances that are voted on one by one for the best question: sooner done than NumPy is imported
_SHOWN = 12  # values of an instance in a message


class Classification:
    """What a version space says of an instance: `label` is 1 or 0 where all agree, else None; `vote` counts."""

    __slots__ = ("_instance", "_space", "label")

    def __init__(self, label: int | None, space: VersionSpace, instance: Any) -> None:
        self.label = label
        self._space = space
        self._instance = instance

    @property
    def vote(self) -> Vote:
        if self.label is None:
            return self._space.vote(self._instance)
        total = self._space.size
        return Vote(total if self.label else Count(0, 0), total)

    def __str__(self) -> str:
        return {1: "positive", 0: "negative", None: "unknown"}[self.label]

    def __repr__(self) -> str:
        return f"<{self}: {self.vote}>"


class Query(tuple[Any, ...]):
    """An instance to ask about, with the vote on it.  `best`: no instance is proven to split nearer to half."""

    vote: Vote
    best: bool

    @classmethod
    def of(cls, instance: Any, vote: Vote, best: bool = True) -> Query:
        made = cls(instance)
        made.vote, made.best = vote, best
        return made


@dataclass(repr=False, eq=False)
class Collapse:
    """The example that no hypothesis was left for: what it was, the boundaries before it, and the rows that clash.

    `rows` are the numbers of trials, from 1, the last one included: no hypothesis of the class agrees with them alone.
    """

    example: Any
    label: int
    trial: int
    rows: tuple[int, ...]
    before: VersionSpace

    @property
    def S(self) -> tuple[Any, ...]:  # noqa: N802 - Mitchell's name
        return self.before.S

    @property
    def G(self) -> tuple[Any, ...]:  # noqa: N802
        return self.before.G

    def __str__(self) -> str:
        sign = "positive" if self.label else "negative"
        listed = ", ".join(map(str, self.rows[:-1])) + (" and " if len(self.rows) > 1 else "") + str(self.rows[-1])
        rows = f"rows {listed} agree with" if len(self.rows) > 1 else f"row {listed} agrees with"
        return f"trial {self.trial}, {_instance(self.example)} labelled {sign}, leaves no hypothesis: {rows} none"

    def __repr__(self) -> str:
        return f"<collapse: {self}>"


def _instance(x: Any) -> str:
    if not isinstance(x, tuple):
        return str(x)
    more = [f"{len(x) - _SHOWN} more"] if len(x) > _SHOWN else []
    return f"({', '.join([*map(str, x[:_SHOWN]), *more])})"


class VersionSpace(NotebookView, ABC):
    """A version space: all hypotheses of a class that agree with the examples so far.

    It has the boundaries `S` and `G`, the `size`, `classify(x)`, `vote(x)` and `best_query()`; it can be iterated over
    and tested for membership.  A learner's `version_space` is one.

    References
    ----------
    Mitchell 1997, Machine Learning, section 2.5.

    Examples
    --------
    >>> import mistakebound as mb
    >>> learner = mb.learners.CandidateElimination({"sky": ["sunny", "rainy"], "wind": ["strong", "weak"]})
    >>> _ = learner.learn_one(["sunny", "strong"], 1)
    >>> space = learner.version_space
    >>> space.size, [str(h) for h in space.S], [str(h) for h in space.G], space.vote(["sunny", "weak"])
    (4, ['<sunny, strong>'], ['<?, ?>'], 2 of 4)
    """

    collapsed_by: Collapse | None = None
    steps: int = 0  # of a count before it is given as an interval, where counting is hard

    @property
    def many(self) -> bool:
        """Whether so many examples matter that already the first members of G take long."""
        return False

    @property
    @abstractmethod
    def S(self) -> tuple[Any, ...]:  # noqa: N802
        """The maximally specific members."""

    @property
    def G(self) -> tuple[Any, ...]:  # noqa: N802
        """The maximally general members; MistakeboundError if there are more than 100,000 (`general()` gives them)."""
        found = []
        for member in self.general():
            found.append(member)
            if len(found) > GENERAL:
                raise MistakeboundError(
                    f"G has more than {GENERAL:,} members: general() gives them one at a time, and classify and size "
                    "do without them"
                )
        return tuple(sorted(found, key=self._rank))

    def _rank(self, member: Any) -> Any:
        """The place of a member of G in the order in which G is listed."""
        return 0

    @abstractmethod
    def general(self) -> Iterator[Any]:
        """The members of G, one at a time."""

    @property
    @abstractmethod
    def size(self) -> Count:
        """How many different functions there are."""

    @abstractmethod
    def __iter__(self) -> Iterator[Any]:
        """Every member, between the boundaries."""

    @abstractmethod
    def __contains__(self, hypothesis: object) -> bool: ...

    @abstractmethod
    def label(self, x: Any) -> int | None:
        """1 or 0 where all members agree on x, else None."""

    @abstractmethod
    def vote(self, x: Any) -> Vote:
        """How many members say 1."""

    @abstractmethod
    def best_query(self, avoid: Collection[Any] = ()) -> Query | None:
        """The instance that splits the members nearest to half, ties by the order of instances; None for one member.

        Instances in `avoid` are skipped; None, too, where no other one splits them.
        """

    def classify(self, x: Any) -> Classification:
        """Positive (x satisfies all of S), negative (none of G), or unknown: then the vote says how it stands."""
        return Classification(self.label(x), self, x)

    def __bool__(self) -> bool:
        return self.collapsed_by is None

    def __repr__(self) -> str:
        return f"<version space: {self.size} hypotheses>"


def nearest_to_half(space: VersionSpace, instances: Iterable[Any], avoided: Collection[Any]) -> Query | None:
    """The best question of few instances: all are voted on, in their order."""
    total, best = int(space.size), None
    for x in instances:
        if x not in avoided:
            vote = space.vote(x)
            distance = abs(2 * int(vote.positive) - total)
            if best is None or distance < best[0]:
                best = distance, x, vote
    return None if best is None or best[0] == total else Query.of(best[1], best[2])


class EmptyVersionSpace(VersionSpace):
    """Nothing agrees with the examples: it can be asked why, and nothing else."""

    def __init__(self, collapse: Collapse) -> None:
        self.collapsed_by: Collapse = collapse

    @property
    def S(self) -> tuple[Any, ...]:  # noqa: N802
        return ()

    def general(self) -> Iterator[Any]:
        return iter(())

    @property
    def size(self) -> Count:
        return Count(0, 0)

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __contains__(self, hypothesis: object) -> bool:
        return False

    def _raise(self) -> NoConsistentHypothesis:
        return NoConsistentHypothesis(f"the version space is empty: {self.collapsed_by}")

    def label(self, x: Any) -> int | None:
        raise self._raise()

    def vote(self, x: Any) -> Vote:
        raise self._raise()

    def best_query(self, avoid: Collection[Any] = ()) -> Query | None:
        raise self._raise()
