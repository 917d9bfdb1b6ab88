"""Find-S, List-Then-Eliminate, candidate elimination, rote learning: twins, EnjoySport, what does not explode."""

from __future__ import annotations

import json
from itertools import product
from math import comb, log2
from random import Random
from typing import Any

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.concepts import (
    AttributeConjunctions,
    attribute_versions,
    deferred_versions,
    hitting_sets,
    version_space,
)
from mistakebound.concepts.counts import Count, Vote
from mistakebound.core import model_file
from mistakebound.core.errors import MistakeboundError
from mistakebound.learners import CandidateElimination, FindS, ListThenEliminate
from mistakebound.learners.version_space import _boundaries
from naive.candidate_elimination import NaiveCandidateElimination, covers
from naive.find_s import NaiveFindS
from naive.list_then_eliminate import NaiveListThenEliminate

ENJOY = {
    "Sky": ["Sunny", "Cloudy", "Rainy"], "AirTemp": ["Warm", "Cold"], "Humidity": ["Normal", "High"],
    "Wind": ["Strong", "Weak"], "Water": ["Warm", "Cool"], "Forecast": ["Same", "Change"],
}  # fmt: skip
EXAMPLES = [
    (["Sunny", "Warm", "Normal", "Strong", "Warm", "Same"], 1),
    (["Sunny", "Warm", "High", "Strong", "Warm", "Same"], 1),
    (["Rainy", "Cold", "High", "Strong", "Warm", "Change"], 0),
    (["Sunny", "Warm", "High", "Strong", "Cool", "Change"], 1),
]  # fmt: skip
VOTES = {
    "Sunny Warm Normal Strong Cool Change": 6, "Rainy Cold Normal Weak Warm Same": 0,
    "Sunny Warm Normal Weak Warm Same": 3, "Sunny Cold Normal Strong Warm Same": 2,
}  # fmt: skip


def spaces(draw: Random) -> dict[str, list[str]]:
    return {f"a{j}": ["p", "q", "r"][: draw.randint(2, 3)] for j in range(draw.choice([1, 2, 2, 3, 3, 3, 4]))}


def plain(h: Any) -> tuple[Any, ...]:
    """A hypothesis as the twins write it."""
    return tuple(None if c == "∅" else c for c in h.constraints)


class Listed(dict[Any, int]):
    """A hypothesis as the twins list it: the label of every instance, by the text of its constraints."""

    def __init__(self, h: Any, instances: list[Any]) -> None:
        super().__init__((x, int(None not in plain(h) and covers(plain(h), x))) for x in instances)
        self.h = h

    def __call__(self, x: Any) -> int:
        return self[tuple(x)]


def list_of(H: AttributeConjunctions) -> tuple[NaiveListThenEliminate, list[Any]]:
    instances = list(H.domain())
    return NaiveListThenEliminate([Listed(h, instances) for h in H]), instances


# EnjoySport, as in Mitchell.


@pytest.mark.parametrize("make", [CandidateElimination, lambda a: ListThenEliminate(AttributeConjunctions(a))])
def test_enjoy_sport(make: Any) -> None:
    learner = make(ENJOY)
    assert learner.version_space.size == 973
    ledger = mb.play(learner, EXAMPLES)
    assert (ledger.trials, ledger.mistakes, ledger.abstentions) == (4, 0, 4)
    space = learner.version_space
    assert [str(s) for s in space.S] == ["<Sunny, Warm, ?, Strong, ?, ?>"]
    assert {str(g) for g in space.G} == {"<Sunny, ?, ?, ?, ?, ?>", "<?, Warm, ?, ?, ?, ?>"}
    assert space.size == len(list(space)) == 6
    for text, positive in VOTES.items():
        said = space.classify(text.split())
        assert said.vote == (positive, 6)
        assert said.label == {6: 1, 0: 0}.get(positive)
        assert learner.predict_one(text.split()) == said.label
        assert learner.score_one(text.split()) == positive / 6
    assert tuple(space.best_query()) == ("Sunny", "Warm", "Normal", "Weak", "Warm", "Same")
    assert space.best_query().vote == (3, 6)


def test_find_s_on_enjoy_sport() -> None:
    learner = FindS(ENJOY)
    steps = []
    for x, label in EXAMPLES:
        learner.learn_one(x, label)
        steps.append(str(learner.concept))
    assert steps == [
        "<Sunny, Warm, Normal, Strong, Warm, Same>", "<Sunny, Warm, ?, Strong, Warm, Same>",
        "<Sunny, Warm, ?, Strong, Warm, Same>", "<Sunny, Warm, ?, Strong, ?, ?>",
    ]  # fmt: skip


# Twins.


def test_candidate_elimination_equals_the_textbooks() -> None:
    """S, G and members after every example, in random spaces, with labels that a hypothesis fits and others."""
    collapses = 0
    for seed in range(60):
        draw = Random(seed)
        attributes = spaces(draw)
        H = AttributeConjunctions(attributes)
        learner, twin = CandidateElimination(attributes), NaiveCandidateElimination(list(attributes.values()))
        instances, target = list(H.domain()), H.sample(seed)
        for trial in range(1, 9):
            x = draw.choice(instances)
            label = target(x) if draw.random() < 0.95 else 1 - target(x)
            before = learner.version_space
            twin.learn(x, label)
            if not (twin.S and twin.G):
                with pytest.raises(mb.NoConsistentHypothesis):
                    learner.learn_one(x, label)
                collapse = learner.version_space.collapsed_by
                assert (collapse.example, collapse.label, collapse.trial) == (x, label, trial)
                assert (collapse.S, collapse.G) == (before.S, before.G)
                collapses += 1
                break
            learner.learn_one(x, label)
            space = learner.version_space
            assert {plain(s) for s in space.S} == twin.S
            assert {plain(g) for g in space.G} == twin.G
            assert len(space.G) == len(twin.G)
            members = [plain(h) for h in space]
            assert set(members) == twin.members()
            assert space.size == len(members) == len(set(members))
            assert all((h in space) == (plain(h) in set(members)) for h in H)
    assert collapses > 5


def ask_few_or_many(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """Up to so many instances are voted on one by one."""
    for module in (attribute_versions, deferred_versions):
        monkeypatch.setattr(module, "FEW", few)


@pytest.mark.some(2)
@pytest.mark.parametrize("few", [0, 128])
@pytest.mark.parametrize("kind", ["candidates", "list"])
def test_answers_votes_and_questions_equal_the_lists(
    monkeypatch: pytest.MonkeyPatch, kind: str, few: int, long: bool
) -> None:
    ask_few_or_many(monkeypatch, few)
    for seed in range(25 if long else 8):
        draw = Random(seed)
        attributes = spaces(draw)
        H = AttributeConjunctions(attributes)
        learner = CandidateElimination(attributes) if kind == "candidates" else ListThenEliminate(H)
        twin, instances = list_of(H)
        target = H.sample(seed)
        for x in draw.choices(instances, k=4):
            for y in draw.sample(instances, min(len(instances), 12)):
                assert learner.predict_one(y) == twin.predict(y)
                said = learner.version_space.classify(y)
                assert (said.label, said.vote) == (twin.predict(y), twin.vote(y))
            assert learner.version_space.best_query() == twin.best_query(instances)
            assert twin.learn(x, target(x))
            learner.learn_one(x, target(x))
        space = learner.version_space
        assert [listed.h for listed in twin.left] == [h for h in H if h in space]


@pytest.mark.parametrize("few", [0, 128])
def test_best_query_passes_over_what_was_refused(monkeypatch: pytest.MonkeyPatch, few: int, long: bool) -> None:
    ask_few_or_many(monkeypatch, few)
    for seed in range(15 if long else 6):
        draw = Random(seed)
        attributes = spaces(draw)
        H = AttributeConjunctions(attributes)
        learner, (twin, instances) = CandidateElimination(attributes), list_of(H)
        target = H.sample(seed)
        for x in draw.choices(instances, k=draw.randint(0, 3)):
            twin.learn(x, target(x))
            learner.learn_one(x, target(x))
        avoided: list[Any] = []
        while (query := learner.version_space.best_query(avoided)) is not None:
            assert query == twin.best_query([x for x in instances if x not in avoided])
            assert query.best
            avoided.append(tuple(query))
        rest = [x for x in instances if x not in avoided]
        assert not rest or twin.best_query(rest) is None


def test_questions_beyond_what_is_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the limits lowered a question is still one that splits; `best` only where it is proven."""
    monkeypatch.setattr(attribute_versions, "ENUMERATED", 1)
    monkeypatch.setattr(deferred_versions, "_TABLE", 1)
    ask_few_or_many(monkeypatch, 0)
    for seed in range(25):
        draw = Random(seed)
        attributes = spaces(draw)
        H = AttributeConjunctions(attributes)
        learner, (twin, instances) = CandidateElimination(attributes), list_of(H)
        target = H.sample(seed)
        for x in draw.choices(instances, k=draw.randint(0, 4)):
            twin.learn(x, target(x))
            learner.learn_one(x, target(x))
        query, exact = learner.version_space.best_query(), twin.best_query(instances)
        assert (query is None) == (exact is None)
        if query is not None:
            positive, total = twin.vote(query)
            assert query.vote == (positive, total)
            assert 0 < positive < total
            if query.best:
                assert abs(2 * positive - total) == abs(2 * twin.vote(exact)[0] - total)


def test_find_s_equals_its_twin_and_keeps_its_bound() -> None:
    for seed in range(40):
        draw = Random(seed)
        attributes = spaces(draw)
        H = AttributeConjunctions(attributes)
        target, instances = H.sample(seed), list(H.domain())
        learner, twin = FindS(attributes, labels=(0, 1)), NaiveFindS(H.n)
        shown = [(x, target(x)) for x in draw.choices(instances, k=20)]
        for x, label in shown:
            assert learner.predict_one(x) == twin.predict(x)
            twin.learn(x, label)
            learner.learn_one(x, label)
            assert plain(learner.concept) == tuple(twin.h)
        literals = len(target.attributes)
        ledger = mb.play(FindS(attributes), shown, assume={"literals": literals}, lemmas=True)
        assert ledger.verdict.kind == "within"
        assert ledger.false_positives == 0
        if target.codes is not None:
            assert ledger.mistakes <= H.n + 1 - literals


def test_find_s_bound_is_met() -> None:
    """One attribute is opened at a time: n + 1 mistakes."""
    attributes = {f"a{j}": ["0", "1"] for j in range(6)}
    learner = FindS(attributes)
    shown = [([int(k >= j) for j in range(1, 7)], 1) for k in range(7)]
    ledger = mb.play(learner, shown)
    assert ledger.mistakes == 7 == learner.bound().mistakes
    assert str(learner.concept) == "<?, ?, ?, ?, ?, ?>"


def test_four_limitations_of_find_s() -> None:
    """It cannot tell whether it has found the target, nor that examples clash, takes the most specific h, ..."""
    find_s, candidates = mb.learners.FindS(ENJOY), mb.learners.CandidateElimination(ENJOY)
    mb.play(find_s, EXAMPLES)
    mb.play(candidates, EXAMPLES)
    assert candidates.version_space.size == 6  # one: five others agree with the examples, and Find-S does not know
    assert find_s.concept == candidates.version_space.S[0]  # three: it took the most specific
    clash = (["Sunny", "Warm", "Normal", "Strong", "Warm", "Same"], 0)
    assert mb.play(find_s, [clash]).verdict.kind != "inconsistent"  # two: it goes on
    assert mb.play(candidates, [clash]).verdict.kind == "inconsistent"
    # four: in another class there are several most specific hypotheses
    several = ListThenEliminate("monotone-disjunctions n=3 k=1")
    several.learn_one([1, 1, 0], 1)
    assert [str(s) for s in several.version_space.S] == ["x1", "x2"]


def test_list_then_eliminate_on_any_class() -> None:
    classes = ["monotone-disjunctions n=4 k=2", "conjunctions n=3", "decision-lists n=2", "thresholds m=6",
               "parities n=3", "linear-thresholds n=3", "finite rows=0011,0101,0111",
               "singletons m=4 empty"]  # fmt: skip
    for text in classes:
        C = mb.concepts.parse_class(text)
        domain, finite = list(C.domain()), C.finite()
        for seed in range(6):
            draw = Random(seed)
            c = draw.randrange(finite.size)
            learner, left = ListThenEliminate(C), set(range(finite.size))
            for j in draw.choices(range(len(domain)), k=5):
                learner.learn_one(domain[j], finite.label(c, j))
                left = {d for d in left if finite.label(d, j) == finite.label(c, j)}
                space = learner.version_space
                assert list(space) == [finite.concepts[d] for d in sorted(left)]
                sets = {d: finite.rows[d] for d in left}
                least = {d for d in left if not any(sets[e] & sets[d] == sets[e] and e != d for e in left)}
                greatest = {d for d in left if not any(sets[e] & sets[d] == sets[d] and e != d for e in left)}
                assert list(space.S) == [finite.concepts[d] for d in sorted(least)]
                assert list(space.G) == [finite.concepts[d] for d in sorted(greatest)]
            assert finite.concepts[c] in learner.version_space
            for j, x in enumerate(domain):
                votes = sum(finite.label(d, j) for d in left)
                assert learner.version_space.vote(x) == (votes, len(left))


def test_rote_learner_remembers() -> None:
    draw = Random(5)
    learner, known = mb.learners.RoteLearner(), {}
    for _ in range(200):
        x = tuple(draw.choice("abc") for _ in range(4))
        label = known.get(x, draw.randrange(2))
        assert learner.learn_one(x, label) == known.get(x)
        known[x] = label
    assert learner.seen == len(known)
    assert [learner.predict_one(x) for x in known] == list(known.values())


# It does not explode.


def pairs(n: int) -> CandidateElimination:
    """A positive example, and n negative ones that each contradict two attributes of it: G has 2^n members."""
    learner = CandidateElimination({f"a{j}": ["x", "y"] for j in range(2 * n)})
    learner.learn_one(["x"] * 2 * n, 1)
    for k in range(n):
        row = ["x"] * 2 * n
        row[2 * k] = row[2 * k + 1] = "y"
        assert learner.learn_one(row, 0) is None
    return learner


@pytest.mark.parametrize("n", [20, 200])
def test_many_negatives(n: int) -> None:
    learner = pairs(n)
    space = learner.version_space
    assert space.size == 3**n
    row = ["x"] * 2 * n
    assert learner.predict_one(row) == 1
    row[0] = "y"
    assert learner.predict_one(row) is None
    assert space.vote(row) == (3 ** (n - 1), 3**n)
    row[1] = "y"
    assert learner.predict_one(row) == 0
    query = space.best_query()
    assert query.vote == (3 ** (n - 1), 3**n)  # a third is the nearest to half that one pair allows
    assert len(next(iter(space.general())).attributes) == n
    with pytest.raises(mb.NoConsistentHypothesis, match=rf"trial {n + 2}, .* rows 1, 2 and {n + 2} agree with none"):
        learner.learn_one(row, 1)


def test_a_large_g_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_space, "GENERAL", 1000)
    with pytest.raises(MistakeboundError, match="G has more than 1,000 members"):
        _ = pairs(20).version_space.G
    assert len(pairs(9).version_space.G) == 512


def test_negatives_before_the_first_positive_are_deferred() -> None:
    draw = Random(3)
    attributes = {f"a{j}": list("xyzuv") for j in range(25)}
    learner = CandidateElimination(attributes)
    rows = [[draw.choice("xyzuv") for _ in range(25)] for _ in range(200)]
    for row in rows:
        learner.learn_one(row, 0)
    size = learner.version_space.size
    assert not size.exact  # what 200 of them forbid is not worked out
    assert 6**25 - 200 * 2**25 <= size.lower <= size.upper < 6**25
    assert learner.version_space.classify(rows[7]).label == 0
    positive = [draw.choice("xyzuv") for _ in range(25)]
    learner.learn_one(positive, 1)
    assert learner.version_space.size.upper <= 2**25
    assert all(learner.predict_one(row) == 0 for row in rows)


def test_an_interval_where_the_count_is_hard() -> None:
    draw = Random(1)
    learner = CandidateElimination({f"a{j}": ["x", "y"] for j in range(50)})
    learner.learn_one(["x"] * 50, 1)
    for _ in range(150):
        row = ["x"] * 50
        for j in draw.sample(range(50), 4):
            row[j] = "y"
        learner.learn_one(row, 0)
    left = learner.version_space
    hasty, patient = (
        attribute_versions.AttributeVersionSpace(left.space, left.specific.codes, left.differences, steps)
        for steps in (1 << 15, 1 << 18)
    )
    assert not patient.size.exact
    assert 0 < hasty.size.lower <= patient.size.lower < patient.size.upper <= hasty.size.upper < 2**50
    assert str(hasty.size).startswith("between ")
    with pytest.raises(MistakeboundError, match="not known"):
        int(hasty.size)
    query = hasty.best_query()
    assert hasty.classify(query).label is None
    assert not query.best
    assert not query.vote.exact
    assert 0 <= query.vote.share <= 1


# Contradictions.


def test_rows_that_clash_agree_with_nothing() -> None:
    """The rows that are named have no consistent hypothesis, by the list of all of them."""
    found = 0
    for seed in range(50):
        draw = Random(seed)
        attributes = spaces(draw)
        H = AttributeConjunctions(attributes)
        instances = list(H.domain())
        shown = [(draw.choice(instances), draw.randrange(2)) for _ in range(12)]
        for learner in (CandidateElimination(attributes), ListThenEliminate(H)):
            ledger = mb.play(learner, shown)
            consistent = [h for h in H if all(h(x) == y for x, y in shown)]
            assert (ledger.inconsistency is None) == bool(consistent)
            if ledger.inconsistency is not None:
                found += 1
                collapse = learner.version_space.collapsed_by
                assert collapse.trial == ledger.trials == collapse.rows[-1]
                named = [shown[row - 1] for row in collapse.rows]
                assert not any(all(h(x) == y for x, y in named) for h in H)
                assert any(all(h(x) == y for x, y in shown[: collapse.trial - 1]) for h in H)
                assert collapse.before.size == sum(all(h(x) == y for x, y in shown[: collapse.trial - 1]) for h in H)
    assert found > 40


def test_an_empty_version_space_says_why() -> None:
    learner = CandidateElimination(ENJOY)
    mb.play(learner, EXAMPLES)
    x = EXAMPLES[0][0]
    with pytest.raises(mb.NoConsistentHypothesis, match="rows 1 and 5 agree with none"):
        learner.learn_one(x, 0)
    space = learner.version_space
    assert (space.size, space.S, space.G, list(space), bool(space)) == (0, (), (), [], False)
    assert learner.version_space.collapsed_by.before.size == 6
    for call in (space.classify, space.vote, lambda x: space.best_query(), learner.predict_one):
        with pytest.raises(mb.NoConsistentHypothesis, match="the version space is empty: trial 5"):
            call(x)
    with pytest.raises(mb.NoConsistentHypothesis, match="is empty"):
        learner.learn_one(x, 1)
    assert learner.trials == 4


# Tables, observed values, missing cells, model files.


def big_table(rows: int, seed: int, noise: float = 0.0) -> tuple[dict[str, list[str]], list[int]]:
    draw = Random(seed)
    columns = {f"a{j}": draw.choices("pqr", k=rows) for j in range(12)}
    labels = [int(columns["a3"][k] == "p" and columns["a7"][k] == "q") for k in range(rows)]
    return columns, [1 - y if draw.random() < noise else y for y in labels]


@pytest.mark.parametrize("name", ["find-s", "candidate-elimination", "rote-learner"])
@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize(("seed", "noise"), [(1, 0.0), (2, 0.0), (3, 0.002), (4, 0.01)])
def test_a_table_is_its_rows(name: str, declared: bool, seed: int, noise: float, long: bool) -> None:
    count = 1500 if long else 500
    columns, labels = big_table(count, seed, noise)
    attributes = {column: ["r", "q", "p"] for column in columns} if declared else None
    one, many = (mb.learners.find(name)(attributes) for _ in range(2))
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    first, second = mb.Ledger(one.labels), mb.Ledger(many.labels)
    said = one.learn_many(rows, labels, ledger=first)
    assert many.learn_many(columns, labels, ledger=second) == said
    assert (first.confusion, first.trials, list(first.mistake_trials), first.inconsistency) == (
        second.confusion, second.trials, list(second.mistake_trials), second.inconsistency)  # fmt: skip
    assert (one._header(), one._all_arrays()) == (many._header(), many._all_arrays())
    if name == "candidate-elimination" and not noise:
        assert str(many.version_space.S[0].attributes) == str(frozenset({"a3", "a7"})) or many.version_space.size >= 1
        assert (many.trials, first.mistakes) == (count, 0)


def test_a_true_conjunction_is_found_in_a_long_table() -> None:
    columns, labels = big_table(20_000, 9)
    learner, ledger = CandidateElimination(), mb.Ledger()
    learner.learn_many({name: np.array(cells) for name, cells in columns.items()}, labels, ledger=ledger)
    assert learner.version_space.size == 1
    assert learner.version_space.S[0].attributes == {"a3", "a7"}
    assert ledger.mistakes == 0
    assert 0 < ledger.abstentions < 200
    assert ledger.trials == 20_000


def test_values_that_are_observed() -> None:
    learner = CandidateElimination()
    with pytest.raises(mb.BadParameter, match="must be declared, or an example learned"):
        _ = learner.version_space
    assert learner.predict_one({"sky": "sunny"}) is None
    assert learner.attributes == ()
    learner.learn_one({"sky": "sunny", "wind": "weak"}, 1)
    assert learner.version_space.size == 1  # one value each: to demand it demands nothing
    assert learner.predict_one(["rainy", "weak"]) is None
    learner.learn_one(["rainy", "weak"], 0)
    assert learner.space.values == (("sunny", "rainy"), ("weak",))
    assert [str(h) for h in learner.version_space] == ["<sunny, ?>"]
    with pytest.raises(mb.NoConsistentHypothesis):
        learner.learn_one(["cloudy", "strong"], 1)
    assert learner.space.values == (("sunny", "rainy"), ("weak",))


def test_missing_cells() -> None:
    refusing = CandidateElimination(ENJOY)
    x = dict(zip(ENJOY, EXAMPLES[0][0], strict=True)) | {"Wind": None}
    with pytest.raises(mb.BadData, match=r"the cell of 'Wind' is missing \(missing='value'"):
        refusing.learn_one(x, 1)
    taking = CandidateElimination(ENJOY, missing="value")
    taking.learn_one(x, 1)
    assert str(taking.version_space.S[0]) == "<Sunny, Warm, Normal, (missing), Warm, Same>"
    assert taking.predict_one(x) == 1
    assert taking.space.values[3] == ("Strong", "Weak", "(missing)")
    table = {"a": ["x", None, "y"], "b": ["1", "1", "2"]}
    with pytest.raises(mb.BadData, match="row 1: the cell of 'a' is missing"):
        CandidateElimination().learn_many(table, [1, 1, 0])
    learner = CandidateElimination(missing="value")
    learner.learn_many(table, [1, 1, 0])
    assert learner.space.values == (("x", "(missing)", "y"), ("1", "2"))
    assert [str(h) for h in learner.version_space] == ["<?, 1>"]


def test_bad_rows_of_a_table() -> None:
    """The rows before the bad one are learned, it is named, and nothing of it is kept."""
    attributes = {"a": ["x", "y"], "b": ["1", "2"]}
    for table, labels, said in [
        (
            {"a": ["x", "y", "z"], "b": ["1", "1", "2"]},
            [1, 0, 0],
            "row 2: 'z' is not a declared value of 'a': x, y",
        ),
        ({"a": ["x", "y", "y"], "b": ["1", "1", "2"]}, [1, 0, 7], "row 2: label 7 is neither 0 nor 1"),
        ({"a": ["x", "y", "y"], "b": ["1", "1", "2"]}, [1, 0, None], "row 2: the row has no label"),
    ]:
        learner, expected = CandidateElimination(attributes), CandidateElimination(attributes)
        with pytest.raises(mb.BadData, match=said):
            learner.learn_many(table, labels)
        expected.learn_many({name: cells[:2] for name, cells in table.items()}, [1, 0])
        assert (learner._header(), learner._all_arrays()) == (expected._header(), expected._all_arrays())
    with pytest.raises(mb.BadData, match="must have the attributes a, b: it lacks 'b'"):
        CandidateElimination(attributes).learn_many({"a": ["x"]}, [1])
    with pytest.raises(mb.BadData, match="'c' is not one"):
        CandidateElimination(attributes).learn_many({"a": ["x"], "b": ["1"], "c": ["1"]}, [1])
    with pytest.raises(mb.BadData, match="2 labels for 1 rows"):
        CandidateElimination(attributes).learn_many({"a": ["x"], "b": ["1"]}, [1, 0])


def test_numbers_in_a_table_are_values_too() -> None:
    learner = CandidateElimination()
    learner.learn_many(np.array([[1.0, 2.5], [2.0, 2.5], [3.0, 1.0]]), [1, 1, 0])
    assert learner.space.values == (("1", "2", "3"), ("2.5", "1"))
    assert learner.predict_one([1, 2.5]) == 1
    assert learner.predict_one([1, 1]) == 0


def test_the_version_space_follows_a_table() -> None:
    """Whatever was asked before: negative rows alone, the first positive one, more of both."""
    table = {"a": list("xyzxyx"), "b": list("112221")}
    labels = [0, 0, 0, 1, 0, 0]
    learner = CandidateElimination({"a": list("xyz"), "b": list("12")})
    for first, last in ((0, 2), (2, 3), (3, 4), (4, 5), (5, 6)):
        before = learner.version_space.size
        learner.learn_many({name: cells[first:last] for name, cells in table.items()}, labels[first:last])
        one = CandidateElimination({"a": list("xyz"), "b": list("12")})
        one.learn_many(list(zip(table["a"][:last], table["b"][:last], strict=True)), labels[:last])
        assert set(learner.version_space) == set(one.version_space)
        assert learner.version_space.size == one.version_space.size
        assert (learner.version_space.size < before) == (last <= 4)


def test_many_rows_put_aside_are_what_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    columns, _ = big_table(400, 6)
    shown = [0] * 399 + [1]
    learners = [CandidateElimination(), CandidateElimination()]
    learners[0].learn_many(columns, shown)
    monkeypatch.setattr(_boundaries, "_MANY", 1)
    learners[1].learn_many(columns, shown)
    assert learners[0]._all_arrays() == learners[1]._all_arrays()
    assert len(learners[0]._all_arrays()["differences.rows"]) > 10
    twice = CandidateElimination()
    assert twice.learn_many({"a": ["x", "x", "y", "x"]}, [0, 0, 0, 0]) == [None, 0, None, 0]


def test_values_of_a_row_that_clashes_were_never_met() -> None:
    table, labels = {"a": ["x", "y", "w", "v"], "b": ["1", "1", "1", "2"]}, [1, 1, 0, 1]
    one, many = CandidateElimination(), CandidateElimination()
    for learner, rows in ((one, list(zip(table["a"], table["b"], strict=True))), (many, table)):
        names = {"X": [dict(zip("ab", row, strict=True)) for row in rows]} if learner is one else {"X": rows}
        learner.learn_many(**names, y=labels, ledger=mb.Ledger(learner.labels))
        assert learner.space.values == (("x", "y"), ("1",))
        assert learner.version_space.collapsed_by.example == ("w", "1")
    assert (one._header(), one._all_arrays()) == (many._header(), many._all_arrays())


def test_watching_a_table() -> None:
    columns, labels = big_table(300, 1)
    seen: list[tuple[int, Any]] = []
    learner = CandidateElimination()
    said = learner.learn_many(columns, labels, watch=lambda row, prediction: seen.append((row, prediction)))
    assert seen
    assert all(said[row] == prediction != labels[row] for row, prediction in seen)


@pytest.mark.parametrize("name", ["find-s", "candidate-elimination", "rote-learner", "list-then-eliminate"])
def test_altered_models_are_refused(name: str, tmp_path: Any) -> None:
    """Whatever is wrong in a file whose checksum is right is found, or leaves a learner that works."""
    given: Any = AttributeConjunctions({"a": ["x", "y"], "b": ["1", "2", "3"]})
    made = mb.learners.find(name)
    learner = made(given if name == "list-then-eliminate" else dict(zip(given.names, given.values, strict=True)))
    for x, label in [(["y", "1"], 0), (["x", "1"], 1), (["y", "3"], 0), (["x", "2"], 1)]:
        learner.learn_one(x, label)
    path = tmp_path / "model.mb"
    learner.save(path)
    assert mb.load(path).learner.hypothesis == learner.hypothesis
    header, arrays = model_file.read(path)
    draw, refused = Random(1), 0
    for _ in range(150):
        text = json.dumps(header)
        place = draw.randrange(len(text))
        wrong = text[:place] + draw.choice('0123456789-"[]{}ntx') + text[place + 1 :]
        try:
            changed = json.loads(wrong)
            model_file.write(path, {key: value for key, value in changed.items() if key != "arrays"}, arrays)
            again = mb.load(path).learner
        except (ValueError, TypeError, AttributeError, mb.errors.BadModel):
            refused += 1
            continue
        again.predict_one(["x", "1"])
        str(again.hypothesis)
    assert refused > 50
    for key in arrays:
        for cut in (arrays[key][:-1], arrays[key] + arrays[key][:1]):
            if len(cut) != len(arrays[key]) and len(arrays[key]):
                model_file.write(path, header, arrays | {key: cut})
                with pytest.raises(mb.errors.BadModel):
                    mb.load(path)


def test_a_collapsed_learner_is_kept(tmp_path: Any) -> None:
    for learner in (CandidateElimination(ENJOY), ListThenEliminate(AttributeConjunctions(ENJOY))):
        mb.play(learner, [*EXAMPLES, (EXAMPLES[1][0], 0)])
        learner.save(tmp_path / "m.mb")
        again = mb.load(tmp_path / "m.mb").learner
        assert str(again.version_space.collapsed_by) == str(learner.version_space.collapsed_by)
        assert again.version_space.collapsed_by.S == learner.version_space.collapsed_by.S


def test_the_unbiased_learner_by_its_list() -> None:
    """The power set of four instances: an unseen instance always has exactly half the vote."""
    everything = mb.concepts.FiniteClass(list(product((0, 1), repeat=4)))
    learner = ListThenEliminate(everything)
    for x, label in ((0, 1), (2, 0)):
        learner.learn_one(x, label)
        for y in range(4):
            positive, total = learner.version_space.vote(y)
            assert positive == total or positive == 0 or 2 * int(positive) == int(total)
    assert [learner.predict_one(x) for x in range(4)] == [1, None, 0, None]


def test_numbers_of_any_length() -> None:
    """As text, as data and as a share: none may need a number that Python refuses to write, or a float cannot hold."""
    long = Count(3**5000, 3**5001)
    assert long.text() == "between 2^7924 and 2^7927"
    assert Count(2**80, 2**80).text() == "2^80"
    assert json.loads(json.dumps(long.as_json()))["lower"]["log2"] == pytest.approx(5000 * log2(3))
    assert Vote(long, Count(1, 3**5002)).share == pytest.approx((1 / 9 + 1) / 2)


@pytest.mark.parametrize("learner", [FindS, CandidateElimination, mb.learners.RoteLearner])
def test_an_array_has_the_attributes_in_their_order(learner: Any) -> None:
    """As a row of values has: names are not asked of what has none."""
    rows, labels = np.array([x for x, _ in EXAMPLES]), np.array([y for _, y in EXAMPLES])
    one, many = learner(ENJOY, labels=(0, 1)), learner(ENJOY, labels=(0, 1))
    assert many.learn_many(rows, labels) == [one.learn_one(x, y) for x, y in EXAMPLES]
    assert many.hypothesis == one.hypothesis
    assert many.predict_many(rows) == [one.predict_one(x) for x in rows]
    assert many.predict_table(many.table(rows)).tolist() == labels.tolist()
    with pytest.raises(mb.BadData, match="the array has 5 columns for 6 attributes"):
        many.learn_many(rows[:, :5], labels)


def test_one_hypothesis_in_words() -> None:
    learner = CandidateElimination({"a": ["x", "y"]})
    for x, label in (("x", 1), ("y", 0)):
        learner.learn_one([x], label)
    assert str(learner.hypothesis) == "<x>"


def test_counts_before_the_first_positive_example() -> None:
    """Exact where a list would have 3^20 members; with fewer steps, an interval that holds the number."""
    learner = CandidateElimination({f"a{j}": ["x", "y"] for j in range(20)})
    for k in range(10):
        learner.learn_one(["y" if j // 2 == k else "x" for j in range(20)], 0)
    space = learner.version_space
    # Those that cover a negative example keep some of its values; two examples have 16 values in common, k have
    # 20 - 2k, and all that they have in common is "x" there.
    covering = sum((-1) ** (k + 1) * comb(10, k) * 2 ** (20 if k == 1 else 20 - 2 * k) for k in range(1, 11))
    assert space.size == 3**20 + 1 - covering
    short = deferred_versions.DeferredVersionSpace(space.space, space.negatives, steps=1000)
    assert short.size.lower <= int(space.size) <= short.size.upper
    assert not short.size.exact


def test_wide_sets_count_as_more_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step is a comparison of two sets: to look at all their elements is many."""
    families = []
    commonest = hitting_sets._commonest
    monkeypatch.setattr(hitting_sets, "_commonest", lambda family: families.append(family) or commonest(family))
    wide = [(1 << 400) - 1 & ~(3 << 2 * k) for k in range(200)]
    low, high = hitting_sets.Counter().within(wide, (1 << 400) - 1)
    assert low < high
    assert sum(one.bit_count() for family in families for one in family) < hitting_sets.STEPS


def test_the_first_of_the_negative_rows_that_came_to_say_the_same_is_named() -> None:
    learner = CandidateElimination({name: ["x", "y"] for name in "abc"})
    for x, label in (("xxx", 1), ("yyx", 0), ("xyy", 0), ("yxy", 1)):  # rows 2 and 3 now both demand that b is x
        learner.learn_one(list(x), label)
    assert list(map(str, learner.version_space.G)) == ["<?, x, ?>"]
    with pytest.raises(mb.NoConsistentHypothesis):
        learner.learn_one(list("xyx"), 1)
    assert learner.version_space.collapsed_by.rows == (1, 2, 4, 5)


def test_the_first_of_the_negative_rows_put_aside_is_named() -> None:
    learner = CandidateElimination({"a": ["x", "y", "z", "w"], "b": ["p", "q"]})
    for x, label in (("yp", 0), ("zp", 0), ("xp", 1)):  # rows 1 and 2 differ from row 3 in the same way
        learner.learn_one(list(x), label)
    with pytest.raises(mb.NoConsistentHypothesis):
        learner.learn_one(list("wp"), 1)
    assert learner.version_space.collapsed_by.rows == (1, 3, 4)


def test_the_rows_that_opened_what_a_later_negative_row_differs_in_are_named() -> None:
    """Row 3 differs from row 1 in both attributes; without row 2, <x, ?> would agree with the others."""
    learner = CandidateElimination({"a": ["x", "y"], "b": ["x", "y"]})
    for x, label in (("xx", 1), ("yx", 1), ("yy", 0)):
        learner.learn_one(list(x), label)
    with pytest.raises(mb.NoConsistentHypothesis):
        learner.learn_one(list("xy"), 1)
    assert learner.version_space.collapsed_by.rows == (1, 2, 3, 4)
