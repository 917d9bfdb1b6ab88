from mistakebound.kernels._buffers import Floats, Ints
from mistakebound.kernels.key_rows import NewRows
from mistakebound.kernels.row_batch import RowBatch

OK: int
FULL: int
LIMIT: int
FAR: int
INFINITE: int
CAPACITY: int
ROW: int
WIDTH: int
MOST: int
LOWEST: bytes

class Expansion:
    def __init__(self, base: int, numbers: Ints, seen: int) -> None: ...
    def take_space(self, sums: Ints, known: int, levels: int, size: int, limit: int) -> None: ...
    def take_room(
        self,
        members: Ints,
        places: Ints,
        bits: Ints,
        member_values: Floats,
        lists: Ints,
        list_values: Floats,
        ends: Ints,
    ) -> None: ...

def fill_sums(sums: Ints, levels: int, first: int, factor: int) -> int: ...
def expand(given: Expansion, rows: RowBatch, out: NewRows, state: Ints) -> int: ...
