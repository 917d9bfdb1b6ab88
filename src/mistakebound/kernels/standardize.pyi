from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.key_rows import NewRows
from mistakebound.kernels.row_batch import RowBatch

OK: int
INFINITE: int
CAPACITY: int
ROW: int
ENTRIES: int

def standardize(
    rows: RowBatch, base: int, numbers: Ints, learn: bool, tally: Floats, before: Floats, out: NewRows, state: Ints
) -> int: ...
def take_back(
    slots: Ints, base: int, indptr: Ints, first: int, last: int, numbers: Ints, tally: Floats, before: Floats
) -> bool: ...
