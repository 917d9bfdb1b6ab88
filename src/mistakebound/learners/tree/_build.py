"""A tree written down as nested branches, as the arrays of a `FlatTree`."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from mistakebound.core.plain_sum import plain_sum
from mistakebound.learners.tree.flat_tree import LEAF, FlatTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass
class Branching:
    """A node: the weight of each class there, its class, and for a test its column and a child for every branch."""

    counts: Sequence[float]
    label: int
    column: int = LEAF
    threshold: float = float("nan")
    children: list[Branching] = field(default_factory=list)


def flat(root: Branching) -> FlatTree:
    """Level by level. A row without a value goes where most rows went, the first branch of several such."""
    nodes: list[Branching] = []
    first = []
    waiting = deque([root])
    numbered = 1
    while waiting:
        node = waiting.popleft()
        nodes.append(node)
        first.append(numbered if node.children else -1)
        numbered += len(node.children)
        waiting.extend(node.children)
    return FlatTree(
        column=_whole([node.column for node in nodes]),
        threshold=np.array([node.threshold for node in nodes]),
        first=_whole(first),
        arity=_whole([len(node.children) for node in nodes]),
        counts=np.array([list(node.counts) for node in nodes], dtype=np.float64),
        label=_whole([node.label for node in nodes]),
        otherwise=_whole([_largest(node) for node in nodes]),
        mask_start=np.full(len(nodes), -1, dtype=np.int32),
        masks=np.zeros(0, dtype=np.uint8),
    )


def _whole(numbers: list[int]) -> NDArray[np.int32]:
    return np.array(numbers, dtype=np.int32)


def _largest(node: Branching) -> int:
    sizes = [plain_sum(child.counts) for child in node.children]
    return sizes.index(max(sizes)) if sizes else -1
