from typing import Any

from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.auto_inputs import Inputs

OK: int
GROW: int
CAPACITY: int

class Engine:
    def __init__(self, row: Inputs, lanes: tuple[Any, ...], addresses: Ints) -> None: ...
    def run(
        self,
        slots: Ints,
        values: Floats,
        indptr: Ints,
        numbers: Ints,
        base: int,
        labels: Ints,
        importance: Floats,
        first: int,
        last: int,
        rows: int,
        predictions: Ints,
        scores: Floats,
    ) -> int: ...
