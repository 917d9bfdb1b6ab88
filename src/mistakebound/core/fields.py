"""What comes from outside, told apart in one place.

Fields of a JSON object out of a file that anybody may have written, each read with its kind and its range; paths,
NumPy's scalars, arrays and columns of data frames.
"""

from __future__ import annotations

from math import inf, isfinite

from mistakebound.core.errors import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, TypeGuard


MOST = (1 << 63) - 1  # what a count or a place in a file can be


class Fields:
    """The fields of an object; ValueError for one that is missing, of another kind, or out of its range.

    With `none=True` null, or no such field, is a value too: None.

    >>> place = Fields({"line": 3, "source": "rows.svm"}, "the position")
    >>> place.whole("line"), place.text("source"), place.whole("offset", none=True)
    (3, 'rows.svm', None)
    >>> place.whole("source")
    Traceback (most recent call last):
    ValueError: source in the position must be a whole number >= 0: 'rows.svm'
    """

    __slots__ = ("_values", "_where")

    def __init__(self, values: Any, where: str) -> None:
        if not isinstance(values, dict):
            raise ValueError(f"{where} must be an object: {shown(values)}")
        self._values = values
        self._where = where

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def _found(self, name: str, none: bool) -> Any:
        value = self._values.get(name)
        if value is None and name not in self._values and not none:
            raise ValueError(f"{self._where} has no {name}")
        return value

    def _wrong(self, name: str, rule: str, value: Any, none: bool = False) -> ValueError:
        return ValueError(f"{name} in {self._where} must be {rule}{' or null' if none else ''}: {shown(value)}")

    def whole(self, name: str, least: int = 0, most: int = MOST, *, none: bool = False) -> Any:
        """A whole number of this range."""
        value = self._found(name, none)
        if none and value is None:
            return None
        if type(value) is not int or not least <= value <= most:
            end = "" if most == MOST else f" and <= {most}"
            raise self._wrong(name, f"a whole number >= {least}{end}", value, none)
        return value

    def number(self, name: str, least: float = -inf, most: float = inf) -> float:
        """A finite number of this range."""
        value = self._found(name, False)
        if not is_number(value) or not least <= value <= most:
            raise self._wrong(name, "a finite number" if least == -inf else f"a finite number >= {least:g}", value)
        return float(value)

    def text(self, name: str, *, none: bool = False) -> Any:
        value = self._found(name, none)
        if not isinstance(value, str) and not (none and value is None):
            raise self._wrong(name, "a text", value, none)
        return value

    def flag(self, name: str) -> bool:
        value = self._found(name, False)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false", value)
        return value

    def values(self, name: str, *, none: bool = False) -> Any:
        """A list, of anything."""
        value = self._found(name, none)
        if not isinstance(value, list) and not (none and value is None):
            raise self._wrong(name, "a list", value, none)
        return value

    def wholes(self, name: str, count: int | None = None) -> list[int]:
        """A list of whole numbers >= 0, so many where that is said."""
        value = self.values(name)
        if not all(type(number) is int and 0 <= number <= MOST for number in value) or count not in (None, len(value)):
            many = "" if count is None else f"{count} "
            raise self._wrong(name, f"a list of {many}whole numbers >= 0", value)
        return value  # type: ignore[no-any-return]

    def texts(self, name: str) -> list[str]:
        value = self.values(name)
        if not all(isinstance(text, str) for text in value):
            raise self._wrong(name, "a list of texts", value)
        return value  # type: ignore[no-any-return]

    def record(self, name: str, *, none: bool = False) -> Any:
        """An object, as it is."""
        value = self._found(name, none)
        if not isinstance(value, dict) and not (none and value is None):
            raise self._wrong(name, "an object", value, none)
        return value

    def fields(self, name: str) -> Fields:
        """An object, to be read by its fields."""
        return Fields(self._found(name, False), f"{name} of {self._where}")

    def label(self, name: str) -> Any:
        """A label, or None where none is known."""
        value = self._found(name, False)
        if not is_label(value) and value is not None:
            raise self._wrong(name, "a label", value)
        return value


def is_number(value: Any) -> bool:
    """A number that is finite as a double; truth values are refused."""
    try:
        return type(value) in (int, float) and isfinite(value)
    except OverflowError:
        return False


def is_label(value: Any) -> bool:
    """A text, a truth value or a number."""
    return isinstance(value, (str, bool)) or is_number(value)


def is_path(thing: Any) -> TypeGuard[str | os.PathLike[str]]:
    """Whether a thing names a file."""
    return isinstance(thing, str) or hasattr(thing, "__fspath__")


def plain_value(value: Any) -> Any:
    """A NumPy scalar as the Python value that it holds, so that it can be compared and written into a model file."""
    return value.item() if hasattr(value, "item") else value


def is_not_available(value: Any) -> bool:
    """Whether it is the mark of pandas for a missing cell: NA, which can be compared with nothing, or NaT."""
    return type(value).__name__ in ("NAType", "NaTType")


def plain_values(values: Any) -> Any:
    """An array, or a column of a data frame, as a list of Python values; anything else as it is.

    >>> from array import array
    >>> plain_values(array("b", [1, 2])), plain_values((1, 2))
    ([1, 2], (1, 2))
    """
    for method in ("to_pylist", "tolist", "to_list"):  # pyarrow; NumPy and pandas; polars
        if hasattr(values, method):
            return getattr(values, method)()
    return values
