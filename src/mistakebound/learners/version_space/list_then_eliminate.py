"""List-Then-Eliminate: Mitchell 1997, section 2.5.3; Ma 2019, Theorem 2.4."""

from __future__ import annotations

from array import array
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.attributes import AttributeConjunctions
from mistakebound.concepts.counts import Count, Vote
from mistakebound.concepts.finite import check_cells, line_of
from mistakebound.concepts.instance import bit, reader
from mistakebound.concepts.version_space import Collapse, EmptyVersionSpace, Query, VersionSpace
from mistakebound.core.atomic import reading
from mistakebound.core.errors import BadParameter, MistakeboundError, NoConsistentHypothesis
from mistakebound.learners.finite.version_space_learner import ClassParameter, class_of, width_of_rows
from mistakebound.learners.finite.voters import check_size, voters_of
from mistakebound.learners.version_space._learner import ConceptLearner, never_wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Self

    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.core.atomic import Change
    from mistakebound.core.schema import Schema
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
            raise MistakeboundError(
                f"too many questions ({domain:,}) and concepts ({total:,}) to find the best question"
            )
        avoided = list(avoid)
        for x in self._voters.concepts.domain():
            yes = self._voters.yes(x, self._alive).bit_count()
            if abs(2 * yes - total) < best and x not in avoided:
                best, found = abs(2 * yes - total), (x, yes)
        if found is None:
            return None
        x, yes = found
        return Query.of(x if isinstance(x, tuple) else (x,), Vote(Count(yes, yes), self.size))


UNANIMITY = never_wrong(
    "unanimity",
    "CS3244 notes, Theorem 2.9",
    "it answers only where all concepts that are left agree",
    "the target is one of {size} concepts: {concepts}",
    "size",
)


class ListThenEliminate(ConceptLearner):
    """List-Then-Eliminate: lists every concept of a finite class and strikes out those that an example contradicts.

    It answers where all concepts that are left agree, and says None ("don't know") elsewhere.

    Parameters
    ----------
    concepts : ConceptClass or str
        The class of the target, or its text, such as "monotone-disjunctions n=8 k=2".
    labels : pair or None, default None
        The labels (negative, positive).  None: 0/1, -1/+1 or False/True, as the data have them.

    Notes
    -----
    Algorithm::

        V = all concepts of the class
        for each trial (x, y):
            predict the label that all concepts of V give x, or None where they differ
            V = the concepts c in V with c(x) = y                    (none left: NoConsistentHypothesis)

    Theorem.  If the target is in the class, mistakes <= 0.  A prediction of None is no mistake.

    References
    ----------
    Mitchell 1997, Machine Learning, section 2.5.3.  Ma 2019, CS3244 notes, Theorems 2.4 and 2.9.

    Examples
    --------
    >>> from mistakebound.concepts import MonotoneDisjunctions
    >>> learner = ListThenEliminate(MonotoneDisjunctions(3))
    >>> learner.learn_one([1, 1, 0], 0), learner.version_space.size
    (None, 2)
    >>> [str(f) for f in learner.version_space], learner.predict_one([1, 1, 0]), learner.predict_one([0, 0, 1])
    (['false', 'x3'], 0, None)
    """

    name = "list-then-eliminate"
    keeps_version_space = True
    summary = "any finite class: answers where all concepts that agree with the examples agree"
    hypothesis_class = "votes of a finite class"
    search_order = "strikes out what an example contradicts"
    inductive_bias = "the target is in the class"
    noise_effect = "empties the version space"
    parameters = (
        ClassParameter("concepts", grid=("attribute-conjunctions sky=sunny,rainy wind=strong,weak",),
                       help="the class of the target"),
    )  # fmt: skip
    theorems = (UNANIMITY,)

    def __init__(self, concepts: ConceptClass | str, labels: Any = None) -> None:
        super().__init__(labels, concepts=concepts)
        self.concepts = class_of(self.settings["concepts"])
        check_size(self.concepts)
        self._voters = voters_of(self.concepts)
        self._alive = self._voters.everyone
        self._width = width_of_rows(self.concepts)
        self._struck: list[tuple[int, Any, int]] = []  # the examples that struck something out: trial, instance, label
        self._collapse: Collapse | None = None
        self._made: VersionSpace | None = None

    def facts(self) -> dict[str, Any]:
        return super().facts() | {"size": self._voters.size}

    @property
    @reading
    def version_space(self) -> VersionSpace:
        return self._before if self._collapse is None else EmptyVersionSpace(self._collapse)

    @property
    def _before(self) -> VersionSpace:
        if self._made is None:
            self._made = ListedVersionSpace(self._voters, self._alive, partial(self._read, names=None))
        return self._made

    def _read(self, x: Any, names: Sequence[str] | None) -> Any:
        if isinstance(self.concepts, AttributeConjunctions):
            if names is not None:
                x = dict(zip(names, x, strict=True))
            return self.concepts.decode(self.concepts.encode(x))
        if self._width is None:
            return tuple(x) if isinstance(x, list) else x
        read = reader(x if names is None else dict(zip(names, x, strict=True)))
        return tuple(bit(name, read(name)) for name in self.concepts.attributes)

    @property
    def schema(self) -> Schema:
        from mistakebound.core.schema import NOMINAL, NUMERIC, Schema

        if isinstance(self.concepts, AttributeConjunctions):
            return Schema(
                [(name, NOMINAL, v) for name, v in zip(self.concepts.names, self.concepts.values, strict=True)]
            )
        if self._width is None:
            raise BadParameter(f"the instances of {self.concepts} are not rows of a table")
        return Schema([(name, NUMERIC, ()) for name in self.concepts.attributes])

    def _say(self, instance: Any) -> int | None:
        self._check_alive()
        yes = self._voters.yes(instance, self._alive)
        return 1 if yes == self._alive else None if yes else 0

    def _share(self, x: Any, names: Sequence[str] | None) -> float:
        return self._voters.yes(self._read(x, names), self._alive).bit_count() / self._alive.bit_count()

    def _check_alive(self) -> None:
        if self._collapse is not None:
            raise NoConsistentHypothesis(f"the version space is empty: {self._collapse}")

    def _left(self, alive: int, instance: Any, label: int) -> int:
        yes = self._voters.yes(instance, alive)
        return yes if label else alive & ~yes

    def _hear(self, instance: Any, label: int) -> list[Change]:
        left = self._left(self._alive, instance, label)
        trial = self.trials + 1
        if not left:
            rows = self._clash([*self._struck, (trial, instance, label)])
            collapse = Collapse(instance, label, trial, rows, self._before)
            error = NoConsistentHypothesis(str(collapse))
            self._collapse = collapse
            raise error
        if left == self._alive:
            return []
        return [
            (list.append, self._struck, (trial, instance, label)),
            (setattr, self, "_alive", left),
            (setattr, self, "_made", None),
        ]

    def _clash(self, examples: list[tuple[int, Any, int]]) -> tuple[int, ...]:
        """Examples that no concept agrees with, none of which can be left out."""
        kept = list(examples)
        for example in examples[:-1]:
            rest = [other for other in kept if other is not example]
            alive = self._voters.everyone
            for _, instance, label in rest:
                alive = self._left(alive, instance, label)
            if not alive:
                kept = rest
        return tuple(trial for trial, _, _ in kept)

    def _copy(self) -> Self:
        """As of any learner, but the class is not made again."""
        return self._sharing_copy(labels=self.labels.copy(), _struck=list(self._struck))

    def _check_saved(self) -> None:
        if not isinstance(self.settings["concepts"], str):
            raise BadParameter(f"concepts must be a class that has a text form to be saved: {self.concepts}")

    def _state(self) -> dict[str, Any]:
        struck = [[trial, _saved(instance), label] for trial, instance, label in self._struck]
        if self._collapse is None:
            return {"struck": struck, "collapse": None}
        collapse = self._collapse
        return {"struck": struck, "collapse": [_saved(collapse.example), collapse.label, list(collapse.rows)]}

    def _arrays(self) -> dict[str, Any]:
        return {"left": array("B", self._alive.to_bytes((self._voters.size + 7) // 8, "little"))}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        left = int.from_bytes(arrays["left"].tobytes(), "little")
        if len(arrays["left"]) != (self._voters.size + 7) // 8:
            raise ValueError("expected one bit per concept")
        for trial, saved, label in state["struck"]:
            instance = self._read(tuple(saved) if isinstance(saved, list) else saved, None)
            if type(trial) is not int or not 0 < trial <= self.trials or label not in (0, 1):
                raise ValueError("an example has no trial or no label")
            self._alive = self._left(self._alive, instance, label)
            self._struck.append((trial, instance, label))
        if left != self._alive or not left:
            raise ValueError("the concepts left are not those that the examples leave")
        if state["collapse"] is not None:
            example, label, rows = state["collapse"]
            instance = self._read(tuple(example) if isinstance(example, list) else example, None)
            self._collapse = Collapse(instance, label, self.trials + 1, tuple(map(int, rows)), self._before)

    def _form(self) -> Any:
        return self.name, self.concepts, 0 if self._collapse else self._alive

    def _in_words(self, terms: int) -> str:
        if self._collapse is not None:
            return "nothing: no concept agrees with the examples"
        size = self._alive.bit_count()
        said = "; ".join(map(str, self._voters.some(self._alive, terms)))
        more = f"; {size - terms:,} more" if size > terms else ""
        return said if size == 1 else f"all of {size:,} concepts: {said}{more}"


def _saved(instance: Any) -> Any:
    return list(instance) if isinstance(instance, tuple) else instance
