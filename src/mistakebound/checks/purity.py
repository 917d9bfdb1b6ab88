"""Predicting changes nothing, and nobody's input is changed."""

from __future__ import annotations

from copy import deepcopy
from functools import partial

from mistakebound.checks._games import ROWS, backwards, games, play, require, require_still, state
from mistakebound.checks._subject import check
from mistakebound.core.ledger import Ledger
from mistakebound.core.optional import scipy_module
from mistakebound.core.protocol import trial_prediction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.checks._subject import Subject

_HALF = ROWS // 2


@check("rows", "online")
def check_predict_is_pure(subject: Subject) -> None:
    """predict_one and score_one change no state, for instances seen before and for ones never seen."""
    for game in games(subject):
        learner = subject.make()
        play(learner, game.rows[:_HALF], game.labels[:_HALF])
        before, said = state(learner), [learner.predict_one(x) for x in game.rows]
        for x in game.rows:
            learner.predict_one(x)
            if "scores" in subject.capabilities:
                learner.score_one(x)
        if "named" in subject.capabilities and "n" not in subject.capabilities:
            learner.predict_one({"never", "seen", "before"})
        require(state(learner) == before, "predicting changed the state")
        require([learner.predict_one(x) for x in game.rows] == said, "predicting changed later predictions")


@check("rows", "online")
def check_predict_many_is_pure(subject: Subject) -> None:
    """predict_many and score_many change no state."""
    import numpy as np

    for game in games(subject):
        learner = subject.make()
        play(learner, game.rows[:_HALF], game.labels[:_HALF])
        before = state(learner)
        learner.predict_many(np.array(game.rows))
        learner.score_many(np.array(game.rows))
        require(state(learner) == before, "predicting rows of an array changed the state")


@check("rows", "online")
def check_learn_one_returns_the_prediction(subject: Subject) -> None:
    """learn_one returns what predict_one (or the method that `trials_by` names) would have said just before."""
    for game in games(subject):
        learner = subject.make()
        predict = learner.predict_one if learner.trials_by == "predict_one" else learner.predict_trial
        learner.learn_one(game.rows[0], 0 if trial_prediction(learner, game.rows[0])[1] == 0 else 1)
        for x, label in zip(game.rows, game.labels, strict=True):
            said = trial_prediction(learner, x)[1]
            heard = play(learner, [x], [label])[0]
            require(heard == said, f"{predict.__name__} said {said!r}, learn_one {heard!r}")


@check("rows", "online", "apart")
def check_current_is_what_predicts_trials(subject: Subject) -> None:
    """Where trials are predicted by another function than the hypothesis, `current` is it; asking changes nothing."""
    for game in games(subject):
        learner = subject.make()
        for x, label in zip(game.rows, game.labels, strict=True):
            before, current = state(learner), learner.current
            said = trial_prediction(learner, x)[1]
            require(current(x) == said, "the current function is not what predicts trials")
            require(state(learner) == before, "asking what a trial would bring changed the state")
            play(learner, [x], [label])
            require(current(x) == said, "the current function changed when the learner went on")


@check("rows", "online")
def check_input_is_not_changed(subject: Subject) -> None:
    """Mappings, sets, lists and rows are as they were after predicting and learning."""
    for game in games(subject):
        for form in (game.mapping, lambda row, game=game: list(game.rows[row])):
            xs = [form(row) for row in range(ROWS)]
            kept = deepcopy(xs)
            play(subject.make(), xs, game.labels)
            require(xs == kept, "an instance was changed")
    names = {"a", "b"} if "named" in subject.capabilities else {"1", "2"}
    active = set(names)
    learner = subject.make()
    learner.predict_one(active)
    play(learner, [active], [1])
    require(active == names, "a set was changed")


@check("rows", "online")
def check_arrays_are_not_changed(subject: Subject) -> None:
    """The buffers of X and y are as they were, even where they are read-only or unsorted."""
    import numpy as np

    csr_matrix = scipy_module("sparse", "the check of what is kept").csr_matrix
    for game in games(subject)[:2]:
        dense, labels = np.array(game.rows), np.array(game.labels)
        sparse = csr_matrix(dense)
        order = backwards(sparse.indptr)
        sparse.indices[:], sparse.data[:] = sparse.indices[order], sparse.data[order]
        kept = [part.copy() for part in (sparse.indices, sparse.data, sparse.indptr, dense, labels)]
        for part in (sparse.indices, sparse.data, sparse.indptr, dense, labels):
            part.flags.writeable = False
        for X in (dense, sparse):
            learner = subject.make()
            learner.learn_many(X, labels, ledger=Ledger())
            learner.predict_many(X)
        for old, new in zip(kept, (sparse.indices, sparse.data, sparse.indptr, dense, labels), strict=True):
            require(bool((old == new).all()), "an array was changed")


@check("rows", "online")
def check_hypothesis_stands_still(subject: Subject) -> None:
    """A hypothesis predicts as the learner does when it is taken, and never changes after."""
    for game in games(subject):
        learner = subject.make()
        play(learner, game.rows[:_HALF], game.labels[:_HALF])
        require_still(learner, game.rows, partial(play, learner, game.rows[_HALF:], game.labels[_HALF:]))
