"""Randomized, multiclass, bandit and agnostic optima, and recursive teaching: each two ways, with its witness."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.theory import agnostic_regret, multiclass_opt, randomized_opt, recursive_teaching_dimension

CLASSES = ["singletons m=5", "singletons m=4 empty", "thresholds m=7", "monotone-disjunctions n=3", "conjunctions n=2",
           "parities n=3", "intervals m=4", "linear-thresholds n=2", "finite rows=0"]  # fmt: skip


def random_rows(seed: int, labels: int = 2) -> list[tuple[int, ...]]:
    draw = Random(seed)
    width, count = draw.randint(1, 4), draw.randint(1, 6)
    return list(dict.fromkeys(tuple(draw.randrange(labels) for _ in range(width)) for _ in range(count)))


def game_value(rows: frozenset[tuple[int, ...]]) -> Fraction:
    """The randomized game itself: the adversary shows x, the learner says 1 with probability p, the label comes."""

    @lru_cache(None)
    def value(left: frozenset[tuple[int, ...]]) -> Fraction:
        best = Fraction(0)
        for j in range(len(next(iter(left)))):
            sides = [frozenset(row for row in left if row[j] == label) for label in (0, 1)]
            if all(sides):
                a, b = value(sides[0]), value(sides[1])
                # p + a = 1 - p + b where that p is a probability; otherwise an end of [0, 1] is best.
                p = min(max((1 + b - a) / 2, Fraction(0)), Fraction(1))
                best = max(best, max(p + a, 1 - p + b))
        return best

    return value(rows)


@pytest.mark.parametrize("text", CLASSES)
def test_randomized_opt_is_the_value_of_the_game(text: str) -> None:
    C = mb.concepts.parse_class(text).finite()
    found = randomized_opt(C)
    assert found.exact
    assert found.verify()
    assert found.value == game_value(frozenset(C.labels(c) for c in range(C.size)))
    opt = mb.opt(C).value
    assert Fraction(opt, 2) <= found.value <= opt
    assert (found.value.denominator & (found.value.denominator - 1)) == 0


@pytest.mark.parametrize("seed", range(30))
def test_random_classes(seed: int) -> None:
    rows = random_rows(seed)
    found = randomized_opt(mb.concepts.FiniteClass(rows))
    assert found.verify()
    assert found.value == game_value(frozenset(rows))
    assert (
        multiclass_opt(rows).value
        == multiclass_opt(rows, bandit=True).value
        == mb.opt(mb.concepts.FiniteClass(rows)).value
    )


def test_golden_values() -> None:
    """Thresholds and complete classes: a complete tree is best, so half of opt; singletons: 1 - 2^-(m-1)."""
    assert [randomized_opt(f"thresholds m={m}").value for m in (1, 3, 7)] == [Fraction(1, 2), 1, Fraction(3, 2)]
    for m in range(2, 7):
        assert randomized_opt(f"singletons m={m}").value == 1 - Fraction(1, 2 ** (m - 1))
    assert randomized_opt("parities n=3").value == Fraction(3, 2)
    assert randomized_opt("conjunctions n=6", timeout=0).upper == mb.opt("conjunctions n=6", timeout=0).upper


def test_a_tree_that_is_no_proof() -> None:
    found = randomized_opt("thresholds m=3")
    j, below, above = found.tree
    wrong = type(found)(found.lower, found.upper, (j, above, below), found.finite)
    assert not wrong.verify()


def naive_multiclass(rows: frozenset[Any], bandit: bool) -> int:
    """A learner that may predict any label, an adversary that may give any label that is left: the game itself."""
    labels = {label for row in rows for label in row}

    @lru_cache(None)
    def value(left: frozenset[Any]) -> int:
        best = 0
        for j in range(len(next(iter(left)))):
            present = {row[j] for row in left}
            if len(present) == 1:
                continue
            worst_of = []
            for said in labels:
                if bandit:
                    wrong = frozenset(row for row in left if row[j] != said)
                    worst_of.append(1 + value(wrong) if wrong and wrong != left else (99 if wrong else 0))
                else:
                    outcomes = [(a != said) + value(frozenset(r for r in left if r[j] == a)) for a in present]
                    worst_of.append(max(outcomes))
            best = max(best, min(worst_of))
        return best

    return value(rows)


@pytest.mark.parametrize("bandit", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_multiclass_equals_the_game(seed: int, bandit: bool) -> None:
    rows = random_rows(seed, 3 + seed % 2)
    found = multiclass_opt(rows, bandit=bandit)
    assert found.verify()
    assert found.value == naive_multiclass(frozenset(rows), bandit)


def test_bandits_pay() -> None:
    every = list(product(range(3), repeat=2))
    assert multiclass_opt(every).value == 2
    assert multiclass_opt(every, bandit=True).value == 4  # (k - 1) for each instance
    with pytest.raises(mb.BadParameter, match="rows must be one function at least"):
        multiclass_opt([[0], [0, 1]])


def naive_regret(rows: list[tuple[int, ...]], trials: int) -> Fraction:
    """All sequences of (x, y) by recursion on the whole history, p on a grid that holds the best p exactly."""

    def value(history: tuple[tuple[int, int], ...]) -> Fraction:
        if len(history) == trials:
            return Fraction(-min(sum(row[j] != y for j, y in history) for row in rows))
        found = []
        for j in range(len(rows[0])):
            zero, one = (value((*history, (j, y))) for y in (0, 1))
            grid = [Fraction(i, 2**trials) for i in range(2**trials + 1)]
            found.append(min(max(p + zero, 1 - p + one) for p in grid))
        return max(found)

    return value(())


@pytest.mark.parametrize("seed", range(8))
def test_regret_equals_the_whole_game(seed: int) -> None:
    draw = Random(seed)
    rows = list(dict.fromkeys(tuple(draw.getrandbits(1) for _ in range(2)) for _ in range(3)))
    for trials in range(4):
        found = agnostic_regret(mb.concepts.FiniteClass(rows), trials)
        assert found.value == naive_regret(rows, trials)
        assert found.verify()


def test_regret_of_two_constants() -> None:
    """E|heads - tails|/2: the textbook's value for two experts that disagree."""
    values = [agnostic_regret("finite rows=0,1", t).value for t in range(5)]
    assert values == [0, Fraction(1, 2), Fraction(1, 2), Fraction(3, 4), Fraction(3, 4)]
    assert agnostic_regret("finite rows=01", 5).value == 0  # one concept: follow it
    with pytest.raises(mb.BadParameter, match="1 to 16 concepts"):
        agnostic_regret("monotone-disjunctions n=5", 2)
    with pytest.raises(mb.BadParameter, match="trials must be >= 0: -1"):
        agnostic_regret("finite rows=0,1", -1)


def test_the_optimal_learner_keeps_its_regret() -> None:
    """Its coin, played from its answers alone against all labels: the expected loss less that of the best concept."""
    rows, trials = [(0, 0), (0, 1), (1, 1)], 4
    found = agnostic_regret(mb.concepts.FiniteClass(rows), trials)
    regrets = []
    for history in product(product(range(2), (0, 1)), repeat=trials):
        loss = Fraction(0)
        for t, (j, label) in enumerate(history):
            shown = [(found.finite.instances[i], y) for i, y in history[:t]]
            loss += abs(label - found.probability(shown, found.finite.instances[j]))
        regrets.append(loss - min(sum(row[j] != label for j, label in history) for row in rows))
    assert max(regrets) == found.value
    with pytest.raises(mb.BadParameter, match="the history must leave a trial of the 4"):
        found.probability([(found.finite.instances[0], 1)] * 4, found.finite.instances[0])


def test_a_regret_that_is_no_proof() -> None:
    found = agnostic_regret("thresholds m=3", 3)
    assert found.verify()
    larger = type(found)(found.value + Fraction(1, 8), found.trials, found.plays, found.finite)
    assert not larger.verify()
    dull = {key: (value, 0) for key, (value, _) in found.plays.items()}  # the adversary shows one instance only
    assert not type(found)(found.value, found.trials, dull, found.finite).verify()
    careless = {key: (value - Fraction(1, 8) * (key[1] == 2), j) for key, (value, j) in found.plays.items()}
    assert not type(found)(found.value, found.trials, careless, found.finite).verify()


def naive_recursive(rows: list[tuple[int, ...]]) -> int:
    """max over all subclasses of the least teaching set: the other definition."""

    def least(members: tuple[tuple[int, ...], ...]) -> int:
        width = range(len(members[0]))
        for size in range(len(members[0]) + 1):
            for chosen in combinations(width, size):
                views = [tuple(row[j] for j in chosen) for row in members]
                if any(views.count(view) == 1 for view in views):
                    return size
        raise AssertionError

    return max(least(chosen) for size in range(1, len(rows) + 1) for chosen in combinations(rows, size))


@pytest.mark.parametrize("seed", range(25))
def test_recursive_teaching_by_all_subclasses(seed: int) -> None:
    rows = random_rows(seed)
    found = recursive_teaching_dimension(mb.concepts.FiniteClass(rows))
    assert found.verify()
    assert found.value == naive_recursive(rows)


@pytest.mark.parametrize("text", CLASSES)
def test_recursive_teaching_of_classes(text: str) -> None:
    found = recursive_teaching_dimension(text)
    assert found.verify()
    assert found.value <= mb.theory.teaching_dimension(text).value


def test_recursive_teaching_out_of_time() -> None:
    found = recursive_teaching_dimension("conjunctions n=4", timeout=0)
    assert found.lower <= recursive_teaching_dimension("conjunctions n=4").value <= found.upper
    assert found.verify()


def test_warmuths_class() -> None:
    """Ten concepts on five instances with VC dimension 2 and recursive teaching dimension 3 (Doliwa et al. 2014)."""
    base = ["11000", "11010"]
    rows = [row[-s:] + row[:-s] if s else row for row in base for s in range(5)]
    warmuth = mb.concepts.parse_class(f"finite rows={','.join(rows)}")
    assert mb.theory.vc_dimension(warmuth).value == 2
    found = recursive_teaching_dimension(warmuth)
    assert (found.value, found.verify()) == (3, True)
