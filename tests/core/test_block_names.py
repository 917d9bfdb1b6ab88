"""Names of blocks are looked up in the table of a learner once, and again as long as one of them is unknown."""

from __future__ import annotations

from typing import Any

import mistakebound as mb
from mistakebound.core.block import BlockNames
from mistakebound.kernels import attributes as kernel
from mistakebound.kernels import texts


def looked_up(names: BlockNames, learner: Any) -> list[int]:
    table = learner.attributes
    return list(names.keys_in(table, table.generation, table.state[kernel.TEXTS], table.text_parts))


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
