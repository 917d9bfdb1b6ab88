"""Winnow from start weights that differ by attribute: twin, bounds, files, refusals."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.cli import main

Row = tuple[tuple[int, ...], int]


def naive(
    rows: list[Row], n: int, start: dict[int, Fraction], alpha: Fraction, theta: Fraction, eliminates: bool
) -> Any:
    """Predictions and final weights, in fractions."""
    weights = [start.get(j, Fraction(1)) for j in range(n)]
    said = []
    for x, label in rows:
        on = [j for j in range(n) if x[j]]
        said.append(int(sum(weights[j] for j in on) > theta))
        if said[-1] != label:
            for j in on:
                weights[j] = weights[j] * alpha if label else Fraction(0) if eliminates else weights[j] / alpha
    return said, weights


def game(seed: int, alpha: Fraction = Fraction(2)) -> tuple[int, dict[int, Fraction], set[int], list[Row]]:
    """n, start weights of some attributes, a target, and examples of it."""
    draw = Random(seed)
    n = draw.randint(3, 12)
    start = {j: alpha ** draw.randint(-3, 4) for j in draw.sample(range(n), draw.randint(1, n - 1))}
    target = set(draw.sample(range(n), draw.randint(0, 3)))
    rows = []
    for _ in range(60):
        x = tuple(int(draw.random() < 0.4) for _ in range(n))
        rows.append((x, int(any(x[j] for j in target))))
    return n, start, target, rows


def named(start: dict[int, Fraction]) -> dict[str, float]:
    return {f"x{j + 1}" if j % 2 else str(j + 1): float(weight) for j, weight in start.items()}


@pytest.mark.kernel
@pytest.mark.parametrize("kind", ["winnow1", "winnow2"])
@pytest.mark.parametrize("seed", range(12))
def test_twin_agrees_and_the_bound_holds(seed: int, kind: str) -> None:
    alpha = Fraction(2) if kind == "winnow1" else Fraction(3, 2)
    n, start, target, rows = game(seed, alpha)
    learner = mb.learners.find(kind)(n=n, start=named(start), labels=(0, 1))
    said, weights = naive(rows, n, start, alpha, Fraction(n), kind == "winnow1")
    relevant = [str(j + 1) for j in target]
    bounds = [learner.bound(k=len(target)), learner.bound(relevant=relevant)]
    predictions = [learner.learn_one(x, label) for x, label in rows]
    assert predictions == said
    for j in range(n):
        assert learner.weight(str(j + 1)) == pytest.approx(float(weights[j]), rel=1e-12)
    mistakes = sum(p != label for p, (_, label) in zip(said, rows, strict=True))
    for bound in bounds:
        assert "start-weights theorem" in bound.theorem.name
        assert mistakes <= bound.mistakes
    assert bounds[1].value <= bounds[0].value * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_lemmas_hold_in_play(seed: int) -> None:
    n, start, target, rows = game(seed + 100)
    ledger = mb.play(mb.Winnow1(n=n, start=named(start), labels=(0, 1)), rows, assume={"k": len(target)}, lemmas=True)
    assert not ledger.lemma_failures
    assert ledger.mistakes <= ledger.bound.mistakes


def test_the_promotions_of_the_theorem_are_met() -> None:
    """A relevant attribute alone is promoted exactly log2(theta/w0) + 1 times, for every start weight."""
    for exponent in range(-4, 6):
        learner = mb.Winnow1(n=16, start={"x5": 2.0**exponent}, labels=(0, 1))
        made = sum(learner.learn_one({"5"}, 1) == 0 for _ in range(20))
        assert made == max(0, 4 - exponent + 1)
        log_terms = (learner.bound(relevant=["5"]).value - (15 + 2.0**exponent) / 16) / 2
        assert made == round(log_terms, 9)


def test_the_formula_by_hand() -> None:
    learner = mb.Winnow1(n=8, theta=8, start={"x1": 4.0, "x2": 0.5})
    # 2 * (log2(8/4) + 1) + (4 + 0.5 + 6)/8, and of any one attribute x2 costs most.
    assert learner.bound(relevant=["1"]).value == pytest.approx(2 * 2 + 10.5 / 8)
    assert learner.bound(k=1).value == pytest.approx(2 * 5 + 10.5 / 8)
    assert learner.bound(k=3).value == pytest.approx(2 * (5 + 4 + 4) + 10.5 / 8)
    assert str(learner.hypothesis) == "4*x1 + 0.5*x2 > 8, every attribute not seen yet counting 1"


def test_files_copies_and_what_was_learned(tmp_path: Path) -> None:
    n, start, _, rows = game(3)
    learner = mb.Winnow1(n=n, start=named(start), labels=(0, 1))
    assert learner.start() == {}
    path = tmp_path / "w.mb"
    for twin in (copy.deepcopy(learner), learner.copy()):
        assert twin.hypothesis == learner.hypothesis
    for x, label in rows[:20]:
        learner.learn_one(x, label)
    assert learner.start() == {"used": True}
    learner.save(str(path))
    again = mb.load(str(path)).learner
    assert again.settings["start"] == learner.settings["start"]
    assert again.hypothesis == learner.hypothesis
    assert [again.learn_one(x, label) for x, label in rows[20:]] == [learner.learn_one(x, y) for x, y in rows[20:]]
    # One whose start weight no play could have made.
    high = mb.Winnow1(n=4, start={"x1": 2.0**40}, labels=(0, 1))
    high.save(str(path))
    assert mb.load(str(path)).learner.weight("1") == 2.0**40


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ({"x1": 3.0}, "start of 1 must be a power of alpha = 2 with a whole exponent from -60 to 60: 3.0"),
        ({"x1": 2.0**61}, "start of 1 must be a power of alpha"),
        ({"x1": 0}, "start of 1 must be a number > 0: 0"),
        ({"x1": "2"}, "start of 1 must be a number > 0: '2'"),
        ({"x9": 2.0}, "start must name attributes up to n = 4: 'x9'"),
        ({"1": 2.0, "x1": 4.0}, "start must name an attribute once: 'x1'"),
        ({1: 2.0}, "start must have names as its keys: 1"),
        ({f"a{j}": 2.0 for j in range(5)}, "start must name at most n = 4 attributes: 5"),
        (-1, "start must be a number > 0, '1/n' or attributes with powers of alpha, NAME=NUMBER,NAME=NUMBER: -1"),
        ("much", "start must be a number > 0, '1/n' or attributes"),
    ],
)
def test_refused(start: Any, words: str) -> None:
    with pytest.raises(mb.BadParameter) as caught:
        mb.Winnow1(n=4, start=start)
    assert str(caught.value).startswith(words)


def test_refused_where_names_mean_nothing() -> None:
    with pytest.raises(mb.BadParameter, match="start must be a number when n is not declared"):
        mb.Winnow1(start={"x1": 2.0})
    with pytest.raises(mb.BadParameter, match="start must be a number in an ensemble"):
        mb.OneVsAll(mb.Winnow1(n=4, start={"x1": 2.0}), labels=("a", "b", "c"))
    with pytest.raises(mb.BadParameter, match="start must be a number in an ensemble"):
        mb.OneVsAll("winnow1(n=4,start=x1=2)", labels=("a", "b", "c"))
    with pytest.raises(mb.BadParameter, match="start must be a number behind a transform"):
        mb.transforms.expand(mb.Winnow1(n=4, start={"x1": 2.0}), negate=True)


def test_as_an_expert() -> None:
    """A majority keeps it as the object that it is, with a table of its own."""
    rows = [((1, 0, 0, 0), 1), ((0, 1, 0, 0), 0), ((1, 1, 0, 0), 1)]
    experts = [mb.Winnow1(n=4, start={"x1": 8.0}), mb.Winnow1(n=4), mb.Winnow1(n=4, start={"x1": 16.0})]
    majority = mb.WeightedMajority(experts, labels=(0, 1))
    assert mb.play(majority, rows).mistakes <= mb.play(mb.Winnow1(n=4, labels=(0, 1)), rows).mistakes
    assert mb.play(mb.Winnow1(n=4, start={"x1": 8.0}, labels=(0, 1)), rows).mistakes == 0


def test_powers_of_a_rounded_alpha() -> None:
    learner = mb.Winnow2(alpha=1.1, n=3, start={"ham": 1.21})
    assert learner.weight("ham") == pytest.approx(1.21)
    assert learner.bound(k=1, relevant=["ham"]).value is not None


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--learner", "winnow1", "--set", "n=100", "--set", "start=x3=64,x17=64", "--target", "x3 | x17"]
    code = main(["play", *words, "--n", "100", "--trials", "300", "--assume", "k=2", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert code == 0
    assert found["theorem"]["name"] == "the start-weights theorem"
    assert found["mistakes"] <= found["bound"]
