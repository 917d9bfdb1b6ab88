from mistakebound.kernels._buffers import Floats, Ints

OK: int
OVERFLOW: int
CAPACITY: int
ROW: int
BIAS: int
RADIUS_SQUARED: int
SHORTEST_SQUARED: int
LEAST: int

def run(
    slots: Ints,
    values: Floats,
    indptr: Ints,
    labels: Ints,
    importance: Floats,
    first: int,
    last: int,
    weights: Floats,
    scalars: Floats,
    most: float,
    slack: float,
    biased: bool,
    learn: bool,
    predictions: Ints,
    scores: Floats,
    dense: int,
    extra_keys: Ints,
    keys: Ints,
    places: Ints,
    learned: Floats,
    state: Ints,
) -> int: ...
