from mistakebound.kernels._buffers import Floats, Ints

OK: int
OVERFLOW: int
CAPACITY: int
ROW: int
BIAS: int
RADIUS_SQUARED: int

def run(
    slots: Ints,
    values: Floats,
    indptr: Ints,
    labels: Ints,
    first: int,
    last: int,
    weights: Floats,
    scalars: Floats,
    eta: float,
    biased: bool,
    learn: bool,
    predictions: Ints,
    scores: Floats,
    keys: Ints,
    places: Ints,
    state: Ints,
) -> int: ...
