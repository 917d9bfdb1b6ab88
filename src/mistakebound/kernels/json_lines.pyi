from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

OK: int
HARD: int
LABELS_FULL: int
CAPACITY: int
NAMES_FULL: int
POS: int
LINE: int
ROWS: int
ENTRIES: int
LABELS: int
REAL: int
WEIGHTED: int
NAMES: int
LABEL: int
WEIGHT: int
NOMINAL: int
NUMERIC: int
OTHER: int
IGNORED: int
DATE: int
BIN_SHIFT: int
PATH_WIDTH: int
PAIR_WIDTH: int
NAME_WIDTH: int
GENERATIONS: int

class JsonRows:
    def __init__(
        self,
        rows: tuple[Ints, Ints, Floats, Floats, Ints, Ints],
        labels: tuple[Buffer, Ints, Ints],
        names: tuple[Buffer, Ints, Buffer],
        tables: tuple[Ints, Ints, Ints, Ints],
        state: Ints,
    ) -> None: ...
    def set_roles(
        self, roles: tuple[Buffer, Ints, Ints], bins: tuple[Floats, Ints, Buffer, Ints], ignored: Ints
    ) -> None: ...
    def more_names(self, names: Buffer) -> None: ...
    def ignored_names(self) -> list[bytes]: ...
    def clear(self) -> bool: ...
    def parse(self, text: Buffer, end: int, unlabelled_ok: bool) -> int: ...
    def add(self, label: bytes | None, weight: float, names: list[bytes], values: list[float]) -> int: ...
