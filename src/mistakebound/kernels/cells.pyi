from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

MISSING: int
NUMBER: int
OTHER: int
SLACK: int

def numbers(text: Buffer, ends: Ints, rows: int, scratch: Buffer, values: Floats, kinds: Ints) -> int: ...
