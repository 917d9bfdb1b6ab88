"""Rows of tables and lists of instances: how the learners of this folder take many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mistakebound.concepts.attribute_values import MISSING, UNSEEN, missing_cell, not_declared, text_of
from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.core.fields import plain_values
from mistakebound.core.table import CodedLabels
from mistakebound.io.frame import split_label, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from mistakebound.core.ledger import Ledger
    from mistakebound.core.table import Column, Table
    from mistakebound.learners.version_space._nominal import NominalLearner

_CHUNK = 4096  # rows that are looked through together for values that come first there
_NEVER = 1 << 62
_SMALLEST, _LARGEST = 64, 1 << 16  # rows of a block: it grows while nothing changes


def is_list(X: Any) -> bool:
    """Instances one by one, not a table."""
    return isinstance(X, (list, tuple))


def with_names(X: Any, names: Sequence[str]) -> Any:
    """An array has the attributes in their order, as a row of values has; anything else is left as it is."""
    if not names or not isinstance(X, np.ndarray) or X.ndim != 2:
        return X
    if X.shape[1] != len(names):
        raise BadData(f"the array has {X.shape[1]} columns for {len(names)} attributes ({', '.join(names)})")
    return {name: X[:, j] for j, name in enumerate(names)}


def instances_of(X: Any) -> Iterator[Any]:
    """Instances one at a time: of a list as they are, of a table by name."""
    if is_list(X):
        return iter(X)
    table = table_of(X)
    return (table.row(row) for row in range(table.rows))


def labelled_instances(X: Any, y: Any) -> Iterator[tuple[Any, Any]]:
    if is_list(X) and not isinstance(y, str):
        labels = list(plain_values(y))
        if len(X) != len(labels):
            raise BadData(f"X has {len(X)} rows and y {len(labels)} labels")
        return zip(X, labels, strict=True)
    table, given = split_label(X, y)
    values, codes = _distinct_labels(given, table)
    return ((table.row(row), values[code]) for row, code in enumerate(codes.tolist()))


def _distinct_labels(labels: Any, table: Table) -> tuple[Sequence[Any], NDArray[Any]]:
    """The different labels, and the place of each row's among them; one that is missing is None."""
    if isinstance(labels, CodedLabels):
        return (*labels.values, None), labels.codes
    listed = list(plain_values(labels))
    if len(listed) != table.rows:
        raise BadData(f"there are {len(listed)} labels for {table.rows} rows")
    places: dict[tuple[type, Any], int] = {}
    codes = [places.setdefault((type(label), label), len(places)) for label in listed]
    return [label for _, label in places], np.array(codes, np.int32)


class CodedRows:
    """Columns of a table by the numbers that a learner has given their values."""

    __slots__ = ("columns", "count")

    def __init__(self, columns: list[NDArray[Any]], count: int) -> None:
        self.columns = columns
        self.count = count

    def row(self, row: int) -> tuple[int, ...]:
        return tuple(int(column[row]) for column in self.columns)

    def block(self, first: int, last: int) -> NDArray[np.uint16]:
        """Some rows, one after the other."""
        return np.stack([column[first:last] for column in self.columns], axis=1).astype(np.uint16)

    def agreement(self, first: int, last: int, codes: Sequence[int], places: Sequence[int]) -> NDArray[np.bool_]:
        """Which cells of some rows have these values: a line a place."""
        found = np.empty((len(places), last - first), dtype=bool)
        for line, j in enumerate(places):
            np.equal(self.columns[j][first:last], codes[j], out=found[line])
        return found


class _Coding:
    """The columns of a table as the learner numbers their values; values new to it are entered in order of rows."""

    def __init__(self, learner: NominalLearner, table: Table) -> None:
        self.learner, self.table = learner, table
        self.entered: list[tuple[int, str, str]] = []  # (first row, attribute, value)
        self.bad: tuple[int, str] | None = None  # the first row that cannot be taken, and why
        names = learner.attributes or table.names
        columns, known = {column.name: column for column in table.columns}, set(names)
        absent = [name for name in names if name not in columns]
        strange = [name for name in columns if name not in known]
        if absent or strange or not names:
            said = (
                f"it lacks {absent[0]!r}"
                if absent
                else f"{strange[0]!r} is not one"
                if strange
                else "it has no attributes"
            )
            raise BadData(f"the table must have the attributes {', '.join(names)}: {said}", source=table.source)
        self.rows = CodedRows([self._column(columns[name]) for name in names], table.rows)

    def _column(self, column: Column) -> NDArray[Any]:
        data, texts = _texts(column)
        known = dict(self.learner._numbers.get(column.name, {}))
        moved = np.array([*(known.get(text, UNSEEN) for text in texts), known.get(MISSING, UNSEEN)], np.int32)
        strange = [place for place, code in enumerate(moved[:-1].tolist()) if code == UNSEEN]
        if moved[-1] == UNSEEN and bool(column.missing.any()):
            strange.append(len(texts))
        if strange:
            first = _first_rows(data, len(texts) + 1, strange)
            for place in sorted((place for place in strange if first[place] < _NEVER), key=lambda place: first[place]):
                missing = place == len(texts)
                text = MISSING if missing else texts[place]
                why = self._refused(column.name, text, missing, known)
                if why is not None:
                    self._note(int(first[place]), why)
                else:
                    moved[place] = known[text] = len(known)
                    self.entered.append((int(first[place]), column.name, text))
        if len(moved) and (moved[:-1] == np.arange(len(moved) - 1)).all() and moved[-1] == UNSEEN:
            return data
        coded: NDArray[Any] = moved.take(data)
        return coded

    def _refused(self, name: str, text: str, missing: bool, known: dict[str, int]) -> str | None:
        if missing:
            if self.learner.settings["missing"] == "value":
                return None
            return missing_cell(name)
        if not self.learner._observes:
            return not_declared(name, text, known)
        return None if text else f"the value of {name!r} is an empty text"

    def _note(self, row: int, why: str) -> None:
        if self.bad is None or row < self.bad[0]:
            self.bad = row, why

    def enter(self) -> None:
        for _, name, text in self.entered:
            self.learner._enter(name, text)

    def forget_from(self, row: int) -> None:
        """The values that first stand in that row or later were never met."""
        for first, name, text in self.entered:
            if first >= row:
                self.learner._forget(name, text)


def _texts(column: Column) -> tuple[NDArray[Any], Sequence[str]]:
    """Cells as places among texts, the place behind them (or -1) for one that is missing."""
    if column.nominal:
        return column.data, column.values
    numbers, places = np.unique(column.data, return_inverse=True)
    present = int(np.count_nonzero(~np.isnan(numbers)))
    return np.minimum(places, present).astype(np.int32), [text_of(number) or "" for number in numbers[:present]]


def values_of(column: Column, missing: bool) -> list[str]:
    """The values of a column in the order of its rows' coding; a missing cell is one more where that is wanted."""
    _, texts = _texts(column)
    return [*texts, MISSING] if missing and bool(column.missing.any()) else list(texts)


def _first_rows(data: NDArray[Any], places: int, wanted: Sequence[int] | None = None) -> NDArray[np.int64]:
    """The first row in which each place stands (at least those wanted); -1 is the last place."""
    sought = list(range(places)) if wanted is None else wanted
    first = np.full(places, _NEVER, np.int64)
    for start in range(0, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        inside = np.full(places, _NEVER, np.int64)
        np.minimum.at(inside, chunk, np.arange(start, start + len(chunk)))
        first = np.minimum(first, inside)
        if (first.take(sought) < _NEVER).all():
            break
    return first


def learn_table(learner: NominalLearner, X: Any, y: Any, ledger: Ledger | None) -> list[Any]:
    """Play the rows of a table; the predictions made before each.

    A row that cannot be taken ends it, after the rows before it were learned.
    """
    table, given = split_label(with_names(X, learner.attributes), y)
    values, places = _distinct_labels(given, table)
    coding = _Coding(learner, table)
    numeric = {column.name for column in table.columns if not column.nominal}
    labels, coding.bad = _label_codes(learner, values, places, coding.bad)
    predictions = np.full(len(labels), -1, np.int8)
    coding.rows.count = len(labels)
    error: NoConsistentHypothesis | None = None
    trials, counted = learner.trials, 0 if ledger is None else ledger.trials

    def end() -> int:
        """What follows from the rows that were learned, and nothing is left of the others; may be called again."""
        learned = learner.trials - trials
        coding.forget_from(learned)
        shown = learned + (error is not None)
        for place in dict.fromkeys(places[:shown].tolist()):
            learner.labels.code(values[place])
        if shown:
            learner.numeric |= numeric
            learner.label = y if isinstance(y, str) else learner.label
        if ledger is not None and ledger.trials == counted:
            ledger.labels = learner.labels
            ledger.record_answers(labels[:shown], predictions[:shown])
        return shown

    try:
        coding.enter()
        try:
            learner._learn_rows(coding.rows, labels, predictions)
        except NoConsistentHypothesis as stop:
            error = stop
        shown = end()
    except BaseException:
        try:
            end()
        except BaseException:
            end()
            raise
        raise
    if error is not None:
        if ledger is None:
            raise error
        error.trial = ledger.trials
        ledger.inconsistency = str(error)
    elif coding.bad is not None:
        raise table.complain(coding.bad[1], coding.bad[0])
    pair = learner.labels.values
    return [None if code < 0 else pair[code] for code in predictions[:shown].tolist()]


def _label_codes(
    learner: NominalLearner, values: Sequence[Any], places: NDArray[Any], bad: tuple[int, str] | None
) -> tuple[NDArray[np.int8], tuple[int, str] | None]:
    """The codes of the labels up to the first row that cannot be taken, and that row."""
    labels = learner.labels.copy()
    rows = len(places) if bad is None else bad[0]
    first = _first_rows(places[:rows], len(values) + 1)
    moved = np.full(len(values) + 1, -1, np.int8)
    for place in np.argsort(first, kind="stable").tolist():
        row = int(first[place])
        if row >= rows:
            break
        label = values[place] if place < len(values) else None
        if label is None or label != label:
            return moved.take(places[:row]), (row, "the row has no label")
        try:
            moved[place] = labels.code(label)
        except BadData as error:
            return moved.take(places[:row]), (row, error.message)
    return moved.take(places[:rows]), bad


def play_blocks(
    learner: NominalLearner,
    rows: CodedRows,
    labels: Any,
    predictions: Any,
    say: Callable[[int, int], Any],
    changes: Callable[[Any, Any], Any],
    first: int = 0,
) -> None:
    """Play the rows from `first` on as trials.

    `say(first, last)` gives the codes that are predicted for a block as things stand; `changes(said, labels)` says for
    which of its rows the label would change something.  The result is that of playing them one by one.
    """
    size = _SMALLEST
    while first < rows.count:
        last = min(first + size, rows.count)
        said = say(first, last)
        changing = np.flatnonzero(changes(said, labels[first:last]))
        if not len(changing):
            predictions[first:last] = said
            learner.trials += last - first  # which is all that these rows change
            first, size = last, min(2 * size, _LARGEST)
            continue
        at = first + int(changing[0])
        predictions[first:at] = said[: at - first]
        learner.trials += at - first
        learner._play_row(rows.row(at), int(labels[at]), at, predictions)
        first, size = at + 1, max(_SMALLEST, size // 4)
