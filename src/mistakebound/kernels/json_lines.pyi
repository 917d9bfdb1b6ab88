from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.json_names import JsonNames

OK: int
HARD: int
LABELS_FULL: int
CAPACITY: int
NAMES_FULL: int
WEIGHTED: int
NAMES: int

class JsonRows(JsonNames):
    def __init__(
        self,
        rows: tuple[Ints, Ints, Floats, Floats, Ints, Ints],
        labels: tuple[Buffer, Ints, Ints],
        names: tuple[Buffer, Ints, Buffer],
        tables: tuple[Ints, Ints, Ints, Ints],
        state: Ints,
    ) -> None: ...
    def clear(self) -> bool: ...
    def parse(self, text: Buffer, end: int, unlabelled_ok: bool) -> int: ...
    def add(self, label: bytes | None, weight: float, names: list[bytes], values: list[float]) -> int: ...
