"""A call on a learner from the middle of another: by an instance, by a label, by a signal handler.

It takes place before the other one, or it is refused and nothing is done; in no case the learner ends in between.
"""

from __future__ import annotations

import copy
import signal
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import mistakebound as mb
from learners.thread_games import Game, games, plain, said
from mistakebound import learners
from mistakebound.core.errors import LearnerBusy

GAMES = games()
# All but those that learn whole tables: they take nothing of the caller's before they have read it.
FEW = [name for name in GAMES if name in learners.names() or "perceptron" in name or "winnow2" in name]
ONLINE = [
    name for name in FEW if hasattr(learners.find(name) if name in learners.names() else mb.Perceptron, "learn_one")
]
MAPPINGS = [name for name in ONLINE if isinstance(GAMES[name]().trials[0][0], dict)]


class Nosy(Mapping[str, Any]):
    """An instance that learns another one as it is read."""

    def __init__(self, held: dict[str, Any], learn: Any) -> None:
        self._held, self._learn, self.did = held, learn, ""

    def __getitem__(self, name: str) -> Any:
        return self._held[name]

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[str]:
        if not self.did:
            self.did = "refused"
            self._learn()
            self.did = "learned"
        return iter(self._held)


class NosyLabel(int):
    """A label that learns as it is looked up."""

    learn: Any = None
    did = ""

    def __hash__(self) -> int:
        if not self.did and self.learn is not None:
            self.did = "refused"
            self.learn()
            self.did = "learned"
        return int.__hash__(self)

    def __eq__(self, other: object) -> bool:
        return int(self) == other


def state(game: Game, learner: Any) -> dict[str, Any]:
    """All that a copy holds says it all, where it can be asked for."""
    if "held" in game.questions:
        return {"held": game.questions["held"](learner)}
    return game.answers(learner)


def played(game: Game, trials: list[Any]) -> dict[str, Any]:
    learner = game.make()
    for trial in trials:
        game.play(learner, trial)
    return state(game, learner)


@pytest.mark.parametrize("name", MAPPINGS)
@pytest.mark.parametrize("within", ["learn_one", "predict_one"])
def test_an_instance_that_learns_as_it_is_read(name: str, within: str) -> None:
    game = GAMES[name]()
    before, (inner, outer) = game.trials[:8], game.trials[8:10]
    learner = game.make()
    for trial in before:
        game.play(learner, trial)
    x = Nosy(outer[0], lambda: game.play(learner, inner))
    done = within == "learn_one"
    try:
        game.play(learner, (x, outer[1])) if done else learner.predict_one(x)
    except LearnerBusy:
        done = False
        assert x.did == "refused"
    took_place = [inner] * (x.did == "learned") + [outer] * done
    assert state(game, learner) == played(game, before + took_place)
    game.play(learner, game.trials[11])  # it goes on as ever
    assert state(game, learner) == played(game, before + took_place + [game.trials[11]])


@pytest.mark.parametrize("name", [n for n in ONLINE if not isinstance(GAMES[n]().trials[0][1], str)])
def test_a_label_that_learns_as_it_is_looked_up(name: str) -> None:
    game = GAMES[name]()
    before, (inner, outer) = game.trials[:6], game.trials[6:8]
    learner = game.make()
    for trial in before:
        game.play(learner, trial)
    y = NosyLabel(outer[1])
    y.learn = lambda: game.play(learner, inner)
    done = True
    try:
        game.play(learner, (outer[0], y))
    except LearnerBusy:
        done = False
        assert y.did == "refused"
    took_place = [inner] * (y.did == "learned") + [outer] * done
    assert state(game, learner) == played(game, before + took_place)


@pytest.mark.some(6)
@pytest.mark.parametrize("name", ONLINE)
def test_a_signal_handler_that_asks(name: str, long: bool) -> None:
    """It gets the answer of a whole state, or is refused; the trials are those without it."""
    game = GAMES[name]()
    expected = game.prefixes
    asked = [question for question in expected if question != "held"]
    number, refused = [0], [0]

    def handler(signal_number: int, frame: Any) -> None:
        question = asked[number[0] % len(asked)]
        number[0] += 1
        try:
            answers.append((question, said(game.questions[question], learner)))
        except LearnerBusy:
            refused[0] += 1
        if playing[0]:
            signal.setitimer(signal.ITIMER_REAL, 0.0003)

    playing = [True]
    answers: list[tuple[str, Any]] = []
    learner = game.make()
    before = signal.signal(signal.SIGALRM, handler)
    try:
        for _ in range(2 if long else 1):
            learner, playing[0] = game.make(), True
            signal.setitimer(signal.ITIMER_REAL, 0.0002)
            for trial in game.trials:
                game.play(learner, trial)
            playing[0] = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            assert game.answers(learner) == {question: found[-1] for question, found in expected.items()}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert all(answer in expected[question] for question, answer in answers)


@pytest.mark.parametrize("name", ONLINE)
def test_a_copy_by_the_module_copy_goes_its_own_way(name: str) -> None:
    game = GAMES[name]()
    learner = game.make()
    for trial in game.trials[:5]:
        game.play(learner, trial)
    before = state(game, learner)
    twin = copy.copy(learner)
    game.play(twin, game.trials[5])
    game.play(twin, game.trials[6])
    assert state(game, learner) == before
    game.play(learner, game.trials[5])
    game.play(learner, game.trials[6])
    assert state(game, learner) == state(game, twin)


def test_naive_bayes_is_itself_again_after_an_instance_that_fits_it() -> None:
    """What `fit` reads may call the learner, which still is what it was before."""
    learner = mb.NaiveBayes().fit([{"sky": "sunny"}, {"sky": "rainy"}], ["yes", "no"])
    heard = []
    rows = [
        Nosy({"sky": sky}, lambda: heard.append(plain(learner.predict_proba_one({"sky": "sunny"})))) for sky in "ab"
    ]
    expected = learner.predict_proba_one({"sky": "sunny"})
    learner.fit(rows, ["x", "y"])
    assert heard == [expected] * 2
    assert learner.classes == ("x", "y")


def test_a_function_that_watches_may_read_and_nothing_else() -> None:
    learner = mb.learners.CandidateElimination()
    table = [{"sky": "sunny", "wind": "weak"}, {"sky": "sunny", "wind": "strong"}, {"sky": "rainy", "wind": "weak"}]
    sizes = []

    def watch(row: int, said: Any) -> None:
        sizes.append(learner.version_space.size)
        with pytest.raises(LearnerBusy):
            learner.learn_one({"sky": "sunny", "wind": "weak"}, 1)

    learner.learn_many({name: [row[name] for row in table] for name in ("sky", "wind")}, [1, 1, 0], watch=watch)
    assert sizes
    assert sizes[-1] == learner.version_space.size
