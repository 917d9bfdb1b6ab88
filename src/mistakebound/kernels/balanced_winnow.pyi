from mistakebound.kernels._buffers import Floats, Ints

OK: int
OVERFLOW: int
CAPACITY: int
ROW: int
BIAS: int
LARGEST: int
EXTRA: int
LEAST: int
MOST: int

def run(
    slots: Ints,
    values: Floats,
    indptr: Ints,
    ordered: bool,
    labels: Ints,
    importance: Floats,
    rows: int,
    votes: Floats,
    gaps: Floats,
    scalars: Floats,
    eta: float,
    thickness: float,
    biased: bool,
    learn: bool,
    predictions: Ints,
    scores: Floats,
    dense: int,
    extra_keys: Ints,
    keys: Ints,
    places: Ints,
    sums: Floats,
    state: Ints,
) -> int: ...
def open_gaps(votes: Floats, eta: float, gaps: Floats) -> int: ...
def log_total(votes: Floats, eta: float) -> float: ...
