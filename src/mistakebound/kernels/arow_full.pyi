from mistakebound.kernels._buffers import Floats, Ints

OK: int
OVERFLOW: int
CAPACITY: int
UNPLACED: int
ROW: int
EXTRA: int
LOG_DET: int
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
    ranks: Ints,
    count: int,
    weights: Floats,
    sums: Floats,
    factors: Floats,
    width: int,
    scalars: Floats,
    r: float,
    biased: bool,
    learn: bool,
    predictions: Ints,
    scores: Floats,
    dense: int,
    extra_keys: Ints,
    keys: Ints,
    places: Ints,
    scratch: Floats,
    state: Ints,
) -> int: ...
