from mistakebound.kernels._buffers import Floats, Ints

OK: int
BAD_COLUMN: int
BAD_VALUE: int
CAPACITY: int
ROW: int
REAL: int
ASCENDING: int

def look32(indptr: Ints, columns: Ints, data: Floats, rows: int, width: int, state: Ints) -> int: ...
def look64(indptr: Ints, columns: Ints, data: Floats, rows: int, width: int, state: Ints) -> int: ...
