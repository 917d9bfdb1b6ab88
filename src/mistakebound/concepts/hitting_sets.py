"""Sets that hit every set of a family: how many there are, and the minimal ones.  A set is the bits of an integer.

After a positive example, a conjunction is consistent when the constraints that it keeps hit, for every negative one,
the attributes in which that example differs from S.  To count hitting sets is #P-hard; what can be parted is parted
(families without a common element multiply), the rest is branched on with a memory, and past a limit of steps an
interval is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from mistakebound.concepts.bits import elements as elements_of
from mistakebound.concepts.bits import ones, union_of

STEPS = 1 << 21  # comparisons of two sets, or as much work, in a count that is to be exact: some tenths of a second
LARGE = 4096  # sets that are all compared with each other
_DEEP = 200  # branchings below each other
_COMPARISONS = 1 << 20  # of sets with each other, when only some are looked for that contain others


def _smallest(one: int) -> tuple[int, int]:
    return one.bit_count(), one


def minimal(sets: Iterable[int]) -> list[int]:
    """Those of the sets that contain no other, smallest first: whoever hits them hits all.

    Of very many sets only some are looked for that contain another.
    """
    kept: list[int] = []
    ordered = sorted(set(sets), key=_smallest)
    if len(ordered) > LARGE:
        return sorted(fewer(ordered), key=_smallest)
    for one in ordered:
        if not any(other & one == other for other in kept):
            kept.append(one)
    return kept


def fewer(sets: list[int]) -> list[int]:
    """As `minimal`, in their order, but of very many sets only some that contain another are found."""
    ordered = sorted(set(sets), key=_smallest)
    out: set[int] = set()
    for one in ordered[: max(1, _COMPARISONS // max(1, len(ordered)))]:
        if one not in out:
            out.update([other for other in ordered if other & one == one and other != one])
    return [one for one in dict.fromkeys(sets) if one not in out]


def parts(sets: Iterable[int]) -> list[list[int]]:
    """The families that have no element in common."""
    found: list[tuple[int, list[int]]] = []
    for one in sets:
        joined, members, rest = one, [one], []
        for union, family in found:
            if union & joined:
                joined |= union
                members = family + members
            else:
                rest.append((union, family))
        found = [*rest, (joined, members)]
    return [family for _, family in found]


class Counter:
    """Counts hitting sets: the lowest and the highest number that there can be, equal within the limit of steps.

    >>> Counter().within([0b0011, 0b1100], 0b1111), Counter().within([0b011, 0b110], 0b1111)
    ((9, 9), (10, 10))
    """

    def __init__(self, steps: int = STEPS) -> None:
        self._left = steps
        self._known: dict[tuple[int, ...], tuple[int, int]] = {}

    def within(self, sets: Iterable[int], elements: int, depth: int = 0) -> tuple[int, int]:
        """The number of subsets of `elements` that hit every set."""
        found = {one & elements for one in sets}
        self._left -= len(found) * (len(found) // 2 + 24)
        family = minimal(found)
        if family and not family[0]:
            return 0, 0
        low = high = 1 << (elements & ~union_of(family)).bit_count()
        for part in parts(family):
            least, most = self._part(tuple(sorted(part)), depth)
            low, high = low * least, high * most
        return low, high

    def _part(self, family: tuple[int, ...], depth: int) -> tuple[int, int]:
        """Of a family that cannot be parted, among the subsets of its union."""
        if len(family) == 1:
            hit = (1 << family[0].bit_count()) - 1
            return hit, hit
        found = self._known.get(family)
        if found is not None:
            return found
        self._left -= 16 * len(family) + 3 * sum(map(int.bit_count, family))  # what `_commonest` looks at
        if self._left < 0 or depth > _DEEP:
            return bounds(family)  # not remembered: it is no more than the moment allows
        element = _commonest(family)
        others = union_of(family) & ~element
        # With the element, its sets are hit; without it, what is left of them must be.
        chosen = self.within([one for one in family if not one & element], others, depth + 1)
        left_out = self.within(family, others, depth + 1)
        low, high = chosen[0] + left_out[0], chosen[1] + left_out[1]
        if low == high:
            self._known[family] = low, high
        return low, high


def _commonest(family: Iterable[int]) -> int:
    """The element of most sets, the first of them: as a set."""
    counts: dict[int, int] = {}
    for one in family:
        for element in elements_of(one):
            counts[element] = counts.get(element, 0) + 1
    return max(counts, key=lambda element: (counts[element], -element))


def bounds(family: Iterable[int]) -> tuple[int, int]:
    """An interval for the number of hitting sets among the subsets of the union, without a search.

    Below: to hit one set makes it no less likely to hit another (Harris 1960), so the chances multiply; and no more
    subsets can fail than fail at each set (Boole).  Above: sets that have nothing in common are hit independently.
    """
    sets = list(family)
    size = union_of(sets).bit_count()
    harris = 0
    if len(sets) <= LARGE:
        each = prod((1 << one.bit_count()) - 1 for one in sets)
        harris = -(-(each << size) // (1 << sum(one.bit_count() for one in sets)))
    boole = (1 << size) - sum(1 << size - one.bit_count() for one in sets)
    taken, most = 0, 1
    for one in sorted(sets, key=_smallest):
        if not one & taken:
            taken |= one
            most *= (1 << one.bit_count()) - 1
    return max(harris, boole, 1), most << (size - taken.bit_count())


def minimal_hitting_sets(sets: Iterable[int], rivals: dict[int, int] | None = None) -> Iterator[int]:
    """All hitting sets of which no element can be left out, one at a time: Murakami and Uno 2014 (MMCS).

    An element is never chosen beside one of its rivals.
    """
    family = minimal(sets)
    if family and not family[0]:
        return
    holders: dict[int, int] = {}  # element -> the sets that it is in, as bits
    for number, one in enumerate(family):
        for element in elements_of(one):
            holders[element] = holders.get(element, 0) | 1 << number
    # (chosen elements with the sets that only they hit, sets not hit yet, candidates)
    waiting: list[tuple[tuple[tuple[int, int], ...], int, int]] = [((), (1 << len(family)) - 1, union_of(family))]
    while waiting:
        chosen, open_sets, candidates = waiting.pop()
        if not open_sets:
            yield union_of(element for element, _ in chosen)
            continue
        narrow = min(ones(open_sets), key=lambda number: (family[number] & candidates).bit_count())
        branch, later = family[narrow] & candidates, []
        candidates &= ~branch
        for element in elements_of(branch):
            hits = holders[element]
            critical = tuple((other, only & ~hits) for other, only in chosen)
            if all(only for _, only in critical):
                beside = candidates & ~rivals[element] if rivals else candidates
                later.append(((*critical, (element, open_sets & hits)), open_sets & ~hits, beside))
                candidates |= element  # the others of the branch may be chosen beside those that were tried
        waiting += reversed(later)


def hitting_sets(sets: Iterable[int], elements: int) -> Iterator[int]:
    """All subsets of `elements` that hit every set, those with the last elements left out first."""
    family = minimal(sets)
    if any(not one & elements for one in family):
        return
    order = list(elements_of(elements))
    waiting = [(0, 0, family)]
    while waiting:
        at, chosen, open_sets = waiting.pop()
        if at == len(order):
            yield chosen
            continue
        element = order[at]
        left = elements & ~((element << 1) - 1)  # those behind it
        waiting.append((at + 1, chosen | element, [one for one in open_sets if not one & element]))
        if all(one & left for one in open_sets):
            waiting.append((at + 1, chosen, open_sets))
