"""DECISION-TREE-LEARNING of Ma (2019, Theorem 3.1), with C4.5's details where they are asked for: slow and obvious.

An example is (row, class, weight); a row maps columns to texts, to numbers or to None.  Trees are compared node by node
with those of the kernel, so ties are broken as there: the first attribute, the first threshold, better means by 1e-10.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import fsum, log2
from typing import Any

Example = tuple[dict[str, Any], int, float]
CLOSE = 1e-10
ROUNDING = 1e-9  # weights are sums of fractions


@dataclass
class Node:
    counts: list[float]
    label: int
    attribute: str | None = None
    threshold: float | None = None
    children: list[Node] = field(default_factory=list)


@dataclass
class Learner:
    values: dict[str, tuple[str, ...]]  # of the nominal attributes; in the order of the columns
    classes: int
    criterion: str = "gain"
    guard: bool = True
    cost: str | None = None
    costs: dict[str, float] = field(default_factory=dict)
    omega: float = 1.0
    missing: str = "common"
    level: float | None = None
    min_leaf: int = 2
    max_depth: int | None = None
    rows: float = 0

    def learn(self, examples: list[Example], attributes: list[str]) -> Node:
        self.rows = fsum(weight for _, _, weight in examples)
        return self.tree(examples, attributes, 0, 0)

    # --- the pseudocode
    def tree(self, examples: list[Example], attributes: list[str], parents_label: int, depth: int) -> Node:
        counts = self.counts(examples)
        if not examples:
            return Node(counts, parents_label)
        label = counts.index(max(counts, key=lambda count: round(count, 9)))
        leaf = Node(counts, label)
        if sum(count > 0 for count in counts) == 1 or depth == self.max_depth:
            return leaf
        if fsum(counts) < 2 * self.min_leaf - ROUNDING:
            return leaf
        best = self.best(examples, attributes)
        if best is None:
            return leaf
        attribute, threshold = best
        branches = self.split(examples, attribute, threshold)
        if self.level is not None and self.p_value(branches) > self.level:
            return leaf
        rest = [a for a in attributes if a != attribute or threshold is not None]
        children = [self.tree(branch, rest, label, depth + 1) for branch in branches]
        return Node(counts, label, attribute, threshold, children)

    def best(self, examples: list[Example], attributes: list[str]) -> tuple[str, float | None] | None:
        tests = []  # (attribute, threshold, gain, split information)
        for attribute in attributes:
            if attribute in self.values:
                test = self.nominal(examples, attribute)
            else:
                test = self.numeric(examples, attribute)
            if test is not None:
                tests.append((attribute, *test))
        c45 = self.criterion == "gain_ratio" and self.guard
        average = 0.0
        if c45 and tests:
            few = [t for t in tests if len(self.values.get(t[0], ())) < 0.3 * self.rows] or tests
            average = fsum(t[2] for t in few) / len(few) - 1e-3
        found, most = None, -1.0
        for attribute, threshold, gain, information in tests:
            score = gain
            if self.criterion == "gain_ratio":
                if c45 and (gain < average or gain <= 1e-12):
                    continue
                score = gain / information if information > 1e-12 else 0.0
            if self.cost == "tan_schlimmer":
                score = score**2 / self.costs[attribute]
            elif self.cost == "nunez":
                score = (2**score - 1) / (self.costs[attribute] + 1) ** self.omega
            if score > most + CLOSE:
                found, most = (attribute, threshold), score
        return found

    # --- one attribute
    def nominal(self, examples: list[Example], attribute: str) -> tuple[None, float, float] | None:
        known = [e for e in examples if e[0][attribute] is not None]
        if len({e[0][attribute] for e in known}) < 2:
            return None
        branches = self.split(examples, attribute, None)
        sizes = [self.weight(b) for b in (self.known_split(known, attribute, None) if self.fractions else branches)]
        if sum(size >= self.min_leaf - ROUNDING for size in sizes) < 2:
            return None
        gain, information = self.worth(examples, known, attribute, None)
        return None, gain, information

    def numeric(self, examples: list[Example], attribute: str) -> tuple[float, float, float] | None:
        known = [e for e in examples if e[0][attribute] is not None]
        values = sorted({e[0][attribute] for e in known})
        c45 = self.criterion == "gain_ratio" and self.guard
        least = float(self.min_leaf)
        if c45:
            least = max(min(0.1 * self.weight(known) / self.classes, 25.0), least)
        found, cuts = None, 0
        for below, above in pairwise(values):
            beside = {e[1] for e in known if e[0][attribute] in (below, above)}
            if len(beside) == 1 and not c45:
                continue
            threshold = (below + above) / 2
            branches = self.split(known if self.c45_fractions else examples, attribute, threshold)
            if min(map(self.weight, branches)) < least - ROUNDING:
                continue
            cuts += 1
            gain, information = self.worth(examples, known, attribute, threshold)
            if found is None or gain > found[1] + CLOSE:
                found = (threshold, gain, information)
        if found is None or not c45:
            return found
        gain = found[1] - log2(cuts) / self.weight(examples)
        return (found[0], gain, found[2]) if gain > 1e-12 else None

    def worth(
        self, examples: list[Example], known: list[Example], attribute: str, threshold: float | None
    ) -> tuple[float, float]:
        """Gain and split information."""
        if self.c45_fractions:
            branches = self.known_split(known, attribute, threshold)
            gain = self.gain(known, branches) * self.weight(known) / self.weight(examples)
            lost = self.weight(examples) - self.weight(known)
            return gain, entropy([*map(self.weight, branches), lost if len(known) < len(examples) else 0.0])
        branches = self.split(examples, attribute, threshold)
        return self.gain(examples, branches), entropy([self.weight(branch) for branch in branches])

    def gain(self, examples: list[Example], branches: list[list[Example]]) -> float:
        total = self.weight(examples)
        left = fsum(self.weight(branch) / total * entropy(self.counts(branch)) for branch in branches)
        return entropy(self.counts(examples)) - left

    # --- who goes where
    def known_split(self, known: list[Example], attribute: str, threshold: float | None) -> list[list[Example]]:
        if threshold is not None:
            return [
                [e for e in known if e[0][attribute] <= threshold],
                [e for e in known if e[0][attribute] > threshold],
            ]
        return [[e for e in known if e[0][attribute] == value] for value in self.values[attribute]]

    def split(self, examples: list[Example], attribute: str, threshold: float | None) -> list[list[Example]]:
        known = [e for e in examples if e[0][attribute] is not None]
        branches = self.known_split(known, attribute, threshold)
        common = largest([self.weight(branch) for branch in branches])
        out = [list(branch) for branch in branches]
        for row, label, weight in examples:
            if row[attribute] is not None:
                continue
            if self.fractions:
                for branch, mine in zip(branches, out, strict=True):
                    share = self.weight(branch) / self.weight(known)
                    if share > 0:
                        mine.append((row, label, weight * share))
            elif self.missing == "common":
                out[common].append((row, label, weight))
            else:
                same = [self.counts(branch)[label] for branch in branches]
                out[largest(same) if any(same) else common].append((row, label, weight))
        return out

    # --- sums
    @property
    def fractions(self) -> bool:
        return self.missing == "fractions"

    @property
    def c45_fractions(self) -> bool:
        return self.fractions and self.criterion == "gain_ratio"

    def weight(self, examples: list[Example]) -> float:
        return fsum(weight for _, _, weight in examples)

    def counts(self, examples: list[Example]) -> list[float]:
        return [fsum(w for _, label, w in examples if label == c) for c in range(self.classes)]

    def p_value(self, branches: list[list[Example]]) -> float:
        from scipy.stats import chi2_contingency

        table = [self.counts(branch) for branch in branches if branch]
        present = [c for c in range(self.classes) if any(line[c] for line in table)]
        return float(chi2_contingency([[line[c] for c in present] for line in table], correction=False).pvalue)


def largest(sizes: list[float]) -> int:
    return sizes.index(max(sizes))


def entropy(weights: list[float]) -> float:
    total = fsum(weights)
    return -fsum(w / total * log2(w / total) for w in weights if w > 0)
