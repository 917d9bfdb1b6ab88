"""opt of disjunctions of few among many attributes, without listing their instances.

What labels leave of the class is known by counts.  An instance with label 0 strikes its attributes out, one with label
1 asks for one of its attributes in the target.  Two attributes that stand in the same instances of label 1 can be
exchanged, so a state is how many attributes stand in which of these instances, and an instance is how many of each kind
it has.  The search is the definition (Littlestone 1988, section 3): K >= d where an instance leaves K >= d - 1 for
either label.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, TypeAlias

from mistakebound.concepts.literal_sets import MonotoneConjunctions, MonotoneDisjunctions
from mistakebound.theory.mistake_tree import MistakeTree, check_depth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mistakebound.theory.interval import Deadline

# Kinds of attributes: (instances with label 1 in which they stand, as bits; how many attributes), by the bits.
State: TypeAlias = tuple[tuple[int, int], ...]
Choice: TypeAlias = tuple[int, ...]  # how many attributes of each kind are on
Groups: TypeAlias = dict[int, tuple[int, ...]]  # the attributes of each kind
_FEW = 64  # instances that are looked at one by one
_CHUNK = 1 << 18  # instances that are looked at together
NOTHING: State = ((-1, 0),)  # no disjunction is left: an instance with label 1 has no attribute any more


def search_for(
    concept_class: MonotoneDisjunctions | MonotoneConjunctions, deadline: Deadline | None = None
) -> FewAttributes:
    """The search for the class, or for the disjunctions that are dual to it."""
    k = concept_class.n if concept_class.k is None else concept_class.k
    return FewAttributes(concept_class.n, k, concept_class.exactly, deadline)


class FewAttributes:
    """K of the monotone disjunctions of at most, or exactly, k of n attributes.

    >>> search = FewAttributes(20, 2, exactly=False)
    >>> search.size(search.root), search.at_least(search.root, 7)
    (211, True)
    """

    def __init__(self, n: int, k: int, exactly: bool, deadline: Deadline | None = None) -> None:
        self.root: State = ((0, n),)
        self.k, self.exactly = k, exactly
        self.deadline = deadline
        self._sets = _set_counts(n, k, exactly)
        self._known: dict[State, tuple[int, int]] = {}  # K is at least the first and at most the second
        self.size = lru_cache(maxsize=None)(self._size)

    def _size(self, state: State) -> int:
        """How many disjunctions are left: sets that meet every instance with label 1, by inclusion and exclusion."""
        if state is NOTHING:
            return 0
        total = 0
        for avoided in _subsets(_asked(dict(state))):
            free = sum(count for kind, count in state if not kind & avoided)
            total += -self._sets[free] if avoided.bit_count() % 2 else self._sets[free]
        return total

    def after(self, state: State, choice: Choice, label: int) -> State:
        """What the label of an instance leaves."""
        if not label:
            left = {kind: count - on for (kind, count), on in zip(state, choice, strict=True)}
            return _normal(left) if _asked(left) == _asked(dict(state)) else NOTHING
        if not any(choice):
            return NOTHING
        bit = 1 << _asked(dict(state)).bit_length()
        left = {}
        for (kind, count), on in zip(state, choice, strict=True):
            left[kind] = left.get(kind, 0) + count - on
            left[kind | bit] = on
        return _normal(left)

    def at_least(self, state: State, d: int) -> bool:
        """Whether K of the state is at least d."""
        if d < 1:
            return d < 0 or self.size(state) > 0
        if self.size(state) < 1 << d:
            return False
        if d == 1:
            return True
        low, high = self._known.get(state, (0, self.size(state).bit_length() - 1))
        if low < d <= high:
            found = self.choice(state, d) is not None
            low, high = (max(low, d), high) if found else (low, min(high, d - 1))
            self._known[state] = low, high
        return d <= low

    def choice(self, state: State, d: int) -> Choice | None:
        """An instance that leaves K >= d - 1 for either label, the most even one first."""
        if self.deadline is not None:
            self.deadline.check()
        for choice in self._even_choices(state, 1 << (d - 1)):
            zero = self.after(state, choice, 0)
            if self.at_least(zero, d - 1) and self.at_least(self.after(state, choice, 1), d - 1):
                return choice
        return None

    def _even_choices(self, state: State, need: int) -> Iterator[Choice]:
        """The instances that leave `need` disjunctions or more for either label, the most even ones first."""
        counts = [count for _, count in state]
        whole, shape = self.size(state), [count + 1 for count in counts]
        if prod(shape) <= _FEW:
            yield from self._even_choices_of_few(state, need)
            return
        import numpy as np

        table = np.array(self._sets, dtype=np.int64 if self._sets[-1] < 1 << 40 else object)
        parts = []
        for start in range(0, prod(shape), _CHUNK):
            numbers = np.arange(start, min(start + _CHUNK, prod(shape)))
            left = np.array(counts)[:, None] - np.array(np.unravel_index(numbers, shape))
            sizes = np.zeros(len(numbers), dtype=table.dtype)
            for avoided in _subsets(_asked(dict(state))):
                free = left[[not kind & avoided for kind, _ in state]].sum(axis=0)
                sizes += -table[free] if avoided.bit_count() % 2 else table[free]
            fits = (sizes >= need) & (sizes <= whole - need)
            parts.append(np.stack([abs(2 * sizes[fits] - whole), numbers[fits]]))
            if self.deadline is not None:
                self.deadline.check()
        found = np.concatenate(parts, axis=1)
        for number in found[1, np.lexsort((found[1], found[0]))]:
            yield tuple(int(on) for on in np.unravel_index(int(number), shape))

    def _even_choices_of_few(self, state: State, need: int) -> Iterator[Choice]:
        """The same one by one."""
        whole, found = self.size(state), []
        signs = [(-1 if avoided.bit_count() % 2 else 1, avoided) for avoided in _subsets(_asked(dict(state)))]
        for choice in product(*(range(count + 1) for _, count in state)):
            size = 0
            for sign, avoided in signs:
                free = sum(count - on for (kind, count), on in zip(state, choice, strict=True) if not kind & avoided)
                size += sign * self._sets[free]
            if need <= size <= whole - need:
                found.append((abs(2 * size - whole), choice))
        found.sort()
        return (choice for _, choice in found)


def _set_counts(n: int, k: int, exactly: bool) -> list[int]:
    """How many sets of the right size there are of 0, 1, ..., n attributes."""

    def sets(free: int) -> int:
        if exactly:
            return comb(free, k)
        return 1 << free if free <= k else sum(comb(free, size) for size in range(k + 1))

    return [sets(free) for free in range(n + 1)]


def _asked(counts: dict[int, int]) -> int:
    """The instances with label 1 that have an attribute left."""
    bits = 0
    for kind, count in counts.items():
        bits |= kind if count else 0
    return bits


def _subsets(bits: int) -> Iterator[int]:
    subset = bits
    while True:
        yield subset
        if not subset:
            return
        subset = (subset - 1) & bits


@lru_cache(maxsize=1 << 16)
def _short_kinds(items: tuple[tuple[int, int], ...]) -> dict[int, int]:
    """The kinds without instances that ask for nothing new, and these in an order of their own.

    An instance whose attributes include all those of another one asks for nothing more.
    """
    present = [kind for kind, _ in items]
    asked = _asked(dict(items))
    bits = [1 << j for j in range(asked.bit_length()) if asked >> j & 1]
    kept: list[int] = []
    for bit in bits:
        within = {kind for kind in present if kind & bit}
        others = ({kind for kind in present if kind & other} for other in bits if other != bit)
        smaller = [
            other for other, has in zip([b for b in bits if b != bit], others, strict=True)
            if has < within or (has == within and other < bit)
        ]  # fmt: skip
        if not smaller:
            kept.append(bit)
    weights = {bit: sorted((kind.bit_count(), count) for kind, count in items if kind & bit) for bit in kept}
    kept.sort(key=lambda bit: weights[bit])
    return {kind: sum(1 << place for place, bit in enumerate(kept) if kind & bit) for kind in present}


def _normal(counts: dict[int, int]) -> State:
    items = tuple(sorted((kind, count) for kind, count in counts.items() if count))
    short = _short_kinds(items)
    merged: dict[int, int] = {}
    for kind, count in items:
        merged[short[kind]] = merged.get(short[kind], 0) + count
    return tuple(sorted(merged.items()))


def mistake_tree(concept_class: MonotoneDisjunctions | MonotoneConjunctions, depth: int) -> MistakeTree:
    """A complete mistake tree of so many levels, with the attributes by name."""
    check_depth(depth)
    search = search_for(concept_class)
    dual = isinstance(concept_class, MonotoneConjunctions)
    rows: list[tuple[int, ...]] = [()] * ((1 << depth) - 1)
    waiting: list[tuple[int, Groups]] = [(0, {0: tuple(range(concept_class.n))})] if depth else []
    while waiting:
        node, groups = waiting.pop()
        levels = depth + 1 - (node + 1).bit_length()
        state: State = tuple(sorted((kind, len(names)) for kind, names in groups.items()))
        choice = search.choice(state, levels) if levels > 1 else next(search._even_choices(state, 1))
        assert choice is not None, "K of the class must be at least the depth"
        on = {
            j for (kind, _), many in zip(state, choice, strict=True) for j in groups[kind][len(groups[kind]) - many :]
        }
        # The dual of a disjunction: complement the instance and its label.
        rows[node] = tuple(int((j in on) != dual) for j in range(concept_class.n))
        if levels > 1:
            waiting += [(2 * node + 1 + (label != dual), _groups_after(groups, on, label)) for label in (0, 1)]
    finite = concept_class.finite(list(dict.fromkeys(rows)))
    nodes, leaves = [finite.position(row) for row in rows], []
    for leaf in range(1 << depth):
        members, node = finite.everyone, 0
        for level in range(depth - 1, -1, -1):
            label = leaf >> level & 1
            members = finite.consistent(members, nodes[node], label)
            node = 2 * node + 1 + label
        leaves.append((members & -members).bit_length() - 1)
    return MistakeTree(finite, nodes, leaves)


def _groups_after(groups: Groups, on: set[int], label: int) -> Groups:
    """The attributes of each kind after an instance, under the short names of `_normal`."""
    left: dict[int, list[int]] = {}
    bit = 1 << _asked({kind: len(names) for kind, names in groups.items()}).bit_length()
    for kind, names in groups.items():
        for j in names:
            if j not in on or label:
                left.setdefault(kind | bit * (j in on), []).append(j)
    short = _short_kinds(tuple(sorted((kind, len(those)) for kind, those in left.items())))
    merged: dict[int, list[int]] = {}
    for kind, those in left.items():
        merged.setdefault(short[kind], []).extend(those)
    return {kind: tuple(sorted(those)) for kind, those in merged.items()}
