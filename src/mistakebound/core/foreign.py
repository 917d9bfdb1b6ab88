"""What is not ours, told apart in one place: paths, NumPy's scalars, arrays and columns of data frames."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, TypeGuard


def is_path(thing: Any) -> TypeGuard[str | os.PathLike[str]]:
    """Whether a thing names a file."""
    return isinstance(thing, str) or hasattr(thing, "__fspath__")


def plain_value(value: Any) -> Any:
    """A NumPy scalar as the Python value that it holds, so that it can be compared and written into a model file."""
    return value.item() if hasattr(value, "item") and not isinstance(value, (str, bytes)) else value


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
