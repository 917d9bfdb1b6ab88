from mistakebound.kernels._buffers import Floats
from mistakebound.kernels.row_batch import RowBatch

OK: int
OVERFLOW: int
CAPACITY: int
ROW: int
TOTAL: int
SIZE: int
WEALTH: int
MOST: int
WIDTH: int
BIAS: int
COIN: int
PUT: int
LEAST: int
SCALARS: int
DRAFT: int

def run(
    batch: RowBatch, weights: Floats, coins: Floats, scalars: Floats, wealth: float, biased: bool, drafts: Floats
) -> int: ...
def weigh(coins: Floats, weights: Floats) -> int: ...
def longest(coins: Floats, most: float) -> float: ...
