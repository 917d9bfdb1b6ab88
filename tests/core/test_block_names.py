"""Names of blocks are looked up in the table of a learner once, and again as long as one of them is unknown."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.core.block import Block, BlockNames
from mistakebound.kernels import texts


def looked_up(names: BlockNames, learner: Any) -> list[int]:
    return list(names.keys_in(learner.attributes))


def test_a_name_that_another_block_has_entered_is_found() -> None:
    """However often it was looked up before in vain: else it would be entered a second time."""
    learner = mb.Perceptron(labels=(0, 1))
    learner.learn_one({"first": 1}, 1)
    names = BlockNames.of(["first", "second", "third"])
    known = looked_up(names, learner)
    assert known[1:] == [texts.UNKNOWN, texts.UNKNOWN]
    assert looked_up(names, learner) == known
    learner.learn_one({"third": 1}, 1)
    first, second, third = looked_up(names, learner)
    assert (first, second) == (known[0], texts.UNKNOWN)
    assert third != texts.UNKNOWN
    assert looked_up(names, learner) == [first, second, third]
    learner.learn_one({"second": 1}, 1)
    assert texts.UNKNOWN not in looked_up(names, learner)


@pytest.mark.parametrize("distinct", [True, False])
def test_names_of_rows_are_found_before_and_after_they_enter_their_hash(distinct: bool) -> None:
    """Rows append names, which enter the hash when somebody looks for one; whoever has them all need not look."""
    learner = mb.Perceptron(labels=(0, 1))
    first, second = (
        BlockNames(bytearray(blob), array("q", [0, 1, 2, 3]), 3, distinct=distinct) for blob in (b"b7a", b"acb")
    )
    for names in (first, first, second, first):
        block = Block(1, array("q", [0, 3]), array("Q", [0, 1, 2]), columns=names, labels=[1])
        learner.learn_block(block, None, memoryview(bytearray(1)).cast("b"))
    assert learner.attributes.names() == ["7", "a", "b", "c"]
    assert [key - 2**63 for key in looked_up(second, learner)] == [0, 2, 1]
    learner.learn_one({"d": 1, "a": 1}, 0)
    assert learner.attributes.names() == ["7", "a", "b", "c", "d"]
    assert [learner.attributes.name(slot) for slot in learner.attributes.slots_of(["d", "a", "c"])] == ["d", "a", "c"]


def test_a_name_that_stands_there_twice_does_not_count_for_another() -> None:
    learner = mb.Perceptron(labels=(0, 1))
    learner.learn_one({"a": 1}, 1)
    names = BlockNames.of(["a", "a", "b", "c"])
    assert looked_up(names, learner)[2:] == [texts.UNKNOWN, texts.UNKNOWN]
    learner.learn_one({"c": 1}, 1)
    assert looked_up(names, learner)[2:] == [texts.UNKNOWN, 2**63 + 1]


def test_names_that_one_table_has_do_not_count_for_another() -> None:
    """Else the texts of the other, as many as the first has, would not be looked for."""
    names = BlockNames(bytearray(b"ab"), array("q", [0, 1, 2]), 2, distinct=True)
    one, other = mb.Perceptron(labels=(0, 1)), mb.Perceptron(labels=(0, 1))
    for name in "abc":
        one.learn_one({name: 1}, 1)
        looked_up(names, one)
    other.learn_one({"b": 1}, 1)
    other.learn_one({"c": 1}, 1)
    assert looked_up(names, other) == [texts.UNKNOWN, 2**63]


def test_a_name_is_not_entered_before_those_of_rows_are_in_the_hash() -> None:
    """Else these would never enter it."""
    learner = mb.Perceptron(labels=(0, 1))
    block = Block(1, array("q", [0, 1]), array("Q", [0]), columns=BlockNames.of(["a"]), labels=[1])
    learner.learn_block(block, None, memoryview(bytearray(1)).cast("b"))
    table = learner.attributes
    assert table.enter_names(["d"], table.dense) == -1
    table.add("d")
    assert table.names() == ["a", "d"]
    assert table.slots_of(["a", "d"]) == list(table.slots())
