"""Small games to play: rows with labels, some that a disjunction or a conjunction fits and some that nothing fits."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise
from random import Random

from mistakebound.core.errors import BadData, NoConsistentHypothesis
from mistakebound.core.ledger import Ledger
from mistakebound.core.protocol import counted, trial_prediction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import Any

    from mistakebound.checks._subject import Subject

WIDTH = 11
ROWS = 34
NAMES = ["b", "10", "alpha", "9", "é", "2", "a", "B", "0", "x1", "33"]  # ids and texts, in no order


class Game:
    """Rows of `WIDTH` numbers and their labels."""

    def __init__(self, rows: list[list[float]], labels: list[int]) -> None:
        self.rows = rows
        self.labels = labels

    def mapping(self, row: int) -> dict[str, float]:
        """A row by column names, its zeros left out."""
        return {str(j + 1): value for j, value in enumerate(self.rows[row]) if value}


def games(subject: Subject) -> list[Game]:
    """The games for one subject: all three with its first options, one in turn with every other choice."""
    played = range(3) if subject.first else [subject.number % 3]
    return [_game(seed, ("or", "and", "noise")[seed], subject.capabilities) for seed in played]


def easy_game(subject: Subject) -> Game:
    """Labels that fit a disjunction."""
    return _game(0, "or", subject.capabilities)


def _game(seed: int, kind: str, capabilities: Collection[str]) -> Game:
    draw = Random(seed)
    binary = "binary" in capabilities  # 0/1 for learners that take nothing else
    off = -0.5 if "counts zeros" in capabilities else 0.0  # to them a 0 in a row is not an attribute that is absent
    rows, labels = [], []
    for _ in range(ROWS):
        bits = [int(draw.random() < (0.75 if kind == "and" else 0.3)) for _ in range(WIDTH)]
        if kind == "noise":
            labels.append(draw.randrange(2))
        else:
            on = [bits[1], bits[4]] if kind == "and" else [bits[2], bits[7], bits[8]]
            labels.append(int(all(on) if kind == "and" else any(on)))
        # Values that a double cannot hold exactly: a sum in another order is another sum.
        values = [draw.choice([1.0, -0.1, 0.3, 1e-3, 7.7]) for _ in bits] if not binary else [1.0] * WIDTH
        rows.append([value if bit else off for bit, value in zip(bits, values, strict=True)])
    return Game(rows, labels)


def backwards(indptr: Any) -> Any:
    """The entries of a CSR matrix with every row turned round."""
    import numpy as np

    return np.concatenate([np.arange(b - 1, a - 1, -1) for a, b in pairwise(indptr)])


def play(learner: Any, xs: list[Any], labels: list[Any], ledger: Ledger | None = None) -> list[Any]:
    """Trials one by one, to the end or to a label that no hypothesis fits; the predictions, as learn_one gave them.

    Where that was None because a class had no name yet, what stands for the class.
    """
    predictions = []
    for x, label in zip(xs, labels, strict=True):
        said, stands = trial_prediction(learner, x)
        try:
            heard = learner.learn_one(x, label)
            predictions.append(stands if heard is None and said is None else heard)
        except NoConsistentHypothesis as error:
            predictions.append(stands)
            if ledger is not None:
                ledger.record(label, stands)
                ledger.inconsistency = str(error)
            break
        if ledger is not None:
            ledger.record(label, predictions[-1])
    return predictions


def asked(learner: Any, x: Any) -> Any:
    """What predict_one says, and where that is None because a class has no name yet, what stands for the class."""
    return counted(learner, x, learner.predict_one(x))


def ledger_counts(ledger: Ledger) -> tuple[Any, ...]:
    """What two ledgers of the same play must agree in."""
    return ledger.trials, ledger.mistakes, ledger.counts(), ledger.confusion, list(ledger.mistake_trials)


def state(learner: Any) -> Any:
    """Everything that a model file would hold, to be compared bit for bit."""
    if not learner.saves:
        return learner.hypothesis
    return learner._header(), {name: bytes(values) for name, values in learner._all_arrays().items()}


@contextmanager
def saved(learner: Any) -> Iterator[str]:
    """The name of a learner's model file, which is there for a while."""
    import os
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.mb")
        require(learner.save(path) == os.path.getsize(path), "save does not return the size")
        yield path


def model_bytes(learner: Any) -> bytes:
    """The model file of a learner."""
    with saved(learner) as path, open(path, "rb") as file:
        return file.read()


def require_still(learner: Any, xs: list[Any], go_on: Callable[[], object]) -> None:
    """A hypothesis predicts as the learner does when it is taken, and never changes after."""
    hypothesis = learner.hypothesis
    said, text = [asked(learner, x) for x in xs], str(hypothesis)
    require([hypothesis(x) for x in xs] == said, "the hypothesis is not what the learner predicts with")
    require(hypothesis == learner.hypothesis, "two hypotheses of one moment differ")
    require(hash(hypothesis) == hash(learner.hypothesis), "equal hypotheses have different hashes")
    go_on()
    require([hypothesis(x) for x in xs] == said, "the hypothesis changed when the learner went on")
    require(str(hypothesis) == text, "the text of the hypothesis changed when the learner went on")


def require(holds: bool, what: str) -> None:
    """An assertion that python -O keeps."""
    if not holds:
        raise AssertionError(what)


def refused(
    call: Callable[[], object], what: str, expected: type[Exception] | tuple[type[Exception], ...] = BadData
) -> Exception:
    """The error with which a call refuses what it was given."""
    try:
        call()
    except expected as error:
        return error
    raise AssertionError(f"{what} was not refused")
