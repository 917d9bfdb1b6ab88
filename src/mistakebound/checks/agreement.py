"""One by one or in blocks of any size, the play is the same: predictions, state bit for bit, ledger."""

from __future__ import annotations

from mistakebound.checks._games import NAMES, ROWS, asked, backwards, games, ledger_counts, play, require, state
from mistakebound.checks._subject import check
from mistakebound.core.errors import NoConsistentHypothesis
from mistakebound.core.ledger import Ledger
from mistakebound.core.optional import scipy_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.checks._games import Game
    from mistakebound.checks._subject import Subject

SIZES = (1, 2, 3, 7, ROWS)


def matrices(game: Game) -> dict[str, Any]:
    """The rows as every kind of matrix that learn_many takes."""
    import numpy as np

    scipy = scipy_module("sparse", "the check of matrices")
    csc_matrix, csr_matrix = scipy.csc_matrix, scipy.csr_matrix
    dense = np.array(game.rows)
    sparse = csr_matrix(dense)
    order = backwards(sparse.indptr)
    descending = csr_matrix((sparse.data[order], sparse.indices[order], sparse.indptr), shape=dense.shape)
    full = np.arange(dense.size, dtype=np.int64) % dense.shape[1]
    ends = np.arange(dense.shape[0] + 1, dtype=np.int64) * dense.shape[1]
    kinds = {
        "array": dense,
        "CSR": sparse,
        "CSR, columns descending": descending,
        "CSR with its zeros": csr_matrix((dense.ravel(), full, ends), shape=dense.shape),
        "CSC": csc_matrix(dense),
    }
    if (dense == dense.astype(bool)).all():
        kinds |= {"array of bool": dense.astype(bool), "array of int8": dense.astype(np.int8)}
    return kinds


def learn_in_blocks(learner: Any, X: Any, labels: list[int], size: int, ledger: Ledger, names: Any = None) -> list[Any]:
    """learn_many over blocks of so many rows, to the end or to a label that no hypothesis fits."""
    predictions: list[Any] = []
    for first in range(0, len(labels), size):
        part = X[first : first + size]
        predictions += learner.learn_many(part, labels[first : first + size], names=names, ledger=ledger).tolist()
        if ledger.inconsistency is not None:
            break
    return predictions


def _agree(subject: Subject, one: Callable[[Game], list[Any]], names: list[str] | None) -> None:
    declared = {"labels": (0, 1)} if subject.takes_options else {}
    for turn, game in enumerate(games(subject)):
        single = subject.make(**declared)
        ledger = Ledger(single.labels)
        said = play(single, one(game), game.labels, ledger)
        hypothesis, expected = single.hypothesis, state(single)
        for number, (kind, X) in enumerate(matrices(game).items()):
            # In the first game with the first choice of options every size: of every kind where all combinations of
            # options are tried, else of the two usual kinds.  In all other games each kind in one size.
            every = subject.first and turn == 0 and (subject.most > 1 or kind in ("array", "CSR"))
            for size in SIZES if every else (SIZES[(number + turn) % len(SIZES)],):
                learner = subject.make(**declared)
                other = Ledger(learner.labels)
                where = f"{kind} in blocks of {size}"
                predictions = learn_in_blocks(learner, X, game.labels, size, other, names)
                require(predictions == said, f"{where}: predictions differ from one by one")
                require(learner.hypothesis == hypothesis, f"{where}: hypotheses differ from one by one")
                require(state(learner) == expected, f"{where}: the state differs from one by one")
                require(ledger_counts(other) == ledger_counts(ledger), f"{where}: the ledger differs from one by one")


@check("rows", "online")
def check_one_by_one_equals_blocks(subject: Subject) -> None:
    """learn_many, in blocks of 1, 2, 3, 7 and all rows, dense and sparse, sorted or not, equals learn_one."""
    _agree(subject, lambda game: list(game.rows), None)


@check("rows", "online", "named")
def check_named_columns_equal_mappings(subject: Subject) -> None:
    """learn_many with names= equals learn_one with mappings of these names."""
    _agree(subject, lambda game: [{NAMES[j]: v for j, v in enumerate(row) if v} for row in game.rows], NAMES)


@check("rows", "online")
def check_predict_many_equals_predict_one(subject: Subject) -> None:
    """predict_many and score_many give what predict_one and score_one give, bit for bit, at every stage of learning."""
    for game in games(subject):
        learner = subject.make()
        kinds = matrices(game)
        for stage in (0, 5, ROWS):
            learner = subject.make()
            play(learner, game.rows[:stage], game.labels[:stage])
            said = [asked(learner, x) for x in game.rows]
            scores = [learner.score_one(x).hex() for x in game.rows]
            for kind, X in kinds.items():
                require(learner.predict_many(X).tolist() == said, f"{kind}: predict_many differs from predict_one")
                found = [score.hex() for score in learner.score_many(X).tolist()]
                require(found == scores, f"{kind}: score_many differs from score_one")


@check("rows", "online")
def check_inconsistency_keeps_what_came_before(subject: Subject) -> None:
    """Where no hypothesis fits a label, learn_many without a ledger raises, with the trial and the state before it."""
    for game in games(subject):
        single = subject.make()
        said = play(single, game.rows, game.labels)
        learner = subject.make()
        try:
            learner.learn_many(matrices(game)["CSR"], game.labels)
        except NoConsistentHypothesis as error:
            require(error.trial == len(said), f"trial {error.trial} is named, it was {len(said)}")
        else:
            require(len(said) == ROWS, "learn_one raised NoConsistentHypothesis, learn_many did not")
        require(learner.hypothesis == single.hypothesis, "the hypothesis differs from one by one")
