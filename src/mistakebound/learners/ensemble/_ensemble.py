"""The common half of learners made of learners: members share one table of attributes, and each hears every row.

An ensemble's `_run` asks every member for the whole range of rows at once, and then says what follows from that.  Where
a row stops one of them (a sum beyond the doubles, labels that fit no concept), the range is taken back from all and
played again up to that row: it is as if nobody had seen it.  Where an exception arrives in the middle, all are brought
to the same row (core/atomic.py).
"""

from __future__ import annotations

from abc import abstractmethod
from array import array

from mistakebound.core import model_file
from mistakebound.core.atomic import commit
from mistakebound.core.buffers import zeros
from mistakebound.core.errors import BadData, BadParameter, MistakeboundError, NoConsistentHypothesis
from mistakebound.core.rows import Rows
from mistakebound.core.sparse import SparseLearner
from mistakebound.learners.ensemble._row_range import RowRange, one_row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from mistakebound.core.atomic import Change
    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Floats, Ints

_NO_SCORES = array("d")
_NO_LABELS = array("b")


class Ensemble(SparseLearner):
    """A learner whose members are learners."""

    _stopped: BadData | NoConsistentHypothesis | None = None
    _torn = False  # a span was left half learned

    @abstractmethod
    def _members(self) -> list[tuple[str, Any]]:
        """All members, each with the name that its arrays have in a model file."""

    def _share_table(self, members: Sequence[Any]) -> None:
        """Members join: they give up their own table, in which there is nothing but what they begin with."""
        for member in members:
            for name in member.attributes.names():
                self.attributes.add(name)
            share(member, self.attributes)
        self.binary = any(member.binary for member in members)
        self.counts_zeros = any(member.counts_zeros for member in members)
        self.slow = any(member.slow for member in members)
        self.named = all(member.named for member in members)
        self.weighted = all(member.weighted for member in members)
        self.whole_weights = any(member.whole_weights for member in members)

    def _check_new(self) -> None:
        if self.start():
            raise BadParameter(f"the learner must be new, but it has learned already: {self!r}")

    def _declared_labels(self) -> tuple[Any, ...] | None:
        return self.labels.values if self.labels.declared else None

    @property
    def taker(self) -> str:
        refusing = [member.taker for _, member in self._members() if member.binary]
        return f"{refusing[0]} in {self.name}" if refusing else self.name

    @property
    def size_limit(self) -> int | None:
        limits = [member.size_limit for _, member in self._members() if member.size_limit is not None]
        return min(limits, default=None)

    @property
    def trials_by(self) -> str:  # type: ignore[override]
        """As its members do: where one predicts trials by another function, so does the ensemble."""
        apart = any(member.trials_by != "predict_one" for _, member in self._members())
        return "predict_trial" if apart else "predict_one"

    def _answer_as_in_trials(self, yes: bool) -> None:
        for _, member in self._members():
            member._answer_as_in_trials(yes)

    def _use_table(self, table: AttributeTable) -> None:
        super()._use_table(table)
        for _, member in self._members():
            share(member, table)

    def _move(self, moved: Callable[[Any], memoryview[Any]]) -> list[Change]:
        changes: list[Change] = []
        for _, member in self._members():
            changes += member._move(moved)
            changes += [(setattr, member, "_layout", self.attributes.layout), (setattr, member, "_single_row", None)]
        return changes

    def _new_arrays(self, member: Any) -> None:
        """For a member that comes later: room for every attribute that has appeared."""
        share(member, self.attributes)
        capacity = self.attributes.capacity
        commit(member._move(lambda numbers, width=1: zeros(memoryview(numbers).format, width * capacity)))

    def _twin(self, member: Any, fresh: SparseLearner) -> SparseLearner:
        """`fresh` in the state of a member; every attribute of the table must have been in a row."""
        self._new_arrays(fresh)
        arrays = {name: model_file.as_array(values) for name, values in member._arrays().items()}
        fresh._restore_state(arrays, member._state())
        return fresh

    # Play.

    @abstractmethod
    def _conclude(self, span: RowRange, labels: Ints, predictions: Ints, scores: Floats, learn: bool) -> None:
        """What follows from what the members said to some rows: predictions, and with `learn` what the ensemble keeps.

        _row[0] is the number of its rows then.  May be called again, after an exception.
        """

    def _ask(
        self,
        members: Sequence[Any],
        rows: Rows,
        heard: Sequence[Ints],
        scored: bool,
        labels: Ints,
        predictions: Ints,
        scores: Floats,
        learn: bool,
    ) -> int:
        """What `_run` does, when these are the labels that each member hears; `_stopped` says why one stopped."""
        self._check_whole()
        span = RowRange(members, rows, heard, learn, scored, self.ensemble == "labels")
        try:
            self._stopped = span.play()
            if span.torn:
                self._torn = True
                raise MistakeboundError(
                    f"{self.name} cannot continue, not all members could take a row: {self._stopped}"
                )
            self._conclude(span, labels, predictions, scores, learn)
        except BaseException:
            if learn and not self._torn:
                try:
                    self._level(span, labels, predictions, scores)
                except BaseException:
                    self._torn = True
                    self._level(span, labels, predictions, scores)
                    raise
            raise
        return self._end(rows, span.count, predictions, learn)

    def _level(self, span: RowRange, labels: Ints, predictions: Ints, scores: Floats) -> None:
        """After an exception: all members, and the ensemble, have heard the same rows."""
        span.level()
        self._conclude(span, labels, predictions, scores, True)
        self._torn = False

    def _check_whole(self) -> None:
        if self._torn:
            raise MistakeboundError(f"an interrupted batch left {self.name} inconsistent; reload it from its file")

    def _why_stopped(self) -> BadData | NoConsistentHypothesis:
        assert self._stopped is not None
        return self._stopped

    def _end(self, rows: Rows, played: int, predictions: Ints, learn: bool) -> int:
        """After `played` rows: what was wrong with the next, where they were only predicted; how many it were.

        A row whose label fits no concept is still predicted.
        """
        why = self._stopped
        if why is not None and not learn:
            why.row = played  # type: ignore[union-attr]
            raise why
        if isinstance(why, NoConsistentHypothesis):
            learned = self._row[0]
            try:
                self._answer_as_in_trials(True)
                self._run(one_row(rows, played), _NO_LABELS, memoryview(predictions)[played:], _NO_SCORES, False)
            finally:
                self._row[0] = learned
                self._answer_as_in_trials(False)
            self._stopped = why
        return played

    # Model files.

    def _arrays(self) -> dict[str, Any]:
        self._check_whole()
        self._follow_slots()  # members may bring attributes with them, before the first row
        members = self._members()
        return {f"{key}.{name}": values for key, member in members for name, values in self._arrays_of(member).items()}

    def _arrays_of(self, member: Any) -> dict[str, Any]:
        """What a model file has of a member."""
        return member._arrays()  # type: ignore[no-any-return]

    def _state(self) -> dict[str, Any]:
        return {"members": [member._state() for _, member in self._members()]}

    def _restore_members(self, arrays: dict[str, array[Any]], state: dict[str, Any]) -> None:
        members = self._members()
        if not isinstance(state["members"], list) or len(state["members"]) != len(members):
            raise ValueError("expected one state per member")
        own: dict[str, dict[str, array[Any]]] = {key: {} for key, _ in members}
        for name, values in arrays.items():
            key, _, rest = name.partition(".")
            if key in own:
                own[key][rest] = values
        for (key, member), its_state in zip(members, state["members"], strict=True):
            self._new_arrays(member)
            member.partly_seen = not self.named  # some are there before a row has had them
            member._restore_state(own.pop(key), its_state)


def share(member: Any, table: AttributeTable) -> None:
    """The table becomes that of a member, and of its own members."""
    if isinstance(member, SparseLearner) and member.brings_weights:
        raise BadParameter(f"start must be a number in an ensemble, whose members share their attributes: {member!r}")
    member.attributes = table
    member._layout = table.layout  # whoever owns the table tells of moves
    member._drop_single_row()
    if isinstance(member, Ensemble):
        for _, inner in member._members():
            share(inner, table)
