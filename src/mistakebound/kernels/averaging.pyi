from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.row_batch import RowBatch

OK: int
OVERFLOW: int
CAPACITY: int
ROW: int

def note(batch: RowBatch, rows: int, trials: Ints, biased: bool, sums: Floats, bias: Floats) -> int: ...
def average(weights: Floats, sums: Floats, trials: int, out: Floats) -> int: ...
def score(
    batch: RowBatch, weights: Floats, sums: Floats, bias: float, bias_sum: float, trials: int, scale: float
) -> int: ...
