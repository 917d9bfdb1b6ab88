"""A range of rows, played by every member of an ensemble: as far as all of them can take it, and no further.

Members that may stop at a row play first, and nobody after one that stopped goes further than that.  Those that went
further before are taken back and play again up to there: it is as if nobody had seen the row.  After an exception
`level` brings all to the same row.
"""

from __future__ import annotations

from array import array

from mistakebound.core.buffers import zeros
from mistakebound.core.errors import BadData, MistakeboundError, NoConsistentHypothesis
from mistakebound.core.protocol import behind_transforms
from mistakebound.core.rows import Rows
from mistakebound.kernels import ensemble as kernel
from mistakebound.learners.ensemble._external_expert import ExternalExpert
from mistakebound.learners.ensemble._saved_state import SavedState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mistakebound.core.buffers import Floats, Ints

    Stop = BadData | NoConsistentHypothesis | None

_NO_SCORES = array("d")
_USUAL = 2.0**20  # settings between this and its inverse take nothing out of the doubles


class RowRange:
    """`said` and `scores` have `count` entries a member, one member after the other."""

    def __init__(
        self, members: Sequence[Any], rows: Rows, labels: Sequence[Ints], learn: bool, scored: bool, alike: bool = False
    ) -> None:
        """`alike`: the members are of one kind, so that all may stop at a row or none."""
        rows.sort_named()  # once for all
        self._members, self._rows, self._labels = members, rows, labels
        self._learn, self._scored = learn, scored
        some = rows.zeros and any(not member.counts_zeros for member in members)
        self._plain = rows.without_zeros() if some else rows  # for those
        self._all_said = zeros("b", len(members) * rows.count)
        self._all_found = zeros("d", len(members) * rows.count if scored else 0)
        self._said = _parts(self._all_said, rows.count, len(members))
        self._found = _parts(self._all_found, rows.count if scored else 0, len(members))
        self._joined = alike and bool(members) and members[0].shares_inputs
        self._ordinary = learn and not self._joined and self._ordinary_rows()
        if self._joined:
            self._wary = []  # these never stop, and all have always heard the same rows
        elif alike:
            self._wary = [*range(len(members))] if learn and members and self._may_stop(members[0]) else []
        else:
            self._wary = [place for place, member in enumerate(members) if learn and self._may_stop(member)]
        wary = {*self._wary}
        self._order = [*self._wary, *(place for place in range(len(members)) if place not in wary)]
        self._before = array("q", bytes(8 * len(members)))  # rows that a member learned before its run in hand
        self._undo: SavedState | None = None
        self._through = False  # all that may stop have played
        self.count: int = rows.count  # rows that all could take
        self.torn = False  # one stopped that should not have: some are further than others
        for member in members if learn else ():
            member._row[0] = 0

    def play(self) -> Stop:
        """What is wrong with the row after the first `count`; None when these are all."""
        if self._joined:
            self._members[0]._run_joined(
                self._members, self._rows, self._labels, self._all_said, self._all_found, self._learn
            )
            return None
        if self._learn:
            for place, member in enumerate(self._members):
                # What an external expert says may be no label: that comes first.
                if isinstance(member, ExternalExpert) and self._rows.count == 1:
                    member._run(self._rows, self._labels[place], self._said[place], _NO_SCORES, False)
        if len(self._wary) > 1:
            self._undo = SavedState([self._members[place] for place in self._wary[:-1]], self._rows.table)
        why: Stop = None
        ahead: list[int] = []  # who has played, in this order
        for number, place in enumerate(self._order):
            self._through = number >= len(self._wary)
            done, reason = self._run(place)
            if done < self.count:
                self.count, why = done, reason
                if self._learn and ahead:
                    self.torn = self._undo is None or place not in self._wary
                    if self._undo is not None:
                        self._undo.back()
                        again = ahead if place == self._wary[-1] else [*ahead, place]
                        for earlier in again:
                            self._run(earlier)
            ahead.append(place)
        return why

    def level(self) -> None:
        """After an exception: every member has learned the first `count` rows; may be called again.

        Whoever played first says how many these are, and the others follow.  Where members that may stop had not all
        played yet, they are taken back.
        """
        if self._undo is not None and not self._through:
            self._undo.back()
            last = self._members[self._wary[-1]]
            if not last._row[0]:
                self.count = 0
                return
            # The last of them has learned so many rows, and is not taken back.
            self.count = min(self.count, last._row[0])
        elif self._members:
            self.count = min(self.count, self._members[self._order[0]]._row[0])
        for place in self._order:
            self._follow(place)

    def _follow(self, place: int) -> None:
        """A member learns those of the first `count` rows that it has not learned yet."""
        member = self._members[place]
        done = self._before[place] + member._row[0]
        if done >= self.count:
            return
        rows, labels = self._rows_of(place), memoryview(self._labels[place])[done:]
        part = Rows(self.count - done, rows.indptr[done:], rows.slots, rows.values, rows.ordered, rows.table)
        part.base, part.zeros, part.importance = rows.base, rows.zeros, rows.importance[done:]
        said, found = self._said[place][done:], self._found[place][done:]
        self._before[place] = done
        member._row[0] = 0
        if member._run(part, labels, said, found, True) < part.count:
            raise MistakeboundError(f"not all members could take a row: {member._why_stopped()}")

    def _rows_of(self, place: int) -> Rows:
        return self._rows if self._members[place].counts_zeros else self._plain

    @property
    def said(self) -> Ints:
        if self.count == self._rows.count:
            return self._all_said
        return array("b", b"".join(bytes(codes[: self.count]) for codes in self._said))

    @property
    def scores(self) -> Floats:
        if self.count == self._rows.count:
            return self._all_found
        return array("d", b"".join(bytes(found[: self.count]) for found in self._found))

    def _run(self, place: int) -> tuple[int, Stop]:
        member, rows = self._members[place], first_rows(self._rows_of(place), self.count)
        try:
            done: int = member._run(rows, self._labels[place], self._said[place], self._found[place], self._learn)
        except BadData as error:
            if self._learn:
                raise
            return error.row or 0, error
        return done, member._why_stopped() if done < rows.count else None

    def _may_stop(self, member: Any) -> bool:
        return not self._ordinary or _delicate(member, self._rows)

    def _ordinary_rows(self) -> bool:
        """Whether nothing in the rows may take a sum out of the doubles."""
        rows = self._rows
        if rows.values is not None and not kernel.ordinary(rows.values, rows.indptr[0], rows.indptr[rows.count]):
            return False
        return len(rows.importance) == 0 or kernel.ordinary(rows.importance, 0, rows.count)


def _parts(buffer: memoryview[Any], size: int, count: int) -> list[memoryview[Any]]:
    """The buffer, one part a member."""
    return [buffer[place * size : place * size + size] for place in range(count)]


def first_rows(rows: Rows, count: int) -> Rows:
    if count == rows.count:
        return rows
    part = Rows(count, rows.indptr, rows.slots, rows.values, rows.ordered, rows.table)
    part.base, part.zeros, part.importance = rows.base, rows.zeros, rows.importance
    return part


def some_rows(rows: Rows, first: int, count: int) -> Rows:
    """Rows first, first+1, ..., to be predicted."""
    part = Rows(count, rows.indptr[first:], rows.slots, rows.values, rows.ordered, rows.table)
    part.base, part.zeros = rows.base, rows.zeros
    return part


def one_row(rows: Rows, row: int) -> Rows:
    return some_rows(rows, row, 1)


def _delicate(member: Any, rows: Rows) -> bool:
    """Whether labels, settings far from 1, or a transform may stop a member at ordinary rows."""
    if member.ensemble:
        return any(_delicate(other, rows) for _, other in member._members())
    if member.inner is not None and member.may_refuse(rows):
        return True
    member, _ = behind_transforms(member)
    numbers = [value for value in member.settings.values() if isinstance(value, float) and value]
    far = any(not 1 / _USUAL <= abs(number) <= _USUAL for number in numbers)
    return far or bool(member.inconsistent) or member.may_stop
