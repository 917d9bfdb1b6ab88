"""A model that learns while it answers: raw rows are predicted and learned as they come, one or several at a time.

What several rows give does not depend on how they are cut into calls: the model and its ledger are those of one row
after the other, and those of a file with these rows.
"""

from __future__ import annotations

from array import array
from contextlib import contextmanager

from mistakebound.core.block import Block, BlockNames
from mistakebound.core.block_labels import LabelColumn, no_codes, part_of
from mistakebound.core.errors import BadData, BadParameter, MistakeboundError, NoConsistentHypothesis
from mistakebound.core.instance import read_instance
from mistakebound.core.ledger import new_ledger
from mistakebound.core.spread import Spread
from mistakebound.io.many_rows import parts_of, read_rows
from mistakebound.model.model import of_table
from mistakebound.model.prediction import predict_together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger
    from mistakebound.model.model import Model

_LISTED = 10_000  # trials of mistakes that are kept one by one


class Outcome:
    """What became of one row: the prediction made before its label was used, or the error that refused it."""

    __slots__ = ("error", "mistakes", "prediction", "trials")

    def __init__(
        self, prediction: Any = None, error: MistakeboundError | None = None, trials: int = 0, mistakes: int = 0
    ) -> None:
        self.prediction = prediction
        self.error = error
        self.trials = trials  # of the ledger behind this row, and its mistakes
        self.mistakes = mistakes

    def __repr__(self) -> str:
        return f"Outcome({self.prediction!r})" if self.error is None else f"Outcome(error={str(self.error)!r})"


def ledger_of(model: Model) -> Ledger:
    """The ledger of a model that learns on, a new one where it has none; BadParameter for one that cannot."""
    learner = model.learner
    if of_table(learner) or learner.takes != "rows" or not learner.online:
        raise BadParameter(f"a model of {learner.name} learns a whole table at once: it predicts, but cannot learn on")
    if model.ledger is None:
        model.ledger = new_ledger(learner, for_model=True)
    elif model.ledger.spread is None:  # that of no row is in no file
        model.ledger.spread = Spread()
    return model.ledger


def predict_rows(model: Model, rows: Sequence[Any]) -> list[Outcome]:
    """The label of each raw row; nothing changes.

    >>> import mistakebound as mb
    >>> model = mb.learn([{"word": "free", "y": 1}, {"word": "lunch", "y": 0}] * 3, "y")
    >>> predict_rows(model, [{"word": "free"}, {"word": "lunch"}, "{}}"])
    [Outcome(1), Outcome(0), Outcome(error="the line is not JSON (extra data): '{}}'")]
    """
    found: list[Outcome] = []
    for first, last in parts_of(rows, model.settings):
        part = rows[first:last]
        together = predict_together(model, part)
        found += [_predicted(model, row) for row in part] if together is None else map(Outcome, together)
    return found


def _predicted(model: Model, row: Any) -> Outcome:
    try:
        return Outcome(model.predict_one(row))
    except MistakeboundError as error:
        return Outcome(error=error)


def learn_rows(
    model: Model, rows: Sequence[Any], labels: Sequence[Any], weights: Sequence[float] | None = None
) -> list[Outcome]:
    """Play raw rows as trials, in order; a row that cannot be learned is refused, and the others are learned.

    >>> import mistakebound as mb
    >>> model = mb.learn([{"word": "free", "y": 1}, {"word": "lunch", "y": 0}], "y")
    >>> learn_rows(model, [{"word": "free"}, "{}}", {"word": "now"}], [1, 1, 1])
    [Outcome(1), Outcome(error="the line is not JSON (extra data): '{}}'"), Outcome(1)]
    >>> model.ledger.trials
    4
    """
    ledger = ledger_of(model)
    found: list[Outcome] = []
    for first, last in parts_of(rows, model.settings):
        found += _learned(model, ledger, rows[first:last], labels[first:last], weights and weights[first:last])
    return found


def _learned(
    model: Model, ledger: Ledger, rows: Sequence[Any], labels: Sequence[Any], weights: Sequence[float] | None
) -> list[Outcome]:
    """Some rows, read at once if that can be done."""
    if len(rows) > 1 and model.schema is not None:
        with read_rows(rows, model.schema.settings, model.schema.readers) as block:
            if block is not None:
                return _play(model, ledger, block, labels, weights)
    found = []
    for k, row in enumerate(rows):
        try:
            with _one_row(model, row) as block:
                found += _play(model, ledger, block, labels[k : k + 1], None if weights is None else weights[k : k + 1])
        except MistakeboundError as error:
            found.append(Outcome(error=error, trials=ledger.trials, mistakes=ledger.mistakes))
    return found


def learn_late(model: Model, row: Any, label: Any, said: Any, weight: float = 1.0) -> Outcome:
    """Learn a row whose label came after other rows were learned; `said` is what was predicted for it in time.

    The prediction made then is counted, the update is that of the model as it is now.  No mistake bound covers such a
    delay, and from then on the ledger says so.

    >>> import mistakebound as mb
    >>> model = mb.learn([{"word": "free", "y": 1}, {"word": "lunch", "y": 0}], "y", learner="perceptron")
    >>> learn_late(model, {"word": "free"}, 1, said=0), model.ledger.mistakes, model.ledger.start["late"]
    (Outcome(0), 3, 1)
    """
    ledger = ledger_of(model)
    try:
        with _one_row(model, row) as block:
            (found,) = _play(model, None, block, [label], None if weight == 1 else [weight])
    except MistakeboundError as error:
        found = Outcome(error=error)
    if found.error is None:
        ledger.record(label, said, weight)
        ledger.start = {**ledger.start, "late": ledger.start.get("late", 0) + 1}
    return Outcome(said, found.error, ledger.trials, ledger.mistakes)


@contextmanager
def _one_row(model: Model, row: Any) -> Iterator[Block]:
    """A raw row, or an instance for a model without a schema, as a block of one."""
    if model.schema is not None:
        with read_rows([row], model.schema.settings, model.schema.readers) as block:
            if block is not None:
                yield block
                return
        row = model.schema.instance(row)
    x = read_instance(row).with_zeros()
    keys = array("Q", range(len(x.names)))
    yield Block(1, array("q", (0, len(keys))), keys, x.values, columns=BlockNames.of(x.names), dense=True)


def _play(
    model: Model, ledger: Ledger | None, block: Block, labels: Sequence[Any], weights: Sequence[float] | None
) -> list[Outcome]:
    learner = model.learner
    said, refused = no_codes(learner.labels, block.rows), dict[int, MistakeboundError]()

    def refuse(error: BadData) -> None:
        row, error.row = error.row, None
        refused[row or 0] = error

    block.labels = LabelColumn(memoryview(array("i", range(block.rows))), list(labels))
    if weights is not None and any(weight != 1 for weight in weights):
        block.weights = array("d", weights)
    trials, mistakes = (0, 0) if ledger is None else (ledger.trials, ledger.mistakes)
    rest: Block | None = block
    first = 0
    while rest is not None:
        counted = 0 if ledger is None else ledger.trials
        try:
            learner.learn_block(rest, ledger, memoryview(said)[first:], refuse)
            rest = None
        except NoConsistentHypothesis as error:  # the row is counted, nothing is learned from it; the others go on
            played = 1 if ledger is None else ledger.trials - counted
            first += played + sum(row >= first for row in refused)
            refused[first - 1] = error
            if ledger is not None:
                ledger.inconsistency = str(error)
            rest = part_of(block, first, block.rows) if first < block.rows else None
    found, names = [], learner.labels
    for row, code in enumerate(said):
        why = refused.get(row)
        if why is None or isinstance(why, NoConsistentHypothesis):
            trials += 1
            mistakes += code >= 0 and code != names.known(labels[row])
        found.append(Outcome(None if code < 0 or why else names.name(code), why, trials, mistakes))
    if ledger is not None:
        _shorten(ledger)
    return found


def _shorten(ledger: Ledger) -> None:
    """Of a count without end, the trials of the mistakes are listed for the last trials only."""
    if len(ledger.mistake_trials) + len(ledger.abstention_trials) <= 2 * _LISTED:
        return
    listed = sorted([*ledger.mistake_trials, *ledger.abstention_trials])
    ledger.since = listed[-_LISTED] - 1
    for trials in (ledger.mistake_trials, ledger.abstention_trials):
        trials[:] = array("q", [trial for trial in trials if trial > ledger.since])
