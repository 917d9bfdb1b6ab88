"""Threads that use one learner: answers are those of one thread, and a trial is seen whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

import mistakebound as mb
from learners.thread_games import games, said, together
from mistakebound import learners

GAMES = games()
SHORT, LONG = 0.04, 3.0
# Of what stands in front of a learner or around it, a few are enough in the short run.
FEW = [name for name in GAMES if name in learners.names() or "perceptron" in name or "winnow2" in name]
UNCOMPILED = (
    "perceptron",
    "winnow2",
    "one-vs-all",
    "naive-bayes",
    "perceptron, standardised",
)  # with those kernels too
every_learner = pytest.mark.parametrize(
    ("name", "seconds"),
    [pytest.param(name, SHORT, marks=[pytest.mark.kernel] if name in UNCOMPILED else []) for name in FEW]
    + [pytest.param(name, LONG, marks=pytest.mark.long) for name in GAMES],
)


@pytest.mark.some(9)
@every_learner
def test_predictions_are_those_of_one_thread(name: str, seconds: float) -> None:
    game = GAMES[name]()
    learner = game.finished()
    expected = game.answers(learner)

    def ask(questions: list[str]) -> Callable[[Callable[[], bool]], None]:
        def work(over: Callable[[], bool]) -> None:
            for question in cycle(questions):
                assert said(game.questions[question], learner) == expected[question], question
                if over():
                    return

        return work

    everything = list(expected)
    quick = [question for question in everything if question.startswith(("one", "many", "score"))]
    orders = [quick, quick[::-1], everything, everything[len(everything) // 2 :] + everything]
    together(*map(ask, orders), seconds=seconds)
    assert game.answers(learner) == expected


@pytest.mark.some(6)
@every_learner
def test_whoever_asks_or_saves_while_another_learns_sees_whole_trials(
    name: str, seconds: float, tmp_path: Path
) -> None:
    game = GAMES[name]()
    expected = game.prefixes
    files = game.files(tmp_path / "known") if hasattr(game.make(), "save") else []
    made = [game.make()]
    game.play(made[0], game.trials[0])

    def learn(over: Callable[[], bool]) -> None:
        while True:
            for trial in game.trials[1:]:
                game.play(made[-1], trial)
            if over():
                return
            fresh = game.make()
            game.play(fresh, game.trials[0])
            made.append(fresh)

    def ask(over: Callable[[], bool]) -> None:
        for question in cycle(expected):
            answer = said(game.questions[question], made[-1])
            assert answer in expected[question], (question, answer)
            if over():
                return

    def save(over: Callable[[], bool]) -> None:
        while files:
            made[-1].save(tmp_path / "model")
            assert (tmp_path / "model").read_bytes() in files
            mb.load(tmp_path / "model")
            if over():
                return

    together(learn, ask, ask, save, seconds=seconds)
    for learner in made:
        assert game.answers(learner) == {question: answers[-1] for question, answers in expected.items()}


@pytest.mark.some(15)
@every_learner
def test_two_threads_that_learn_new_names(name: str, seconds: float, tmp_path: Path) -> None:
    """Which comes first is open; but all are there, none twice, and the model can be loaded."""
    learner = GAMES[name]().make()
    if not getattr(learner, "named", False):
        pytest.skip("its attributes are declared")
    many = getattr(learner, "many_classes", False)
    names: list[set[str]] = [set(), set()]

    def learn(mine: int) -> Callable[[Callable[[], bool]], None]:
        def work(over: Callable[[], bool]) -> None:
            for number in range(20_000):
                x = {f"{mine}w{number}": 1, f"{mine + 1}00{number}": 1, "both": 1}
                learner.learn_one(x, f"class {number % 3}" if many else 0)
                names[mine].update(x)
                if over():
                    return

        return work

    together(learn(0), learn(1), seconds=seconds)
    assert sorted(learner.attributes.names()) == sorted(names[0] | names[1])
    learner.save(tmp_path / "model")
    again = mb.load(tmp_path / "model").learner
    assert again.predict_one({"both"}) == learner.predict_one({"both"})
    assert again.hypothesis == learner.hypothesis


def test_an_encoded_instance_serves_several_learners_at_once() -> None:
    """Its slots in one learner's table are not taken for those in another's."""
    made = [mb.Perceptron(bias=False, labels=(0, 1)), mb.Winnow2(labels=(0, 1)), mb.AROW(labels=(0, 1))]
    words = [f"w{number}" for number in range(40)]
    for number, learner in enumerate(made):
        for place in range(len(words)):
            word = words[(place * (2 * number + 1)) % len(words)]
            learner.learn_one({word}, int(word[-1] in "13579"))
    instances = [made[0].encode({word, words[3]}) for word in words]
    expected = [[learner.predict_one({*x.names}) for x in instances] for learner in made]

    def ask(number: int) -> Callable[[Callable[[], bool]], None]:
        def work(over: Callable[[], bool]) -> None:
            while not over():
                assert [made[number].predict_one(x) for x in instances] == expected[number]

        return work

    together(*map(ask, range(3)), seconds=0.3)


def test_waiting_for_a_long_call_is_fair() -> None:
    """One who predicts between the blocks of another's learn_many does not wait for all of them."""
    import numpy as np
    from scipy.sparse import csr_matrix

    draw = np.random.default_rng(1)
    columns = np.sort(draw.integers(0, 25, 400_000).reshape(-1, 40) + np.arange(0, 1000, 25), axis=1).reshape(-1)
    X = csr_matrix((np.ones(400_000), columns, np.arange(0, 400_001, 40)), (10_000, 1000))
    y = draw.integers(0, 2, 10_000)
    learner, waits, passes = mb.Perceptron(labels=(0, 1)), [], [0]

    def learn(over: Callable[[], bool]) -> None:
        while len(waits) < 20 and not over():
            learner.learn_many(X, y)
            passes[0] += 1

    def ask(over: Callable[[], bool]) -> None:
        while len(waits) < 20 and not over():
            before = passes[0]
            learner.predict_one({"5": 2.0})
            waits.append(passes[0] - before)

    together(learn, ask, seconds=20)
    assert len(waits) == 20
    assert sorted(waits)[10] <= 3
