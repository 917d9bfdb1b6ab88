"""Where the nodes of a tree stand: levels, preorder, sizes of subtrees. Whole arrays at once, for a million nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mistakebound.learners.tree.flat_tree import FlatTree


def levels(tree: FlatTree) -> list[NDArray[np.int64]]:
    """The numbers of the nodes of each level, the root's first."""
    found = []
    nodes = np.zeros(1, dtype=np.int64)
    while len(nodes):
        found.append(nodes)
        nodes = spread(tree.first[nodes].astype(np.int64), tree.arity[nodes])
    return found


def spread(starts: NDArray[np.int64], counts: NDArray[np.int32]) -> NDArray[np.int64]:
    """Runs of numbers one after the other: from each start so many.

    >>> spread(np.array([4, 9]), np.array([2, 3]))
    array([ 4,  5,  9, 10, 11])
    """
    ends = np.cumsum(counts, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - counts), counts) + np.arange(total)


def sum_of_children(tree: FlatTree, nodes: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each of these nodes the sum of its children's values, taken in their order."""
    arity = tree.arity[nodes]
    owner = np.repeat(np.arange(len(nodes)), arity)
    below = spread(tree.first[nodes].astype(np.int64), arity)
    return np.bincount(owner, values[below], len(nodes)).astype(np.float64)


def subtree_sizes(tree: FlatTree) -> NDArray[np.int64]:
    """How many nodes hang at each node, itself counted."""
    sizes = np.ones(len(tree.column))
    for nodes in reversed(levels(tree)):
        inner = nodes[tree.arity[nodes] > 0]
        sizes[inner] += sum_of_children(tree, inner, sizes)
    return sizes.astype(np.int64)


def preorder(tree: FlatTree) -> NDArray[np.int64]:
    """The place of every node when a parent is written down before its children, the first branch first."""
    sizes = subtree_sizes(tree)
    place = np.zeros(len(sizes), dtype=np.int64)
    for nodes in levels(tree):
        inner = nodes[tree.arity[nodes] > 0]
        if not len(inner):
            continue
        arity = tree.arity[inner]
        below = spread(tree.first[inner].astype(np.int64), arity)
        before = np.cumsum(sizes[below]) - sizes[below]  # nodes left of a child, from the level's beginning
        begin = np.cumsum(arity) - arity
        place[below] = np.repeat(place[inner] + 1 - before[begin], arity) + before
    return place


def leaves_below(tree: FlatTree) -> NDArray[np.int64]:
    """How many leaves hang at each node; a leaf is one itself."""
    leaves: NDArray[np.float64] = (tree.arity == 0).astype(np.float64)
    for nodes in reversed(levels(tree)):
        inner = nodes[tree.arity[nodes] > 0]
        leaves[inner] = sum_of_children(tree, inner, leaves)
    return leaves.astype(np.int64)
