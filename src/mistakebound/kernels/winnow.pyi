from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.row_batch import RowBatch

OK: int
UNDECIDED: int
EDGE: int
WIDEN: int
CAPACITY: int
OTHER: int
ROW: int
SEEN: int
STARTS: int
LEAST: int
MOST: int
BIAS: int
LOW: int
BOTTOM: int
TOP: int
SHIFT: int
GROWS: int
MERGED: int
ELIMINATES: int
OR_EQUAL: int
UNIT: int

class WeightTable:
    def __init__(self, frame: Ints, power: Floats, units: Ints, half: Floats, flat: Floats, theta: float) -> None: ...

def run(batch: RowBatch, cells: Ints, starts: Buffer, kept: WeightTable, first: int, forced: int) -> int: ...
def flatten(shift: int, power: Floats, half: Floats, starts: int, flat: Floats) -> bool: ...
def weights(cells: Ints, low: int, shift: int, power: Floats, half: Floats, out: Floats) -> bool: ...
