from mistakebound.kernels._buffers import Floats, Ints

OK: int
CAPACITY: int
CELLS: int
BINS: int
UNIT: float
MOST_ROWS: int

def count(scores: Floats, labels: Ints, first: int, last: int, theta: float, cells: Ints, means: Floats) -> int: ...
def probabilities(scores: Floats, theta: float, mean: float, curve: Floats, out: Floats) -> int: ...
def reliability(shares: Floats, labels: int, codes: Ints, sums: Ints) -> int: ...
