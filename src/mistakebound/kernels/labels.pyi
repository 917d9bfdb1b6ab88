from typing_extensions import Buffer

from mistakebound.kernels._buffers import Ints

NOT_UTF8: int
FULL: int

def place_label(buf: Buffer, i: int, j: int, texts: Buffer, ends: Ints, slots: Ints, used: int) -> int: ...
