"""Things that are not ours become plain Python values."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from mistakebound.core.fields import is_path, plain_value, plain_values


class Column:
    """As polars has them."""

    def to_list(self) -> list[int]:
        return [1, 2]


@pytest.mark.parametrize("values", [np.array([1, 2]), array("q", [1, 2]), Column(), pa.array([1, 2]), [1, 2]])
def test_columns_of_every_make_are_lists(values: Any) -> None:
    found = plain_values(values)
    assert found == [1, 2]
    assert all(type(value) is int for value in found)


def test_scalars_and_paths() -> None:
    assert [plain_value(value) for value in (np.float64(0.5), np.str_("a"), np.bool_(True), None)] == [
        0.5,
        "a",
        True,
        None,
    ]
    assert type(plain_value(np.bool_(True))) is bool
    assert [is_path(thing) for thing in ("a.csv", Path("a.csv"), ["a.csv"], b"a.csv", 5)] == [
        True, True, False, False, False,
    ]  # fmt: skip
