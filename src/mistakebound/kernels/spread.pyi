from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.row_batch import RowBatch

FIRST: int
ROWS: int
MARK: int

def add(rows: RowBatch, base: int, numbers: Ints, counts: Ints, moments: Floats, state: Ints, mark: int) -> bool: ...
