from mistakebound.kernels._buffers import Floats
from mistakebound.kernels.row_batch import RowBatch

OK: int
OVERFLOW: int
CAPACITY: int
ROW: int
WEIGHT: int
SPENT: int
SUM: int
WIDTH: int
BIAS: int
BIAS_SPENT: int
BIAS_SUM: int
EXTRA: int
LEAST: int
MOST: int

def run(batch: RowBatch, cells: Floats, scalars: Floats, r: float, biased: bool, products: Floats) -> int: ...
def energy(sums: Floats, spent: Floats) -> float: ...
