from typing import Any

from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.auto_inputs import Inputs
from mistakebound.kernels.auto_members import Members

OK: int
GROW: int
CAPACITY: int

class Lane(Members):
    def __init__(self) -> None: ...
    def holds(self, state: Any) -> bool: ...
    def hold(self, state: dict[str, Any], own: Ints, scores: Floats, logits: Floats) -> None: ...
    def send_to_sleep(self, members: int, cause: int) -> None: ...
    def weigh(self, row: Inputs, scales: Floats, singles: Floats, pairs: Floats, triples: Floats) -> None: ...
    def fit_all(self) -> None: ...

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
