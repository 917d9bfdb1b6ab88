"""Any finite class on finitely many instances, as bits: what exact theory computes with.

A set of concepts is a Python integer, bit c of it concept c. The column of an instance is the set of the
concepts that label it 1, so that what a label leaves of a set is one `&`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import Any, ClassVar, Self

from mistakebound.concepts.bits import pack, pack_columns, transpose
from mistakebound.concepts.concept import Concept, ConceptClass, check_integer, generator
from mistakebound.concepts.counts import written
from mistakebound.core.errors import BadParameter
from mistakebound.core.fields import plain_values

LIMIT = 1 << 28  # cells (concepts times instances) of the largest class: 32 megabytes of bits
_WIDEST = 60  # attributes of a domain whose size is still worked out
_FEW = 64  # instances that are labelled one by one
_LONGEST_TEXT = 10_000


class FiniteClass(ConceptClass):
    """Any finite class: a 0/1 matrix of labels, or functions on instances.

    Parameters
    ----------
    source : sequence of rows, or iterable of functions
        A matrix whose rows are concepts and whose columns are instances; or, with `instances`, functions.
    instances : iterable or None, default None
        The instances; all different.  None: the columns of the matrix, by number.
    limit : int, default 2^28
        The most concepts times instances.

    Notes
    -----
    Concepts that agree on all instances are one: the first of them is kept.  `concepts` are the functions, or the
    numbers
    of the matrix's rows.  Bit c of `columns[j]` is the label of concept c on instance j.

    Examples
    --------
    >>> C = FiniteClass([[0, 0, 1], [0, 1, 1], [0, 0, 1], [1, 1, 1]])
    >>> print(C, C.size, C.concepts, C.instances, [f"{column:03b}" for column in C.columns])
    finite rows=001,011,111 3 (0, 1, 3) (0, 1, 2) ['100', '110', '111']
    >>> squares = FiniteClass([lambda x: x % 2, lambda x: x * x % 2, lambda x: x > 2], [1, 2, 3])
    >>> squares.size, squares.labels(1), (lambda x: x in (1, 3)) in squares
    (2, (0, 0, 1), True)
    """

    kind: ClassVar[str] = "finite"
    instances: tuple[Any, ...]
    columns: tuple[int, ...]
    size: int

    def __init__(self, source: Any, instances: Iterable[Any] | None = None, *, limit: int = LIMIT) -> None:
        given = tuple(source)
        points = tuple(range(len(given[0]) if given else _width(source))) if instances is None else tuple(instances)
        check_cells(len(given), len(points), limit)
        if instances is None:
            lines = [_checked(row, len(points), f"row {number}") for number, row in enumerate(given)]
            names: Sequence[Any] = range(len(given))
        else:
            lines = [line_of(function, points) for function in given]
            names = given
        kept = _first_of_each(lines)
        self._take(transpose([lines[c] for c in kept], len(points)), len(kept), points)
        self.concepts = tuple(names[c] for c in kept)

    @classmethod
    def from_columns(
        cls,
        columns: Iterable[int],
        size: int,
        instances: Iterable[Any],
        concepts: Callable[[], Iterable[Any]],
        *,
        distinct: bool = False,
    ) -> Self:
        """From columns of `size` bits; `concepts` gives the names of the concepts when they are first asked for.

        With distinct=True no two concepts agree on all instances: that is believed, not checked.
        """
        made = cls.__new__(cls)
        held = list(columns)
        kept = range(size) if distinct else _first_of_each(lines := transpose(held, size))
        if len(kept) < size:
            held = transpose([lines[c] for c in kept], len(held))
        made._take(held, len(kept), tuple(instances))
        made._names = concepts, None if len(kept) == size else frozenset(kept)
        return made

    def _take(self, columns: list[int], size: int, instances: tuple[Any, ...]) -> None:
        self.columns, self.size, self.instances = tuple(columns), size, instances
        if len(self._places) < len(instances):
            raise BadParameter(f"instances must be different: {len(instances) - len(self._places)} come twice")

    @cached_property
    def concepts(self) -> tuple[Any, ...]:
        """What names the concepts: `Concept` values, functions, or numbers of rows."""
        make, kept = self._names
        return tuple(concept for c, concept in enumerate(make()) if kept is None or c in kept)

    _names: tuple[Callable[[], Iterable[Any]], frozenset[int] | None]

    @cached_property
    def everyone(self) -> int:
        """The set of all concepts."""
        return (1 << self.size) - 1

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """Bit j of rows[c] is the label of concept c on instance j."""
        return tuple(transpose(self.columns, self.size))

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        return {x: j for j, x in enumerate(self.instances)}

    def position(self, x: Any) -> int:
        """The number of an instance: its place in `instances`, `columns`, and the bits of `rows`."""
        try:
            return self._places[x]
        except TypeError:  # a list or an array: the row itself is known as a tuple
            return self.position(tuple(plain_values(x)))
        except KeyError:
            raise BadParameter(f"an instance must be one of the class's {len(self.instances)}: {x!r}") from None

    def label(self, c: int, j: int) -> int:
        """The label of concept c on instance j."""
        return self.columns[j] >> c & 1

    def labels(self, c: int) -> tuple[int, ...]:
        """The labels of concept c on all instances."""
        return tuple(column >> c & 1 for column in self.columns)

    def consistent(self, c_set: int, j: int, label: int) -> int:
        """The concepts of a set that give instance j the label."""
        return c_set & self.columns[j] if label else c_set & ~self.columns[j]

    def domain(self) -> Iterator[Any]:
        return iter(self.instances)

    def domain_size(self) -> int:
        return len(self.instances)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes of the instances, where these are rows of one length; otherwise none."""
        lengths = {len(x) if isinstance(x, tuple) else 0 for x in self.instances}
        return tuple(str(j) for j in range(1, lengths.pop() + 1)) if len(lengths) == 1 else ()

    def __contains__(self, concept: object) -> bool:
        """Whether a function, or a row of labels, is one of the class on its instances."""
        if callable(concept):
            return line_of(concept, self.instances) in self._lines
        return isinstance(concept, Sequence) and _checked(concept, len(self.instances), "a row") in self._lines

    @cached_property
    def _lines(self) -> frozenset[int]:
        return frozenset(self.rows)

    def holds(self, concept: Concept) -> bool:
        return concept in self

    def count(self) -> int:
        return self.size

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Any]:
        return iter(self.concepts)

    def sample(self, seed: int) -> Any:
        if not self.size:
            raise BadParameter("an empty class cannot be sampled")
        return self.concepts[generator(seed).randrange(self.size)]

    def finite(self, instances: Iterable[Any] | None = None, *, limit: int = LIMIT) -> FiniteClass:
        if instances is None:
            return self
        points = tuple(instances)
        check_cells(self.size, len(points), limit)
        return FiniteClass.from_columns(
            [self.columns[self.position(x)] for x in points], self.size, points, partial(getattr, self, "concepts")
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FiniteClass):
            return NotImplemented
        return (self.size, self.instances, self.columns) == (other.size, other.instances, other.columns)

    def __hash__(self) -> int:
        return hash((self.size, self.instances, self.columns))

    def __repr__(self) -> str:
        concepts, instances = self.size, len(self.instances)
        return (
            f"<FiniteClass: {concepts} concept{'s' * (concepts != 1)} on {instances} instance{'s' * (instances != 1)}>"
        )

    def __str__(self) -> str:
        # A text has no row of no labels, and no instances without a row.
        told = bool(self.size) == bool(self.instances)
        if self.size * (len(self.instances) + 1) > _LONGEST_TEXT or not told:
            return repr(self)[1:-1]
        return "finite rows=" + ",".join("".join(map(str, self.labels(c))) for c in range(self.size))


def _first_of_each(lines: Sequence[int]) -> Sequence[int]:
    """The numbers of the lines that have not come before."""
    first: dict[int, int] = {}
    for number, line in enumerate(lines):
        first.setdefault(line, number)
    return list(first.values())


def finite_form(concept_class: ConceptClass, instances: Iterable[Any] | None, limit: int) -> FiniteClass:
    """The class as bits, on the instances given or on its whole domain."""
    limit = check_integer("limit", limit, 1)
    if instances is None:
        return _whole(concept_class, limit)
    return _on(concept_class, tuple(instances), limit)


@lru_cache(maxsize=8)
def _whole(concept_class: ConceptClass, limit: int) -> FiniteClass:
    n = concept_class.n
    if type(concept_class).domain_size is ConceptClass.domain_size and n > max(_WIDEST, limit.bit_length()):
        raise _too_large(limit, f"2^{n} instances")  # before such numbers are worked out
    check_cells(concept_class.count(), concept_class.domain_size(), limit)
    # A class enumerates every distinct function on its domain once.
    return _on(concept_class, tuple(concept_class.domain()), limit, distinct=True)


def _on(concept_class: ConceptClass, instances: tuple[Any, ...], limit: int, *, distinct: bool = False) -> FiniteClass:
    count = concept_class.count()
    check_cells(count, len(instances), limit)
    columns = concept_class.label_columns(instances)
    if columns is None:
        columns = transpose([line_of(concept, instances) for concept in concept_class], len(instances))
    return FiniteClass.from_columns(columns, count, instances, partial(iter, concept_class), distinct=distinct)


def check_cells(concepts: int, instances: int, limit: int) -> None:
    """A class that would not fit into memory is refused before it is made."""
    if concepts * instances > limit:
        raise _too_large(limit, " x ".join(_size(number) for number in (concepts, instances)))


def _size(number: int) -> str:
    return str(number) if number < 1 << 40 else written(number)


def _too_large(limit: int, size: str) -> BadParameter:
    return BadParameter(f"concepts times instances must be at most {limit} (limit= raises that), but there are {size}")


def line_of(function: Any, instances: Sequence[Any]) -> int:
    """The labels that a function gives the instances, as bits."""
    if isinstance(function, Concept) and len(instances) > _FEW and _are_rows(instances):
        import numpy as np

        labels = function.evaluate_many(np.array(instances))
        return pack_columns(labels[:, None] != 0)[0]
    return _checked([function(x) for x in instances], len(instances), "a function")


def _are_rows(instances: Sequence[Any]) -> bool:
    first = instances[0]
    return isinstance(first, tuple) and all(isinstance(x, tuple) and len(x) == len(first) for x in instances)


def _checked(row: Sequence[Any], width: int, what: str) -> int:
    if len(row) != width:
        raise BadParameter(f"{what} must have {width} labels: {len(row)}")
    for label in row:
        if isinstance(label, str) or not (label == 0 or label == 1):
            raise BadParameter(f"{what} must have the labels 0 and 1: {label!r}")
    return pack(row)


def _width(matrix: Any) -> int:
    return int(matrix.shape[1]) if hasattr(matrix, "shape") and len(matrix.shape) == 2 else 0
