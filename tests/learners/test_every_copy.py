"""Every public object by the modules copy and pickle: equal at first and then on its own, or refused in a sentence."""

from __future__ import annotations

import contextlib
import copy
import pickle
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import mistakebound as mb
from mistakebound import learners
from mistakebound.core.theorem import Condition, Theorem

WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
}


def in_turn(names: Iterable[str]) -> list[Any]:
    """Every name in every way; in short runs in one way, in turn."""
    return [
        pytest.param(name, way, marks=[pytest.mark.long] * ((place + turn) % len(WAYS) != 0))
        for place, name in enumerate(names)
        for turn, way in enumerate(WAYS)
    ]


KNOWN = {"n": 4, "concepts": mb.concepts.Disjunctions(4), "layers": [4, 2, 1], "k": 2, "variance": 1.0}
X = np.array([[1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1], [1, 0, 1, 1], [0, 0, 0, 0]])
Y = [1, 1, 1, 0, 1, 0]
ATTRIBUTES = {"sky": ["sunny", "rainy"], "wind": ["strong", "weak"]}
SPACE = mb.concepts.AttributeConjunctions(ATTRIBUTES)
DAYS = [{"sky": "sunny", "wind": "weak"}, {"sky": "rainy", "wind": "weak"}, {"sky": "sunny", "wind": "strong"}]


# They refuse labels that contradict what they have learned, and keep it.
EXACT = ("bayes-optimal", "conjunction-elimination", "gibbs", "halving", "standard-optimal")


def new(name: str) -> Any:
    found: Any = learners.find(name)
    known = KNOWN | {"concepts": SPACE if found.takes == "instances" else KNOWN["concepts"]}
    return found(**{p.name: known[p.name] for p in found.parameters if p.required})


def teach(learner: Any, flipped: bool = False) -> Any:
    """Some examples, or others that contradict them."""
    labels = [1 - y for y in Y] if flipped else Y
    if learner.name == "linear-unit":
        labels = [2 * y - 1 for y in labels]
    with contextlib.suppress(mb.NoConsistentHypothesis):
        if learner.takes == "points":
            learner.fit(X * (1.0 + flipped))
        elif learner.takes == "instances":
            learner.learn_many(DAYS, [1, 1, 1] if flipped else [1, 0, 1])
        elif learner.takes == "numbers":
            for x, y in zip(X.astype(float), labels, strict=True):
                learner.learn_one(x, y)
        elif learner.takes == "table":
            learner.fit(X == 1, labels)
        else:
            learner.learn_many(X, labels)
    return learner


def state(learner: Any, folder: Path) -> bytes:
    """All that a model file holds; of a new learner that has nothing to save, how it is written."""
    try:
        learner.save(folder / "model.mb")
    except mb.BadParameter:
        return repr(learner).encode()
    return (folder / "model.mb").read_bytes()


@pytest.mark.some(30)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", learners.names())
def test_a_copy_of_every_learner_is_equal_and_goes_on_alone(name: str, way: str, tmp_path: Path) -> None:
    for learner, exact in ((new(name), False), (teach(new(name)), name in EXACT)):
        before = state(learner, tmp_path)
        twin = WAYS[way](learner)
        assert type(twin) is type(learner)
        assert twin.settings == learner.settings
        assert state(twin, tmp_path) == before
        teach(learner, True)
        assert (state(learner, tmp_path) == before) == exact
        assert state(twin, tmp_path) == before  # what the other has learned is its own
        teach(twin, True)
        assert state(twin, tmp_path) == state(learner, tmp_path)


@pytest.mark.parametrize(("name", "way"), in_turn(learners.names()))
def test_hypotheses_and_bounds(name: str, way: str) -> None:
    learner = teach(new(name))
    hypothesis, bound = learner.hypothesis, learner.bound()
    twin = WAYS[way](hypothesis)
    assert twin == hypothesis or name == "table-network"
    assert str(twin) == str(hypothesis)
    again = WAYS[way](bound)
    assert repr(again) == repr(bound)
    assert again.theorem is bound.theorem


def played() -> mb.Ledger:
    return mb.play(mb.Winnow1(n=4), mb.teachers.Replay(X.tolist(), Y), assume={"k": 2})


def begun(teacher: Any) -> Any:
    trial = teacher.next_trial()
    teacher.label(trial, 0)
    return teacher


TEACHERS: dict[str, Callable[[], Any]] = {
    "lists": lambda: mb.teachers.Replay(X.tolist(), Y),
    "pairs": lambda: mb.teachers.Replay(list(zip(X.tolist(), Y, strict=True))),
    "matrix": lambda: mb.teachers.Replay(sparse.csr_matrix(X), Y),
    "random": lambda: mb.teachers.RandomTarget("x1 | x2", 4, trials=9, noise=0.2, seed=3),
    "conjunctions": lambda: mb.teachers.ConjunctionAdversary(4),
    "disjunctions": lambda: mb.teachers.DisjunctionAdversary(4, 2),
    "tree": lambda: mb.teachers.MistakeTreeAdversary(mb.concepts.MonotoneDisjunctions(3)),
    "person": lambda: mb.teachers.HumanTeacher([1, 2, 3], read=str, write=str),
}


def rest(teacher: Any) -> list[tuple[str, Any]]:
    return [(repr(trial.x), teacher.label(trial, 0)) for trial in iter(teacher.next_trial, None)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [name for name in TEACHERS if name != "person"])
def test_a_teacher_goes_on_where_it_stood(name: str, way: str) -> None:
    teacher, never_copied = (begun(TEACHERS[name]()) for _ in range(2))
    twin = WAYS[way](teacher)
    expected = rest(never_copied)
    assert expected
    assert rest(teacher) == expected
    assert rest(twin) == expected


@pytest.mark.parametrize("way", WAYS)
def test_a_person_at_the_terminal_can_be_copied(way: str) -> None:
    assert type(WAYS[way](mb.teachers.HumanTeacher([1, 2]))) is mb.teachers.HumanTeacher


THINGS: dict[str, Callable[[], Any]] = {
    "ledger": played,
    "verdict": lambda: played().verdict,
    "bound": lambda: mb.Winnow1(n=4).bound(k=1),
    "theorem": lambda: mb.Winnow1.theorems[0],
    "lemma": lambda: mb.Winnow1.lemmas[0],
    "parameter": lambda: mb.Winnow1.parameters[0],
    "trial": lambda: mb.teachers.Trial({"a": 1}, weight=2.0),
    "labels": lambda: mb.Winnow2(labels=("ham", "spam")).labels,
    "instance": lambda: mb.Winnow2().encode({"a", "7"}),
    "bad data": lambda: mb.BadData("wrong", source="file", line=3, text="1 x"),
    "no hypothesis": lambda: mb.NoConsistentHypothesis("none", trial=3),
    "diverged": lambda: mb.errors.Diverged("far"),
    "conjunction": lambda: mb.concepts.parse("x1 & ~x3"),
    "threshold": lambda: mb.concepts.parse("2*x1 + x2 >= 2"),
    "list": lambda: mb.concepts.parse("if x1 then 1 else 0"),
    "parity": lambda: mb.concepts.parse("x1 ^ x2"),
    "class": lambda: mb.concepts.DecisionLists(2),
    "separated": lambda: mb.concepts.Separated(3, 0.5),
    "finite": lambda: mb.concepts.Disjunctions(3).finite(),
    "part": lambda: mb.concepts.Disjunctions(3).finite([(0, 0, 1), (1, 1, 1)]),
    "rows": lambda: mb.concepts.FiniteClass([[0, 0, 1], [0, 1, 1]]),
    "attributes": lambda: SPACE,
    "version space": lambda: teach(mb.learners.CandidateElimination(ATTRIBUTES)).version_space,
    "opt": lambda: mb.opt(mb.concepts.MonotoneDisjunctions(3)),
    "halving": lambda: mb.theory.halving_worst_case(mb.concepts.MonotoneDisjunctions(3)),
    "worst": lambda: mb.theory.worst_case(
        mb.Halving(mb.concepts.MonotoneDisjunctions(3)), mb.concepts.MonotoneDisjunctions(3)
    ),
    "vc": lambda: mb.theory.vc_dimension(mb.concepts.MonotoneDisjunctions(3)),
    "teaching": lambda: mb.theory.teaching_dimension(mb.concepts.MonotoneDisjunctions(3)),
    "queries": lambda: mb.theory.query_depth(mb.concepts.MonotoneDisjunctions(3)),
    "lower bounds": lambda: mb.theory.lower_bounds(mb.concepts.MonotoneDisjunctions(3)),
    "sample": lambda: mb.sample_size(mb.concepts.MonotoneDisjunctions(3), epsilon=0.1, delta=0.1),
    "separable": lambda: mb.theory.linearly_separable(X, Y),
    "explanation": lambda: mb.inspection.explain_one(teach(mb.Perceptron()), {"1": 1}),
    "crossed": lambda: teach(mb.transforms.expand(mb.Winnow2(), 2)).hypothesis,
    "standardised": lambda: teach(mb.transforms.standardize(mb.Perceptron())).hypothesis,
    "bias": lambda: mb.inspection.InductiveBias(SPACE, [(DAYS[0], 1)]),
    "tree": lambda: mb.learners.shortest_tree([{"a": "1"}, {"a": "2"}], [0, 1]),
    "em": lambda: teach(new("gaussian-means")).run,
    "hunt": lambda: mb.hunt(lambda on: "a" in on, ["a", "b", "c"]),
    "comparison": lambda: mb.arena.Comparison({"a": mb.Winnow2(), "b": mb.Perceptron()}),
    "session": lambda: mb.arena.InteractiveLearner(mb.learners.ListThenEliminate(SPACE)),
    "equivalence": lambda: mb.teachers.EquivalenceOracle(mb.concepts.parse("x1 | x2"), mb.concepts.Disjunctions(3)),
    "counting": lambda: mb.teachers.CountingOracle(mb.teachers.MembershipOracle(mb.concepts.parse("x1 | x2"))),
    "as query": lambda: mb.arena.AsQueryLearner(mb.Winnow1(n=4)),
    "as online": lambda: mb.arena.AsOnlineLearner(mb.arena.AsQueryLearner(mb.Winnow1(n=4))),
}


VALUES = ("conjunction", "threshold", "list", "parity", "class", "separated", "finite", "part", "rows", "attributes")


def without_addresses(text: str) -> str:
    return re.sub(r"0x[0-9a-f]+", "", text)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", THINGS)
def test_concepts_ledgers_and_results(name: str, way: str) -> None:
    thing = THINGS[name]()
    twin = WAYS[way](thing)
    assert type(twin) is type(thing)
    assert without_addresses(repr(twin)) == without_addresses(repr(thing))
    assert without_addresses(str(twin)) == without_addresses(str(thing))
    if name in VALUES:
        assert twin == thing


@pytest.mark.parametrize("way", WAYS)
def test_a_ledger_counts_alone(way: str) -> None:
    ledger = played()
    twin = WAYS[way](ledger)
    assert (twin.bound.value, twin.bound.theorem) == (ledger.bound.value, ledger.bound.theorem)
    assert twin.verdict == ledger.verdict
    assert twin.verdict.kind == ledger.verdict.kind
    trials, mistakes = ledger.trials, list(ledger.mistake_trials)
    twin.record(1, 0)
    assert (ledger.trials, list(ledger.mistake_trials)) == (trials, mistakes)
    assert list(twin.mistake_trials) == [*mistakes, trials + 1]


def test_every_theorem_and_lemma_can_be_pickled() -> None:
    for name in learners.names():
        found = learners.find(name)
        for constant in (*found.theorems, *found.lemmas):
            assert pickle.loads(pickle.dumps(constant)) is constant


def double(facts: Any) -> float:
    return float(2 * facts["k"])


def test_a_theorem_of_ones_own() -> None:
    """With functions that have names it is pickled whole; a copy of what never changes is the thing itself."""
    condition = Condition("k > 0", ("k",), double)
    theorem = Theorem("ours", source="-", statement="2k", assumes="{k}", needs=("k",), formula=double)
    theorem.conditions = (condition,)
    again = pickle.loads(pickle.dumps(theorem))
    assert again.bound({"k": 3}).value == 6
    assert again.conditions[0].text == "k > 0"
    assert copy.deepcopy(theorem) is theorem


@pytest.mark.parametrize("way", WAYS)
def test_what_reads_a_stream_says_that_it_cannot_be_copied(way: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    path.write_text("1 1:1\n-1 2:1\n")
    teacher = mb.teachers.FileTeacher(path)
    with pytest.raises(TypeError, match="a FileTeacher cannot be copied or pickled: it is in the middle"):
        WAYS[way](teacher)
    teacher.close()
    with pytest.raises(TypeError, match="a Replay cannot be copied or pickled: its examples come from a generator"):
        WAYS[way](mb.teachers.Replay((x, y) for x, y in zip(X, Y, strict=True)))


class Remembers:
    """An expert of another make: says the label that it heard last."""

    def __init__(self, last: Any = 0) -> None:
        self.last = last

    def predict_one(self, x: Any) -> Any:
        return self.last

    def learn_one(self, x: Any, y: Any) -> None:
        self.last = y


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["weighted-majority", "randomized-weighted-majority"])
def test_experts_of_another_make_are_copied_and_not_saved(kind: str, way: str, tmp_path: Path) -> None:
    learner: Any = learners.find(kind)(experts=["perceptron", Remembers()])
    learner.learn_many(X, Y)
    twin = WAYS[way](learner)
    assert twin.experts() == learner.experts()
    learner.learn_one(X[0], 1)
    assert twin._experts[1].given.last != learner._experts[1].given.last
    path = tmp_path / "model.mb"
    path.write_bytes(b"what was there")
    for use in (lambda: learner.save(path), learner.model_size):
        with pytest.raises(mb.BadParameter, match=r"a model file cannot hold expert 2 of 2, an object of class Rem"):
            use()
    assert path.read_bytes() == b"what was there"
    assert [*tmp_path.iterdir()] == [path]


def test_an_expert_that_cannot_be_copied_is_named() -> None:
    learner = mb.WeightedMajority(["perceptron", Remembers(y for y in Y)])
    with pytest.raises(mb.BadParameter, match="the expert Remembers cannot be copied: "):
        copy.copy(learner)


NUMBERED = ["halving(concepts=monotone-disjunctions n=4)", "gibbs(concepts=monotone-disjunctions n=4)"]
NUMBERED.append("decision-list-learner(n=4)")


@pytest.mark.parametrize("trials", [0, 1, 3])
@pytest.mark.parametrize("other", ["winnow1", "winnow2", "perceptron", "arow", "conjunction-elimination"])
@pytest.mark.parametrize("numbered", NUMBERED)
def test_experts_that_number_their_attributes_beside_others(
    numbered: str, other: str, trials: int, tmp_path: Path
) -> None:
    """The table has attributes then that no row has had: their weights have not begun."""
    learner = mb.WeightedMajority([numbered, other])
    for x, y in zip(X[:trials], Y, strict=False):
        learner.learn_one(x, y)
    twins = [copy.copy(learner), pickle.loads(pickle.dumps(learner))]
    learner.save(tmp_path / "model.mb")
    twins.append(mb.load(tmp_path / "model.mb").learner)
    for x, y in zip(X[trials:5], Y[trials:], strict=False):
        said = learner.score_one(x), learner.learn_one(x, y)
        assert all((twin.score_one(x), twin.learn_one(x, y)) == said for twin in twins)
