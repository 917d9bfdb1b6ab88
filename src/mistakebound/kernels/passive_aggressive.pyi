from mistakebound.kernels._buffers import Floats
from mistakebound.kernels.row_batch import RowBatch

OK: int
OVERFLOW: int
CAPACITY: int
ROW: int
BIAS: int
RADIUS_SQUARED: int
SHORTEST_SQUARED: int
LEAST: int

def run(
    batch: RowBatch, weights: Floats, scalars: Floats, most: float, slack: float, biased: bool, learned: Floats
) -> int: ...
