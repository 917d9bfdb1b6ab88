from mistakebound.kernels._buffers import Floats
from mistakebound.kernels.row_batch import RowBatch

OK: int
OVERFLOW: int
CAPACITY: int
ROW: int
BIAS: int
LARGEST: int
EXTRA: int
LEAST: int
MOST: int

def run(
    batch: RowBatch,
    votes: Floats,
    gaps: Floats,
    scalars: Floats,
    eta: float,
    thickness: float,
    biased: bool,
    sums: Floats,
) -> int: ...
def open_gaps(votes: Floats, eta: float, gaps: Floats) -> int: ...
def log_total(votes: Floats, eta: float) -> float: ...
