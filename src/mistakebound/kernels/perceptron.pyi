from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.row_batch import RowBatch

OK: int
OTHER: int
OVERFLOW: int
CAPACITY: int
ROW: int
BIAS: int
RADIUS_SQUARED: int
LEAST: int
MOST: int
REACH: int

def run(batch: RowBatch, weights: Floats, words: Ints, scalars: Floats, scale: float, biased: bool) -> int: ...
def show(numbers: Floats, eta: float) -> None: ...
def sign_zeros(weights: Floats, zero: float) -> None: ...
def reach(weights: Floats, bias: float) -> float: ...
