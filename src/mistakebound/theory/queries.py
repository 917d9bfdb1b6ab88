"""The fewest membership questions that identify any target of a class, with the question tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.bits import ones as each_one
from mistakebound.concepts.class_text import class_given
from mistakebound.core.errors import BadParameter
from mistakebound.core.notebook import NotebookView
from mistakebound.theory.interval import Deadline, Interval, OutOfTime, deep_recursion
from mistakebound.theory.states import Known, States, distinct_columns, splits
from mistakebound.theory.teaching import TeachingSearch

if TYPE_CHECKING:
    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass

_AROUND = 2_000_000  # concepts times instances: up to there every labelling next to a concept is looked at
_TEACHING = 4_000_000  # bits of the class times concepts: up to there teaching sets are asked for a lower bound


class QuestionTree(NotebookView):
    """Which instance to ask about next, until one concept is left.

    Node 0 is the root. `nodes[v]` is the instance's number and the nodes that the answers 0 and 1 lead to; where one
    concept is left it is None, and `leaves[v]` is the concept's number.
    """

    def __init__(self, finite: FiniteClass, nodes: list[tuple[int, int, int] | None], leaves: dict[int, int]) -> None:
        self.finite, self.nodes, self.leaves = finite, nodes, leaves

    def is_leaf(self, node: int) -> bool:
        return self.nodes[node] is None

    def instance(self, node: int) -> Any:
        return self.finite.instances[self._inner(node)[0]]

    def child(self, node: int, label: int) -> int:
        return self._inner(node)[1 + label]

    def concept(self, node: int) -> Any:
        return self.finite.concepts[self.leaves[node]]

    def _inner(self, node: int) -> tuple[int, int, int]:
        found = self.nodes[node]
        if found is None:
            raise BadParameter(f"a node must be an inner one: {node}")
        return found

    def walk(self) -> Iterator[tuple[int, int, int]]:
        """Every node with its depth and the concepts that its answers leave."""
        waiting = [(0, 0, self.finite.everyone)]
        while waiting:
            node, depth, members = waiting.pop()
            yield node, depth, members
            inner = self.nodes[node]
            if inner is not None:
                j, zero, one = inner
                waiting.append((one, depth + 1, self.finite.consistent(members, j, 1)))
                waiting.append((zero, depth + 1, self.finite.consistent(members, j, 0)))

    @property
    def depth(self) -> int:
        """The number of questions in the worst case."""
        return max(depth for _, depth, _ in self.walk())

    def verify(self) -> bool:
        """Whether every concept is found: at each leaf exactly one is left, the one that is named."""
        found = [members == 1 << self.leaves[node] for node, _, members in self.walk() if self.is_leaf(node)]
        return all(found) and len(found) == self.finite.size


@dataclass(frozen=True)
class QueryDepth(Interval):
    """The number of questions between `lower` and `upper`; `tree` needs `upper` of them at worst. It is None where
    the time was too short for any tree.
    """

    tree: QuestionTree | None
    finite: FiniteClass = field(repr=False, compare=False)

    def verify(self) -> bool:
        """Whether the tree finds every concept with `upper` questions: it proves the upper bound."""
        return self.tree is None or (self.tree.verify() and self.tree.depth == self.upper)


def query_depth(concept_class: ConceptClass | str, timeout: float | None = None) -> QueryDepth:
    """The fewest membership questions, "is x in the concept?", that identify any target of a finite class.

    Parameters
    ----------
    concept_class, timeout
        As of `teaching_dimension`.

    Returns
    -------
    QueryDepth
        `lower` and `upper`, both proven, for the worst case over targets; `value` where they are equal, else None;
        `tree`, a question tree of depth `upper`, or None where the time was too short for any.

    Notes
    -----
    It is at least ceil(log2 |C|), and at least the teaching dimension.

    References
    ----------
    Angluin 1988, Queries and concept learning.

    Examples
    --------
    >>> from mistakebound.concepts import DecisionLists
    >>> found = query_depth(DecisionLists(3))
    >>> found.value, found.tree.depth, found.verify()
    (8, 8, True)
    """
    deadline = Deadline(timeout)
    finite = class_given(concept_class).finite()
    if not finite.size:
        raise BadParameter("an empty class has nothing to ask about")
    search = _Search(finite, deadline)
    low, high = (finite.size - 1).bit_length(), len(search.active)
    tree: QuestionTree | None = None
    with deep_recursion(len(finite.columns)):
        try:
            tree = search.greedy_tree()
            high = min(high, tree.depth)
            low = search.lower_bound()
            while low < high:
                if search.at_most(finite.everyone, low):
                    high = low
                else:
                    low += 1
        except OutOfTime:
            pass
        search.deadline = Deadline()
        if tree is not None and tree.depth > high:
            tree = search.tree(high)
    return QueryDepth(low, high, tree, finite)


class _Known(Known):
    """The questions that a set of concepts needs."""

    __slots__ = ()

    def __init__(self, size: int) -> None:
        self.low, self.high = (size - 1).bit_length(), size - 1


class _Search:
    def __init__(self, finite: FiniteClass, deadline: Deadline) -> None:
        self.finite, self.deadline = finite, deadline
        self.columns = finite.columns
        self.active = distinct_columns(finite.columns, finite.everyone)
        self.known = States(finite, _Known, labels_swap=True)
        self.neighbours = _neighbours(finite, self.active)

    def lower_bound(self) -> int:
        """No fewer questions than bits, than concepts around a labelling, or than it takes to teach a concept."""
        finite = self.finite
        low = max((finite.size - 1).bit_length(), self.most_neighbours(finite.everyone))
        if finite.size * len(self.active) <= _AROUND:
            low = max(low, self.most_around())
        if finite.size * finite.size * len(self.active) <= _TEACHING:
            teaching = TeachingSearch(finite, self.deadline)
            for c in range(finite.size):
                if len(teaching.greedy(c)) > low:
                    low = max(low, len(teaching.smallest(c)))
        return low

    def most_around(self) -> int:
        """The most concepts that differ from one labelling on one instance each, less one if it is no concept itself.

        As long as the answers are the labelling's, a question rules out one of them at most, and one may be left.
        """
        mask = sum(1 << j for j in self.active)
        rows = {row & mask for row in self.finite.rows}
        around: dict[int, int] = {}
        for row in rows:
            self.deadline.check()
            for j in self.active:
                labelling = row ^ 1 << j
                around[labelling] = around.get(labelling, 0) + 1
        return max((count - (labelling not in rows) for labelling, count in around.items()), default=0)

    def most_neighbours(self, members: int) -> int:
        """Two concepts that differ on one instance only are told apart by asking about it."""
        return max((self.neighbours.get(c, 0) & members).bit_count() for c in each_one(members)) if members else 0

    def at_most(self, members: int, d: int) -> bool:
        """Whether d questions are enough."""
        size = members.bit_count()
        if size <= 2 or size > 1 << d:
            return size <= 1 << d
        if size - 1 <= d:  # every question can single out one concept at least
            return True
        known = self.known.of(members)
        if d >= known.high or d < known.low:
            return d >= known.high
        self.deadline.check()
        known.low = max(known.low, self.most_neighbours(members))
        if d < known.low:
            return False
        answer = self.question(members, d) is not None
        if answer:
            known.high = d
        else:
            known.low = d + 1
        return answer

    def question(self, members: int, d: int) -> int | None:
        """A column after whose answer d - 1 questions are enough."""
        size = members.bit_count()
        for smaller, j, ones in splits(self.columns, self.active, members):
            if size - smaller > 1 << (d - 1):
                break
            zeros = members ^ ones
            first, second = (ones, zeros) if ones.bit_count() > zeros.bit_count() else (zeros, ones)
            if self.at_most(first, d - 1) and self.at_most(second, d - 1):
                return j
        return None

    def greedy_tree(self) -> QuestionTree:
        """Always ask about the most even split."""
        return self._tree(len(self.active), lambda members, _: splits(self.columns, self.active, members)[0][1])

    def tree(self, d: int) -> QuestionTree:
        """A tree of at most d levels, where d questions are enough."""
        return self._tree(d, self._enough)

    def _enough(self, members: int, d: int) -> int:
        found = self.question(members, d)
        assert found is not None, "d questions are enough"
        return found

    def _tree(self, d: int, choose: Callable[[int, int], int]) -> QuestionTree:
        nodes: list[tuple[int, int, int] | None] = [None]
        leaves: dict[int, int] = {}
        waiting = [(0, self.finite.everyone, d)]
        while waiting:
            self.deadline.check()
            node, members, left = waiting.pop()
            if not members & (members - 1):
                leaves[node] = members.bit_length() - 1
                continue
            j = choose(members, left)
            ones = self.columns[j] & members
            nodes[node] = j, len(nodes), len(nodes) + 1
            nodes += (None, None)
            waiting += ((len(nodes) - 2, members ^ ones, left - 1), (len(nodes) - 1, ones, left - 1))
        return QuestionTree(self.finite, nodes, leaves)


def _neighbours(finite: FiniteClass, active: list[int]) -> dict[int, int]:
    """For each concept the set of those that differ from it on one instance only (of those that split differently)."""
    mask = sum(1 << j for j in active)
    number = {row & mask: c for c, row in enumerate(finite.rows)}
    found: dict[int, int] = {}
    for row, c in number.items():
        for j in active:
            if not row >> j & 1:
                other = number.get(row | 1 << j)
                if other is not None:
                    found[c] = found.get(c, 0) | 1 << other
                    found[other] = found.get(other, 0) | 1 << c
    return found
