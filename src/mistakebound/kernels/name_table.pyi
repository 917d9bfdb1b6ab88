from typing_extensions import Buffer

from mistakebound.kernels._buffers import Ints

BATCH: int
FULL: int
NOT_UTF8: int

class NameTable:
    def __init__(self, names: Buffer, ends: Ints, cells: Ints, records: Ints) -> None: ...
    def more_names(self, names: Buffer) -> None: ...
    def clear(self) -> None: ...
