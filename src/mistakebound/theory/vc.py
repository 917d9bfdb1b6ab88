"""The Vapnik-Chervonenkis dimension of a class, with a shattered set (Mitchell 1997, section 7.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.class_text import class_given
from mistakebound.concepts.regions.region_class import RegionClass
from mistakebound.theory.interval import Deadline, Interval, OutOfTime
from mistakebound.theory.states import distinct_columns
from mistakebound.theory.symmetry import Symmetry, find_symmetry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mistakebound.concepts.concept import ConceptClass
    from mistakebound.concepts.finite import FiniteClass

_EXAMPLE = 6  # points that stand for any number, of a class whose dimension is infinite
_PLAIN = 2000  # sets that are extended before symmetries are looked for


@dataclass(frozen=True)
class VCDimension(Interval):
    """VCdim(C) between `lower` and `upper`; `shattered` holds `lower` instances that the class shatters."""

    shattered: tuple[Any, ...]
    finite: FiniteClass = field(repr=False, compare=False)

    def verify(self) -> bool:
        """Whether every labelling of the shattered instances is that of a concept."""
        size = _EXAMPLE if self.lower == inf else max(self.lower, 0)
        return len(self.shattered) == size and (
            self.lower < 0 or len(dichotomies(self.finite, self.shattered)) == 1 << size
        )


def dichotomies(concept_class: ConceptClass | str, instances: Iterable[Any]) -> set[tuple[int, ...]]:
    """The dichotomies of a set of instances: the labellings that concepts of a class give it.

    Parameters
    ----------
    concept_class : ConceptClass or str
        A finite class, or its text.
    instances : iterable
        Instances of the class.

    Returns
    -------
    set of tuple of int
        One tuple of 0 and 1 per labelling, in the order of the instances.

    References
    ----------
    Mitchell 1997, Machine Learning, section 7.4.1.

    Examples
    --------
    >>> from mistakebound.concepts import Thresholds
    >>> sorted(dichotomies(Thresholds(5), [(2,), (4,)]))
    [(0, 0), (1, 0), (1, 1)]
    """
    finite = class_given(concept_class).finite(instances)
    return {finite.labels(c) for c in range(finite.size)}


def shatters(concept_class: ConceptClass | str, instances: Sequence[Any]) -> bool:
    """Whether a class shatters a set of instances: labels it in all 2^m ways.

    Parameters
    ----------
    concept_class : ConceptClass or str
        A finite class, or its text.
    instances : sequence
        Instances of the class.

    Returns
    -------
    bool

    References
    ----------
    Mitchell 1997, Machine Learning, section 7.4.1.

    Examples
    --------
    >>> from mistakebound.concepts import Intervals
    >>> shatters(Intervals(5), [(2,), (4,)]), shatters(Intervals(5), [(1,), (3,), (5,)])
    (True, False)
    """
    return len(dichotomies(concept_class, instances)) == 1 << len(instances)


def vc_dimension(concept_class: ConceptClass | str, timeout: float | None = None) -> VCDimension:
    """The VC dimension of a finite class: the size of the largest set of instances that it shatters.

    Parameters
    ----------
    concept_class : ConceptClass or str
        A finite class, or its text, such as "monotone-disjunctions n=8 k=2"; or a class of regions, such as
        "half-spaces d=2".
    timeout : float or None, default None
        Seconds, >= 0.  None: as long as it takes.

    Returns
    -------
    VCDimension
        `lower` and `upper`, both proven; `value` where they are equal, else None; `shattered`, a shattered set of
        `lower` instances.  -1 for the empty class.  Of an infinite dimension `value` is inf, `shattered` has 6 points,
        and `concept_class.shattered_points(m)` any number of them.

    Notes
    -----
    VCdim(C) <= opt(C) <= log2 |C|.  That of a class of regions is a theorem (its docstring has the proof); the largest
    shattered set among given points is `vc_dimension(C.finite(points))`.

    References
    ----------
    Vapnik and Chervonenkis 1971, On the uniform convergence of relative frequencies of events to their probabilities.
    Mitchell 1997, Machine Learning, section 7.4.2.

    Examples
    --------
    >>> from mistakebound.concepts import LinearThresholds
    >>> found = vc_dimension(LinearThresholds(3))
    >>> found.value, len(found.shattered), found.verify()
    (4, 4, True)
    >>> vc_dimension("rectangles d=2").value, vc_dimension("convex-polygons").value
    (4, inf)
    """
    deadline = Deadline(timeout)
    given = class_given(concept_class)
    if isinstance(given, RegionClass):
        points = given.shattered_points(_EXAMPLE if given.vc == inf else int(given.vc))
        return VCDimension(given.vc, given.vc, points, given.finite(points))  # type: ignore[arg-type]
    finite = given.finite()
    high = min(finite.size.bit_length() - 1, len(finite.columns))
    search = _Search(finite, deadline)
    best: list[int] = []
    try:
        while len(best) < high:
            found = search.shattered(len(best) + 1)
            if found is None:
                high = len(best)
            else:
                best = found
    except OutOfTime:
        pass
    return VCDimension(len(best) if finite.size else -1, high, tuple(finite.instances[j] for j in best), finite)


class _Search:
    """Shattered sets, one instance after the other: each must split every class of concepts that agree so far."""

    def __init__(self, finite: FiniteClass, deadline: Deadline) -> None:
        self.finite, self.deadline = finite, deadline
        self.steps = 0
        self.symmetry: Symmetry | None = None

    def shattered(self, size: int) -> list[int] | None:
        """A shattered set of the size, or None."""
        finite = self.finite
        return self._extend([finite.everyone], [], distinct_columns(finite.columns, finite.everyone), size)

    def _extend(self, cells: list[int], path: list[int], candidates: list[int], size: int) -> list[int] | None:
        """`candidates`: the instances that may still be added; others have been found to lead nowhere."""
        if len(path) == size:
            return path
        self.deadline.check()
        self.steps += 1
        if self.steps == _PLAIN:
            self.symmetry = find_symmetry(self.finite)
        need = 1 << (size - len(path) - 1)  # concepts that each half of a cell must keep
        open_: dict[int, list[int]] = {}
        for j in candidates:
            halves = _halves(cells, self.finite.columns[j], need)
            if halves is not None:
                open_[j] = halves
        orbits = self.symmetry.orbits(path) if self.symmetry else None
        while len(open_) >= size - len(path):
            j = next(iter(open_))
            halves = open_.pop(j)
            found = self._extend(halves, [*path, j], list(open_), size)
            if found is not None:
                return found
            if orbits is not None:  # no shattered set of the size holds j: then none holds one like it
                open_ = {i: held for i, held in open_.items() if orbits[i] != orbits[j]}
        return None


def _halves(cells: list[int], column: int, need: int) -> list[int] | None:
    halves: list[int] = []
    for cell in cells:
        ones = cell & column
        count = ones.bit_count()
        if count < need or cell.bit_count() - count < need:
            return None
        halves += (cell ^ ones, ones)
    return halves
