"""The prunings of a decision tree straight from the book: nested nodes, whole trees tried one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import comb, exp, fsum, log, log2, sqrt


@dataclass
class Node:
    number: int
    counts: list[float]
    label: int
    column: int = -1
    threshold: float = float("nan")
    children: list[Node] = field(default_factory=list)
    cut: bool = False  # pruned: a leaf now

    @property
    def leaf(self) -> bool:
        return self.cut or not self.children

    def walk(self):
        """Preorder, down to where it is cut."""
        yield self
        if not self.leaf:
            for child in self.children:
                yield from child.walk()


def nested(tree, number=0) -> Node:
    return Node(
        number, tree.counts[number].tolist(), int(tree.label[number]), int(tree.column[number]),
        float(tree.threshold[number]), [nested(tree, child) for child in tree.children(number)],
    )  # fmt: skip


def correct(node, cells, label, fractions):
    """The part of one row (its cells, None where missing) that the tree says the right class of."""
    if node.leaf:
        return float(node.label == label)
    value = cells[node.column]
    sizes = [fsum(child.counts) for child in node.children]
    if value is not None:
        branch = value if node.threshold != node.threshold else int(value > node.threshold)
        return correct(node.children[branch], cells, label, fractions)
    if not fractions:
        return correct(node.children[sizes.index(max(sizes))], cells, label, fractions)
    parts = [correct(child, cells, label, fractions) for child in node.children]
    return fsum(size * part for size, part in zip(sizes, parts, strict=True)) / fsum(sizes)


def reduced_error(root, rows, labels, fractions):
    """Theorem 3.3 of Ma (2019), with our ties: [(node, nodes left, accuracy before, accuracy after)]."""

    def accuracy():
        score = fsum(correct(root, row, label, fractions) for row, label in zip(rows, labels, strict=True)) / len(rows)
        return round(score, 9)

    trace = []
    while True:
        now = accuracy()
        options = []
        for place, node in enumerate(root.walk()):
            if not node.leaf:
                size = len(list(node.walk()))
                node.cut = True
                options.append((-accuracy(), -size, place, node))
                node.cut = False
        if not options or -min(options, key=lambda option: option[:3])[0] < now:
            return trace
        best = min(options, key=lambda option: option[:3])
        best[3].cut = True
        trace.append((best[3].number, len(list(root.walk())), now, -best[0]))


def added_errors(rows, errors, confidence):
    """C4.5's AddErrs, one leaf at a time."""
    table = [(0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65), (0.1, 1.28), (0.2, 0.84), (0.4, 0.25),
             (1.0, 0.0)]  # fmt: skip
    if errors < 1e-6:
        return rows * (1 - exp(log(confidence) / rows))
    if errors < 0.9999:
        none = rows * (1 - exp(log(confidence) / rows))
        return none + errors * (added_errors(rows, 1.0, confidence) - none)
    if errors + 0.5 >= rows:
        return 0.67 * (rows - errors)
    place = next(place for place, (share, _) in enumerate(table) if confidence <= share)
    (low, high_z), (high, low_z) = table[place - 1], table[place]
    z2 = (high_z + (low_z - high_z) * (confidence - low) / (high - low)) ** 2
    seen = errors + 0.5
    upper = (seen + z2 / 2 + sqrt(z2 * (seen * (1 - seen / rows) + z2 / 4))) / (rows + z2)
    return rows * upper - errors


def pessimistic(node, confidence):
    """Cuts in place, from the bottom; the errors that the node is charged with."""
    rows = fsum(node.counts)
    errors = rows - node.counts[node.label]
    as_leaf = errors + added_errors(rows, errors, confidence) if rows else 0.0
    if not node.children:
        return as_leaf
    below = fsum(pessimistic(child, confidence) for child in node.children)
    if as_leaf <= below + 0.1:
        node.cut = True
        return as_leaf
    return below


def bits(node, columns, classes):
    """(tree, exceptions); columns: for each one None (nominal) or how many thresholds it has."""
    if node.leaf:
        rows = round(fsum(node.counts))
        errors = rows - round(node.counts[node.label])
        exceptions = log2(rows + 1) + log2(comb(rows, errors)) + errors * log2(max(classes - 1, 1))
        return 1 + log2(classes), exceptions
    tree, exceptions = 1 + log2(sum(column is not False for column in columns)), 0.0
    thresholds = columns[node.column]
    left = list(columns)
    if thresholds is None:
        left[node.column] = False  # no longer there to be tested
    else:
        tree += log2(max(thresholds, 1))
    for child in node.children:
        below = bits(child, left, classes)
        tree, exceptions = tree + below[0], exceptions + below[1]
    return tree, exceptions


def prunings(node):
    """Every way to cut the tree: sets of node numbers."""
    if not node.children:
        return [frozenset()]
    below = product(*(prunings(child) for child in node.children))
    return [frozenset([node.number]), *(frozenset().union(*parts) for parts in below)]
