from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

MISSING: int
NUMBER: int
OTHER: int
SLACK: int

def numbers(text: Buffer, ends: Ints, rows: int, scratch: Buffer, values: Floats, kinds: Ints) -> int: ...
def compress(keys: Ints, values: Floats, present: Buffer, kept: Buffer, indptr: Ints, used: Buffer) -> int: ...
def renumber(keys: Ints, count: int, numbers: Ints) -> bool: ...
