from typing import Any

from typing_extensions import Buffer

from mistakebound.kernels._buffers import Ints

OK: int
BAD_BYTE: int
BAD_LABEL: int
NO_LABEL: int
BAD_ID: int
ID_RANGE: int
BAD_VALUE: int
BAD_QID: int
LABELS_FULL: int
CAPACITY: int
WIDE: int
POS: int
LINE: int
ROWS: int
ENTRIES: int
LABELS: int
REAL: int
ASCENDING: int
OFFSET: int
SLACK: int

class LibsvmRows:
    def __init__(self, entries: tuple[Any, ...], labels: tuple[Any, ...], state: Ints) -> None: ...
    def parse(self, text: Buffer, end: int, unlabelled_ok: bool) -> int: ...

def number_lines(lines: Ints, rows: int, first: int) -> None: ...
