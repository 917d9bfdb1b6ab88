"""What all transforms share: a learner in front of another, which makes features of the features of an instance.

A transform is a learner like any other.  Rows over its own attributes, the input features, come in; it numbers these in
the order of their first appearance and turns rows of them into blocks over keys of its own making, some rows at a time.
The learner inside, `inner`, sees rows of such keys and nothing else.  What the keys are called is worked out from the
names of the input features.  `inner` may be a transform itself; ensembles have transforms among their members.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array

from mistakebound.core.atomic import commit, reading
from mistakebound.core.attribute_numbers import AttributeNumbers
from mistakebound.core.attributes import AttributeTable
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.facts import check_facts
from mistakebound.core.instance import Instance
from mistakebound.core.protocol import Learner, behind_transforms
from mistakebound.core.row_slots import RowSlots
from mistakebound.core.sparse import SparseLearner
from mistakebound.core.spread import FeatureMoments
from mistakebound.transforms.derived_rows import OTHER_LABEL, DerivedRun, DerivedTable, turn_round

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Self

    from mistakebound.core.atomic import Change
    from mistakebound.core.block import Block
    from mistakebound.core.buffers import Floats, Ints
    from mistakebound.core.errors import NoConsistentHypothesis
    from mistakebound.core.rows import Rows
    from mistakebound.core.theorem import Bound
    from mistakebound.kernels.call_lock import CallLock

_NO_SCORES = array("d")
_INNER = "inner."


class Transform(SparseLearner):
    """A learner that hands features made of features to the learner inside."""

    inner: SparseLearner
    feature_unit: str = "attribute"  # what one of the features that it makes is
    complement: bool = False  # the learner inside is told the other label, and its predictions are turned round

    def __init__(self, learner: Any, **given: Any) -> None:
        self._check_new(learner)
        Learner.__init__(self, **given)
        self._wrap(self._prepared(learner))

    def _check_new(self, learner: Any) -> None:
        """BadParameter for what this transform cannot stand before."""
        if not isinstance(learner, SparseLearner) or not learner.named:
            name = learner.name if isinstance(learner, Learner) else type(learner).__name__
            raise BadParameter(f"the learner must be one that takes attributes of any name: {name!r}")
        if learner.brings_weights:
            raise BadParameter(
                f"start must be a number behind a transform, which makes attributes of its own: {learner!r}"
            )
        if len(learner.attributes):
            raise BadParameter(f"the learner must be new, but it has learned already: {learner!r}")
        behind: Any = learner
        while isinstance(behind, Transform):
            if behind.name == self.name:
                raise BadParameter(f"{self.name} can be applied to a learner only once: {learner!r}")
            behind = behind.inner

    def _wrap(self, inner: SparseLearner) -> None:
        """`inner`, which nobody else has, is the learner inside."""
        self.inner = inner
        self.slow = inner.slow
        self.attributes = AttributeTable()
        self.refusal: BadData | None = None  # what was wrong with the row before which `blocks` ended
        self.ahead = array("q", (0, 0))  # [0]: rows in hand from which this transform has learned already, for `took`
        self._single_row = None
        self._layout = 0
        self._numbers = AttributeNumbers()
        keys = inner.attributes.keys()
        table = DerivedTable.restore(keys, b"", array("Q")) if len(keys) else DerivedTable()
        assert isinstance(table, DerivedTable)
        table.transform = self
        inner._use_table(table)
        if inner._layout == table.layout:  # it has the same keys in the same order, and hence the same slots
            commit(table.moved())
        self._share_lock(self._lock)
        self._declare(inner)

    def _share_lock(self, lock: CallLock) -> None:
        """Whoever reads the learner inside waits for this one's trials."""
        self._lock = self.inner._lock = lock
        if isinstance(self.inner, Transform):
            self.inner._share_lock(lock)

    def _declare(self, inner: Any) -> None:
        """What it can do is what the learner inside can."""
        self.binary, self.exact = inner.binary, inner.exact
        self.weighted, self.whole_weights = inner.weighted, inner.whole_weights
        self.conservative, self.ranked = inner.conservative, inner.ranked
        for name in ("multiplicative", "disjunctive", "trials_by", "inconsistent", "theorems", "lemmas", "relations"):
            setattr(self, name, getattr(inner, name))
        self.theta = 0.0 - inner.theta if self.complement else inner.theta
        self.assumable = inner.assumable | self._own_assumable()  # type: ignore[misc]

    def like(self, **changed: Any) -> Self:
        """A new one like it; what is changed and is no parameter of its own is changed inside, n in both."""
        if not changed:
            return super().like()
        inside = {name: value for name, value in changed.items() if name in self.inner.settings or name == "n"}
        own = {name: value for name, value in changed.items() if name in self.settings}
        return type(self)(self.inner.like(**inside), **self.settings | own)

    # What one transform's file provides.

    def _prepared(self, learner: SparseLearner) -> SparseLearner:
        """A learner like this new one, to be the one inside."""
        return learner.like()

    @abstractmethod
    def blocks(self, rows: Rows, learn: bool) -> Iterator[Block]:
        """Rows of input features as rows over this transform's keys, in order, some at a time: good until the next.

        When a row cannot be turned into one, `refusal` says why, and the blocks end with the row before it.
        """

    @abstractmethod
    def may_refuse(self, rows: Rows) -> bool:
        """Whether `blocks` may end before the last of these rows, though their values are ordinary numbers."""

    @abstractmethod
    def feature_name(self, key: int) -> str:
        """What a key is called: a Formula where that is one."""

    def feature_name_among(self, key: int, newcomers: Sequence[str]) -> str:
        """The same where some input features have not appeared but stand in an instance: the next to be numbered."""
        return self.feature_name(key)

    @abstractmethod
    def feature_key(self, name: str) -> int:
        """The key of a name, or -1."""

    def own_parts(self, name: str) -> Sequence[tuple[str, bool]]:
        """The input features that a feature of this transform asks for, and whether each is to be off."""
        return ((name, False),)

    def own_moments(self, name: str, given: Sequence[FeatureMoments]) -> FeatureMoments:
        """Those of a feature of this transform by those of its `own_parts`, which are taken to be independent."""
        return given[0]

    @abstractmethod
    def reach(self) -> int:
        """Every key that can have come from the input features so far is below this."""

    def took(self, rows: Rows, played: int) -> None:
        """The first `played` of these rows were learned, those after them not yet or never; may be called again."""

    def _own_assumable(self) -> dict[str, str]:
        """Facts that may be told beside those that the theorems of the learner inside can use."""
        return {}

    def _facts_inside(self, told: dict[str, Any]) -> dict[str, Any]:
        """Facts that were told about the input features, as facts about the features made of them."""
        return told

    def _assumption(self, text: str, told: dict[str, Any]) -> str:
        """What a theorem supposes about the target, in terms of the input features."""
        return text

    def _own_arrays(self) -> dict[str, Any]:
        """What this transform itself has learned, as named arrays."""
        return {}

    def _restore_own(self, arrays: dict[str, array[Any]]) -> None:
        """The inverse of `_own_arrays`; ValueError when they make no sense."""

    # What is asked of every learner.

    @property
    def labels(self) -> Any:
        return self.inner.labels

    @labels.setter
    def labels(self, labels: Any) -> None:
        self.inner.labels = labels

    @property
    def costs(self) -> Any:
        return self.inner.costs

    @costs.setter
    def costs(self, costs: Any) -> None:
        self.inner.costs = costs

    @property
    def size_limit(self) -> int | None:
        return self.inner.size_limit

    @property
    def decision(self) -> tuple[str, float]:
        rule, threshold = self.inner.decision
        return ({">": ">=", ">=": ">"}[rule], 0.0 - threshold) if self.complement else (rule, threshold)

    @property
    def taker(self) -> str:
        return self.inner.taker

    def weights(self) -> dict[str, float]:
        """The weight of every feature that has been made, where the learner inside has weights."""
        weights: dict[str, float] = self._weighing().weights()
        return weights

    def weight(self, name: str) -> float:
        """The weight of a feature, by the name that `weights` has for it."""
        weight: float = self._weighing().weight(name)
        return weight

    def _weighing(self) -> Any:
        learner, _ = behind_transforms(self)
        if learner.readable != "weights":
            raise BadParameter(f"{learner.name} has no weights")
        return learner

    def top(self, count: int) -> list[tuple[str, float]]:
        return self.inner.top(count)

    def parts(self, name: str) -> list[tuple[str, bool]]:
        """The attributes of an instance that a feature of the innermost learner asks for; whether each is to be off."""
        inner = self.inner.parts(name) if isinstance(self.inner, Transform) else [(name, False)]
        return [(part, off != negated) for own, negated in inner for part, off in self.own_parts(own)]

    def moments(self, name: str, given: Callable[[str], FeatureMoments]) -> FeatureMoments:
        """Those of a feature of the innermost learner by those of the attributes of an instance."""

        def own(name: str) -> FeatureMoments:
            parts = [(given(part), off) for part, off in self.own_parts(name)]
            return self.own_moments(
                name, [FeatureMoments(1 - one.share, 1.0, 0.0) if off else one for one, off in parts]
            )

        return self.inner.moments(name, own) if isinstance(self.inner, Transform) else own(name)

    def _answer_as_in_trials(self, yes: bool) -> None:
        self.inner._answer_as_in_trials(yes)

    def _show(self, numbers: Floats) -> None:
        self.inner._show(numbers)

    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        """What is kept by slot is worked out anew for a new layout: `numbers`."""
        return []

    def _why_stopped(self) -> BadData | NoConsistentHypothesis:
        return self.inner._why_stopped() if self.refusal is None else self.refusal

    def _form(self) -> Any:
        own = tuple((name, bytes(memoryview(values))) for name, values in self._own_arrays().items())
        return (self.name, *self.settings.items(), own, self.inner._form())

    def _in_words(self, terms: int) -> str:
        return self.inner._in_words(terms)

    def _make_single_row(self, limit: int) -> None:
        return None

    # Theorems are those of the learner inside.

    def facts(self) -> dict[str, Any]:
        return self.inner.facts()

    def start(self) -> dict[str, Any]:
        return self.inner.start()

    @reading
    def all_facts(self, told: dict[str, Any], start: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.inner.all_facts(self._checked(told), start)

    @reading
    def bound_since(self, start: dict[str, Any], told: dict[str, Any]) -> Bound:
        bound = self.inner.bound_since(start, self._checked(told))
        if bound.assumption:
            bound.assumption = self._assumption(bound.assumption, told)
        return bound

    def _checked(self, told: dict[str, Any]) -> dict[str, Any]:
        unknown = {name: value for name, value in told.items() if name not in self.assumable}
        check_facts(behind_transforms(self)[0].name, unknown, self.assumable, (), {})  # refuses any
        return self._facts_inside(told)

    # Model files, copies and pickles: the learner inside is one of its own.

    def _state(self) -> dict[str, Any]:
        return {"inner": self.inner._header()}

    def _arrays(self) -> dict[str, Any]:
        inside = self.inner._all_arrays()
        return self._own_arrays() | {_INNER + name: values for name, values in inside.items()}

    def _restore_state(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        """As a member of an ensemble, whose table has the input features."""
        table, layout = self.attributes, self._layout
        self._wrap(self.inner.restored(state["inner"], take_inner(arrays)))
        self.attributes, self._layout = table, layout
        self._take_up(arrays)

    def _take_up(self, arrays: dict[str, array[Any]]) -> None:
        self._restore_own(arrays)
        keys = self.inner.attributes.keys()
        if len(keys) and max(keys) >= self.reach():
            raise ValueError("there are features that cannot have come from the attributes")

    def restored(self, header: dict[str, Any], arrays: dict[str, array[Any]]) -> Self:
        inner = self.inner.restored(header["state"]["inner"], take_inner(arrays))
        return type(self).around(inner, header, arrays)

    @classmethod
    def around(cls, inner: Any, header: dict[str, Any], arrays: dict[str, array[Any]]) -> Self:
        """The transform of a model file, before the learner that was in it."""
        made = cls.__new__(cls)
        Learner.__init__(made, **header["parameters"])
        made._check_inside(inner)
        made._wrap(inner)
        labels = made.labels
        made._restore_about(header, arrays)
        if labels.state() != made.labels.state():
            raise ValueError("the labels are not those of the learner behind the transform")
        made._take_up(arrays)
        return made

    def _check_inside(self, inner: Any) -> None:
        """ValueError for a learner of a model file before which this transform cannot stand."""
        if not isinstance(inner, SparseLearner) or not inner.named or inner.many_classes or inner.ensemble:
            raise ValueError("there is no learner behind the transform")

    def _copied_parts(self) -> tuple[Any, ...]:
        from mistakebound.core.model_file import as_array

        self._follow_slots()
        own = {name: as_array(values) for name, values in (self.attributes.arrays() | self._own_arrays()).items()}
        return self._header() | {"state": {}}, own, {"inner": self.inner._copy()}

    @classmethod
    def _rebuilt(cls, header: dict[str, Any], arrays: dict[str, array[Any]], unsaved: dict[str, Any]) -> Self:
        return cls.around(unsaved["inner"], header, arrays)

    # Play.

    def numbers(self) -> memoryview[int]:
        """By slot of an input feature: 1 + how many appeared before it; 0 for one that has not appeared."""
        return self._numbers.of(self.attributes)

    def entries(self, instance: Instance) -> list[tuple[str, float]]:
        """(name, value) of all that the innermost learner sees of one instance; what is wrong with it is raised."""
        self.refusal, found = None, []
        if self.counts_zeros:
            instance = instance.with_zeros()
        rows, numbers = instance.rows(self.attributes, add=False), self.numbers()
        new = [name for name, slot in zip(instance.names, rows.slots, strict=True) if not numbers[slot]]
        for block in self.blocks(rows, False):
            values = [1.0] * block.indptr[1] if block.values is None else block.values[: block.indptr[1]]
            keys = block.keys[: block.indptr[1]]
            found += [(self.feature_name_among(key, new), value) for key, value in zip(keys, values, strict=True)]
        self._raise_refusal()
        if isinstance(self.inner, Transform):
            made = array("d", (value for _, value in found))
            return self.inner.entries(Instance([name for name, _ in found], made))
        return found

    def _run(self, rows: Rows, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> int:
        self.refusal = None
        self.ahead[0] = 0
        if self.complement and learn:
            labels = array("b", bytes(memoryview(labels)[: rows.count]).translate(OTHER_LABEL))
        views: Any = memoryview(labels), memoryview(predictions), memoryview(scores)
        course = DerivedRun()
        try:
            stopped = False
            for block in self.blocks(rows, learn):
                if stopped := not self._run_block(block, rows.importance, course, views, learn):
                    break
            if stopped:
                self.refusal = None  # whatever was wrong with a later row
            if learn:
                self._end_run(rows, course, views)
        except BaseException:
            if learn:
                try:
                    self._end_run(rows, course, views)
                except BaseException:
                    self._end_run(rows, course, views)
                    raise
            raise
        if not learn:
            if self.complement:
                turn_round(views[1], 0, rows.count)
                _negate(views[2], 0, course.done)
            self._raise_refusal(course.done)
        return course.done

    def _end_run(self, rows: Rows, course: DerivedRun, views: Any) -> None:
        """What follows from the rows that were learned, and nothing is left of the others; may be called again."""
        _, predictions, scores = views
        course.end_part(self.inner)
        done, turned = course.done, course.turned
        end = min(done + 1, rows.count)  # what was said to a row that no hypothesis fits is counted too
        if self.complement and turned < end:
            said = memoryview(bytes(predictions[turned:end]).translate(OTHER_LABEL)).cast("b")
            part, part_scores = predictions[turned:end], scores[turned:end]
            negated: Any = memoryview(array("d", part_scores))
            _negate(negated, 0, len(negated))
            part[:] = said  # from here on no call: nothing can come between and turn a row twice
            part_scores[:] = negated
            course.turned = end
        self.took(rows, done)
        self._row[0] = done

    def _raise_refusal(self, row: int | None = None) -> None:
        error, self.refusal = self.refusal, None
        if error is not None:
            error.row = row
            raise error

    def _run_block(self, block: Block, importance: Floats, course: DerivedRun, views: Any, learn: bool) -> bool:
        """Whether all of the block's rows were played."""
        inner = self.inner
        table = inner.attributes
        assert isinstance(table, DerivedTable)
        if learn:
            table.make_dense(self.reach())
        slots = RowSlots(
            table, block, add=learn, binary=False, n=None, entered_later=learn and inner.enters,
            zeros=inner.counts_zeros,
        )  # fmt: skip
        labels, predictions, scores = views
        first = 0
        while first < block.rows:
            if learn:
                course.begin_part(inner)
            part, _, _ = slots.rows(first)
            course.part = part
            inner._follow_slots()
            at = course.done
            part.importance = importance[at : at + part.count]
            part_scores = scores[at : at + part.count] if len(scores) else _NO_SCORES
            try:
                played = inner._run(part, labels[at:], predictions[at : at + part.count], part_scores, learn)
            except BadData as error:  # of a prediction
                error.row = at + (error.row or 0)
                raise
            if played < 0:
                slots.entered_later = False
                continue
            if learn:
                course.end_part(inner)
            else:
                course.done += played
            first += played
            if played < part.count:
                return False
        return True


def _negate(scores: memoryview[float], first: int, last: int) -> None:
    """Scores of the complement, where they were asked for, become those of the label."""
    for row in range(first, min(last, len(scores))):
        scores[row] = 0.0 - scores[row]  # no -0


def take_inner(arrays: dict[str, array[Any]]) -> dict[str, array[Any]]:
    """The arrays of the learner inside, taken out of those of a transform."""
    return {name.removeprefix(_INNER): arrays.pop(name) for name in list(arrays) if name.startswith(_INNER)}
