"""More attributes from the same ones: as if the instances had been expanded beforehand, by name."""

from __future__ import annotations

import contextlib
import copy
import pickle
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from learners.test_winnow_twin import exact_weights
from mistakebound.core.atomic import learn_and_record
from mistakebound.core.ledger import Ledger
from mistakebound.learners import DecisionListLearner
from mistakebound.transforms import expand
from mistakebound.transforms.conjunctions import conjunctions_of
from naive.expand import conjunctions
from naive.winnow1 import NaiveWinnow1
from naive.winnow2 import NaiveWinnow2

NAMES = ["3", "6", "5", "b", "a", "0"]
kinds = st.sampled_from([(mb.Winnow1, NaiveWinnow1), (mb.Winnow2, NaiveWinnow2)])
trials = st.lists(st.tuples(st.sets(st.sampled_from(NAMES)), st.integers(0, 1)), max_size=25)


@pytest.mark.kernel
@given(kinds, st.integers(2, 4), st.booleans(), st.sampled_from([2.0, 1.5]), st.sampled_from([">", ">="]), trials)
def test_twin_on_expanded_instances(
    kind: Any, cross: int, declared: bool, alpha: float, rule: str, played: Any
) -> None:
    n = len(NAMES) if declared else None
    learner = expand(kind[0](alpha=alpha, n=10 if declared else None, rule=rule, labels=(0, 1)), cross)
    theta = float(conjunctions_of(10, cross)) if declared else 1.0
    twin = kind[1](alpha, theta, n is not None, rule)
    for active, label in played:
        unseen = active ^ {"a", "b", "new"}
        assert learner.predict_one(unseen) == twin.predict({*conjunctions(unseen, cross)})
        assert learner.learn_one(active, label) == twin.learn({*conjunctions(active, cross)}, label)
    assert exact_weights(learner) == twin.w
    for name in twin.w:
        assert learner.inner.attributes.name(learner.inner.attributes.slot(name)) == name


@pytest.mark.kernel
@given(kinds, st.integers(1, 3), st.sampled_from([6, 8]), trials)
def test_twin_with_negated_literals(kind: Any, cross: int, n: int, played: Any) -> None:
    """An attribute that has not appeared yet is absent: its negation is true from the first trial on."""
    universe = [*NAMES, "later", "never"][:n]
    learner = expand(kind[0](n=n, labels=(0, 1)), cross, negate=True)
    assert learner.inner.n == conjunctions_of(n, cross, negate=True)
    twin = kind[1](learner.inner.alpha, float(learner.inner.n), True, ">")
    for active, label in played:
        unseen = active ^ {"a", "b"}
        assert learner.predict_one(unseen) == twin.predict({*conjunctions(unseen, cross, universe)})
        assert learner.learn_one(active, label) == twin.learn({*conjunctions(active, cross, universe)}, label)
    assert sorted(exact_weights(learner).values()) == sorted(twin.w.values())
    seen = [name for name in universe if name in learner.attributes]
    if seen:
        own = {
            name: weight for name, weight in twin.w.items() if not {"later", "never", *NAMES} - {*seen} & {*words(name)}
        }
        assert {name: weight for name, weight in exact_weights(learner).items() if name in own} == own


def words(formula: str) -> list[str]:
    return [word.lstrip("~").removeprefix("x") for word in formula.split(" & ")]


def rows_of(played: list[tuple[set[str], int]]) -> tuple[Any, list[int]]:
    X = np.zeros((len(played), 12))
    for row, (active, _) in zip(X, played, strict=True):
        row[[int(name) for name in active]] = 1
    return sp.csr_matrix(X), [label for _, label in played]


def random_trials(seed: int, rows: int, n: int = 12, width: int = 5) -> list[tuple[set[str], int]]:
    rng = random.Random(seed)
    played = []
    for _ in range(rows):
        active = {str(j) for j in rng.sample(range(n), rng.randint(0, width))}
        played.append((active, int({"1", "2"} <= active or {"3"} <= active or rng.random() < 0.05)))
    return played


def options() -> list[Any]:
    return [
        expand(mb.Winnow2(), 2), expand(mb.Winnow1(n=12), 3), expand(mb.Perceptron(), 2),
        expand(mb.Perceptron(), 2, negate=True, n=12), expand(mb.Winnow2(n=12), negate=True),
        expand(mb.Winnow2(n=12), reduce="conjunction"), expand(mb.Winnow2(n=12), reduce="decision-list", rules=3),
        expand(mb.Winnow1(n=12), 2, reduce="conjunction"), expand(mb.learners.DisjunctionElimination(), 2),
        expand(mb.learners.ConjunctionElimination(n=12), 2),
    ]  # fmt: skip


@pytest.mark.some(5)
@pytest.mark.parametrize("which", range(len(options())))
def test_all_ways_in_agree(which: int, tmp_path: Path) -> None:
    """One at a time, in blocks of any size, resumed from a file, copied: the same predictions, scores and state."""
    played = random_trials(which, 120)
    if "Elimination" in repr(options()[which]):
        cut = {
            "DisjunctionElimination": lambda x: {"1", "2"} <= x or {"3"} <= x,
            "ConjunctionElimination": lambda x: "3" in x,
        }
        rule = cut[type(options()[which].inner).__name__]
        played = [(active, int(rule(active))) for active, _ in played]
    names = [str(j) for j in range(12)]
    X, y = rows_of(played)
    single = options()[which]
    before = [single.predict_one(active) for active, _ in played[:1]]
    assert before in ([None], [1])
    said = [single.learn_one(active, label) for active, label in played]
    said = [0 if prediction is None else prediction for prediction in said]  # the negative class had no name yet
    whole = options()[which]
    assert whole.learn_many(X, y, names=names).tolist() == said
    parts = options()[which]
    at = 0
    for size in (1, 7, 30, 2, 80):
        found = parts.learn_many(X[at : at + size], y[at : at + size], names=names)
        assert found.tolist() == said[at : at + size]
        at += size
        parts.save(tmp_path / "m.mb")
        parts = [
            mb.load(tmp_path / "m.mb").learner,
            parts.copy(),
            pickle.loads(pickle.dumps(parts)),
            copy.deepcopy(parts),
        ][at % 4]
    for other in (whole, parts):
        assert other.hypothesis == single.hypothesis
        assert other.hypothesis.text() == single.hypothesis.text()
        assert other._header() == single._header()
        assert {k: bytes(v) for k, v in other._all_arrays().items()} == {
            k: bytes(v) for k, v in single._all_arrays().items()
        }
    rule, threshold = single.decision
    scores = whole.score_many(X, names=names)
    assert scores.tolist() == [single.score_one(active) for active, _ in played]
    if "Elimination" not in repr(single):
        positive = scores >= threshold if rule == ">=" else scores > threshold
        assert positive.astype(int).tolist() == whole.predict_many(X, names=names).tolist()
    assert repr(single.hypothesis)


def test_a_negated_literal_is_1_beside_other_values() -> None:
    learner = expand(mb.Perceptron(), 2, negate=True, n=3)
    learner.learn_one({"1": 1, "2": 1, "3": 1}, 0)  # all have appeared
    assert learner.learn_one({"1": 2.5, "2": 0}, 1) == 0
    got = {name: weight for name, weight in learner.weights().items() if "~" in name}
    assert got == {"~x2": 1.0, "~x3": 1.0, "x1 & ~x2": 2.5, "x1 & ~x3": 2.5, "~x2 & ~x3": 1.0}


def test_products_of_values() -> None:
    """A perceptron on products: the same numbers as on instances that were multiplied out beforehand."""
    rng = random.Random(3)
    learner, plain = expand(mb.Perceptron(), 3), mb.Perceptron()
    names = [str(j) for j in range(8)]
    for name in names:  # so that both number the conjunctions alike
        learner.learn_one({name: 1}, 1)
        plain.learn_one({name: 1}, 1)
    for _ in range(200):
        x = {name: rng.choice([0.5, 2.0, -1.0, 0.25, 3.0]) for name in rng.sample(names, 4)}
        y = rng.choice([-1, 1])
        made = {name.removeprefix("x") if "&" not in name else name: v for name, v in conjunctions(x, 3).items()}
        assert learner.learn_one(x, y) == plain.learn_one(made, y)
    want = {name if "&" in name else "x" + name: weight for name, weight in plain.weights().items()}
    assert learner.weights() == pytest.approx(want, rel=1e-12)


@given(st.integers(0, 10**6), st.integers(4, 12), st.integers(1, 3), st.integers(1, 3), st.booleans())
def test_bound_on_random_dnf(seed: int, n: int, cross: int, terms: int, negate: bool) -> None:
    """k terms of up to `cross` literals: k is the bound's k, N its n."""
    cross = max(2, cross) if not negate else cross
    rng = random.Random(seed)
    names = [str(j) for j in range(1, n + 1)]
    target = [
        {name: not negate or rng.random() < 0.5 for name in rng.sample(names, rng.randint(1, min(cross, n)))}
        for _ in range(terms)
    ]
    kind = rng.choice([mb.Winnow1, mb.Winnow2])
    learner = expand(kind(n=n), cross, negate=negate)
    bound = learner.bound(k=terms)
    assert bound.facts["n"] == conjunctions_of(n, cross, negate)
    mistakes = 0
    for _ in range(150):
        x = {name for name in names if rng.random() < rng.choice([0.2, 0.5, 0.8])}
        y = int(any(all((name in x) == on for name, on in term.items()) for term in target))
        mistakes += learner.learn_one(x, y) != y
    assert bound.allows(mistakes)
    assert f"N = {learner.inner.n:,}" in bound.assumption


@given(st.integers(0, 10**6), st.integers(2, 12))
def test_conjunctions_by_complement(seed: int, n: int) -> None:
    rng = random.Random(seed)
    names = [str(j) for j in range(1, n + 1)]
    target = {name: rng.random() < 0.5 for name in rng.sample(names, rng.randint(1, min(3, n)))}
    learner = expand(rng.choice([mb.Winnow1, mb.Winnow2])(n=n), reduce="conjunction")
    bound = learner.bound(k=len(target))
    assert bound.facts["n"] == 2 * n
    mistakes = 0
    for _ in range(200):
        x = {name for name in names if rng.random() < 0.5}
        if rng.random() < 0.7:
            x = x - {*target} | {name for name, on in target.items() if on != (rng.random() < 0.1)}
        y = int(all((name in x) == on for name, on in target.items()))
        mistakes += learner.learn_one(x, y) != y
    assert bound.allows(mistakes)
    assert bound.assumption == f"the target is a conjunction of at most k = {len(target)} literals of {n} attributes"


def test_a_learned_conjunction_reads_as_one() -> None:
    learner = expand(mb.Winnow1(n=6), reduce="conjunction")
    rng = random.Random(1)
    for _ in range(400):
        x = {str(j) for j in range(1, 7) if rng.random() < 0.5}
        learner.learn_one(x, int("2" in x and "5" not in x))
    assert str(learner.hypothesis) == "x2 & ~x5"
    f = mb.concepts.parse(str(learner.hypothesis))
    for code in range(64):
        x = {str(j) for j in range(1, 7) if code >> j - 1 & 1}
        assert learner.predict_one(x) == f(x)


@given(st.integers(0, 10**6), st.integers(2, 8), st.integers(0, 4))
def test_decision_lists_by_separation(seed: int, n: int, rules: int) -> None:
    rng = random.Random(seed)
    names = [str(j) for j in range(1, n + 1)]
    listed = [(rng.choice(names), rng.random() < 0.5, rng.randint(0, 1)) for _ in range(rules)]
    default = rng.randint(0, 1)
    learner = expand(mb.Winnow2(n=n), reduce="decision-list", rules=rules)
    bound = learner.bound()
    assert learner.inner.settings["delta"] == 1 / max(1, 2**rules - 1)
    mistakes = 0
    for _ in range(300):
        x = {name for name in names if rng.random() < 0.5}
        y = next((label for name, on, label in listed if (name in x) == on), default)
        mistakes += learner.learn_one(x, y) != y
    assert bound.allows(mistakes)
    assert f"a decision list of at most {rules} rules" in bound.assumption


@pytest.mark.parametrize(
    ("learner", "options", "told", "none"),
    [
        (mb.Winnow1(n=4), {"cross": 2}, {"k": 1},
         "disjunction of at most 1 of the N = 10 conjunctions of up to 2 of 4"),
        (mb.Winnow1(), {"cross": 2}, {"k": 1}, "disjunction of at most 1 of the conjunctions of up to 2 of the"),
        (mb.Winnow2(n=4), {"negate": True}, {"k": 2}, "disjunction of at most 2 of the N = 8 literals of 4"),
        (mb.Winnow2(n=4), {"reduce": "conjunction"}, {"k": 2}, "conjunction of at most 2 literals of 4"),
        (mb.Winnow2(n=4), {"reduce": "conjunction", "cross": 2}, {"k": 1},
         "conjunction of at most 1 clauses of up to 2 literals of 4"),
        (mb.Winnow2(n=4), {"reduce": "decision-list", "rules": 1}, {},
         "decision list of at most 1 rules over the literals of 4"),
    ],
)  # fmt: skip
def test_what_is_refuted_is_said_of_the_attributes_of_the_stream(
    learner: Any, options: dict[str, Any], told: dict[str, int], none: str, long: bool
) -> None:
    draw = random.Random(1)
    rows = [({str(draw.randint(1, 2))}, draw.randint(0, 1)) for _ in range(800 if long else 400)]
    ledger = mb.play(expand(learner, **options), rows, assume=told)
    assert ledger.verdict.kind == "refuted"
    assert ledger.verdict.endswith(f"): no {none} attributes explains these labels")


def test_what_other_theorems_suppose_is_left_as_it_is() -> None:
    learner = expand(mb.WeightedMajority(), 2)
    learner.learn_one({"1", "2"}, 1)
    assert learner.bound().assumption == "one of the 2 experts makes at most 1 mistakes"


def test_facts_in_the_expanded_space() -> None:
    learner = expand(mb.Winnow2(), 2)
    assert learner.bound(k=3, n=100).facts["n"] == 5050
    assert "N = 5,050 conjunctions of up to 2 of 100 attributes" in learner.bound(k=3, n=100).assumption
    learner = expand(mb.Winnow1(n=100), 2)
    assert learner.theta == 5050
    assert expand(mb.Winnow1(n=100, theta="n/2"), 2).theta == 2525
    assert expand(mb.Winnow1(n=100, theta=7), 2).theta == 7
    with pytest.raises(mb.BadParameter, match="as this learner declares"):
        learner.bound(k=3, n=99)
    learner.learn_one({"1", "2"}, 1)
    told = learner.bound(relevant=["x1 & x2", "x7"])
    assert told.facts["k"] == 2
    assert expand(mb.learners.DisjunctionElimination(n=4), 2).bound().value == 10
    separation = mb.concepts.list_separation([("1", 0), ("2", 1), ("1", 1)], default=1)
    assert (separation.total, separation.delta) == (4, Fraction(1, 4))


def test_names_everywhere() -> None:
    learner = expand(mb.Winnow1(), 2)
    for _ in range(3):
        learner.learn_one({"free money", "3", "x3"}, 1)
    assert learner.inner.attributes.names() == [
        "x3", "'free money'", "x3 & 'free money'", "'x3'", "x3 & 'x3'", "'free money' & 'x3'",
    ]  # fmt: skip
    assert learner.weight("'x3' & x3") == learner.weight("x3 & 'x3'") > 0
    assert learner.weight("free money") == learner.weight("'free money'")
    assert "free money" in learner.inner.attributes
    for other in ("x4", "x3 | x4", "~x3", "x3 & x3", "x3 & 'x3' & 'free money'", "((", "x3 &", ""):
        assert other not in learner.inner.attributes, other
    text = str(learner.hypothesis)
    assert "*(x3 & 'free money')" in text
    assert mb.concepts.parse(
        text.replace("*(x3 & 'free money')", "*x4").replace("(", "").replace(")", "").split(" + ")[0] + " > 1"
    )


def test_names_of_attributes_that_are_still_to_come() -> None:
    learner = expand(mb.Winnow2(n=3), negate=True)
    learner.learn_one({"unseen 2"}, 1)
    assert learner.inner.attributes.names() == ["'unseen 2'", "~'unseen 1'", "~'unseen 2\\''"]
    for name in learner.inner.attributes.names():
        assert learner.inner.attributes.name(learner.inner.attributes.slot(name)) == name
    learner.learn_one({"a", "b"}, 1)
    assert learner.weights().keys() == {"'unseen 2'", "~'unseen 2'", "a", "b", "~a", "~b"}


def test_the_learner_inside_is_not_used_by_itself(tmp_path: Path) -> None:
    learner = expand(mb.Perceptron(), 2)
    learner.learn_one({"a", "b"}, 1)
    inner = learner.inner
    for use in (
        lambda: inner.learn_one({"a"}, 1), lambda: inner.predict_one({"a"}), lambda: inner.score_one({"a"}),
        lambda: inner.learn_many(np.eye(2), [0, 1]), lambda: inner.predict_many(np.eye(2)), inner.copy,
        lambda: inner.save(tmp_path / "m.mb"), lambda: inner.hypothesis, lambda: pickle.dumps(inner),
    ):  # fmt: skip
        with pytest.raises(mb.BadParameter, match="perceptron is inside a transform: use the transform"):
            use()
    assert inner.weights() == learner.weights() == {"a": 1.0, "b": 1.0, "a & b": 1.0}


def test_refusals() -> None:
    learner = expand(mb.Winnow2(labels=(0, 1)), 2, limit=10)
    assert learner.learn_one({"a", "b", "c", "d"}, 1) == 0
    before = learner.hypothesis, learner.attributes.names()
    with pytest.raises(mb.BadData, match="5 attributes, which make 15 conjunctions of up to 2, more than 10"):
        learner.learn_one({"a", "b", "c", "e", "f"}, 1)
    with pytest.raises(mb.BadData, match="more than 10"):
        learner.predict_one({"a", "b", "c", "e", "f"})
    assert (learner.hypothesis, learner.attributes.names()) == before
    X = np.eye(12)[[0, 1, 2]]
    X[1, :6] = 1
    ledger = mb.Ledger()
    with pytest.raises(mb.BadData, match="row 1: the instance has 6 attributes"):
        learner.learn_many(X, [0, 1, 0], names=[f"n{k}" for k in range(12)], ledger=ledger)
    assert ledger.trials == 1
    assert learner.attributes.names()[4:] == ["n0"]
    with pytest.raises(mb.BadData, match="row 1: the instance has 6"):
        learner.predict_many(X, names=[f"n{k}" for k in range(12)])
    with pytest.raises(mb.BadData, match="a product of values would leave the range"):
        expand(mb.Perceptron(), 2).learn_one({"a": 1e200, "b": 1e200}, 1)
    with pytest.raises(mb.BadData, match="takes 0 and 1 only"):
        learner.learn_one({"a": 2}, 1)
    with pytest.raises(mb.BadData, match="beyond the declared n = 3"):
        expand(mb.Winnow2(n=3), 2).learn_one({"1", "2", "7"}, 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: expand(mb.Winnow2()), "cross must be at least 2"),
        (lambda: expand(mb.Winnow2(), 17), "cross must be a whole number >= 1 and <= 16: 17"),
        (lambda: expand(mb.Winnow2(), 0), "cross must be a whole number >= 1 and <= 16: 0"),
        (lambda: expand(mb.Winnow2(), 2.5), "cross must be a whole number"),
        (lambda: expand(mb.Winnow2(), negate=True), r"the learner's n \(--set n=N\) must be given"),
        (lambda: expand(mb.Perceptron(), negate=True), r"n \(--attributes N\) must be given"),
        (lambda: expand(mb.Winnow2(n=5), 2, n=6), "n must be 5"),
        (lambda: expand(mb.Winnow2(n=1000), 2, negate=True), "1,000 literals make 500,500 conjunctions"),
        (lambda: expand(mb.Winnow2(n=10**9), 3), "less than 2\\^63 conjunctions of 1,000,000,000 attributes: 3"),
        (lambda: expand(mb.Winnow2(), 2, limit=0), "limit must be a whole number >= 1"),
        (lambda: expand(mb.Winnow2(n=5), reduce="dnf"), "reduce must be 'conjunction' or 'decision-list', or left out"),
        (lambda: expand(mb.Perceptron(), reduce="conjunction", n=5), "learner of disjunctions .*'perceptron'"),
        (lambda: expand(mb.Winnow1(n=5), reduce="decision-list", rules=2), "by winnow2: 'winnow1'"),
        (lambda: expand(mb.Winnow2(n=5), reduce="decision-list"), "needs their maximum length"),
        (lambda: expand(mb.Winnow2(n=5), 2, reduce="decision-list", rules=2), "do not support cross"),
        (lambda: expand(mb.Winnow2(n=5), 2, rules=2), "rules is only for a reduction"),
        (lambda: expand(mb.Winnow2(n=5, alpha=3), reduce="decision-list", rules=2), "alpha must be"),
        (lambda: expand(DecisionListLearner(3), 2), "takes attributes of any name: 'decision-list-learner'"),
        (lambda: expand(expand(mb.Winnow2(), 2), 2), "expand can be applied to a learner only once"),
        (lambda: expand("winnow2", 2), "takes attributes of any name: 'str'"),
    ],
)  # fmt: skip
def test_bad_parameters(make: Any, message: str) -> None:
    with pytest.raises(mb.BadParameter, match=message):
        make()


def test_numbers_of_more_than_63_bits() -> None:
    """Of up to 16 literals there is room for a thousand attributes or so; after that a row is refused, and no other."""
    learner = expand(mb.Winnow2(), 16, limit=10**6)
    X = sp.csr_matrix(np.eye(900, dtype=float))
    with pytest.raises(mb.BadData, match=r"2\^63 at most") as stopped:
        learner.learn_many(X, [0] * 900)
    count = len(learner.attributes)
    assert stopped.value.row == count
    assert conjunctions_of(count, 16) < 2**63 <= conjunctions_of(count + 1, 16)
    assert learner.predict_one({"1", "2"}) == learner.learn_one({"1", "2"}, 0) == 1
    with pytest.raises(mb.BadData, match=r"2\^63 at most"):
        learner.predict_one({"one too many"})


def test_large_keys_and_many_attributes() -> None:
    """Numbers of more than 32 bits, and more of them than are their own slots: the same as by name."""
    rng = random.Random(5)
    for cross, width in ((3, 7), (5, 5)):
        learner = expand(mb.Winnow2(n=1000), cross)
        twin = NaiveWinnow2(1.5, learner.theta, True, ">")
        rows = [{str(j) for j in range(start, start + width)} for start in range(1, 900, width)]
        rows += [{str(rng.randrange(1, 900)) for _ in range(width)} for _ in range(40)]
        for turn in range(2):
            said = learner.learn_many(*matrix(rows, 1000, turn))
            assert said.tolist() == [twin.learn({*conjunctions(row, cross)}, turn) for row in rows]
            learner = learner.copy()
        assert (max(learner.inner.attributes.keys()) >= 1 << 32) == (cross == 5)
        assert exact_weights(learner) == twin.w


def matrix(rows: list[set[str]], width: int, label: int) -> tuple[Any, list[int]]:
    columns = [int(name) - 1 for row in rows for name in row]
    ends = np.cumsum([0, *(len(row) for row in rows)])
    return sp.csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), width)), [label] * len(rows)


def test_forged_models(tmp_path: Path) -> None:
    from mistakebound.core import model_file

    path = tmp_path / "m.mb"
    learner = expand(mb.Winnow2(n=5), 2)
    learner.learn_one({"1", "2", "b"}, 1)
    learner.save(path)
    header, arrays = model_file.read(path)
    assert header["parameters"] == {
        "cross": 2, "negate": False, "n": 5, "limit": 100000, "reduce": None, "rules": None
    }  # fmt: skip
    assert mb.load(path).learner.hypothesis == learner.hypothesis
    for change in (
        {"cross": 1}, {"cross": "2"}, {"n": 2}, {"negate": True, "n": None}, {"limit": -1},
        {"reduce": "x"}, {"more": 1}, {"rules": 10**9}, {"cross": 10**9}, {"n": 10**30},
    ):  # fmt: skip
        model_file.write(path, header | {"parameters": header["parameters"] | change}, arrays)
        with pytest.raises(mb.errors.BadModel):
            mb.load(path)
    inner = header["state"]["inner"]
    resized = inner | {"parameters": inner["parameters"] | {"n": 16}}
    model_file.write(path, header | {"state": {"inner": resized}}, arrays)
    with pytest.raises(mb.errors.BadModel, match="the learner's n is not the number of conjunctions"):
        mb.load(path)
    other_labels = inner["labels"] | {"negative": "a", "positive": "b"}
    for forged in (
        [], "winnow2", {}, {"learner": ["winnow2"]}, inner | {"learner": "perceptron"}, inner | {"learner": "expand"},
        inner | {"learner": "one-vs-all"}, inner | {"labels": other_labels}, inner | {"state": None},
    ):  # fmt: skip
        model_file.write(path, header | {"state": {"inner": forged}}, arrays)
        with pytest.raises(mb.errors.BadModel):
            mb.load(path)
    for name in list(arrays):
        model_file.write(path, header, {other: values for other, values in arrays.items() if other != name})
        with pytest.raises(mb.errors.BadModel):
            mb.load(path)
        if len(arrays[name]):
            model_file.write(path, header, arrays | {name: arrays[name][:-1]})
            with pytest.raises(mb.errors.BadModel):
                mb.load(path)


def test_explanations_add_up() -> None:
    for learner in options()[:8]:
        for active, label in random_trials(9, 60):
            learner.learn_one(active, label)
        for x in ({"1", "2", "5"}, {"3", "new"}, set()):
            if "new" in x and learner.size_limit is not None and len(learner.attributes) == learner.size_limit:
                continue
            found = mb.inspection.explain_one(learner, x)
            assert sum(term.amount for term in found.terms) + (found.bias or 0) == pytest.approx(
                found.total, rel=1e-9, abs=1e-12
            )
            passes = found.total >= found.threshold if found.rule == ">=" else found.total > found.threshold
            assert passes == found.positive == (found.prediction == 1)
            assert str(found)


def test_explanations_name_newcomers() -> None:
    learner = expand(mb.Winnow1(), 2)
    learner.learn_one({"b"}, 1)
    found = mb.inspection.explain_one(learner, ["z", "b", "a"])
    assert {term.name: term.note for term in found.terms} == {
        "b": "", "a": "never seen", "z": "never seen", "a & b": "never seen", "b & z": "never seen",
        "a & z": "never seen",
    }  # fmt: skip
    literals = expand(mb.Winnow1(n=3), negate=True)
    literals.learn_one({"b"}, 1)
    assert {term.name for term in mb.inspection.explain_one(literals, {"z"}).terms} == {"z", "~b", "~'unseen 2'"}


def test_a_prediction_that_overflows_names_its_row() -> None:
    learner = expand(mb.Perceptron(), 2)
    learner.learn_one({"1": 1e150, "2": 1e150}, 1)
    X = sp.csr_matrix([[1.0, 1.0], [1.0, 1.0], [1e150, 1e150]])
    assert learner.predict_many(X[:2]).tolist() == [1, 1]
    with pytest.raises(mb.BadData, match="row 2: the sum leaves the range of doubles"):
        learner.predict_many(X)


def test_small_numbers_become_more_as_attributes_appear() -> None:
    """More than 2^16 conjunctions, some attributes at a time: weights move to the new layout, and none is lost."""
    rng = random.Random(6)
    learner = expand(mb.Winnow2(n=1000, theta=100, labels=(0, 1)), 2)
    twin = NaiveWinnow2(1.5, 100.0, True, ">")
    for start in range(1, 600, 12):
        active = {str(j) for j in range(start, start + 12)} | {str(rng.randrange(1, start + 12)) for _ in range(3)}
        assert learner.learn_one(active, 1) == twin.learn({*conjunctions(active, 2)}, 1)
    assert learner.inner.attributes.dense > 1 << 17
    assert exact_weights(learner) == twin.w


def test_a_row_that_is_not_learned_leaves_nothing_behind() -> None:
    """Of a block only the rows before it count: their attributes, and the conjunctions of these."""
    rows = [({"a", "b"}, 0), ({"c"}, 1), ({"a", "d", "b"}, 1), ({"a"}, 1), ({"c", "e"}, 1)]
    X = np.zeros((5, 5))
    for row, (active, _) in zip(X, rows, strict=True):
        row[["abcde".index(name) for name in active]] = 1
    block, single = (expand(mb.learners.DisjunctionElimination(), 2) for _ in range(2))
    ledger = mb.Ledger()
    block.learn_many(X, [label for _, label in rows], names=list("abcde"), ledger=ledger)
    assert ledger.verdict.kind == "inconsistent"
    for active, label in rows[:3]:
        single.learn_one(active, label)
    with pytest.raises(mb.NoConsistentHypothesis):
        single.learn_one(*rows[3])
    for learner in (block, single):
        assert learner.attributes.names() == ["a", "b", "c", "d"]
        assert learner.inner.attributes.names() == ["a", "b", "a & b", "c", "d", "a & d", "b & d"]
    real = expand(mb.Perceptron(), 2)
    with pytest.raises(mb.BadData, match="row 1: the sum or a weight would leave"):
        real.learn_many([[1.7e308, 0, 0], [1.7e308, 1, 0], [1, 1, 1]], [1, -1, 1])
    assert real.inner.attributes.names() == ["x1"]


@pytest.mark.some(5)
@pytest.mark.parametrize("transform", [lambda learner: expand(learner, 2), mb.transforms.standardize])
@pytest.mark.parametrize(
    "make",
    [
        lambda: mb.OneVsAll("perceptron"),
        lambda: mb.OneVsAll("arow"),
        lambda: mb.WeightedMajority("perceptron,arow"),
        lambda: mb.WeightedMajority(["weighted-majority(experts=perceptron,arow)", "perceptron"]),
        lambda: mb.learners.RandomizedWeightedMajority("perceptron,balanced-winnow"),
    ],
)
def test_ensembles_behind_a_transform_are_learned_saved_and_copied(make: Any, transform: Any, tmp_path: Path) -> None:
    draw = random.Random(5)
    learner = transform(make())
    rows = [{str(draw.randint(1, 9)): 1, "word": 1, str(number + 100): 1} for number in range(60)]
    for number, x in enumerate(rows):
        y = int("3" in x or "5" in x)
        learner.learn_one(x, f"class {y + (number > 20) * 2 * number % 3}" if learner.name == "one-vs-all" else y)
    assert all(member.attributes is learner.attributes for _, member in learner._members())
    learner.save(tmp_path / "m.mb")
    for other in (mb.load(tmp_path / "m.mb").learner, learner.copy()):
        assert [other.score_one(x) for x in rows] == [learner.score_one(x) for x in rows]


def test_the_row_that_no_conjunction_fits_counts_as_a_mistake_whatever_way_it_is_played() -> None:
    for seed in range(20):
        draw = random.Random(seed)
        bits = [[int(draw.random() < 0.5) for _ in range(6)] for _ in range(40)]
        labels = [draw.randint(0, 1) for _ in bits]
        counted = []
        for way in ("one", "many"):
            learner, ledger = (
                expand(mb.learners.DisjunctionElimination(labels=(0, 1), n=6), reduce="conjunction"),
                Ledger(),
            )
            with contextlib.suppress(mb.NoConsistentHypothesis):
                if way == "many":
                    learner.learn_many(np.array(bits), labels, ledger=ledger)
                else:
                    for x, y in zip(bits, labels, strict=True):
                        learn_and_record(learner, ledger, x, y, learner.predict_one(x))
            counted.append((ledger.trials, ledger.mistakes, ledger.false_positives, ledger.false_negatives))
        assert counted[0] == counted[1], seed
