"""Learners of every kind with trials to play and questions to ask, for tests in which several threads do both."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

import mistakebound as mb
from mistakebound import kernels, learners
from mistakebound.core.errors import LearnerBusy, MistakeboundError
from mistakebound.core.sparse import SparseLearner
from mistakebound.learners.version_space._learner import ConceptLearner

COMPILED = kernels.compiled()
WIDTH = 8
TRIALS = 24
LISTED = "attribute-conjunctions x1=a,b,c x2=x,y x3=p,q,r"
CONCEPTS = "monotone-disjunctions n=8 k=2"


class Game:
    """`trials` to play with `make()`, and `questions`: functions of the learner whose answers can be compared."""

    def __init__(self, make: Callable[[], Any], trials: list[Any], questions: dict[str, Callable[[Any], Any]]) -> None:
        self.make = make
        self.trials = trials
        self.questions = questions

    def play(self, learner: Any, trial: Any) -> None:
        x, y = trial
        with suppress(mb.NoConsistentHypothesis):
            learner.learn_one(x, y)

    def finished(self) -> Any:
        learner = self.make()
        for trial in self.trials:
            self.play(learner, trial)
        return learner

    def answers(self, learner: Any) -> dict[str, Any]:
        return {name: said(question, learner) for name, question in self.questions.items()}

    def files(self, path: Path) -> list[bytes]:
        """The model files after each trial."""
        learner, found = self.make(), []
        for trial in self.trials:
            self.play(learner, trial)
            learner.save(path)
            found.append(path.read_bytes())
        return found

    @cached_property
    def prefixes(self) -> dict[str, list[Any]]:
        """The answers to each question before the first trial and after each."""
        learner = self.make()
        found: dict[str, list[Any]] = {name: [answer] for name, answer in self.answers(learner).items()}
        for trial in self.trials:
            self.play(learner, trial)
            for name, answer in self.answers(learner).items():
                found[name].append(answer)
        return found


class FitGame(Game):
    """A trial is a whole table: the learner forgets what it learned from another."""

    def play(self, learner: Any, trial: Any) -> None:
        learner.fit(*trial)


def said(question: Callable[[Any], Any], learner: Any) -> Any:
    """The answer as plain values; what is refused, in its own words."""
    try:
        return plain(question(learner))
    except MistakeboundError as error:
        if isinstance(error, LearnerBusy):
            raise
        return str(error)


def plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value


def held(learner: Any) -> Any:
    """All that a copy holds, as a model file would."""
    twin = learner.copy()
    arrays = twin._all_arrays() if hasattr(twin, "_all_arrays") else twin._arrays()
    return repr(twin._header()), {name: bytes(values) for name, values in arrays.items()}


def sparse_game(make: Callable[[], Any], *, binary: bool, many: bool = False, names: bool = True) -> Game:
    draw = Random(7)
    rows, labels = [], []
    for number in range(TRIALS):
        bits = [int(draw.random() < 0.4) for _ in range(WIDTH)]
        label = int(bits[1] or bits[4]) if not many else bits[1] + 2 * bits[4]
        labels.append(f"class {label}" if many else label)
        # The columns come one after the other, so that there are new names until the end.
        seen = 2 + number * WIDTH // TRIALS
        rows.append(
            [bit * (1.0 if binary else draw.choice([1.0, -0.1, 0.3, 7.7])) * (j < seen) for j, bit in enumerate(bits)]
        )
    # Longer than the learners without kernels need it: kernels let other threads run meanwhile.
    X = csr_matrix(np.array(rows * (30 if names and COMPILED else 1)))
    text = ["a", "b", "10", "x1", "é", "2", "70000", "word"] if names else None
    trials = []
    for row, label in zip(rows, labels, strict=True):
        x: Any = row if text is None else {name: value for name, value in zip(text, row, strict=True) if value}
        trials.append((x, label))
    known: dict[str, Any] = {} if text is None else {"names": text}
    questions: dict[str, Callable[[Any], Any]] = {
        "one": lambda learner: learner.predict_one(trials[3][0]),
        "score": lambda learner: learner.score_one(trials[3][0]),
        "many": lambda learner: learner.predict_many(X, **known),
        "many others": lambda learner: learner.predict_many(X[::-3], **known),
        "scores": lambda learner: learner.score_many(X, **known),
        "trial": lambda learner: learner.predict_trial(trials[9][0]),
        "hypothesis": lambda learner: str(learner.hypothesis),
        "bound": lambda learner: str(learner.bound()),
        "held": held,
    }
    if not names and many:
        del questions["trial"]
    for name in ("weights", "experts", "votes", "literals", "remaining", "posterior"):
        if hasattr(make(), name):
            questions[name] = lambda learner, name=name: [*map(str, plain_items(getattr(learner, name)()))]
    questions["top"] = lambda learner: learner.top(3)
    return Game(make, trials, questions)


def plain_items(value: Any) -> list[Any]:
    return list(value.items()) if isinstance(value, dict) else list(value)


def nominal_game(make: Callable[[], Any]) -> Game:
    draw = Random(5)
    rows = [[draw.choice("abc"), draw.choice("xy"), draw.choice("pqr")] for _ in range(12)]
    trials = [(row, int(row[0] == "a")) for row in rows]
    questions: dict[str, Callable[[Any], Any]] = {
        "one": lambda learner: learner.predict_one(rows[2]),
        "score": lambda learner: learner.score_one(rows[3]),
        "held": held,
        "hypothesis": lambda learner: str(learner.hypothesis),
    }
    if hasattr(type(make()), "version_space"):
        questions["space"] = lambda learner: str(learner.version_space.size)
    return Game(make, trials, questions)


def dense_game(make: Callable[[], Any]) -> Game:
    draw = Random(3)
    X = [[draw.uniform(-1, 1) for _ in range(4)] for _ in range(TRIALS)]
    low = -1 if getattr(make(), "_pair", None) == (-1, 1) else 0
    trials = [(x, 1 if x[0] + x[1] > 0 else low) for x in X]
    rows = np.array(X)
    questions: dict[str, Callable[[Any], Any]] = {
        "one": lambda learner: learner.predict_one(X[0]),
        "score": lambda learner: learner.score_one(X[1]),
        "many": lambda learner: learner.predict_many(rows),
        "outputs": lambda learner: learner.outputs(rows),
        "weights": lambda learner: learner.weights,
        "held": held,
    }
    return Game(make, trials, questions)


def bayes_game(make: Callable[[], Any]) -> Game:
    draw = Random(2)
    rows = [{"sky": draw.choice(["sunny", "rainy", "grey"]), "wind": draw.choice("abcdef")} for _ in range(TRIALS)]
    trials = [(row, f"class {(number * 7) % (2 + number // 15)}") for number, row in enumerate(rows)]
    questions: dict[str, Callable[[Any], Any]] = {
        "one": lambda learner: learner.predict_one(rows[0]),
        "shares of one": lambda learner: learner.predict_proba_one(rows[1]),
        "many": lambda learner: learner.predict_many(rows),
        "shares": lambda learner: learner.predict_proba_many(rows),
        "evidence": lambda learner: [str(one.as_json()) for one in learner.evidence(5)],
        "lines": lambda learner: learner.lines(5),
        "hypothesis": lambda learner: str(learner.hypothesis),
    }
    return Game(make, trials, questions)


def word_game(make: Callable[[], Any]) -> Game:
    game = sparse_game(mb.Perceptron, binary=True)
    X = csr_matrix(np.array([[1.0, 0, 1], [0, 1, 1]]))
    rows = [x for x, _ in game.trials]
    questions: dict[str, Callable[[Any], Any]] = {
        "one": lambda learner: learner.predict_one(rows[3]),
        "shares of one": lambda learner: learner.predict_proba_one(rows[4]),
        "many": lambda learner: learner.predict_many(X, names=["a", "b", "10"]),
        "shares": lambda learner: learner.predict_proba_many(X, names=["a", "b", "10"]),
        "hypothesis": lambda learner: str(learner.hypothesis),
    }
    return Game(make, game.trials, questions)


def table_game(make: Callable[[], Any], **options: Any) -> Game:
    """Two tables with other columns, learned in turns."""
    first = [{"sky": "ab"[number % 2], "wind": number % 5} for number in range(20)]
    second = [{"wind": number % 3, "size": "xyz"[number % 3], "sky": "bc"[number % 2]} for number in range(20)]
    labels = ["yes" if number % 3 else "no" for number in range(20)]
    other = [f"kind {number % 3}" for number in range(20)]
    trials = [(first, labels), (second, other)] * 3
    asked = [row | {"size": "x"} for row in first]
    questions: dict[str, Callable[[Any], Any]] = {
        "many": lambda learner: learner.predict_many(asked),
        "shares": lambda learner: learner.predict_proba_many(asked),
        "lines": lambda learner: learner.lines(5),
        "hypothesis": lambda learner: str(learner.hypothesis),
    }
    game = FitGame(make, trials, questions)
    if options:
        game.play = lambda learner, trial: learner.fit(*trial, **options)  # type: ignore[method-assign]
    return game


def points_game(make: Callable[[], Any]) -> Game:
    sets = [[[0.1, 0.0], [0.0, 0.2], [4.0, 4.1], [4.2, 4.0]], [[9.0, 9.0], [8.0, 9.0], [1.0, 1.0], [1.0, 2.0]]]
    questions: dict[str, Callable[[Any], Any]] = {
        "many": lambda learner: learner.predict_many(np.array(sets[0])),
        "shares": lambda learner: learner.predict_proba_many(np.array(sets[0])),
        "points": lambda learner: learner.responsibilities,
        "hypothesis": lambda learner: str(learner.hypothesis),
    }
    return FitGame(make, [(points, None) for points in sets * 3], questions)


def games() -> dict[str, Callable[[], Game]]:
    """A game for every learner of the registry, for those that can have one in front of them or around them too."""
    found: dict[str, Callable[[], Game]] = {}
    known = {"n": WIDTH, "concepts": CONCEPTS, "layers": [4, 3, 1], "k": 2, "variance": 1.0}
    for name in learners.names():
        kind: Any = learners.find(name)
        settings = {p.name: known[p.name] for p in kind.parameters if p.required}

        def make(kind: Any = kind, settings: dict[str, Any] = settings) -> Any:
            return kind(**settings)

        if issubclass(kind, SparseLearner):
            made = make()
            many = getattr(made, "many_classes", False)
            found[name] = lambda make=make, made=made, many=many: sparse_game(
                make, binary=made.binary, many=many, names=made.named
            )
            if not made.named or many:
                continue
            found[f"one-vs-all of {name}"] = lambda name=name, made=made: sparse_game(
                lambda: mb.OneVsAll(name), binary=made.binary, many=True
            )
            found[f"weighted majority of {name}"] = lambda name=name, made=made: sparse_game(
                lambda: mb.WeightedMajority([name, "perceptron"]), binary=made.binary
            )
            if hasattr(made, "_members"):
                continue  # with something in front of them these cannot be copied
            found[f"{name} on conjunctions"] = lambda make=make: sparse_game(
                lambda: mb.transforms.expand(make(), cross=2), binary=True
            )
            if not made.binary:
                found[f"{name}, standardised"] = lambda make=make: sparse_game(
                    lambda: mb.transforms.standardize(make()), binary=False
                )
        elif issubclass(kind, ConceptLearner):
            listed = {"concepts": LISTED} if "concepts" in settings else {}
            found[name] = lambda kind=kind, listed=listed: nominal_game(lambda: kind(**listed))
        elif kind.takes == "numbers":
            found[name] = lambda make=make: dense_game(make)
        elif name == "naive-bayes":
            found[name] = lambda make=make: bayes_game(make)
            found["naive-bayes of words"] = lambda: word_game(lambda: mb.NaiveBayes(attributes="words"))
            found["naive-bayes of flags"] = lambda: word_game(lambda: mb.NaiveBayes(attributes="flags"))
        elif kind.takes == "points":
            found[name] = lambda make=make: points_game(make)
        else:
            options = {"epochs": 3} if name == "table-network" else {}
            found[name] = lambda make=make, options=options: table_game(make, **options)
    found["weighted majority of a guest"] = lambda: sparse_game(
        lambda: mb.WeightedMajority([mb.Perceptron(), "winnow2"], labels=(0, 1)), binary=True
    )
    return {name: cache(game) for name, game in found.items()}


@contextmanager
def many_switches() -> Iterator[None]:
    """Threads change places as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def together(*work: Callable[[Callable[[], bool]], None], seconds: float) -> None:
    """Run functions, each in a thread of its own; they end by themselves, or when the function given to them says so.

    The first error of one of them is raised here; a thread that does not end is an error too.
    """
    errors: list[BaseException] = []
    begin = threading.Barrier(len(work))
    end = time.monotonic() + seconds
    done = threading.Event()

    def over() -> bool:
        return bool(errors) or done.is_set() or time.monotonic() > end

    def run(one: Callable[[Callable[[], bool]], None]) -> None:
        try:
            begin.wait()
            one(over)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(one,), daemon=True) for one in work]
    with many_switches():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60 + 4 * seconds)
    if errors:
        raise errors[0]
    if any(thread.is_alive() for thread in threads):
        os.write(2, b"a thread does not end\n")
        raise AssertionError("a thread does not end")
