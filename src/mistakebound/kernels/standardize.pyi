from mistakebound.kernels._buffers import Floats, Ints

OK: int
INFINITE: int
CAPACITY: int
ROW: int
ENTRIES: int

def standardize(
    slots: Ints,
    base: int,
    values: Floats,
    indptr: Ints,
    count: int,
    numbers: Ints,
    learn: bool,
    tally: Floats,
    before: Floats,
    out_indptr: Ints,
    out_keys: Ints,
    out_values: Floats,
    state: Ints,
) -> int: ...
def take_back(
    slots: Ints, base: int, indptr: Ints, first: int, last: int, numbers: Ints, tally: Floats, before: Floats
) -> bool: ...
