"""One instance at a time: the single-row path of a learner and the general path lead to the same, bit for bit."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core.attributes import FIRST_TEXTS
from mistakebound.core.errors import BadData
from mistakebound.core.sparse import SparseLearner
from mistakebound.learners.linear.powers import PowerTable

MAKERS: dict[str, Any] = {
    "winnow1": lambda: mb.Winnow1(),
    "winnow1, n, >=": lambda: mb.Winnow1(n=9, rule=">=", theta=2.0),
    "winnow1, alpha 1.5": lambda: mb.Winnow1(alpha=1.5, labels=("ham", "spam")),
    "winnow2": lambda: mb.Winnow2(labels=(0, 1)),
    "winnow2, n": lambda: mb.Winnow2(n=9, alpha=10.0),
    "winnow2, alpha 2": lambda: mb.Winnow2(alpha=2.0, theta=0.5),
    "perceptron": lambda: mb.Perceptron(),
    "perceptron, eta 0.1": lambda: mb.Perceptron(eta=0.1, bias=False, labels=(0, 1)),
    "perceptron, huge steps": lambda: mb.Perceptron(eta=5e307),
    "perceptron with costs": lambda: mb.Perceptron(costs={0: 2.0, 1: 1.0}),
}
LABELS = {"winnow1, alpha 1.5": ("ham", "spam")}
NAMES = ["a", "b", "B", "word", "naïve", "名", "", "\ud800", "7", "40000", "007", str(2**40), str(2**63), "x7", "7x"]
ones = st.sampled_from([1, 1, 1, True, 1.0])
odd = st.sampled_from([1, 1.0, 0, 0.0, False, True, 2, -0.5, None, "1", float("nan"), np.int64(1)])
mappings = st.dictionaries(st.sampled_from(NAMES), ones, max_size=9)
instances = st.one_of(
    mappings,
    mappings,
    st.sets(st.sampled_from(NAMES), max_size=9),
    st.dictionaries(st.one_of(st.sampled_from(NAMES), st.just(7)), odd, max_size=4),
    st.lists(st.sampled_from(NAMES[:4]), max_size=4),
    st.lists(st.sampled_from([0, 1]), max_size=12),
)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("learn"), instances, st.integers(0, 1)),
        st.tuples(st.just("learn"), instances, st.integers(0, 1)),
        st.tuples(st.just("predict"), instances, st.just(0)),
        st.tuples(st.just("encode"), mappings, st.just(0)),
        st.tuples(st.just("learn encoded"), st.integers(0, 9), st.integers(0, 1)),
        st.tuples(st.just("predict encoded"), st.integers(0, 9), st.just(0)),
        st.tuples(
            st.just("many"), st.lists(st.lists(st.integers(0, 1), min_size=9, max_size=9), max_size=3), st.just(0)
        ),
        st.tuples(st.just("weighted"), mappings, st.integers(0, 1)),
        st.tuples(st.just("wrong label"), mappings, st.sampled_from(["?", 7, None, [1], float("nan")])),
        st.tuples(st.just("restore"), st.none(), st.none()),
    ),
    max_size=40,
)


def generally(learner: Any) -> Any:
    """The same learner, without its single-row path."""
    learner._make_single_row = lambda limit: None
    return learner


class Game:
    """One learner and the instances that were encoded for it."""

    def __init__(self, learner: Any, labels: Any, general: bool) -> None:
        self.learner = generally(learner) if general else learner
        self.labels, self.general = labels, general
        self.encoded: list[Any] = []

    def step(self, kind: str, x: Any, y: Any) -> Any:
        try:
            return self._step(kind, x, y)
        except (BadData, mb.BadParameter) as error:
            return type(error), str(error)

    def _step(self, kind: str, x: Any, y: Any) -> Any:
        learner, label = self.learner, self.labels[y] if y in (0, 1) else y
        if kind == "learn":
            return learner.learn_one(x, label)
        if kind == "predict":
            return learner.predict_one(x)
        if kind == "encode":
            self.encoded.append(learner.encode(x))
        elif kind == "learn encoded" and self.encoded:
            return learner.learn_one(self.encoded[x % len(self.encoded)], label)
        elif kind == "predict encoded" and self.encoded:
            return learner.predict_one(self.encoded[x % len(self.encoded)])
        elif kind == "many" and x:
            return list(learner.learn_many(np.array(x), [self.labels[row[0]] for row in x]))
        elif kind == "weighted":
            return learner.learn_one(x, label, weight=0.5)
        elif kind == "wrong label":
            return learner.learn_one(x, y)
        elif kind == "restore":
            other = learner.copy()
            self.learner = generally(other) if self.general else other
        return None


def state(learner: SparseLearner) -> Any:
    arrays = {name: bytes(a) for name, a in learner._all_arrays().items()}
    return learner._header(), arrays, learner.attributes.names()


@pytest.mark.parametrize("kind", MAKERS)
@given(played=steps)
def test_both_ways_agree(kind: str, played: list[tuple[str, Any, Any]]) -> None:
    quick, slow = (Game(MAKERS[kind](), LABELS.get(kind, (0, 1)), general) for general in (False, True))
    for step in played:
        assert quick.step(*step) == slow.step(*step), step
        assert state(quick.learner) == state(slow.learner), step


def stream(seed: int, count: int, width: int, words: int) -> list[tuple[dict[str, int], bool]]:
    draw = Random(seed)
    names = [f"word{number}" for number in range(words)]
    relevant = set(names[: words // 2 // width])
    chosen = [draw.sample(names, width) for _ in range(count)]
    return [(dict.fromkeys(some, 1), not relevant.isdisjoint(some)) for some in chosen]


@pytest.mark.some(1)
@pytest.mark.parametrize("make", [mb.Winnow1, mb.Winnow2, mb.Perceptron])
def test_a_stream_of_words(make: Any, tmp_path: Path) -> None:
    """Long enough for every buffer of the table to grow, and for saving and loading in the middle."""
    examples = stream(1, 1200, 25, 9500)
    quick, slow = make(labels=(False, True)), generally(make(labels=(False, True)))
    encoded = {place: quick.encode(examples[place][0]) for place in range(0, 1200, 3)}
    for turn in range(2):
        for place, (x, y) in enumerate(examples):
            mine = encoded.get(place, x)
            assert quick.predict_one(mine) == slow.predict_one(x)
            assert quick.learn_one(mine, y) == slow.learn_one(x, y)
        assert state(quick) == state(slow)
        quick.save(tmp_path / "quick")
        slow.save(tmp_path / "slow")
        assert (tmp_path / "quick").read_bytes() == (tmp_path / "slow").read_bytes()
        if not turn:
            quick, slow = mb.load(tmp_path / "quick").learner, generally(mb.load(tmp_path / "slow").learner)


@pytest.mark.parametrize("make", [mb.Winnow1, mb.Winnow2, mb.Perceptron])
def test_what_is_usual_is_played(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """New names, mistakes, encoded instances: hardly anything of them goes the general way."""
    runs: list[int] = []
    general = make._run
    monkeypatch.setattr(make, "_run", lambda self, *rest: runs.append(1) or general(self, *rest))
    learner = make(labels=(False, True))
    mistakes = 0
    for x, y in stream(2, 400, 10, 1000):
        xs = (x, learner.encode(x), set(x))
        assert len({learner.predict_one(x) for x in xs}) == 1
        mistakes += sum(learner.learn_one(x, y) != y for x in xs)
    assert mistakes > 100
    assert len(runs) <= 12
    assert len(learner.attributes) > 900


def test_a_new_layout_gets_a_new_single_row(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    general = mb.Perceptron._run
    monkeypatch.setattr(mb.Perceptron, "_run", lambda self, *rest: runs.append(1) or general(self, *rest))
    learner = mb.Perceptron(labels=(False, True))
    for x, y in stream(3, 600, 25, 12000):
        learner.learn_one(x, y)
    assert len(learner.attributes) > FIRST_TEXTS
    assert learner.attributes.layout > 1
    assert len(runs) <= 12


@pytest.mark.parametrize("n", [2, None])
def test_tables_of_powers_grow_beneath_the_single_row(n: int | None) -> None:
    """Promotions and demotions past the edges of the table and past codes of 8 bits."""
    for theta, label in ((1e6, 1), (1e-6, 0)):
        quick, slow = (mb.Winnow2(alpha=1.02, theta=theta, n=n, labels=(0, 1)) for _ in range(2))
        generally(slow)
        for trial in range(800):
            x = {"b": 1} if trial % 20 == 0 else {"a": 1}
            assert quick.learn_one(x, label) == slow.learn_one(x, label)
            if trial % 50 == 0:
                assert state(quick) == state(slow)


def test_codes_are_widened_beneath_the_single_row() -> None:
    """Below the smallest double there is no edge of a table on the way out of 8 bits."""
    quick, slow = (mb.Winnow2(alpha=1e10, theta=0.5, n=400, labels=(0, 1)) for _ in range(2))
    generally(slow)
    for trial in range(148):
        for x, y in (({"a": 1, f"c{trial}": 1}, 0), ({"b": 1}, int(trial % 3 == 0))):
            assert quick.learn_one(x, y) == slow.learn_one(x, y)
    assert quick._all_arrays()["cells"].format == "H"
    assert state(quick) == state(slow)


def test_a_new_name_that_starts_at_the_edge_of_the_table() -> None:
    """The second attribute starts with 2**-3, the last power in this table, and is demoted at once."""
    quick, slow = (mb.Winnow2(alpha=2.0, theta=0.01, labels=(0, 1)) for _ in range(2))
    generally(slow)
    for learner in (quick, slow):
        learner._exponents.use(PowerTable(2.0, 8, -3, 64))
        assert [learner.learn_one({"a": 1}, 1), learner.learn_one({"b": 1}, 0)] == [1, 1]
        assert learner.weights() == {"a": 1.0, "b": 2.0**-4}
        assert learner.predict_one({"b": 1}) == 1
    assert state(quick) == state(slow)


def test_a_mistake_without_a_weight_counts_one_after_heavier_ones() -> None:
    quick, slow = mb.Perceptron(labels=(0, 1)), generally(mb.Perceptron(labels=(0, 1)))
    for learner in (quick, slow):
        assert learner.learn_one({"a": 1}, 1, weight=4.0) == 0
        assert learner.learn_one({"a": 1}, 0, weight=2.0) == 1
        assert learner.facts()["weight_least"] == 2.0
        assert learner.learn_one({"a": 1}, 0) == 1
        assert (learner.facts()["weight_least"], learner.facts()["weight_ratio"]) == (1.0, 4.0)
        assert learner.learn_one({"a": 1}, 0, weight=0.5) == 1
        assert learner.learn_one({"a": 1}, 0) == 1
        assert (learner.facts()["weight_least"], learner.facts()["weight_ratio"]) == (0.5, 8.0)
    assert state(quick) == state(slow)


def test_a_bias_alone_that_would_leave_the_doubles() -> None:
    """The sum is finite, below 0 and far from it, and the weight of c would stay finite."""
    for general in (False, True):
        learner = mb.Perceptron(eta=1.2e308, labels=(0, 1))
        if general:
            generally(learner)
        learner.learn_one({}, 1, weight=0.6)
        learner.learn_one({"c": 700.0}, 0, weight=2.0**-10)
        assert learner.bias > 0.7e308
        assert learner.score_one({"c": 1}) < -1e307
        before = state(learner)
        with pytest.raises(BadData, match="range of doubles"):
            learner.learn_one({"c": 1}, 1)
        assert state(learner) == before


def test_a_sum_that_many_roundings_separate_from_the_ascending_one() -> None:
    """1e16 + 1 + ... + 1 - 1e16 is 0 in ascending order and about 20 when the ones come first."""
    learner = mb.Perceptron(bias=False, labels=(0, 1))
    ones = {str(j): 1.0 for j in range(2, 22)}
    learner.learn_one(ones | {"1": 1e16, "22": -1e16}, 1)
    x = dict.fromkeys([*ones, "1", "22"], 1)
    assert learner.score_one(x) == 0.0
    assert [learner.predict_one(x), learner.learn_one(x, 0), learner.predict_one(learner.encode(x))] == [0, 0, 0]


def test_a_bias_that_is_lost_when_it_is_added_first() -> None:
    """Whole weights that cancel, and then a quarter."""
    learner = mb.Perceptron(labels=(0, 1))
    learner.learn_one({"1": 2.0**53, "2": -(2.0**53)}, 1, weight=0.25)
    assert (learner.weights(), learner.bias) == ({"1": 2.0**51, "2": -(2.0**51)}, 0.25)
    for x in ({"1": 1, "2": 1}, {"2": 1, "1": 1}, {"1", "2"}):
        assert [learner.score_one(x), learner.predict_one(x), learner.learn_one(x, 1)] == [0.25, 1, 1]


def test_costs_count() -> None:
    learner = mb.Perceptron(costs={0: 3.0, 1: 2.0}, labels=(0, 1))
    for y in (1, 0):
        learner.predict_one({"a": 1})
        learner.learn_one({"a": 1}, y)
    assert learner.weights() == {"a": -1.0}


def test_a_model_that_was_restored_knows_its_names() -> None:
    learner = mb.Perceptron(labels=(0, 1))
    for x in ({"a": 1, "7": 1}, {"b": 1}):
        learner.learn_one(x, 1)
    other = learner.copy()
    assert other.attributes.known == {}
    assert other.learn_one({"a": 1, "7": 1, "c": 1}, 1) == 1
    assert set(other.attributes.known) == {"a", "7", "c"}
    assert other.weights() == learner.weights() | {"c": 0.0}


def test_an_instance_of_another_learner() -> None:
    """The slots that an instance keeps are of one table."""
    one, other = mb.Winnow2(labels=(0, 1)), mb.Winnow2(labels=(0, 1))
    other.learn_one({"z": 1}, 1)
    x = one.encode({"a": 1, "b": 1})
    for learner in (one, other, one, other):
        learner.learn_one(x, 1)
    assert (one.weight("a"), other.weight("z") > other.weight("a")) == (other.weight("a"), True)


def test_a_table_that_was_cut_back_gives_its_slots_anew() -> None:
    learner = mb.Perceptron(labels=(0, 1))
    x = learner.encode({"a": 1, "b": 1})
    assert [learner.learn_one(x, 1), learner.learn_one(x, 1)] == [0, 1]
    learner.attributes.truncate(1)
    learner.learn_one({"c": 1}, 1)
    learner.learn_one(x, 1)
    assert learner.attributes.names() == ["a", "c", "b"]


def test_an_n_beyond_64_bits() -> None:
    learner = mb.Winnow2(n=2**70, labels=(0, 1))
    assert [learner.predict_one({"a": 1}), learner.learn_one({"a": 1}, 1), learner.learn_one({"a": 1}, 1)] == [0, 0, 0]
    assert learner.weight("a") > 1
