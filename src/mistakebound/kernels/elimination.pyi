from typing_extensions import Buffer

from mistakebound.kernels._buffers import Ints
from mistakebound.kernels.row_batch import RowBatch

OK: int
INCONSISTENT: int
CAPACITY: int
ROW: int
STARTED: int
ALIVE: int
PLAIN: int
NOT_NEGATED: int
MARK: int

def disjunction(batch: RowBatch, gone: Buffer) -> int: ...
def conjunction(batch: RowBatch, flags: Buffer, alive: Ints) -> int: ...
