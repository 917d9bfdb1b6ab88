"""List-Then-Eliminate: Mitchell 1997, section 2.5.3; CS3244 notes, Theorem 2.4 (row V2)."""

from __future__ import annotations

from array import array
from functools import partial
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.attributes import AttributeConjunctions
from mistakebound.concepts.instance import bit, reader
from mistakebound.concepts.version_space import Collapse, EmptyVersionSpace
from mistakebound.core.call_lock import reading
from mistakebound.core.errors import BadParameter, NoConsistentHypothesis
from mistakebound.core.theorem import Theorem
from mistakebound.learners.finite.class_parameter import ClassParameter, class_of
from mistakebound.learners.finite.version_space_learner import width_of_rows
from mistakebound.learners.finite.voters import check_size, voters_of
from mistakebound.learners.version_space._learner import ConceptLearner
from mistakebound.learners.version_space._listed import ListedVersionSpace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.version_space import VersionSpace
    from mistakebound.core.table import Schema
    from mistakebound.core.whole_trial import Change

UNANIMITY = Theorem(
    "unanimity",
    source="CS3244 notes, Theorem 2.9",
    statement="mistakes <= 0: it answers only where all concepts that are left agree",
    assumes="the target is one of {size} concepts: {concepts}",
    needs=("size",),
    formula=lambda f: 0,
)


class ListThenEliminate(ConceptLearner):
    """Lists every concept of a class, and strikes out those that an example contradicts; answers where all agree.

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
        from mistakebound.core.table import NOMINAL, NUMERIC, Schema

        if isinstance(self.concepts, AttributeConjunctions):
            return Schema(
                [(name, NOMINAL, v) for name, v in zip(self.concepts.names, self.concepts.values, strict=True)]
            )
        if self._width is None:
            raise BadParameter(f"the instances of {self.concepts} must be rows to stand in a table")
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
            raise ValueError("there is not one bit a concept")
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
