from mistakebound.kernels._buffers import Floats, Ints

OK: int
OVERFLOW: int
CAPACITY: int
ROW: int
WEIGHT: int
SPENT: int
SUM: int
WIDTH: int
BIAS: int
BIAS_SPENT: int
BIAS_SUM: int
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
    cells: Floats,
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
    products: Floats,
    state: Ints,
) -> int: ...
def energy(sums: Floats, spent: Floats) -> float: ...
