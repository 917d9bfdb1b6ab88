"""1-decision lists: rules of one literal each, the first that fires decides, a default at the end (Rivest 1987)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations, product
from math import comb
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from mistakebound.concepts.bits import pack, transpose
from mistakebound.concepts.concept import Concept, ConceptClass, generator
from mistakebound.concepts.instance import Reader, bit, signed_count
from mistakebound.concepts.literals import Literal, literal_order
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mistakebound.concepts.thresholds import LinearThreshold

Rule: TypeAlias = tuple[Literal, int]
_MOST_COUNTED = 200  # attributes


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DecisionList(Concept):
    """A 1-decision list: the label of the first rule whose literal holds, or else the default.

    Parameters
    ----------
    rules : iterable of (Literal or str, label), default ()
        The rules in order; a label is 0 or 1.
    default : {0, 1}, default 0
        The label where no rule fires.

    Notes
    -----
    Text: `if x1 then 1 else if ~x3 then 0 else 1`, and `else 1` for a constant.  Every function has one normal form: no
    rule can be left out; neighbouring rules with the same label are a block, ordered by attribute; the last block has
    at least two rules, because a single one could be negated and join the block before it.  The only rule of a list has
    the label 1.

    References
    ----------
    Rivest 1987, Learning decision lists.  Balcan 2011, 8803 Machine Learning Theory, lecture 4.

    Examples
    --------
    >>> f = DecisionList([("1", 1), (Literal("3", positive=False), 0)], default=1)
    >>> print(f, f([1, 0, 0]), f([0, 0, 0]), f([0, 0, 1]))
    if x1 then 1 else if x3 then 1 else 0 1 0 1
    """

    rules: tuple[Rule, ...]
    default: int
    canonical: ClassVar[bool] = True

    def __init__(self, rules: Iterable[tuple[Literal | str, int]] = (), default: int = 0) -> None:
        given = [(item if isinstance(item, Literal) else Literal(item), checked_label(label)) for item, label in rules]
        blocks, default = _blocks(given, checked_label(default))
        ordered = [(literal, label) for label, block in blocks for literal in sorted(block, key=literal_order)]
        object.__setattr__(self, "rules", tuple(ordered))
        object.__setattr__(self, "default", default)

    @property
    def attributes(self) -> frozenset[str]:
        return frozenset(literal.name for literal, _ in self.rules)

    def value(self, read: Reader) -> int:
        fired = [label for literal, label in self.rules if bit(literal.name, read(literal.name)) == literal.positive]
        return fired[0] if fired else self.default

    def evaluate_many(self, X: Any, names: Sequence[str] | None = None) -> NDArray[np.uint8]:
        import numpy as np

        labels = signed_count(X, {}, names).astype(np.uint8) + np.uint8(self.default)
        for literal, label in reversed(self.rules):
            labels[signed_count(X, {literal.name: 1}, names) == literal.positive] = label
        return labels

    def to_linear_threshold(self) -> LinearThreshold:
        """A rule weighs twice as much as the one after it, the last twice as much as the default."""
        from mistakebound.concepts.thresholds import LinearThreshold

        weights: dict[str, int] = {}
        constant = 1 if self.default else -1
        for step, (literal, label) in enumerate(reversed(self.rules), 1):
            weight = (1 if label else -1) << step
            weights[literal.name] = weight if literal.positive else -weight
            constant += 0 if literal.positive else weight
        return LinearThreshold(weights, 1 - constant)  # the sum is odd: above 0 is at least 1

    def __str__(self) -> str:
        words = [f"if {literal} then {label}" for literal, label in self.rules]
        return " else ".join([*words, str(self.default)] if words else ["", str(self.default)]).strip()


def checked_label(label: object) -> int:
    """The label of a rule, as 0 or 1."""
    if isinstance(label, str) or not (label == 0 or label == 1):
        raise BadParameter(f"a rule's label must be 0 or 1: {label!r}")
    return int(label == 1)


def _blocks(rules: list[Rule], default: int) -> tuple[list[tuple[int, list[Literal]]], int]:
    """The normal form: runs of literals with the same label, and the default."""
    blocks: list[tuple[int, list[Literal]]] = []
    met: set[Literal] = set()
    for literal, label in rules:
        if ~literal in met:  # where this rule is reached, it fires
            default = label
            break
        if literal not in met:
            met.add(literal)
            if blocks and blocks[-1][0] == label:
                blocks[-1][1].append(literal)
            else:
                blocks.append((label, [literal]))
    while blocks and blocks[-1][0] == default:
        blocks.pop()
    if len(blocks) == 1 and len(blocks[0][1]) == 1:
        label, [only] = blocks[0]
        return [(1, [only if label else ~only])], 0
    if blocks and len(blocks[-1][1]) == 1:
        label, [last] = blocks.pop()
        blocks[-1][1].append(~last)
        default = label
    return blocks, default


def rewritten(concept: Concept) -> DecisionList | None:
    """The concept as a decision list, or None where no list has its function.

    Any literal that settles the label can come first: if there is a list at all, there is one for the rest.
    """
    if isinstance(concept, DecisionList):
        return concept
    names = sorted(concept.attributes, key=attribute_order)
    table: Any = concept.truth_table(names).reshape([2] * len(names))
    rules: list[Rule] = []
    while table.min() != table.max():
        for axis, value in product(range(len(names)), (1, 0)):
            part = table.take(value, axis)
            if part.min() == part.max():
                rules.append((Literal(names[axis], bool(value)), int(part.flat[0])))
                table = table.take(1 - value, axis)
                del names[axis]
                break
        else:
            return None
    return DecisionList(rules, int(table.flat[0]))


@dataclass(frozen=True)
class DecisionLists(ConceptClass):
    """The functions of 1-decision lists over n attributes.

    Parameters
    ----------
    n : int
        Number of attributes; >= 1, at most 200 to be counted.

    Notes
    -----
    Order: the constants 0 and 1; the single literals; then by the number of attributes, by attributes, by the blocks of
    rules with the same label, by signs (positive first), by the label of the first block (1 first).

    References
    ----------
    Rivest 1987, Learning decision lists.

    Examples
    --------
    >>> [DecisionLists(n).count() for n in (1, 2, 3, 4, 5)]
    [4, 14, 96, 1050, 15036]
    """

    n: int
    kind: ClassVar[str] = "decision-lists"

    def __post_init__(self) -> None:
        self.set_integer("n", 1)

    def holds(self, concept: Concept) -> bool:
        return rewritten(concept) is not None

    def count(self) -> int:
        if self.n > _MOST_COUNTED:
            raise BadParameter(f"n must be at most {_MOST_COUNTED} for decision lists to be counted: {self.n}")
        return 2 + 2 * self.n + sum(self._with(m) for m in range(2, self.n + 1))

    def _with(self, m: int) -> int:
        """How many depend on exactly m >= 2 attributes: attributes, signs, blocks, first label."""
        return (comb(self.n, m) * sum(_last_blocks(m))) << (m + 1)

    def __iter__(self) -> Iterator[DecisionList]:
        for rules, default in self._members():
            yield _trusted(rules, default)

    def _members(self) -> Iterator[tuple[tuple[Rule, ...], int]]:
        """Rules and default of every normal form."""
        yield (), 0
        yield (), 1
        for name in self.attributes:
            yield ((Literal(name), 1),), 0
            yield ((Literal(name, False), 1),), 0
        for m in range(2, self.n + 1):
            for names in combinations(self.attributes, m):
                for blocks in _partitions(names):
                    for signs in product((True, False), repeat=m):
                        yield _arranged(blocks, signs, 1)
                        yield _arranged(blocks, signs, 0)

    def label_columns(self, instances: Sequence[Any]) -> list[int] | None:
        if not all(isinstance(x, tuple) and len(x) == self.n and {*x} <= {0, 1} for x in instances):
            return None
        every = (1 << len(instances)) - 1
        holds = {}
        for name, column in zip(self.attributes, zip(*instances, strict=True), strict=True):
            holds[Literal(name)] = pack(column)
            holds[Literal(name, False)] = every ^ pack(column)
        lines = []
        for rules, default in self._members():
            line, left = 0, every
            for literal, label in rules:
                if label:
                    line |= left & holds[literal]
                left &= ~holds[literal]
            lines.append(line | left if default else line)
        return transpose(lines, len(instances))

    def sample(self, seed: int) -> DecisionList:
        rng = generator(seed)
        sizes = [2, 2 * self.n, *(self._with(m) for m in range(2, self.n + 1))]
        rank = rng.randrange(sum(sizes))
        m = bisect_right(list(accumulate(sizes)), rank)
        names = [str(j) for j in sorted(rng.sample(range(1, self.n + 1), m))]
        signs = [bool(rng.getrandbits(1)) for _ in names]
        first = rng.getrandbits(1)
        if m < 2:
            single = tuple((Literal(name, sign), 1) for name, sign in zip(names, signs, strict=True))
            return _trusted(single, 0 if single else first)
        return _trusted(*_arranged(_drawn_blocks(rng, names), signs, first))


def _trusted(rules: tuple[Rule, ...], default: int) -> DecisionList:
    """A list that is known to be in normal form."""
    made = object.__new__(DecisionList)
    object.__setattr__(made, "rules", rules)
    object.__setattr__(made, "default", default)
    return made


def _arranged(blocks: Sequence[Sequence[str]], signs: Sequence[bool], first: int) -> tuple[tuple[Rule, ...], int]:
    turn = iter(signs)
    label = first
    rules: list[Rule] = []
    for block in blocks:
        rules += [(Literal(name, next(turn)), label) for name in block]
        label = 1 - label
    return tuple(rules), label


def _partitions(names: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    """The ordered partitions into blocks of which the last has at least two names."""
    for size in range(1, len(names) + 1):
        for block in combinations(names, size):
            rest = tuple(name for name in names if name not in block)
            if rest:
                for more in _partitions(rest):
                    yield [block, *more]
            elif size > 1:
                yield [block]


@cache
def _ordered_partitions(m: int) -> int:
    """How many ordered partitions m names have (the Fubini numbers)."""
    return sum(comb(m, size) * _ordered_partitions(m - size) for size in range(1, m + 1)) if m else 1


def _last_blocks(m: int) -> list[int]:
    """How many ordered partitions of m names have a last block of size 0, 1, 2, ...; sizes below 2 do not count."""
    return [0, 0, *(comb(m, size) * _ordered_partitions(m - size) for size in range(2, m + 1))]


def _drawn_blocks(rng: Random, names: list[str]) -> list[list[str]]:
    """One of the partitions of `_partitions`, uniformly."""
    last = _chosen(rng, _last_blocks(len(names)))
    left = set(names) - (final := set(rng.sample(names, last)))
    blocks = []
    while left:
        weights = [
            0,
            *(comb(len(left), size) * _ordered_partitions(len(left) - size) for size in range(1, len(left) + 1)),
        ]
        block = set(rng.sample([name for name in names if name in left], _chosen(rng, weights)))
        blocks.append(block)
        left -= block
    return [[name for name in names if name in block] for block in (*blocks, final)]


def _chosen(rng: Random, weights: list[int]) -> int:
    return bisect_right(list(accumulate(weights)), rng.randrange(sum(weights)))
