from mistakebound.kernels._buffers import Floats, Ints

MOST_RANKED: int

def sort(indptr: Ints, keys: Ints, values: Floats, rows: int, scratch: Ints, places: Ints, kept: Floats) -> int: ...
