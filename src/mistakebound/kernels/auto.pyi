from typing import Any

from mistakebound.kernels._buffers import Ints
from mistakebound.kernels.auto_inputs import Inputs
from mistakebound.kernels.row_batch import RowBatch

OK: int
GROW: int
CAPACITY: int

class Engine:
    def __init__(self, row: Inputs, lanes: tuple[Any, ...], addresses: Ints) -> None: ...
    def run(self, batch: RowBatch, first: int, last: int, numbers: Ints, base: int) -> int: ...
