"""Four learners on the same examples: what each answers, and what each refuses."""

from __future__ import annotations

import json
from itertools import product
from random import Random

import pytest

import mistakebound as mb
from mistakebound.concepts import AttributeConjunctions, FiniteClass
from mistakebound.concepts.deferred_versions import DeferredVersionSpace
from mistakebound.concepts.hitting_sets import STEPS
from mistakebound.report.inductive_bias import InductiveBias


def test_against_lists_of_all_functions() -> None:
    """The unbiased learner lists all functions on the instances, candidate elimination all conjunctions."""
    H = AttributeConjunctions({"a": ["x", "y"], "b": ["1", "2"]})
    instances = list(H.domain())
    tables = [dict(zip(instances, labels, strict=True)) for labels in product((0, 1), repeat=len(instances))]
    everything = FiniteClass([table.__getitem__ for table in tables], instances)
    for seed in range(8):
        draw, target = Random(seed), H.sample(seed)
        examples = [(x, target(x)) for x in draw.choices(instances, k=seed % 4)]
        bias = InductiveBias(H, examples)
        unbiased, candidates = mb.learners.ListThenEliminate(everything), mb.learners.ListThenEliminate(H)
        for x, label in examples:
            unbiased.learn_one(x, label)
            candidates.learn_one(x, label)
        counts = dict.fromkeys(bias.answered(), 0)
        for x in instances:
            answers = bias.answers(x)
            known = dict(examples).get(x)
            assert answers["rote learner"].label == known
            assert answers["unbiased"].label == known == unbiased.predict_one(x)
            if known is None:
                assert answers["unbiased"].vote == unbiased.version_space.vote(x)
                assert answers["unbiased"].vote.share == 0.5
            assert answers["candidate elimination"].label == candidates.predict_one(x)
            if answers["candidate elimination"].label is None:
                assert answers["candidate elimination"].vote == candidates.version_space.vote(x)
            assert answers["Find-S"].label in (0, 1)
            for name, answer in answers.items():
                counts[name] += answer.label is not None
        assert bias.answered() == counts


def test_telling_instances_are_new_and_different() -> None:
    H = AttributeConjunctions({"a": ["x", "y", "z"], "b": ["1", "2"], "c": ["p", "q"]})
    examples = [(("x", "1", "p"), 1), (("y", "1", "q"), 0)]
    bias = InductiveBias(H, examples)
    telling = bias.telling()
    assert telling
    assert not {tuple(x) for x in telling} & {x for x, _ in examples}
    said = [str(bias.answers(x)["candidate elimination"]) for x in telling]
    assert len(set(said)) == len(said)
    assert "negative" in said


def test_after_a_contradiction() -> None:
    """Find-S does not notice; candidate elimination refuses everything."""
    H = AttributeConjunctions({"a": ["x", "y"], "b": ["1", "2"]})
    bias = InductiveBias(H, [(("x", "1"), 1), (("y", "2"), 1), (("x", "2"), 0)])
    assert "leaves no hypothesis" in bias.contradiction
    assert bias.answered() == {"rote learner": 3, "unbiased": 3, "candidate elimination": 0, "Find-S": 4}
    assert bias.answers(("x", "2"))["Find-S"].label == 1
    assert bias.telling() == []


@pytest.mark.parametrize(
    ("n", "said"), [(14, "? 2^16382 of 2^16383"), (40, "? half of them"), (5000, "? half of them")]
)
def test_more_functions_than_anyone_can_write(n: int, said: str) -> None:
    """There are 2^(2^n) of them: the vote is half, and nothing has to hold that number."""
    H = AttributeConjunctions({f"a{j}": ["x", "y"] for j in range(n)})
    bias = InductiveBias(H, [(["x"] * n, 1)])
    answers = bias.answers(["x"] * (n - 1) + ["y"])
    assert str(answers["unbiased"]) == said
    assert answers["unbiased"].vote is None
    half, everyone = json.loads(json.dumps(answers["unbiased"].vote_as_json()))
    assert list(half) == list(everyone) == ["log2"]
    counts = bias.answered()
    assert (counts["rote learner"], counts["unbiased"], counts["Find-S"]) == (1, 1, 2**n)
    assert counts["candidate elimination"] == (1 if n == 14 else None)


def test_few_votes_are_counted_where_counting_is_hard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instances are passed over whose votes read alike; that must not go on for hundreds of long counts."""
    draw = Random(5)
    H = AttributeConjunctions({f"a{j}": ["x", "y", "z"] for j in range(60)})
    bias = InductiveBias(H, [([draw.choice("xyz") for _ in range(60)], 0) for _ in range(40)])
    counted = []
    vote = DeferredVersionSpace.vote
    monkeypatch.setattr(DeferredVersionSpace, "vote", lambda self, x: counted.append(self.steps) or vote(self, x))
    assert bias.telling()
    assert len(counted) <= 60
    assert max(counted) < STEPS
