from mistakebound.kernels._buffers import Floats, Ints

FIRST: int
ROWS: int
MARK: int

def add(
    slots: Ints,
    base: int,
    values: Floats,
    indptr: Ints,
    rows: int,
    numbers: Ints,
    counts: Ints,
    moments: Floats,
    state: Ints,
    mark: int,
) -> bool: ...
