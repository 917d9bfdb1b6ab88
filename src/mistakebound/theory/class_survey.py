"""How the numbers of a class relate, over many random classes: VC dimension, opt, queries, teaching."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from mistakebound.concepts.finite import FiniteClass
from mistakebound.core.errors import BadParameter
from mistakebound.theory.dimensions.randomized import randomized_opt
from mistakebound.theory.dimensions.recursive_teaching import recursive_teaching_dimension
from mistakebound.theory.halving_mistakes import halving_worst_case
from mistakebound.theory.littlestone import opt
from mistakebound.theory.queries import query_depth
from mistakebound.theory.teaching import teaching_dimension
from mistakebound.theory.vc import vc_dimension

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MEASURES: dict[str, Callable[[FiniteClass], Any]] = {
    "vc": vc_dimension,
    "opt": opt,
    "halving": halving_worst_case,
    "queries": query_depth,
    "teaching": teaching_dimension,
    "randomized": randomized_opt,
    "recursive": recursive_teaching_dimension,
}
# What theorems say: the left number is never above the right one.
THEOREMS = (("vc", "opt"), ("opt", "halving"), ("opt", "queries"), ("randomized", "opt"), ("recursive", "teaching"))
_MOST = 1 << 16  # concepts times instances


@dataclass(frozen=True)
class Survey:
    """Random classes with their numbers: `rows` has one mapping per class, `classes` the classes themselves."""

    names: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]
    classes: tuple[FiniteClass, ...]

    def pairs(self, first: str, second: str) -> Counter[tuple[Any, Any]]:
        """How many classes have each pair of two numbers."""
        return Counter((row[first], row[second]) for row in self.rows)

    def largest(self, first: str, second: str) -> tuple[Any, FiniteClass]:
        """The largest `first` minus `second`, and the first class that has it."""
        gaps = [row[first] - row[second] for row in self.rows]
        best = max(gaps)
        return best, self.classes[gaps.index(best)]

    @property
    def violations(self) -> list[tuple[str, str, FiniteClass]]:
        """Classes that contradict a theorem: there are none, unless this program is wrong."""
        return [
            (low, high, self.classes[place])
            for low, high in THEOREMS
            if low in self.names and high in self.names
            for place, row in enumerate(self.rows)
            if row[low] > row[high]
        ]

    def table(self, first: str, second: str) -> str:
        """The pairs of two numbers as a table: a row per value of the first, a column per value of the second."""
        counts = self.pairs(first, second)
        across, down = sorted({b for _, b in counts}), sorted({a for a, _ in counts})
        width = max(len(str(len(self.rows))), *(len(str(b)) for b in across)) + 2
        corner = f"{first} \\ {second}"
        left = max(len(corner), *(len(str(a)) for a in down))
        lines = [corner.ljust(left) + "".join(str(b).rjust(width) for b in across)]
        lines += [str(a).rjust(left) + "".join(str(counts[a, b] or ".").rjust(width) for b in across) for a in down]
        return "\n".join(lines)


def survey_classes(
    count: int,
    concepts: int,
    instances: int,
    *,
    names: Iterable[str] = ("vc", "opt", "halving", "queries", "teaching"),
    seed: int = 0,
) -> Survey:
    """Draws random classes and computes their numbers, to see how these relate.

    Parameters
    ----------
    count : int
        How many classes; >= 1.
    concepts, instances : int
        Size of each: so many different rows, drawn uniformly, over so many columns; at most 2^instances concepts.
    names : iterable of str, default ("vc", "opt", "halving", "queries", "teaching")
        The numbers; "randomized" and "recursive" are two more.
    seed : int, default 0
        Seed of the draws.

    Returns
    -------
    Survey
        `rows`, `pairs(a, b)`, `table(a, b)`, `largest(a, b)`, `violations`.

    Examples
    --------
    >>> found = survey_classes(50, 8, 5, names=["vc", "opt"], seed=1)
    >>> print(found.table("vc", "opt"))
    vc \\ opt   2   3
           2  13  34
           3   .   3
    >>> found.violations
    []
    """
    chosen = tuple(names)
    for name in chosen:
        if name not in MEASURES:
            raise BadParameter(f"a number must be one of {', '.join(MEASURES)}: {name!r}")
    if count < 1 or concepts < 1 or instances < 1 or concepts > 1 << instances or concepts * instances > _MOST:
        raise BadParameter(
            "count, concepts and instances must be >= 1, and concepts at most 2^instances: "
            f"{count}, {concepts}, {instances}"
        )
    draw = Random(seed)
    rows, classes = [], []
    for _ in range(count):
        lines = draw.sample(range(1 << instances), concepts) if instances < 40 else _lines(draw, concepts, instances)
        made = FiniteClass([[line >> j & 1 for j in range(instances)] for line in lines])
        classes.append(made)
        rows.append({name: MEASURES[name](made).value for name in chosen})
    return Survey(chosen, tuple(rows), tuple(classes))


def _lines(draw: Random, concepts: int, instances: int) -> list[int]:
    found: dict[int, None] = {}
    while len(found) < concepts:
        found[draw.getrandbits(instances)] = None
    return list(found)
