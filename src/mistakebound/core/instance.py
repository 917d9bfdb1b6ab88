"""What an instance may be: a mapping, active names, a row of numbers; and one that is encoded once."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from math import isfinite

from mistakebound.core.errors import BadData
from mistakebound.core.names import attribute_order, id_of
from mistakebound.core.rows import Rows
from mistakebound.kernels.single_row import Encoded, Held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.attributes import AttributeTable
    from mistakebound.core.buffers import Floats, Ints


_TEXT = {str}
_PLAIN = {int, float, bool}  # others may compare in ways of their own: they are asked for a float first


class Instance(Encoded):
    """Attributes with their values, read and checked once; accepted wherever an instance is.

    The slots that a table gives it are kept, so that the second use by the same learner looks nothing up.  Names that
    stood there with the value 0 are kept apart, in `zeros`: to most learners they are absent.
    """

    __slots__ = ("positional", "zeros")

    def __init__(self, names: list[str], values: Floats | None, zeros: list[str] | tuple[str, ...] = ()) -> None:
        super().__init__(names, values)
        self.zeros = zeros
        self.positional = False  # a row of numbers without names: its attributes are called 1, 2, ...

    def __repr__(self) -> str:
        if self.values is None:
            return f"Instance({self.names})"
        return f"Instance({dict(zip(self.names, self.values, strict=True))})"

    def __reduce__(self) -> tuple[Any, ...]:
        """For copy and pickle: without the slots of a table."""
        return type(self), (self.names, self.values, self.zeros)

    def with_zeros(self) -> Instance:
        """The same with the zeros among its values."""
        if not self.zeros:
            return self
        values = [1.0] * len(self.names) if self.values is None else self.values
        return Instance([*self.names, *self.zeros], array("d", (*values, *([0.0] * len(self.zeros)))))

    def rows(self, table: AttributeTable, *, add: bool, zeros: bool = False) -> Rows:
        """This instance as the one row of a block; with `add` its new attributes get their slots.

        `zeros` says whether values of 0 are wanted, which is always the same for a table.
        """
        if zeros and self.zeros:
            row = self.with_zeros().rows(table, add=add)
            row.zeros = True
            return row
        held = self.held
        if held is not None and held.table is table and held.generation == table.generation:
            if held.found is not None and held.row is None:
                held.row = self._as_row(held.found, table)
            if held.found is not None or (not add and held.size == len(table)):
                return held.row  # type: ignore[no-any-return]
        slots = table.slots_of(self.names)
        new = [name for name, slot in zip(self.names, slots, strict=True) if slot < 0] if -1 in slots else []
        if new and add:
            for name in sorted(new, key=attribute_order):
                table.add(name)
            slots = table.slots_of(self.names)
            new = []
        found = None if new else array("I", slots)
        unseen = table.unseen
        row = self._as_row(
            array("I", [slot if slot >= 0 else unseen for slot in slots]) if found is None else found, table
        )
        self.held = Held(table, table.generation, found, row, len(table))
        return row

    def _as_row(self, slots: Ints, table: AttributeTable) -> Rows:
        return Rows(1, array("q", [0, len(slots)]), slots, self.values, False, table)

    def check(self, table: AttributeTable, *, binary: bool, n: int | None, taker: str) -> None:
        """BadData when a learner that takes 0 and 1 only, or at most n attributes, could make nothing of this."""
        if binary and self.values is not None:
            for name, value in zip(self.names, self.values, strict=True):
                if value != 1.0:
                    raise BadData(not_binary(name, value, taker))
        if n is not None:
            new = [name for name in self.names if table.slot(name) < 0]
            for name in new:
                if id_of(name) > n:
                    raise BadData(beyond(name, n))
            if len(table) + len(new) > n:
                raise BadData(beyond(sorted(new, key=attribute_order)[n - len(table)], n))


def not_binary(name: str, value: float, taker: str) -> str:
    return f"attribute {name!r} has the value {value:g}, but {taker} takes 0 and 1 only"


def without_names(taker: str) -> BadData:
    """For a row of numbers that nobody named, given to a learner all of whose attributes have names."""
    return BadData(f"a row of numbers needs names=: {taker} has learned attributes with names")


def twice(name: str) -> str:
    return f"attribute {name!r} appears twice in one instance"


def beyond(name: str, n: int) -> str:
    return f"attribute {name!r} is beyond the declared n = {n}"


def read_instance(x: Any, names: list[str] | tuple[str, ...] | None = None) -> Instance:
    """Any of the forms that an instance may have; BadData says what was wrong with it.

    >>> read_instance({"free": 1, "now": 0, "7": 2.5})
    Instance({'free': 1.0, '7': 2.5})
    >>> read_instance([0, 1, 1]), read_instance({"b"})
    (Instance(['2', '3']), Instance(['b']))
    >>> read_instance("free")
    Traceback (most recent call last):
    mistakebound.core.errors.BadData: an instance must be a mapping, names or a row of numbers, not one text: 'free'
    """
    if isinstance(x, Instance):
        return x
    if isinstance(x, Mapping):
        return _from_pairs(list(x), list(x.values()))
    if isinstance(x, (str, bytes)):
        raise BadData("an instance must be a mapping, names or a row of numbers, not one text", text=str(x))
    if hasattr(x, "tolist") and hasattr(x, "ndim"):
        if x.ndim != 1:
            raise BadData(f"an instance must be an array of 1 dimension, not {x.ndim}")
        x = x.tolist()
    if not isinstance(x, Iterable):
        raise BadData(f"an instance must be a mapping, names or a row of numbers, not {type(x).__name__}")
    items = list(x)
    if any(isinstance(item, str) for item in items):
        return _from_names(items)
    if isinstance(x, (set, frozenset)) and items:
        raise BadData(f"a set must hold attribute names: {items[0]!r} is not a text")
    row = _from_pairs(column_names(len(items), names), items)
    row.positional = names is None and bool(items)
    return row


def column_names(width: int, names: Any = None) -> list[str]:
    """The names of the columns of an array: '1', '2', ... unless `names` says otherwise."""
    if names is None:
        return [str(column) for column in range(1, width + 1)]
    given = list(names)
    for name in given:
        if not isinstance(name, str):
            raise BadData(f"names must be texts: {name!r} is not")
    if len(given) != width:
        raise BadData(f"names has {len(given)} entries for {width} columns")
    if len(set(given)) != width:
        raise BadData(twice(next(name for name in given if given.count(name) > 1)))
    return given


def _from_names(items: list[Any]) -> Instance:
    seen = set()
    for name in items:
        if not isinstance(name, str):
            raise BadData(f"an instance cannot mix names and numbers: {name!r} is not a text")
        if name in seen:
            raise BadData(twice(name))
        seen.add(name)
    return Instance(items, None)


def _from_pairs(names: list[Any], values: list[Any]) -> Instance:
    # What is usual is told without a loop: texts, and ones of a plain type.
    if {*map(type, names)} <= _TEXT and {*map(type, values)} <= _PLAIN and values.count(1) == len(values):
        return Instance(names, None)
    kept, numbers, none = [], array("d"), []
    for name, value in zip(names, values, strict=True):
        if not isinstance(name, str):
            raise BadData(f"an attribute name must be a text: {name!r} is not")
        number = _number(name, value)
        if number != 0.0:
            kept.append(name)
            numbers.append(number)
        else:
            none.append(name)
    return Instance(kept, numbers if any(number != 1.0 for number in numbers) else None, none)


def _number(name: str, value: Any) -> float:
    try:
        number = float(value) if not isinstance(value, (str, bytes)) else None
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or not isfinite(number):
        raise BadData(f"the value of attribute {name!r} is not a finite number: {value!r}")
    return number
