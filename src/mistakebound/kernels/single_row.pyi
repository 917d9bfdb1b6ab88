from array import array
from typing import Any

from mistakebound.kernels._buffers import Floats
from mistakebound.kernels.call_lock import CallLock

WIDEST: int

class Held:
    table: Any
    generation: int
    found: array[int] | None
    row: Any
    size: int
    def __init__(self, table: Any, generation: int, found: array[int] | None, row: Any, size: int) -> None: ...

class Encoded:
    names: list[str]
    values: Floats | None
    held: Held | None
    def __init__(self, names: list[str], values: Floats | None) -> None: ...

class SingleRow:
    done: bool
    def __init__(self, lock: CallLock, table: Any, labels: Any, limit: int, learns: bool) -> None: ...
    def retire(self) -> None: ...
    def predict(self, x: Any) -> Any: ...
    def learn(self, x: Any, y: Any) -> Any: ...
