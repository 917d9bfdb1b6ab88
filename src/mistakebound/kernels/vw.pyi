from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.name_table import NameTable

OK: int
BAD_BYTE: int
BAD_LABEL: int
NO_LABEL: int
NO_BAR: int
BAD_NAME: int
BAD_VALUE: int
BAD_SCALE: int
LABELS_FULL: int
CAPACITY: int
NAMES_FULL: int
BAD_WEIGHT: int
SEVERAL_LABELS: int
BAD_HEAD: int
BAD_SPACE: int
BAD_SUM: int
WEIGHTED: int
NAMES: int
SLACK: int

class VwRows:
    def __init__(
        self,
        rows: tuple[Ints, Floats, Ints, Ints, Ints, Floats],
        labels: tuple[Buffer, Ints, Ints],
        table: NameTable,
        state: Ints,
    ) -> None: ...
    def clear(self, keep_names: bool) -> None: ...
    def parse(self, text: Buffer, end: int, unlabelled_ok: bool) -> int: ...
