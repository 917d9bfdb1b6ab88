"""Numbers of 1, 2, 4 or 8 bytes in a buffer, for the uncompiled kernels; compiled ones use _columns.pxd."""

from __future__ import annotations

import sys
from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_REALS = {1: "b", 4: "f", 8: "d"}


def get_whole(column: Any, k: int, width: int) -> int:
    return int.from_bytes(column[k * width : (k + 1) * width], sys.byteorder)


def put_whole(column: Any, k: int, width: int, value: int) -> None:
    column[k * width : (k + 1) * width] = int(value).to_bytes(width, sys.byteorder)


def get_real(column: Any, k: int, width: int) -> float:
    cell: array[float] = array(_REALS[width], bytes(column[k * width : (k + 1) * width]))
    return float(cell[0])


def put_real(column: Any, k: int, width: int, value: float) -> None:
    cell: array[Any] = array(_REALS[width], [int(value) if width == 1 else value])
    column[k * width : (k + 1) * width] = cell.tobytes()
