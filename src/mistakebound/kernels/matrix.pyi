from mistakebound.kernels._buffers import Floats, Ints

OK: int
BAD_COLUMN: int
BAD_VALUE: int
CAPACITY: int
ROW: int
REAL: int
ASCENDING: int

def convert32(
    indptr: Ints,
    columns: Ints,
    data: Floats,
    rows: int,
    width: int,
    first_key: int,
    keys: Ints,
    state: Ints,
) -> int: ...

convert64 = convert32
