from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats

def read_number(buf: Buffer, values: Floats) -> int: ...
