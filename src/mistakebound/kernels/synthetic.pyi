from typing_extensions import Buffer

from mistakebound.kernels._buffers import Ints

CAPACITY: int

class RowSource:
    def __init__(
        self, n: int, active: int, relevant: Ints, negative_label: bytes, positive_label: bytes, random: Ints
    ) -> None: ...

def write_rows(source: RowSource, rows: int, out: Buffer) -> int: ...
