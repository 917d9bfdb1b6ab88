from mistakebound.kernels._buffers import Ints

OK: int
BAD_COLUMN: int
BAD_VALUE: int
CAPACITY: int
ROW: int
REAL: int
ASCENDING: int

def copy(indptr: Ints, columns: Ints, data: Ints, own: Ints, rows: int, width: int, state: Ints) -> int: ...
