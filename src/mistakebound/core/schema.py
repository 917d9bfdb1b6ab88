"""What the columns of a table are."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

NOMINAL, NUMERIC = "nominal", "numeric"
_WHOLE = 2.0**53  # doubles up to here are whole numbers one by one


def value_text(value: str | float) -> str:
    """The text of a nominal value; 3.0 and 3 are the same value, whichever kind of array they came in.

    >>> value_text("3.0"), value_text(3.0), value_text(3), value_text(2.5), value_text(True)
    ('3.0', '3', '3', '2.5', 'True')
    """
    if isinstance(value, float) and value.is_integer() and abs(value) <= _WHOLE:
        return str(int(value))
    return str(value)


class Schema:
    """What the columns of a table are: (name, kind, values) each; a numeric column has no values.

    >>> weather = Schema([("sky", "nominal", ("sunny", "rainy")), ("degrees", "numeric", ())])
    >>> weather.names
    ('sky', 'degrees')
    >>> Schema.restore(weather.as_json()) == weather
    True
    """

    __slots__ = ("columns",)

    def __init__(self, columns: Sequence[tuple[Any, Any, Sequence[Any]]]) -> None:
        self.columns: tuple[tuple[str, str, tuple[str, ...]], ...] = tuple(
            (name, kind, tuple(values)) for name, kind, values in columns
        )
        names = set()
        if not all(isinstance(name, str) for name, _, _ in columns):
            raise BadParameter("columns must have texts as names")
        for name, kind, values in self.columns:
            if not name or name in names:
                raise BadParameter(f"columns must have different names: {name!r}")
            if kind not in (NOMINAL, NUMERIC) or (kind == NUMERIC and values):
                raise BadParameter(f"column {name!r} must be nominal, or numeric without values: {kind!r}")
            if not all(isinstance(value, str) for value in values) or len(set(values)) < len(values):
                raise BadParameter(f"the values of column {name!r} must be different texts")
            names.add(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.columns)

    def as_json(self) -> list[list[Any]]:
        return [[name, kind, list(values)] for name, kind, values in self.columns]

    @classmethod
    def restore(cls, saved: list[list[Any]]) -> Schema:
        """From `as_json`; ValueError or TypeError for anything else."""
        return cls([(name, kind, values) for name, kind, values in saved])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self.columns == other.columns

    def __hash__(self) -> int:
        return hash(self.columns)

    def __repr__(self) -> str:
        return f"Schema({list(self.columns)!r})"
