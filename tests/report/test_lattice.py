"""The lattice between S and G: edges by the definition, three forms, large ones folded."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest

import mistakebound as mb
from mistakebound.concepts import AttributeConjunctions
from mistakebound.report.lattice import Lattice, draw_lattice


def learner(*examples: tuple[list[str], int]) -> mb.learners.CandidateElimination:
    made = mb.learners.CandidateElimination({"a": ["x", "y", "z"], "b": ["1", "2"], "c": ["p", "q"]})
    for x, label in examples:
        made.learn_one(x, label)
    return made


def test_edges_by_the_definition() -> None:
    for seed in range(12):
        draw = Random(seed)
        made = learner()
        target = made.space.sample(seed)
        for x in draw.choices(list(made.space.domain()), k=draw.randint(0, 4)):
            made.learn_one(x, target(x))
        space = made.version_space
        lattice, members = Lattice(space), {str(h): h for h in space}
        assert sorted(lattice.texts) == sorted(members)
        drawn = {(lattice.texts[a], lattice.texts[b]) for a, b in lattice.edges}
        below = {(s, t) for s, h in members.items() for t, k in members.items() if k.more_general(h)}
        assert drawn == {(s, t) for s, t in below if not any((s, m) in below and (m, t) in below for m in members)}
        kinds = dict(zip(lattice.texts, lattice.kinds, strict=True))
        assert {text for text, kind in kinds.items() if "S" in kind} == {str(h) for h in space.S}
        assert {text for text, kind in kinds.items() if "G" in kind} == {str(h) for h in space.G}
        levels = dict(zip(lattice.texts, lattice.levels, strict=True))
        assert all(levels[s] < levels[t] for s, t in drawn)


def test_three_forms() -> None:
    space = learner((["x", "1", "p"], 1), (["y", "1", "q"], 0)).version_space
    text = draw_lattice(space)
    assert text.splitlines()[0] == "S  1  <x, 1, p>  below 2, 3, 4"
    assert len(text.splitlines()) == space.size == 6
    dot = draw_lattice(space, "dot")
    assert dot.count("->") == len(Lattice(space).edges) == 7
    svg = ElementTree.fromstring(draw_lattice(space, "svg"))
    texts = [node.text for node in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert sorted(texts) == sorted([*(str(h) for h in space), "S", "G"])
    with pytest.raises(mb.BadParameter, match="form must be one of"):
        draw_lattice(space, "png")


def test_large_ones_are_folded() -> None:
    space = mb.learners.CandidateElimination({f"a{j}": ["x", "y"] for j in range(7)})
    space.learn_one(["x"] * 7, 1)
    text = draw_lattice(space.version_space)
    assert text.splitlines() == [
        "S  1  <x, x, x, x, x, x, x>  below 2",
        "   2  ... 126 more           below 3",
        "G  3  <?, ?, ?, ?, ?, ?, ?>",
    ]
    assert draw_lattice(space.version_space, "svg").count("<rect") == 3


def test_what_has_no_drawing() -> None:
    other = mb.learners.ListThenEliminate("monotone-disjunctions n=2")
    with pytest.raises(mb.BadParameter, match="only conjunctions of attribute constraints"):
        draw_lattice(other.version_space)
    made = learner((["x", "1", "p"], 1))
    with pytest.raises(mb.NoConsistentHypothesis):
        made.learn_one(["x", "1", "p"], 0)
    with pytest.raises(mb.BadParameter, match="empty version space"):
        draw_lattice(made.version_space)
    one = mb.learners.ListThenEliminate(AttributeConjunctions({"a": ["x"]}))
    assert draw_lattice(one.version_space).splitlines() == ["S  1  <∅>  below 2", "G  2  <?>"]
