from array import array
from typing import Any

from mistakebound.kernels._buffers import Floats

WIDEST: int

class Encoded:
    names: list[str]
    values: Floats | None
    table: Any
    generation: int
    found: array[int] | None
    row: Any
    def __init__(self, names: list[str], values: Floats | None) -> None: ...
    def keep(self, table: Any, generation: int, found: array[int] | None, row: Any) -> None: ...

class Player:
    done: bool
    def __init__(self, table: Any, labels: Any, limit: int, learns: bool) -> None: ...
    def predict(self, x: Any) -> Any: ...
    def learn(self, x: Any, y: Any) -> Any: ...
