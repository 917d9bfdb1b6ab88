"""What stands before a learner on sparse rows and makes other attributes of those that an instance has.

A learner with a front (`learner.front`; None for nearly all, and then none of this is imported) takes instances over
*parents*, which have a table of their own: there bad rows are found, as ever.  The front numbers the parents in the
order of their first appearance and turns rows of them into blocks over keys of its own making, some rows at a time;
what these keys are called is worked out from the parents' names.  The learner sees rows of such keys and nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array

from mistakebound.core.attributes import AttributeTable
from mistakebound.core.buffers import zeros
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.front_table import FrontTable
from mistakebound.core.hypothesis import Hypothesis
from mistakebound.core.row_slots import RowSlots
from mistakebound.core.rows import attributes_after
from mistakebound.kernels import conjunctions as kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, ClassVar

    from mistakebound.core.block import Block
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.rows import Rows
    from mistakebound.core.sparse import SparseLearner

_OTHER_LABEL = bytes([1, 0, *range(2, 256)])
_NO_SCORES = array("d")


class Front(ABC):
    """The parents of a learner's attributes, and the way from one to the other."""

    kind: ClassVar[str]  # how a model file calls it
    kinds: ClassVar[dict[str, type[Front]]] = {}  # those whose modules were imported
    unit: str = "attribute"  # what one of the learner's attributes is
    complement: bool = False  # the learner inside is told the other label, and its predictions are turned round

    def __init_subclass__(cls) -> None:
        Front.kinds[cls.kind] = cls

    def __init__(self, n: int | None = None) -> None:
        self.n = n  # the declared number of parents, if there is one
        self.parents = AttributeTable()
        self.refusal: BadData | None = None  # what was wrong with the row before which `blocks` ended
        self.ahead = array("q", (0, 0))  # [0]: rows in hand from which this front has learned already, for `took`
        self._buffers: dict[str, memoryview[Any]] = {}
        self._numbers: memoryview[int] = zeros("I", 0)
        self._numbered = 0, -1, -1  # parents that have their number there, and the layout and generation of their table

    # What one front's file provides.

    @abstractmethod
    def blocks(self, rows: Rows, learn: bool) -> Iterator[Block]:
        """Rows of parents as rows over this front's keys, in order, some at a time: each is good until the next.

        When a row cannot be turned into one, `refusal` says why, and the blocks end with the row before it.
        """

    @abstractmethod
    def name(self, key: int) -> str:
        """What a key is called: a Formula where that is one."""

    def name_among(self, key: int, newcomers: Sequence[str]) -> str:
        """The same where some parents have not appeared but stand in an instance: they are the next to be numbered."""
        return self.name(key)

    @abstractmethod
    def key(self, name: str) -> int:
        """The key of a name; -1 for what is none."""

    def parts(self, name: str) -> Sequence[tuple[str, bool]]:
        """The parents that one of the learner's attributes asks for, and whether each is to be off."""
        return ((name, False),)

    @abstractmethod
    def reach(self) -> int:
        """Every key that can have come from the parents so far is below this."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Settings, as JSON: those with which the class is called."""

    def took(self, rows: Rows, played: int) -> None:  # noqa: B027 - most fronts learn nothing themselves
        """The first `played` of these rows were learned, those after them not yet or never; may be called again."""

    def check(self, settings: dict[str, Any]) -> None:  # noqa: B027 - most have nothing to do with these
        """ValueError when a learner with these settings cannot stand behind this front."""

    def assumable(self) -> dict[str, str]:
        """Facts that may be told beside those that the learner's theorems can use, with what they mean."""
        return {}

    def facts(self, told: dict[str, Any]) -> dict[str, Any]:
        """Facts that were told about the parents, as facts about the learner's attributes."""
        return told

    def assumption(self, text: str, told: dict[str, Any]) -> str:
        """What a theorem supposes about the target, in terms of the parents."""
        return text

    def in_words(self, learner: Any, terms: int) -> str:
        """The hypothesis of the learner behind this front."""
        return str(learner._in_words(terms))

    # Model files.

    def arrays(self) -> dict[str, Any]:
        """The parents, as named arrays of a model file."""
        return {name.replace("attributes.", "front."): values for name, values in self.parents.arrays().items()}

    @staticmethod
    def restore(state: dict[str, Any], arrays: dict[str, array[Any]]) -> Front:
        """The front of a model file; ValueError, KeyError or TypeError when its parts contradict each other."""
        settings = dict(state)
        front = Front.kinds[settings.pop("kind")](**settings)
        keys, blob, ends = (arrays.pop(f"front.{part}") for part in ("keys", "texts", "ends"))
        front.parents = AttributeTable.restore(keys, blob, ends)
        if front.n is not None and len(front.parents) > front.n:
            raise ValueError("there are more attributes than n")
        front.restore_arrays(arrays)
        return front

    def restore_arrays(self, arrays: dict[str, array[Any]]) -> None:  # noqa: B027 - most fronts have none
        """Take the arrays of one's own out of these."""

    def restore_table(self, keys: Ints, ends: Ints) -> FrontTable:
        """The table of the learner's attributes, whose keys are this front's."""
        if len(ends) or (len(keys) and max(keys) >= self.reach()):
            raise ValueError("there are attributes that cannot have come from their parents")
        table = FrontTable.restore(keys, b"", ends)
        assert isinstance(table, FrontTable)
        table.front = self
        return table

    def header(self) -> dict[str, Any]:
        return {"kind": self.kind} | self.state()

    def table(self) -> FrontTable:
        """An empty table for the learner's attributes."""
        table = FrontTable()
        table.front = self
        return table

    def stand_before(self, learner: Any, **changed: Any) -> Any:
        """A learner like this new one, with these settings changed, that sees what this front makes of instances."""
        made = type(learner)(**learner.settings | changed)
        made.labels, made.costs = learner.labels.copy(), learner.costs
        made.front = self
        made._use_table(self.table())
        return made

    # Play.

    def _buffer(self, name: str, code: str, count: int) -> memoryview[Any]:
        kept = self._buffers.get(name)
        if kept is None or len(kept) < count:
            kept = self._buffers[name] = zeros(code, count)
        return kept

    def numbers(self) -> memoryview[int]:
        """By slot of a parent: 1 + how many appeared before it; 0 for one that has not appeared."""
        done, layout, generation = self._numbered
        table, size = self.parents, len(self.parents)
        if (layout, generation) != (table.layout, table.generation) or done > size:
            self._numbers, done = zeros("I", table.capacity), 0
        if not kernel.number(table.slots(), done, size, self._numbers):
            raise AssertionError("a slot is outside the table")
        self._numbered = size, table.layout, table.generation
        return self._numbers

    def entries(self, instance: Any) -> list[tuple[str, float]]:
        """(name, value) of everything that this front makes of one instance; what is wrong with it is raised."""
        self.refusal, found = None, []
        rows, numbers = instance.rows(self.parents, add=False), self.numbers()
        new = [name for name, slot in zip(instance.names, rows.slots, strict=True) if not numbers[slot]]
        for block in self.blocks(rows, False):
            values = [1.0] * block.indptr[1] if block.values is None else block.values[: block.indptr[1]]
            keys = block.keys[: block.indptr[1]]
            found += [(self.name_among(key, new), value) for key, value in zip(keys, values, strict=True)]
        self._raise_refusal()
        return found

    def run(
        self, learner: SparseLearner, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool
    ) -> int:
        """What `learner._run` does, for rows of parents."""
        self.refusal = None
        self.ahead[0] = 0
        if self.complement and learn:
            labels = array("b", bytes(memoryview(labels)[: rows.count]).translate(_OTHER_LABEL))
        views: Any = memoryview(labels), memoryview(predictions), memoryview(scores)
        course = _Course()
        try:
            stopped = False
            for block in self.blocks(rows, learn):
                if stopped := not self._run_block(learner, block, rows.importance, course, views, learn):
                    break
            if stopped:
                self.refusal = None  # whatever was wrong with a later row
            if learn:
                self._end_run(learner, rows, course, views[1])
        except BaseException:
            if learn:
                try:
                    self._end_run(learner, rows, course, views[1])
                except BaseException:
                    self._end_run(learner, rows, course, views[1])
                    raise
            raise
        if not learn:
            if self.complement:
                self._turn(views[1], 0, rows.count)
                for row in range(course.done if len(scores) else 0):
                    scores[row] = 0.0 - scores[row]  # no -0
            self._raise_refusal(course.done)
        return course.done

    def _turn(self, predictions: memoryview[int], first: int, last: int) -> None:
        turned = bytes(predictions[first:last]).translate(_OTHER_LABEL)
        predictions[first:last] = memoryview(turned).cast("b")

    def _end_run(self, learner: SparseLearner, rows: Rows, course: _Course, predictions: memoryview[int]) -> None:
        """What follows from the rows that were learned, and nothing is left of the others; may be called again."""
        course.end_part(learner)
        done, turned = course.done, course.turned
        end = min(done + 1, rows.count)  # what was said to a row that no hypothesis fits is counted too
        if self.complement and turned < end:
            said = memoryview(bytes(predictions[turned:end]).translate(_OTHER_LABEL)).cast("b")
            part = predictions[turned:end]
            part[:] = said
            course.turned = end
        self.took(rows, done)
        learner._row[0] = done

    def _raise_refusal(self, row: int | None = None) -> None:
        error, self.refusal = self.refusal, None
        if error is not None:
            error.row = row
            raise error

    def _run_block(
        self, learner: SparseLearner, block: Block, importance: Floats, course: _Course, views: Any, learn: bool
    ) -> bool:
        """Whether all of the block's rows were played."""
        table = learner.attributes
        assert isinstance(table, FrontTable)
        if learn:
            table.make_dense(self.reach())
        slots = RowSlots(table, block, add=learn, binary=False, n=None, entered_later=learn and learner.enters)
        labels, predictions, scores = views
        first = 0
        while first < block.rows:
            if learn:
                course.begin_part(learner)
            part, _, _ = slots.rows(first)
            course.part = part
            learner._follow_slots()
            at = course.done
            part.importance = importance[at : at + part.count]
            part_scores = scores[at : at + part.count] if len(scores) else _NO_SCORES
            try:
                played = learner._run(part, labels[at:], predictions[at : at + part.count], part_scores, learn)
            except BadData as error:  # of a prediction
                error.row = at + (error.row or 0)
                raise
            if played < 0:
                slots.entered_later = False
                continue
            if learn:
                course.end_part(learner)
            else:
                course.done += played
            first += played
            if played < part.count:
                return False
        return True


class _Course:
    """How far rows of parents were played: some rows of the learner's own at a time."""

    __slots__ = ("done", "part", "size", "turned")

    def __init__(self) -> None:
        self.done = 0  # rows in the parts before the present one
        self.turned = 0  # rows whose predictions are those of the complement
        self.part: Rows | None = None  # the present one, once its attributes have their slots
        self.size = -1  # of the learner's table before it; -1: there is none

    def begin_part(self, learner: SparseLearner) -> None:
        size = len(learner.attributes)
        learner._row[0] = 0
        self.part = None
        self.size = size

    def end_part(self, learner: SparseLearner) -> None:
        """Of the present part, if there is one, the rows that were learned count, and nothing is left of the others."""
        if self.size < 0:
            return
        played, part = learner._row[0], self.part
        if part is None or played < part.count:
            learner.attributes.truncate(self.size if part is None else attributes_after(part, played, self.size))
        done = self.done + played
        self.done = done
        self.size = -1
        learner._row[0] = 0


def check_new(learner: Any) -> None:
    """BadParameter for what no front can stand before."""
    from mistakebound.core.protocol import Learner
    from mistakebound.core.sparse import SparseLearner

    if not isinstance(learner, SparseLearner) or not learner.named:
        name = learner.name if isinstance(learner, Learner) else type(learner).__name__
        raise BadParameter(f"the learner must be one that takes attributes of any name: {name!r}")
    if learner.front is not None or len(learner.attributes):
        raise BadParameter(f"the learner must be a new one, that has learned nothing yet: {learner!r}")


class FrontHypothesis(Hypothesis):
    """The hypothesis of a learner with a front: a function of instances over the parents."""

    __slots__ = ()

    def __init__(self, frozen: SparseLearner) -> None:
        super().__init__(frozen)

    @property
    def form(self) -> Any:
        front = self._frozen.front  # type: ignore[attr-defined]
        return (front.complement, super().form) if front.complement else super().form

    def text(self, terms: int = 10) -> str:
        front: Front = self._frozen.front  # type: ignore[attr-defined]
        with self._frozen._lock.reading():
            return front.in_words(self._frozen, terms)
