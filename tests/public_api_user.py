"""A file as a user writes it: type checkers must find nothing in it (tests/test_public_names.py).  It runs, too."""

from __future__ import annotations

from collections.abc import Iterator

import mistakebound as mb
from mistakebound.bayes import posterior
from mistakebound.concepts import MonotoneDisjunctions, parse, parse_class
from mistakebound.theory import opt, vc_dimension


def examples() -> Iterator[tuple[set[str], int]]:
    yield {"x1", "x2"}, 1
    yield {"x3"}, 0


def play_a_game() -> mb.Ledger:
    learner = mb.Winnow2(n=20)
    ledger = mb.play(learner, mb.teachers.RandomTarget("x3 | x17", n=20, trials=200, seed=1))
    bound: mb.theory.Bound = learner.bound(k=2)
    print(ledger.mistakes, bound.mistakes, ledger.verdict)
    return ledger


def learn_rows() -> int:
    learner = mb.Perceptron()
    wrong = 0
    for x, y in examples():
        wrong += learner.learn_one(x, y) != y
    print(learner.predict_one({"x1"}), learner.hypothesis)
    return wrong


def learn_a_model() -> mb.Model:
    rows = [{"words": ["free", "money"], "kind": "spam"}, {"words": ["lunch"], "kind": "ham"}]
    model = mb.learn(rows * 3, "kind", learner="perceptron")
    print(model.predict_one({"words": ["free"]}), model.labels)
    if model.ledger is not None:
        print(model.ledger.mistakes, model.ledger.trials)
    return model


def other_learners() -> list[mb.learners.Learner]:
    found: list[mb.learners.Learner] = [
        mb.Winnow1(n=5),
        mb.BalancedWinnow(),
        mb.AveragedPerceptron(),
        mb.PassiveAggressive(),
        mb.AROW(),
        mb.WeightedMajority("winnow2,perceptron"),
        mb.OneVsAll("arow"),
        mb.NaiveBayes(),
        mb.DecisionTree(),
        mb.Halving("conjunctions n=3"),
        mb.learners.FindS(),
        mb.transforms.expand(mb.Winnow2(), cross=2),
    ]
    kinds: list[type[mb.learners.Learner]] = [mb.learners.find(name) for name in mb.learners.names()]
    print(len(kinds))
    return found


def theory() -> tuple[int, int]:
    concepts = MonotoneDisjunctions(4)
    print(parse_class("conjunctions n=3"), mb.sample_size(10, 0.1, delta=0.05), mb.theory.teaching_dimension(concepts))
    print(posterior("conjunctions n=2", data=[((1, 1), 1)]))
    best = opt(concepts)
    if best.tree is not None:
        print(mb.plot.draw_tree(best.tree))
    return best.lower, vc_dimension(concepts).lower


def questions() -> int:
    oracle = mb.teachers.CountingOracle(mb.teachers.EquivalenceOracle(parse("x1 | x2"), MonotoneDisjunctions(4)))
    return mb.arena.identify(mb.arena.AsQueryLearner(mb.Winnow1(n=4)), oracle).questions


def errors() -> str:
    try:
        mb.Winnow2(n=-1)
    except (mb.BadParameter, mb.errors.BadModel) as error:
        return str(error)
    return ""


if __name__ == "__main__":
    play_a_game()
    learn_rows()
    learn_a_model()
    print(other_learners(), theory(), questions(), errors())
