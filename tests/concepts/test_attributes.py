"""Conjunctions of attribute constraints: the class by brute force, the order, the text, what is refused."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

import mistakebound as mb
from mistakebound.concepts import AttributeConjunctions, parse_class
from mistakebound.concepts.attribute_values import parse_attributes, write_attributes

SPACES = [
    {"a": ["1"]}, {"a": ["x", "y"]}, {"a": ["x", "y", "z"], "b": ["1", "2"]},
    {"a": ["x"], "b": ["1", "2"], "c": ["p", "q"]},
    {"a": ["x", "y"], "b": ["1"], "c": ["p", "q", "r"]},
]  # fmt: skip


@pytest.mark.parametrize("attributes", SPACES, ids=str)
def test_class_by_brute_force(attributes):
    """All rows of constraints: a value lets itself pass, ? everything, ∅ nothing."""
    H = AttributeConjunctions(attributes)
    instances = list(product(*attributes.values()))
    assert list(H.domain()) == instances
    assert H.domain_size() == len(instances)
    functions = {}
    for row in product(*(["?", "∅", *values] for values in attributes.values())):
        labels = tuple(
            int(all(c == "?" or c == v for c, v in zip(row, x, strict=True)) and "∅" not in row) for x in instances
        )
        functions.setdefault(labels, []).append(row)
    concepts = list(H)
    assert len(concepts) == H.count() == len(functions)
    assert {tuple(h(x) for x in instances) for h in concepts} == set(functions)
    for labels, rows in functions.items():
        forms = {H.concept(row) for row in rows}  # all ways of writing one function are one concept
        assert len(forms) == 1
        assert tuple(next(iter(forms))(x) for x in instances) == labels
    finite = H.finite()
    for c, h in enumerate(concepts):
        assert finite.labels(c) == tuple(h(x) for x in instances)
        assert h in H
        assert H.parse(str(h)) == h
        assert h.evaluate_many(np.array(instances)).tolist() == [h(x) for x in instances]
    assert parse_class(str(H)) == H


@pytest.mark.parametrize("attributes", SPACES, ids=str)
def test_order_and_neighbours_by_brute_force(attributes):
    H = AttributeConjunctions(attributes)
    instances, concepts = list(H.domain()), list(H)
    inside = {h: {x for x in instances if h(x)} for h in concepts}
    for h, k in product(concepts, concepts):
        assert h.more_general_or_equal(k) == (inside[h] >= inside[k])
        assert h.more_general(k) == (inside[h] > inside[k])
    for h, x in product(concepts, instances):
        above = [k for k in concepts if inside[k] >= inside[h] | {x}]
        least = {k for k in above if not any(inside[m] < inside[k] for m in above)}
        assert set(h.minimal_generalisations(x)) == least
        below = [k for k in concepts if inside[k] <= inside[h] - {x}]
        greatest = {k for k in below if not any(inside[m] > inside[k] for m in below)}
        assert set(h.minimal_specialisations(x)) == greatest
        assert len(h.minimal_specialisations(x)) == len(greatest)


def test_samples_are_uniform_and_repeat():
    H = AttributeConjunctions({"a": ["x", "y"], "b": ["1"], "c": ["p", "q", "r"]})
    drawn = [H.sample(seed) for seed in range(2000)]
    assert drawn[:20] == [H.sample(seed) for seed in range(20)]
    counts = {h: drawn.count(h) for h in H}
    assert min(counts.values()) > 2000 / H.count() / 2


def test_texts_with_odd_characters():
    H = AttributeConjunctions({"a b": ["x, y", "?", "∅", 'say "hi"', "<", "plain", "back\\slash"], "=": ["1", "2"]})
    for h in H:
        assert H.parse(str(h)) == h
    assert str(H.concept(["x, y", "?"])) == '<"x, y", ?>'
    assert str(H.parse('<"?", 1>')) == '<"?", 1>'
    assert parse_class(str(H)) == H
    text = write_attributes({"a b": ["x, y"], "c": ["d=e", "f"]})
    assert parse_attributes(text) == {"a b": ("x, y",), "c": ("d=e", "f")}


def test_a_value_is_its_text():
    H = AttributeConjunctions({"n": [1, 2.0, 2.5], "flag": [True, False]})
    assert H.values == (("1", "2", "2.5"), ("True", "False"))
    h = H.parse("<2, ?>")
    assert [h(x) for x in ([2, True], ["2", "True"], [np.float64(2), np.bool_(False)], [1, True])] == [1, 1, 1, 0]


def test_membership_of_other_functions():
    H = AttributeConjunctions({"1": ["0", "1"], "2": ["0", "1"]})
    other = AttributeConjunctions({"1": ["0", "1"], "2": ["0", "1", "2"]})
    assert H.top in H
    assert other.top not in H
    finite = H.finite()
    assert H.parse("<1, ?>") in finite


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({}, "at least one name"), ([], "a mapping"), ({"a": []}, "between 1 and 65535"),
        ({"a": "xy"}, "must be a list"),
        ({"a": ["x", "x"]}, "given once: 'x'"), ({"a": ["1", 1]}, "given once: '1'"), ({"": ["x"]}, "must be a text"),
        ({"a": [None]}, "not empty"), ({"a": [[1]]}, "a text or a number"), ({1: ["x"]}, "must be a text: 1"),
    ],
)  # fmt: skip
def test_bad_attributes(attributes, said):
    with pytest.raises(mb.BadParameter, match=said):
        AttributeConjunctions(attributes)


def test_bad_instances_and_texts():
    H = AttributeConjunctions({"Sky": ["Sunny", "Rainy"], "Wind": ["Strong", "Weak"]})
    h = H.top
    for x, said in [
        (["Sunny"], "1 values for 2 attributes"),
        (["Sunny", "Calm"], "'Calm' is not a declared value of 'Wind': Strong, Weak"),
        ({"Sky": "Sunny"}, "no 'Wind'"), ({"Sky": "Sunny", "Wind": "Weak", "x": 1}, "'x' is not an attribute"),
        (["Sunny", None], "the cell of 'Wind' is missing"), ("Sunny", "a mapping"), (3, "a mapping"),
    ]:  # fmt: skip
        with pytest.raises(mb.BadData, match=said):
            h(x)
    for text in ("Sunny, ?", "<Sunny>", "<Sunny, Calm>", "<Sunny, Weak", '<"Sunny, ?>'):
        with pytest.raises(mb.BadParameter):
            H.parse(text)
    for words in ("", "a", "a=", "a=1,,2", "a=1 a=2", 'a="1', "a=1,1", "=1"):
        with pytest.raises(mb.BadParameter):
            parse_class(f"attribute-conjunctions {words}")
    with pytest.raises(mb.BadParameter, match="same attributes"):
        h.more_general_or_equal(AttributeConjunctions({"Sky": ["Sunny"]}).top)


def test_the_exact_theory_takes_the_class():
    """A class like any other: opt, halving, questions."""
    H = parse_class("attribute-conjunctions a=x,y b=1,2")
    assert mb.theory.vc_dimension(H).value <= mb.opt(H).value <= mb.Halving(H).bound().mistakes
    learner, target = mb.Halving(H), H.parse("<y, ?>")
    draw = Random(1)
    instances = list(H.domain())
    mistakes = sum(learner.learn_one(x, target(x)) != target(x) for x in draw.choices(instances, k=30))
    assert mistakes <= 3
    assert learner.remaining_concepts() == [target]
