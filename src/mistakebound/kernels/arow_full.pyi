from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.row_batch import RowBatch

OK: int
OVERFLOW: int
CAPACITY: int
UNPLACED: int
ROW: int
EXTRA: int
LOG_DET: int
LEAST: int
MOST: int

class FullCovariance:
    def __init__(
        self,
        weights: Floats,
        sums: Floats,
        factors: Floats,
        width: int,
        scalars: Floats,
        scratch: Floats,
        r: float,
        biased: bool,
    ) -> None: ...

def run(batch: RowBatch, kept: FullCovariance, ranks: Ints, count: int) -> int: ...
