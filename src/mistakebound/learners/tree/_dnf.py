"""A Boolean tree as a formula in disjunctive normal form, and a formula as a tree (a path is a conjunction).

A column of zeros and ones, or of false and true, is an attribute: a test of it asks for the attribute or its negation.
Any other nominal column gives an attribute `column=value` for every value, as in sparse rows. A column x1, x2, ... is
the attribute 1, 2, ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mistakebound.concepts.dnf import DNFFormula, disjunction_of_terms
from mistakebound.concepts.literal_sets import Conjunction, Disjunction
from mistakebound.concepts.literals import Literal
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order, is_id, is_numbered
from mistakebound.learners.tree.flat_tree import Branching, flat
from mistakebound.learners.tree.table_text import values_of
from mistakebound.theory.interval import deep_recursion

if TYPE_CHECKING:
    from mistakebound.concepts.concept import Concept
    from mistakebound.core.schema import Schema
    from mistakebound.learners.tree.flat_tree import FlatTree

_FALSE, _TRUE = ("0", "false"), ("1", "true")
LIMIT = 100_000  # nodes of the largest tree that is made of a formula


def formula_of(tree: FlatTree, schema: Schema, positive: int) -> Concept:
    """The disjunction of the paths to leaves of the class `positive`, in normal form."""
    _refuse_numbers(tree, schema)
    terms = []
    waiting: list[tuple[int, dict[int, int]]] = [(0, {})]  # a node, and the value of each column that was tested above
    while waiting:
        node, known = waiting.pop()
        if not tree.arity[node]:
            if tree.label[node] == positive:
                terms.append([_literal(schema, column, code) for column, code in known.items()])
            continue
        column = int(tree.column[node])
        numeric = schema.columns[column][1] == "numeric"
        for branch, child in enumerate(tree.children(node)):
            codes = (branch,) if numeric else values_of(tree, node, branch, schema)
            waiting += [(child, known | {column: code}) for code in codes if known.get(column, code) == code]
    return disjunction_of_terms(terms)


def _refuse_numbers(tree: FlatTree, schema: Schema) -> None:
    """BadParameter unless every numeric column is compared with one number between 0 and 1."""
    seen: dict[int, float] = {}
    for column, threshold in zip(tree.column.tolist(), tree.threshold.tolist(), strict=True):
        if column < 0 or schema.columns[column][1] != "numeric":
            continue
        if not 0 <= threshold < 1 or seen.setdefault(column, threshold) != threshold:
            raise BadParameter(
                f"a tree must test nominal columns, or numbers that are 0 or 1, to be written as a DNF: "
                f"{schema.columns[column][0]!r} is compared with {threshold:g}"
            )


def _literal(schema: Schema, column: int, code: int) -> Literal:
    """A value of a column: of a number the code is 0 up to the threshold, else 1."""
    name, kind, texts = schema.columns[column]
    if kind == "numeric":
        return Literal(attribute_of(name), code == 1)
    if is_truth(texts):
        return Literal(attribute_of(name), texts[code].lower() in _TRUE)
    return Literal(f"{name}={texts[code]}")


def is_truth(texts: tuple[str, ...]) -> bool:
    """Whether a column's values are zeros and ones, or false and true."""
    return any({text.lower() for text in texts} <= {*pair} for pair in zip(_FALSE, _TRUE, strict=True))


def attribute_of(column: str) -> str:
    """The attribute of a column: x3 is 3.

    >>> attribute_of("x3"), attribute_of("free")
    ('3', 'free')
    """
    return column[1:] if is_numbered(column) and is_id(column[1:]) else column


def column_of(attribute: str) -> str:
    """The column of an attribute: 3 is x3."""
    return f"x{attribute}" if is_id(attribute) else attribute


def terms_of(concept: Concept) -> list[tuple[Literal, ...]]:
    """The terms of a disjunction, a conjunction or a DNF formula."""
    if isinstance(concept, DNFFormula):
        return list(concept.terms)
    if isinstance(concept, Conjunction):
        return [] if concept.clash else [concept.literals]
    if isinstance(concept, Disjunction):
        return [()] if concept.clash else [(literal,) for literal in concept.literals]
    raise BadParameter(f"a formula must be a disjunction, a conjunction or a DNF to be written as a tree: {concept}")


def tree_of(concept: Concept) -> tuple[FlatTree, list[str]]:
    """A tree of the same function, and its attributes in order.

    Of the attributes in the formula's terms the commonest is tested first (of several the first); in each branch what
    is left of the formula is written the same way.
    """
    terms = terms_of(concept)
    attributes = sorted(concept.attributes, key=attribute_order)
    place = {name: k for k, name in enumerate(attributes)}
    many = len(attributes)
    coded = [sum(1 << (place[x.name] + (0 if x.positive else many)) for x in term) for term in terms]
    with deep_recursion(many):
        return flat(_Expansion(many).tree(coded, 2.0 ** min(1000, many))), attributes


class _Expansion:
    """A term is a number: bit k is attribute k, bit n + k its negation."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.nodes = 0

    def tree(self, terms: list[int], instances: float) -> Branching:
        self.nodes += 1
        if self.nodes > LIMIT:
            raise BadParameter(f"a formula must have a tree of at most {LIMIT:,} nodes: this one's is larger")
        if not terms or 0 in terms:
            label = int(bool(terms))
            return Branching([instances * (1 - label), instances * label], label)
        chosen = self._commonest(terms)
        yes, no = 1 << chosen, 1 << (self.n + chosen)
        below = [self.tree(_given(terms, own, other), instances / 2) for own, other in ((no, yes), (yes, no))]
        counts = [below[0].counts[place] + below[1].counts[place] for place in (0, 1)]
        if not below[0].children and not below[1].children and below[0].label == below[1].label:
            return Branching(counts, below[0].label)  # what looked like a question was none
        return Branching(counts, int(counts[1] > counts[0]), chosen, children=below)

    def _commonest(self, terms: list[int]) -> int:
        count = dict.fromkeys(range(self.n), 0)
        for term in terms:
            while term:
                low = term & -term
                count[(low.bit_length() - 1) % self.n] += 1
                term ^= low
        return max(count, key=lambda attribute: (count[attribute], -attribute))


def _given(terms: list[int], own: int, other: int) -> list[int]:
    """What is left of a formula where a literal holds; no term that another makes superfluous."""
    shorter = [term ^ own for term in terms if term & own]
    same = [term for term in terms if not term & (own | other)]
    return shorter + [term for term in same if not any(short & term == short for short in shorter)]
